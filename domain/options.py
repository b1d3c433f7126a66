"""The house rules: every option by its name (docs/catalogue.md, O)."""

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
    values: str
    """The option's values, in words."""
    meaning: str


_YES_NO = "true or false"

PARAMETERS: dict[str, Parameter] = {
    "stock_exhausted": Parameter(
        "O-01",
        "reshuffle_all_but_top, reshuffle_all or end_round",
        "What happens when a card is wanted from an empty stock.",
    ),
    "no_card_to_draw": Parameter(
        "O-02",
        "continue_without_draw or end_round",
        "What happens when no pile gives a card to draw.",
    ),
    "wild_min_scope": Parameter(
        "O-03",
        "group, phase or none",
        "Where at least one natural card is needed: in each group, in the phase, or nowhere.",
    ),
    "wild_on_full_run": Parameter(
        "O-04", _YES_NO, "Whether wilds may be added to a run that covers all twelve ranks."
    ),
    "wild_on_full_set": Parameter(
        "O-05", _YES_NO, "Whether wilds may be added to a set as large as the deck allows."
    ),
    "run_wrap": Parameter(
        "O-06", _YES_NO, "Whether a run goes on from the highest rank to the lowest."
    ),
    "wild_placement": Parameter(
        "O-07",
        "explicit or high_then_low",
        "Whether the order of the cards says where wilds lie, or they fill gaps, then the high "
        "end, then the low one.",
    ),
    "going_out": Parameter(
        "O-08", "any or discard_required", "Whether the last card must be a discard."
    ),
    "skip_as_last_card": Parameter("O-09", _YES_NO, "Whether a skip may be the last card."),
    "skip_repeat": Parameter(
        "O-10",
        "until_served or until_normal_turn",
        "How long a skipped seat is safe from the next skip.",
    ),
    "initial_skip": Parameter(
        "O-11",
        "skip_first_player, cover, return_and_redraw or keep",
        "What a skip does that is turned up as first discard.",
    ),
    "initial_wild": Parameter(
        "O-12",
        "drawable or return_and_redraw",
        "What happens to a wild that is turned up as first discard.",
    ),
    "skip_drawable": Parameter(
        "O-13", _YES_NO, "Whether a skip on top of the discard pile may be drawn."
    ),
    "skip_plain_discard": Parameter(
        "O-14",
        "true, false or only_if_no_target",
        "Whether a skip may be discarded without skipping anybody.",
    ),
    "skip_survives_round": Parameter(
        "O-15", _YES_NO, "Whether a turn still to be lost is lost in the next round."
    ),
    "dealer_rotation": Parameter("O-16", "left or fixed", "Who deals the next round."),
    "first_player": Parameter(
        "O-16", "left_of_dealer, dealer or random", "Who plays first in a round."
    ),
    "color_is_suit": Parameter(
        "O-17",
        _YES_NO,
        "Whether cards of one colour are of one suit, or only all red or all black.",
    ),
    "lay_oversize": Parameter(
        "O-18", _YES_NO, "Whether a group may be laid with more cards than the phase asks for."
    ),
    "players": Parameter(
        "O-19", "the fewest and the most players, as in 2-6", "How many may play."
    ),
    "express_white_cards": Parameter(
        "O-20", "wild or none", "Whether the three white cards are wilds, or left out."
    ),
    "pairrun_hit": Parameter(
        "O-21",
        "whole_pairs, single_cards or none",
        "What may be added to a run of pairs. With none, a round in which nothing else was laid "
        "has no end: see max_turns_per_round.",
    ),
    "final_tie": Parameter(
        "O-22",
        "replay, shared or went_out",
        "How a tie in points after the last phase is broken.",
    ),
    "final_tie_10rounds": Parameter(
        "O-23",
        "more_phases_then_shared or shared",
        "How a tie after a fixed number of rounds is broken.",
    ),
    "final_tie_replay": Parameter(
        "O-24",
        "tied_only or everybody",
        "Who is dealt in when a tie is replayed. Only the tied can win: if another goes out, the "
        "one of them with the fewest points in hand.",
    ),
    "board_phases": Parameter(
        "O-25",
        'a list of ten phases, each as in "set(3) + run(3)"',
        "The phases of the board game.",
    ),
    "board_track": Parameter(
        "O-26",
        "a list of 32 spaces clockwise, each one of JOKER, TAKE1, TAKE2, TAKE3, SEARCH, ASK, "
        "SWAP, AGAIN, EVERY and CHOOSE, the start marked by a star as in JOKER*",
        "The ring of action spaces. On one that gives too few cards a round may have no end: see "
        "max_turns_per_round.",
    ),
    "choose_take_by": Parameter(
        "O-27",
        "number or type",
        "Whether CHOOSE tells TAKE +1, +2 and +3 apart, or picks the nearest TAKE.",
    ),
    "kept_joker": Parameter(
        "O-28",
        "stays_joker or becomes_normal",
        "What a joker is that was kept for the next round.",
    ),
    "joker_discard": Parameter(
        "O-29",
        "becomes_normal or forbidden",
        "Whether a joker may be discarded, an ordinary card from then on.",
    ),
    "full_color_group": Parameter(
        "O-30",
        "24 or ignore",
        "With how many cards a colour group is full, so that two cards may be discarded.",
    ),
    "natural_on_full_set": Parameter(
        "O-31",
        _YES_NO,
        "Whether a real card may be added to a set that jokers made full.",
    ),
    "board_first_starter": Parameter(
        "O-32",
        "youngest, host or random",
        "Who starts the first round: the seat that the host names as dealer (as the youngest, or "
        "at will), or one that the deal draws.",
    ),
    "keep_choice": Parameter(
        "O-33",
        "simultaneous_secret or seat_order_open",
        "How cards are kept for the next round: all at once and hidden, or one seat after the "
        "other and shown.",
    ),
    "short_supply": Parameter(
        "O-34",
        "as_many_as_possible or cancel",
        "What an action does that asks for more cards than there are.",
    ),
    "ask_giver_chooses": Parameter(
        "O-35", _YES_NO, "Whether whoever is asked for a card chooses among several."
    ),
    "discard_taken_card": Parameter(
        "O-36", _YES_NO, "Whether the card just taken from the discard pile may go back."
    ),
    "free_phase_named": Parameter(
        "O-37",
        "true or auto_lowest",
        "Whether a phase has to be named when the cards fit several, or is the lowest of them "
        "where none is.",
    ),
    "joker_memory": Parameter(
        "O-38",
        "owner_sees_once or owner_sees_always",
        "Whether the owner of a joker sees its face after drawing it.",
    ),
    "max_turns_per_round": Parameter(
        "O-39",
        "none or a whole number from 1 to 100000",
        "After how many turns a round is broken off, nobody having gone out. Where there is AGAIN, "
        "it gives no more new turns in a row than that.",
    ),
    "twist_phases": Parameter("O-40", "classic", "The phases of Phase 10 Twist."),
    "style": Parameter(
        "O-41",
        "complete_ordered, ten_rounds_ordered, complete_free or ten_rounds_free",
        "Whether phases are made in order or in any, and whether ten rounds or the last phase "
        "end the game.",
    ),
    "variant": Parameter(
        "O-42",
        "none, ten_rounds, even_phases or n_phases(1) to n_phases(10)",
        "Ten rounds with a new phase in each, every other phase, or fewer phases.",
    ),
}
"""Every field of `Options` (a test compares), in the catalogue's order."""
