"""The search for the best hits: many wilds cost no more than a few."""

from phaseledger.domain.bots.best_hits import best_hits, hittable
from phaseledger.domain.bots.registry import BOTS, chooser
from phaseledger.domain.cards import owner_names, parse, show
from phaseledger.domain.commands import Hit
from phaseledger.domain.groups.lays import Effort
from phaseledger.domain.legal import legal
from phaseledger.domain.ruleset import Need
from phaseledger.domain.rulesets import preset
from phaseledger.domain.sight import Sight
from phaseledger.domain.state import Group
from tests.support.cases import looped
from tests.support.table import table

BOARD = preset("board")
RUNS = (
    Group(0, Need("run", 3), parse("R3 B4 G5"), 3, 5),
    Group(0, Need("run", 3), parse("R6 B7 G8"), 6, 8),
    Group(1, Need("run", 3), parse("Y5 B6 G7"), 5, 7),
)
JOKERS = " ".join(f"J({colour}{rank})" for colour in "RB" for rank in (2, 3, 4, 5, 7, 8))


def test_like_jokers_are_tried_once() -> None:
    """Any of them bridges the gap as well as the first."""
    single, several = (Effort(10**6) for _ in range(2))
    for effort, jokers in ((single, "J(R1)"), (several, "J(R1) J(R1) J(R1)")):
        hand = owner_names(parse(f"R12 {jokers} B9"))
        _, first = best_hits(hand, RUNS[:1], 0, BOARD, effort)
        assert first is not None
        assert show(first.cards) == "J1"
    assert several.nodes < 6 * single.nodes


@looped("limit", [0, 1, 50, 2_000])
def test_the_search_ends_with_its_budget(limit: int) -> None:
    effort = Effort(limit)
    hand = owner_names(parse(f"{JOKERS} R12 B11 G2 Y10 R9 B1"))
    left, first = best_hits(hand, RUNS, 1, BOARD, effort)

    assert effort.nodes <= limit
    assert (first is None) == (len(left) == len(hand))
    assert (first is None) == (limit == 0)


def test_an_expert_with_many_jokers_hits() -> None:
    """The ring may be nothing but JOKER; the ways to place a dozen would take for ever."""
    groups = [(1, "run", "G3 Y4 G5"), (1, "run", "R6 G7 G8"), (1, "run", "Y5 B6 G7")]
    state = table(
        [f"{JOKERS} R12 B11 G2 Y10 R9 B1", "R3"], ruleset=BOARD, laid={0: 1}, groups=groups
    )
    answer = BOTS["expert"](
        Sight(state, 0), state.ruleset, lambda: legal(state, 0), chooser(b"chance", 1)
    )

    assert isinstance(answer, Hit)


def test_a_pair_is_put_to_one_end() -> None:
    """The ranks that the ends ask for make no row where they differ."""
    group = Group(0, Need("pairrun", 2), parse("R3 B3 G4 Y4"), 3, 4)
    hand = parse("R2 B5 B11")
    assert best_hits(hand, (group,), 1, BOARD, Effort()) == (hand, None)
    assert hittable(hand, (group,), BOARD) == frozenset()
