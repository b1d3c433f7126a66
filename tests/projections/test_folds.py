"""The folds without a database: rounds, tallies, public tables, chapters, cursors."""

from itertools import pairwise
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain.events import Result, RoundEnded
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.evolve import fold
from phaseledger.domain.state import Stage
from phaseledger.domain.terms import Terms
from phaseledger.projections.games import Chapter, continued, whole
from phaseledger.projections.games import table as table_view
from phaseledger.projections.pages import (
    LAST,
    BadCursor,
    Standing,
    game_cursor,
    game_place,
    standing_cursor,
    standing_place,
)
from phaseledger.projections.rows import entry, game_rows, leaderboard_rows
from phaseledger.projections.scoreboard import (
    Player,
    RoundScore,
    SeatScore,
    Tally,
    players,
    round_score,
    tallies,
)
from tests.support.cases import looped
from tests.support.projection_logs import played
from tests.support.scenario import play_random
from tests.support.table import GAME, table

CHAPTER = {"version": 9, "position": 90, "last": 95, "began_at": 1, "at": 2}


def result(points: int, total: int, laid: int, phase: int) -> Result:
    return Result(points, total, laid, phase, hand="")


@looped(
    ("changes", "event", "expected"),
    [
        pytest.param(
            {},
            RoundEnded(round=3, results=(result(0, 15, 2, 3), result(25, 65, 0, 3)), out=0),
            RoundScore(3, False, 0, (SeatScore(2, 2, 0, 15, 3), SeatScore(3, 0, 25, 65, 3))),
            id="what was attempted, not what comes next",
        ),
        pytest.param(
            {},
            RoundEnded(round=3, results=(result(5, 20, 0, 2), result(5, 45, 0, 3))),
            RoundScore(3, False, None, (SeatScore(2, 0, 5, 20, 2), SeatScore(3, 0, 5, 45, 3))),
            id="a limit ended it",
        ),
        pytest.param(
            {"replay": True, "players": (1,)},
            RoundEnded(round=4, results=(result(0, 15, 0, 11), result(0, 40, 10, 11)), out=1),
            RoundScore(4, True, 1, (SeatScore(0, 0, 0, 15, 11), SeatScore(3, 10, 0, 40, 11))),
            id="a replay, one seat not dealt in",
        ),
    ],
)
def test_a_round_is_scored_as_it_was_played(
    changes: dict[str, object], event: RoundEnded, expected: RoundScore
) -> None:
    state = replace(table(["R1", "R2"], phases=[2, 3], points=[15, 40]), **changes)
    assert round_score(state, event) == expected


@looped(
    ("ruleset", "options"),
    [
        ("board", {"board_phases": ("set(2)",) * 10, "max_turns_per_round": 12}),
        ("express", {"variant": "n_phases(3)"}),
        ("standard-deck", {"style": "ten_rounds_free", "max_turns_per_round": 30}),
        ("standard-deck", {"style": "ten_rounds_ordered", "max_turns_per_round": 30}),
    ],
)
def test_rounds_of_every_game_add_up(ruleset: str, options: dict[str, object]) -> None:
    """Totals, and markers that stand where the next round finds them (B-70..B-73)."""
    last, events = play_random(str(GAME), 3, "rounds", options, "greedy", ruleset)
    chapter = whole(1, 2, ((0, event) for event in events))
    rounds, scored = chapter.rounds, last.ruleset.scoring == "points"
    assert len(rounds) == last.round
    for current, following in pairwise(rounds):
        if not following.replay:
            assert [seat.next for seat in current.seats] == [seat.phase for seat in following.seats]
    for number in range(3):
        seats = [score.seats[number] for score in rounds]
        assert sum(seat.points for seat in seats) == seats[-1].total == last.seat(number).points
        assert any(seat.points for seat in seats) == scored
    assert {tally.points for tally in chapter.tallies} == {seat.total for seat in rounds[-1].seats}
    if not scored:
        winner = rounds[-1].seats[last.winners[0]]
        assert winner.next == len(last.ruleset.phases) + 1


def test_a_shared_win_is_a_win_for_each() -> None:
    state = replace(
        table(["", "", ""], phases=[11, 11, 4], points=[30, 30, 200]),
        stage="ended",
        winners=(0, 1),
    )
    state = replace(state, seats=(replace(state.seat(0), name="Jose\u0301"), *state.seats[1:]))
    assert tallies(state) == (
        Tally(Player("Jos\u00e9", ""), True, 30, 10),
        Tally(Player("seat 1", ""), True, 30, 10),
        Tally(Player("seat 2", ""), False, 200, 3),
    )


def test_each_level_of_a_bot_is_one_line_whatever_its_seats_are_called() -> None:
    first, second = Player("Greedy 1", "greedy"), Player("Greedy 2", "greedy")
    other, person = Player("Greedy 1", "careful"), Player("Greedy", "")
    games = [(first, True, 10, 10), (second, False, 50, 4), (other, False, 5, 9)]
    games += [(first, True, 0, 10), (person, False, 7, 1)]
    assert leaderboard_rows(Tally(*game) for game in games) == [
        ("Greedy", "greedy", 3, 2, 60, 24),
        ("Careful", "careful", 1, 0, 5, 9),
        ("Greedy", "", 1, 0, 7, 1),
    ]
    state = table(["R1", "R2"])  # a free seat is kept in the list of players
    assert players(replace(state, seats=(None, state.seats[1]))) == (None, Player("seat 1", ""))


def test_the_table_is_the_same_whatever_lies_hidden() -> None:
    """Law 7: it is anybody's to read."""
    first = table(["R1 R2 W", "B1 B2 S"], discard="G5", stock="Y1 Y2")
    second = table(["B1 B2 S", "W Y1 Y2"], discard="G5", stock="R1 R2")
    texts = [msgspec.json.encode(table_view(state, 7)) for state in (first, second)]
    assert texts[0] == texts[1]
    assert table_view(first, 7).version == 7
    assert table_view(first, 7).table.hand is None


def test_a_chapter_tells_of_its_game() -> None:
    last, rows = played(2, seats=3)
    events = [decode_event(row.topic, row.state) for row in rows]
    chapter = continued(None, 100, 0, events[0])
    for at, event in enumerate(events[1:], 1):
        assert chapter.tallies == ()
        chapter = continued(chapter, 100 + at, at, event)
    assert chapter.state == last == fold(events)
    assert (chapter.position, chapter.began_at) == (100, 0)
    assert (chapter.version, chapter.at) == (len(events), len(events) - 1)
    assert chapter.last == 99 + chapter.version
    assert [score.round for score in chapter.rounds] == list(range(1, last.round + 1))
    for seat in range(3):
        laid = {score.seats[seat].laid for score in chapter.rounds} - {0}
        assert len(laid) == last.seat(seat).made.bit_count()
    assert chapter.tallies == tallies(last)


@looped(
    ("terms", "counted"),
    [
        (Terms(), True),
        (Terms(spectators="delayed", delay=9), True),
        (Terms(spectators="none"), False),
        (Terms(private=True), False),
    ],
)
def test_the_leaderboard_tells_of_no_game_that_no_list_has(terms: Terms, *, counted: bool) -> None:
    """What the players of such a game won and lost is nobody else's."""
    last, rows = played(2, seats=3)
    ended = decode_event(rows[-1].topic, rows[-1].state)
    before = Chapter(replace(last, stage="playing", winners=(), terms=terms), **CHAPTER)
    assert bool(continued(before, 1, 1, ended).tallies) == counted


@looped(
    ("terms", "stage", "listed"),
    [
        (Terms(), "playing", (4, 9, 2)),
        (Terms(spectators="round"), "playing", (0, 1, 1)),
        (Terms(spectators="delayed", delay=9), "playing", (0, 1, 1)),
        (Terms(spectators="delayed", delay=9), "ended", (4, 9, 2)),
    ],
)
def test_the_list_does_not_tell_how_far_a_game_is_that_is_seen_late(
    terms: Terms, stage: Stage, listed: tuple[int, int, int]
) -> None:
    state = replace(table(["", "", ""]), terms=terms, stage=stage, round=4)
    (row,) = game_rows({UUID(str(GAME)): Chapter(state, **CHAPTER)})
    listing = entry((str(row[0]), *row[2:12], row[-1]))
    assert (listing.round, listing.version, listing.updated_at) == listed


def test_cursors_come_back_as_they_went() -> None:
    assert game_place(game_cursor(17)) == 17
    assert game_place(None) == LAST
    line = Standing("Ådne 🎴", "", 3, 2, 10, 20, 10 / 3)
    assert standing_place(standing_cursor(line)) == (-2, 10 / 3, line.name, "")
    assert standing_place(None) < (-LAST + 1, 0.0, "", "")


def test_a_foreign_cursor_is_refused() -> None:
    for cursor in ("", "-1", "1.5", "x", "٣", "9" * 19, "9" * 5000):
        with pytest.raises(BadCursor):
            game_place(cursor)
    of_standings = ("W10=", "WzEsMSwiIiwiIiwxXQ==", "Wy0xLDEsIiIsIiJd", "WzEsMSwiXHUwMDAwIiwiIl0=")
    for cursor in ("", "x", "ü", *of_standings):
        with pytest.raises(BadCursor):
            standing_place(cursor)
