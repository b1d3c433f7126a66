"""Terminal output of the commands: printing, exit codes, progress bars and output files."""

import functools
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NoReturn, ParamSpec, TextIO

import msgspec

from phaseledger.replay.formats import files
from phaseledger.replay.formats.records.source import SourceError
from phaseledger.replay.text import clean

P = ParamSpec("P")

SOUND, FINDINGS, USAGE, UNREACHABLE, NO_SUCH_GAME, DAMAGED = range(6)
"""Exit codes of every command here."""

INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit codes of a shell for SIGINT and SIGPIPE."""


class UsageError(Exception):
    """The command line asks for something that makes no sense; the message says what."""


class WorkerLost(Exception):
    """A worker process ended before its work; the message says what to do."""


class UnwritableError(Exception):
    """Standard output or a file cannot be written; the message says which, and why."""


@contextmanager
def _stdout() -> Iterator[TextIO]:
    """Standard output, for writing.

    Raises:
        UnwritableError: it cannot be written.
        BrokenPipeError: its reader has closed it.

    """
    if sys.stdout is None:
        raise UnwritableError("Standard output cannot be written: it is closed.")
    try:
        yield sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_stdout()
        reason = error.strerror or error
        raise UnwritableError(f"Standard output cannot be written: {reason}.") from None


def _printable(text: str) -> str:
    """The text without control characters; the blanks at which French breaks no line stay."""
    return "\N{NO-BREAK SPACE}".join(map(clean, text.split("\N{NO-BREAK SPACE}")))


def say(*lines: str) -> None:
    """Print lines of data to stdout, their control characters replaced."""
    with _stdout() as stream:
        stream.writelines(_printable(line) + "\n" for line in lines)


def answer(data: object, lines: Iterable[str], *, json: bool) -> None:
    """Print what a command has to say, as one JSON document or line by line."""
    if json:
        print_json(data)
    else:
        say(*lines)


def print_lines(parts: Iterable[str]) -> None:
    """Print text to stdout as it is, in UTF-8: data for another program, not for a terminal."""
    with _stdout() as stream:
        stream.flush()
        stream.buffer.writelines(part.encode() for part in parts)


def print_json(data: object) -> None:
    """Print one JSON document on a line of its own, in UTF-8 (RFC 8259, 8.1)."""
    print_lines([msgspec.json.encode(data, enc_hook=str).decode(), "\n"])


def flush() -> None:
    """Flush standard output, if there is one."""
    if sys.stdout is not None:
        with _stdout() as stream:
            stream.flush()


def tell(*lines: str) -> None:
    """Print a message to stderr, if there is one, its control characters replaced."""
    if sys.stderr is not None:
        sys.stderr.writelines(_printable(line) + "\n" for line in lines)
        sys.stderr.flush()


def _drop_stdout() -> None:
    """Send standard output to the null device: the interpreter flushes once more at its exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_interrupted() -> NoReturn:
    """End the process as an interrupt does, although one of its threads cannot be stopped."""
    try:
        tell("Interrupted.")
        with suppress(UnwritableError, BrokenPipeError):
            flush()
    finally:
        os._exit(INTERRUPTED)


def guarded(command: Callable[P, int]) -> Callable[P, int]:
    """Decorate a command: every expected failure becomes a message on stderr and an exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            code = command(*args, **kwargs)
            flush()
        except SourceError as error:
            tell(str(error))
            return error.exit_code
        except UsageError as error:
            tell(str(error))
            return USAGE
        except (WorkerLost, UnwritableError) as error:
            tell(str(error))
            return DAMAGED
        except KeyboardInterrupt:
            tell("Interrupted.")
            return INTERRUPTED
        except BrokenPipeError:
            _drop_stdout()
            return PIPE_CLOSED
        return code

    return run


@contextmanager
def progress(
    label: str, total: int | None, *, in_bytes: bool = False, done: int = 0
) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr, if that is a terminal; yields the function that advances it.

    It shows the rate, without what was ``done`` before, and the time left.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.1f}/s" if task.speed else "")

    count = DownloadColumn() if in_bytes else MofNCompleteColumn()
    rate = TransferSpeedColumn() if in_bytes else Rate()
    columns = (TextColumn("{task.description}"), BarColumn(), count, rate, TimeRemainingColumn())
    # Redirecting would send data to stderr, unless both are the terminal.
    same_terminal = sys.stdout is not None and sys.stdout.isatty()
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=same_terminal,
        redirect_stderr=same_terminal,
    )
    pending = 0
    batch = max(1, (total or 0) // 500) if in_bytes else 1
    with bar:
        task = bar.add_task(label, total=total, completed=done)

        def advance(amount: int) -> None:
            nonlocal pending
            pending += amount
            if pending >= batch:
                bar.advance(task, pending)
                pending = 0

        yield advance
        bar.advance(task, pending)


def is_stdout(path: Path) -> bool:
    """Whether the path is standard output, as /dev/stdout is.

    Where that is a file (``>>``), replacing it would lose what is there, and what comes after.
    """
    try:
        return os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError, AttributeError):
        return False


@contextmanager
def output(path: Path | None) -> Iterator[IO[bytes]]:
    """A binary output: stdout, or a file that gets its name only once it is complete.

    Links stay, and what is no file (a pipe, a terminal, a device) is written to as it is.

    Raises:
        UnwritableError: it cannot be written.

    """
    if path is None or is_stdout(path):
        with _stdout() as stream:
            stream.flush()
            yield stream.buffer
            stream.buffer.flush()
        return
    temporary = None
    try:
        target = files.destination(path)
        if target:
            temporary = target.with_name(f"{target.name}.part")
        with (temporary or path).open("wb") as file:
            yield file
        if target and temporary:
            temporary.replace(target)
    except OSError as error:
        reason = error.strerror or error
        raise UnwritableError(f"{path}: cannot be written: {reason}.") from None
    finally:
        if temporary:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
