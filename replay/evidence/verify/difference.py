"""Side-by-side table of the first bad event and the expected one."""

from difflib import SequenceMatcher

import msgspec

from phaseledger.replay.evidence.verify.verdict_words import VerdictPageWords
from phaseledger.replay.pages.page import Html, element, table, text

LONGEST, COMPARED = 6_000, 200
"""Characters of a value that are shown, and lines of it that are compared one by one."""


def side_by_side(expected: bytes | None, recorded: bytes | None, words: VerdictPageWords) -> Html:
    """An event as expected and as recorded, field by field, with the differences marked."""
    expected_fields, recorded_fields = _fields(expected, words), _fields(recorded, words)
    rows = []
    for field in sorted({*expected_fields, *recorded_fields}):
        expected_value, recorded_value = expected_fields.get(field), recorded_fields.get(field)
        is_same = expected_value == recorded_value
        differs = "" if is_same else element("strong", words.text("difference.differs"))
        rows.append((field, *_marked(expected_value, recorded_value, words), differs))
    caption = words.text("difference.none" if expected is None else "difference")
    heads = (f"difference.{column}" for column in ("field", "expected", "recorded", "head"))
    return table(caption, words.texts(*heads), rows)


def _fields(stored: bytes | None, words: VerdictPageWords) -> dict[str, str]:
    """The fields of an event, its facts one by one, each as indented JSON."""
    if stored is None:
        return {}
    tree = msgspec.json.decode(stored)
    facts = tree.pop("data")
    inner = (
        {f"data.{key}": value for key, value in facts.items()} if isinstance(facts, dict) else {}
    )
    return {key: _pretty_json(value, words) for key, value in {**tree, **inner}.items()}


def _pretty_json(value: object, words: VerdictPageWords) -> str:
    canonical = msgspec.json.encode(value, order="sorted")
    pretty = msgspec.json.format(canonical, indent=2).decode()
    if len(pretty) <= LONGEST:
        return pretty
    return words.text("difference.cut", text=pretty[:LONGEST], count=len(pretty))


def _marked(
    expected: str | None, recorded: str | None, words: VerdictPageWords
) -> tuple[Html, Html]:
    """Two values as HTML, with the lines marked that the other one has not."""
    left, right = (
        [words.text("difference.absent")] if value is None else value.splitlines()
        for value in (expected, recorded)
    )
    columns: tuple[list[Html], list[Html]] = ([], [])
    opcodes = [("all of it", 0, len(left), 0, len(right))]
    if expected == recorded:
        opcodes = [("equal", 0, len(left), 0, len(right))]
    elif max(len(left), len(right)) <= COMPARED:
        opcodes = [*SequenceMatcher(None, left, right, autojunk=False).get_opcodes()]
    for kind, left_start, left_end, right_start, right_end in opcodes:
        for column, lines in zip(
            columns, (left[left_start:left_end], right[right_start:right_end]), strict=True
        ):
            column += [text(line) if kind == "equal" else element("mark", line) for line in lines]
    expected_html, recorded_html = (element("pre", Html("\n".join(column))) for column in columns)
    return expected_html, recorded_html
