"""The input of an audit (stored rows) and its output (findings and verdicts)."""

from collections import Counter
from collections.abc import Iterator, Sized
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from phaseledger.domain.cards import show
from phaseledger.domain.commands import RejectCode
from phaseledger.domain.events import CardDrawn, Event, PhaseLaid
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import cite
from phaseledger.domain.words import Amount, Beginning, Phrase

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


def meaning(code: str, detail: str = "") -> Phrase:
    """What a code of a finding means, in a sentence, with its detail if there is one."""
    sentence = Phrase(f"code.{code}.means")
    return Phrase("evidence.finding.detail", text=sentence, detail=detail) if detail else sentence


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

    @property
    def opens_test(self) -> bool:
        """Whether it opens a table for tests; canonical JSON spells the mark in one way."""
        return self.topic == "GameOpened/1" and b'"test":true' in self.stored


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


def both_sides(key: str, **values: tuple[object, object]) -> tuple[Phrase, Phrase]:
    """What is expected and what is recorded, said in the same words of two values."""
    ((name, (expected, recorded)),) = values.items()
    return Phrase(key, **{name: expected}), Phrase(key, **{name: recorded})


LONGEST = 160


def short(text: str) -> str:
    """The text; a longer one is cut to `LONGEST` characters, with its length added."""
    if len(text) <= LONGEST:
        return text
    return Phrase("evidence.cut", text=Beginning(text, LONGEST), count=Amount(len(text)))


def _claim(path: str, value: object) -> str:
    """A value of that path, as JSON writes it; cards as text."""
    if isinstance(value, bytes) and not value:
        return Phrase("evidence.value.no_cards", path=path)
    if isinstance(value, bytes):
        return f"{path} = {show(value)}"
    return f"{path} = {short(msgspec.json.encode(value, order='sorted').decode())}"


def _absent(path: str) -> str:
    return Phrase("evidence.value.absent", path=path)


def _entries(path: str, values: Sized) -> str:
    return Phrase("evidence.value.entries", path=path, count=len(values))


def _differences(expected: Any, recorded: Any, path: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    if isinstance(expected, dict) and isinstance(recorded, dict):
        for key in sorted({*expected, *recorded}):
            inner = f"{path}.{key}" if path else str(key)
            if key not in recorded:
                yield _claim(inner, expected[key]), _absent(inner)
            elif key not in expected:
                yield _absent(inner), _claim(inner, recorded[key])
            else:
                yield from _differences(expected[key], recorded[key], inner)
    elif isinstance(expected, list | tuple) and isinstance(recorded, list | tuple):
        if len(expected) != len(recorded):
            yield _entries(path, expected), _entries(path, recorded)
        for i, (expected_item, recorded_item) in enumerate(zip(expected, recorded, strict=False)):
            yield from _differences(expected_item, recorded_item, f"{path}[{i}]")
    elif expected != recorded or type(expected) is not type(recorded):
        yield _claim(path, expected), _claim(path, recorded)


def first_difference(expected: object, recorded: object) -> tuple[str, str]:
    """The first difference of two values, as two texts ``path = value``; empty if none."""
    trees = [msgspec.to_builtins(value, builtin_types=(bytes,)) for value in (expected, recorded)]
    return next(_differences(trees[0], trees[1], ""), ("", ""))


def outcome(tree: dict[str, object]) -> dict[str, object]:
    """A stored event without its place in the chain."""
    return {key: value for key, value in tree.items() if key != "prev"}


def surplus(cards: bytes, deck: bytes, notation: str) -> str:
    """The missing and the surplus cards, compared with the deck, in words."""
    counted, complete = Counter(cards), Counter(deck)
    missing, more = (
        show(bytes(sorted(difference.elements())), notation)
        for difference in (complete - counted, counted - complete)
    )
    form = "both" if missing and more else "missing" if missing else "surplus"
    named = {"cards": missing or more, **({"other_cards": more} if form == "both" else {})}
    return Phrase(f"evidence.deck.{form}", count=len(cards), **named)


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
