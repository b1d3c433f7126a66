"""The figures of a chapter from its counts; docs/reference/report.md defines each one."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from phaseledger.replay.laboratory.control_variate import weight
from phaseledger.replay.laboratory.intervals import jackknife, wilson
from phaseledger.replay.laboratory.report.counts import LAST_TURN, CountKey
from phaseledger.replay.laboratory.report.games import Cohort
from phaseledger.replay.pages.charts import Mark

Vector = list[float]


def _added(vectors: Sequence[Vector]) -> Vector:
    return [sum(column) for column in zip(*vectors, strict=True)]


def over_games(
    chapter: Cohort, keys: Sequence[CountKey], figure: Callable[[Vector], float | None]
) -> tuple[float | None, float | None, float | None]:
    """A figure of the counts under some keys, with its jackknife interval over the games."""
    groups = [[group.get(key, 0.0) for key in keys] for group in chapter.groups if group]
    if not groups:
        return None, None, None
    low, high = jackknife(groups, _added, figure) or (None, None)
    return figure(_added(groups)), low, high


def ratio(vector: Vector) -> float | None:
    """The first count divided by the second."""
    return vector[0] / vector[1] if vector[1] else None


def shares(totals: Counter[CountKey], kind: str) -> list[tuple[str | int, float, float]]:
    """(seat or bot, wins, games of a seat), sorted."""
    rows = [
        (key[2], totals[("won", *key[1:])], n)
        for key, n in totals.items()
        if key[:2] == ("sat", kind)
    ]
    return sorted(rows, key=lambda row: (isinstance(row[0], str), row[0]))


def win_mark(label: str, won: float, sat: float) -> Mark:
    """A share of wins with its Wilson interval."""
    low, high = wilson(won, sat)
    return Mark(label=label, value=won / sat if sat else None, low=low, high=high)


def histogram(totals: Counter[CountKey], name: str) -> dict[int, float]:
    """The counts of whole numbers."""
    return {int(key[1]): n for key, n in sorted(totals.items(), key=str) if key[0] == name}


def quantile(counts: dict[int, float], share: float) -> int:
    """The least value that is not exceeded by the given share of the counts."""
    total, cumulated = sum(counts.values()), 0.0
    for value in sorted(counts):
        cumulated += counts[value]
        if cumulated >= share * total:
            return value
    return 0


def mean(counts: dict[int, float]) -> float:
    """The mean of counted numbers."""
    return sum(value * n for value, n in counts.items()) / max(1.0, sum(counts.values()))


def bins(counts: dict[int, float], most: int = 28) -> list[tuple[str, float]]:
    """The counts in columns of equal width, ``most`` at most."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    width = next(w for w in _WIDTHS if (high // w - low // w) < most)
    columns = []
    for start in range(low // width * width, high + 1, width):
        label = f"{start}" if width == 1 else f"{start}-{start + width - 1}"
        columns.append((label, sum(counts.get(v, 0.0) for v in range(start, start + width))))
    return columns


_WIDTHS = [step * 10**power for power in range(6) for step in (1, 2, 5)]


def made_by_turn(totals: Counter[CountKey], phase: int, last: int) -> list[float]:
    """The share of attempts that had made a phase by own turn 1, 2, ..."""
    tries, made, rates = totals["tries", phase], 0.0, []
    for turn in range(1, last + 1):
        made += totals["made", phase, turn]
        rates.append(made / tries if tries else 0.0)
    return rates


def made_count(totals: Counter[CountKey], phase: int) -> float:
    """Attempts that made the phase before the round was over."""
    return sum(totals["made", phase, turn] for turn in range(LAST_TURN + 1))


# --- taking from the discard pile -----------------------------------------------------------------

_DISTANCES = range(11)


def taking_effect(chapter: Cohort, measure: str) -> Mark:
    """The rate after a card from the discard pile less the rate after one from the stock, at equal
    distance, weighted by the takers' distances.
    """
    keys: list[CountKey] = [
        (name, source, distance)
        for distance in _DISTANCES
        for source in ("discard", "stock")
        for name in (measure, "draws")
    ]
    return Mark(measure, *over_games(chapter, keys, _standardised))


def _standardised(vector: Vector) -> float | None:
    total = weight = 0.0
    for index in range(0, len(vector), 4):
        after_takes, takes, after_draws, draws = vector[index : index + 4]
        if takes and draws:
            total += takes * (after_takes / takes - after_draws / draws)
            weight += takes
    return total / weight if weight else None


def plain_rate(totals: Counter[CountKey], measure: str, source: str) -> float | None:
    """The rate after a draw from one source, at any distance."""
    draws = sum(totals["draws", source, distance] for distance in _DISTANCES)
    return (
        sum(totals[measure, source, distance] for distance in _DISTANCES) / draws if draws else None
    )


# --- luck and choices -----------------------------------------------------------------------------


def bots(totals: Counter[CountKey]) -> list[str]:
    """The names of the bots that played."""
    return [str(bot) for bot, _, _ in shares(totals, "bot")]


def account_part(chapter: Cohort, part: str, bot: str) -> Mark:
    """The mean of a part of the account of a bot's seats, in chances to win."""
    keys = [("account", part, bot), ("account", "seats", bot)]
    return Mark(bot, *over_games(chapter, keys, ratio))


_SUMS = ("seats", "won", "luck", "won squared", "luck squared", "won luck")


def luck_adjusted(chapter: Cohort, bot: str) -> tuple[Mark, float | None]:
    """The share of wins of a bot's seats less luck, and the part of their variance that is left."""
    groups = [
        [group.get(("account", part, bot), 0.0) for part in _SUMS]
        for group in chapter.groups
        if group["account", "seats", bot]
    ]
    if not groups:
        return Mark(label=bot, value=None), None
    whole = _added(groups)
    shares = []
    for group in groups:
        others = [total - own for total, own in zip(whole, group, strict=True)]
        shares.append([group[1] - _luck_weight(others) * group[2], group[0]])
    low, high = jackknife(shares, _added, ratio) or (None, None)
    mark = Mark(label=bot, value=ratio(_added(shares)), low=low, high=high)
    return mark, _variance_left(whole)


def _luck_weight(sums: Vector) -> float:
    """The weight fitted to the seats of which these are the sums."""
    seats, won, luck, _, squares, products = sums
    return weight(seats, products - luck * won / seats if seats else 0.0, squares)


def _variance_left(sums: Vector) -> float | None:
    """The variance of results less the weighed luck, divided by the variance of the results."""
    seats, won, luck, *seconds = sums
    part = _luck_weight(sums)
    means = (won * won, luck * luck, won * luck)
    results, lucks, both = (
        second / seats - mean / seats**2 for second, mean in zip(seconds, means, strict=True)
    )
    return 1 + part * (part * lucks - 2 * both) / results if results else None


def summed(values: Iterable[float]) -> int:
    """The sum of counts, rounded to a whole number."""
    return round(sum(values))
