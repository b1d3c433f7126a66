"""A check never says other than a game does: both are asked, in every game, under house rules."""

import re
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.cards import OWN, TURNED, face_down, is_wild, owner_names, remove, show
from phaseledger.domain.commands import Act, GroupToLay, Hit, Lay, RejectCode, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.events import CardsHit, PhaseLaid
from phaseledger.domain.explain.catalogue import choices
from phaseledger.domain.explain.check import HitOnIt, HitQuestion, LaidAlready, LayQuestion, check
from phaseledger.domain.groups.lays import layings
from phaseledger.domain.groups.melds import Misfit, arrange, extend
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import Group, State
from tests.support.table import table

TOUCHING = (
    *("wild_min_scope", "wild_on_full_run", "wild_on_full_set", "natural_on_full_set"),
    *("run_wrap", "wild_placement", "lay_oversize", "pairrun_hit", "going_out", "style"),
)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Any game under house rules that touch what is laid."""
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    names = [name for name in TOUCHING if name in game.settings]
    chosen = {
        name: draw(st.sampled_from(choices(name, game.settings[name])))
        for name in draw(st.lists(st.sampled_from(names), unique=True, max_size=3))
    }
    try:
        return resolve(game.rules, chosen, game.settings)
    except Unplayable:
        assume(False)
        raise


def deck_of(rules: RuleSet) -> list[int]:
    """The deck, with some number cards turned round where the game does that."""
    cards = list(rules.deck.cards())
    for place in range(0, len(cards) if rules.track else 0, 9):
        cards[place] |= TURNED
    return cards


JOKER = re.compile(r"J[0-9]+")


def as_asked(text: str) -> str:
    """Cards as a check has them: jokers are plain J."""
    return JOKER.sub("J", text)


@st.composite
def laid_groups(
    draw: st.DrawFn, rules: RuleSet, needs: tuple[Need, ...], most: int
) -> tuple[list[bytes], bytes]:
    """Groups with up to so many mistakes, jokers named by their owner; and the cards left."""
    deck = deck_of(rules)
    places = st.sampled_from(range(len(deck)))
    sample = draw(st.lists(places, unique=True, min_size=24, max_size=24))
    rest = owner_names(bytes(deck[place] for place in sample))
    groups = []
    for need in needs:
        candidates = list(islice(layings(rest, need, rules), 60))
        assume(candidates)
        groups.append(bytearray(draw(st.sampled_from(candidates)).cards))
        left = remove(rest, bytes(groups[-1]))
        assert left is not None
        rest = left
    for _ in range(draw(st.integers(0, most))):
        group = draw(st.sampled_from(groups))
        place = draw(st.integers(0, len(group) - 1))
        match draw(st.sampled_from(["add", "drop", "swap", "turn"])):
            case "add":
                group.insert(draw(st.sampled_from([0, len(group)])), rest[0])
                rest = rest[1:]
            case "drop" if len(group) > 1:
                rest += bytes([group.pop(place)])
            case "swap":
                rest, group[place] = rest[1:] + bytes([group[place]]), rest[0]
            case _:
                group.append(group.pop(place))
    return [bytes(group) for group in groups], rest


def at_a_table(rules: RuleSet, hand: bytes, **rows: Any) -> State:
    """Three seats, the first of which is on turn and holds these cards, jokers among them."""
    state = table(["R1", "R2", "R3"], discard="")
    jokers = [card for card in deck_of(rules) if card & TURNED]
    named = sorted(card for card in hand if card >= OWN)
    # The owner's J1, J2 ... are the jokers of the hand in their order, held or not.
    held = bytes(jokers[: (named[-1] ^ OWN) if named else 0])
    cards = held + bytes(card for card in hand if card < TURNED)
    seats = (replace(state.seat(0), hand=cards, **rows.pop("seat")), *state.seats[1:])
    return replace(state, ruleset=rules, seats=seats, **rows)


@pytest.mark.untraced
@settings(max_examples=90, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_lay_is_judged_as_at_a_table(data: st.DataObject) -> None:
    """Same verdict, code, rule and groups, in every game and under house rules."""
    rules = data.draw(rule_sets())
    number = data.draw(st.integers(1, len(rules.phases)))
    groups, rest = data.draw(laid_groups(rules, rules.phases[number - 1].needs, 2))
    values = data.draw(st.lists(st.sampled_from([None, None, None, 1, 2, 7]),
                                min_size=len(groups), max_size=len(groups)))  # fmt: skip
    texts = [show(cards, rules.deck.notation) for cards in groups]
    lays = tuple(map(GroupToLay, texts, values))
    state = at_a_table(rules, b"".join(groups) + rest, seat={"phase": number})

    asked = tuple(replace(group, cards=as_asked(group.cards)) for group in lays)
    verdict = check(rules, LayQuestion(number, asked))
    expected: tuple[bool, RejectCode | None, str, list[Any]]
    try:
        laid, *_ = step(state, Act(Lay(lays, number), 0))[1]
    except Rejected as refusal:
        expected = (False, refusal.code, refusal.rule, [])
    else:
        assert isinstance(laid, PhaseLaid)
        lying = [(as_asked(group.cards), group.low, group.high) for group in laid.groups]
        expected = (True, None, rules.phases[number - 1].rule, lying)
    event(str(expected[1]))
    judged = [(group.cards, group.low, group.high) for group in verdict.groups]
    assert (verdict.legal, verdict.code, verdict.rule, judged) == expected


@pytest.mark.untraced
@settings(max_examples=90, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_hits_are_judged_as_at_a_table(data: st.DataObject) -> None:
    """One after the other: same verdict, code, rule, ends and group."""
    rules = data.draw(rule_sets())
    need = data.draw(st.sampled_from([need for phase in rules.phases for need in phase.needs]))
    ((cards,), rest) = data.draw(laid_groups(rules, (need,), 0))
    bare = not any(not is_wild(card) for card in cards)
    down = bytes(TURNED if card >= OWN else card for card in cards)
    try:
        lies = arrange(need, down, 3 if bare else None, rules)
    except Misfit:
        assume(False)
        raise
    assume(not bare or rules.options.wild_min_scope != "group")
    group = Group(1, need, lies.cards, lies.low, lies.high)
    state = at_a_table(rules, rest, seat={"laid": 1}, groups=(group,))
    plain = [bytes([card]) for card in rest if card < OWN]
    pairs = [card + other for card in plain for other in plain if card is not other]
    hits, ends, refused = [], [], None
    for _ in range(data.draw(st.integers(1, 4))):
        end = data.draw(st.sampled_from(["", "low", "high"]))
        now = state.groups[0]
        pool = data.draw(st.sampled_from([plain, pairs, [b"\x81"] if rules.track else plain]))
        fitting = [some for some in pool if _extends(now, some, end, rules)]
        some = data.draw(st.sampled_from(fitting or pool))
        hits.append(HitOnIt(as_asked(show(some, rules.deck.notation)), end))
        try:
            state, events = step(state, Act(Hit(0, show(some, rules.deck.notation), end), 0))
        except Rejected as refusal:
            refused = refusal
            break
        assert isinstance(events[0], CardsHit)
        ends.append(events[0].end)
    assume(refused is None or refused.code is not RejectCode.NOT_IN_HAND)

    laid = LaidAlready(need.kind, show(lies.cards, rules.deck.notation), need.parity, need.size,
                       3 if bare else None)  # fmt: skip
    verdict = check(rules, HitQuestion(laid, tuple(hits)))
    event(refused.code if refused else "legal")
    assert (verdict.legal, verdict.code) == (refused is None, refused.code if refused else None)
    assert list(verdict.ends) == ends
    if refused:
        assert (verdict.rule, verdict.at) == (refused.rule, len(ends))
    else:
        grown = state.groups[0]
        backs = face_down(grown.cards)
        (judged,) = verdict.groups
        assert judged.cards == show(backs, rules.deck.notation)
        assert (judged.low, judged.high) == (grown.low, grown.high)


def _extends(group: Group, cards: bytes, end: Any, rules: RuleSet) -> bool:
    try:
        extend(group, cards, end, rules)
    except Misfit:
        return False
    return True
