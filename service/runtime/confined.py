"""Work on strangers' files, in a process of its own with limits of time and memory.

A thread could not be stopped, and would share memory and the interpreter with all games. The
process gets its work on standard input and answers on standard output; it knows no setting of the
service, since these hold passwords.
"""

import asyncio
import os
import signal
import sys

from msgspec import Struct

_STOPPED = (-signal.SIGXCPU, -signal.SIGKILL)
"""The exit codes of a process above the system's limit of processor time or memory."""


class ConfinedFailure(Exception):
    """The process ended by itself without an answer, with the exit code ``code``: a bug."""

    def __init__(self, code: int) -> None:
        super().__init__(f"it ended with {code}")
        self.code = code


class OverLimit(Exception):
    """The process was ended for exceeding its limit of time or memory."""


class ConfinedModule(Struct, frozen=True):
    """A module that is run as ``python -m``; it limits its own memory and processor time."""

    name: str
    seconds: float
    """Seconds by the clock, after which the process is ended."""


async def run_confined(module: ConfinedModule, content: bytes) -> bytes:
    """The module's answer to the content.

    Raises:
        OverLimit: it exceeds its limit of time or memory.
        ConfinedFailure: it ends without an answer.

    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", module.name),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,  # a trace may name a card
        env={name: value for name, value in os.environ.items() if not _is_ours(name)},
    )
    try:
        async with asyncio.timeout(module.seconds):
            answer, _ = await process.communicate(content)
    except TimeoutError:
        raise OverLimit from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode in _STOPPED:
        raise OverLimit
    if process.returncode:
        raise ConfinedFailure(process.returncode)
    return answer


def _is_ours(name: str) -> bool:
    return name.startswith("PHASELEDGER_")
