"""The HTML report on a verification: verdict, checks, findings, seats, scores and timeline."""

from collections.abc import Iterable, Sequence
from typing import get_args

from phaseledger.domain.state import State
from phaseledger.replay.evidence.verify.checks.game import game_course
from phaseledger.replay.evidence.verify.codes import CODES
from phaseledger.replay.evidence.verify.difference import side_by_side
from phaseledger.replay.evidence.verify.evidence import (
    CheckOutcome,
    CheckResult,
    Document,
    Grade,
    Judgement,
    ProblemGroup,
    SeatReport,
)
from phaseledger.replay.evidence.verify.headline import headline
from phaseledger.replay.evidence.verify.problem_groups import event_label, others_label
from phaseledger.replay.evidence.verify.questions.answer_text import parting_lines
from phaseledger.replay.evidence.verify.text import check_text, facet_values, owing_word
from phaseledger.replay.evidence.verify.timeline import scores, timeline
from phaseledger.replay.evidence.verify.timeline_events import timeline_events
from phaseledger.replay.evidence.verify.verdict_words import (
    IN_ENGLISH,
    VerdictPageWords,
    VerdictWords,
    seat_name,
)
from phaseledger.replay.evidence.verify.verify import ExaminedBundle
from phaseledger.replay.pages.page import Html, document, element, name, section, table
from phaseledger.replay.text import Viewer, quoted

_TRUSTWORTHY: tuple[Grade, ...] = ("proven", "attested")
"""Grades of which cards and moves are not the operator's word; no other verdict is green."""
_OUTCOMES: dict[CheckOutcome, tuple[str, str]] = {
    "passed": ("span", 'class="good"'),
    "failed": ("strong", 'class="bad"'),
}
"""The element of an outcome that is marked, and its attributes."""


def html_report(
    result: Document, examined: Sequence[ExaminedBundle], verdict: VerdictWords = IN_ENGLISH
) -> str:
    """The report on a verification; ``examined`` are the bundles that the document judges, and the
    events of both are told in the language of the ``verdict``.
    """
    words = VerdictPageWords(verdict)
    named = ", ".join(dict.fromkeys(judgement.game for judgement in result.bundles))
    title = words.text("page", games=named or words.text("page.no_game"))
    parts = [
        part
        for number, examination in enumerate(examined, 1)
        for part in _on_bundle(examination, str(number) * (len(examined) > 1), words)
    ]
    stories = [
        section(
            f"stories{number}",
            words.text("stories"),
            *(element("p", line.strip()) for line in parting_lines(parting, verdict)),
        )
        for number, parting in enumerate(result.stories, 1)
    ]
    return document(title, *_verdict(result, words), *stories, *parts, lang=words.lang)


def _verdict(result: Document, words: VerdictPageWords) -> list[Html]:
    """The head of the report: the verdict in one sentence, its class, exit code and policy."""
    judgements, spoken = result.bundles, words.verdict
    grades = get_args(Grade)
    worst = next(
        (judgement for judgement in judgements if judgement.problems),
        max(judgements, key=lambda judgement: grades.index(judgement.grade), default=None),
    )
    if result.damage or worst is None:
        damage = " ".join(map(spoken.say, result.damage))
        sentence = words.text(
            "verdict.damaged", headline=spoken.text("headline.damaged"), damage=damage
        )
        kind, grade = "damaged", "none"
    else:
        sentence, kind, grade = _headline(worst, words), worst.conclusion, worst.grade
    css_class = ("good" if grade in _TRUSTWORTHY else "fair") if result.sound else "bad"
    classed = words.text(
        "class",
        kind=words.text(f"class.{kind}"),
        grade=spoken.text(f"headline.grade.{grade}"),
        exit_code=result.exit_code,
        policy=words.text("policy" if result.policy else "policy.none", policy=result.policy),
    )
    return [
        element("h1", words.text("title"), attributes='class="kicker"'),
        element("p", sentence, attributes=f'class="verdict {css_class}"'),
        element("p", classed),
    ]


def _headline(judgement: Judgement, words: VerdictPageWords) -> str:
    """The verdict on a bundle, with the first thing that is wrong."""
    verdict = headline(judgement, words.lang)
    if not judgement.problems:
        return words.text("verdict", headline=verdict)
    problem = judgement.problems[0]
    return words.text(
        "verdict.event" if problem.seq else "verdict.problem",
        headline=verdict,
        event=event_label(problem, words.verdict),
        text=words.verdict.say(problem.text),
    )


def _on_bundle(examined: ExaminedBundle, number: str, words: VerdictPageWords) -> list[Html]:
    """The sections on one bundle; their titles have its number if there are several."""
    case, judgement = examined
    events, replay = timeline_events(case), game_course(case)
    viewer: Viewer = "all" if case.bundle.over else judgement.seat
    last_state = next((entry.state for entry in reversed(events) if entry.state), None)

    def part(key: str, *content: object, seq: int = 0) -> Html:
        title = words.text(key, seq=seq)
        if number:
            title = words.text("of_bundle", number=number, title=title)
        return section(f"{key}{number}", title, *content)

    parts = [part("checked", *_check_tables(judgement, words))]
    if judgement.problems:
        findings = (_finding(group, words) for group in judgement.findings)
        parts.append(part("findings", *findings))
    bad_seq = next((problem.seq for problem in judgement.problems if case.is_of_event(problem)), 0)
    if replay.expected or replay.recorded:
        bad_seq = len(replay.steps) + 1
        parts.append(
            part("bad", side_by_side(replay.expected, replay.recorded, words), seq=bad_seq)
        )
    if last_state:
        parts.append(part("seats", _seats(judgement, last_state, words)))
        if last_state.round:
            parts.append(part("rounds", scores(events, last_state, words)))
    return [*parts, part("events", timeline(events, viewer, bad_seq, words))]


def _check_tables(judgement: Judgement, words: VerdictPageWords) -> Iterable[Html]:
    verdict = words.verdict
    shows = "bundle.everybody" if judgement.seat is None else "bundle.seat"
    facts = (
        (words.text("bundle.file"), judgement.source),
        (words.text("bundle.game"), judgement.game),
        (words.text("bundle.ruleset"), judgement.ruleset or words.text("bundle.unknown")),
        (words.text("bundle.ending"), words.text(f"bundle.{judgement.status}")),
        # Seats may owe nothing: it was not due yet.
        (words.text(f"bundle.{owing_word(judgement)}"), verdict.owing(judgement)),
        (words.text("bundle.events"), words.number(judgement.events)),
        (words.text("bundle.head"), element("code", judgement.head)),
        (words.text("bundle.shows"), words.text(shows, seat=seat_name(judgement, judgement.seat))),
    )
    yield table(words.text("bundle"), (), [fact for fact in facts if fact[1]])
    if judgement.facets:
        facets = [
            words.texts(f"facet.{facet}", f"facet.{facet}.{value}")
            for facet, value in facet_values(judgement.facets)
        ]
        yield table(words.text("facets"), (), facets)
    checks = (_check(check, words) for check in judgement.checks)
    yield table(words.text("checks"), words.texts("check", "check.outcome", "check.words"), checks)
    keys = [
        (element("code", signer.key), verdict.trust(trusted=signer.trusted))
        for signer in judgement.signers
    ]
    if keys:
        yield table(words.text("keys"), words.texts("key", "key.trust"), keys)
    yield from (element("p", verdict.say(note)) for note in judgement.notes)


def _check(check: CheckResult, words: VerdictPageWords) -> tuple[object, ...]:
    topic, sentence = check_text(check, words.verdict)
    outcome: object = words.text(f"check.{check.outcome}")
    if marked := _OUTCOMES.get(check.outcome):
        tag, attributes = marked
        outcome = element(tag, outcome, attributes=attributes)
    return topic, outcome, sentence


def _finding(group: ProblemGroup, words: VerdictPageWords) -> Html:
    """The table of one finding, with what `phaseledger explain` says of its code."""
    problem, say = group.problem, words.verdict.say
    explained = CODES[problem.code]
    place = f"{problem.source}:{problem.line}" if problem.line else problem.source
    rows = (
        ("event", event_label(problem, words.verdict)),
        ("line", place),
        ("rule", problem.rule),
        ("reject", problem.reject),
        ("expected", say(problem.expected)),
        ("recorded", say(problem.recorded)),
        ("and", say(others_label(group))),
        ("means", say(explained.means)),
        ("proves", say(explained.proves)),
        ("advice", say(explained.advice)),
    )
    code, text = element("code", problem.code), say(problem.text)
    caption = words.html("finding", code=code, text=text)
    return table(
        caption, (), [(words.text(f"finding.{head}"), value) for head, value in rows if value]
    )


def _seats(judgement: Judgement, state: State, words: VerdictPageWords) -> Html:
    """The table of seats: who played, and what of it can be proved to others."""
    rows = []
    for report in judgement.seats:
        seat = state.seats[report.seat] if report.seat < len(state.seats) else None
        client = words.text("seat.client")
        bot = words.text("seat.bot", bot=seat.bot) if seat and seat.bot else client
        secret = words.text(f"seat.secret.{report.secret_by}")
        if report.secret_by == "seat" and report.word != "signed":
            secret = words.verdict.line("claimed_secret")
        player = name(quoted(report.name))
        moves = _moves(report, words)
        rows.append((report.seat, player, bot, report.commands, moves, secret))
    heads = ("seat.name", "seat.played_by", "seat.commands", "seat.moves", "seat.secret")
    return table(words.text("seats.table"), words.texts("seat", *heads), rows, words.lang)


def _moves(report: SeatReport, words: VerdictPageWords) -> Html:
    """Who vouches for the moves of a seat."""
    moves = words.html(f"moves.{'program' if report.program else report.word}")
    if report.key:
        key, trust = element("code", report.key), words.verdict.trust(trusted=report.named)
        moves = words.html("moves.key", moves=moves, key=key, trust=trust)
    if report.stood_in:
        moves = words.html("moves.stood_in", moves=moves, count=report.stood_in)
    return moves
