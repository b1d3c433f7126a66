"""The answers to a referee's questions: what happened, who vouches for it, and what that proves."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from phaseledger.domain.events import TurnTimedOut
from phaseledger.domain.explain.languages import Language
from phaseledger.replay.signing.notes import COSIGNATURE, cosigning_times, signed_by
from phaseledger.replay.text import Viewer, quoted
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.checks.receipts import KeptReceipt, bundled_receipt, vouches
from phaseledger.replay.verify.codes import CODES, TOO_LITTLE
from phaseledger.replay.verify.command_signatures import (
    CommandSignature,
    SignatureOutcome,
    command_signatures,
)
from phaseledger.replay.verify.evidence import AskedEvent, Attestation, SeatReport, Voucher
from phaseledger.replay.verify.questions.kept_presences import presence_sentences
from phaseledger.replay.verify.timeline_events import (
    TimelineEvent,
    sentences,
    timeline_events,
    when,
)


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

    ``receipts`` are those that somebody kept; ``asked`` are numbers of events, in order,
    which are told in ``lang``.
    """
    if not asked:
        return
    commands_read = command_signatures(case, {}, []) if case.read else ()
    signatures = {signature.line.form.seq: signature for signature in commands_read}
    timeline = timeline_events(case)
    commands = [_Command(first, last, signatures.get(first)) for first, last in _spans(case)]
    by_event = {
        seq: command for command in commands for seq in range(command.first, command.last + 1)
    }
    places = case.places if lang == "en" else case.places_in(lang)
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


def _spans(case: Case) -> Iterator[tuple[int, int]]:
    """The first and the last event of each command."""
    firsts = [n for n, event in enumerate(case.bundle.events, 1) if event.begins or n == 1]
    lasts = [first - 1 for first in firsts[1:]] + [len(case.bundle.events)]
    yield from zip(firsts, lasts, strict=True)


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
    return Attestation(
        first=command.first,
        last=command.last,
        at=entry.line.form.at,
        decided_by="service" if entry.by_service else "host" if entry.seat is None else "seat",
        events=events,
        vouchers=tuple(vouchers),
        proves=tuple(_proven(case, command, vouchers, timeline, receipts)),
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
        yield Voucher("player", f"signed with the key of {_player(report)}", signature.key, trusted)
    elif report.program and (report.word == "bot" or signature.by_stand_in):
        yield Voucher("program", "the bot's program, moving again, makes the same move")


def _by_the_operator(
    case: Case, command: _Command, receipts: Sequence[KeptReceipt]
) -> Iterator[Voucher]:
    # A receipt is for the last event of a command, and binds the others by the chain.
    is_linked = case.is_linked(command.first, command.last)
    key = bundled_receipt(case, command.last)
    if key and is_linked:
        yield Voucher("operator", "a receipt in the bundle", key.id, case.trusts(key))
    for source, line, receipt, _ in receipts:
        if receipt.seq == command.last and is_linked and vouches(case, receipt):
            kind, trusted = type(receipt).__name__.lower(), case.policy is not None
            yield Voucher(
                "operator", f"a {kind} that was kept ({source}:{line})", receipt.key, trusted
            )
    if not _is_chained(case) or not case.vouching or case.checkpoint is None or case.note is None:
        return
    covered = case.bundle.inclusions[-1].value.seq
    if covered < command.last:
        return
    for key in sorted(case.vouching, key=str):
        text = f"a checkpoint of the log {case.checkpoint.origin} over the events up to {covered}"
        yield Voucher("operator", text, key.id, case.trusts(key))
    trusted_witnesses = case.policy.witnesses if case.policy else ()
    for key in trusted_witnesses or case.keys.values():
        if key.kind == COSIGNATURE and signed_by(case.note, key):
            seen_at = when(1_000 * min(cosigning_times(case.note, key)))
            text = f"a cosignature: it has seen that checkpoint by {seen_at} UTC, by its own clock"
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
        text = (
            f"seat {signature.seat} signed a later command (event {seq}) as one that follows on it"
        )
        yield Voucher("later_player", text, signature.key, trusted)


def _is_chained(case: Case) -> bool:
    return any(check.topic == "chain" and check.outcome == "passed" for check in case.checks)


def _player(report: SeatReport) -> str:
    return f"{quoted(report.name)} of seat {report.seat}"


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
        yield (
            "Whoever has that key gave this very command, at this place of the game and knowing "
            "all events before it."
        )
    if "player" in trusted:
        yield "The policy says whose key it is: that player cannot deny the move."
    if "program" in by:
        yield "Nobody chose this move: a bot's program makes it from what its seat could see."
    if "operator" in trusted:
        yield "The operator has signed that it happened, here and so: it is held to that."
    if "witness" in trusted:
        yield "It has not been changed since the witness saw the log."
    if "later_player" in by:
        yield "Whoever signed later had seen the same story up to here."
    if case.bundle.over and _is_sound(case):
        yield (
            "What followed from it (cards, turns, points) is what the rules and the secrets give: "
            "it was decided again."
        )
    for seq in range(command.first, command.last + 1):
        yield from _waited(case, timeline[seq - 1], seq)
        event = timeline[seq - 1].event
        if isinstance(event, TurnTimedOut):
            yield from presence_sentences(case, receipts, event.seat, seq)


def _waited(case: Case, entry: TimelineEvent, seq: int) -> Iterator[str]:
    """For how long a seat had been asked when it was timed out, and how long it had."""
    if not isinstance(entry.event, TurnTimedOut) or not _is_in_time(case, seq):
        return
    for wait in case.ended_waits:
        if wait.ended in (seq, seq + 1) and wait.asked < seq:
            asked_at = case.bundle.events[wait.asked - 1].form.at
            elapsed = (entry.line.form.at - asked_at) / 1_000
            yield (
                f"By the operator's clock seat {entry.event.seat} had been asked for "
                f"{elapsed:,.3f} seconds (since event {wait.asked}); the table gives "
                f"{wait.seconds:,}, grace included."
            )
            if case.policy and case.policy.times == "witnessed":
                yield "As many witnesses as the policy asks for have seen that by their own clocks."
            return


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
        yield f"{code}: {CODES[code].means} `phaseledger explain {code}` says what that proves."
    if not codes and not _is_sound(case):
        yield "Something else in this file is wrong: what no key vouches for may be made up."
    if not vouchers:
        yield "That it happened at all: whoever wrote this file could have made it up."
    elif "operator" in by and "operator" not in trusted:
        yield (
            "That the operator is held to it: no policy names that key, so whoever wrote this file "
            "could have made it."
        )
    elif "operator" not in by:
        yield "That the operator is held to it: it has signed nothing of it in this file."
    yield from _who_sent_it(command, by, trusted, report)
    if any(
        isinstance(event, TurnTimedOut) for _, event in case.read[command.first - 1 : command.last]
    ):
        yield (
            "That the question reached the player, or that no answer was lost on its way: a "
            "receipt of an answer would show that."
        )


def _who_sent_it(
    command: _Command, by: Collection[str], trusted: Collection[str], report: SeatReport | None
) -> Iterator[str]:
    """What is open about whose command it is."""
    signature = command.signature
    if signature is None:
        if report:
            yield "Who sat down: joining is not signed, so the operator could have entered them."
    elif signature.seat < 0 or report is None:
        yield "Who ordered it: neither the host nor the service signs its commands."
    elif signature.outcome == "unsigned":
        yield from _who_moved(signature, by, report)
    elif signature.outcome != "good":
        yield _NO_GOOD_SIGNATURE[signature.outcome]
    elif "player" not in trusted:
        yield (
            "Whose key it is: no policy names it (`seats` or `players`), so that of "
            f"{_player(report)} may be the operator's own."
        )


_NO_GOOD_SIGNATURE: dict[SignatureOutcome, str] = {
    "sealed": "Whether the signature is good: it is over what is sealed until the game is over.",
    "bad": "That the seat sent it: the signature is not that of the seat's key.",
}


def _who_moved(
    signature: CommandSignature, by: Collection[str], report: SeatReport
) -> Iterator[str]:
    """What is open about whose move it is where nobody had to sign it."""
    if signature.by_stand_in:
        yield f"That {_player(report)} made it: a bot is said to have answered in its place."
    elif report.word != "bot":
        yield (
            f"That {_player(report)} made it: the seat signed nothing, so the operator could have "
            "written it, and the player may deny it."
        )
    elif "program" not in by:
        yield "That a bot made it: its program was not seen to make the same move."


def _is_sound(case: Case) -> bool:
    """Whether nothing is wrong with the bundle, whatever a policy asks for besides."""
    return all(CODES[problem.code].exit_code == TOO_LITTLE for problem in case.problems)
