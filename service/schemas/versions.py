"""A version of a game as clients name it: its number and its history.

A database that has gone back to a lagging standby or a backup gives the same numbers to other
events. The leaf hash of a version's last event tells the histories apart.
"""

from typing import NamedTuple

NEWEST = 2**53 - 1
"""The highest version that may be named."""
HEAD_DIGITS = 16
NAMED_VERSION = rf"^[0-9]{{1,16}}-[0-9a-f]{{{HEAD_DIGITS}}}$"
"""The text of a version that is named with its history."""


class KnownVersion(NamedTuple):
    """A version that a client has.

    ``head`` is the beginning of its last event's leaf hash, in hex digits; empty where the client
    names the number alone, which fits every history.
    """

    number: int
    head: str = ""

    def __str__(self) -> str:
        """The version as in `Last-Event-ID` and entity tags."""
        return f"{self.number}-{self.head}" if self.head else str(self.number)

    def fits(self, number: int, head: str) -> bool:
        """Whether the version has this number and its last event this leaf hash."""
        return self.number == number and head.startswith(self.head)


def named(number: int, head: str) -> KnownVersion:
    """The version named by its number and its last event's leaf hash, in hex."""
    return KnownVersion(number, head[:HEAD_DIGITS])


def known_version(text: str) -> KnownVersion:
    """The version that a client names. Raises ValueError where the text is none."""
    number, dash, head = text.partition("-")
    is_head = len(head) == HEAD_DIGITS and not head.strip("0123456789abcdef")
    if not (number.isascii() and number.isdigit() and is_head == bool(dash)):
        raise ValueError(f"{text!r} is no version.")
    if int(number[:17]) > NEWEST or len(number) > 16:
        raise ValueError(f"{number} is more than {NEWEST}.")
    return KnownVersion(int(number), head)
