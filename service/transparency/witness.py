"""A witness at work: it looks at a public log, and cosigns what goes on from what it saw before."""

import time
from pathlib import Path
from typing import Annotated, NamedTuple

import httpx2
import msgspec
from msgspec import Struct

from phaseledger.domain.evidence.merkle import proves_consistency
from phaseledger.replay.records import files as durable
from phaseledger.replay.signing import notes
from phaseledger.replay.signing.notes import BadNote, Checkpoint, Note, SigningKey, VerifierKey
from phaseledger.replay.terminal import DAMAGED, UNREACHABLE, UsageError, tell

PATIENCE = 20.0  # seconds that any answer may take
LARGEST = 256 * 1024  # bytes of an answer


class Contradiction(Exception):
    """The log signed two things that cannot both be true; the message says which."""


class UnusableAnswer(Exception):
    """What the log answers is no help; ``code`` is the exit code."""

    def __init__(self, message: str, code: int = DAMAGED) -> None:
        super().__init__(message)
        self.code = code


class LogObservation(Struct, frozen=True):
    """What a look at the log has found."""

    log: str
    size: int
    root: str
    found: str
    """``first``, ``same``, ``grown``, or ``stale``: older, and the known one goes on from it."""
    before: int
    """The size known before."""
    taken: bool
    """Whether the log shows the cosignature."""


class _Proof(Struct):
    first: int
    second: int
    path: list[Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]]


class _Answer(NamedTuple):
    status: int
    body: bytes


class Witness(NamedTuple):
    """A witness: its key, whom it trusts, the folder of what it remembers, and a way to the log."""

    key: SigningKey
    trusted: tuple[VerifierKey, ...]
    folder: Path
    client: httpx2.Client
    partition: int = 1

    def look(self) -> LogObservation:
        """Look at the log's newest checkpoint, and cosign it if it goes on from the last one.

        An older one that the last one goes on from is passed over.

        Raises:
            Contradiction: it does not; both notes are kept.
            Unusable: there is none, or it is damaged or unproven, or nobody trusted has signed it.

        """
        before, known = self._known()
        for insisted in (False, True):
            note, checkpoint = self._newest()
            found = _compared(known, checkpoint)
            wrong = self._objection(known, checkpoint) if known else None
            if wrong is None:
                break
            # What was read in between two checkpoints, or out of a cache, is read again.
            if insisted or (known and known.size == checkpoint.size):
                raise self._contradiction(before, str(note), *wrong)
        size, taken = known.size if known else 0, False
        if found != "stale":
            if found != "same":
                # Once this is written, nothing that contradicts it is ever cosigned.
                durable.write(self.folder / "seen", str(note))
            taken = self._cosign(note)
        return LogObservation(
            checkpoint.origin, checkpoint.size, checkpoint.root.hex(), found, size, taken
        )

    def _newest(self) -> tuple[Note, Checkpoint]:
        answer = self._ask("GET", "/v1/log/checkpoint", params=self._which())
        if answer.status != 200:
            raise UnusableAnswer(f"The log shows no checkpoint: {_reason(answer)}.", UNREACHABLE)
        try:
            note = notes.note(answer.body.decode())
            checkpoint = notes.checkpoint(note.text)
        except (UnicodeDecodeError, BadNote) as damage:
            raise UnusableAnswer(f"The log's checkpoint cannot be read: {damage}.") from None
        if not any(notes.signed_by(note, key) for key in self.trusted):
            raise UnusableAnswer(
                "The log's checkpoint has no good signature by a key that is trusted."
            )
        return note, checkpoint

    def _which(self) -> dict[str, int]:
        return {"partition": self.partition} if self.partition > 1 else {}

    def _known(self) -> tuple[str, Checkpoint | None]:
        """The last note that was found good, and what it says."""
        try:
            text = (self.folder / "seen").read_text(encoding="utf-8")
            return text, notes.checkpoint(notes.note(text).text)
        except FileNotFoundError:
            return "", None
        except (OSError, ValueError) as damage:
            raise UsageError(
                f"{self.folder / 'seen'}, the last checkpoint seen, cannot be read ({damage}). "
                "Restore it; without it the witness could sign two histories."
            ) from None

    def _objection(self, known: Checkpoint, new: Checkpoint) -> tuple[str, bytes] | None:
        """Why both cannot be true, and the log's proof that is none; None where they can."""
        if new.origin != known.origin:
            raise UsageError(
                f"The log is called {new.origin!r}, but {self.folder} knows {known.origin!r}. "
                "Another name is another log: watch it with another --state."
            )
        if new.size == known.size:
            same = new.root == known.root
            return None if same else (f"has two roots over {new.size:,} events", b"")
        small, large = sorted((known, new), key=lambda each: each.size)
        path, proof = self._proof(small.size, large.size) if small.size else ([], b"")
        if proves_consistency(small.size, small.root, large.size, large.root, path):
            return None
        what = (
            f"cannot prove that its {new.size:,} events begin with those {known.size:,} that it "
            "had before"
            if small is known
            else f"went back from {known.size:,} events to {new.size:,}, and cannot prove that "
            "these were the first of them"
        )
        return what, proof

    def _proof(self, first: int, second: int) -> tuple[list[bytes], bytes]:
        """The log's proof that its larger size goes on from the smaller one, and its bytes."""
        sizes = {"first": first, "second": second, **self._which()}
        answer = self._ask("GET", "/v1/log/consistency", params=sizes)
        if answer.status != 200:
            raise UnusableAnswer(
                f"The log does not prove that its {second:,} events go on from {first:,}: "
                f"{_reason(answer)}.",
                UNREACHABLE,
            )
        try:
            steps = msgspec.json.decode(answer.body, type=_Proof).path
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as damage:
            raise UnusableAnswer(f"The log's proof cannot be read: {damage}.") from None
        return [bytes.fromhex(step) for step in steps], answer.body

    def _contradiction(self, before: str, after: str, what: str, proof: bytes) -> Contradiction:
        stem = self.folder / f"contradiction-{time.time_ns() // 1_000_000}"
        files = {"before": before, "after": after, "proof": proof.decode(errors="replace")}
        for part, text in files.items():
            if text:
                durable.write(stem.with_name(f"{stem.name}.{part}"), text)
        return Contradiction(
            f"The log contradicts itself: it {what}. Both checkpoints are kept as {stem}.before "
            "and .after; nothing is cosigned."
        )

    def _cosign(self, note: Note) -> bool:
        """Cosign the note, here and at the log; whether the log shows the cosignature."""
        mine = notes.signature(note.text, self.key, int(time.time()))
        others = tuple(
            each for each in note.signatures if (each.name, each.hash) != (mine.name, mine.hash)
        )
        durable.write(self.folder / "checkpoint", str(Note(note.text, (*others, mine))))
        if notes.signed_by(note, self.key.public):
            return True
        try:
            given = {"note": str(Note(note.text, (mine,)))}
            answer = self._ask("POST", "/v1/log/cosignatures", json=given)
        except UnusableAnswer as lost:
            tell(str(lost))
            return False
        if answer.status != 200:
            tell(f"The log does not take the cosignature: {_reason(answer)}.")
        return answer.status == 200

    def _ask(self, method: str, path: str, **more: object) -> _Answer:
        try:
            with self.client.stream(method, path, **more) as response:  # type: ignore[arg-type]
                body = b""
                for part in response.iter_bytes():
                    body += part
                    if len(body) > LARGEST:
                        raise UnusableAnswer(f"The log's answer is longer than {LARGEST:,} bytes.")
                return _Answer(response.status_code, body)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            why = str(error) or type(error).__name__
            raise UnusableAnswer(f"The log does not answer: {why}.", UNREACHABLE) from None


class _Problem(Struct):
    detail: str


def _reason(answer: _Answer) -> str:
    try:
        detail = msgspec.json.decode(answer.body, type=_Problem).detail
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        detail = ""
    return f"it says {answer.status} {detail[:300]}".rstrip(". ")


def _compared(known: Checkpoint | None, new: Checkpoint) -> str:
    """How a checkpoint stands to the last one."""
    if known is None:
        return "first"
    if new == known:
        return "same"
    return "grown" if new.size >= known.size else "stale"
