"""A position laid out by hand: the table as one seat sees it, in TOML or JSON.

The names are those of the service's table (`domain.view.TableView`), so that such a table is a
position too; most may be left out (docs/account.md). What is unknown, others' hands and the stock,
is dealt from the cards that lie nowhere else: judgements do not depend on how.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from phaseledger.domain.cards import (
    NAMES,
    SKIP,
    TURNED,
    UnreadableCard,
    is_wild,
    parse,
    remove,
    show,
)
from phaseledger.domain.explain.check import ImpossibleGroup, LaidAlready, laid_group
from phaseledger.domain.kernel.layout import MOST_HAND, MOST_SPURNED
from phaseledger.domain.play.rounds import left_of
from phaseledger.domain.resolve import Unplayable, phase_text, resolve
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import GAMES, find_game
from phaseledger.domain.state import Group, Question, SeatState, State
from phaseledger.domain.view import GroupView, SeatView, TableView
from phaseledger.domain.words import Phrase, reason_of
from phaseledger.replay.formats.text_files import text_of

_Number = Annotated[int, Meta(ge=0, le=1_000)]
_Phase = Annotated[int, Meta(ge=1, le=99)]


class ImpossiblePosition(ValueError):
    """A text that is no position, or cards that cannot lie so; the message is a phrase."""


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of a position."""


class LaidOutSeat(_Part, frozen=True):
    """One seat; what is left out is as at the beginning of a game."""

    name: str = ""
    phase: _Phase | None = None
    points: Annotated[int, Meta(ge=-10_000, le=10_000)] = 0
    made: tuple[_Phase, ...] = ()
    """Phases made; read only where they are not made in order."""
    laid: bool | None = None
    cards: _Number | None = None
    taken: str = ""
    spurned: str = ""
    skips: Annotated[int, Meta(ge=0, le=8)] = 0
    playing: bool = True


class LaidOutGroup(_Part, frozen=True):
    """A group on the table, a run's cards in run order."""

    owner: int | str
    kind: str
    cards: str
    low: Annotated[int, Meta(ge=1, le=12)] | None = None
    """What a group of wilds alone stands for."""


class LaidOutTable(_Part, frozen=True):
    """The table as the seat ``you`` sees it, whose turn it is."""

    ruleset: str
    seats: Annotated[tuple[LaidOutSeat, ...], Meta(min_length=1, max_length=16)]
    hand: str
    discard: str | UnsetType | None = UNSET
    pile: str = ""
    """The whole discard pile from its bottom, as far as it is remembered."""
    groups: Annotated[tuple[LaidOutGroup, ...], Meta(max_length=32)] = ()
    you: int | str = 0
    active: int | str | None = None
    ask: Literal["draw", "play"] | None = None
    waits: tuple[Question, ...] = ()
    taken: str = ""
    """The card of the hand that was taken from the pile in this turn."""
    options: dict[str, Any] = {}
    dealer: int | str | None = None
    round: _Number = 0
    replay: bool = False
    stock: _Number | None = None


def position_state(text: bytes) -> State:
    """The state that a text lays out, with what is unknown in it dealt somehow.

    Raises:
        ImpossiblePosition: what is wrong, with the card or the figure.

    """
    try:
        plain = text_of(text)
        decode = msgspec.json.decode if plain.lstrip().startswith("{") else msgspec.toml.decode
        table = msgspec.convert(_without_the_rest(decode(plain)), LaidOutTable)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _impossible("unread", reason=reason_of(error)) from None
    return _Layout(table).state()


def _without_the_rest(tree: Any) -> Any:  # noqa: ANN401 - JSON or TOML
    """The document without the names of a service's table that say nothing here."""
    if isinstance(tree, dict) and isinstance(tree.get("table"), dict):
        # As the service answers, with its options beside it, and as `replay --json` prints it.
        tree = {"options": tree.get("options", {}), **tree["table"]}
    table = _without(tree, LaidOutTable, TableView)
    for name, kind, view in (
        ("seats", LaidOutSeat, SeatView),
        ("groups", LaidOutGroup, GroupView),
    ):
        if isinstance(table, dict) and isinstance(table.get(name), list):
            table[name] = [_without(part, kind, view) for part in table[name]]
    return table


def _without(tree: Any, kind: type[Struct], view: type[Struct]) -> Any:  # noqa: ANN401
    if not isinstance(tree, dict):
        return tree
    unread = {*view.__struct_fields__} - {*kind.__struct_fields__}
    return {name: value for name, value in tree.items() if name not in unread}


def _impossible(key: str, /, **arguments: object) -> ImpossiblePosition:
    return ImpossiblePosition(Phrase(f"position.{key}", **arguments))


def _house_rules(name: str, options: Mapping[str, Any]) -> RuleSet:
    game = find_game(name)
    if game is None:
        raise ImpossiblePosition(
            Phrase("sheet.no_ruleset", name=repr(name), names=", ".join(GAMES))
        )
    try:
        return resolve(game.rules, options, game.settings)
    except Unplayable as error:
        raise ImpossiblePosition(Phrase("sheet.no_game", reason=reason_of(error))) from None


def _bits(phases: Iterable[int]) -> int:
    return sum({1 << phase - 1 for phase in phases})


def _lowest_unmade(made: int) -> int:
    return (made + 1 & ~made).bit_length()


class _Layout:
    """The state of one table, part by part."""

    def __init__(self, table: LaidOutTable) -> None:
        self.table = table
        self.ruleset = ruleset = _house_rules(table.ruleset, table.options)
        if ruleset.track:
            raise _impossible("ring", ruleset=ruleset.name)
        explicit = replace(ruleset.options, wild_placement="explicit")
        self.as_written = replace(ruleset, options=explicit)
        """The rules by which wilds lie where they are written."""
        self.names = [
            seat.name or Phrase("seat", seat=number) for number, seat in enumerate(table.seats)
        ]
        least, most, count = ruleset.seats_min, ruleset.seats_max, len(table.seats)
        if not least <= count <= most:
            raise _impossible("seats", ruleset=ruleset.name, least=least, most=most, count=count)
        self.you = self.seat_number(table.you)
        if table.active is not None and self.seat_number(table.active) != self.you:
            raise _impossible("turn", name=self.names[self.seat_number(table.active)])
        if not table.seats[self.you].playing:
            raise _impossible("playing", name=self.names[self.you])
        self.hand = self.cards(table.hand, "hand")
        self.ask = self.question()

    def state(self) -> State:
        """The state, with others' hands and the stock as they may be."""
        table, ruleset = self.table, self.ruleset
        if table.discard is UNSET and not table.pile:
            raise _impossible("discard")
        if ruleset.finish == "rounds" and not table.round:
            raise _impossible("round", rounds=ruleset.rounds)
        groups = self.groups()
        pile = self.cards(table.pile or (table.discard or ""), "discard")
        if table.discard and self.cards(table.discard, "discard") != pile[-1:]:
            top = show(pile[-1:], ruleset.deck.notation)
            raise _impossible("top", discard=table.discard, pile=top)
        taken = self.cards(table.taken, "taken")
        if len(taken) > 1 or not set(taken) <= set(self.hand):
            raise _impossible("taken", name=self.names[self.you], cards=table.taken)
        seats = [self.seat(number) for number in range(len(table.seats))]
        rest = self.unseen([pile, *(group.cards for group in groups), *(s.front for s in seats)])
        for number, seat in enumerate(seats):
            if number != self.you:
                missing = self.size(number) - len(seat.hand)
                if missing > len(rest):
                    raise _impossible(
                        "rest", name=self.names[number], missing=missing, left=len(rest)
                    )
                seats[number] = replace(seat, hand=seat.hand + rest[:missing])
                rest = rest[missing:]
        if table.stock not in (None, len(rest)):
            raise _impossible("stock", stock=table.stock, left=len(rest))
        last = len(seats) - 1
        dealer = last if table.dealer is None else self.seat_number(table.dealer)
        playing = tuple([n for n, seat in enumerate(table.seats) if seat.playing])
        return State(
            game="",
            ruleset=ruleset,
            server_commit="",
            server_secret="",
            dealer=dealer,
            seats=tuple(seats),
            stage="playing",
            waits=(Question(self.you, self.ask),),
            round=table.round or 1,
            replay=table.replay,
            players=left_of(dealer, playing),
            active=self.you,
            turn=1,
            taken=taken,
            stock=rest,
            discard=pile,
            groups=groups,
        )

    def seat_number(self, value: int | str) -> int:
        """The seat of a number or a name."""
        if isinstance(value, int) and 0 <= value < len(self.names):
            return value
        if value not in self.names:
            raise _impossible("seat", value=value)
        if self.names.count(str(value)) > 1:
            raise _impossible("namesakes", name=value)
        return self.names.index(str(value))

    def cards(self, text: str, place: str) -> bytes:
        """The cards of a text, in capitals or not, with or without commas."""
        try:
            cards = parse(text.replace(",", " ").upper(), self.ruleset.deck.notation)
        except UnreadableCard as error:
            raise _impossible("card", place=place, card=str(error)) from None
        if max(cards, default=0) >= TURNED:
            raise _impossible("card", place=place, card=text)
        return cards

    def has_laid(self, number: int) -> bool:
        """Whether a seat has laid its phase: it owns groups then."""
        owns = any(self.seat_number(group.owner) == number for group in self.table.groups)
        if self.table.seats[number].laid not in (None, owns):
            raise _impossible("owner", name=self.names[number])
        return owns

    def question(self) -> Literal["draw", "play"]:
        """What the seat is asked: the value of ``ask``, or else by the number of its cards."""
        kinds = [question.kind for question in self.table.waits if question.seat == self.you]
        ask = self.table.ask or (kinds[0] if kinds else None)
        if ask is None and not self.has_laid(self.you):
            ask = "play" if len(self.hand) > self.ruleset.hand else "draw"
        if ask == "draw" or ask == "play":
            return ask
        raise _impossible("ask")

    def size(self, number: int) -> int:
        """The number of cards in a seat's hand."""
        if not self.table.seats[number].playing:
            return 0
        is_own = number == self.you
        size = len(self.hand) if is_own else self.table.seats[number].cards
        if not self.has_laid(number):
            expected = self.ruleset.hand + (is_own and self.ask == "play")
            if size not in (None, expected):
                raise _impossible("hand", name=self.names[number], cards=size, expected=expected)
            return expected
        if size is None:
            raise _impossible("size", name=self.names[number])
        if not 0 < size < MOST_HAND:
            raise _impossible("hand_of", name=self.names[number], cards=size)
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
        """The seat, with the cards in its hand that are known."""
        seat, phase = self.table.seats[number], self.phase(number)
        laid, taken = self.has_laid(number), self.cards(seat.taken, "taken")
        in_order = self.ruleset.progress == "in_order"
        made = (1 << phase - 1) - 1 if in_order else _bits(seat.made)
        made_before = made & ~(laid << phase - 1)
        hand = self.hand if number == self.you else taken
        if remove(hand, taken) is None or len(taken) > self.size(number):
            raise _impossible("taken", name=self.names[number], cards=seat.taken)
        is_free = self.ruleset.progress == "free" and not self.table.replay
        return SeatState(
            name=seat.name,
            hand=hand,
            phase=_lowest_unmade(made_before) if is_free else phase,
            made=made | (laid << phase - 1),
            laid=phase if laid else 0,
            points=seat.points,
            skips=seat.skips,
            front=bytes([SKIP]) * (seat.skips * (self.ruleset.skip_placement == "in_front")),
            taken=taken,
            spurned=self.cards(seat.spurned, "spurned")[-MOST_SPURNED:],
        )

    def unseen(self, lying: Sequence[bytes]) -> bytes:
        """The cards of the deck that are in no known place."""
        taken = [
            self.cards(seat.taken, "taken")
            for number, seat in enumerate(self.table.seats)
            if number != self.you
        ]
        deck, named = self.ruleset.deck.cards(), b"".join([self.hand, *taken, *lying])
        for card, count in Counter(named).items():
            if count > deck.count(card):
                name = NAMES[self.ruleset.deck.notation][card]
                raise _impossible("copies", card=name, copies=count, held=deck.count(card))
        rest = remove(deck, named)
        assert rest is not None
        return rest

    def groups(self) -> tuple[Group, ...]:
        """The groups on the table, in their order."""
        groups: dict[int, Group] = {}
        owners = [self.seat_number(group.owner) for group in self.table.groups]
        for owner in dict.fromkeys(owners):
            own = [n for n, other in enumerate(owners) if other == owner]
            groups |= zip(own, self.groups_of(owner, own), strict=True)
        return tuple([groups[number] for number in range(len(owners))])

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
        raise _impossible("groups", name=self.names[owner], reason=reason)

    def described(self, group: LaidOutGroup, need: Need) -> LaidAlready:
        """The group as `explain.check` takes it, laid for a need."""
        cards = self.cards(group.cards, group.kind)
        value = group.low if all(map(is_wild, cards)) else None
        text = show(cards, self.ruleset.deck.notation)
        return LaidAlready(need.kind, text, need.parity, need.size, value)
