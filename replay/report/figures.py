"""The figures of a chapter from its counts; docs/report.md defines each one."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from phaseledger.replay.analysis.intervals import jackknife, wilson
from phaseledger.replay.pages.charts import Mark
from phaseledger.replay.report.counts import LAST_TURN, CountKey
from phaseledger.replay.report.games import Cohort

Vector = list[float]


def _added(vectors: Sequence[Vector]) -> Vector:
    return [sum(column) for column in zip(*vectors, strict=True)]


def over_games(
    chapter: Cohort, keys: Sequence[CountKey], figure: Callable[[Vector], float | None]
) -> tuple[float | None, float | None, float | None]:
    """A figure of the counts under some keys, with the interval that its games give."""
    groups = [[group.get(key, 0.0) for key in keys] for group in chapter.groups if group]
    if not groups:
        return None, None, None
    low, high = jackknife(groups, _added, figure) or (None, None)
    return figure(_added(groups)), low, high


def ratio(vector: Vector) -> float | None:
    """The first count by the second."""
    return vector[0] / vector[1] if vector[1] else None


def shares(whole: Counter[CountKey], what: str) -> list[tuple[str | int, float, float]]:
    """(seat or bot, wins, sittings)."""
    found = [
        (key[2], whole[("won", *key[1:])], n)
        for key, n in whole.items()
        if key[:2] == ("sat", what)
    ]
    return sorted(found, key=lambda each: (isinstance(each[0], str), each[0]))


def win_mark(label: str, won: float, sat: float) -> Mark:
    """A share of wins with its Wilson interval."""
    low, high = wilson(won, sat)
    return Mark(label, won / sat if sat else None, low, high)


def histogram(whole: Counter[CountKey], name: str) -> dict[int, float]:
    """The counts of whole numbers."""
    return {int(key[1]): n for key, n in sorted(whole.items(), key=str) if key[0] == name}


def quantile(counts: dict[int, float], part: float) -> int:
    """The least value that so large a part does not exceed."""
    total, seen = sum(counts.values()), 0.0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= part * total:
            return value
    return 0


def mean(counts: dict[int, float]) -> float:
    """The mean of counted numbers."""
    return sum(value * n for value, n in counts.items()) / max(1.0, sum(counts.values()))


def bins(counts: dict[int, float], most: int = 28) -> list[tuple[str, float]]:
    """The counts in columns of one width, at most so many."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    wide = next(w for w in _WIDTHS if (high // w - low // w) < most)
    found = []
    for start in range(low // wide * wide, high + 1, wide):
        label = f"{start}" if wide == 1 else f"{start}-{start + wide - 1}"
        found.append((label, sum(counts.get(v, 0.0) for v in range(start, start + wide))))
    return found


_WIDTHS = [step * 10**power for power in range(6) for step in (1, 2, 5)]


def made_by_turn(whole: Counter[CountKey], phase: int, last: int) -> list[float]:
    """The share of tries of a phase that had made it by own turn 1, 2, ..."""
    tries, made, found = whole["tries", phase], 0.0, []
    for turn in range(1, last + 1):
        made += whole["made", phase, turn]
        found.append(made / tries if tries else 0.0)
    return found


def made_count(whole: Counter[CountKey], phase: int) -> float:
    """Tries that made the phase before the round was over."""
    return sum(whole["made", phase, turn] for turn in range(LAST_TURN + 1))


# --- taking from the discard pile -----------------------------------------------------------------

_DISTANCES = range(11)


def taking_effect(chapter: Cohort, what: str) -> Mark:
    """What follows a card from the discard pile less what follows one from the stock, at equal
    distance, weighted as the takers' distances are.
    """
    keys: list[CountKey] = [
        (name, source, distance)
        for distance in _DISTANCES
        for source in ("discard", "stock")
        for name in (what, "draws")
    ]
    return Mark(what, *over_games(chapter, keys, _standardised))


def _standardised(vector: Vector) -> float | None:
    total = weight = 0.0
    for at in range(0, len(vector), 4):
        taken, takes, drawn, draws = vector[at : at + 4]
        if takes and draws:
            total += takes * (taken / takes - drawn / draws)
            weight += takes
    return total / weight if weight else None


def plain_rate(whole: Counter[CountKey], what: str, source: str) -> float | None:
    """The same without regard to the distance."""
    of = sum(whole["draws", source, distance] for distance in _DISTANCES)
    return sum(whole[what, source, distance] for distance in _DISTANCES) / of if of else None


# --- luck and play --------------------------------------------------------------------------------


def luck_bins(whole: Counter[CountKey], most: int = 12) -> list[tuple[int, int, float, float]]:
    """(from, to, wins, sittings) of bins of luck, so many at most."""
    lucks = {int(key[2]): n for key, n in whole.items() if key[:2] == ("sat", "luck")}
    wide = next(w for w in (1, 2, 3, 4, 5, 6, 10) if len({luck // w for luck in lucks}) <= most)
    found: dict[int, tuple[float, float]] = {}
    for luck, n in lucks.items():
        won, sat = found.get(luck // wide, (0.0, 0.0))
        found[luck // wide] = won + whole["won", "luck", luck], sat + n
    return [(b * wide, b * wide + wide - 1, *found[b]) for b in sorted(found)]


def bots(whole: Counter[CountKey]) -> list[str]:
    """Who played, by name."""
    return [str(who) for who, _, _ in shares(whole, "bot")]


def against_luck(chapter: Cohort, bot: str) -> tuple[Mark, float]:
    """Wins of a bot less those that all seats with its luck have, for each game of a seat; and the
    expected share.
    """
    whole = chapter.whole
    lucks = sorted(int(key[2]) for key in whole if key[:2] == ("sat", "luck"))
    keys: list[CountKey] = [
        (name, *key)
        for luck in lucks
        for key in (("luck", luck), ("luck of", bot, luck))
        for name in ("won", "sat")
    ]

    def expected(vector: Vector) -> tuple[float, float, float]:
        due = won = sat = 0.0
        for at in range(0, len(vector), 4):
            all_won, all_sat, own_won, own_sat = vector[at : at + 4]
            due += own_sat * all_won / all_sat if all_sat else 0.0
            won, sat = won + own_won, sat + own_sat
        return due, won, sat

    def figure(vector: Vector) -> float | None:
        due, won, sat = expected(vector)
        return (won - due) / sat if sat else None

    due, _, sat = expected([whole[key] for key in keys])
    return Mark(bot, *over_games(chapter, keys, figure)), due / sat if sat else 0.0


def summed(values: Iterable[float]) -> int:
    """A count for people."""
    return round(sum(values))
