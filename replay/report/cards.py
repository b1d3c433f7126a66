"""Report sections on cards: discard pile, luck, exact odds, and the timeline of one game."""

from collections.abc import Iterator
from functools import lru_cache

from phaseledger.domain.ruleset import RuleSet, phase_number
from phaseledger.replay.analysis.odds_check import (
    PhaseOdds,
    drawn_phases,
    exact_odds,
    holds,
    sample,
)
from phaseledger.replay.pages.charts import Mark, Span, lanes, percent, ranges
from phaseledger.replay.pages.page import Html, element, name, table
from phaseledger.replay.report import figures
from phaseledger.replay.report.counts import SOON_TURNS, GameTimeline
from phaseledger.replay.report.games import CHAPTERS, Cohort
from phaseledger.replay.report.tables import (
    chance_text,
    figure,
    interval_text,
    range_text,
    short,
    signed,
    value_or_dash,
)

DRAWN_HANDS = 2_000
"""Hands drawn at random beside those of the games."""


# --- the discard pile, and luck -------------------------------------------------------------------


def taking(chapter: Cohort, key: str) -> Iterator[Html]:
    """The figure of what goes together with taking a card from the discard pile."""
    totals, title = chapter.whole, "Taking from the discard pile"
    measures = [
        ("nearer", "card brought the phase nearer", True),
        ("soon", f"phase laid within {SOON_TURNS} more own turns", True),
        ("score", "points at the end of the round", False),
    ]
    marks, rows = [], []
    for measure, label, share in measures:
        if not share and chapter.rules.scoring == "none":
            continue
        mark = figures.taking_effect(chapter, measure)
        if share:
            marks.append(mark._replace(label=label))
        plain_rates = [
            value_or_dash(figures.plain_rate(totals, measure, source), share=share)
            for source in ("discard", "stock")
        ]
        rows.append(
            (
                label,
                *plain_rates,
                value_or_dash(mark.value, share=share),
                interval_text(mark, share=share),
            )
        )
    draws = [round(sum(totals["draws", s, d] for d in range(11))) for s in ("discard", "stock")]
    rows.append(("draws counted", *(f"{n:,}" for n in draws), "", ""))
    words = (
        "What followed a card from the discard pile less what followed one from the stock, by "
        "seats that had their phase still to lay, compared at equal distance from it. It says "
        "what went together: whoever takes a card has seen that it fits, so it is no effect of "
        "taking as such. Intervals are over games."
    )
    chart = ranges(f"{key}-taking", title, words, marks, usual=0.0)
    head = ("", "from the discard pile", "from the stock", "difference at equal distance", "95 %")
    yield from figure(title, words, chart, table("What followed a draw", head, rows))


def luck(chapter: Cohort, key: str) -> Iterator[Html]:
    """The figures of wins by luck, and of wins beyond luck by bot."""
    totals, chance = chapter.whole, 1 / chapter.seats
    bins = figures.luck_bins(totals)
    marks = [
        figures.win_mark(
            signed(low) if low == high else range_text(signed(low), signed(high)), won, sat
        )
        for low, high, won, sat in bins
    ]
    title = "Luck: wins by the quality of the cards received"
    words = (
        "Luck is how many cards nearer to its phases a seat was brought by the cards that chance "
        "gave it in a game, less the mean: of hands dealt anew for a dealt hand, of all cards of "
        "the stock for a card drawn. It is 0 on average, however somebody plays."
    )
    wins_table = table(
        "Wins by luck",
        ("luck, cards", "games of a seat", "share won", "95 %"),
        [
            (mark.label, round(sat), percent(won / sat), interval_text(mark))
            for mark, (_, _, won, sat) in zip(marks, bins, strict=True)
        ],
    )
    yield from figure(
        title, words, ranges(f"{key}-luck", title, words, marks, usual=chance), wins_table
    )
    title = "Play: wins beyond luck"
    bot_marks, rows = [], []
    for bot in figures.bots(totals):
        mark, expected = figures.against_luck(chapter, bot)
        bot_marks.append(mark._replace(label=short(bot)))
        sat = totals["sat", "bot", bot]
        luck = Mark(
            "", *figures.over_games(chapter, [("luck", bot), ("sat", "bot", bot)], figures.ratio)
        )
        won = totals["won", "bot", bot] / sat
        rows.append(
            (
                name(bot),
                value_or_dash(luck.value, share=False),
                interval_text(luck, share=False),
                percent(won),
                percent(expected),
                value_or_dash(mark.value),
                interval_text(mark),
            )
        )
    words = (
        "Share of games won, less the share that all seats with the same luck won: what is left "
        "is put down to play. Intervals are over games."
    )
    head = (
        "bot",
        "luck, cards a game",
        "95 %",
        "won",
        "won by all with its luck",
        "difference",
        "95 %",
    )
    chart = ranges(f"{key}-play", title, words, bot_marks, usual=0.0)
    yield from figure(title, words, chart, table("Luck and play", head, rows))


# --- odds -----------------------------------------------------------------------------------------


@lru_cache(maxsize=CHAPTERS)
def _phase_odds(rules: RuleSet) -> tuple[list[PhaseOdds], list[int]]:
    """The exact odds of the phases, and how many of the hands drawn hold each."""
    phases = [phase.needs for phase in rules.phases]
    hits = [
        sum(column)
        for column in zip(*drawn_phases(rules, phases, "report", DRAWN_HANDS), strict=True)
    ]
    return exact_odds(rules, enumerate(rules.phases, 1)), hits


def dealt_odds(chapter: Cohort, key: str) -> Iterator[Html]:
    """The figure of the exact odds of a dealt hand beside hands drawn and hands of the games."""
    rules, hands = chapter.rules, chapter.hands
    phases = [phase.needs for phase in rules.phases]
    game_hits = [sum(holds(hand, needs, rules) for hand in hands) for needs in phases]
    marks, rows = [], []
    exact, drawn_hits = _phase_odds(rules)
    for row, game_count, drawn_count in zip(exact, game_hits, drawn_hits, strict=True):
        number = phase_number(rules, row.number)
        game_sample, drawn_sample = sample(game_count, len(hands)), sample(drawn_count, DRAWN_HANDS)
        marks.append(
            Mark(
                label=f"phase {number}",
                value=game_sample.share,
                low=game_sample.low,
                high=game_sample.high,
                exact=row.chance,
            )
        )
        rows.append(
            (
                number,
                row.words,
                "not counted" if row.chance is None else chance_text(row.chance, 4),
                chance_text(drawn_sample.share),
                range_text(chance_text(drawn_sample.low), chance_text(drawn_sample.high)),
                chance_text(game_sample.share),
                range_text(chance_text(game_sample.low), chance_text(game_sample.high)),
            )
        )
    title = "Phases in a dealt hand"
    words = (
        f"The chance that {rules.hand} dealt cards already hold the phase: the exact one, all "
        f"hands counted (diamond), and how many of {len(hands):,} hands dealt in these games did "
        "(dot, with Wilson's interval). The axis is logarithmic."
    )
    head = (
        "phase",
        "asks for",
        "exactly",
        f"{DRAWN_HANDS:,} hands drawn",
        "95 %",
        "hands of these games",
        "95 %",
    )
    chart = ranges(f"{key}-odds", title, words, marks, logarithmic=True)
    yield from figure(title, words, chart, table("Odds of a dealt hand", head, rows))


# --- one game -------------------------------------------------------------------------------------


def timeline(chapter: Cohort, story: GameTimeline, key: str) -> Iterator[Html]:
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
    title = f"Game {story.game}"
    words = (
        "Turns from left to right, rounds in bands with their numbers on top. A dot: the phase of "
        "that number was laid. A diamond: who went out. A stroke: a turn lost. A star: won."
    )
    yield element("h3", title)
    chart = lanes(key, title, words, labels, spans)
    yield element("figure", chart, element("figcaption", words))
    rows = []
    for number, round_ in enumerate(story.rounds, 1):
        laid = {seat: phase for seat, _, phase in round_.laid}
        cells = []
        for seat in seats:
            laid_text = f"phase {phase_number(chapter.rules, laid.get(seat, 0))}"
            texts = [laid_text if seat in laid else "-"]
            if chapter.rules.scoring != "none":
                texts.append(f"{round_.points[seat]:,}, in all {round_.totals[seat]:,}")
            cells.append("; ".join(texts) + "; went out" * (seat == round_.out))
        rows.append((number, f"{round_.first} to {round_.last}", *cells))
    head = ("round", "turns", *(name(story.names[seat]) for seat in seats))
    yield table("Phases laid and points, round by round", head, rows)
