"""What a verification found out, in words: the verdict first, then what it rests on."""

from collections.abc import Iterator

from phaseledger.replay.verify.evidence import (
    CheckOutcome,
    Conclusion,
    Judgement,
    Problem,
    SeatReport,
)

_VERDICTS: dict[Conclusion, str] = {
    "sound": "SOUND: the game is over, and everything about it is right",
    "sound_so_far": "NOTHING WRONG SO FAR: the game is not over, and not all can be checked",
    "wrong": "WRONG: this is no game played by its rules from its secrets",
    "damaged": "DAMAGED: this cannot be judged",
    "operator": "NOT VOUCHED FOR: the operator's evidence does not hold",
    "too_little": "TOO LITTLE: nothing is wrong, but the policy asks for more",
}
_OUTCOMES: dict[CheckOutcome, str] = {
    "passed": "ok",
    "failed": "FAILED",
    "not_checked": "-",
}


def judgement_lines(found: Judgement) -> Iterator[str]:
    """A judgement in lines."""
    yield _VERDICTS[found.conclusion]
    view = "" if found.seat is None else f", as seat {found.seat} may see it"
    yield f"  {found.source}: game {found.game}, {found.ruleset}, {found.status}{view}"
    yield f"  {found.events:,} events, head {found.head}"
    if found.owing:
        yield f"  still owed by: {', '.join(f'seat {seat}' for seat in found.owing)}"
    for problem in found.problems:
        yield from _problem_lines(problem)
    yield "  checked:"
    for check in found.checks:
        topic = check.topic.replace("_", " ")
        yield f"    {_OUTCOMES[check.outcome]:6}  {topic:18}  {check.text}"
    if found.seats:
        yield "  seats:"
        yield from (f"    {_seat_line(seat)}" for seat in found.seats)
    for signer in found.signers:
        word = "named by the policy" if signer.trusted else "nobody vouches for it"
        yield f"  key {signer.key}: {word}"
    yield from (f"  note: {note}" for note in found.notes)


def _problem_lines(problem: Problem) -> Iterator[str]:
    rule = f" [{problem.rule}]" if problem.rule else ""
    event = f"event {problem.seq}, " if problem.seq else ""
    place = f"{problem.source}:{problem.line}" if problem.line else problem.source
    yield f"  {problem.code}{rule}: {event}{place}: {problem.text}"
    if problem.expected:
        yield f"    expected: {problem.expected}"
    if problem.recorded:
        yield f"    recorded: {problem.recorded}"


def _seat_line(seat: SeatReport) -> str:
    words = {
        "signed": f"signed (key {seat.key})",
        "repudiable": "authenticated, repudiable",
        "bot": "said to be a bot: the operator could have played it",
    }
    if seat.program:
        words["bot"] = "a bot, whose program makes the same moves"
    whose = "its own secret" if seat.secret_by == "seat" else "a secret made by the server"
    stood_in = f"; a bot sent {seat.stood_in:,} in its place" if seat.stood_in else ""
    said = f"{seat.commands:,} commands, {words[seat.word]}{stood_in}; {whose}"
    return f"{seat.seat} {seat.name}: {said}"
