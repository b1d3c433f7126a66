"""What a game is made of: numbers, closed options and the names of policies. Data only.

Every house rule of RULES.md section 7 is one field of `Options`, under the catalogue's own name.
"""

import hashlib
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, structs

Kind = Literal["set", "run", "color", "parity", "pairrun", "parityrun", "colorrun"]


class Deck(Struct, frozen=True, gc=False):
    """Number cards of ranks 1..12 in four colours, ``copies`` times, and the special cards."""

    notation: Literal["coloured", "french"]
    copies: int
    wilds: int
    skips: int

    def cards(self) -> bytes:
        """All cards of the deck, sorted by code."""
        numbers = [colour << 4 | rank for colour in range(4) for rank in range(1, 13)]
        special = [14] * self.wilds + [15] * self.skips
        return bytes(sorted(numbers * self.copies + special))


class Need(Struct, frozen=True, gc=False, omit_defaults=True):
    """One group that a phase asks for: its kind (section 0.4) and its least size.

    The size counts cards, in a pair run pairs.
    """

    kind: Kind
    size: int
    parity: Literal["", "odd", "even"] = ""


class Phase(Struct, frozen=True, gc=False):
    """The groups to lay together, and the rule that says so."""

    rule: str
    needs: tuple[Need, ...]


class Points(Struct, frozen=True, gc=False):
    """Penalty points of a card left in hand; ``ranks[i]`` is for rank i + 1."""

    ranks: tuple[int, ...]
    wild: int
    skip: int


class Options(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The house rules (RULES.md section 7). A default here is the card game's usual reading."""

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
    variant: Literal[
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
    ] = "none"


class RuleSet(Struct, frozen=True, gc=False, omit_defaults=True):
    """A whole game as data, resolved: `GameOpened` carries it, so a stream explains itself."""

    id: str
    title: str
    seats_min: int
    seats_max: int
    deck: Deck
    hand: int
    phases: tuple[Phase, ...]
    points: Points
    options: Options
    initial_discards: int = 1
    rounds: int = 0
    """Fixed number of rounds; 0 where the phases decide the end."""
    skip_placement: Literal["discard_pile", "in_front"] = "discard_pile"
    skip_after_served: Literal["", "top", "bottom"] = ""
    """Which end of the discard pile a skip that lay in front goes to."""
    acquire: Literal["draw"] = "draw"
    progress: Literal["in_order", "by_round"] = "in_order"
    scoring: Literal["points"] = "points"
    finish: Literal["last_phase", "rounds"] = "last_phase"

    @property
    def name(self) -> str:
        """The preset's name without its version, as the deal transcript writes it."""
        return self.id.partition("@")[0]


class Unplayable(ValueError):
    """Options that make no game: unknown, of a wrong value, or a combination without sense."""


def canonical(ruleset: RuleSet) -> bytes:
    """The rule set's canonical JSON (RFC 8785 on this subset)."""
    return msgspec.json.encode(ruleset, order="sorted")


def fingerprint(ruleset: RuleSet) -> str:
    """SHA-256 (hex) of the canonical JSON: what the deal transcript commits to."""
    return hashlib.sha256(canonical(ruleset)).hexdigest()


def resolve(preset: RuleSet, chosen: dict[str, object]) -> RuleSet:
    """The preset under the chosen options, variants worked into phases, rounds and policies.

    Raises:
        Unplayable: with a sentence that names the option and the values it takes.

    """
    base = msgspec.to_builtins(preset.options)
    for name in chosen:
        if name not in Options.__struct_fields__:
            known = ", ".join(Options.__struct_fields__)
            raise Unplayable(f"{name!r} is no option of this rule set; it has: {known}")
    try:
        options = msgspec.convert({**base, **chosen}, Options)
    except msgspec.ValidationError as wrong:
        raise Unplayable(_explain(str(wrong))) from None
    if options.skip_repeat == "until_normal_turn" and options.skip_plain_discard is False:
        raise Unplayable(
            "skip_repeat=until_normal_turn can leave a skip without a target; "
            "choose skip_plain_discard=only_if_no_target or true with it (O-10)"
        )
    ruleset = structs.replace(preset, options=options)
    if options.variant == "none":
        return ruleset
    if options.variant == "ten_rounds":
        return structs.replace(ruleset, rounds=10, progress="by_round", finish="rounds")
    if options.variant == "even_phases":
        return structs.replace(ruleset, phases=ruleset.phases[1::2])
    count = int(options.variant.removeprefix("n_phases(").removesuffix(")"))
    return structs.replace(ruleset, phases=ruleset.phases[:count])


def _explain(message: str) -> str:
    """The message of msgspec with the option's name and its values in front."""
    text, _, path = message.partition(" - at `$.")
    name = path.rstrip("`")
    return f"option {name}: {text}; it takes {VALUES[name]}" if path else text


VALUES = {
    "stock_exhausted": "reshuffle_all_but_top, reshuffle_all or end_round",
    "no_card_to_draw": "continue_without_draw or end_round",
    "wild_min_scope": "group, phase or none",
    "wild_on_full_run": "true or false",
    "wild_on_full_set": "true or false",
    "run_wrap": "true or false",
    "wild_placement": "explicit or high_then_low",
    "going_out": "any or discard_required",
    "skip_as_last_card": "true or false",
    "skip_repeat": "until_served or until_normal_turn",
    "initial_skip": "skip_first_player, cover, return_and_redraw or keep",
    "initial_wild": "drawable or return_and_redraw",
    "skip_drawable": "true or false",
    "skip_plain_discard": "true, false or only_if_no_target",
    "skip_survives_round": "true or false",
    "dealer_rotation": "left or fixed",
    "first_player": "left_of_dealer, dealer or random",
    "lay_oversize": "true or false",
    "final_tie": "replay, shared or went_out",
    "final_tie_10rounds": "more_phases_then_shared or shared",
    "final_tie_replay": "tied_only or everybody",
    "discard_taken_card": "true or false",
    "max_turns_per_round": "none or a whole number from 1 to 100000",
    "variant": "none, ten_rounds, even_phases or n_phases(1) to n_phases(10)",
}
"""Every option's values in words; the keys are the fields of `Options` (a test compares)."""
