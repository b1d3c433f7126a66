"""The report of a study as one page: a chapter for each rule set, its figures beside its charts."""

from collections.abc import Iterator, Sequence

from phaseledger.domain.explain.wording import list_of, needs_words
from phaseledger.domain.explain.wording import title as game_title
from phaseledger.domain.resolve import usual_value
from phaseledger.domain.ruleset import RuleSet, phase_number
from phaseledger.domain.rulesets import find_game
from phaseledger.replay.laboratory.report import figures
from phaseledger.replay.laboratory.report.cards import dealt_odds, luck, taking, timeline
from phaseledger.replay.laboratory.report.games import Cohort, Study
from phaseledger.replay.laboratory.report.opening import opening
from phaseledger.replay.laboratory.report.tables import figure, short
from phaseledger.replay.laboratory.report.words import ReportWords
from phaseledger.replay.pages.charts import STYLE, Mark, columns, heat, ranges
from phaseledger.replay.pages.page import Html, document, element, name, table

TURNS_SHOWN = 12
_ENGLISH = ReportWords()


def page(study: Study, sources: Sequence[str], words: ReportWords = _ENGLISH) -> str:
    """The whole report."""
    chapters = sorted(study.chapters.values(), key=lambda c: (-c.games, c.rules.id, c.seats))
    games = sum(chapter.games for chapter in chapters)
    parts: list[object] = [
        element(
            "h1",
            words.html("title", count=games, sources=_sources(sources, words)),
            attributes='class="kicker"',
        ),
        *opening(chapters, words),
        *_left_out(study, words),
        element("p", words.text("caution"), attributes='class="note"'),
    ]
    for number, chapter in enumerate(chapters, 1):
        parts += _chapter(chapter, f"c{number}", words)
    title = words.text("page", count=games)
    return document(title, *parts, more_style=STYLE, lang=words.lang)


def _sources(sources: Sequence[str], words: ReportWords) -> Html:
    names = Html(", ".join(map(name, sources[:5])))
    further = len(sources) - 5
    return words.html("sources", count=further, names=names) if further > 0 else names


def reasons(study: Study, words: ReportWords) -> str:
    """The number of games left out, by the reason; empty where all count."""
    return ", ".join(
        words.text(f"left_out.{reason}", count=count)
        for reason, count in sorted(study.left_out.items())
        if count
    )


def _left_out(study: Study, words: ReportWords) -> Iterator[Html]:
    if why := reasons(study, words):
        yield element("p", words.text("left_out", reasons=why))
    for fault in study.first_faults:
        sentence = words.text("damaged", fault=words.say(fault))
        yield element("p", sentence, attributes='class="note"')


def _chapter(chapter: Cohort, key: str, words: ReportWords) -> Iterator[Html]:
    title = words.text(
        "chapter",
        count=chapter.games,
        title=game_title(chapter.rules, words.lang),
        seats=chapter.seats,
    )
    yield element("h2", title, attributes=f'id="{key}"')
    yield element("p", _rules(chapter.rules, words), attributes='class="note"')
    yield from _wins(chapter, key, words)
    yield from _lengths(chapter, key, words)
    yield from _phases(chapter, key, words)
    yield from _points(chapter, key, words)
    yield from taking(chapter, key, words)
    yield from luck(chapter, key, words)
    yield from dealt_odds(chapter, key, words)
    for number, story in enumerate(chapter.stories, 1):
        yield from timeline(chapter, story, f"{key}-g{number}", words)


def _rules(rules: RuleSet, words: ReportWords) -> str:
    """The rule set, and its options that are not as usual."""
    game = find_game(rules.id)
    chosen = [
        f"{option}={usual_value(rules, option)}"
        for option in (game.settings if game else ())
        if game and usual_value(rules, option) != usual_value(game.rules, option)
    ]
    if not chosen:
        return words.text("rules", id=rules.id)
    return words.text("rules.house", id=rules.id, options=list_of(chosen, words.lang))


# --- who wins -------------------------------------------------------------------------------------


def _wins(chapter: Cohort, key: str, words: ReportWords) -> Iterator[Html]:
    totals, chance = chapter.whole, 1 / chapter.seats
    for kind in ("seat", "bot"):
        rows = figures.shares(totals, kind)
        labels = [words.player(identity) for identity, _, _ in rows]
        marks = [
            figures.win_mark(short(label), won, sat)
            for label, (_, won, sat) in zip(labels, rows, strict=True)
        ]
        title = words.text(f"wins.{kind}")
        description = words.text(f"wins.{kind}.words", chance=words.share(chance))
        wins_table = table(
            words.text("wins"),
            words.texts(f"wins.{kind}.head", "games", "won", "share", "interval"),
            [
                (
                    name(label),
                    figures.summed([sat]),
                    words.plain(won),
                    words.share(won / sat),
                    words.interval(mark),
                )
                for label, (_, won, sat), mark in zip(labels, rows, marks, strict=True)
            ],
            words.lang,
        )
        chart = ranges(f"{key}-{kind}", title, description, marks, usual=chance, lang=words.lang)
        yield from figure(title, description, chart, wins_table)


# --- how long -------------------------------------------------------------------------------------


def _lengths(chapter: Cohort, key: str, words: ReportWords) -> Iterator[Html]:
    totals = chapter.whole
    for kind in ("rounds", "turns", "round turns"):
        counts = figures.histogram(totals, kind)
        title, description = words.text(kind), words.text(f"{kind}.words")
        unit = words.text(f"{kind}.unit")
        chart = columns(
            f"{key}-{kind.replace(' ', '-')}",
            title,
            description,
            figures.bins(counts),
            unit,
            words.lang,
        )
        parts = (("least_tenth", 0.1), ("half", 0.5), ("most_tenth", 0.9))
        rows = [
            (words.text("mean"), words.plain(figures.mean(counts))),
            *(
                (words.text(code), words.number(figures.quantile(counts, part)))
                for code, part in parts
            ),
            (words.text("most"), words.number(max(counts, default=0))),
            (words.text(f"{kind}.counted"), words.number(figures.summed(counts.values()))),
        ]
        in_figures = table(words.text("figures", title=title), ("", unit), rows, words.lang)
        yield from figure(title, description, chart, in_figures)
    ended = {str(k[1]): n for k, n in sorted(totals.items(), key=str) if k[0] == "round ended"}
    rows = [(words.text(f"ended.{ending}"), words.number(round(n))) for ending, n in ended.items()]
    yield table(words.text("ended"), ("", words.text("ended.rounds")), rows, words.lang)


# --- phases ---------------------------------------------------------------------------------------


def _phases(chapter: Cohort, key: str, words: ReportWords) -> Iterator[Html]:
    totals, phases = chapter.whole, chapter.rules.phases
    tried = [n for n in range(1, len(phases) + 1) if totals["tries", n]]
    made = {n: figures.made_by_turn(totals, n, TURNS_SHOWN) for n in tried}
    heads = [str(turn) for turn in range(1, TURNS_SHOWN + 1)]
    title, description = words.text("made"), words.text("made.words")
    rates_by_phase = [
        (words.text("phase", phase=phase_number(chapter.rules, n)), made[n]) for n in tried
    ]
    chart = heat(f"{key}-made", title, description, rates_by_phase, heads)
    rows = []
    for n in tried:
        at_all = figures.made_count(totals, n)
        mark = figures.win_mark("", at_all, totals["tries", n])
        needs = needs_words(phases[n - 1].needs, chapter.rules, lang=words.lang)
        rates = [words.share(made[n][turn - 1]) for turn in (3, 6)]
        rows.append(
            (
                phase_number(chapter.rules, n),
                needs,
                round(totals["tries", n]),
                *rates,
                words.share(mark.value or 0),
                words.interval(mark),
            )
        )
    head = (
        *(words.text(f"made.{column}") for column in ("phase", "needs", "rounds")),
        *(words.text("made.by_turn", turn=turn) for turn in (3, 6)),
        words.text("made.at_all"),
        words.text("interval"),
    )
    phases_table = table(words.text("made.table"), head, rows, words.lang)
    yield from figure(title, description, chart, phases_table)


def _points(chapter: Cohort, key: str, words: ReportWords) -> Iterator[Html]:
    totals, rules = chapter.whole, chapter.rules
    title = words.text("points")
    if rules.scoring == "none":
        yield element("h3", title)
        yield element("p", words.text("points.none"), attributes='class="note"')
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
        mark = Mark(words.text("phase", phase=number), *estimate)
        marks.append(mark)
        means = [
            words.value(
                totals["points", n, kind] / counts[kind] if counts[kind] else None, share=False
            )
            for kind in kinds
        ]
        seats = round(sum(counts.values()))
        mean, interval = words.plain(mark.value or 0), words.interval(mark, share=False)
        rows.append((number, seats, mean, interval, *means))
    description = words.text("points.words")
    chart = ranges(f"{key}-points", title, description, marks, share=False, lang=words.lang)
    heads = ("made.phase", "points.rounds", "mean", "interval", "points.laid", "points.not")
    points_table = table(words.text("points.table"), words.texts(*heads), rows, words.lang)
    yield from figure(title, description, chart, points_table)
