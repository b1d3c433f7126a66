"""The result of a verification as text: the verdict first, then what it rests on."""

import re
from collections.abc import Iterator

from msgspec.structs import asdict

from phaseledger.replay.text import quoted
from phaseledger.replay.verify.codes import BY_THE_CLOCK
from phaseledger.replay.verify.evidence import (
    CheckOutcome,
    Facets,
    Judgement,
    ProblemGroup,
    SeatReport,
)
from phaseledger.replay.verify.problem_groups import event_label, others_label
from phaseledger.replay.verify.questions.answer_text import answer_lines, trust_label

_OUTCOMES: dict[CheckOutcome, str] = {
    "passed": "ok",
    "failed": "FAILED",
    "not_checked": "-",
}
_PLAIN = re.compile(r"[a-z0-9-]*(@[0-9]+)?")


def owing_label(judgement: Judgement) -> str:
    """How to speak of the seats that a voided game names: nobody owes what was not due yet."""
    in_vain = any(problem.code in BY_THE_CLOCK for problem in judgement.problems)
    return "blamed without ground" if in_vain else "still owed by"


def facet_values(facets: Facets) -> list[tuple[str, str]]:
    """Each facet's name and value."""
    return list(asdict(facets).items())


def judgement_lines(judgement: Judgement) -> Iterator[str]:
    """The lines on one bundle's judgement."""
    yield judgement.headline
    view = "" if judgement.seat is None else f", as seat {judgement.seat} may see it"
    ruleset = judgement.ruleset or "unknown rules"
    if judgement.ruleset and not _PLAIN.fullmatch(judgement.ruleset):
        ruleset = quoted(judgement.ruleset)
    game = f"game {judgement.game}, {ruleset}, {judgement.status}{view}"
    yield f"  {judgement.source}: {game}"
    yield f"  {judgement.events:,} events, head {judgement.head}"
    if judgement.facets:
        yield f"  {', '.join(f'{name}: {value}' for name, value in facet_values(judgement.facets))}"
    if judgement.owing:
        seats = ", ".join(f"seat {seat}" for seat in judgement.owing)
        yield f"  {owing_label(judgement)}: {seats}"
    for group in judgement.findings:
        yield from _finding_lines(group)
    if judgement.question:
        yield from answer_lines(judgement)
    else:
        yield from _ground_lines(judgement)
    yield from (f"  note: {note}" for note in judgement.notes)


def _ground_lines(judgement: Judgement) -> Iterator[str]:
    """What the verdict rests on."""
    yield "  checked:"
    for check in judgement.checks:
        topic = check.topic.replace("_", " ")
        yield f"    {_OUTCOMES[check.outcome]:6}  {topic:18}  {check.text}"
    if judgement.seats:
        yield "  seats:"
        yield from (f"    {_seat_line(seat)}" for seat in judgement.seats)
    for signer in judgement.signers:
        yield f"  key {signer.key}: {trust_label(trusted=signer.trusted)}"


def _finding_lines(group: ProblemGroup) -> Iterator[str]:
    problem = group.problem
    rule = f" [{problem.rule}]" if problem.rule else ""
    event = f"{event_label(problem)}, " if problem.seq else ""
    place = f"{problem.source}:{problem.line}" if problem.line else problem.source
    yield f"  {problem.code}{rule}: {event}{place}: {problem.text}"
    if problem.expected:
        yield f"    expected: {problem.expected}"
    if problem.recorded:
        yield f"    recorded: {problem.recorded}"
    if others := others_label(group):
        yield f"    and {others}"


def _seat_line(seat: SeatReport) -> str:
    words = {
        "signed": f"signed (key {seat.key}, {trust_label(trusted=seat.named)})",
        "repudiable": "authenticated, repudiable",
        "bot": "said to be a bot: the operator could have played it",
    }
    if seat.program:
        words["bot"] = "a bot, whose program makes the same moves"
    secret = "its own secret" if seat.secret_by == "seat" else "a secret made by the server"
    stood_in = f"; a bot sent {seat.stood_in:,} in its place" if seat.stood_in else ""
    summary = f"{seat.commands:,} commands, {words[seat.word]}{stood_in}; {secret}"
    return f"{seat.seat} {quoted(seat.name)}: {summary}"
