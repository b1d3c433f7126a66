"""The referee's table: hands, cards on the table, and the step that must come next."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from phaseledger.domain.events import Event
from phaseledger.domain.ruleset import Need, RuleSet, phase_number
from phaseledger.domain.words import Phrase, has_message
from phaseledger.replay.evidence.referee.cards import (
    Card,
    Notation,
    cards_by_word,
    faces,
    full_deck,
    words,
)

Next = Literal[
    "seats",
    "deal",
    "turn",
    "dice",
    "move",
    "choose",
    "joker",
    "search",
    "swap",
    "ask",
    "give",
    "gift",
    "draw",
    "play",
    "round end",
    "keep",
    "game end",
    "nothing",
]
"""The step that the rules want next. ``gift``: cards that come off the stock by themselves."""


class Foul(Exception):
    """The rules do not allow an event. ``matter`` is a key of `citations.CITATIONS`."""

    def __init__(self, matter: str, key: str, /, **arguments: object) -> None:
        self.matter, self.text = matter, Phrase(f"evidence.{key}", **arguments)
        super().__init__(self.text)


def word(kind: str, value: str) -> str:
    """The word of the referee's for a value, such as the step ``draw``; else the value itself."""
    keys = (f"evidence.{kind}.{value}".replace(" ", "_"), f"evidence.{value}")
    return next((Phrase(key) for key in keys if has_message(key)), value)


class RefereeSeat:
    """The cards and marks of one player."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.hand: list[Card] = []
        """Cards in order of arrival, so that ``J2`` is the second joker."""
        self.phase = 1
        """The phase to attempt; past the last when there is none."""
        self.made: set[int] = set()
        self.laid = 0
        """The phase laid in this round; 0 before."""
        self.points = 0
        self.turns_to_lose = 0
        self.has_just_lost_a_turn = False
        self.front: list[Card] = []
        """Skips that lie in front of the seat."""
        self.pawn = 0
        self.kept: list[Card] | None = None


class RefereeGroup:
    """A group on the table, with the ranks at a run's ends or what its cards have in common."""

    def __init__(self, need: Need, cards: list[Card], low: int, high: int) -> None:
        self.need = need
        self.cards = cards
        self.low = low
        self.high = high
        self.half = 0
        """Ends of a run of pairs where a single card lies: 1 low, 2 high, 3 both (O-21)."""


class RefereeTable:
    """One game after some of its events."""

    def __init__(self, ruleset: RuleSet, seats: int, dealer: int) -> None:
        self.ruleset = ruleset
        self.options = ruleset.options
        self.letter = ""
        """The letter that begins the IDs of this game's rules."""
        self.notation: Notation = ruleset.deck.notation
        self.seats = [RefereeSeat(Phrase("evidence.seat", seat=number)) for number in range(seats)]
        self.dealer = dealer
        self.next: Next = "seats"
        self.round = 0
        self.is_replay = False
        self.tied: list[int] = []
        """Seats that replay the last phase for the win (C-71)."""
        self.players: list[int] = []
        """Seats dealt in, in turn order from the first player."""
        self.active = -1
        self.turn = 0
        self.turns_of_round = 0
        self.passes = 0
        """Turns that were passed since a card last moved."""
        self.stock: list[Card] = []
        """The stock from its top."""
        self.pile: list[Card] = []
        """The discard pile, its top last."""
        self.groups: list[RefereeGroup] = []
        self.shuffles = 0
        self.taken: Counter[Card] = Counter()
        """Cards taken from the discard pile in this turn."""
        self.dice: tuple[int, ...] = ()
        self.rolls = 0
        self.plays_again = False
        """Whether the discard to come is the first of AGAIN, after which a new turn follows."""
        self.wanted = 0
        """The number of cards that the player has still to take."""
        self.gifts: list[int] = []
        """Seats to which a card off the stock comes by itself, in this order."""
        self.asked_value = 0
        self.out: int | None = None
        """The seat that went out, once the round is over; None where a limit ends it."""
        self.last_out: int | None = None
        self.keepers: list[int] = []
        """Seats still to choose cards to keep, clockwise from the starter of the next round."""
        self.winners: list[int] = []
        """Seats that have won, once the game is over."""

    def player(self, number: int) -> RefereeSeat:
        """The seat of that number.

        Raises:
            Foul: there is none.

        """
        if not 0 <= number < len(self.seats):
            raise Foul("seat", "seat.none", value=number)
        return self.seats[number]

    def expect(self, *steps: Next) -> None:
        """Check that the rules want one of these steps now.

        Raises:
            Foul: another step is due.

        """
        if self.next not in steps:
            matter = "round_end" if self.next == "round end" else "turn_order"
            raise Foul(matter, "due_now", step=word("step", self.next), other_step=_either(steps))

    def expect_active(self, number: int) -> RefereeSeat:
        """The seat, whose turn it has to be.

        Raises:
            Foul: it is another seat's turn.

        """
        if number != self.active:
            raise Foul("turn", "turn.of", name=self.name(self.active))
        return self.seats[number]

    def name(self, number: int) -> str:
        """What the table calls a seat."""
        if 0 <= number < len(self.seats):
            return self.seats[number].name
        return Phrase("evidence.seat", seat=number)

    def phase(self, number: int) -> str:
        """A phase in words: its number, and the catalogue's ID where a variant leaves out some."""
        return Phrase("evidence.phase", value=phase_number(self.ruleset, number))

    def words(self, cards: Iterable[Card]) -> str:
        """Cards in words."""
        return words(cards, self.notation)

    def read(self, text: str) -> list[Card]:
        """The cards of a text.

        Raises:
            Foul: something in it is no card.

        """
        by_word = cards_by_word(self.notation)
        try:
            return [by_word[word] for word in text.split()]
        except KeyError:
            raise Foul("card", "card.foreign", card=text) from None

    def name_cards(self, seat: RefereeSeat, text: str) -> list[Card]:
        """The cards of its hand that a player names, jokers as ``J1``, ``J2`` in order of arrival.

        Raises:
            Foul: the hand has no such cards.

        """
        if "J" not in text:
            return [card for word in text.split() for card in self.read(word)]
        jokers = [held for held in seat.hand if held.is_joker]
        names = [f"J{number}" for number in range(1, len(jokers) + 1)]
        named = []
        for word in text.split():
            if self._is_joker(word):
                if word not in names:
                    raise Foul("hand", "joker.not_held", name=seat.name, card=word)
                named.append(jokers[names.index(word)])
            else:
                named += self.read(word)
        by_number = [word for word in text.split() if self._is_joker(word)]
        if len(by_number) > len(set(by_number)):
            raise Foul("hand", "joker.twice", name=seat.name, cards=text)
        return named

    def take_from_hand(self, seat: RefereeSeat, text: str) -> list[Card]:
        """Take the named cards out of the hand.

        Raises:
            Foul: the hand has no such cards.

        """
        named = self.name_cards(seat, text)
        if "J" in text:
            jokers = [place for place, held in enumerate(seat.hand) if held.is_joker]
            places = [jokers[int(word[1:]) - 1] for word in text.split() if self._is_joker(word)]
            for place in sorted(places, reverse=True):
                del seat.hand[place]
        for card in named:
            if card.is_joker:
                continue
            if card not in seat.hand:
                raise Foul("hand", "not_held", name=seat.name, cards=self.words([card]))
            seat.hand.remove(card)
        return named

    def _is_joker(self, word: str) -> bool:
        return self.notation == "coloured" and word.startswith("J")

    def from_stock(self) -> int:
        """The number of cards that the stock can give, with the reshuffle of the discard pile."""
        return len(self.stock) + self.to_reshuffle()

    def to_reshuffle(self) -> int:
        """The number of cards of the discard pile that would become a new stock (O-01)."""
        match self.options.stock_exhausted:
            case "reshuffle_all_but_top":
                return max(0, len(self.pile) - 1)
            case "reshuffle_all":
                return len(self.pile)
            case _:
                return 0

    def end_round(self, out: int | None) -> None:
        """End the round for all seats: one went out, or a limit ended it."""
        self.out = out
        self.next = "round end"

    def after(self, number: int) -> int:
        """The next player after a seat, clockwise, of those dealt in."""
        place = self.players.index(number)
        return self.players[(place + 1) % len(self.players)]

    def count_cards(self) -> None:
        """Check that all cards are there, once each (N-03).

        Raises:
            Foul: the cards on the table and in the hands are not the deck.

        """
        held = [card for seat in self.seats for card in (*seat.hand, *seat.front)]
        laid = [card for group in self.groups for card in group.cards]
        in_play = faces([*self.stock, *self.pile, *held, *laid])
        deck = full_deck(self.ruleset.deck)
        deck += Counter()  # removes zero counts
        if in_play != deck:
            missing, surplus = (deck - in_play).elements(), (in_play - deck).elements()
            raise Foul(
                "deck", "missing", cards=self.words(missing), other_cards=self.words(surplus)
            )


def _either(steps: Iterable[Next]) -> str:
    """One of several steps, in words."""
    *others, last = (word("step", step) for step in steps)
    for step in reversed(others):
        last = Phrase("evidence.step.or", step=step, other_step=last)
    return last


def hidden(event: Event, audience: str, field: str) -> str:
    """A hidden text of an event, hidden for exactly this audience.

    Raises:
        Foul: it is not there for the audience.

    """
    secret = event.hidden.get(audience)
    text: str = getattr(secret, field) if secret else ""
    if not text:
        raise Foul("hidden", "unsaid", audience=audience, field=field)
    return text
