"""The referee of the page in the browser, held against the one in Python on the same events."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from phaseledger.domain.events import Event
from phaseledger.domain.words import LANGUAGES, Language, spoken
from phaseledger.replay.evidence.referee.referee import Objection, judge
from tests.support.browser import Verifier

SAID = """((objection) => objection && ["en", "de", "fr"].map((lang) => ({
  ...objection, who: spoken(objection.who, lang), text: spoken(objection.text, lang),
})))"""
"""A function from an objection of the page's referee to what it says in each language."""
_JUDGE = f"""(games) => games.map(([events, changes]) => {{
  const read = (some) => some.map((event) => rules.readEvent(...event));
  const watched = (some) => {{
    const referee = new rules.Referee();
    some.find((event) => referee.watch(event));
    return {SAID}(referee.objection);
  }};
  const good = read(events);
  const changed = changes.map(([place, others]) =>
    watched([...good.slice(0, place), ...read(others), ...good.slice(place + 1)]),
  );
  return [watched(good), ...changed];
}})"""


class Change(NamedTuple):
    """One event of a game that others replace."""

    name: str
    place: int
    events: Sequence[Event]


class RefereedGame(NamedTuple):
    """A game, and changes of it."""

    name: str
    events: Sequence[Event]
    changes: Sequence[Change] = ()


class Comparison(NamedTuple):
    """What came of games that both referees judged."""

    objections: int
    """How many games and changes the one in Python objects to."""
    disagreements: list[str]
    """What the two do not say alike, in any language: event, rule, whose event and the text."""


def replacing(name: str, seq: int, events: Sequence[Event], changed: Sequence[Event]) -> Change:
    """The change by which one event, of that number, has become the others that stand there."""
    count = len(changed) - len(events) + 1
    return Change(name, seq - 1, changed[seq - 1 : seq - 1 + count])


def compared(page: Verifier, games: Sequence[RefereedGame]) -> Comparison:
    """Have both referees judge games and changes of them."""
    answers = page.ask(_JUDGE, [_given(game) for game in games])
    objections, disagreements = 0, []
    for game, theirs in zip(games, answers, strict=True):
        names = [game.name, *(f"{game.name}, {change.name}" for change in game.changes)]
        for name, due, answer in zip(names, _judged(game), theirs, strict=True):
            objections += due is not None
            answered, expected = said_by_page(answer), in_each_language(due)
            if answered != expected:
                disagreements.append(f"{name}: {expected}, on the page: {answered}")
    return Comparison(objections, disagreements)


def _judged(game: RefereedGame) -> Iterator[Objection | None]:
    """What the referee in Python says of the game, and of each change."""
    yield judge(game.events)
    for _, place, events in game.changes:
        yield judge([*game.events[:place], *events, *game.events[place + 1 :]])


def said_by_page(answer: Sequence[dict[str, Any]] | None) -> list[Objection]:
    """What the page's referee says by `SAID`: in English, German and French; empty if nothing."""
    return [Objection(**objection) for objection in answer or ()]


def in_each_language(objection: Objection | None) -> list[Objection]:
    """What `verify --lang` says of an objection in English, German and French."""
    return [_in_language(objection, lang) for lang in LANGUAGES if objection]


def _in_language(objection: Objection, lang: Language) -> Objection:
    who, text = (spoken(text, lang) for text in (objection.who, objection.text))
    return objection._replace(who=who, text=text)


def _given(game: RefereedGame) -> list[Any]:
    changes = [[change.place, [*map(page_event, change.events)]] for change in game.changes]
    return [[*map(page_event, game.events)], changes]


def page_event(event: Event) -> list[Any]:
    """An event's type, its facts and its hidden parts, as they stand in a bundle."""
    facts = msgspec.to_builtins(event, enc_hook=str)  # faces may be a phrase: no card
    hidden = facts.pop("hidden", {})
    return [f"{type(event).__name__}/1", facts, [*hidden.items()]]
