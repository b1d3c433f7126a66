"""A witness: cosigns a log's checkpoints that are consistent with those it saw before."""

import time
from pathlib import Path
from typing import Annotated, NamedTuple

import httpx2
import msgspec
from msgspec import Struct

from phaseledger.domain.evidence.merkle import proves_consistency
from phaseledger.replay.formats import files
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import (
    BadNote,
    Checkpoint,
    Note,
    SigningKey,
    VerifierKey,
)
from phaseledger.replay.terminal import DAMAGED, UNREACHABLE, UsageError, tell

PATIENCE = 20.0  # seconds that any answer may take
LARGEST = 256 * 1024  # bytes of an answer


class Contradiction(Exception):
    """The log signed two things that cannot both be true; the message says which."""


class UnusableAnswer(Exception):
    """The log's answer cannot be used; ``code`` is the exit code."""

    def __init__(self, message: str, code: int = DAMAGED) -> None:
        super().__init__(message)
        self.code = code


class LogObservation(Struct, frozen=True):
    """The result of one observation of the log."""

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


class _Response(NamedTuple):
    status: int
    body: bytes


class Witness(NamedTuple):
    """A witness: its key, the log keys it trusts, the folder of its state, and an HTTP client."""

    key: SigningKey
    trusted: tuple[VerifierKey, ...]
    folder: Path
    client: httpx2.Client

    def look(self) -> LogObservation:
        """Read the log's newest checkpoint, and cosign it if it is consistent with the last one.

        An older one that the last one is consistent with is not cosigned.

        Raises:
            Contradiction: it is not; both notes are kept.
            Unusable: there is none, or it is damaged or unproven, or has no trusted signature.

        """
        before, last = self._last_seen()
        for retried in (False, True):
            note, checkpoint = self._newest_checkpoint()
            relation = _relation(last, checkpoint)
            objection = self._objection(last, checkpoint) if last else None
            if objection is None:
                break
            # What was read in between two checkpoints, or out of a cache, is read again.
            if retried or (last and last.size == checkpoint.size):
                raise self._contradiction(before, str(note), *objection)
        size, is_shown = last.size if last else 0, False
        if relation != "stale":
            if relation != "same":
                # Once this is written, nothing that contradicts it is ever cosigned.
                files.write(self.folder / "seen", str(note))
            is_shown = self._cosign(note)
        return LogObservation(
            log=checkpoint.origin,
            size=checkpoint.size,
            root=checkpoint.root.hex(),
            found=relation,
            before=size,
            taken=is_shown,
        )

    def _newest_checkpoint(self) -> tuple[Note, Checkpoint]:
        response = self._request("GET", "/v1/log/checkpoint")
        if response.status != 200:
            raise UnusableAnswer(f"The log shows no checkpoint: {_reason(response)}.", UNREACHABLE)
        try:
            note = notes.note(response.body.decode())
            checkpoint = notes.checkpoint(note.text)
        except (UnicodeDecodeError, BadNote) as damage:
            raise UnusableAnswer(f"The log's checkpoint cannot be read: {damage}.") from None
        if not any(notes.signed_by(note, key) for key in self.trusted):
            raise UnusableAnswer(
                "The log's checkpoint has no good signature by a key that is trusted."
            )
        return note, checkpoint

    def _last_seen(self) -> tuple[str, Checkpoint | None]:
        """The last note that was accepted, and its checkpoint."""
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

    def _objection(self, last: Checkpoint, new: Checkpoint) -> tuple[str, bytes] | None:
        """Why both cannot be true, and the log's failed proof; None where they are consistent."""
        if new.origin != last.origin:
            raise UsageError(
                f"The log is called {new.origin!r}, but {self.folder} knows {last.origin!r}. "
                "Another name is another log: watch it with another --state."
            )
        if new.size == last.size:
            is_same = new.root == last.root
            return None if is_same else (f"has two roots over {new.size:,} events", b"")
        small, large = sorted((last, new), key=lambda checkpoint: checkpoint.size)
        path, proof = self._proof(small.size, large.size) if small.size else ([], b"")
        if proves_consistency(small.size, small.root, large.size, large.root, path):
            return None
        claim = (
            f"cannot prove that its {new.size:,} events begin with those {last.size:,} that it "
            "had before"
            if small is last
            else f"went back from {last.size:,} events to {new.size:,}, and cannot prove that "
            "these were the first of them"
        )
        return claim, proof

    def _proof(self, first: int, second: int) -> tuple[list[bytes], bytes]:
        """The log's consistency proof between the two sizes, and the bytes of the response."""
        sizes = {"first": first, "second": second}
        response = self._request("GET", "/v1/log/consistency", params=sizes)
        if response.status != 200:
            raise UnusableAnswer(
                f"The log does not prove that its {second:,} events go on from {first:,}: "
                f"{_reason(response)}.",
                UNREACHABLE,
            )
        try:
            steps = msgspec.json.decode(response.body, type=_Proof).path
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as damage:
            raise UnusableAnswer(f"The log's proof cannot be read: {damage}.") from None
        return [bytes.fromhex(step) for step in steps], response.body

    def _contradiction(self, before: str, after: str, claim: str, proof: bytes) -> Contradiction:
        stem = self.folder / f"contradiction-{time.time_ns() // 1_000_000}"
        parts = {"before": before, "after": after, "proof": proof.decode(errors="replace")}
        for part, text in parts.items():
            if text:
                files.write(stem.with_name(f"{stem.name}.{part}"), text)
        return Contradiction(
            f"The log contradicts itself: it {claim}. Both checkpoints are kept as {stem}.before "
            "and .after; nothing is cosigned."
        )

    def _cosign(self, note: Note) -> bool:
        """Cosign the note, here and at the log; whether the log shows the cosignature."""
        mine = notes.signature(note.text, self.key, int(time.time()))
        other_signatures = tuple(
            signature
            for signature in note.signatures
            if (signature.name, signature.hash) != (mine.name, mine.hash)
        )
        files.write(self.folder / "checkpoint", str(Note(note.text, (*other_signatures, mine))))
        if notes.signed_by(note, self.key.public):
            return True
        try:
            payload = {"note": str(Note(note.text, (mine,)))}
            response = self._request("POST", "/v1/log/cosignatures", json=payload)
        except UnusableAnswer as lost:
            tell(str(lost))
            return False
        if response.status != 200:
            tell(f"The log does not take the cosignature: {_reason(response)}.")
        return response.status == 200

    def _request(self, method: str, path: str, **arguments: object) -> _Response:
        try:
            with self.client.stream(method, path, **arguments) as response:  # type: ignore[arg-type]
                body = b""
                for part in response.iter_bytes():
                    body += part
                    if len(body) > LARGEST:
                        raise UnusableAnswer(f"The log's answer is longer than {LARGEST:,} bytes.")
                return _Response(response.status_code, body)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            why = str(error) or type(error).__name__
            raise UnusableAnswer(f"The log does not answer: {why}.", UNREACHABLE) from None


class _Problem(Struct):
    detail: str


def _reason(response: _Response) -> str:
    try:
        detail = msgspec.json.decode(response.body, type=_Problem).detail
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        detail = ""
    return f"it says {response.status} {detail[:300]}".rstrip(". ")


def _relation(last: Checkpoint | None, new: Checkpoint) -> str:
    """The relation of a checkpoint to the last one, as in `LogObservation.found`."""
    if last is None:
        return "first"
    if new == last:
        return "same"
    return "grown" if new.size >= last.size else "stale"
