"""`phaseledger witness`: watches a public log from another machine, without its database.

It remembers the last checkpoint that it has seen, demands a proof that the next one goes on from
it, and cosigns that one (C2SP tlog-cosignature, v1). What contradicts is kept as evidence.
"""

import fcntl
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import httpx2
import msgspec
import platformdirs
from cyclopts import Parameter
from msgspec import Struct

from domain.merkle import proves_consistency
from replay import durable, notes
from replay.notes import COSIGNATURE, BadKey, BadNote, Checkpoint, Note, SigningKey, VerifierKey
from replay.terminal import (
    DAMAGED,
    FINDINGS,
    SOUND,
    UNREACHABLE,
    UsageError,
    guarded,
    print_json,
    say,
    tell,
)

PATIENCE = 20.0  # seconds that any answer may take
LARGEST = 256 * 1024  # bytes of an answer


class Contradiction(Exception):
    """The log signed two things that cannot both be true; the message says which."""


class Unusable(Exception):
    """What the log answers is no help; ``code`` is the exit code."""

    def __init__(self, message: str, code: int = DAMAGED) -> None:
        super().__init__(message)
        self.code = code


class Seen(Struct, frozen=True):
    """What a look at the log has found."""

    log: str
    size: int
    root: str
    found: str
    """``first``, ``same`` or ``grown``."""
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


@guarded
def witness(
    url: str | None = None,
    /,
    *,
    log_key: Annotated[
        list[str] | None,
        Parameter(negative="", help="A verifier key of the log that is trusted; one or more."),
    ] = None,
    state: Annotated[
        Path | None, Parameter(help="The folder of what the witness knows (in the data folder).")
    ] = None,
    key: Annotated[Path | None, Parameter(help="The witness's key (`key` in that folder).")] = None,
    name: Annotated[str | None, Parameter(help="The name of a key that is made.")] = None,
    once: Annotated[bool, Parameter(negative="", help="Look once instead of for ever.")] = False,
    interval: Annotated[float, Parameter(help="Seconds between looks.")] = 60.0,
    json: Annotated[bool, Parameter(negative="", help="A line of JSON for each look.")] = False,
) -> int:
    """Watch the public log at URL, and cosign the checkpoints that go on from those before.

    Without URL, print the witness's verifier key, which is made when there is none. The operator
    puts it into PHASELEDGER_WITNESSES, and auditors into their policy. The first checkpoint is
    taken on trust, since a witness knows of nothing before it. If the log ever shows a shorter or
    another history, both checkpoints are kept in the folder as evidence. `checkpoint` in the folder
    is the newest one, cosigned.

    With --json: {log, size, root, found: first | same | grown, before, taken}.

    Exit codes: 0 consistent, 1 the log contradicts itself, 2 usage, 3 the log cannot be reached or
    has no checkpoint yet, 5 an answer that is damaged or not signed by a trusted key, 130
    interrupted. Without --once only 1, 2 and 130 end it.

    For example: phaseledger witness --state witness

    Or: phaseledger witness http://127.0.0.1:8000 --state witness --log-key example+12345678+AbC
    """
    folder = state or platformdirs.user_data_path("phaseledger", appauthor=False) / "witness"
    with _locked(folder):
        own = _own_key(key or folder / "key", name)
        if url is None:
            print_json({"key": str(own.public)}) if json else say(str(own.public))
            return SOUND
        if not url.startswith(("http://", "https://")) or interval <= 0:
            raise UsageError("Say where the log is, as in http://127.0.0.1:8000, and how often.")
        trusted = tuple(map(_trusted, log_key or ()))
        if not trusted:
            raise UsageError("Say with --log-key whose signature on the log is trusted.")
        with httpx2.Client(base_url=url.rstrip("/"), timeout=PATIENCE) as client:
            by = Witness(own, trusted, folder, client)
            return _watch(by, None if once else interval, json=json)


def _watch(by: "Witness", interval: float | None, *, json: bool) -> int:
    """Look again and again, or once where there is no interval; the exit code."""
    while True:
        try:
            seen = by.look()
        except Contradiction as found:
            tell(str(found))
            return FINDINGS
        except Unusable as unusable:
            tell(str(unusable))
            if interval is None:
                return unusable.code
        else:
            print_json(seen) if json else say(_told(seen))
            if interval is None:
                return SOUND
        time.sleep(interval)


def _told(seen: Seen) -> str:
    how = {
        "first": "is taken on trust, as the first that this witness sees",
        "same": "is the one known",
        "grown": f"goes on from the {seen.before:,} known",
    }
    taken = "cosigned" if seen.taken else "cosigned here, but the log does not take it"
    return f"{seen.log}: the checkpoint over {seen.size:,} events {how[seen.found]}; {taken}."


class Witness(NamedTuple):
    """A witness: its key, whom it trusts, the folder of what it remembers, and a way to the log."""

    key: SigningKey
    trusted: tuple[VerifierKey, ...]
    folder: Path
    client: httpx2.Client

    def look(self) -> Seen:
        """Look at the log's newest checkpoint, and cosign it if it goes on from the last one.

        Raises:
            Contradiction: it does not; both notes are kept.
            Unusable: there is none, or it is damaged, or nobody trusted has signed it.

        """
        note, checkpoint = self._newest()
        before, known = self._known()
        found = "first" if known is None else "same" if known == checkpoint else "grown"
        if known is not None and found == "grown":
            self._require_grown(before, known, str(note), checkpoint)
        if found != "same":
            # Once this is written, nothing that contradicts it is ever cosigned.
            durable.write(self.folder / "seen", str(note))
        taken = self._cosign(note)
        size = known.size if known else 0
        return Seen(checkpoint.origin, checkpoint.size, checkpoint.root.hex(), found, size, taken)

    def _newest(self) -> tuple[Note, Checkpoint]:
        answer = self._ask("GET", "/v1/log/checkpoint")
        if answer.status != 200:
            raise Unusable(f"The log shows no checkpoint: {_reason(answer)}.", UNREACHABLE)
        try:
            note = notes.note(answer.body.decode())
            checkpoint = notes.checkpoint(note.text)
        except (UnicodeDecodeError, BadNote) as damage:
            raise Unusable(f"The log's checkpoint cannot be read: {damage}.") from None
        if not any(notes.signed_by(note, key) for key in self.trusted):
            raise Unusable("The log's checkpoint has no good signature by a key that is trusted.")
        return note, checkpoint

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

    def _require_grown(self, before: str, known: Checkpoint, after: str, new: Checkpoint) -> None:
        if new.origin != known.origin:
            raise UsageError(
                f"The log is called {new.origin!r}, but {self.folder} knows {known.origin!r}. "
                "Another name is another log: watch it with another --state."
            )
        if new.size < known.size:
            raise self._contradiction(
                before, after, f"went back from {known.size:,} events to {new.size:,}"
            )
        if new.size == known.size:
            raise self._contradiction(before, after, f"has two roots over {new.size:,} events")
        sizes = {"first": known.size, "second": new.size}
        answer = self._ask("GET", "/v1/log/consistency", params=sizes)
        if answer.status != 200:
            raise Unusable(f"The log proves nothing: {_reason(answer)}.", UNREACHABLE)
        try:
            path = [
                bytes.fromhex(step) for step in msgspec.json.decode(answer.body, type=_Proof).path
            ]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as damage:
            raise Unusable(f"The log's proof cannot be read: {damage}.") from None
        if not proves_consistency(known.size, known.root, new.size, new.root, path):
            raise self._contradiction(
                before,
                after,
                f"cannot prove that its {new.size:,} events begin with those "
                f"{known.size:,} that it had before",
                answer.body,
            )

    def _contradiction(
        self, before: str, after: str, what: str, proof: bytes = b""
    ) -> Contradiction:
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
        except Unusable as lost:
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
                        raise Unusable(f"The log's answer is longer than {LARGEST:,} bytes.")
                return _Answer(response.status_code, body)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            why = str(error) or type(error).__name__
            raise Unusable(f"The log does not answer: {why}.", UNREACHABLE) from None


class _Problem(Struct):
    detail: str


def _reason(answer: _Answer) -> str:
    try:
        detail = msgspec.json.decode(answer.body, type=_Problem).detail
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        detail = ""
    return f"it says {answer.status} {detail[:300]}".rstrip(". ")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder, which is made if need be, against another witness."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be used: {error.strerror or error}.") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{folder}: another witness is at work there.") from None
        yield


def _own_key(file: Path, name: str | None) -> SigningKey:
    """The witness's key, made if there is none."""
    try:
        if not file.exists():
            made = SigningKey.new(name or f"witness-{secrets.token_hex(4)}", COSIGNATURE)
            durable.write(file, made.text() + "\n", 0o600)
            tell(f"A key was made: {file} holds {made.public.id}.")
        if file.stat().st_mode & 0o077:
            raise UsageError(f"{file}: open to other users; chmod 600 it.")
        key = SigningKey.parse(file.read_text())
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}.") from None
    except (BadKey, UnicodeDecodeError) as damage:
        raise UsageError(f"{file}: {damage}.") from None
    if key.public.kind != COSIGNATURE:
        raise UsageError(f"{file}: it signs checkpoints itself; a witness needs a key of its own.")
    return key


def _trusted(text: str) -> VerifierKey:
    try:
        return notes.verifier_key(text)
    except BadKey as wrong:
        raise UsageError(f"--log-key {text[:80]}: {wrong}.") from None
