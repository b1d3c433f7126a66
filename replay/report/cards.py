"""The parts of a report on cards: what is taken, what chance gives, and one game in lanes."""

from collections.abc import Iterator
from functools import lru_cache

from phaseledger.domain.ruleset import RuleSet
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
    """What went together with taking a card from the discard pile."""
    whole, title = chapter.whole, "Taking from the discard pile"
    sorts = [
        ("nearer", "card brought the phase nearer", True),
        ("soon", f"phase laid within {SOON_TURNS} more own turns", True),
        ("score", "points at the end of the round", False),
    ]
    marks, rows = [], []
    for what, label, share in sorts:
        if not share and chapter.rules.scoring == "none":
            continue
        mark = figures.taking_effect(chapter, what)
        if share:
            marks.append(mark._replace(label=label))
        plainly = [
            value_or_dash(figures.plain_rate(whole, what, source), share=share)
            for source in ("discard", "stock")
        ]
        rows.append(
            (
                label,
                *plainly,
                value_or_dash(mark.value, share=share),
                interval_text(mark, share=share),
            )
        )
    draws = [round(sum(whole["draws", s, d] for d in range(11))) for s in ("discard", "stock")]
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
    """Wins by luck, and by bot beyond it."""
    whole, chance = chapter.whole, 1 / chapter.seats
    bins = figures.luck_bins(whole)
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
    told = table(
        "Wins by luck",
        ("luck, cards", "games of a seat", "share won", "95 %"),
        [
            (mark.label, round(sat), percent(won / sat), interval_text(mark))
            for mark, (_, _, won, sat) in zip(marks, bins, strict=True)
        ],
    )
    yield from figure(title, words, ranges(f"{key}-luck", title, words, marks, usual=chance), told)
    title = "Play: wins beyond luck"
    found, rows = [], []
    for bot in figures.bots(whole):
        mark, due = figures.against_luck(chapter, bot)
        found.append(mark._replace(label=short(bot)))
        sat = whole["sat", "bot", bot]
        luck = Mark(
            "", *figures.over_games(chapter, [("luck", bot), ("sat", "bot", bot)], figures.ratio)
        )
        won = whole["won", "bot", bot] / sat
        rows.append(
            (
                name(bot),
                value_or_dash(luck.value, share=False),
                interval_text(luck, share=False),
                percent(won),
                percent(due),
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
    chart = ranges(f"{key}-play", title, words, found, usual=0.0)
    yield from figure(title, words, chart, table("Luck and play", head, rows))


# --- odds -----------------------------------------------------------------------------------------


@lru_cache(maxsize=CHAPTERS)
def _known(rules: RuleSet) -> tuple[list[PhaseOdds], list[int]]:
    """The exact odds of the phases, and how many of the hands drawn hold each."""
    phases = [phase.needs for phase in rules.phases]
    tried = [
        sum(column)
        for column in zip(*drawn_phases(rules, phases, "report", DRAWN_HANDS), strict=True)
    ]
    return exact_odds(rules, enumerate(rules.phases, 1)), tried


def dealt_odds(chapter: Cohort, key: str) -> Iterator[Html]:
    """The exact odds of a dealt hand beside hands drawn and hands of the games."""
    rules, hands = chapter.rules, chapter.hands
    phases = [phase.needs for phase in rules.phases]
    seen = [sum(holds(hand, needs, rules) for hand in hands) for needs in phases]
    marks, rows = [], []
    exact, tried = _known(rules)
    for row, made, drew in zip(exact, seen, tried, strict=True):
        own, other = sample(made, len(hands)), sample(drew, DRAWN_HANDS)
        marks.append(Mark(f"phase {row.number}", own.share, own.low, own.high, row.chance))
        rows.append(
            (
                row.number,
                row.words,
                "not counted" if row.chance is None else chance_text(row.chance, 4),
                chance_text(other.share),
                range_text(chance_text(other.low), chance_text(other.high)),
                chance_text(own.share),
                range_text(chance_text(own.low), chance_text(own.high)),
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
    """One game from its first turn to its last."""
    seats = range(len(story.names))
    spans = [
        Span(
            each.first,
            each.last,
            [(seat, turn, str(phase)) for seat, turn, phase in each.laid],
            each.skipped,
            each.out,
        )
        for each in story.rounds
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
    for number, each in enumerate(story.rounds, 1):
        laid = {seat: phase for seat, _, phase in each.laid}
        cells = []
        for seat in seats:
            said = [f"phase {laid[seat]}" if seat in laid else "-"]
            if chapter.rules.scoring != "none":
                said.append(f"{each.points[seat]:,}, in all {each.totals[seat]:,}")
            cells.append("; ".join(said) + "; went out" * (seat == each.out))
        rows.append((number, f"{each.first} to {each.last}", *cells))
    head = ("round", "turns", *(name(story.names[seat]) for seat in seats))
    yield table("Phases laid and points, round by round", head, rows)
