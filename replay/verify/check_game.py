"""The game in a bundle: decided again in two ways, every signed command, and who sat there."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from phaseledger.domain.commands import Give, Keep, Search, Swap, TakeSeat
from phaseledger.domain.draft import decision
from phaseledger.domain.state import State
from phaseledger.replay.audit import proofs
from phaseledger.replay.audit.auditor import Auditor
from phaseledger.replay.audit.proofs import ProofFailed
from phaseledger.replay.records.findings import SourceRow, first_difference
from phaseledger.replay.signing.commands import is_signed
from phaseledger.replay.transcript.walk import Step
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.evidence import Problem, SeatReport, Topic
from phaseledger.replay.verify.seats import Occupant, follow


class GameCourse(NamedTuple):
    """A game as it is told: its good events, and the first bad one as it must be and as it is."""

    steps: tuple[Step, ...]
    expected: bytes | None = None
    recorded: bytes | None = None


def game_course(case: Case) -> GameCourse:
    """The game up to the first bad event; a running one as far as it is known."""
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
    """The bundle's events as an audit reads them; ``place`` is the line."""
    for event in case.bundle.events:
        known = case.bundle.known(event)
        yield SourceRow(case.bundle.header.game, event.form.type, known, event.line)


def check_running(case: Case) -> None:
    """Follow the events as far as they are known."""
    case.check(
        "seed_and_decisions",
        "not_checked",
        "A game is decided again from its seed once it is over.",
    )
    try:
        proofs.fold(case.events, complete=False)
    except ProofFailed as fault:
        event = case.bundle.events[fault.seq - 1]
        case.find("state_differs", "what follows from the events before", str(fault), event=event)
        case.check("events_alone", "failed", f"Event {fault.seq}: {fault}.")
        return
    text = "Followed as far as they are known: the number of cards is right at all times."
    case.check("events_alone", "passed", text)


def check_game(case: Case) -> None:
    """Both proofs of a game that is over and, where they fail, the first bad event."""
    recorded = [(case.bundle.known(event), event.leaf) for event in case.bundle.events]
    secrets = {by: each.value.secret or "" for by, each in case.bundle.secrets.items()}
    folded, why = _tried(case, "events_alone", lambda: proofs.fold(case.events, complete=True))
    again, reason = _tried(
        case,
        "seed_and_decisions",
        lambda: proofs.replay_decisions(proofs.decisions(case.read, secrets), recorded),
    )
    if folded and again and folded == again:
        case.check("agreement", "passed", "Both proofs lead to the same state, to the last card.")
        return
    case.check("agreement", "failed", "The two proofs do not agree on one sound game.")
    _name_the_first(case)
    if not case.problems:
        one, other = first_difference(folded, again) if folded and again else (why, reason)
        case.find("proofs_disagree", one or "a state", other or "another")


def _tried(case: Case, topic: Topic, proof: Callable[[], State]) -> tuple[State | None, str]:
    """What a proof leads to, or why it fails."""
    try:
        state = proof()
    except ProofFailed as fault:
        why = f"Event {fault.seq}: {fault}."
        case.check(topic, "failed", why)
        return None, why
    case.check(topic, "passed", _PROVED[topic])
    return state, ""


_PROVED: dict[Topic, str] = {
    "events_alone": "Folded alone, no card is ever lost, and every promise was kept.",
    "seed_and_decisions": "Decided again from the secrets and the recorded decisions alone, they "
    "give the same events, byte for byte.",
}


def _name_the_first(case: Case) -> None:
    """Have the audit say which event is the first bad one, and by which rule."""
    auditor = Auditor(case.bundle.header.game)
    for row in _rows(case):
        if auditor.feed(row) is None:
            break
    known = {(problem.code, problem.seq) for problem in case.problems}
    for found in auditor.close().findings:
        if (found.code, found.seq) not in known:
            case.problems.append(
                Problem(
                    code=found.code,
                    text=found.text,
                    expected=found.expected,
                    recorded=found.recorded,
                    seq=found.seq,
                    line=found.place,
                    source=case.bundle.source,
                    rule=found.rule,
                    reject=found.reject,
                )
            )


# --- signed commands ----------------------------------------------------------------------------

_CONCEALED = (Give, Keep, Search, Swap)
"""Commands of which a part may still be sealed, so that nobody can check a signature over it."""


def check_signatures(case: Case) -> tuple[SeatReport, ...]:
    """Every signed command, and who vouches for what each seat did."""
    sitters: dict[int, Occupant] = {}
    good = sealed = 0
    before = len(case.problems)
    for (record, event), line in zip(case.read, case.bundle.events, strict=True):
        act = decision(event)
        seat = -1 if act is None or act.seat is None else act.seat
        speaker = sitters.get(seat)
        if said := follow(sitters, record, event):
            case.notes.append(said)
        if act is None or isinstance(act.command, TakeSeat):
            continue
        key = speaker.count(act.command) if speaker else ""
        if not key and not act.sig:
            continue
        if isinstance(act.command, _CONCEALED) and line.sealed and not event.hidden:
            sealed += 1
            continue
        head, version = record.prev, record.seq - 1
        if is_signed(key, act.sig, record.game, seat, head, version, act.command):
            good += 1
        elif len(case.problems) == before:
            wanted = f"a signature of {key or 'no key'} over version {version}, {head}"
            case.find("bad_signature", wanted, act.sig or "none", event=line)
    failed = len(case.problems) > before
    _say_signatures(case, sitters.values(), good, sealed, failed=failed)
    return tuple(
        SeatReport(
            seat=number,
            name=taken.name,
            word="signed" if taken.key else "bot" if taken.bot else "repudiable",
            commands=sitter.sent,
            secret_by="seat" if taken.brought_secret else "server",
            key=taken.key,
            stood_in=sitter.stood_in,
        )
        for number, sitter in sorted(sitters.items())
        for taken in (sitter.taken,)
    )


def _say_signatures(
    case: Case, sitters: Iterable[Occupant], good: int, sealed: int, *, failed: bool
) -> None:
    if failed:
        case.check("signatures", "failed", "A command is not signed by the key of its seat.")
    elif not (good or sealed):
        keys = any(sitter.taken.key for sitter in sitters)
        why = "No seat with a key has sent a command." if keys else "No seat has registered a key."
        case.check("signatures", "not_checked", why)
    else:
        rest = f"; signed over what is sealed: {sealed:,}" if sealed else ""
        case.check(
            "signatures", "passed", f"Commands with a good signature of their seat: {good:,}{rest}."
        )
