"""Checks of the game in a bundle: the two proofs, the seats' signatures, and who sat there."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from phaseledger.domain.events import TurnTimedOut
from phaseledger.domain.state import State
from phaseledger.replay.audit import proofs
from phaseledger.replay.audit.auditor import Auditor
from phaseledger.replay.audit.proofs import ProofFailed
from phaseledger.replay.records.findings import SourceRow, first_difference
from phaseledger.replay.transcript.walk import Step
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.command_signatures import command_signatures
from phaseledger.replay.verify.evidence import SeatReport, SeatWord, Topic, VerificationProblem
from phaseledger.replay.verify.seats import Occupant


class GameCourse(NamedTuple):
    """The replay of a bundle's game: its good events; the first bad one, as due and as stored."""

    steps: tuple[Step, ...]
    expected: bytes | None = None
    recorded: bytes | None = None


def game_course(case: Case) -> GameCourse:
    """Replay the game up to the first bad event; a running one as far as it is known."""
    steps: list[Step] = []
    if not case.bundle.over:
        with suppress(ProofFailed):
            states = proofs.states(case.events, complete=False)
            steps.extend(map(Step, case.events, states))
        return GameCourse(tuple(steps))
    auditor = Auditor(case.bundle.header.game)
    for row in _rows(case):
        event = auditor.feed(row)
        if event is None:
            return GameCourse(tuple(steps), auditor.due, row.stored)
        assert auditor.state is not None
        steps.append(Step(event, auditor.state))
    return GameCourse(tuple(steps))


def _rows(case: Case) -> Iterator[SourceRow]:
    """The bundle's events as rows for the auditor; ``place`` is the line."""
    for event, stored in zip(case.bundle.events, case.stored, strict=True):
        yield SourceRow(case.bundle.header.game, event.form.type, stored, event.line)


def check_running(case: Case) -> None:
    """Fold the events of a game that is not over, as far as they are known."""
    case.check(
        "seed_and_decisions",
        "not_checked",
        "A game is decided again from its seed once it is over.",
    )
    try:
        state = proofs.fold(case.events, complete=False)
    except ProofFailed as fault:
        event = case.bundle.events[fault.seq - 1]
        case.find("state_differs", "what follows from the events before", str(fault), event=event)
        case.check("events_alone", "failed", f"Event {fault.seq}: {fault}.")
        return
    if _is_cut(case, state):
        expected, last = "the rest of the last command", case.bundle.events[-1]
        case.find("truncated", expected, f"{last.form.type}, and nothing after it", event=last)
        case.check("events_alone", "failed", "The events end within a command.")
        return
    text = "Followed as far as they are known: the number of cards is right at all times."
    case.check("events_alone", "passed", text)


def _is_cut(case: Case, state: State) -> bool:
    """Whether public facts show that the last command of a running game is not whole.

    After each command a game that goes on waits for somebody. Who may watch only some events or
    rounds late has honest files that end anywhere.
    """
    if case.viewer is None and state.terms.spectators in ("delayed", "round"):
        return False
    last = case.events[-1]
    goes_on = isinstance(last, TurnTimedOut) and last.then != "bot_move"
    return goes_on or (state.stage in ("sealed", "playing") and not state.waits)


def check_game(case: Case) -> None:
    """Check both proofs of a game that is over; where they fail, find the first bad event."""
    folded_state, fold_fault = _prove(
        case, "events_alone", lambda: proofs.fold(case.events, complete=True)
    )
    replayed_state, replay_fault = _prove(
        case,
        "seed_and_decisions",
        lambda: _decided_again(case),
    )
    if folded_state and replayed_state and folded_state == replayed_state:
        case.check("agreement", "passed", "Both proofs lead to the same state, to the last card.")
        return
    case.check("agreement", "failed", "The two proofs do not agree on one sound game.")
    _add_first_finding(case)
    if not case.problems:
        folded_text, replayed_text = (
            first_difference(folded_state, replayed_state)
            if folded_state and replayed_state
            else (fold_fault, replay_fault)
        )
        case.find("proofs_disagree", folded_text or "a state", replayed_text or "another")


def _decided_again(case: Case) -> State:
    """The state that the recorded decisions lead to, with the secrets of the lines on them."""
    leaves = (event.leaf for event in case.bundle.events)
    recorded = list(zip(case.stored, leaves, strict=True))
    secrets = {party: placed.value.secret or "" for party, placed in case.bundle.secrets.items()}
    return proofs.replay_decisions(proofs.decisions(case.read, secrets), recorded)


def _prove(case: Case, topic: Topic, proof: Callable[[], State]) -> tuple[State | None, str]:
    """The state that a proof leads to, or why it fails."""
    try:
        state = proof()
    except ProofFailed as fault:
        message = f"Event {fault.seq}: {fault}."
        case.check(topic, "failed", message)
        return None, message
    case.check(topic, "passed", _PROVED[topic])
    return state, ""


_PROVED: dict[Topic, str] = {
    "events_alone": "Folded alone, no card is ever lost, and every promise was kept.",
    "seed_and_decisions": "Decided again from the secrets and the recorded decisions alone, they "
    "give the same events, byte for byte.",
}


def _add_first_finding(case: Case) -> None:
    """Add the audit's finding: the first bad event, and the rule that it breaks."""
    auditor, rows = Auditor(case.bundle.header.game), _rows(case)
    for row in rows:
        if auditor.feed(row) is None:
            if following := next(rows, None):  # where the chain breaks it tells what was changed
                auditor.feed(following)
            break
    reported = {(problem.code, problem.seq) for problem in case.problems}
    for finding in auditor.close().findings:
        if (finding.code, finding.seq) not in reported:
            case.problems.append(
                VerificationProblem(
                    code=finding.code,
                    text=finding.text,
                    expected=finding.expected,
                    recorded=finding.recorded,
                    seq=finding.seq,
                    line=finding.place,
                    source=case.bundle.source,
                    rule=finding.rule,
                    reject=finding.reject,
                )
            )


# --- signed commands ----------------------------------------------------------------------------


def check_signatures(case: Case) -> tuple[SeatReport, ...]:
    """Check the signature of every signed command; a report on who vouches for each seat."""
    occupants: dict[int, Occupant] = {}
    good = sealed = 0
    before = len(case.problems)
    for signature in command_signatures(case, occupants, case.notes):
        good += signature.outcome == "good"
        sealed += signature.outcome == "sealed"
        if signature.outcome == "good" and (occupant := occupants.get(signature.seat)):
            occupant.signed = signature.line.form.seq
        if signature.outcome == "bad" and len(case.problems) == before:
            line, owner = signature.line, signature.key or "no key"
            place = f"version {line.form.seq - 1}, {line.form.prev}"
            expected = f"a signature of {owner} over {place}"
            case.find("bad_signature", expected, signature.sig or "none", event=line)
    failed = len(case.problems) > before
    _note_shared_keys(case, occupants)
    case.sealed_signatures = sealed
    _say_signatures(case, occupants.values(), good, sealed, failed=failed)
    return tuple(
        SeatReport(
            seat=number,
            name=seating.name,
            word=_word(occupant),
            commands=occupant.sent,
            secret_by="seat" if seating.brought_secret else "server",
            key=seating.key,
            stood_in=occupant.stood_in,
            signed=occupant.signed,
            named=case.policy is not None and case.policy.names(number, seating.key),
        )
        for number, occupant in sorted(occupants.items())
        for seating in (occupant.seating,)
    )


def _note_shared_keys(case: Case, occupants: Mapping[int, Occupant]) -> None:
    seats = defaultdict[str, list[str]](list)
    for number, occupant in sorted(occupants.items()):
        seats[occupant.seating.key].append(f"{number}")
    shared = [", ".join(numbers) for key, numbers in seats.items() if key and len(numbers) > 1]
    case.notes += [f"One key has these seats, so one player was at all: {text}." for text in shared]


def _word(occupant: Occupant) -> SeatWord:
    """Who vouches for a seat. Anybody can register a key: only a signature is by its owner."""
    if occupant.seating.bot:
        return "bot"
    if not occupant.seating.key:
        return "repudiable"
    return "signed" if occupant.signed else "unsigned"


def _say_signatures(
    case: Case, occupants: Iterable[Occupant], good: int, sealed: int, *, failed: bool
) -> None:
    if failed:
        case.check("signatures", "failed", "A command is not signed by the key of its seat.")
    elif not (good or sealed):
        keys = any(occupant.seating.key for occupant in occupants)
        reason = (
            "No seat with a key has sent a command." if keys else "No seat has registered a key."
        )
        case.check("signatures", "not_checked", reason)
    else:
        sealed_note = f"; signed over what is sealed: {sealed:,}" if sealed else ""
        case.check(
            "signatures",
            "passed",
            f"Commands with a good signature of their seat: {good:,}{sealed_note}.",
        )
