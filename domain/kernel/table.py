"""The rules of a game as ints: everything is read off the `RuleSet`, house rules included."""

from array import array
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import get_args

from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import PARITIES, full_set
from phaseledger.domain.groups.plans import Plan, plans
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.policies.scratch import MOST_PLANS
from phaseledger.domain.policies import card_points, has_open_replay
from phaseledger.domain.ruleset import Action, Need, RuleSet

KINDS = tuple(FORMS)
ACTIONS = ("TAKE", *get_args(Action))
"""What CHOOSE may name, as the kernel numbers it."""
_ALIKE = ("", "rank", "colour", "parity")


class NotCovered(ValueError):
    """The kernel lacks something that the rule set asks for."""


@lru_cache(maxsize=16)
def compile_rules(ruleset: RuleSet) -> "array[int]":
    """The rules as `layout` lays them out.

    Raises:
        NotCovered: naming what is missing.

    """
    for fault in chain(_missing(ruleset), _too_large(ruleset)):
        raise NotCovered(f"the kernel does not cover {fault}")
    options = ruleset.options
    rules = [0] * at.RULES
    numbers = {
        at.HAND_SIZE: ruleset.hand,
        at.PHASES: len(ruleset.phases),
        at.ROUNDS: ruleset.rounds,
        at.INITIAL_DISCARDS: ruleset.initial_discards,
        at.IN_FRONT: ruleset.skip_placement == "in_front",
        at.AFTER_SERVED: ("", "top", "bottom").index(ruleset.skip_after_served),
        at.PROGRESS: ("in_order", "by_round", "free", "marker").index(ruleset.progress),
        at.FINISH: ("last_phase", "rounds", "laurel").index(ruleset.finish),
        at.STOCK_EXHAUSTED: ("reshuffle_all_but_top", "reshuffle_all", "end_round").index(
            options.stock_exhausted
        ),
        at.NO_CARD_ENDS: options.no_card_to_draw == "end_round",
        at.SCOPE: ("none", "phase", "group").index(options.wild_min_scope),
        at.WILD_ON_FULL_RUN: options.wild_on_full_run,
        at.WILD_ON_FULL_SET: options.wild_on_full_set,
        at.NATURAL_ON_FULL_SET: options.natural_on_full_set,
        at.WRAP: options.run_wrap,
        at.KEEP: options.going_out == "discard_required",
        at.SKIP_AS_LAST: options.skip_as_last_card,
        at.UNTIL_NORMAL: options.skip_repeat == "until_normal_turn",
        at.INITIAL_SKIP: ("skip_first_player", "cover", "return_and_redraw", "keep").index(
            options.initial_skip
        ),
        at.INITIAL_WILD_RETURNS: options.initial_wild == "return_and_redraw",
        at.SKIP_DRAWABLE: options.skip_drawable,
        at.PLAIN_DISCARD: (False, True, "only_if_no_target").index(options.skip_plain_discard),
        at.SKIP_SURVIVES: options.skip_survives_round,
        at.DEALER_FIXED: options.dealer_rotation == "fixed",
        at.FIRST_PLAYER: ("left_of_dealer", "dealer", "random").index(options.first_player),
        at.FINAL_TIE: ("replay", "shared", "went_out").index(options.final_tie),
        at.MORE_PHASES: options.final_tie_10rounds == "more_phases_then_shared",
        at.TIE_EVERYBODY: options.final_tie_replay == "everybody",
        at.OPEN_REPLAY: has_open_replay(ruleset),
        at.TAKEN_DISCARDABLE: options.discard_taken_card,
        at.TURN_LIMIT: 0 if options.max_turns_per_round == "none" else options.max_turns_per_round,
        at.SUITS: options.color_is_suit,
        at.PAIR_HIT: {"none": 0, "single_cards": 1, "whole_pairs": 2}[options.pairrun_hit],
        at.FULL_SET: full_set(ruleset),
        at.WILDS_PLACED: bool(ruleset.revision) and options.wild_placement == "high_then_low",
        at.TRACK: len(ruleset.track),
        at.KEEP_FOR_NEXT: ruleset.keep,
        at.TWO_WHEN_FULL: ruleset.discards_when_full == 2,
        at.FULL_COLOUR: at.TOP * ruleset.deck.copies if options.full_color_group == 24 else 0,
        at.ENDER_DEALS: ruleset.succession == "ender",
        at.TAKE_BY_TYPE: options.choose_take_by == "type",
        at.JOKERS_STAY: options.kept_joker == "stays_joker",
        at.JOKER_DISCARD: options.joker_discard == "becomes_normal",
        at.FIRST_DRAWN: options.board_first_starter == "random",
        at.ALL_OR_NONE: options.short_supply == "cancel",
        at.GIVER_CHOOSES: options.ask_giver_chooses,
        at.COVERED: ruleset.pile == "covered",
        at.JOKERS_KNOWN: options.joker_memory == "owner_sees_always",
        at.NO_POINTS: ruleset.scoring == "none",
    }
    for place, number in numbers.items():
        rules[place] = int(number)
    for rank, points in card_points(ruleset.points).items():
        rules[at.POINTS_AT + rank] = points
    for card in ruleset.deck.cards():
        rules[at.DECK_AT + card] += 1
    for kind, form in enumerate(FORMS.values()):
        row = at.FORM_AT + kind * at.FORM
        rules[row : row + at.FORM] = [
            _ALIKE.index(form.alike),
            form.step,
            form.copies,
            int(form.one_colour),
        ]
    for space, action in enumerate(ruleset.track):
        rules[at.TRACK_AT + space] = ACTIONS.index(action)
    _write_phases(rules, ruleset)
    return array("q", rules)


def _missing(ruleset: RuleSet) -> Iterator[str]:
    """The rules that the kernel lacks, in words."""
    deck, spaces = ruleset.deck, len(ruleset.track)
    if (ruleset.acquire == "actions") != bool(spaces):
        yield "a ring without actions, or actions without a ring"
    if spaces and ruleset.pile == "seen":
        yield "a seen pile on a ring"
    if spaces and (deck.wilds or deck.skips):
        yield "wilds or skips on a ring"
    if spaces and not at.TOP + ruleset.seats_max <= spaces <= at.MOST_SPACES:
        yield f"a ring of {spaces} spaces"
    if ruleset.keep > min(at.MOST_KEPT, ruleset.hand):
        yield f"{ruleset.keep} kept cards"
    if ruleset.scoring == "none" and any(card_points(ruleset.points).values()):
        yield "points that do not count"
    if ruleset.discards_when_full not in (1, 2):
        yield f"{ruleset.discards_when_full} discards at once"


def _too_large(ruleset: RuleSet) -> Iterator[str]:
    """What the kernel's arrays have no room for, in words."""
    cards, phases = len(ruleset.deck.cards()), ruleset.phases
    if cards > (at.MOST_HAND if ruleset.track else at.MOST_CARDS):
        yield f"{cards} cards"
    most = at.MOST_CARDS_LAID if ruleset.track else ruleset.hand
    for phase in phases:
        if sum(need.size * FORMS[need.kind].copies for need in phase.needs) > most:
            yield "phases larger than a hand"
        if len(phase.needs) > at.MOST_NEEDS:
            yield f"phases of more than {at.MOST_NEEDS} groups"
        if ruleset.seats_max * len(phase.needs) > at.MOST_GROUPS:
            yield f"more than {at.MOST_GROUPS} groups on the table"
    if ruleset.hand > at.MOST_CARDS_LAID:
        yield f"{ruleset.hand} cards in hand"
    if ruleset.seats_max > at.MOST_SEATS:
        yield f"{ruleset.seats_max} seats"
    if len(phases) > at.MOST_PHASES:
        yield f"{len(phases)} phases"
    if _most_plans(ruleset) > MOST_PLANS:
        yield f"phases with more than {MOST_PLANS:,} ways to fill them"


def _plans(ruleset: RuleSet) -> list[tuple[Plan, ...]]:
    """The plans of each phase."""
    options = ruleset.options
    return [
        plans(phase.needs, wrap=options.run_wrap, suits=options.color_is_suit)
        for phase in ruleset.phases
    ]


def _most_plans(ruleset: RuleSet) -> int:
    """The most plans that one decision may follow: in a free style those of all phases."""
    counts = [len(listed) for listed in _plans(ruleset)]
    return sum(counts) if ruleset.progress == "free" else max(counts)


def _write_phases(rules: list[int], ruleset: RuleSet) -> None:
    """Write the needs of each phase, and append its plans."""
    numbers, plans_of = dict[Need, int](), _plans(ruleset)
    most_wanted = max(len(plan.wanted) for listed in plans_of for plan in listed)
    most_needs = max(len(phase.needs) for phase in ruleset.phases)
    rules[at.PLAN] = 1 + 2 * most_wanted + 4 * most_needs
    for place, (phase, listed) in enumerate(zip(ruleset.phases, plans_of, strict=True)):
        row = at.PHASE_AT + place * at.PHASE_ROW
        rules[row + at.NEEDS] = len(phase.needs)
        rules[row + at.PLANS] = len(listed)
        rules[row + at.FIRST_PLAN] = len(rules)
        for number, need in enumerate(phase.needs):
            here = row + at.NEED_AT + number * at.NEED
            rules[here + at.NEED_KIND] = KINDS.index(need.kind)
            rules[here + at.NEED_SIZE] = need.size
            rules[here + at.NEED_PARITY] = PARITIES.index(need.parity)
            rules[here + at.NEED_NUMBER] = numbers.setdefault(need, len(numbers))
        for plan in listed:
            wanted = [number for pair in plan.wanted for number in pair]
            groups = [
                number
                for group in plan.groups
                for number in (
                    KINDS.index(group.need.kind),
                    group.low,
                    group.high,
                    group.cards[0] >> 4 if group.cards else -1,
                )
            ]
            row_of_plan = [len(plan.wanted), *wanted, *groups]
            rules += row_of_plan + [0] * (rules[at.PLAN] - len(row_of_plan))
