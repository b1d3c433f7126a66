"""The input of an audit (stored rows) and its output (findings and verdicts)."""

from collections import Counter
from collections.abc import Iterator, Sized
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from phaseledger.domain.cards import show
from phaseledger.domain.commands import RejectCode
from phaseledger.domain.events import CardDrawn, Event, PhaseLaid
from phaseledger.domain.plurals import inflected
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import cite

Status = Literal["finished", "voided", "unfinished"]

FindingCode = Literal[
    "gap",
    "reordered",
    "repeated",
    "wrong_game",
    "unknown_topic",
    "unreadable",
    "sealed",
    "broken_seal",
    "not_canonical",
    "broken_chain",
    "truncated",
    "after_end",
    "no_decision",
    "illegal_decision",
    "bad_signature",
    "outcome_differs",
    "state_differs",
    "cards_lost",
    "broken_promise",
    "against_rules",
    "command_repeated",
    "timed_out_early",
    "against_terms",
    "closed_early",
]

EXPLAIN: dict[FindingCode, str] = {
    "gap": "An event is missing: the numbers leave one out.",
    "reordered": "The events do not stand in the order of their numbers.",
    "repeated": "An event number stands there a second time.",
    "wrong_game": "An event of another game stands among the events of this one.",
    "unknown_topic": "An event of a type that this program does not know; it is never skipped.",
    "unreadable": "The bytes are no event of this program.",
    "sealed": "A part of the event is still sealed, so nobody can re-decide it.",
    "broken_seal": "An opened part does not match its seal.",
    "not_canonical": "The bytes are not the one canonical form of what they say.",
    "broken_chain": "The event does not continue the chain: it or the one before it was changed.",
    "truncated": "The log stops in the middle of the events of one command.",
    "after_end": "An event follows the end of the game.",
    "no_decision": "An event follows from no recorded decision.",
    "illegal_decision": "The rules refuse the recorded decision.",
    "bad_signature": "The seat has not signed what is recorded as its decision, or not there.",
    "outcome_differs": "Deciding again from the seed gives another event.",
    "state_differs": "The events do not lead to the state that the decision led to.",
    "cards_lost": "The cards on the table and in the hands are not the deck.",
    "broken_promise": "A secret or the deal does not match what was committed to before.",
    "against_rules": "The second referee, who has the rule book alone, objects to the event.",
    "command_repeated": "Two commands have one id, under which the log takes one command only.",
    "timed_out_early": "A seat was timed out before its time was over, by the table's own clock "
    "and the recorded times.",
    "against_terms": "A time-out, a hand-over of a seat or what follows on it has no ground in the "
    "table's terms.",
    "closed_early": "The game was broken off because of secrets that were not revealed, before the "
    "time for them was up, or without any that had been set.",
}
"""The sentence that explains each code of a finding."""

UNREADABLE: frozenset[FindingCode] = frozenset({"unknown_topic", "unreadable", "sealed"})
"""Codes of findings about the input rather than the game: exit code 5 instead of 1."""


class Flaw(NamedTuple):
    """A fault met by a reader of rows; the audit turns it into a finding."""

    code: FindingCode
    expected: str
    recorded: str
    detail: str = ""


class SourceRow(Struct, frozen=True, gc=False):
    """One stored event. ``place`` is the row's number in the store, or the file's line."""

    game: str
    topic: str
    stored: bytes
    place: int
    version: int | None = None
    """The event number in the store's own column; None for a file, where only the event has it."""
    flaw: Flaw | None = None
    leaf: bytes | None = None
    """The leaf hash stored beside the event; None for a file."""


class Finding(Struct, frozen=True, omit_defaults=True):
    """A fault of one event. ``rule`` is the rule's ID, where a rule is concerned."""

    code: FindingCode
    game: str
    seq: int
    expected: str
    recorded: str
    text: str
    rule: str = ""
    reject: str = ""
    """For ``illegal_decision``, the code with which the rules refuse it."""
    place: int = 0
    """The line of the file (or row of the log) with the event; 0 for none."""


class AuditVerdict(Struct, frozen=True):
    """The result of one game's audit. ``head`` (hex) is the leaf hash of the last good event."""

    game: str
    sound: bool
    status: Status
    ruleset: str
    events: int
    """Number of good events, up to the first bad one."""
    head: str
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


LONGEST = 160


def short(text: str) -> str:
    """The text; a longer one is cut to `LONGEST` characters, with its length added."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"


def _as_text(value: object) -> str:
    """A value as JSON; cards as text."""
    if isinstance(value, bytes):
        return show(value) or "no cards"
    return short(msgspec.json.encode(value, order="sorted").decode())


def _differences(expected: Any, recorded: Any, path: str) -> Iterator[tuple[str, str, str]]:  # noqa: ANN401 - any JSON
    if isinstance(expected, dict) and isinstance(recorded, dict):
        for key in sorted({*expected, *recorded}):
            inner = f"{path}.{key}" if path else str(key)
            if key not in recorded:
                yield inner, _as_text(expected[key]), "absent"
            elif key not in expected:
                yield inner, "absent", _as_text(recorded[key])
            else:
                yield from _differences(expected[key], recorded[key], inner)
    elif isinstance(expected, list | tuple) and isinstance(recorded, list | tuple):
        if len(expected) != len(recorded):
            yield path, _entries(expected), _entries(recorded)
        for i, (expected_item, recorded_item) in enumerate(zip(expected, recorded, strict=False)):
            yield from _differences(expected_item, recorded_item, f"{path}[{i}]")
    elif expected != recorded or type(expected) is not type(recorded):
        yield path, _as_text(expected), _as_text(recorded)


def _entries(values: Sized) -> str:
    return f"{len(values)} {inflected(len(values), 'entry', 'entries')}"


def first_difference(expected: object, recorded: object) -> tuple[str, str]:
    """The first difference of two values, as two texts ``path = value``; empty if none."""
    trees = [msgspec.to_builtins(value, builtin_types=(bytes,)) for value in (expected, recorded)]
    for path, expected_text, recorded_text in _differences(trees[0], trees[1], ""):
        return f"{path} = {expected_text}", f"{path} = {recorded_text}"
    return "", ""


def outcome(tree: dict[str, object]) -> dict[str, object]:
    """A stored event without its place in the chain."""
    return {key: value for key, value in tree.items() if key != "prev"}


def surplus(cards: bytes, deck: bytes, notation: str) -> str:
    """The missing and the surplus cards, compared with the deck, in words."""
    counted, complete = Counter(cards), Counter(deck)
    parts = [
        f"{show(bytes(sorted(difference.elements())), notation)} {label}"
        for label, difference in (("missing", complete - counted), ("too many", counted - complete))
        if difference
    ]
    return f"{len(cards)} cards: {', '.join(parts)}"


_RELATED_REFUSALS = {
    "TurnBegan": RejectCode.NOT_YOUR_TURN,
    "CardDrawn": RejectCode.MUST_DRAW,
    "CardsHit": RejectCode.DOES_NOT_FIT,
    "CardDiscarded": RejectCode.ONE_CARD,
    "SkipPlaced": RejectCode.TARGET_NEEDED,
    "TurnPassed": RejectCode.MUST_DISCARD,
}
"""The refusal whose rule covers an event for which a game cites no rule of its own."""


def rule_of(ruleset: RuleSet | None, event: Event | None) -> str:
    """The rule ID behind an event: its phase's, or the one the game cites for it; or empty."""
    if ruleset is None or event is None:
        return ""
    if isinstance(event, PhaseLaid) and 0 < event.phase <= len(ruleset.phases):
        return ruleset.phases[event.phase - 1].rule
    kind, source = type(event).__name__, event.source if isinstance(event, CardDrawn) else ""
    rule = cite(ruleset.name, kind, source, ruleset.finish, ruleset.progress)
    related = _RELATED_REFUSALS.get(kind)
    return rule or (cite(ruleset.name, related) if related else "")
