"""The state of a table that was laid out by hand, or that the service answers (`laid_out`).

What its seat does not know, others' hands, the stock, a covered pile and the other sides of jokers,
is dealt from the cards that lie nowhere else: judgements do not depend on how.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations

from msgspec import UNSET
from msgspec.structs import replace

from phaseledger.domain.cards import (
    NAMES,
    SKIP,
    TURNED,
    UNKNOWN,
    face_up,
    is_wild,
    remove,
    show,
)
from phaseledger.domain.explain.check import ImpossibleGroup, LaidAlready, laid_group
from phaseledger.domain.kernel.layout import MOST_SPURNED
from phaseledger.domain.kernel.pack import most_held
from phaseledger.domain.play.rounds import left_of
from phaseledger.domain.policies import FINISH, NEXT_PHASE
from phaseledger.domain.resolve import phase_text
from phaseledger.domain.ruleset import Need
from phaseledger.domain.state import Group, SeatState, State
from phaseledger.domain.words import Phrase, reason_of
from phaseledger.replay.laboratory.account.asked import AskedSeat
from phaseledger.replay.laboratory.account.laid_out import (
    ImpossiblePosition,
    LaidOutGroup,
    impossible,
    read_table,
)
from phaseledger.replay.laboratory.account.readings import Reading

_HIDDEN = bytes([UNKNOWN, TURNED])
"""Cards and jokers whose faces are not known."""


def position_state(text: bytes) -> State:
    """The state that a text lays out, with what is unknown in it dealt somehow.

    Raises:
        ImpossiblePosition: what is wrong, with the card or the figure.

    """
    return _Layout(Reading(read_table(text))).state()


def _bits(phases: Iterable[int]) -> int:
    return sum({1 << phase - 1 for phase in phases})


def _lowest_unmade(made: int) -> int:
    return (made + 1 & ~made).bit_length()


class _Layout:
    """The state of one table, part by part."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.table, self.ruleset, self.you = reading.table, reading.ruleset, reading.you
        explicit = replace(reading.ruleset.options, wild_placement="explicit")
        self.as_written = replace(reading.ruleset, options=explicit)
        """The rules by which wilds lie where they are written."""
        self.names = reading.names
        self.asked = AskedSeat(reading)
        if not self.table.seats[self.you].playing:
            raise impossible("playing", name=self.names[self.you])
        self.rest = b""
        """The cards that lie in no known place."""

    def state(self) -> State:
        """The state, with what the seat does not know as it may be."""
        table, ruleset, asked = self.table, self.ruleset, self.asked
        if ruleset.finish == "rounds" and not table.round:
            raise impossible("round", rounds=ruleset.rounds)
        pile, groups = self.pile(), self.groups()
        seats = [self.seat(number) for number in range(len(table.seats))]
        fronts = [seat.front for seat in seats]
        hands = [seat.hand for seat in seats]
        self.rest = self.unseen(b"".join([pile, *(g.cards for g in groups), *fronts, *hands]))
        pile = self.filled(pile, "pile")
        groups = [
            replace(group, cards=self.filled(group.cards, self.names[group.owner]))
            for group in groups
        ]
        seats = [
            replace(seat, hand=self.filled(seat.hand, name))
            for seat, name in zip(seats, self.names, strict=True)
        ]
        if table.stock not in (None, len(self.rest)):
            raise impossible("stock", stock=table.stock, left=len(self.rest))
        dealer = len(seats) - 1 if table.dealer is None else self.reading.seat_number(table.dealer)
        playing = tuple([n for n, seat in enumerate(table.seats) if seat.playing])
        state = State(
            game="",
            ruleset=ruleset,
            server_commit="",
            server_secret="",
            dealer=dealer,
            seats=tuple(seats),
            stage="playing",
            waits=(asked.question,),
            round=table.round or 1,
            replay=table.replay,
            # The dealer goes first at the board, where it stands for the starter.
            players=left_of(dealer - (ruleset.options.first_player == "dealer"), playing),
            active=asked.active,
            turn=1,
            taken=asked.taken,
            stock=self.rest,
            discard=pile,
            groups=tuple(groups),
            dice=table.dice,
            action=asked.action,
        )
        return self.after_round(state) if asked.question.kind == "keep" else state

    def after_round(self, state: State) -> State:
        """The state after the round has ended: markers have moved on."""
        active = self.asked.active
        out = None if state.seat(active).hand else active
        advance = NEXT_PHASE[self.ruleset.progress]
        seats = [
            replace(state.seat(number), phase=advance(state, number, out))
            for number in range(len(state.seats))
        ]
        state = replace(state, seats=tuple(seats), out=out)
        verdict = FINISH[self.ruleset.finish](state)
        if verdict.follows != "round":
            raise impossible("over", name=self.names[verdict.seats[0]])
        return state

    def filled(self, cards: bytes, name: str) -> bytes:
        """The cards, the next unseen ones in the place of unknown ones."""
        missing = sum(map(cards.count, _HIDDEN))
        if missing > len(self.rest):
            raise impossible("rest", name=name, missing=missing, left=len(self.rest))
        dealt, self.rest = iter(self.rest[:missing]), self.rest[missing:]
        return bytes([card | next(dealt) if card in _HIDDEN else card for card in cards])

    def pile(self) -> bytes:
        """The discard pile; of a covered one the top alone, but where the seat searches it."""
        table, is_covered = self.table, self.ruleset.pile == "covered"
        if table.discard is UNSET and not table.pile:
            raise impossible("discard")
        top = self.reading.cards(table.discard or "", "discard")
        pile = self.reading.cards(table.pile, "pile", unknown=is_covered) or top
        if is_covered and top and not table.pile:
            count = self.ruleset.initial_discards if table.discards is None else table.discards
            pile = bytes(max(count - len(top), 0)) + top
        if top and top != pile[-1:]:
            shown = show(pile[-1:], self.ruleset.deck.notation)
            raise impossible("top", discard=table.discard, pile=shown)
        if table.discards not in (None, len(pile)):
            raise impossible("discards", discards=table.discards, count=len(pile))
        if self.asked.question.kind == "search":
            if not pile or UNKNOWN in pile:
                raise impossible("searched", name=self.names[self.you])
        elif is_covered and (any(pile[:-1]) or UNKNOWN in pile[-1:]):
            raise impossible("covered", pile=table.pile or table.discard)
        return pile

    def size(self, number: int) -> int:
        """The number of cards in a seat's hand."""
        seat, is_own = self.table.seats[number], number == self.you
        if not seat.playing:
            return 0
        size = len(self.reading.hand) if is_own else seat.cards
        asked, has_ring = self.asked.question.kind, bool(self.ruleset.track)
        if size is None and asked == "keep" and number == self.asked.active:
            return 0
        if not self.reading.has_laid(number):
            expected = self.ruleset.hand + (is_own and asked == "play")
            if not has_ring and size not in (None, expected):
                raise impossible("hand", name=self.names[number], cards=size, expected=expected)
            size = expected if size is None else size
        if size is None:
            raise impossible("size", name=self.names[number])
        if not (0 if has_ring else 1) <= size < most_held(self.ruleset):
            raise impossible("hand_of", name=self.names[number], cards=size)
        return size

    def phase(self, number: int) -> int:
        """The phase that a seat attempts, or has laid."""
        seat, most = self.table.seats[number], len(self.ruleset.phases)
        by_round = self.ruleset.progress == "by_round" and self.table.round
        default = _lowest_unmade(_bits(seat.made)) if self.ruleset.progress == "free" else 1
        phase = seat.phase or by_round or default
        for named in (phase, *seat.made):
            if named > most:
                raise ImpossiblePosition(Phrase("detail.phase.number", most=most, value=named))
        return phase

    def seat(self, number: int) -> SeatState:
        """The seat, with the cards in its hand as far as they are known."""
        seat, phase = self.table.seats[number], self.phase(number)
        laid, taken = self.reading.has_laid(number), self.reading.cards(seat.taken, "taken")
        in_order = self.ruleset.progress == "in_order"
        made = (1 << phase - 1) - 1 if in_order else _bits(seat.made)
        made_before = made & ~(laid << phase - 1)
        is_free = self.ruleset.progress == "free" and not self.table.replay
        return SeatState(
            name=seat.name,
            hand=self.hand(number, taken),
            phase=_lowest_unmade(made_before) if is_free else phase,
            made=made | (laid << phase - 1),
            laid=phase if laid else 0,
            points=seat.points,
            skips=seat.skips,
            front=bytes([SKIP]) * (seat.skips * (self.ruleset.skip_placement == "in_front")),
            taken=taken,
            spurned=self.reading.cards(seat.spurned, "spurned")[-MOST_SPURNED:],
            pawn=self.asked.pawns[number],
        )

    def hand(self, number: int, taken: bytes) -> bytes:
        """The hand: of another seat first what it took openly, last its jokers."""
        size, jokers = self.size(number), self.jokers(number)
        if number == self.you:
            left = iter(jokers)
            hand = bytes([next(left) if card == TURNED else card for card in self.reading.hand])
        else:
            hand = taken + bytes(max(size - len(taken) - len(jokers), 0)) + jokers
        if remove(hand, taken) is None or len(hand) > size:
            raise impossible("taken", name=self.names[number], cards=self.table.seats[number].taken)
        return hand

    def jokers(self, number: int) -> bytes:
        """The jokers in a seat's hand, with the faces that ``you`` sees."""
        text, is_own = self.table.seats[number].jokers, number == self.you
        held = self.reading.hand.count(TURNED) if is_own else self.size(number)
        faces = self.reading.cards(text, "jokers", unknown=True)
        if is_own and not text:
            faces = bytes(held)
        if len(faces) > held or (is_own and len(faces) < held):
            raise impossible("jokers", name=self.names[number], count=len(faces), held=held)
        if is_own and self.ruleset.options.joker_memory != "owner_sees_always":
            if any(faces):
                raise impossible("own_jokers", name=self.names[number])
        elif UNKNOWN in faces:
            raise impossible("faces", name=self.names[number])
        return bytes([TURNED | face for face in faces])

    def unseen(self, lying: bytes) -> bytes:
        """The cards of the deck that lie in no known place."""
        deck, named = self.ruleset.deck.cards(), face_up(lying.translate(None, _HIDDEN))
        for card, count in Counter(named).items():
            if count > deck.count(card):
                name = NAMES[self.ruleset.deck.notation][card]
                raise impossible("copies", card=name, copies=count, held=deck.count(card))
        rest = remove(deck, named)
        assert rest is not None
        return rest

    def groups(self) -> list[Group]:
        """The groups on the table, in their order."""
        groups: dict[int, Group] = {}
        owners = [self.reading.seat_number(group.owner) for group in self.table.groups]
        for owner in dict.fromkeys(owners):
            own = [n for n, other in enumerate(owners) if other == owner]
            groups |= zip(own, self.groups_of(owner, own), strict=True)
        return [groups[number] for number in range(len(owners))]

    def groups_of(self, owner: int, numbers: list[int]) -> list[Group]:
        """The groups of one seat, which are those of its phase."""
        phase = self.ruleset.phases[self.phase(owner) - 1]
        laid = [self.table.groups[number] for number in numbers]
        kinds = [group.kind.partition(" ")[0].lower() for group in laid]
        reason: object = Phrase("position.phase", needs=phase_text(phase))
        for needs in permutations(phase.needs):
            if [need.kind for need in needs] == kinds:
                try:
                    return [
                        replace(
                            laid_group(self.as_written, self.described(group, need)), owner=owner
                        )
                        for group, need in zip(laid, needs, strict=True)
                    ]
                except ImpossibleGroup as error:
                    reason = reason_of(error)
        raise impossible("groups", name=self.names[owner], reason=reason)

    def described(self, group: LaidOutGroup, need: Need) -> LaidAlready:
        """The group as `explain.check` takes it, laid for a need."""
        cards = self.reading.cards(group.cards, group.kind, jokers=True)
        value = group.low if all(map(is_wild, cards)) else None
        text = show(cards, self.ruleset.deck.notation)
        return LaidAlready(need.kind, text, need.parity, need.size, value)
