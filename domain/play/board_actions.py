"""The pawn's move and the eight actions of the ring (B-15 to B-42), question by question.

A space asks its question, or is carried out at once where there is nothing to decide. An action
that asks for more cards than there are takes them all, or is called off (O-34).
"""

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain import events as e
from phaseledger.domain.cards import OWN, TURNED, face_up, meant, owner_names
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.draft import Draft
from phaseledger.domain.play.rounds import (
    available,
    deal_next,
    keeping_seats,
    left_of,
    ready_stock,
    uncovered_top,
)
from phaseledger.domain.state import Question, QuestionKind, State
from phaseledger.domain.words import Phrase

TAKES = {"TAKE1": 1, "TAKE2": 2, "TAKE3": 3, "AGAIN": 1}
"""The number of cards that an action takes (B-21, B-27)."""
ASKING: dict[str, QuestionKind] = {
    "SEARCH": "search",
    "SWAP": "swap",
    "ASK": "ask",
    "CHOOSE": "choose",
}
"""The question of each action that has one of its own."""
SWAPPED_AT_MOST = 4
"""Cards of one SWAP (B-25)."""


# --- moving -------------------------------------------------------------------------------------


def steps(state: State) -> list[int]:
    """The pawn's steps: one of the dice or, after a double, twice its value (B-15, B-16)."""
    values = sorted(set(state.dice))
    return values if len(values) > 1 else [values[0], 2 * values[0]]


def _free(state: State, seat: int) -> list[int]:
    """The ring's free spaces clockwise from the seat's pawn, others' being jumped over (B-17).

    The last is the pawn's own space, unless other pawns stand on the start too (B-18).
    """
    size = len(state.ruleset.track)
    others = {state.seat(n).pawn for n in range(len(state.seats)) if n != seat}
    first = state.seat(seat).pawn + 1
    return [at % size for at in range(first, first + size) if at % size not in others]


def destinations(state: State, seat: int) -> dict[int, int]:
    """The space that each number of steps leads the seat's pawn to (B-15..B-17)."""
    free = _free(state, seat)
    return {count: free[count - 1] for count in steps(state)}


def move(draft: Draft, seat: int | None, command: c.Move) -> None:
    """Move the pawn, and carry out or begin the action of its new space (B-15..B-19)."""
    number = draft.asked(seat, "move").seat
    space = destinations(draft.now, number).get(command.steps)
    if space is None:
        raise draft.refuse(Code.NO_SUCH_MOVE, str(command.steps))
    _land(draft, number, space)


def choices(state: State, seat: int) -> dict[str, int]:
    """The actions that CHOOSE may pick, and the first free space of each (B-39..B-42)."""
    names, spaces = _names(state), dict[str, int]()
    for space in _free(state, seat):
        if names[space] != "CHOOSE":
            spaces.setdefault(names[space], space)
    return spaces


def _names(state: State) -> list[str]:
    """The action of each space under the name that CHOOSE gives it (O-27)."""
    by_type = state.ruleset.options.choose_take_by == "type"
    track = state.ruleset.track
    return ["TAKE" if by_type and name.startswith("TAKE") else name for name in track]


def choose(draft: Draft, seat: int | None, command: c.Choose) -> None:
    """Go to the first free space of another action (B-39)."""
    number = draft.asked(seat, "choose").seat
    if command.action == "CHOOSE":
        raise draft.refuse(Code.CHOOSES_ITSELF)
    space = choices(draft.now, number).get(command.action)
    if space is None:
        on_ring = command.action in _names(draft.now)
        code = Code.ACTION_OCCUPIED if on_ring else Code.NO_SUCH_ACTION
        raise draft.refuse(code, command.action)
    _land(draft, number, space)


def _supplied(state: State, seat: int, action: str) -> bool:
    """Whether the action finds the cards it needs: all of them or, by option, any (O-34)."""
    if action == "CHOOSE":
        return bool(choices(state, seat))
    if action == "SWAP" and not swappable(state, seat):
        return False
    stock = available(state)
    # A swap adds to the pile before it draws one card more, so its size makes no difference.
    stock_after_swap = available(replace(state, discard=state.discard + bytes(1)))
    needed, supply = {
        "EVERY": (len(state.players), stock),
        "JOKER": (1, stock),
        "ASK": (1, stock),
        "SWAP": (2, stock_after_swap),
        "SEARCH": (1, len(state.discard)),
    }.get(action) or (TAKES[action], max(stock, len(state.discard) + len(state.stock)))
    if state.ruleset.options.short_supply == "cancel":
        return supply >= needed
    return supply > 0 or action in ("ASK", "SWAP")


def _land(draft: Draft, number: int, space: int) -> None:
    action = draft.ruleset.track[space]
    asks, supplied = Question(number, "play"), _supplied(draft.now, number, action)
    if supplied and action in TAKES:
        asks = Question(number, "draw", TAKES[action])
    elif supplied and action in ASKING:
        asks = Question(number, ASKING[action])
    draft.emit(e.PawnMoved(seat=number, space=space, action=action, asks=(asks,)))
    if supplied and action == "JOKER":
        _draw_joker(draft, number)
    elif supplied and action == "EVERY":
        for player in (number, *left_of(number, draft.now.players)[:-1]):
            if not _supply(draft, player):
                break


# --- cards from the stock -----------------------------------------------------------------------


def _supply(draft: Draft, seat: int) -> bool:
    """Draw the stock's top card for the seat, if there is one."""
    if not ready_stock(draft):
        return False
    card = e.Secret(card=draft.text(draft.now.stock[:1]))
    draft.emit(e.CardDrawn(seat=seat, source="stock", hidden={str(seat): card}))
    return True


def _draw_joker(draft: Draft, seat: int) -> None:
    """JOKER: the stock's top card, which all but its owner see from now on (B-29, B-30)."""
    if ready_stock(draft):
        face = e.Secret(card=draft.text(draft.now.stock[:1]))
        hidden = {f"not:{seat}": face}
        if draft.options.joker_memory == "owner_sees_always":
            hidden[str(seat)] = face
        draft.emit(e.CardTurned(seat=seat, hidden=hidden))


# --- actions that ask ---------------------------------------------------------------------------


def search(draft: Draft, seat: int | None, command: c.Search) -> None:
    """Take a card out of the discard pile, unseen by the others (B-23, B-24)."""
    number = draft.asked(seat, "search").seat
    cards, pile = draft.read_one(command.card, "taken"), draft.now.discard
    place = pile.rfind(cards)
    if place < 0:
        raise draft.refuse_card(Code.NOT_IN_PILE, cards[0])
    secret = e.Secret(card=draft.text(cards), said=command.card, place=place)
    draft.emit(
        e.CardDrawn(
            seat=number,
            source="pile",
            top=uncovered_top(draft, pile[:place] + pile[place + 1 :]),
            asks=(Question(number, "play"),),
            hidden={str(number): secret},
        )
    )


def swappable(state: State, seat: int) -> bytes:
    """The cards that the seat may put on the pile, as their owner names them."""
    hand = owner_names(state.seat(seat).hand)
    if state.ruleset.options.joker_discard == "forbidden":
        return bytes(card for card in hand if card < OWN)
    return hand


def _read_cards(draft: Draft, text: str) -> bytes:
    """The cards that a command names; empty where it names none."""
    return draft.read(text) if text.split() else b""


def swap(draft: Draft, seat: int | None, command: c.Swap) -> None:
    """Discard up to four cards, then draw one more from the stock (B-25, B-26)."""
    number = draft.asked(seat, "swap").seat
    cards = _read_cards(draft, command.cards)
    if not 1 <= len(cards) <= SWAPPED_AT_MOST:
        raise draft.refuse(Code.SWAP_COUNT, str(len(cards)))
    draft.hold(number, cards, Code.SWAP_COUNT)
    jokers = bytes(card for card in cards if card > OWN)
    if jokers and draft.options.joker_discard == "forbidden":
        raise draft.refuse_card(Code.JOKER_NOT_DISCARDABLE, jokers[0])
    faces = face_up(meant(draft.seat(number).hand, cards))
    draft.emit(
        e.CardsSwapped(
            seat=number,
            count=len(cards),
            top=draft.text(faces[-1:]),
            jokers=draft.text(jokers),
            asks=(Question(number, "play"),),
            hidden={str(number): e.Secret(said=command.cards)},
        )
    )
    for _ in range(len(cards) + 1):
        if not _supply(draft, number):
            break


def ask(draft: Draft, seat: int | None, command: c.Ask) -> None:
    """Ask for a value: the first seat that holds it has to give a card (B-32, B-33, B-35, B-36)."""
    number = draft.asked(seat, "ask").seat
    value = command.value
    if not 1 <= value <= 12:
        raise draft.refuse(Code.NO_SUCH_VALUE, str(value))
    order = left_of(number, draft.now.players)[:-1]
    if command.direction == "right":
        order = order[::-1]
    giver, cards = next(
        (
            (candidate, matching)
            for candidate in order
            if (matching := _matching(draft.now, candidate, value))
        ),
        (number, b""),
    )
    choosing = draft.options.ask_giver_chooses and cards and cards[0] < OWN
    asks = Question(giver, "give", value) if choosing else Question(number, "play")
    draft.emit(e.CardAsked(seat=number, value=value, direction=command.direction, asks=(asks,)))
    if not cards:
        _supply(draft, number)
    elif not choosing:
        _hand_over(draft, giver, cards[:1])


def _matching(state: State, seat: int, value: int) -> bytes:
    """The cards that the seat may give: cards of the value, or else its first such joker."""
    hand = state.seat(seat).hand
    plain = bytes(card for card in hand if card < TURNED and card & 15 == value)
    jokers = [
        name
        for card, name in zip(hand, owner_names(hand), strict=True)
        if card & TURNED and card & 15 == value
    ]
    return plain or bytes(jokers[:1])


def give(draft: Draft, seat: int | None, command: c.Give) -> None:
    """Hand over a card of the value asked for, by choice (B-37)."""
    question = draft.asked(seat, "give")
    cards = draft.read_one(command.card, "given")
    draft.hold(question.seat, cards, Code.NOT_ASKED_FOR)
    if cards[0] > OWN or cards[0] & 15 != question.number:
        raise draft.refuse_card(Code.NOT_ASKED_FOR, cards[0])
    _hand_over(draft, question.seat, cards, command.card)


def _hand_over(draft: Draft, giver: int, cards: bytes, card_text: str = "") -> None:
    """Give the asker the card, and the giver one from the stock (B-34, B-38)."""
    asker = draft.now.active
    joker = draft.text(cards) if cards[0] > OWN else ""
    face = draft.text(face_up(meant(draft.seat(giver).hand, cards)))
    audience = f"not:{giver}" if joker else "{},{}".format(*sorted((giver, asker)))
    draft.emit(
        e.CardGiven(
            seat=giver,
            to=asker,
            joker=joker,
            asks=(Question(asker, "play"),),
            hidden={audience: e.Secret(card=face, said=card_text)},
        )
    )
    _supply(draft, giver)


# --- between two rounds -------------------------------------------------------------------------


def keep(draft: Draft, seat: int | None, command: c.Keep) -> None:
    """Choose the cards that stay in hand for the next round (B-72, B-83)."""
    question = draft.asked(seat, "keep")
    number = question.seat
    cards = _read_cards(draft, command.cards)
    if len(cards) > question.number:
        raise draft.refuse(
            Code.KEEP_COUNT, Phrase("detail.at_most", count=len(cards), most=question.number)
        )
    draft.hold(number, cards, Code.KEEP_COUNT)
    remaining = tuple(
        player
        for player in keeping_seats(draft.now)
        if player != number and draft.seat(player).kept is None
    )
    openly = draft.options.keep_choice == "seat_order_open"
    asked_seats = remaining[:1] if openly else remaining
    draft.emit(
        e.CardsKept(
            seat=number,
            cards=draft.text(cards) if openly else "",
            asks=tuple(Question(player, "keep", question.number) for player in asked_seats),
            hidden={str(number): e.Secret(said=command.cards)},
        )
    )
    if not remaining:
        deal_next(draft)
