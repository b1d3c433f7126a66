"""How one decision goes on from a state and from a twin of it, as a viewer gets to see it.

What a decision reveals lawfully (the card drawn by the viewer, the card discarded by anybody) has
to be the same in both, so its slot is pinned; everything else may differ, and the viewer must get
equal bytes but for the seals.
"""

from collections.abc import Callable
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain import events as e
from phaseledger.domain.cards import TURNED, owner_names, parse, remove, show
from phaseledger.domain.commands import Act
from phaseledger.domain.decide import step
from phaseledger.domain.evidence.codec import append, command_id, new_chain, redact
from phaseledger.domain.play import rounds
from phaseledger.domain.state import State
from tests.support.chance import Pick
from tests.support.twin_states import Slot, mixed, positions_in, twin


class NoTwin(Exception):
    """By chance there is no other state of the kind wanted."""


# --- what a decision reveals --------------------------------------------------------------------


class Course(NamedTuple):
    """One decision as it went: the events, the state after it, the stocks that were shuffled."""

    events: tuple[e.Event, ...]
    after: State
    stocks: list[bytes]


def course(state: State, act: Act, shuffle: Callable[[bytes], bytes] | None = None) -> Course:
    """Decide; with ``shuffle`` that function orders each sorted stock in place of the seed."""
    stocks: list[bytes] = []
    seeded = rounds.deal.shuffled

    def shuffled(key: bytes, hand: int, number: int, cards: bytes) -> bytes:
        stocks.append(shuffle(cards) if shuffle else seeded(key, hand, number, cards))
        return stocks[-1]

    with patch.object(rounds.deal, "shuffled", shuffled):
        after, events = step(state, act)
    return Course(events, after, stocks)


class Revealed:
    """What the viewer lawfully learns from a decision, as its events tell it one by one.

    ``shuffles`` has for each shuffle the places of the stock whose cards the viewer gets to see.
    """

    def __init__(self, state: State, viewer: int | None) -> None:
        self.state = state
        self.viewer = viewer
        self.pinned: set[Slot] = set()
        self.value = next((q.number for q in state.waits if q.kind == "give"), 0)
        self.shuffles: list[list[int]] = []
        self.dealt = False
        self.drawn = 0

    def draw(self, *, is_seen: bool) -> None:
        """The top of the stock is drawn; the viewer may know the card."""
        if is_seen and self.shuffles:
            self.shuffles[-1].append(self.drawn)
        elif is_seen:
            self.pinned.add(Slot("stock", 0, self.drawn))
        self.drawn += 1

    def uncover(self) -> None:
        """The card below the top of the pile comes to light."""
        self.pinned.add(Slot("pile", 0, len(self.state.discard) - 2))

    def shuffle(self, places: list[int]) -> None:
        """A new stock is made."""
        self.shuffles.append(places)
        self.drawn = 0


def revealed(state: State, viewer: int | None, act: Act, events: tuple[e.Event, ...]) -> Revealed:
    """Read off the events what they show to the viewer, by the rule book and not by `belongs`."""
    learnt = Revealed(state, viewer)
    if state.taken:
        # Whether a taken card may be discarded depends on its copies in the hand (O-36).
        learnt.pinned |= _held(state, state.active, lambda card: card in state.taken)
    if isinstance(act.command, c.Pass):
        learnt.pinned |= _held(state, state.active)  # that nothing could be discarded
    for event in events:
        tell = _TELLS.get(type(event))
        if tell:
            tell(learnt, event)
    return learnt


def _drawn(learnt: Revealed, event: e.CardDrawn) -> None:
    if event.source == "stock":
        learnt.draw(is_seen=event.seat == learnt.viewer)
    elif (
        event.source == "discard"
        or event.hidden[str(event.seat)].place == len(learnt.state.discard) - 1
    ):
        learnt.uncover()


def _turned(learnt: Revealed, event: e.CardTurned) -> None:
    always = learnt.state.ruleset.options.joker_memory == "owner_sees_always"
    mine = event.seat == learnt.viewer
    learnt.draw(is_seen=learnt.viewer is not None and (not mine or always))


def _moved(learnt: Revealed, event: e.PawnMoved) -> None:
    if event.action == "SEARCH" and event.seat == learnt.viewer:
        pile = range(len(learnt.state.discard))
        learnt.pinned |= {Slot("pile", 0, place) for place in pile}


def _asked(learnt: Revealed, event: e.CardAsked) -> None:
    learnt.value = event.value


def _given(learnt: Revealed, event: e.CardGiven) -> None:
    if learnt.viewer in (event.seat, event.to) and not event.joker:
        value = learnt.value
        learnt.pinned |= _held(learnt.state, event.seat, lambda card: card & 15 == value)


def _swapped(learnt: Revealed, event: e.CardsSwapped) -> None:
    names = owner_names(learnt.state.seat(event.seat).hand)
    last = positions_in(names, parse(event.hidden[str(event.seat)].said))[-1]
    learnt.pinned.add(Slot("hand", event.seat, last))


def _discarded(learnt: Revealed, event: e.CardDiscarded) -> None:
    learnt.pinned |= _named(learnt.state, event.seat, parse(event.cards), jokers=True)


def _laid(learnt: Revealed, event: e.PhaseLaid) -> None:
    cards = b"".join(parse(group.cards) for group in event.groups)
    learnt.pinned |= _named(learnt.state, event.seat, cards)


def _named_openly(learnt: Revealed, event: e.CardsHit | e.CardsKept) -> None:
    learnt.pinned |= _named(learnt.state, event.seat, parse(event.cards))


def _placed(learnt: Revealed, event: e.SkipPlaced) -> None:
    learnt.pinned |= _named(learnt.state, event.seat, parse(event.card))


def _counted(learnt: Revealed, _: e.RoundEnded) -> None:
    if learnt.state.ruleset.scoring != "none":
        for number in range(len(learnt.state.seats)):
            learnt.pinned |= _held(learnt.state, number)


def _shuffled(learnt: Revealed, _: e.StockShuffled) -> None:
    learnt.shuffle([])


def _dealt(learnt: Revealed, event: e.RoundDealt) -> None:
    if learnt.state.ruleset.options.kept_joker == "becomes_normal" and learnt.viewer is not None:
        learnt.pinned |= _held(learnt.state, learnt.viewer)
    learnt.dealt = True
    learnt.shuffle(_dealt_openly(learnt.state, learnt.viewer, event))


_TELLS: dict[type[e.Event], Callable[[Revealed, Any], None]] = {
    e.CardDrawn: _drawn,
    e.CardTurned: _turned,
    e.PawnMoved: _moved,
    e.CardAsked: _asked,
    e.CardGiven: _given,
    e.CardsSwapped: _swapped,
    e.PhaseLaid: _laid,
    e.CardsHit: _named_openly,
    e.CardDiscarded: _discarded,
    e.SkipPlaced: _placed,
    e.CardsKept: _named_openly,
    e.RoundEnded: _counted,
    e.StockShuffled: _shuffled,
    e.RoundDealt: _dealt,
}


def _held(state: State, seat: int, like: Callable[[int], bool] = lambda card: True) -> set[Slot]:
    hand = state.seat(seat).hand
    return {Slot("hand", seat, i) for i, card in enumerate(hand) if like(card)}


def _named(state: State, seat: int, cards: bytes, *, jokers: bool = False) -> set[Slot]:
    """The slots of the cards that their owner names; jokers only where their faces come up."""
    names = owner_names(state.seat(seat).hand)
    places = positions_in(names, cards)
    return {Slot("hand", seat, place) for place in places if jokers or names[place] < TURNED}


def _dealt_openly(state: State, viewer: int | None, event: e.RoundDealt) -> list[int]:
    """The places of the shuffled deck whose cards the viewer gets or everybody sees."""
    size = state.ruleset.hand
    kept = event.kept or (0,) * len(state.seats)
    order = rounds.left_of(event.dealer, event.players)
    places = [seat for row in range(size) for seat in order if kept[seat] + row < size]
    # By the rules and not by what the event shows: B-09 has all but the top one face down.
    covered = state.ruleset.initial_discards - 1 if state.ruleset.pile == "covered" else 0
    turned_up = 1 if covered else len(parse(event.discard)) + len(parse(event.returned))
    first = len(places) + covered
    return [i for i, seat in enumerate(places) if seat == viewer] + [
        *range(first, first + turned_up)
    ]


# --- the same decision in the twin --------------------------------------------------------------


class Twins(NamedTuple):
    """A decision in a state, and the like of it in a twin that the viewer cannot tell apart."""

    real: Course
    other: Course
    state: State
    """The twin before the decision."""
    act: Act
    """The decision in the twin."""


def two_courses(state: State, viewer: int | None, act: Act, pick: Pick) -> Twins:
    """The decision in the state and in a twin of it that the viewer cannot tell apart.

    Raises:
        Rejected: when the state refuses it.
        NoTwin: by chance there is none.

    """
    real = course(state, act)
    learnt = revealed(state, viewer, act, real.events)
    other = twin(
        state, viewer, pick, frozenset(learnt.pinned), learnt.value, recount=not learnt.dealt
    )
    stocks = iter(zip(real.stocks, learnt.shuffles, strict=True))

    def shuffle(cards: bytes) -> bytes:
        before, places = next(stocks)
        rest = remove(cards, bytes(before[place] for place in places))
        if rest is None:
            raise NoTwin
        left = iter(mixed(pick, rest))
        return bytes(before[i] if i in places else next(left) for i in range(len(cards)))

    command = act.command
    if act.seat != viewer and act.seat is not None:
        command = _in_other_words(state, other, act.seat, act.command, pick, dealt=learnt.dealt)
    mirrored = replace(act, command=command)
    return Twins(real, course(other, mirrored, shuffle), other, mirrored)


def _in_other_words(
    state: State, other: State, seat: int, command: c.Command, pick: Pick, *, dealt: bool
) -> c.Command:
    """The command with other secret arguments: the cards that lie in the same slots now."""
    notation = state.ruleset.deck.notation
    openly = state.ruleset.options.keep_choice == "seat_order_open"
    was, names = owner_names(state.seat(seat).hand), owner_names(other.seat(seat).hand)
    match command:
        case c.Swap(cards) | c.Give(cards):
            places = positions_in(was, parse(cards))
            text = show(bytes(names[place] for place in places), notation)
            return c.Swap(text) if isinstance(command, c.Swap) else c.Give(text)
        case c.Keep(cards) if not openly:
            places = positions_in(was, parse(cards))
            if not dealt:
                places = mixed(pick, range(len(names)))[: pick(min(5, len(names)) + 1)]
            return c.Keep(show(bytes(names[place] for place in places), notation))
        case c.Search(card):
            top = parse(card)[0] == state.discard[-1]
            fitting = [card for card in other.discard if (card == other.discard[-1]) == top]
            if not fitting:
                raise NoTwin
            return c.Search(show(bytes([fitting[pick(len(fitting))]]), notation))
    return command


def shown(state: State, viewer: int | None, act: Act, events: tuple[e.Event, ...]) -> object:
    """The decision's events as the viewer gets them, seals left out, and their lengths in bytes."""
    chain = new_chain(
        e.GameOpened(
            game=state.game,
            ruleset=state.ruleset,
            seats=len(state.seats),
            dealer=0,
            server_commit=state.server_commit,
            hidden={"server": e.Secret(secret=state.server_secret)},
        )
    )
    _, entries = append(chain, events, command_id(act.seat, "key"), 0)
    lines = [redact(entry.stored, chain.key, viewer, opened=False) for entry in entries]
    trees = [msgspec.json.decode(line) for line in lines]
    for tree in trees:
        tree["sealed"] = sorted(tree.get("sealed", {}))
        del tree["prev"]
    return [len(line) for line in lines], trees
