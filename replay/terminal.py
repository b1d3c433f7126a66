"""The edge to the terminal: what a command prints, how it ends, and a progress bar."""

import functools
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, ParamSpec

import msgspec

from replay.source import SourceError
from replay.transcript import clean

P = ParamSpec("P")

SOUND, FINDINGS, USAGE, UNREACHABLE, NO_SUCH_GAME, DAMAGED = range(6)
"""Exit codes of every command here."""

INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit codes of a shell for SIGINT and SIGPIPE."""


class UsageError(Exception):
    """The command line asks for something that makes no sense; the message says what."""


def say(text: str = "") -> None:
    """Print a line of data, whatever stands in it, without obeying it."""
    sys.stdout.write(clean(text) + "\n")


def print_json(data: object) -> None:
    """Print one JSON document on a line of its own."""
    sys.stdout.write(msgspec.json.encode(data).decode() + "\n")


def tell(text: str) -> None:
    """Print a line of talk, to stderr."""
    sys.stderr.write(clean(text) + "\n")
    sys.stderr.flush()


def guarded(command: Callable[P, int]) -> Callable[P, int]:
    """The command with every expected failure turned into a sentence and an exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            code = command(*args, **kwargs)
            sys.stdout.flush()
        except SourceError as error:
            tell(str(error))
            return error.exit_code
        except UsageError as error:
            tell(str(error))
            return USAGE
        except KeyboardInterrupt:
            tell("Interrupted.")
            return INTERRUPTED
        except BrokenPipeError:
            # The reader has gone, and the interpreter would flush once more on its way out.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return PIPE_CLOSED
        return code

    return run


@contextmanager
def progress(
    label: str, total: int | None, *, in_bytes: bool = False
) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr, if that is a terminal; what is yielded moves it on."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    count = DownloadColumn() if in_bytes else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), count, TimeRemainingColumn())
    # Redirecting would send data to stderr, unless both are the terminal.
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=sys.stdout.isatty(),
    )
    pending = 0
    batch = max(1, (total or 0) // 500)
    with bar:
        task = bar.add_task(label, total=total)

        def advance(amount: int) -> None:
            nonlocal pending
            pending += amount
            if pending >= batch:
                bar.advance(task, pending)
                pending = 0

        yield advance
        bar.advance(task, pending)


@contextmanager
def output(path: Path | None) -> Iterator[IO[bytes]]:
    """Where data goes: stdout, or a file that bears its name only once it is complete.

    Raises:
        UsageError: the file cannot be written.

    """
    if path is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    special = path.exists() and not path.is_file()
    target = path if special else path.with_name(f"{path.name}.part")
    try:
        with target.open("wb") as file:
            yield file
        if not special:
            target.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}.") from None
    finally:
        if not special:
            with suppress(OSError):
                target.unlink(missing_ok=True)
