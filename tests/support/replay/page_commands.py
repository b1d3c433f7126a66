"""The commands that a page shows after `$`, and what it says that they print."""

import re
import shlex
from collections.abc import Iterator


def commands(page: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each command of a page, in order, with the lines that stand under it."""
    for block in re.findall(r"^```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, *output = command.splitlines()
            yield shlex.split(line), output


def pattern(line: str) -> str:
    """The line as a pattern, in which three dots stand for anything."""
    return ".*".join(map(re.escape, line.split("...")))


def is_printed(expected: list[str], printed: list[str]) -> bool:
    """Whether the lines are among those that are printed, in that order, from the first one on."""
    remaining = iter(printed)
    in_order = all(
        any(re.fullmatch(pattern(line), candidate) for candidate in remaining) for line in expected
    )
    return in_order and (not expected or bool(re.fullmatch(pattern(expected[0]), printed[0])))
