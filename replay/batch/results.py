"""Results of finished parts of a run, kept in a file from which a later run goes on.

The file is NDJSON: a header with the command, its parameters and the program's version, and a line
for each part of the work with the digest of its input, in the order in which they were finished. A
kill may leave the last line without its end, which is cut off; no other line is ever changed.
"""

import fcntl
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Raw, Struct

from phaseledger import __version__
from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.terminal import UnwritableError, UsageError, tell

SAVE_EVERY = 2.0
"""Seconds between two syncs to the disk: the work that a power cut may cost."""

_LONGEST_HEADER = 1 << 20
_CLOSED = -1

T = TypeVar("T")
R = TypeVar("R")
Parameters = Iterable[tuple[str, object]]
"""Each parameter of a run with its value, as on the command line."""


class _Header(Struct, frozen=True):
    command: str
    parameters: dict[str, str]
    program: str = __version__
    v: Literal["p10-results/v1"] = "p10-results/v1"

    def asked(self) -> Parameters:
        return ("command", self.command), *self.parameters.items(), ("phaseledger", self.program)


class _Line(Struct, frozen=True):
    part: str
    digest: str
    checksum: str
    result: Raw


class _KeptResult(NamedTuple):
    """A result in the file: the digest of its input, and the place of its line."""

    digest: str
    offset: int
    length: int


class _Answer(NamedTuple, Generic[R]):
    """A worker's answer for a part: its result, or that the kept one has the same input."""

    part: str
    digest: str
    result: R | None
    kept: _KeptResult | None = None


class PartIdentity(NamedTuple, Generic[T]):
    """The functions that identify the part of the work in an item."""

    name: Callable[[T], str]
    """The part's name, unique in the run; empty for a part whose result is not kept."""
    digest: Callable[[T], str]
    """The digest of every input of its result except the parameters; called by a worker."""


_encode = msgspec.json.Encoder(enc_hook=str).encode
_decode_header = msgspec.json.Decoder(_Header).decode
_decode_line = msgspec.json.Decoder(_Line).decode


class ResultsFile(Generic[R]):
    """An open file of results; it may be used by several threads at once."""

    def __init__(self, path: Path, handle: int, decoder: "msgspec.json.Decoder[R]") -> None:
        self.path = path
        self._handle, self._decode = handle, decoder.decode
        self._kept: dict[str, _KeptResult] = {}
        self._size = 0
        self._lock = Lock()
        self._saved_at = monotonic()

    @property
    def parts(self) -> Mapping[str, object]:
        """The parts of the work whose results are kept, by name."""
        return self._kept

    def load(self, header: _Header) -> None:
        """Read the file, or begin it.

        Raises:
            UsageError: it holds something else, or is damaged.
            BlockingIOError: another run has it.
            OSError: it cannot be read or written.

        """
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            raise UsageError(f"{self.path}: is no file, which --resume needs.")
        fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        encoded = _encode(header) + b"\n"
        with os.fdopen(os.dup(self._handle), "rb") as file:
            first = file.readline(_LONGEST_HEADER)
            if first != encoded and encoded.startswith(first):  # empty, or cut off by a kill
                os.ftruncate(self._handle, 0)
                self._append(encoded)
                return
            before = _header(self.path, first)
            if changed := changed_parameters(before.asked(), header.asked()):
                raise UsageError(
                    f"{self.path}: holds results of another run: {changed}. Ask for that run to "
                    "go on with it, or give another --resume."
                )
            self._size = len(first)
            for number, line in enumerate(file, 2):
                if not line.endswith(b"\n"):
                    break  # a kill came amid it
                self._take_in(number, line)
        os.ftruncate(self._handle, self._size)
        if self._kept:
            tell(f"{self.path}: going on with the results of {len(self._kept):,} parts.")

    def _take_in(self, number: int, encoded: bytes) -> None:
        line = _sound_line(encoded)
        if line is None:
            raise UsageError(
                f"{self.path}:{number}: is damaged. The file is left as it is: remove that line, "
                "whose part of the work is then done once more, or give another --resume."
            )
        self._kept[line.part] = _KeptResult(line.digest, self._size, len(encoded))
        self._size += len(encoded)

    def kept(self, part: str) -> _KeptResult | None:
        """The kept result of the part, if there is one."""
        return self._kept.get(part) if part else None

    def keep(self, answer: _Answer[R]) -> None:
        """Append the result that a worker gave, unless it is there; raises OSError."""
        part, digest, result, kept = answer
        if kept or not part:
            return
        content = _encode(result)
        line = _encode(_Line(part, digest, _checksum(part, digest, content), Raw(content))) + b"\n"
        with self._lock:
            present = self._kept.get(part)
            if present and present.digest == digest:
                return
            offset = self._size
            self._append(line)
            self._kept[part] = _KeptResult(digest, offset, len(line))
            if monotonic() - self._saved_at > SAVE_EVERY:
                os.fsync(self._handle)
                self._saved_at = monotonic()

    def _append(self, line: bytes) -> None:
        remaining = memoryview(line)
        try:
            while remaining:
                remaining = remaining[os.write(self._handle, remaining) :]
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._handle, self._size)
            raise
        self._size += len(line)

    def result(self, answer: _Answer[R]) -> R:
        """The result that the answer gives or stands for, kept by now; raises UnwritableError."""
        with writing(self.path):
            if answer.kept:
                line = os.pread(self._handle, answer.kept.length, answer.kept.offset)
                return self._decode(bytes(_decode_line(line).result))
            self.keep(answer)
        assert answer.result is not None
        return answer.result

    def close(self) -> None:
        """Sync the kept results to disk, and keep no more; raises OSError."""
        with self._lock:
            handle, self._handle = self._handle, _CLOSED  # another file may get its number
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def try_to_keep(self, answer: _Answer[R]) -> None:
        """Keep a result as soon as it is there; on failure, `result` raises in its turn."""
        with suppress(OSError):
            self.keep(answer)


def _checksum(part: str, digest: str, result: bytes) -> str:
    return sha256(f"{part}\n{digest}\n".encode() + result).hexdigest()[:16]


def _sound_line(encoded: bytes) -> _Line | None:
    try:
        line = _decode_line(encoded)
    except (ValueError, RecursionError):
        return None
    is_sound = line.checksum == _checksum(line.part, line.digest, bytes(line.result))
    return line if is_sound else None


def _header(path: Path, line: bytes) -> _Header:
    try:
        return _decode_header(line)
    except (ValueError, RecursionError):
        raise UsageError(
            f"{path}: holds no results of such a command, and is left as it is. Give another "
            "--resume."
        ) from None


def changed_parameters(before: Parameters, now: Parameters) -> str:
    """The parameters in which two runs differ, as ``name old, not new``; empty if in none."""
    old, new = ({name: str(value) for name, value in run} for run in (before, now))
    return "; ".join(
        f"{name} {old.get(name, 'none')}, not {new.get(name, 'none')}"
        for name in old | new
        if old.get(name) != new.get(name)
    )


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """Translate the system's errors about a locked or unwritable file.

    Raises:
        UsageError: another run is writing there.
        UnwritableError: it cannot be written.

    """
    try:
        yield
    except BlockingIOError:
        raise UsageError(f"{out}: another run is writing there.") from None
    except OSError as error:
        place = f": {error.filename}" if error.filename and error.filename != str(out) else ""
        reason = f"{error.strerror or error}{place}"
        raise UnwritableError(f"{out}: cannot be written: {reason}.") from None


@contextmanager
def open_results(
    path: Path | None,
    command: str,
    parameters: Mapping[str, str],
    decoder: "msgspec.json.Decoder[R]",
) -> Iterator[ResultsFile[R] | None]:
    """The kept results of a command with these parameters in a file; None without one.

    Raises:
        UsageError: it holds something else, is damaged, or another run is writing to it.
        UnwritableError: it cannot be written.

    """
    if path is None:
        yield None
        return
    with writing(path):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK, 0o666)
        results = ResultsFile(path, handle, decoder)
        try:
            results.load(_Header(command, dict(parameters)))
        except BaseException:
            os.close(handle)
            raise
    try:
        yield results
    finally:
        with writing(path):
            results.close()


@contextmanager
def resumed_in_order(
    task: Callable[[T], R],
    items: Iterable[T],
    workers: Workers,
    results: ResultsFile[R] | None,
    identity: PartIdentity[T],
) -> Iterator[Iterator[R]]:
    """`in_order`, with the kept result for each part whose result is kept for the same input.

    The other results are kept as soon as they are there, which may be before their turn.
    """
    if results is None:
        with in_order(task, items, workers) as made:
            yield made
        return
    run = partial(_do_unless_kept, task, identity)
    wanted = ((item, results.kept(identity.name(item))) for item in items)
    with in_order(run, wanted, workers, results.try_to_keep) as answers:
        yield map(results.result, answers)


def _do_unless_kept(
    task: Callable[[T], R], identity: PartIdentity[T], wanted: tuple[T, _KeptResult | None]
) -> _Answer[R]:
    """Do the task in a worker, unless its result is kept for the same input."""
    item, kept = wanted
    part = identity.name(item)
    digest = identity.digest(item) if part else ""
    if kept and kept.digest == digest:
        return _Answer(part, digest, None, kept)
    return _Answer(part, digest, task(item))


def digest_of_file(name: str) -> str:
    """The digest of the file's bytes, name and size."""
    try:
        with Path(name).open("rb") as file:
            content = _encode((name, file_digest(file, "sha256").hexdigest(), file.tell()))
    except OSError as error:
        content = _encode((name, str(error)))
    return sha256(content).hexdigest()


def is_read_again(name: str) -> bool:
    """Whether the file is a regular one, which can be read twice, with a printable name."""
    return Path(name).is_file() and name.isprintable()
