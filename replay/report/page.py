"""The report of a study as one page: a chapter for each rule set, its figures beside its charts."""

from collections.abc import Iterator, Sequence

from phaseledger.domain.explain.wording import needs_words
from phaseledger.domain.resolve import usual_value
from phaseledger.domain.ruleset import RuleSet, phase_number
from phaseledger.domain.rulesets import find_game
from phaseledger.domain.wording import word_list
from phaseledger.replay.pages.charts import (
    STYLE,
    Mark,
    columns,
    heat,
    percent,
    plain_number,
    ranges,
)
from phaseledger.replay.pages.page import Html, document, element, name, table
from phaseledger.replay.report import figures
from phaseledger.replay.report.cards import dealt_odds, luck, taking, timeline
from phaseledger.replay.report.games import Cohort, Study
from phaseledger.replay.report.opening import opening
from phaseledger.replay.report.tables import figure, interval_text, short, value_or_dash

TURNS_SHOWN = 12


def page(study: Study, sources: Sequence[str]) -> str:
    """The whole report."""
    chapters = sorted(study.chapters.values(), key=lambda c: (-c.games, c.rules.id, c.seats))
    games = sum(chapter.games for chapter in chapters)
    parts: list[object] = [
        element(
            "h1",
            Html(f"Report on {games:,} finished games of {_sources(sources)}"),
            attributes='class="kicker"',
        ),
        *opening(chapters),
        *_left_out(study),
        element(
            "p",
            "Intervals hold the true value in 95 of 100 cases, if the games are independent of "
            "one another; where there is none, there are too few games for it. Of many shares, "
            "one in twenty lies outside by luck alone. Nothing here says that the games are "
            "genuine: that is what phaseledger audit is for.",
            attributes='class="note"',
        ),
    ]
    for number, chapter in enumerate(chapters, 1):
        parts += _chapter(chapter, f"c{number}")
    return document(f"phaseledger report: {games:,} games", *parts, more_style=STYLE)


def _sources(sources: Sequence[str]) -> Html:
    names = [name(source) for source in sources[:5]]
    remainder = f" and {len(sources) - 5:,} more files" if len(sources) > 5 else ""
    return Html(", ".join(names) + remainder)


def _left_out(study: Study) -> Iterator[Html]:
    if study.why_left_out:
        yield element("p", f"Left out: {study.why_left_out}.")
    for fault in study.first_faults:
        yield element("p", f"Damaged: {fault}", attributes='class="note"')


def _chapter_title(chapter: Cohort) -> str:
    return f"{chapter.rules.title}, {chapter.seats} seats: {chapter.games:,} games"


def _chapter(chapter: Cohort, key: str) -> Iterator[Html]:
    rules = chapter.rules
    yield element("h2", _chapter_title(chapter), attributes=f'id="{key}"')
    yield element("p", f"Rule set {rules.id}{_house_rules(rules)}.", attributes='class="note"')
    yield from _wins(chapter, key)
    yield from _lengths(chapter, key)
    yield from _phases(chapter, key)
    yield from _points(chapter, key)
    yield from taking(chapter, key)
    yield from luck(chapter, key)
    yield from dealt_odds(chapter, key)
    for number, story in enumerate(chapter.stories, 1):
        yield from timeline(chapter, story, f"{key}-g{number}")


def _house_rules(rules: RuleSet) -> str:
    """The options that are not as usual."""
    game = find_game(rules.id)
    chosen = [
        f"{option}={usual_value(rules, option)}"
        for option in (game.settings if game else ())
        if game and usual_value(rules, option) != usual_value(game.rules, option)
    ]
    return f", with {word_list(chosen)}" if chosen else ""


# --- who wins -------------------------------------------------------------------------------------


def _wins(chapter: Cohort, key: str) -> Iterator[Html]:
    totals, chance = chapter.whole, 1 / chapter.seats
    for kind, title in (("seat", "Wins by seat"), ("bot", "Wins by bot")):
        rows = figures.shares(totals, kind)
        labels = [
            f"seat {identity}" if kind == "seat" else str(identity) for identity, _, _ in rows
        ]
        marks = [
            figures.win_mark(short(label), won, sat)
            for label, (_, won, sat) in zip(labels, rows, strict=True)
        ]
        words = (
            f"Games won by those a {kind} sat in; a shared win counts as its part. "
            f"The line is chance, {percent(chance)}. Intervals are Wilson's."
        )
        wins_table = table(
            "Games won",
            (kind, "games", "won", "share", "95 %"),
            [
                (
                    name(label),
                    figures.summed([sat]),
                    plain_number(won),
                    percent(won / sat),
                    interval_text(mark),
                )
                for label, (_, won, sat), mark in zip(labels, rows, marks, strict=True)
            ],
        )
        chart = ranges(f"{key}-{kind}", title, words, marks, usual=chance)
        yield from figure(title, words, chart, wins_table)


# --- how long -------------------------------------------------------------------------------------


def _lengths(chapter: Cohort, key: str) -> Iterator[Html]:
    totals = chapter.whole
    for kind, title, unit in (
        ("rounds", "Rounds to finish", "rounds of a game"),
        ("turns", "Turns to finish", "turns of a game, lost ones included"),
        ("round turns", "Length of a round", "turns of a round, lost ones included"),
    ):
        counts = figures.histogram(totals, kind)
        counted = "rounds" if kind == "round turns" else "games"
        words = f"How many {counted} had so many {unit}."
        chart = columns(f"{key}-{kind.replace(' ', '-')}", title, words, figures.bins(counts), unit)
        rows = [
            ("mean", plain_number(figures.mean(counts))),
            *(
                (label, plain_number(figures.quantile(counts, share)))
                for label, share in (("10 % have at most", 0.1), ("half have at most", 0.5))
            ),
            ("90 % have at most", plain_number(figures.quantile(counts, 0.9))),
            ("most", plain_number(max(counts, default=0))),
            (counted, f"{figures.summed(counts.values()):,}"),
        ]
        yield from figure(title, words, chart, table(f"{title}, in figures", ("", unit), rows))
    ended = {str(k[1]): n for k, n in sorted(totals.items(), key=str) if k[0] == "round ended"}
    rows = [(f"rounds ended {ending}", f"{round(n):,}") for ending, n in ended.items()]
    yield table("How rounds ended", ("", "rounds"), rows)


# --- phases ---------------------------------------------------------------------------------------


def _phases(chapter: Cohort, key: str) -> Iterator[Html]:
    totals, phases = chapter.whole, chapter.rules.phases
    tried = [n for n in range(1, len(phases) + 1) if totals["tries", n]]
    made = {n: figures.made_by_turn(totals, n, TURNS_SHOWN) for n in tried}
    heads = [str(turn) for turn in range(1, TURNS_SHOWN + 1)]
    title = "Phases made by turn"
    words = (
        "Of all rounds in which a seat could lay the phase, in how many of 100 it had done so by "
        "the end of its own first, second ... turn of the round. Rounds that ended before count "
        "as not made; lost turns do not count as turns."
    )
    rates_by_phase = [(f"phase {phase_number(chapter.rules, n)}", made[n]) for n in tried]
    chart = heat(f"{key}-made", title, words, rates_by_phase, heads)
    rows = []
    for n in tried:
        at_all = figures.made_count(totals, n)
        mark = figures.win_mark("", at_all, totals["tries", n])
        needs = needs_words(phases[n - 1].needs, chapter.rules)
        rates = [percent(made[n][turn - 1]) for turn in (3, 6)]
        rows.append(
            (
                phase_number(chapter.rules, n),
                needs,
                round(totals["tries", n]),
                *rates,
                percent(mark.value or 0),
                interval_text(mark),
            )
        )
    head = ("phase", "asks for", "rounds", "by turn 3", "by turn 6", "at all", "95 %")
    yield from figure(title, words, chart, table("Phases made", head, rows))


def _points(chapter: Cohort, key: str) -> Iterator[Html]:
    totals, rules = chapter.whole, chapter.rules
    title = "Points by phase"
    if rules.scoring == "none":
        yield element("h3", title)
        yield element("p", "No points are counted in this game.", attributes='class="note"')
        return
    marks, rows = [], []
    for n in range(1, len(rules.phases) + 1):
        kinds = ("laid", "not")
        counts = {kind: totals["points of", n, kind] for kind in kinds}
        if not any(counts.values()):
            continue
        keys = [(measure, n, kind) for measure in ("points", "points of") for kind in kinds]
        estimate = figures.over_games(
            chapter, keys, lambda v: (v[0] + v[1]) / (v[2] + v[3]) if v[2] + v[3] else None
        )
        number = phase_number(rules, n)
        mark = Mark(f"phase {number}", *estimate)
        marks.append(mark)
        means = [
            value_or_dash(
                totals["points", n, kind] / counts[kind] if counts[kind] else None, share=False
            )
            for kind in kinds
        ]
        seats = round(sum(counts.values()))
        rows.append(
            (number, seats, plain_number(mark.value or 0), interval_text(mark, share=False), *means)
        )
    words = (
        "Mean points of a seat in a round, by the phase that it laid or, where it laid none, that "
        "it had to lay. Intervals are over games."
    )
    chart = ranges(f"{key}-points", title, words, marks, share=False)
    head = ("phase", "rounds of a seat", "mean", "95 %", "when laid", "when not laid")
    yield from figure(title, words, chart, table("Points in a round", head, rows))
