"""The first bad event beside what must stand in its place."""

from difflib import SequenceMatcher

import msgspec

from phaseledger.replay.pages.page import Html, element, table, text

LONGEST, COMPARED = 6_000, 200
"""Characters of a value that are shown, and lines of it that are compared one by one."""


def side_by_side(expected: bytes | None, recorded: bytes | None) -> Html:
    """An event as it must stand there and as it does, field by field, differences marked."""
    due, there = _fields(expected), _fields(recorded)
    rows = []
    for field in sorted({*due, *there}):
        one, other = due.get(field), there.get(field)
        differs = "" if one == other else element("strong", "differs")
        rows.append((field, *_marked(one, other), differs))
    caption = "What deciding again from the seed gives, and what is recorded"
    if expected is None:
        caption = "No event follows here from the seed and the recorded decisions"
    return table(caption, ("field", "expected", "recorded", "difference"), rows)


def _fields(stored: bytes | None) -> dict[str, str]:
    """The fields of an event, its facts one by one, each as JSON laid out to be read."""
    if stored is None:
        return {}
    tree = msgspec.json.decode(stored)
    facts = tree.pop("data")
    inner = (
        {f"data.{key}": value for key, value in facts.items()} if isinstance(facts, dict) else {}
    )
    return {key: _laid_out(value) for key, value in {**tree, **inner}.items()}


def _laid_out(value: object) -> str:
    canonical = msgspec.json.encode(value, order="sorted")
    pretty = msgspec.json.format(canonical, indent=2).decode()
    if len(pretty) <= LONGEST:
        return pretty
    return f"{pretty[:LONGEST]}... ({len(pretty):,} characters)"


def _marked(one: str | None, other: str | None) -> tuple[Html, Html]:
    """Two values; lines that the other one has not are marked."""
    left, right = (["absent"] if each is None else each.splitlines() for each in (one, other))
    sides: tuple[list[Html], list[Html]] = ([], [])
    codes = [("all of it", 0, len(left), 0, len(right))]
    if one == other:
        codes = [("equal", 0, len(left), 0, len(right))]
    elif max(len(left), len(right)) <= COMPARED:
        codes = [*SequenceMatcher(None, left, right, autojunk=False).get_opcodes()]
    for kind, start, end, other_start, other_end in codes:
        for side, lines in zip(sides, (left[start:end], right[other_start:other_end]), strict=True):
            side += [text(line) if kind == "equal" else element("mark", line) for line in lines]
    first, second = (element("pre", Html("\n".join(side))) for side in sides)
    return first, second
