"""Report sections on cards: discard pile, luck, exact odds, and the timeline of one game."""

from collections.abc import Iterator
from functools import lru_cache

from phaseledger.domain.explain.wording import needs_words
from phaseledger.domain.ruleset import RuleSet, phase_number
from phaseledger.replay.laboratory.analysis.odds_check import (
    PhaseOdds,
    drawn_phases,
    exact_odds,
    holds,
    sample,
)
from phaseledger.replay.laboratory.report import figures
from phaseledger.replay.laboratory.report.counts import SOON_TURNS, GameTimeline, Round
from phaseledger.replay.laboratory.report.games import CHAPTERS, Cohort
from phaseledger.replay.laboratory.report.tables import figure, short
from phaseledger.replay.laboratory.report.words import ReportWords
from phaseledger.replay.pages.charts import Mark, Span, lanes, ranges
from phaseledger.replay.pages.page import Html, element, name, table

DRAWN_HANDS = 2_000
"""Hands drawn at random beside those of the games."""


# --- the discard pile, and luck -------------------------------------------------------------------


def taking(chapter: Cohort, key: str, words: ReportWords) -> Iterator[Html]:
    """The figure of the effect of taking a card from the discard pile."""
    totals, sources = chapter.whole, ("discard", "stock")
    marks, rows = [], []
    for measure, share in (("nearer", True), ("soon", True), ("score", False)):
        if not share and chapter.rules.scoring == "none":
            continue
        label = words.text(f"taking.{measure}", turns=SOON_TURNS)
        mark = figures.taking_effect(chapter, measure)
        if share:
            marks.append(mark._replace(label=label))
        plain_rates = [
            words.value(figures.plain_rate(totals, measure, source), share=share)
            for source in sources
        ]
        difference = words.value(mark.value, share=share)
        rows.append((label, *plain_rates, difference, words.interval(mark, share=share)))
    draws = [round(sum(totals["draws", source, d] for d in range(11))) for source in sources]
    rows.append((words.text("taking.draws"), *map(words.number, draws), "", ""))
    title, description = words.text("taking"), words.text("taking.words")
    chart = ranges(f"{key}-taking", title, description, marks, usual=0.0, lang=words.lang)
    columns = (*(f"taking.{source}" for source in sources), "taking.difference", "interval")
    head = ("", *words.texts(*columns))
    draws_table = table(words.text("taking.table"), head, rows, words.lang)
    yield from figure(title, description, chart, draws_table)


def luck(chapter: Cohort, key: str, words: ReportWords) -> Iterator[Html]:
    """The figure of the luck-adjusted share of wins, by bot; nothing where there is no account."""
    totals, marks, rows = chapter.whole, [], []
    for bot in figures.bots(totals):
        label = words.player(bot)
        adjusted, left = figures.luck_adjusted(chapter, bot)
        if adjusted.value is None:
            continue
        marks.append(adjusted._replace(label=short(label)))
        won, *parts = (
            figures.account_part(chapter, part, bot) for part in ("won", "luck", "own", "others")
        )
        rows.append(
            (
                name(label),
                words.value(won.value),
                words.interval(won),
                *(words.value(part.value) for part in parts),
                words.value(adjusted.value),
                words.interval(adjusted),
                words.value(left),
            )
        )
    if not rows:
        return
    title, description = words.text("luck"), words.text("luck.words")
    columns = (
        *("bot", "won", "interval", "luck.luck", "luck.own", "luck.others", "luck.adjusted"),
        *("interval", "luck.variance"),
    )
    usual = 1 / chapter.seats
    chart = ranges(f"{key}-luck", title, description, marks, usual=usual, lang=words.lang)
    parts_table = table(words.text("luck.table"), words.texts(*columns), rows, words.lang)
    yield from figure(title, description, chart, parts_table)


# --- odds -----------------------------------------------------------------------------------------


@lru_cache(maxsize=CHAPTERS)
def _phase_odds(rules: RuleSet) -> tuple[list[PhaseOdds], list[int]]:
    """The exact odds of the phases, and the number of drawn hands that hold each."""
    phases = [phase.needs for phase in rules.phases]
    hits = [
        sum(column)
        for column in zip(*drawn_phases(rules, phases, "report", DRAWN_HANDS), strict=True)
    ]
    return exact_odds(rules, enumerate(rules.phases, 1)), hits


def dealt_odds(chapter: Cohort, key: str, words: ReportWords) -> Iterator[Html]:
    """The figure of the exact odds of a dealt hand beside hands drawn and hands of the games."""
    rules, hands = chapter.rules, chapter.hands
    phases = [phase.needs for phase in rules.phases]
    game_hits = [sum(holds(hand, needs, rules) for hand in hands) for needs in phases]
    marks, rows = [], []
    exact, drawn_hits = _phase_odds(rules)
    for row, needs, game_count, drawn_count in zip(
        exact, phases, game_hits, drawn_hits, strict=True
    ):
        number = phase_number(rules, row.number)
        game_sample, drawn_sample = sample(game_count, len(hands)), sample(drawn_count, DRAWN_HANDS)
        marks.append(
            Mark(
                label=words.text("phase", phase=number),
                value=game_sample.share,
                low=game_sample.low,
                high=game_sample.high,
                exact=row.chance,
            )
        )
        rows.append(
            (
                number,
                needs_words(needs, rules, lang=words.lang),
                words.text("odds.uncounted") if row.chance is None else words.chance(row.chance, 4),
                words.chance(drawn_sample.share),
                words.range(words.chance(drawn_sample.low), words.chance(drawn_sample.high)),
                words.chance(game_sample.share),
                words.range(words.chance(game_sample.low), words.chance(game_sample.high)),
            )
        )
    title = words.text("odds")
    description = words.text("odds.words", count=len(hands), cards=rules.hand)
    head = (
        *words.texts("made.phase", "made.needs", "odds.exactly"),
        words.text("odds.drawn", count=DRAWN_HANDS),
        *words.texts("interval", "odds.dealt", "interval"),
    )
    chart = ranges(f"{key}-odds", title, description, marks, logarithmic=True, lang=words.lang)
    odds_table = table(words.text("odds.table"), head, rows, words.lang)
    yield from figure(title, description, chart, odds_table)


# --- one game -------------------------------------------------------------------------------------


def timeline(chapter: Cohort, story: GameTimeline, key: str, words: ReportWords) -> Iterator[Html]:
    """The timeline of one game, from its first turn to its last."""
    seats = range(len(story.names))
    spans = [
        Span(
            first=round_.first,
            last=round_.last,
            laid=[(seat, turn, str(phase)) for seat, turn, phase in round_.laid],
            lost=round_.skipped,
            out=round_.out,
        )
        for round_ in story.rounds
    ]
    labels = [short(f"{story.names[seat]}{' *' * (seat in story.winners)}", 18) for seat in seats]
    title, description = words.text("timeline", game=story.game), words.text("timeline.words")
    yield element("h3", title)
    chart = lanes(key, title, description, labels, spans, words.lang)
    yield element("figure", chart, element("figcaption", description))
    rows = []
    for number, round_ in enumerate(story.rounds, 1):
        turns = words.text("timeline.span", first=round_.first, last=round_.last)
        cells = [words.listed(_course(chapter, round_, seat, words)) for seat in seats]
        rows.append((number, turns, *cells))
    head = (
        *words.texts("timeline.round", "timeline.turns"),
        *(name(story.names[seat]) for seat in seats),
    )
    yield table(words.text("timeline.table"), head, rows, words.lang)


def _course(chapter: Cohort, round_: Round, seat: int, words: ReportWords) -> Iterator[str]:
    """The round of a seat in words: the phase it laid, its points, and whether it went out."""
    laid = {seat: phase for seat, _, phase in round_.laid}
    is_laid = seat in laid
    yield words.text("phase", phase=phase_number(chapter.rules, laid[seat])) if is_laid else "-"
    if chapter.rules.scoring != "none":
        points, total = map(words.number, (round_.points[seat], round_.totals[seat]))
        yield words.text("timeline.points", points=points, total=total)
    if seat == round_.out:
        yield words.text("timeline.out")
