"""Laws of the ratings, which games count, and the scale on which bots are the anchors."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.bots import BOTS
from phaseledger.domain.events import GameEnded, RoundEnded, SeatHandedOver, SeatNamed, TurnTimedOut
from phaseledger.domain.policies import places
from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.state import State
from phaseledger.domain.terms import Terms
from phaseledger.projections.games import Chapter, continued
from phaseledger.projections.rated_games import ANCHORS, Entrant, RatedGame, rated_game
from phaseledger.projections.ratings import ANCHOR_SIGMA, NEW, Rating, history, rated
from tests.support.cases import looped
from tests.support.projection_logs import game_id, player
from tests.support.scenario import play_random
from tests.support.table import BOARD, GAME, table

MOVES = 1e-6
"""Ratings are rounded to as much."""


def game_of(*entrants: Entrant, at: int = 0) -> RatedGame:
    return RatedGame(game=f"game {at}", at=at, ruleset="classic@1", digest="", entrants=entrants)


def finish(*finishers: int) -> RatedGame:
    """A game of players who finish in these places, in seat order."""
    return game_of(*(Entrant(player(n), "", place) for n, place in enumerate(finishers)))


FINISHES = st.lists(st.integers(1, 4), min_size=2, max_size=6).map(
    lambda keys: tuple(1 + sum(other < key for other in keys) for key in keys)
)
RATINGS = st.builds(Rating, st.floats(-20, 60), st.floats(0.5, 9), st.integers(0, 99))


@given(
    st.data(),
    FINISHES,
    st.lists(RATINGS, min_size=6, max_size=6),
    st.lists(st.sampled_from(["", "greedy", "expert"]), min_size=6, max_size=6),
)
def test_permuting_the_seats_changes_nothing(
    data: st.DataObject, finishers: tuple[int, ...], ratings: list[Rating], bots: list[str]
) -> None:
    """To the last bit: that of a sum of floats depends on its order."""
    entrants = [
        Entrant("" if bot else player(n), bot, place)
        for n, (place, bot) in enumerate(zip(finishers, bots, strict=False))
    ]
    before = {player(n): rating for n, rating in enumerate(ratings)}
    other = data.draw(st.permutations(entrants))
    assert rated(game_of(*entrants), before) == rated(game_of(*other), before)


@given(FINISHES, RATINGS)
def test_from_equal_ratings_places_alone_tell_the_gains(
    finishers: tuple[int, ...], rating: Rating
) -> None:
    """Equal places gain equally, and no place gains more than a better one."""
    before = {player(n): rating for n in range(len(finishers))}
    after = rated(finish(*finishers), before)
    gains = [after[player(n)].mu for n in range(len(finishers))]
    for (mine, my_gain), (its, its_gain) in combinations(zip(finishers, gains, strict=True), 2):
        assert (my_gain == its_gain) == (mine == its)
        assert (my_gain > its_gain) == (mine < its)


@given(FINISHES, st.lists(RATINGS, min_size=6, max_size=6))
def test_who_wins_alone_gains_and_who_is_alone_the_last_loses(
    finishers: tuple[int, ...], ratings: list[Rating]
) -> None:
    before = {player(n): rating for n, rating in enumerate(ratings)}
    after = rated(finish(*finishers), before)
    for n, place in enumerate(finishers):
        gain = after[player(n)].mu - before[player(n)].mu
        if finishers.count(place) == 1 and place in (1, len(finishers)):
            assert (gain + MOVES if place == 1 else MOVES - gain) >= 0


def test_six_places_with_a_tie_move_in_their_order() -> None:
    """Where the Plackett-Luce model gives the third more than the two who share the first place."""
    after = rated(finish(1, 1, 3, 4, 5, 6), {})
    moves = [round(after[player(n)].mu - NEW.mu, 2) for n in range(6)]
    assert moves == [10.54, 10.54, 2.64, -2.64, -7.91, -13.18]


def test_games_are_rated_by_the_time_of_their_end_however_they_come() -> None:
    games = [
        game_of(Entrant(player(0), "", 1 + n % 2), Entrant(player(1), "", 2 - n % 2), at=n // 2)
        for n in range(6)
    ]
    games = [replace(game, game=f"game {n % 2}") for n, game in enumerate(games)]
    in_order = list(history(games, {}))
    assert list(history(reversed(games), {})) == in_order
    assert in_order[-1][1][player(0)].games == 6
    half = list(history(games[:3], {}))
    so_far = {name: rating for _, after in half for name, rating in after.items()}
    assert half + list(history(games[3:], so_far)) == in_order


def test_every_level_is_an_anchor_and_does_not_move() -> None:
    assert ANCHORS.keys() == BOTS.keys()
    for level, mu in ANCHORS.items():
        game = game_of(Entrant(player(0), "", 1), Entrant("", level, 2))
        assert rated(game, {}).keys() == {player(0)}
        # As if a player of that strength had sat there.
        twin = game_of(Entrant(player(0), "", 1), Entrant(player(1), "", 2))
        alike = rated(twin, {player(1): Rating(mu, ANCHOR_SIGMA)})
        assert rated(game, {})[player(0)] == alike[player(0)]


def test_a_weak_bot_is_no_source_of_rating() -> None:
    """A thousand wins over it are worth less than one over somebody unknown."""
    before: dict[str, Rating] = {}
    for _ in range(1_000):
        field = (Entrant(player(0), "", 1), Entrant(player(1), "", 1), Entrant("", "random", 3))
        before = rated(game_of(*field), before)
    won = rated(finish(1, 2), {})
    assert before[player(0)].mu < won[player(0)].mu


def test_a_season_recovers_the_order_of_hidden_bots_with_intervals() -> None:
    """Two standard deviations around the mean of each of them meet nobody else's."""
    hidden, pairs = ("random", "greedy", "expert"), ((0, 1), (1, 2), (2, 1))
    season = []
    for n in range(90):
        pair = pairs[n % len(pairs)]
        bots = ",".join(hidden[number] for number in pair)
        state, _ = play_random(str(game_id(n)), 2, f"season {n}", bot=bots)
        entrants = [
            Entrant(player(number), "", place)
            for number, place in zip(pair, places(state), strict=True)
        ]
        season.append(game_of(*entrants, at=n))
    last: dict[str, Rating] = {}
    for _, after in history(season, {}):
        last |= after
    for weaker, stronger in pairwise(last[player(number)] for number in range(3)):
        assert weaker.mu + 2 * weaker.sigma < stronger.mu - 2 * stronger.sigma


# --- which games count ----------------------------------------------------------------------------


def seated(*seats: tuple[str, str], **changes: object) -> State:
    """A state with these names and bots in its seats, in the round that the first of them wins."""
    count = len(seats)
    state = table([""] * count, phases=[11, *range(4, 3 + count)], points=[10] * count)
    for number, (name, bot) in enumerate(seats):
        seat = replace(state.seat(number), name=name, bot=bot)
        state = replace(state, seats=(*state.seats[:number], seat, *state.seats[number + 1 :]))
    return replace(state, **changes)


def ended(*seats: tuple[str, str]) -> State:
    return seated(*seats, stage="ended", winners=(0,))


ADA, BOB, GREEDY = (player(0), ""), (player(1), ""), ("Greedy 3", "greedy")
END = GameEnded(winners=(0,), secret="")


def test_a_game_of_players_counts_with_its_places_and_its_rules() -> None:
    game = rated_game(ended(ADA, GREEDY, BOB), 7)
    assert game == RatedGame(
        game=str(GAME),
        at=7,
        ruleset="classic@1",
        digest=fingerprint(ended(ADA, BOB).ruleset),
        entrants=(Entrant(ADA[0], "", 1), Entrant("", "greedy", 3), Entrant(BOB[0], "", 2)),
    )


@looped(
    "seats",
    [
        pytest.param((ADA, GREEDY), id="practice: against bots alone"),
        pytest.param((ADA, ADA, GREEDY), id="one player in two seats"),
        pytest.param((ADA, BOB, ("Eve", "")), id="a guest is among them"),
        pytest.param((ADA, BOB, ("X", "unheard-of")), id="a bot of no known level"),
    ],
)
def test_other_company_counts_for_nothing(seats: tuple[tuple[str, str], ...]) -> None:
    assert rated_game(ended(*seats), 7) is None


def test_a_voided_game_counts_for_nothing() -> None:
    assert rated_game(replace(ended(ADA, BOB), stage="voided"), 7) is None


@looped(
    ("before", "terms", "counts"),
    [
        ((), Terms(), True),
        ((), Terms(spectators="delayed", delay=9), True),
        ((), Terms(private=True), False),
        ((), Terms(test=True), False),
        ((), Terms(spectators="none"), False),
        ((TurnTimedOut(seat=1, then="bot_move", bot="greedy"),), Terms(), False),
        ((SeatHandedOver(seat=1, bot="greedy", why="left"),), Terms(), False),
        ((SeatHandedOver(seat=1, bot="greedy", why="overdue"),), Terms(), False),
        ((SeatNamed(seat=1, name=player(3)),), Terms(), False),
    ],
)
def test_tables_in_no_list_and_seats_that_a_bot_took_over_count_for_nothing(
    before: tuple[RoundEnded, ...], terms: Terms, *, counts: bool
) -> None:
    state = seated(ADA, BOB, (player(2), ""), terms=terms)
    chapter = Chapter(state, version=9, position=90, last=95, began_at=1, at=2)
    for event in (*before, END):
        assert chapter.rated is None
        chapter = continued(chapter, 96, 3, event)
    assert bool(chapter.rated) == counts


def test_a_guest_who_became_a_player_in_the_lobby_is_rated() -> None:
    state = replace(seated(ADA, ("Guest", ""), (player(2), "")), stage="lobby")
    chapter = Chapter(state, version=9, position=90, last=95, began_at=1, at=2)
    chapter = continued(chapter, 96, 3, SeatNamed(seat=1, name=player(3)))
    begun = replace(chapter, state=replace(chapter.state, stage="playing"))
    rated = continued(begun, 97, 4, END).rated
    assert rated is not None
    assert [entrant.name for entrant in rated.entrants] == [ADA[0], player(3), player(2)]


# --- the order of finish --------------------------------------------------------------------------


def standing(finish: str, *seats: tuple[int, int], won: int = 0, **options: object) -> State:
    """A game that seat ``won`` has won; of each seat: its phase, and its points."""
    phases, points = zip(*seats, strict=True)
    ruleset = BOARD if finish == "laurel" else table([""]).ruleset
    state = table([""] * len(seats), phases=phases, points=points, ruleset=ruleset, **options)
    rules = replace(state.ruleset, finish=finish)
    return replace(state, ruleset=rules, stage="ended", winners=(won,))


@looped(
    ("state", "expected"),
    [
        (standing("last_phase", (4, 10), (11, 90), (4, 10), (4, 5), won=1), (3, 1, 3, 2)),
        pytest.param(
            standing("last_phase", (11, 5), (11, 5), (9, 0)), (1, 2, 3), id="after a replay"
        ),
        (standing("rounds", (4, 50), (2, 40), (3, 50), won=1), (2, 1, 3)),
        (
            standing("rounds", (4, 50), (2, 40), (3, 50), won=1, final_tie_10rounds="shared"),
            (2, 1, 2),
        ),
        (standing("laurel", (11, 0), (7, 0), (9, 0), (7, 0)), (1, 3, 2, 3)),
    ],
)
def test_seats_finish_in_the_order_in_which_they_would_have_won(
    state: State, expected: tuple[int, ...]
) -> None:
    assert places(state) == expected


def test_several_winners_share_the_first_place() -> None:
    state = replace(standing("last_phase", (11, 5), (11, 5), (11, 7)), winners=(0, 1))
    assert places(state) == (1, 1, 3)
