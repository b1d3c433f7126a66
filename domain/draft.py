"""A batch of events being built: each one is applied as it is written (law 3)."""

from msgspec.structs import replace

from domain.cards import NAMES, show
from domain.commands import Act, OpenGame, RejectCode, Rejected, TakeSeat
from domain.events import Event
from domain.evolve import evolve
from domain.rules import Options, RuleSet
from domain.rulesets import cite
from domain.state import Seat, State


class Draft:
    """The state so far and the events that led to it from where the command found it."""

    __slots__ = ("events", "now")

    def __init__(self, state: State) -> None:
        self.now = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Write the event down and make it so."""
        self.now = evolve(self.now, event)
        self.events.append(event)

    @property
    def ruleset(self) -> RuleSet:
        """The game's resolved rule set."""
        return self.now.ruleset

    @property
    def options(self) -> Options:
        """The game's house rules."""
        return self.now.ruleset.options

    def seat(self, number: int) -> Seat:
        """The seat as it is now."""
        return self.now.seat(number)

    def text(self, cards: bytes) -> str:
        """Cards in the notation of the game's deck."""
        return show(cards, self.now.ruleset.deck.notation)

    def refuse(self, code: RejectCode, detail: str = "") -> Rejected:
        """The refusal, with the rule of this game behind it."""
        return Rejected(code, cite(self.now.ruleset.name, code), detail)

    def refuse_card(self, code: RejectCode, card: int) -> Rejected:
        """The refusal on account of one card; 0 for none in particular."""
        return self.refuse(code, NAMES[self.now.ruleset.deck.notation][card] if card else "")


_CONCEALED = (OpenGame, TakeSeat)
"""Commands whose ``secret`` the log keeps under ``hidden.server`` only."""


def stamped(event: Event, act: Act) -> Event:
    """The event with the decision that led to it, secrets left out."""
    if isinstance(act.command, _CONCEALED):
        act = replace(act, command=replace(act.command, secret=""))
    return replace(event, act=act)


def decision(event: Event) -> Act | None:
    """The decision that an event carries, its secret put back from where the log hides it."""
    act = event.act
    if act is not None and isinstance(act.command, _CONCEALED) and "server" in event.hidden:
        secret = event.hidden["server"].secret
        return replace(act, command=replace(act.command, secret=secret))
    return act
