"""The answers to a referee's questions: what happened, who vouches for it, and what that proves."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from phaseledger.domain.events import TurnTimedOut
from phaseledger.domain.words import Amount, Figure, Language, Phrase
from phaseledger.replay.evidence.seat_names import named
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.checks.receipts import (
    KeptReceipt,
    bundled_receipt,
    held_difference,
    presence_text,
    vouches,
)
from phaseledger.replay.evidence.verify.codes import CODES, TOO_LITTLE
from phaseledger.replay.evidence.verify.command_signatures import (
    CommandSignature,
    SignatureOutcome,
    command_signatures,
)
from phaseledger.replay.evidence.verify.evidence import AskedEvent, Attestation, SeatReport, Voucher
from phaseledger.replay.evidence.verify.timeline_events import (
    TimelineEvent,
    sentences,
    timeline_events,
    when,
)
from phaseledger.replay.formats.signing.notes import COSIGNATURE, cosigning_times, signed_by
from phaseledger.replay.formats.signing.presences import Presence
from phaseledger.replay.text import Viewer, quoted


class _Command(NamedTuple):
    """A command: the numbers of its first and last event, and whose it is."""

    first: int
    last: int
    signature: CommandSignature | None
    """None for the taking of a seat that is not signed, and where the bundle cannot be read."""


def attestations(
    case: Case,
    seats: Sequence[SeatReport],
    receipts: Sequence[KeptReceipt],
    asked: Sequence[int],
    lang: Language = "en",
) -> Iterator[Attestation]:
    """Each command of which an event is asked about, with who vouches for it.

    ``receipts`` are kept ones; ``asked`` are numbers of events, in order, which are told in
    ``lang``.
    """
    if not asked:
        return
    commands_read = command_signatures(case, {}, []) if case.read else ()
    signatures = {signature.line.form.seq: signature for signature in commands_read}
    timeline = timeline_events(case)
    commands = [_Command(first, last, signatures.get(first)) for first, last in case.spans]
    by_event = {
        seq: command for command in commands for seq in range(command.first, command.last + 1)
    }
    places = case.places(lang)
    viewer: Viewer = "all" if case.bundle.over else case.viewer
    for command, seqs in groupby(asked, by_event.__getitem__):
        events = tuple(
            _asked_event(seq, places[seq - 1].words, sentences(timeline[seq - 1], viewer, lang))
            for seq in seqs
        )
        yield _attestation(case, seats, receipts, command, events, timeline, signatures)


def _asked_event(seq: int, words: str, lines: Sequence[str]) -> AskedEvent:
    text, *more = lines
    return AskedEvent(seq, words, text.strip("- "), tuple(more))


def _attestation(
    case: Case,
    seats: Sequence[SeatReport],
    receipts: Sequence[KeptReceipt],
    command: _Command,
    events: tuple[AskedEvent, ...],
    timeline: Sequence[TimelineEvent],
    signatures: dict[int, CommandSignature],
) -> Attestation:
    entry = timeline[command.first - 1]
    report = next((seat for seat in seats if seat.seat == entry.seat), None)
    vouchers = [
        *_by_the_sender(case, command, report),
        *_by_the_operator(case, command, receipts),
        *_by_later_players(case, command, signatures.values()),
    ]
    names = case.names(command.last)
    proven = _proven(case, command, vouchers, timeline, receipts)
    return Attestation(
        first=command.first,
        last=command.last,
        at=entry.line.form.at,
        decided_by="service" if entry.by_service else "host" if entry.seat is None else "seat",
        events=events,
        vouchers=tuple(replace(voucher, text=named(voucher.text, names)) for voucher in vouchers),
        proves=tuple(named(text, names) for text in proven),
        leaves_open=tuple(_left_open(case, command, vouchers, entry, report)),
        seat=entry.seat,
        name=report.name if report else "",
    )


# --- who vouches ----------------------------------------------------------------------------------


def _by_the_sender(case: Case, command: _Command, report: SeatReport | None) -> Iterator[Voucher]:
    signature = command.signature
    if signature is None or report is None:
        return
    if signature.outcome == "good":
        trusted = case.policy is not None and case.policy.names(signature.seat, signature.key)
        yield Voucher(
            "player", Phrase("evidence.ground.signed", **_player(report)), signature.key, trusted
        )
    elif report.program and (report.word == "bot" or signature.by_stand_in):
        yield Voucher("program", Phrase("evidence.ground.program"))


def _by_the_operator(
    case: Case, command: _Command, receipts: Sequence[KeptReceipt]
) -> Iterator[Voucher]:
    # A receipt is for the last event of a command, and binds the others by the chain.
    is_linked = case.is_linked(command.first, command.last)
    key = bundled_receipt(case, command.last)
    if key and is_linked:
        yield Voucher("operator", Phrase("evidence.ground.receipt"), key.id, case.trusts(key))
    for source, line, receipt, _ in receipts:
        if receipt.seq == command.last and is_linked and vouches(case, receipt):
            kind, trusted = type(receipt).__name__.lower(), case.policy is not None
            yield Voucher(
                "operator",
                Phrase(f"evidence.ground.kept_{kind}", path=source, seq=line),
                receipt.key,
                trusted,
            )
    if not _is_chained(case) or not case.vouching or case.checkpoint is None or case.note is None:
        return
    covered = case.bundle.inclusions[-1].value.seq
    if covered < command.last:
        return
    for key in sorted(case.vouching, key=str):
        text = Phrase("evidence.ground.checkpoint", origin=case.checkpoint.origin, seq=covered)
        yield Voucher("operator", text, key.id, case.trusts(key))
    trusted_witnesses = case.policy.witnesses if case.policy else ()
    for key in trusted_witnesses or case.keys.values():
        if key.kind == COSIGNATURE and signed_by(case.note, key):
            seen_at = when(1_000 * min(cosigning_times(case.note, key)))
            text = Phrase("evidence.ground.cosignature", time=seen_at)
            yield Voucher("witness", text, key.id, key in trusted_witnesses)


def _by_later_players(
    case: Case, command: _Command, signatures: Iterable[CommandSignature]
) -> Iterator[Voucher]:
    """The first good signature of each seat over a later command: it is over the chain up to it."""
    if not _is_chained(case):
        return
    met: set[int] = set()
    own = command.signature.seat if command.signature else -1
    for signature in signatures:
        seq = signature.line.form.seq
        if seq <= command.last or signature.outcome != "good" or signature.seat in met:
            continue
        met.add(signature.seat)
        if signature.seat == own and command.signature and command.signature.outcome == "good":
            continue
        trusted = case.policy is not None and case.policy.names(signature.seat, signature.key)
        text = Phrase("evidence.ground.later", seat=signature.seat, seq=seq)
        yield Voucher("later_player", text, signature.key, trusted)


def _is_chained(case: Case) -> bool:
    return any(check.topic == "chain" and check.outcome == "passed" for check in case.checks)


def _player(report: SeatReport) -> dict[str, object]:
    return {"name": quoted(report.name)}


# --- what that proves -----------------------------------------------------------------------------


def _proven(
    case: Case,
    command: _Command,
    vouchers: Sequence[Voucher],
    timeline: Sequence[TimelineEvent],
    receipts: Sequence[KeptReceipt],
) -> Iterator[str]:
    by = {voucher.by for voucher in vouchers}
    trusted = {voucher.by for voucher in vouchers if voucher.trusted}
    if "player" in by:
        yield Phrase("evidence.proves.key")
    if "player" in trusted:
        yield Phrase("evidence.proves.player")
    if "program" in by:
        yield Phrase("evidence.proves.program")
    if "operator" in trusted:
        yield Phrase("evidence.proves.operator")
    if "witness" in trusted:
        yield Phrase("evidence.proves.witness")
    if "later_player" in by:
        yield Phrase("evidence.proves.later")
    if case.bundle.over and _is_sound(case):
        yield Phrase("evidence.proves.decided")
    for seq in range(command.first, command.last + 1):
        yield from _waited(case, timeline[seq - 1], seq)
        event = timeline[seq - 1].event
        if isinstance(event, TurnTimedOut):
            yield from _presences(case, receipts, event.seat, seq)


def _waited(case: Case, entry: TimelineEvent, seq: int) -> Iterator[str]:
    """For how long a seat had been asked when it was timed out, and how long it had."""
    if not isinstance(entry.event, TurnTimedOut) or not _is_in_time(case, seq):
        return
    for wait in case.ended_waits:
        if wait.ended in (seq, seq + 1) and wait.asked < seq:
            asked_at = case.bundle.events[wait.asked - 1].form.at
            elapsed = (entry.line.form.at - asked_at) / 1_000
            yield Phrase(
                "evidence.proves.waited",
                seat=entry.event.seat,
                count=Figure(f"{elapsed:,.3f}"),
                seq=wait.asked,
                total=Amount(wait.seconds),
            )
            if case.policy and case.policy.times == "witnessed":
                yield Phrase("evidence.proves.witnessed")
            return


def _presences(case: Case, receipts: Sequence[KeptReceipt], seat: int, seq: int) -> Iterator[str]:
    """A sentence on each presence of the seat between the event that asked it and event ``seq``."""
    asked = max((wait.asked for wait in case.ended_waits if wait.asked < seq), default=seq - 1)
    for source, line, presence, _ in receipts:
        if not isinstance(presence, Presence) or presence.seat != seat:
            continue
        if not asked <= presence.seq <= seq:
            continue
        difference = held_difference(case, presence)
        if difference is None:
            yield Phrase(
                "evidence.proves.present", text=presence_text(case, presence), path=source, seq=line
            )
        elif difference[0] == "time_contradicted":
            events = case.bundle.events
            is_ahead = events[presence.seq - 1].form.at > presence.at
            dated = events[presence.seq - 1 if is_ahead else presence.seq].form
            yield Phrase(
                "evidence.proves.contradicted",
                path=source,
                k=line,
                seat=seat,
                time=when(presence.at),
                seq=presence.seq,
                next=dated.seq,
                value=when(dated.at),
            )


def _is_in_time(case: Case, seq: int) -> bool:
    """Whether nothing was found wrong with the time-out."""
    wrong = filter(case.is_of_event, case.problems)
    return not any(problem.seq in (seq, seq + 1) for problem in wrong)


def _left_open(
    case: Case,
    command: _Command,
    vouchers: Sequence[Voucher],
    entry: TimelineEvent,
    report: SeatReport | None,
) -> Iterator[str]:
    by = {voucher.by for voucher in vouchers}
    trusted = {voucher.by for voucher in vouchers if voucher.trusted}
    codes = dict.fromkeys(
        problem.code for problem in case.problems if command.first <= problem.seq <= command.last
    )
    for code in codes:
        yield Phrase("evidence.open.code", code=code, text=CODES[code].means, id=code)
    if not codes and not _is_sound(case):
        yield Phrase("evidence.open.wrong")
    if not vouchers:
        yield Phrase("evidence.open.made_up")
    elif "operator" in by and "operator" not in trusted:
        yield Phrase("evidence.open.no_policy")
    elif "operator" not in by:
        yield Phrase("evidence.open.unsigned")
    yield from _who_sent_it(command, by, trusted, report)
    if any(
        isinstance(event, TurnTimedOut) for _, event in case.read[command.first - 1 : command.last]
    ):
        yield Phrase("evidence.open.lost")


def _who_sent_it(
    command: _Command, by: Collection[str], trusted: Collection[str], report: SeatReport | None
) -> Iterator[str]:
    """What is open about whose command it is."""
    signature = command.signature
    if signature is None:
        if report:
            yield Phrase("evidence.open.joined")
    elif signature.seat < 0 or report is None:
        yield Phrase("evidence.open.ordered")
    elif signature.outcome == "unsigned":
        yield from _who_moved(signature, by, report)
    elif signature.outcome != "good":
        yield Phrase(_NO_GOOD_SIGNATURE[signature.outcome])
    elif "player" not in trusted:
        yield Phrase("evidence.open.whose_key", **_player(report))


_NO_GOOD_SIGNATURE: dict[SignatureOutcome, str] = {
    "sealed": "evidence.open.sealed",
    "bad": "evidence.open.bad",
}


def _who_moved(
    signature: CommandSignature, by: Collection[str], report: SeatReport
) -> Iterator[str]:
    """What is open about the author of a move that needed no signature."""
    if signature.by_stand_in:
        yield Phrase("evidence.open.stood_in", **_player(report))
    elif report.word != "bot":
        yield Phrase("evidence.open.denied", **_player(report))
    elif "program" not in by:
        yield Phrase("evidence.open.bot")


def _is_sound(case: Case) -> bool:
    """Whether nothing is wrong with the bundle, whatever a policy asks for besides."""
    return all(CODES[problem.code].exit_code == TOO_LITTLE for problem in case.problems)
