"""Garbage thrown at whole games: in every state, commands with arguments of every kind.

Each answer is a refusal with a code, or events that keep the laws; whatever else comes up is a
`Fault`, which says how to see it again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, get_args

from msgspec import Struct, field

from phaseledger.domain import commands as c
from phaseledger.domain.cards import CODES, owner_names, show
from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.evolve import fold
from phaseledger.domain.ruleset import Action
from phaseledger.domain.state import State, cards_in_play
from tests.support.chance import Pick, chooser
from tests.support.scenario import TABLES, decisions
from tests.support.table import GAME

WORDS = ("", " ", "J", "J1", "J2", "J12", "J(R5)", "?", "R13", "W W", "\u2028", "x" * 500, "é", "*")
ACTIONS = ("TAKE", "", "take1", *get_args(Action))


LONGEST = 3_000
"""Decisions of one game; those of random players are longer, and nothing new comes up."""


class Tally(Struct):
    """What became of the commands thrown at one game."""

    tried: int = 0
    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Count another one in."""
        self.tried += other.tried
        self.accepted += other.accepted
        self.refused = self.refused + other.refused


class Fault(Exception):
    """A command that was neither refused nor lawful."""


class Thrower:
    """Makes commands up, plausible ones among them: cards of the hand, of the deck, of nothing."""

    def __init__(self, state: State, seat: int, pick: Pick) -> None:
        self.state, self.pick = state, pick
        self.notation = state.ruleset.deck.notation
        is_taken = 0 <= seat < len(state.seats) and state.seats[seat]
        self.hand = (
            show(owner_names(state.seat(seat).hand), self.notation).split() if is_taken else []
        )

    def among(self, things: Any) -> Any:
        """One of them."""
        return things[self.pick(len(things))]

    def number(self) -> int:
        """A small number, now and then outside every range."""
        return self.pick(16) - 2

    def card(self) -> str:
        """A card of the hand, of the deck, or of no deck at all."""
        kind = self.pick(8)
        if self.hand and kind < 5:
            return str(self.among(self.hand))
        if kind < 7:
            return str(self.among(_NAMES))
        return str(self.among(WORDS))

    def cards(self, most: int) -> str:
        """So many cards or fewer, as likely as not all different cards of the hand."""
        count = self.pick(most + 1)
        if self.pick(2):
            left = list(self.hand)
            return " ".join(left.pop(self.pick(len(left))) for _ in range(min(count, len(left))))
        return " ".join(self.card() for _ in range(count))

    def lay(self) -> c.Lay:
        """About the groups of a phase, of cards that may even belong together."""
        phase = self.among(self.state.ruleset.phases)
        left, groups = sorted(self.hand, key=lambda card: card[1:] + card[:1]), []
        for need in phase.needs:
            size = max(0, need.size + self.pick(4) - 1)
            groups.append(c.GroupToLay(" ".join(left[:size]), self.among((None, self.number()))))
            left = left[size:] if self.pick(4) else left
        if not self.pick(6):
            groups.append(c.GroupToLay(self.cards(4)))
        return c.Lay(tuple(groups), self.among((None, self.number())))

    def command(self) -> c.Command:
        """Any command, half the time of a kind that some question asks for."""
        due = [make for question in self.state.waits for make in _ANSWERS.get(question.kind, ())]
        makers = due if due and self.pick(2) else _MAKE
        return self.among(makers)(self)  # type: ignore[no-any-return]


_NAMES = sorted(CODES)
Make = Callable[[Thrower], c.Command]
_ANSWERS: dict[str, tuple[Make, ...]] = {
    "draw": (lambda t: c.Draw(t.among(("stock", "discard"))),),
    "play": (
        Thrower.lay,
        Thrower.lay,
        lambda t: c.Hit(t.number(), t.cards(3), t.among(("", "low", "high"))),
        lambda t: c.Hit(t.pick(len(t.state.groups) or 1), t.card(), t.among(("", "low", "high"))),
        lambda t: c.Discard(t.card(), t.among((None, t.number()))),
        lambda t: c.Discard(t.cards(3), t.among((None, None, t.number()))),
        lambda t: c.Pass(),
    ),
    "move": (lambda t: c.Move(t.number()),),
    "choose": (lambda t: c.Choose(t.among(ACTIONS)),),
    "search": (lambda t: c.Search(t.card()),),
    "swap": (lambda t: c.Swap(t.cards(6)),),
    "ask": (lambda t: c.Ask(t.number(), t.among(("left", "right"))),),
    "give": (lambda t: c.Give(t.card()),),
    "keep": (lambda t: c.Keep(t.cards(7)),),
    "reveal": (lambda t: c.RevealSecret(t.among(("ab" * 32, "", "zz"))),),
}
"""How to answer each question, well or badly."""
_MAKE: tuple[Make, ...] = (
    *(make for makers in _ANSWERS.values() for make in makers),
    lambda t: c.Start(),
    lambda t: c.KickSeat(t.number()),
    lambda t: c.LeaveSeat(),
    lambda t: c.TimeOut(t.number()),
    lambda t: c.TakeSeat(t.among(WORDS), t.among(WORDS), t.among(WORDS), "ab" * 32),
    lambda t: c.VoidGame(t.among(WORDS)),
    lambda t: c.OpenGame(GAME, t.among(("classic", "chess")), t.number(), secret="ab" * 32),
)


def throw(state: State, pick: Pick) -> tuple[str, State | None]:
    """One command at a state: the code of its refusal, or the state after it.

    Raises:
        Fault: on anything else.

    """
    asked = state.waits[pick(len(state.waits))].seat if state.waits else 0
    seat = asked if pick(4) else (None, -1, 0, 1, 99)[pick(5)]
    act = Act(Thrower(state, -1 if seat is None else seat, pick).command(), seat)
    try:
        after, events = step(state, act)
    except Rejected as refused:
        return refused.code.value, None
    except Exception as fault:
        raise Fault(f"{act} raised {fault!r}") from fault
    if fold(events, state) != after:
        raise Fault(f"{act} breaks law 3")
    if after.round and cards_in_play(after) != after.ruleset.deck.cards():
        raise Fault(f"{act} loses cards")
    return "", after


def barrage(number: int, run: int, at_each: int, every: int = 1) -> Iterator[Tally]:
    """So many commands at every so many-th state of one game at the table of that number.

    Lawful ones are tried and taken back, but for one in eight, after which a few more are thrown
    at the state that it leads to.
    """
    ruleset, seats, options = TABLES[number]
    bot = ("random", "random,greedy", "greedy")[run % 3]
    steps = decisions(GAME, seats, f"garbage {run}", options, bot, ruleset)
    for count, (state, _) in enumerate(islice(steps, LONGEST)):
        if (count + run) % every:
            continue
        pick, tally, now = chooser(b"garbage %d %d" % (number, run), count), Tally(), state
        for _ in range(at_each):
            try:
                code, after = throw(now, pick)
            except Fault as fault:
                raise Fault(f"table {number}, run {run}, decision {count}: {fault}") from fault
            tally.tried += 1
            if after is None:
                tally.refused[code] += 1
            else:
                tally.accepted += 1
                now = after if not pick(8) and after.stage == "playing" else state
        yield tally
