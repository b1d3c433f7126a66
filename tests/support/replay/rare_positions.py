"""Positions drawn by number of what the other drawn positions hardly ever have.

Actions with just enough cards and one too few, turns with nothing to draw or to discard, groups of
wilds alone, runs of all ranks and longer, cards that make several phases. What a number stands for
never changes.
"""

from collections.abc import Callable, Iterator
from itertools import chain, islice, product

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import SINGLES, SKIP, TURNED, WILD, owner_names, remove, show
from phaseledger.domain.commands import Act
from phaseledger.domain.decide import step
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.lays import Effort
from phaseledger.domain.groups.melds import Misfit, arrange
from phaseledger.domain.legal import legal
from phaseledger.domain.ruleset import Need
from phaseledger.domain.state import Group, Question, State
from tests.support.chance import Pick, chooser
from tests.support.replay.drawn_positions import drawn_position, played_on

_RANKS = 12
_LISTED = 24
"""Listed moves that are tried in one state, at most."""


class _Deck:
    """The cards of a game, from which those of a position are taken."""

    def __init__(self, state: State) -> None:
        self.cards = state.ruleset.deck.cards()
        self.has_wilds = state.ruleset.deck.wilds > 0

    def take(self, card: int) -> bytes:
        """That card, or none where there is none left."""
        left = remove(self.cards, SINGLES[card])
        if left is None:
            return b""
        self.cards = left
        return SINGLES[card]

    def number(self, rank: int, colours: Iterator[int] | range = range(4)) -> bytes:
        """A card of that rank, of the first of these colours that has one."""
        return next(filter(None, (self.take(colour << 4 | rank) for colour in colours)), b"")

    def wild(self) -> bytes:
        """A wild; on the ring, which has none, a joker."""
        if self.has_wilds:
            return self.take(WILD)
        return bytes(card | TURNED for card in self.some(1))

    def some(self, count: int) -> bytes:
        """So many numbers, as they come."""
        numbers = [card for card in self.cards if card & 15 <= _RANKS][:count]
        return b"".join(map(self.take, numbers))


def _laid_out(state: State, hand: bytes, pile: bytes, stock: bytes, deck: _Deck) -> State:
    """The state with these cards, and no groups; the last seat has all the others."""
    seats = [replace(seat, hand=deck.some(2) if number else hand)
             for number, seat in enumerate(state.seats)]  # fmt: skip
    seats[-1] = replace(seats[-1], hand=seats[-1].hand + deck.cards)
    return replace(
        state, seats=tuple(seats), discard=pile, stock=stock, groups=(), taken=b"", round_turn=1
    )


# --- the kinds of positions ---------------------------------------------------------------------


def _with_nothing_to_draw(state: State, pick: Pick) -> State:
    """A turn that ends with one or two cards in hand, often skips; at most one in either pile."""
    deck = _Deck(state)
    hand = deck.take(SKIP) if pick(2) else deck.wild() if not pick(3) else deck.number(4)
    if pick(2):
        hand += deck.take(SKIP) if pick(2) else deck.number(7)
    pile = b""
    if pick(3):
        pile = deck.take(SKIP) if pick(2) else deck.number(9)
    stock, hand = deck.some(pick(2)), hand or deck.number(2)
    state = _laid_out(state, hand, pile, stock, deck)
    taken = hand[-1:] if pick(2) and hand[-1] < TURNED else b""
    state = replace(state, waits=(Question(0, "play"),), taken=taken)
    return replace(state, passes=pick(len(state.seats)))


def _with_lays(state: State, pick: Pick) -> State:
    """A hand with the groups of a phase: wilds alone, runs of any length, or just what it needs."""
    rules, deck = state.ruleset, _Deck(state)
    number = 1 + pick(len(rules.phases))
    groups = [_cards_for(need, deck, pick) for need in rules.phases[number - 1].needs]
    hand = b"".join(groups) + deck.number(2)
    state = _laid_out(state, hand, deck.some(2), deck.some(9), deck)
    is_free = rules.progress == "free"
    made = 0 if is_free else (1 << number - 1) - 1
    seats = [
        replace(seat, laid=0, phase=1 if is_free else number, made=made) for seat in state.seats
    ]
    return replace(state, seats=tuple(seats), waits=(Question(0, "play"),), round=number)


def _cards_for(need: Need, deck: _Deck, pick: Pick) -> bytes:
    form, kind = FORMS[need.kind], pick(3)
    count = need.size * form.copies
    if kind == 0:
        return b"".join(deck.wild() for _ in range(count))
    low = 1 if kind == 1 else 1 + pick(5)
    if need.parity and low % 2 != (need.parity == "odd"):
        low += 1
    if form.alike:
        colours = range(1, 2) if form.alike == "colour" or form.one_colour else range(4)
        ranks = [low] * count if form.alike == "rank" else range(low, low + 2 * count, 2)
        return b"".join(
            deck.number((rank - 1) % _RANKS + 1, colours) or deck.wild() for rank in ranks
        )
    full = _RANKS // form.step
    rows = (need.size, need.size + 1, full, full + 1)[pick(4)]
    colours = range(2, 3) if form.one_colour else range(4)
    cards = [
        (deck.number(low + row * form.step, colours) if low + row * form.step <= _RANKS else b"")
        or deck.wild()
        for row in range(rows)
        for _ in range(form.copies)
    ]
    return b"".join(cards)


def _with_full_groups(state: State, pick: Pick) -> State:
    """A run of all ranks on the table, or of all but one, and cards to lay at either end."""
    rules, deck = state.ruleset, _Deck(state)
    needs = [need for phase in rules.phases for need in phase.needs if not FORMS[need.kind].alike]
    if not needs:
        return state
    need = needs[pick(len(needs))]
    form = FORMS[need.kind]
    first = 2 - (need.parity == "odd") if need.parity else 1
    ranks = range(first + form.step * pick(2), _RANKS + 1 - form.step * pick(2), form.step)
    colours = range(2, 3) if form.one_colour else range(4)
    cards = b"".join(
        deck.number(rank, colours) or deck.wild() for rank in ranks for _ in range(form.copies)
    )
    roomy = replace(rules.options, lay_oversize=True, pairrun_hit="whole_pairs")
    try:
        made = arrange(need, cards, None, replace(rules, options=roomy))
    except Misfit:
        return state
    hand = deck.wild() + deck.wild() + deck.number(1) + deck.number(11) + deck.number(12)
    state = _laid_out(state, hand, deck.some(2), deck.some(9), deck)
    seats = [replace(seat, laid=seat.laid or seat.phase) for seat in state.seats]
    group = Group(0, need, made.cards, made.low, made.high)
    return replace(state, seats=tuple(seats), waits=(Question(0, "play"),), groups=(group,))


_KINDS: tuple[Callable[[State, Pick], State], ...] = (
    *(_with_nothing_to_draw, _with_lays, _with_full_groups, _with_lays),
)


def rare_position(ruleset: str, number: int) -> State:
    """The position of that number."""
    state = drawn_position(ruleset, number)
    pick = chooser(f"rarity of {ruleset}".encode(), number)
    return _KINDS[number % len(_KINDS)](replace(state, replay=False), pick)


# --- the moves ----------------------------------------------------------------------------------


def _moves(state: State, pick: Pick) -> Iterator[Act]:
    """What is listed as legal, and other moves of whoever is asked, by simple rules."""
    question = state.waits[0]
    seat = question.seat
    listed = islice(legal(state, seat, Effort(300)), _LISTED)
    others: tuple[c.Command, ...] = (c.Draw("stock"), c.Draw("discard"), c.Pass(), c.Keep(""))
    yield from (Act(command, seat) for command in chain(listed, others))
    hand = show(owner_names(state.seat(seat).hand), state.ruleset.deck.notation).split()
    for card in dict.fromkeys(hand):
        for target in (None, *state.players[1:2]):
            yield Act(c.Discard(card, target), seat)
    for card, end in product(dict.fromkeys(hand), ("low", "high")):
        if state.groups:
            yield Act(c.Hit(0, card, end), seat)  # type: ignore[arg-type]
    if question.kind == "play" and not state.seat(seat).laid:
        yield from (Act(command, seat) for command in _lays(state, hand, pick))


def _lays(state: State, hand: list[str], pick: Pick) -> Iterator[c.Lay]:
    """The hand's first cards as the groups of each phase, with values named and not."""
    for number, phase in enumerate(state.ruleset.phases, 1):
        fixed = sum(need.size * FORMS[need.kind].copies for need in phase.needs[1:])
        for longer in range(len(hand) - fixed):
            sizes = [longer, *(need.size * FORMS[need.kind].copies for need in phase.needs[1:])]
            if sizes[0] < phase.needs[0].size or pick(3):
                continue
            starts = [sum(sizes[:place]) for place in range(len(sizes))]
            words = [hand[start : start + size] for start, size in zip(starts, sizes, strict=True)]
            value = (None, 1, 2, 12)[pick(4)]
            groups = tuple(c.GroupToLay(" ".join(cards), value) for cards in words)
            yield c.Lay(groups, (None, number)[pick(2)])


def explored_rarities(ruleset: str, number: int, moves: int = 4) -> Iterator[tuple[State, Act]]:
    """Moves tried in a rare position and in those that lawful ones lead to."""
    state = rare_position(ruleset, number)
    pick = chooser(f"moves at a rarity of {ruleset}".encode(), number)
    yield from played_on(state, pick, moves, lambda now: _moves(now, pick))


# --- the actions of the ring --------------------------------------------------------------------


def explored_supplies(number: int, moves: int = 2) -> Iterator[tuple[State, Act]]:
    """A pawn right before an action's space, with any few cards to draw (O-34).

    The numbers go through the actions, each with either way to deal with a short supply.
    """
    state = drawn_position("board", number)
    pick = chooser(b"supplies", number)
    actions = sorted({*state.ruleset.track} - {"CHOOSE"})
    action, supply = actions[number // 2 % len(actions)], _SUPPLIES[number % 2]
    options = replace(state.ruleset.options, short_supply=supply)  # type: ignore[arg-type]
    state = replace(state, ruleset=replace(state.ruleset, options=options), replay=False)
    for pile, stock in product(range(4), range(4)):
        scarce = _before_action(state, action, pile, stock, are_jokers=not pick(3))
        yield from ((scarce, Act(c.Move(steps), 0)) for steps in (1, 2))
        after, _events = step(scarce, Act(c.Move(1), 0))
        if after.stage == "playing" and after.waits:
            yield from played_on(after, pick, moves, lambda now: _moves(now, pick))


_SUPPLIES = ("cancel", "as_many_as_possible")


def _before_action(state: State, action: str, pile: int, stock: int, *, are_jokers: bool) -> State:
    """The state with the pawn of seat 0 before the action's space, and so many cards to draw."""
    track, deck = state.ruleset.track, _Deck(state)
    space = track.index(action)
    hand = b"".join(deck.number(rank) for rank in (3, 5, 5))
    if are_jokers:
        hand = bytes(card | TURNED for card in hand)
    state = _laid_out(state, hand, deck.some(pile), deck.some(stock), deck)
    seats = tuple(
        replace(seat, pawn=(space - 1 - 3 * number) % len(track))
        for number, seat in enumerate(state.seats)
    )
    return replace(state, seats=seats, waits=(Question(0, "move"),), action="", dice=(1, 2))
