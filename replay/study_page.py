"""The report of a study as one page: a chapter for each rule set, its figures beside its charts."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from domain.rules import RuleSet
from domain.wording import needs_words
from replay import study_figures as figures
from replay.charts import STYLE, Mark, Span, columns, heat, lanes, percent, plain, ranges
from replay.odds_check import PhaseOdds, counted, drawn, holds, sample
from replay.page import Html, document, element, name, table
from replay.study import SOON, Story
from replay.study_games import CHAPTERS, Chapter, Study

DRAWN = 2_000
"""Hands drawn at random beside those of the games."""
TURNS_SHOWN = 12
MOST_COLUMNS = 5
"""Of a table beside its chart."""


def page(study: Study, sources: Sequence[str]) -> str:
    """The whole report."""
    chapters = sorted(study.chapters.values(), key=lambda c: (-c.games, c.rules.id, c.seats))
    games = sum(chapter.games for chapter in chapters)
    links = [
        element("li", element("a", _called(chapter), attributes=f'href="#c{n}"'))
        for n, chapter in enumerate(chapters, 1)
    ]
    parts: list[object] = [
        element("h1", "phaseledger report"),
        element("p", f"{games:,} finished games of {_sources(sources)}."),
        *_left_out(study),
        element(
            "p",
            "Intervals hold the true value in 95 of 100 cases, if the games are independent of "
            "one another; where there is none, there are too few games for it. Nothing here says "
            "that the games are genuine: that is what phaseledger audit is for.",
            attributes='class="note"',
        ),
        *(
            [element("nav", element("ul", *links), attributes='aria-label="Chapters"')]
            if links
            else []
        ),
    ]
    for number, chapter in enumerate(chapters, 1):
        parts += _chapter(chapter, f"c{number}")
    return document(f"phaseledger report: {games:,} games", *parts, more_style=STYLE)


def _sources(sources: Sequence[str]) -> Html:
    shown = [name(source) for source in sources[:5]]
    more = f" and {len(sources) - 5:,} more files" if len(sources) > 5 else ""
    return Html(", ".join(shown) + more)


def _left_out(study: Study) -> Iterator[Html]:
    some = {why: n for why, n in study.left_out.items() if n}
    if some:
        said = ", ".join(f"{n:,} {why}" for why, n in sorted(some.items()))
        yield element("p", f"Left out: {said}.")
    for fault in study.first_faults:
        yield element("p", f"Damaged: {fault}", attributes='class="note"')


def _called(chapter: Chapter) -> str:
    return f"{chapter.rules.title}, {chapter.seats} seats: {chapter.games:,} games"


def _chapter(chapter: Chapter, key: str) -> Iterator[Html]:
    rules = chapter.rules
    yield element("h2", _called(chapter), attributes=f'id="{key}"')
    yield element("p", f"Rule set {rules.id}.", attributes='class="note"')
    yield from _wins(chapter, key)
    yield from _lengths(chapter, key)
    yield from _phases(chapter, key)
    yield from _points(chapter, key)
    yield from _taking(chapter, key)
    yield from _luck(chapter, key)
    yield from _odds(chapter, key)
    for number, story in enumerate(chapter.stories, 1):
        yield from _timeline(chapter, story, f"{key}-g{number}")


def _figure(title: str, words: str, chart: Html, *tables: Html) -> Iterator[Html]:
    yield element("h3", title)
    shown = element("figure", chart, element("figcaption", words))
    beside = element("div", *tables)
    # A table of many columns has its place below.
    is_wide = any(each.count('scope="col"') > MOST_COLUMNS for each in tables)
    yield element("div", shown, beside, attributes='class="below"' if is_wide else 'class="pair"')


def _between(mark: Mark, *, share: bool = True) -> str:
    if mark.low is None or mark.high is None:
        return "-"
    told = percent if share else plain
    return _to(told(mark.low), told(mark.high))


def _to(low: str, high: str) -> str:
    """A range that is not broken over two lines."""
    return f"{low}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{high}"


def _exactly(chance: float, digits: int = 2) -> str:
    return f"{chance * 100:.{digits}f}\N{NO-BREAK SPACE}%"


def _signed(value: int) -> str:
    return f"{value:+}" if value else "0"


def _told(value: float | None, *, share: bool = True) -> str:
    return "-" if value is None else percent(value) if share else plain(value)


# --- who wins -------------------------------------------------------------------------------------


def _wins(chapter: Chapter, key: str) -> Iterator[Html]:
    whole, chance = chapter.whole, 1 / chapter.seats
    for what, title in (("seat", "Wins by seat"), ("bot", "Wins by bot")):
        rows = figures.shares(whole, what)
        called = [f"seat {who}" if what == "seat" else str(who) for who, _, _ in rows]
        marks = [
            figures.win_mark(_short(label), won, sat)
            for label, (_, won, sat) in zip(called, rows, strict=True)
        ]
        words = (
            f"Games won by those a {what} sat in; a shared win counts as its part. "
            f"The line is chance, {percent(chance)}. Intervals are Wilson's."
        )
        told = table(
            "Games won",
            (what, "games", "won", "share", "95 %"),
            [
                (name(label), figures.summed([sat]), plain(won), percent(won / sat), _between(mark))
                for label, (_, won, sat), mark in zip(called, rows, marks, strict=True)
            ],
        )
        chart = ranges(f"{key}-{what}", title, words, marks, usual=chance)
        yield from _figure(title, words, chart, told)


def _short(text: str, most: int = 24) -> str:
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


# --- how long -------------------------------------------------------------------------------------


def _lengths(chapter: Chapter, key: str) -> Iterator[Html]:
    whole = chapter.whole
    for what, title, unit in (
        ("rounds", "Rounds to finish", "rounds of a game"),
        ("turns", "Turns to finish", "turns of a game, lost ones included"),
        ("round turns", "Length of a round", "turns of a round, lost ones included"),
    ):
        found = figures.histogram(whole, what)
        of = "rounds" if what == "round turns" else "games"
        words = f"How many {of} had so many {unit}."
        chart = columns(f"{key}-{what.replace(' ', '-')}", title, words, figures.bins(found), unit)
        rows = [
            ("mean", plain(figures.mean(found))),
            *(
                (label, plain(figures.quantile(found, part)))
                for label, part in (("10 % have at most", 0.1), ("half have at most", 0.5))
            ),
            ("90 % have at most", plain(figures.quantile(found, 0.9))),
            ("most", plain(max(found, default=0))),
            (of, f"{figures.summed(found.values()):,}"),
        ]
        yield from _figure(title, words, chart, table(f"{title}, in figures", ("", unit), rows))
    ended = {str(k[1]): n for k, n in sorted(whole.items(), key=str) if k[0] == "round ended"}
    rows = [(f"rounds ended {how}", f"{round(n):,}") for how, n in ended.items()]
    yield table("How rounds ended", ("", "rounds"), rows)


# --- phases ---------------------------------------------------------------------------------------


def _phases(chapter: Chapter, key: str) -> Iterator[Html]:
    whole, phases = chapter.whole, chapter.rules.phases
    tried = [n for n in range(1, len(phases) + 1) if whole["tries", n]]
    made = {n: figures.made_by(whole, n, TURNS_SHOWN) for n in tried}
    heads = [str(turn) for turn in range(1, TURNS_SHOWN + 1)]
    title = "Phases made by turn"
    words = (
        "Of all rounds in which a seat could lay the phase, in how many of 100 it had done so by "
        "the end of its own first, second ... turn of the round. Rounds that ended before count "
        "as not made; lost turns do not count as turns."
    )
    chart = heat(f"{key}-made", title, words, [(f"phase {n}", made[n]) for n in tried], heads)
    rows = []
    for n in tried:
        at_all = figures.made_at_all(whole, n)
        mark = figures.win_mark("", at_all, whole["tries", n])
        asked = needs_words(phases[n - 1].needs, chapter.rules)
        by = [percent(made[n][turn - 1]) for turn in (3, 6)]
        rows.append(
            (n, asked, round(whole["tries", n]), *by, percent(mark.value or 0), _between(mark))
        )
    head = ("phase", "asks for", "rounds", "by turn 3", "by turn 6", "at all", "95 %")
    yield from _figure(title, words, chart, table("Phases made", head, rows))


def _points(chapter: Chapter, key: str) -> Iterator[Html]:
    whole, rules = chapter.whole, chapter.rules
    title = "Points by phase"
    if rules.scoring == "none":
        yield element("h3", title)
        yield element("p", "No points are counted in this game.", attributes='class="note"')
        return
    marks, rows = [], []
    for n in range(1, len(rules.phases) + 1):
        kinds = ("laid", "not")
        counts = {kind: whole["points of", n, kind] for kind in kinds}
        if not any(counts.values()):
            continue
        keys = [(what, n, kind) for what in ("points", "points of") for kind in kinds]
        figure = figures.over_games(
            chapter, keys, lambda v: (v[0] + v[1]) / (v[2] + v[3]) if v[2] + v[3] else None
        )
        mark = Mark(f"phase {n}", *figure)
        marks.append(mark)
        means = [
            _told(whole["points", n, kind] / counts[kind] if counts[kind] else None, share=False)
            for kind in kinds
        ]
        seats = round(sum(counts.values()))
        rows.append((n, seats, plain(mark.value or 0), _between(mark, share=False), *means))
    words = (
        "Mean points of a seat in a round, by the phase that it laid or, where it laid none, that "
        "it had to lay. Intervals are over games."
    )
    chart = ranges(f"{key}-points", title, words, marks, share=False)
    head = ("phase", "rounds of a seat", "mean", "95 %", "when laid", "when not laid")
    yield from _figure(title, words, chart, table("Points in a round", head, rows))


# --- the discard pile, and luck -------------------------------------------------------------------


def _taking(chapter: Chapter, key: str) -> Iterator[Html]:
    whole, title = chapter.whole, "Taking from the discard pile"
    sorts = [
        ("nearer", "card brought the phase nearer", True),
        ("soon", f"phase laid within {SOON} more own turns", True),
        ("score", "points at the end of the round", False),
    ]
    marks, rows = [], []
    for what, label, share in sorts:
        if not share and chapter.rules.scoring == "none":
            continue
        mark = figures.taking(chapter, what)
        if share:
            marks.append(mark._replace(label=label))
        plainly = [
            _told(figures.plain_rate(whole, what, source), share=share)
            for source in ("discard", "stock")
        ]
        rows.append((label, *plainly, _told(mark.value, share=share), _between(mark, share=share)))
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
    yield from _figure(title, words, chart, table("What followed a draw", head, rows))


def _luck(chapter: Chapter, key: str) -> Iterator[Html]:
    whole, chance = chapter.whole, 1 / chapter.seats
    bins = figures.luck_bins(whole)
    marks = [
        figures.win_mark(
            _signed(low) if low == high else _to(_signed(low), _signed(high)), won, sat
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
            (mark.label, round(sat), percent(won / sat), _between(mark))
            for mark, (_, _, won, sat) in zip(marks, bins, strict=True)
        ],
    )
    yield from _figure(title, words, ranges(f"{key}-luck", title, words, marks, usual=chance), told)
    title = "Play: wins beyond luck"
    found, rows = [], []
    for bot in figures.bots(whole):
        mark, due = figures.against_luck(chapter, bot)
        found.append(mark._replace(label=_short(bot)))
        sat = whole["sat", "bot", bot]
        luck = Mark(
            "", *figures.over_games(chapter, [("luck", bot), ("sat", "bot", bot)], figures.ratio)
        )
        won = whole["won", "bot", bot] / sat
        rows.append(
            (
                name(bot),
                _told(luck.value, share=False),
                _between(luck, share=False),
                percent(won),
                percent(due),
                _told(mark.value),
                _between(mark),
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
    yield from _figure(title, words, chart, table("Luck and play", head, rows))


# --- odds -----------------------------------------------------------------------------------------


@lru_cache(maxsize=CHAPTERS)
def _known(rules: RuleSet) -> tuple[list[PhaseOdds], list[int]]:
    """The exact odds of the phases, and how many of the hands drawn hold each."""
    phases = [phase.needs for phase in rules.phases]
    tried = [sum(column) for column in zip(*drawn(rules, phases, "report", DRAWN), strict=True)]
    return counted(rules, enumerate(rules.phases, 1)), tried


def _odds(chapter: Chapter, key: str) -> Iterator[Html]:
    rules, hands = chapter.rules, chapter.hands
    phases = [phase.needs for phase in rules.phases]
    seen = [sum(holds(hand, needs, rules) for hand in hands) for needs in phases]
    marks, rows = [], []
    exact, tried = _known(rules)
    for row, made, drew in zip(exact, seen, tried, strict=True):
        own, other = sample(made, len(hands)), sample(drew, DRAWN)
        marks.append(Mark(f"phase {row.number}", own.share, own.low, own.high, row.chance))
        rows.append(
            (
                row.number,
                row.words,
                "not counted" if row.chance is None else _exactly(row.chance, 4),
                _exactly(other.share),
                _to(_exactly(other.low), _exactly(other.high)),
                _exactly(own.share),
                _to(_exactly(own.low), _exactly(own.high)),
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
        f"{DRAWN:,} hands drawn",
        "95 %",
        "hands of these games",
        "95 %",
    )
    chart = ranges(f"{key}-odds", title, words, marks, logarithmic=True)
    yield from _figure(title, words, chart, table("Odds of a dealt hand", head, rows))


# --- one game -------------------------------------------------------------------------------------


def _timeline(chapter: Chapter, story: Story, key: str) -> Iterator[Html]:
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
    labels = [_short(f"{story.names[seat]}{' *' * (seat in story.winners)}", 18) for seat in seats]
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
