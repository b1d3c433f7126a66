"""The opening of the report: winners, confidence, and what stands out."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from phaseledger.domain.explain.wording import list_of, needs_words
from phaseledger.domain.explain.wording import title as game_title
from phaseledger.domain.ruleset import phase_number
from phaseledger.replay.laboratory.report import figures
from phaseledger.replay.laboratory.report.games import Cohort
from phaseledger.replay.laboratory.report.tables import short
from phaseledger.replay.laboratory.report.words import ReportWords
from phaseledger.replay.pages.charts import Mark
from phaseledger.replay.pages.page import Html, element, name, table

USUAL_ENDS = 0.95
"""The usual share of rounds that end by a seat going out; a smaller share stands out."""


class WinShare(NamedTuple):
    """The share of games that a bot, or a seat, won in a chapter, beside chance."""

    player: str | int
    mark: Mark
    chance: float

    @property
    def sure(self) -> str:
        """The share against chance, by its interval: more, less or open."""
        if self.mark.low is None or self.mark.high is None:
            return "open"
        more, less = self.mark.low > self.chance, self.mark.high < self.chance
        return "more" if more else "less" if less else "open"


def opening(chapters: Sequence[Cohort], words: ReportWords) -> Iterator[Html]:
    """The headline, the chapters at a glance, and what stands out in them."""
    yield element("p", _headline(chapters, words), attributes='class="verdict"')
    rows = [_glance(chapter, f"c{number}", words) for number, chapter in enumerate(chapters, 1)]
    heads = ("glance.chapter", "games", "glance.best", "share", "interval", "glance.chance")
    head = words.texts(*heads, "glance.turns")
    if rows:
        yield table(words.text("glance"), head, rows, words.lang)
    lists = [
        (f"c{number}", chapter, [element("li", point) for point in _outstanding(chapter, words)])
        for number, chapter in enumerate(chapters, 1)
    ]
    if any(points for _, _, points in lists):
        yield element("h2", words.text("outstanding"))
    for key, chapter, points in lists:
        if points and len(chapters) > 1:
            yield element("h3", _link(chapter, key, words))
        if points:
            yield element("ul", *points)


def win_shares(chapter: Cohort, kind: str) -> list[WinShare]:
    """The bots, or the seats, of a chapter, most wins first."""
    entries = [
        WinShare(
            identity,
            figures.win_mark("", won, sat),
            1 / chapter.seats,
        )
        for identity, won, sat in figures.shares(chapter.whole, kind)
    ]
    return sorted(entries, key=lambda entry: -(entry.mark.value or 0))


def _compared(chapter: Cohort) -> list[WinShare]:
    """The compared players: bots where there are several kinds, else the seats."""
    players = win_shares(chapter, "bot")
    return players if len(players) > 1 else win_shares(chapter, "seat")


def _headline(chapters: Sequence[Cohort], words: ReportWords) -> Html:
    best = [(chapter, _compared(chapter)[0]) for chapter in chapters]
    sure = [(chapter, first) for chapter, first in best if first.sure == "more"]
    if len(best) == 1:
        ((_, first),) = best
        return words.html(
            "headline.sure" if sure else "headline.open",
            player=name(words.subject(first.player)),
            share=words.share(first.mark.value or 0),
            chance=words.share(first.chance),
        )
    if not sure:
        return words.html("headline.nobody")
    players = [
        words.html(
            "headline.player",
            player=name(words.player(first.player)),
            chapter=_title(chapter, words),
        )
        for chapter, first in sure
    ]
    listed = Html(list_of(players, words.lang))
    return words.html("headline.several", count=len(players), players=listed)


def _title(chapter: Cohort, words: ReportWords) -> str:
    title = game_title(chapter.rules, words.lang)
    return words.text("chapter.short", title=title, seats=chapter.seats)


def _link(chapter: Cohort, key: str, words: ReportWords) -> Html:
    return element("a", _title(chapter, words), attributes=f'href="#{key}"')


def _glance(chapter: Cohort, key: str, words: ReportWords) -> tuple[object, ...]:
    first = _compared(chapter)[0]
    turns = figures.histogram(chapter.whole, "turns")
    return (
        _link(chapter, key, words),
        chapter.games,
        name(short(words.player(first.player))),
        words.share(first.mark.value or 0),
        words.interval(first.mark),
        words.text(f"glance.{first.sure}"),
        figures.quantile(turns, 0.5),
    )


def _outstanding(chapter: Cohort, words: ReportWords) -> Iterator[Html]:
    """Sentences about results that chance does not explain, or that are not as usual."""
    marks: list[Mark] = []
    for kind in ("bot", "seat"):
        for entry in win_shares(chapter, kind):
            # A bot that always had one seat is named once.
            if entry.sure != "open" and entry.mark not in marks:
                marks.append(entry.mark)
                yield words.html(
                    f"outstanding.{entry.sure}",
                    player=name(words.subject(entry.player)),
                    share=words.share(entry.mark.value or 0),
                    interval=words.interval(entry.mark),
                    chance=words.share(entry.chance),
                )
    yield from _hardest(chapter, words)
    ended = {str(key[1]): n for key, n in chapter.whole.items() if key[0] == "round ended"}
    going_out = ended.get("by going out", 0.0)
    if (rounds := sum(ended.values())) and going_out < USUAL_ENDS * rounds:
        yield words.html("outstanding.ends", share=words.share(1 - going_out / rounds))


def _hardest(chapter: Cohort, words: ReportWords) -> Iterator[Html]:
    """The phase made least often, where it differs from the most frequent one beyond chance."""
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
        yield words.html(
            "outstanding.hardest",
            phase=phase_number(rules, hardest),
            needs=needs_words(rules.phases[hardest - 1].needs, rules, lang=words.lang),
            share=words.share(least.value or 0),
            interval=words.interval(least),
            easiest=phase_number(rules, easiest),
            most=words.share(most.value or 0),
        )
