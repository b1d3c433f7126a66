"""How the report begins: who won, how sure that is, and what stands out."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from phaseledger.domain.explain.wording import needs_words
from phaseledger.domain.ruleset import phase_number
from phaseledger.domain.wording import word_list
from phaseledger.replay.pages.charts import Mark, percent
from phaseledger.replay.pages.page import Html, element, name, table, text
from phaseledger.replay.report import figures
from phaseledger.replay.report.games import Cohort
from phaseledger.replay.report.tables import interval_text, short

USUAL_ENDS = 0.95
"""The part of the rounds that end by somebody going out; less than that stands out."""


class WinShare(NamedTuple):
    """How often a bot, or a seat, won in a chapter, beside chance."""

    label: str
    mark: Mark
    chance: float

    @property
    def sure(self) -> str:
        """How the share lies to chance, by its interval; empty where that is open."""
        if self.mark.low is None or self.mark.high is None:
            return ""
        more, less = self.mark.low > self.chance, self.mark.high < self.chance
        return "more" if more else "less" if less else ""


def opening(chapters: Sequence[Cohort]) -> Iterator[Html]:
    """The headline, the chapters at a glance, and what stands out in them."""
    yield element("p", _headline(chapters), attributes='class="verdict"')
    rows = [_glance(chapter, f"c{number}") for number, chapter in enumerate(chapters, 1)]
    head = ("rule set and seats", "games", "wins most", "share", "95 %", "beside chance", "turns")
    if rows:
        yield table("At a glance", head, rows)
    lists = [
        (f"c{number}", chapter, [element("li", point) for point in _outstanding(chapter)])
        for number, chapter in enumerate(chapters, 1)
    ]
    if any(points for _, _, points in lists):
        yield element("h2", "What stands out")
    for key, chapter, points in lists:
        if points and len(chapters) > 1:
            yield element("h3", _link(chapter, key))
        if points:
            yield element("ul", *points)


def win_shares(chapter: Cohort, kind: str) -> list[WinShare]:
    """The bots, or the seats, of a chapter, whoever won most first."""
    entries = [
        WinShare(
            f"seat {identity}" if kind == "seat" else str(identity),
            figures.win_mark("", won, sat),
            1 / chapter.seats,
        )
        for identity, won, sat in figures.shares(chapter.whole, kind)
    ]
    return sorted(entries, key=lambda entry: -(entry.mark.value or 0))


def _compared(chapter: Cohort) -> list[WinShare]:
    """Who is compared: bots where there are several kinds of player, else the seats."""
    players = win_shares(chapter, "bot")
    return players if len(players) > 1 else win_shares(chapter, "seat")


def _headline(chapters: Sequence[Cohort]) -> Html:
    best = [(chapter, _compared(chapter)[0]) for chapter in chapters]
    sure = [(chapter, first) for chapter, first in best if first.sure == "more"]
    if len(best) == 1:
        ((_, first),) = best
        odds = f"chance is {percent(first.chance)}"
        doubt = "." if sure else ": by these games that may be luck."
        won = f"won {percent(first.mark.value or 0)} of its games; {odds}{doubt}"
        return Html(f"{name(_upper(first.label))} {won}")
    if not sure:
        return text("Nobody won more often than chance explains.")
    parts = [f"{name(first.label)} ({text(_title(chapter))})" for chapter, first in sure]
    return Html(f"Won more often than chance explains: {word_list(parts)}.")


def _upper(label: str) -> str:
    return label[:1].upper() + label[1:]


def _title(chapter: Cohort) -> str:
    return f"{chapter.rules.title}, {chapter.seats} seats"


def _link(chapter: Cohort, key: str) -> Html:
    return element("a", _title(chapter), attributes=f'href="#{key}"')


def _glance(chapter: Cohort, key: str) -> tuple[object, ...]:
    first = _compared(chapter)[0]
    turns = figures.histogram(chapter.whole, "turns")
    return (
        _link(chapter, key),
        chapter.games,
        name(short(first.label)),
        percent(first.mark.value or 0),
        interval_text(first.mark),
        {"more": "above", "less": "below", "": "may be luck"}[first.sure],
        figures.quantile(turns, 0.5),
    )


def _outstanding(chapter: Cohort) -> Iterator[Html]:
    """Sentences about what chance does not explain, or what is not as usual."""
    marks: list[Mark] = []
    for kind in ("bot", "seat"):
        for entry in win_shares(chapter, kind):
            if entry.sure and entry.mark not in marks:  # a bot that always had one seat
                marks.append(entry.mark)
                yield Html(
                    f"{name(entry.label)} won {percent(entry.mark.value or 0)} of its games "
                    f"({interval_text(entry.mark)}), {entry.sure} than chance, "
                    f"{percent(entry.chance)}."
                )
    yield from _hardest(chapter)
    ended = {str(key[1]): n for key, n in chapter.whole.items() if key[0] == "round ended"}
    going_out = ended.get("by going out", 0.0)
    if (rounds := sum(ended.values())) and going_out < USUAL_ENDS * rounds:
        others = 1 - going_out / rounds
        yield text(f"{percent(others)} of the rounds ended with nobody going out.")


def _hardest(chapter: Cohort) -> Iterator[Html]:
    """The phase that is made least often, where that is no luck beside the one made most often."""
    totals, rules = chapter.whole, chapter.rules
    rates = [
        (figures.win_mark("", figures.made_count(totals, n), totals["tries", n]), n)
        for n in range(1, len(rules.phases) + 1)
        if totals["tries", n]
    ]
    if not rates:
        return
    (least, hardest), (most, easiest) = (
        pick(rates, key=lambda rate: rate[0].value or 0) for pick in (min, max)
    )
    if (least.high or 1) < (most.low or 0):
        needs = needs_words(rules.phases[hardest - 1].needs, rules)
        yield text(
            f"Phase {phase_number(rules, hardest)} ({needs}) is the hardest: of the rounds with it "
            f"{percent(least.value or 0)} made it ({interval_text(least)}); of those with phase "
            f"{phase_number(rules, easiest)}, {percent(most.value or 0)}."
        )
