"""Checks of the game in a bundle: the two proofs, the second referee, the seats' signatures."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from phaseledger.domain.events import TurnTimedOut
from phaseledger.domain.state import State
from phaseledger.domain.words import Amount, Phrase, reason_of
from phaseledger.replay.evidence.audit import proofs
from phaseledger.replay.evidence.audit.auditor import Auditor
from phaseledger.replay.evidence.referee.referee import judge
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.command_signatures import command_signatures
from phaseledger.replay.evidence.verify.evidence import (
    SeatReport,
    SeatWord,
    Topic,
    VerificationProblem,
)
from phaseledger.replay.evidence.verify.seats import Occupant
from phaseledger.replay.formats.guards import ProofFailed
from phaseledger.replay.formats.records.findings import SourceRow, first_difference
from phaseledger.replay.text import quoted
from phaseledger.replay.transcript.table import Step


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
    case.check("seed_and_decisions", "not_checked", Phrase("evidence.not_over"))
    try:
        state = proofs.fold(case.events, complete=False)
    except ProofFailed as fault:
        event = case.bundle.events[fault.seq - 1]
        case.find("state_differs", Phrase("evidence.state.follows"), reason_of(fault), event=event)
        case.check("events_alone", "failed", Phrase("evidence.fault", seq=fault.seq, fault=fault))
        return
    if _is_cut(case, state):
        expected, last = Phrase("evidence.command.rest"), case.bundle.events[-1]
        case.find(
            "truncated", expected, Phrase("evidence.command.cut", type=last.form.type), event=last
        )
        case.check("events_alone", "failed", Phrase("evidence.within_command"))
        return
    case.check("events_alone", "passed", Phrase("evidence.followed"))


def _is_cut(case: Case, state: State) -> bool:
    """Whether public facts show that the last command of a running game is not whole.

    After each command a game that goes on waits for a seat. Spectators who watch some events or
    rounds late have honest files that end anywhere.
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
    replayed_state, replay_fault = _prove(case, "seed_and_decisions", lambda: _decided_again(case))
    if folded_state and replayed_state and folded_state == replayed_state:
        case.check("agreement", "passed", Phrase("evidence.agreement.good"))
        return
    case.check("agreement", "failed", Phrase("evidence.agreement.bad"))
    _add_first_finding(case)
    if not case.problems:
        if folded_state and replayed_state:
            fold_fault, replay_fault = first_difference(folded_state, replayed_state)
        expected = fold_fault or Phrase("evidence.state.one")
        case.find("proofs_disagree", expected, replay_fault or Phrase("evidence.another"))


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
        message = Phrase("evidence.fault", seq=fault.seq, fault=fault)
        case.check(topic, "failed", message)
        return None, message
    case.check(topic, "passed", Phrase(_PROVED[topic]))
    return state, ""


_PROVED: dict[Topic, str] = {
    "events_alone": "evidence.folded",
    "seed_and_decisions": "evidence.replayed",
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


def check_referee(case: Case) -> None:
    """Have a game judged that both proofs agree on; of another the first bad event is known."""
    if not any(check.topic == "agreement" and check.outcome == "passed" for check in case.checks):
        return
    objection = judge(case.events)
    if objection is None:
        case.check("referee", "passed", Phrase("evidence.referee.good"))
        return
    line = case.bundle.events[objection.seq - 1]
    expected = Phrase("evidence.rule", rule=objection.rule, objection=objection.text)
    case.find("against_rules", expected, objection.who, event=line)
    named = {"seq": objection.seq, "who": objection.who, "objection": objection.text}
    case.check("referee", "failed", Phrase("evidence.referee.bad", **named))


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
            line = signature.line
            over = {"seq": line.form.seq - 1, "hash": line.form.prev}
            expected = Phrase("evidence.signature.no_key", **over)
            if signature.key:
                expected = Phrase("evidence.signature.over", key=signature.key, **over)
            recorded = signature.sig or Phrase("evidence.none")
            case.find("bad_signature", expected, recorded, event=line)
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
    for _, occupant in sorted(occupants.items()):
        seats[occupant.seating.key].append(quoted(occupant.seating.name))
    shared = [", ".join(numbers) for key, numbers in seats.items() if key and len(numbers) > 1]
    case.notes += [Phrase("evidence.note.shared", value=text) for text in shared]


def _word(occupant: Occupant) -> SeatWord:
    """Who vouches for a seat: a key may be registered by another, a signature is its owner's."""
    if occupant.seating.bot:
        return "bot"
    if not occupant.seating.key:
        return "repudiable"
    return "signed" if occupant.signed else "unsigned"


def _say_signatures(
    case: Case, occupants: Iterable[Occupant], good: int, sealed: int, *, failed: bool
) -> None:
    if failed:
        case.check("signatures", "failed", Phrase("evidence.signatures.bad"))
    elif not (good or sealed):
        keys = any(occupant.seating.key for occupant in occupants)
        reason = "none_sent" if keys else "no_key"
        case.check("signatures", "not_checked", Phrase(f"evidence.signatures.{reason}"))
    else:
        counts = {"count": Amount(good), **({"total": Amount(sealed)} if sealed else {})}
        form = "sealed" if sealed else "good"
        case.check("signatures", "passed", Phrase(f"evidence.signatures.{form}", **counts))
