"""The house rules: every option by its name (docs/reference/catalogue.md, O)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Variant = Literal[
    "none",
    "ten_rounds",
    "even_phases",
    "n_phases(1)",
    "n_phases(2)",
    "n_phases(3)",
    "n_phases(4)",
    "n_phases(5)",
    "n_phases(6)",
    "n_phases(7)",
    "n_phases(8)",
    "n_phases(9)",
    "n_phases(10)",
]
OptionValue = bool | int | str | tuple[str, ...]
"""A value of an option."""
Text = Annotated[str, Meta(max_length=200)]


class Options(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The house rules. A default here is the card games' usual reading; each game has its own.

    Fields equal to their default are left out of a rule set's canonical JSON, so a released
    default never changes.
    """

    stock_exhausted: Literal["reshuffle_all_but_top", "reshuffle_all", "end_round"] = (
        "reshuffle_all_but_top"
    )
    no_card_to_draw: Literal["continue_without_draw", "end_round"] = "continue_without_draw"
    wild_min_scope: Literal["group", "phase", "none"] = "group"
    wild_on_full_run: bool = False
    wild_on_full_set: bool = True
    run_wrap: bool = False
    wild_placement: Literal["explicit", "high_then_low"] = "explicit"
    going_out: Literal["any", "discard_required"] = "any"
    skip_as_last_card: bool = True
    skip_repeat: Literal["until_served", "until_normal_turn"] = "until_served"
    initial_skip: Literal["skip_first_player", "cover", "return_and_redraw", "keep"] = (
        "skip_first_player"
    )
    initial_wild: Literal["drawable", "return_and_redraw"] = "drawable"
    skip_drawable: bool = False
    skip_plain_discard: bool | Literal["only_if_no_target"] = False
    skip_survives_round: bool = False
    dealer_rotation: Literal["left", "fixed"] = "left"
    first_player: Literal["left_of_dealer", "dealer", "random"] = "left_of_dealer"
    lay_oversize: bool = True
    final_tie: Literal["replay", "shared", "went_out"] = "replay"
    final_tie_10rounds: Literal["more_phases_then_shared", "shared"] = "more_phases_then_shared"
    final_tie_replay: Literal["tied_only", "everybody"] = "tied_only"
    discard_taken_card: bool = True
    max_turns_per_round: Annotated[int, Meta(ge=1, le=100_000)] | Literal["none"] = "none"
    variant: Variant = "none"
    twist_phases: Literal["classic"] = "classic"
    color_is_suit: bool = True
    style: Literal["complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free"] = (
        "complete_ordered"
    )
    free_phase_named: Literal[True, "auto_lowest"] = True
    players: Text = ""
    express_white_cards: Literal["wild", "none"] = "wild"
    pairrun_hit: Literal["whole_pairs", "single_cards", "none"] = "whole_pairs"
    board_phases: tuple[Text, ...] = ()
    board_track: tuple[Text, ...] = ()
    choose_take_by: Literal["number", "type"] = "number"
    kept_joker: Literal["stays_joker", "becomes_normal"] = "stays_joker"
    joker_discard: Literal["becomes_normal", "forbidden"] = "becomes_normal"
    full_color_group: Literal[24, "ignore"] = 24
    natural_on_full_set: bool = True
    board_first_starter: Literal["youngest", "host", "random"] = "host"
    keep_choice: Literal["simultaneous_secret", "seat_order_open"] = "simultaneous_secret"
    short_supply: Literal["as_many_as_possible", "cancel"] = "as_many_as_possible"
    ask_giver_chooses: bool = True
    joker_memory: Literal["owner_sees_once", "owner_sees_always"] = "owner_sees_once"


class Parameter(Struct, frozen=True, gc=False):
    """The catalogue's entry for one option."""

    number: str
    """The option's ID in the catalogue."""
    values: str = ""
    """The values that the option takes; empty where the message ``values.NAME`` says them."""


_YES_NO = "true or false"

PARAMETERS: dict[str, Parameter] = {
    "stock_exhausted": Parameter("O-01", "reshuffle_all_but_top, reshuffle_all or end_round"),
    "no_card_to_draw": Parameter("O-02", "continue_without_draw or end_round"),
    "wild_min_scope": Parameter("O-03", "group, phase or none"),
    "wild_on_full_run": Parameter("O-04", _YES_NO),
    "wild_on_full_set": Parameter("O-05", _YES_NO),
    "run_wrap": Parameter("O-06", _YES_NO),
    "wild_placement": Parameter("O-07", "explicit or high_then_low"),
    "going_out": Parameter("O-08", "any or discard_required"),
    "skip_as_last_card": Parameter("O-09", _YES_NO),
    "skip_repeat": Parameter("O-10", "until_served or until_normal_turn"),
    "initial_skip": Parameter("O-11", "skip_first_player, cover, return_and_redraw or keep"),
    "initial_wild": Parameter("O-12", "drawable or return_and_redraw"),
    "skip_drawable": Parameter("O-13", _YES_NO),
    "skip_plain_discard": Parameter("O-14", "true, false or only_if_no_target"),
    "skip_survives_round": Parameter("O-15", _YES_NO),
    "dealer_rotation": Parameter("O-16", "left or fixed"),
    "first_player": Parameter("O-16", "left_of_dealer, dealer or random"),
    "color_is_suit": Parameter("O-17", _YES_NO),
    "lay_oversize": Parameter("O-18", _YES_NO),
    "players": Parameter("O-19"),
    "express_white_cards": Parameter("O-20", "wild or none"),
    "pairrun_hit": Parameter("O-21", "whole_pairs, single_cards or none"),
    "final_tie": Parameter("O-22", "replay, shared or went_out"),
    "final_tie_10rounds": Parameter("O-23", "more_phases_then_shared or shared"),
    "final_tie_replay": Parameter("O-24", "tied_only or everybody"),
    "board_phases": Parameter("O-25"),
    "board_track": Parameter("O-26"),
    "choose_take_by": Parameter("O-27", "number or type"),
    "kept_joker": Parameter("O-28", "stays_joker or becomes_normal"),
    "joker_discard": Parameter("O-29", "becomes_normal or forbidden"),
    "full_color_group": Parameter("O-30", "24 or ignore"),
    "natural_on_full_set": Parameter("O-31", _YES_NO),
    "board_first_starter": Parameter("O-32", "youngest, host or random"),
    "keep_choice": Parameter("O-33", "simultaneous_secret or seat_order_open"),
    "short_supply": Parameter("O-34", "as_many_as_possible or cancel"),
    "ask_giver_chooses": Parameter("O-35", _YES_NO),
    "discard_taken_card": Parameter("O-36", _YES_NO),
    "free_phase_named": Parameter("O-37", "true or auto_lowest"),
    "joker_memory": Parameter("O-38", "owner_sees_once or owner_sees_always"),
    "max_turns_per_round": Parameter("O-39"),
    "twist_phases": Parameter("O-40", "classic"),
    "style": Parameter(
        "O-41", "complete_ordered, ten_rounds_ordered, complete_free or ten_rounds_free"
    ),
    "variant": Parameter("O-42", "none, ten_rounds, even_phases or n_phases(1) to n_phases(10)"),
}
"""Every field of `Options` (a test compares), in the catalogue's order."""
