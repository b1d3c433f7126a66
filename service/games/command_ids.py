"""The ids of a game's commands, in memory: which a repeated command is answered by.

A game that was read from a stored snapshot knows the commands before it by short marks alone. A
mark that differs proves that a command is new; the same one calls for reading what came before.
"""

from collections.abc import Mapping
from zlib import crc32

_MARK = 4  # bytes; of 1,000 commands one in four million new ones has a mark that is there


class CommandPerhapsOlder(Exception):
    """The command may be among events older than those in memory, so these have to be read."""


class CommandIds:
    """Command ids to the version that each led to."""

    def __init__(self) -> None:
        self._ends: dict[str, int] = {}
        self._marks = bytearray()
        """One of each command."""
        self._older = 0
        """How many bytes of them are of commands whose ids are not read."""

    def __contains__(self, cmd: str) -> bool:
        """Whether the game has the command; raises CommandPerhapsOlder."""
        if cmd in self._ends:
            return True
        if self._older and self._is_marked(_mark(cmd)):
            raise CommandPerhapsOlder
        return False

    def __getitem__(self, cmd: str) -> int:
        """The version that the command led to."""
        return self._ends[cmd]

    @property
    def marks(self) -> bytes:
        """The marks of all commands, as a stored snapshot has them."""
        return bytes(self._marks)

    def update(self, ends: Mapping[str, int]) -> None:
        """Add the commands that follow."""
        self._ends.update(ends)
        self._marks += b"".join(map(_mark, ends))

    def begin(self, marks: bytes) -> None:
        """Begin with the marks of older commands, in place of all there are."""
        self.clear()
        self._marks += marks
        self._older = len(marks)

    def fill(self, ends: Mapping[str, int]) -> None:
        """Add the older commands, which are read now."""
        self._ends.update(ends)
        self._older = 0

    def clear(self) -> None:
        """Forget them all."""
        self._ends.clear()
        self._marks.clear()
        self._older = 0

    def _is_marked(self, mark: bytes) -> bool:
        at = self._marks.find(mark, 0, self._older)
        while at % _MARK and at >= 0:  # between two marks
            at = self._marks.find(mark, at + 1, self._older)
        return at >= 0


def _mark(cmd: str) -> bytes:
    return crc32(cmd.encode()).to_bytes(_MARK)
