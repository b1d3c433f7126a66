"""Every house rule means something: a game played by one value is refused by another.

Where games of bots hardly ever come to the point, a position shows it.
"""

from typing import Any

import pytest

from phaseledger.domain.commands import Act, Discard, GroupToLay, Lay
from phaseledger.domain.events import (
    CardDiscarded,
    CardTurned,
    DiceRolled,
    LaidGroup,
    PhaseLaid,
    Secret,
    TurnPassed,
)
from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.replay.evidence.referee.cards import SKIP, Card
from phaseledger.replay.evidence.referee.groups import add, are_full
from phaseledger.replay.evidence.referee.lays import lay
from phaseledger.replay.evidence.referee.referee import judge
from phaseledger.replay.evidence.referee.table import Foul, RefereeGroup, RefereeTable
from phaseledger.replay.evidence.referee.turns import can_draw, may_discard
from phaseledger.replay.evidence.referee.winners import decide
from phaseledger.replay.laboratory.simulate.game import play
from tests.support.cases import looped
from tests.support.replay.option_pairs import plans
from tests.support.replay.option_swaps import other_readings
from tests.support.replay.referee_tables import seated
from tests.support.replay.refereed_games import events_of_game, nothing_but_again

IN_POSITIONS = {
    "final_tie",
    "final_tie_10rounds",
    "final_tie_replay",
    "free_phase_named",
    "full_color_group",
    "lay_oversize",
    "natural_on_full_set",
    "no_card_to_draw",
    "wild_min_scope",
    "wild_on_full_run",
    "wild_on_full_set",
}
"""House rules that a position below or a lay of test_groups.py shows."""
ELSEWHERE = {
    "twist_phases",  # has one value
    "players",  # says who may sit down, not how they play
    "short_supply",  # shown by the board; rare in other rows
    "stock_exhausted",  # shown by three games
}


TELLING = {
    "classic": (18, 25, 4, 21, 23, 0, 13),
    "standard-deck": (23, 8, 25, 33),
    "express": (3, 37, 10, 31, 9, 13),
    "board": (4, 24, 0, 16),
}
"""The few games out of forty in which every house rule is met."""


@looped("name", GAMES)
def test_a_game_by_one_value_is_refused_by_another(name: str) -> None:
    unseen = {*GAMES[name].settings} - IN_POSITIONS - ELSEWHERE
    for first in TELLING[name]:
        number, plan = next(plans(name, "meanings", first))
        events = events_of_game(play(plan, number).lines)
        for option, _, changed in other_readings(plan, events, sorted(unseen)):
            if option in unseen and judge(changed):
                unseen.discard(option)
    assert unseen == set()


def test_every_option_is_looked_at() -> None:
    assert {*IN_POSITIONS, *ELSEWHERE} <= set(PARAMETERS)


def tied(
    out: int | None, hands: tuple[str, ...] = (), *, is_replay: bool = False, **options: Any
) -> RefereeTable:
    """Seats 0 and 1 have made the last phase with equal points; seat 2 has not."""
    rules = resolve(preset("classic"), options)
    table = RefereeTable(rules, 3, 0)
    for seat, phase, made in zip(table.seats, (11, 11, 9), (10, 9, 8), strict=True):
        seat.phase, seat.points, seat.made = phase, 50, set(range(made))
    table.seats[2].points = 90
    for seat, hand in zip(table.seats, hands, strict=False):
        seat.hand = table.read(hand)
    table.players, table.out, table.is_replay, table.round = [0, 1, 2], out, is_replay, 10
    table.tied = [0, 1] if is_replay else []
    return table


EVERYBODY = {"final_tie_replay": "everybody"}


@looped(
    ("table", "winners"),
    [
        (tied(0, final_tie="shared"), [0, 1]),
        (tied(1, final_tie="went_out"), [1]),
        (tied(2, final_tie="went_out"), [0, 1]),
        (tied(0, final_tie="replay"), []),
        (tied(0, variant="ten_rounds"), [0]),
        (tied(0, variant="ten_rounds", final_tie_10rounds="shared"), [0, 1]),
        (tied(1, is_replay=True), [1]),
        (tied(None, is_replay=True), [0, 1]),
        (tied(2, ("R2 B3", "W", "R4"), is_replay=True, **EVERYBODY), [0]),
        (tied(2, ("R2 B12", "S", "R4"), is_replay=True, **EVERYBODY), [0, 1]),
    ],
)
def test_how_a_tie_is_broken(table: RefereeTable, winners: list[int]) -> None:
    """C-70..C-73, O-22..O-24."""
    assert decide(table) == winners


def full_set() -> RefereeGroup:
    joker = Card("number", 1, 1, is_joker=True)
    return RefereeGroup(Need("set", 4), [Card("number", 9, 1), *[joker] * 7], 9, 9)


def full_run() -> RefereeGroup:
    return RefereeGroup(Need("run", 4), [Card("number", n, 1) for n in range(1, 13)], 1, 12)


def takes(group: RefereeGroup, card: Card, end: str, **options: bool) -> bool:
    """Whether a group takes a card by the board's rules with these options."""
    rules: RuleSet = resolve(preset("board"), options)
    try:
        add(group, [card], end, rules)
    except Foul:
        return False
    return True


NINE, JOKER = Card("number", 9, 2), Card("number", 4, 4, is_joker=True)


@looped("value", [True, False])
def test_what_a_full_group_takes(value: bool) -> None:
    """B-60, B-62, O-04, O-05, O-31."""
    assert takes(full_set(), NINE, "", natural_on_full_set=value) is value
    assert takes(full_set(), JOKER, "", wild_on_full_set=value) is value
    assert takes(full_run(), JOKER, "high", wild_on_full_run=value) is value
    assert not takes(full_run(), Card("number", 1, 1), "high", wild_on_full_run=value)


def test_when_groups_are_full() -> None:
    """B-61, B-63, B-64, O-30: a colour group that is ignored makes nothing full by itself."""
    reds = [Card("number", n, 1) for n in range(1, 13)]

    def colours(count: int) -> RefereeGroup:
        return RefereeGroup(Need("color", 5), (reds * 2)[:count], 1, 1)

    parity = RefereeGroup(Need("parity", 5, "odd"), (reds * 2), 1, 1)
    for value, groups, full in (
        (24, [colours(23)], False),
        (24, [colours(24)], True),
        ("ignore", [colours(24)], False),
        ("ignore", [colours(5), full_run()], True),
        (24, [colours(5), full_run()], False),
        (24, [full_run(), full_set()], True),
        (24, [parity], False),
        (24, [], False),
    ):
        assert are_full(groups, resolve(preset("board"), {"full_color_group": value})) is full


def test_a_turn_of_nothing_but_again() -> None:
    """O-39 ends it, which would go on for ever."""
    events = nothing_but_again(limit=2)
    assert judge(events) is None
    assert any(isinstance(event, DiceRolled) and event.roll for event in events)


def test_when_no_card_can_be_drawn() -> None:
    """C-16, C-19, C-20: a skip alone on the pile, and no stock; or a card that can be taken."""
    for pile, options, can in (
        ([SKIP], {}, False),
        ([], {}, False),
        ([SKIP], {"skip_drawable": True}, True),
        ([NINE], {}, True),
        ([NINE, SKIP], {}, True),
        ([SKIP], {"stock_exhausted": "reshuffle_all"}, True),
        ([SKIP], {"stock_exhausted": "end_round"}, True),
    ):
        table = RefereeTable(resolve(preset("classic"), options), 2, 0)
        table.pile = pile
        assert can_draw(table) is can


def test_a_joker_is_no_card_of_its_face() -> None:
    """O-36, B-29: the red 5 that was taken stays, though a joker has the same face."""
    options = {"discard_taken_card": False, "joker_discard": "forbidden"}
    table = RefereeTable(resolve(preset("board"), options), 2, 0)
    five, seat = Card("number", 5, 1), table.seats[0]
    table.players, table.active, table.taken[five] = [0, 1], 0, 1
    seat.hand = [five, five.turned(is_joker=True)]
    assert not any(may_discard(table, seat, card) for card in seat.hand)
    seat.hand.append(five)
    assert may_discard(table, seat, five)


@looped(
    ("named", "rule", "made", "is_allowed"),
    [
        (7, True, 7, True),
        (7, True, 1, False),
        (None, True, 1, False),
        (None, "auto_lowest", 1, True),
        (None, "auto_lowest", 7, False),
        (7, "auto_lowest", 7, True),
    ],
)
def test_which_phase_is_made(
    named: int | None, rule: bool | str, made: int, is_allowed: bool
) -> None:
    """D-62, D-66, O-37 (HC-177): two quadruples make phase 1 and phase 7."""
    options = {"style": "complete_free", "free_phase_named": rule}
    table = RefereeTable(resolve(preset("standard-deck"), options), 3, 0)
    quadruples = ("9H 9S 9D 9C", "9H 9S 9D 9C")
    table.seats[0].hand = table.read(" ".join((*quadruples, "2H")))
    table.players, table.active, table.next = [0, 1, 2], 0, "play"
    command = Lay(tuple(map(GroupToLay, quadruples)), named)
    groups = tuple(LaidGroup(text, 8, 8) for text in quadruples)
    event = PhaseLaid(seat=0, phase=made, groups=groups, act=Act(command, 0))
    if is_allowed:
        lay(table, event)
        assert table.seats[0].made == {made}
    else:
        with pytest.raises(Foul):
            lay(table, event)


def test_an_objection_names_phases_by_their_ids() -> None:
    """Where a variant leaves out phases (O-42)."""
    table = RefereeTable(resolve(preset("classic"), {"variant": "even_phases"}), 3, 0)
    table.seats[0].phase, table.active, table.next = 2, 0, "play"
    with pytest.raises(Foul, match=r"lays phase 1 \[C-P02\]; due: phase 2 \[C-P04\]"):
        lay(table, PhaseLaid(seat=0, phase=1, groups=()))


@looped("with_joker", [True, False])
def test_a_turn_in_which_a_card_moves_is_none_in_which_nobody_can_do_anything(
    with_joker: bool,
) -> None:
    """Seat 1 had to pass before. A joker that came to seat 0 may not be discarded (O-30)."""
    table = RefereeTable(resolve(preset("board"), {"joker_discard": "forbidden"}), 2, 0)
    table.players, table.active, table.turn, table.passes = [0, 1], 0, 4, 1
    table.stock, table.next = table.read("R4 R5"), "joker" if with_joker else "play"
    referee = seated(table)
    if with_joker:
        assert referee.watch(CardTurned(seat=0, hidden={"not:0": Secret(card="R4")})) is None
    assert referee.watch(TurnPassed(seat=0)) is None
    assert table.next == ("turn" if with_joker else "round end")


def test_an_ace_may_be_named_with_its_suit() -> None:
    """`AS` is any Ace (RULES.md 0.3), and no Ace is discarded where another card was named."""
    refusal = "other cards are discarded than were named"
    for named, due in (("A", ""), ("AS", ""), ("AH", ""), ("5C", refusal), ("9H", refusal)):
        table = RefereeTable(preset("standard-deck"), 2, 0)
        table.round, table.turn, table.players, table.active, table.next = 1, 1, [0, 1], 0, "play"
        for seat in table.seats:
            seat.hand = table.read("A 5C 9H")
        event = CardDiscarded(seat=0, cards="A", act=Act(Discard(named), seat=0), asks=())
        verdict = seated(table).watch(event)
        assert (verdict.text if verdict else "") == due, named
