"""The HTML report on a verification: verdict, checks, findings, seats, scores and timeline."""

from collections.abc import Iterable, Sequence

from phaseledger.domain.state import State
from phaseledger.replay.pages.page import Html, document, element, name, section, table, text
from phaseledger.replay.records.findings import Status
from phaseledger.replay.text import Viewer, quoted
from phaseledger.replay.verify.checks.game import game_course
from phaseledger.replay.verify.codes import CODES
from phaseledger.replay.verify.difference import side_by_side
from phaseledger.replay.verify.evidence import (
    CheckOutcome,
    CheckResult,
    Document,
    Grade,
    Judgement,
    ProblemGroup,
    SeatReport,
    SeatWord,
    VerificationProblem,
)
from phaseledger.replay.verify.grades import MEANINGS
from phaseledger.replay.verify.problem_groups import event_label, others_label
from phaseledger.replay.verify.questions.answer_text import trust_label
from phaseledger.replay.verify.questions.story_text import parting_lines
from phaseledger.replay.verify.text import facet_values, is_blamed_in_vain
from phaseledger.replay.verify.timeline import scores, timeline
from phaseledger.replay.verify.timeline_events import timeline_events
from phaseledger.replay.verify.verify import ExaminedBundle

_NO_POLICY = (
    "Without a policy: nobody vouches for the operator's keys, so no signature in the file proves "
    "anything against the operator."
)
_TRUSTWORTHY: tuple[Grade, ...] = ("proven", "attested")
"""Grades of which cards and moves are not the operator's word; no other verdict is green."""
_STATUS: dict[Status, str] = {
    "finished": "played to its end",
    "voided": "broken off",
    "unfinished": "none yet",
}
_OUTCOMES: dict[CheckOutcome, Html] = {
    "passed": Html('<span class="good">passed</span>'),
    "failed": Html('<strong class="bad">failed</strong>'),
    "not_checked": Html("not checked"),
}
_WORDS: dict[SeatWord, str] = {
    "signed": "signed by the seat",
    "repudiable": "authenticated, repudiable",
    "bot": "said to be a bot's: the operator could have made them",
}


def html_report(result: Document, examined: Sequence[ExaminedBundle]) -> str:
    """The report on a verification; ``examined`` are the bundles that the document judges."""
    games = ", ".join(dict.fromkeys(judgement.game for judgement in result.bundles)) or "no game"
    parts = [
        part
        for number, examination in enumerate(examined, 1)
        for part in _on_bundle(examination, str(number) * (len(examined) > 1))
    ]
    stories = [
        section(f"stories{number}", "Two stories of one game", *map(_line, parting_lines(parting)))
        for number, parting in enumerate(result.stories, 1)
    ]
    return document(f"phaseledger verify: {games}", *_verdict(result), *stories, *parts)


def _line(line: str) -> Html:
    return element("p", line.strip())


def _verdict(result: Document) -> list[Html]:
    """The head of the report: the verdict in one sentence, its class, exit code and policy."""
    judgements = result.bundles
    grades = list(MEANINGS)
    worst = next(
        (judgement for judgement in judgements if judgement.problems),
        max(judgements, key=lambda judgement: grades.index(judgement.grade), default=None),
    )
    if result.damage or worst is None:
        sentence = f"DAMAGED: this cannot be judged. {' '.join(result.damage)}"
        kind, grade = "damaged", "none"
    else:
        problem = worst.problems[0] if worst.problems else None
        sentence, kind = worst.headline, worst.conclusion.replace("_", " ")
        grade = worst.grade
        sentence += f": {_where(problem)}{problem.text}" if problem else "."
    css_class = ("good" if grade in _TRUSTWORTHY else "fair") if result.sound else "bad"
    policy_note = f"Under the policy {result.policy}." if result.policy else _NO_POLICY
    return [
        element("h1", "Verdict of phaseledger verify", attributes='class="kicker"'),
        element("p", sentence, attributes=f'class="verdict {css_class}"'),
        element("p", f"Class: {kind}; grade: {grade}; exit code {result.exit_code}. {policy_note}"),
    ]


def _where(problem: VerificationProblem) -> str:
    return f"{event_label(problem)}: " if problem.seq else ""


def _on_bundle(examined: ExaminedBundle, number: str) -> list[Html]:
    """The sections on one bundle; their titles have its number if there are several."""
    case, judgement = examined
    events, replay = timeline_events(case), game_course(case)
    viewer: Viewer = "all" if case.bundle.over else judgement.seat
    last_state = next((entry.state for entry in reversed(events) if entry.state), None)
    prefix = f"Bundle {number}: " * bool(number)

    def part(key: str, title: str, *content: object) -> Html:
        return section(f"{key}{number}", f"{prefix}{title}", *content)

    parts = [part("checked", "What was checked", *_check_tables(judgement))]
    if judgement.problems:
        parts.append(part("findings", "Findings", *map(_finding, judgement.findings)))
    bad_seq = next((problem.seq for problem in judgement.problems if case.is_of_event(problem)), 0)
    if replay.expected or replay.recorded:
        bad_seq = len(replay.steps) + 1
        comparison = side_by_side(replay.expected, replay.recorded)
        parts.append(part("bad", f"The first bad event: {bad_seq}", comparison))
    if last_state:
        parts.append(part("seats", "Seats", _seats(judgement, last_state)))
        if last_state.round:
            parts.append(part("rounds", "Rounds", scores(events, last_state)))
    return [*parts, part("events", "Events", timeline(events, viewer, bad_seq))]


def _check_tables(judgement: Judgement) -> Iterable[Html]:
    facts = (
        ("file", judgement.source),
        ("game", judgement.game),
        ("rule set", judgement.ruleset or "unknown"),
        ("ending", _STATUS[judgement.status]),
        (_owing_label(judgement), ", ".join(f"seat {seat}" for seat in judgement.owing)),
        ("events", f"{judgement.events:,}"),
        ("head", element("code", judgement.head)),
        (
            "shows",
            "what everybody may see"
            if judgement.seat is None
            else f"what seat {judgement.seat} may see",
        ),
    )
    yield table("The bundle", (), [fact for fact in facts if fact[1]])
    if judgement.facets:
        yield table("Whose word it is", (), facet_values(judgement.facets))
    yield table("The checks", ("check", "outcome", "in words"), map(_check, judgement.checks))
    keys = [
        (element("code", signer.key), trust_label(trusted=signer.trusted))
        for signer in judgement.signers
    ]
    if keys:
        yield table("The keys whose signatures are in the bundle", ("key", "trust"), keys)
    yield from (element("p", note) for note in judgement.notes)


def _owing_label(judgement: Judgement) -> str:
    """How to speak of the seats that a voided game names: nobody owes what was not due yet."""
    return "blamed without ground" if is_blamed_in_vain(judgement) else "still owed by"


def _check(check: CheckResult) -> tuple[object, ...]:
    return check.topic.replace("_", " "), _OUTCOMES[check.outcome], check.text


def _finding(group: ProblemGroup) -> Html:
    """The table of one finding, with what `phaseledger explain` says of its code."""
    problem = group.problem
    explained = CODES[problem.code]
    place = f"{problem.source}:{problem.line}" if problem.line else problem.source
    rows = (
        ("event", event_label(problem)),
        ("line", place),
        ("rule", problem.rule),
        ("refused with", problem.reject),
        ("expected", problem.expected),
        ("recorded", problem.recorded),
        ("and", others_label(group)),
        ("what it means", explained.means),
        ("what it proves", explained.proves),
        ("what to do", explained.advice),
    )
    caption = Html(f"<code>{text(problem.code)}</code>: {text(problem.text)}")
    return table(caption, (), [row for row in rows if row[1]])


def _seats(judgement: Judgement, state: State) -> Html:
    """The table of seats: who played, and what of it can be proved to others."""
    rows = []
    for report in judgement.seats:
        seat = state.seats[report.seat] if report.seat < len(state.seats) else None
        bot = f"bot ({seat.bot})" if seat and seat.bot else "a client"
        secret = "brought by the seat" if report.secret_by == "seat" else "made by the server"
        word = "a bot's, whose program makes the same" if report.program else _WORDS[report.word]
        moves = Html(
            f"{word}{_key(report) * bool(report.key)}"
            f"{f'; a bot sent {report.stood_in:,} in its place' * bool(report.stood_in)}"
        )
        rows.append((report.seat, name(quoted(report.name)), bot, report.commands, moves, secret))
    head = ("seat", "name", "played by", "commands", "its moves are", "its secret was")
    return table("Who sat at the table", head, rows)


def _key(report: SeatReport) -> str:
    return f" with <code>{text(report.key)}</code>, {trust_label(trusted=report.named)}"
