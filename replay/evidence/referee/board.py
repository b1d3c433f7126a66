"""The ring of action spaces: dice, pawns, and the actions (B-15 to B-42)."""

from phaseledger.domain.commands import Ask, Choose, Give, Move, Search, Swap
from phaseledger.domain.events import (
    CardAsked,
    CardDrawn,
    CardGiven,
    CardsSwapped,
    CardTurned,
    DiceRolled,
    PawnMoved,
)
from phaseledger.replay.evidence.referee.cards import Card
from phaseledger.replay.evidence.referee.table import Foul, Next, RefereeSeat, RefereeTable, hidden
from phaseledger.replay.evidence.referee.turns import top_of_stock

TAKE = {"TAKE1": 1, "TAKE2": 2, "TAKE3": 3}
"""The number of cards that the player adds to the hand."""


def roll(table: RefereeTable, event: DiceRolled) -> None:
    """Two dice are thrown at the start of a turn, and of each further one by AGAIN."""
    table.expect_active(event.seat)
    table.expect("dice")
    if event.roll != table.rolls:
        raise Foul("dice", "board.throw", count=table.rolls)
    if len(event.dice) != 2 or not all(1 <= die <= 6 for die in event.dice):
        raise Foul("dice", "board.dice")
    table.dice, table.rolls, table.next = event.dice, table.rolls + 1, "move"
    table.taken.clear()


def move(table: RefereeTable, event: PawnMoved) -> None:
    """Move the pawn by a die, or to the action that was chosen; its space sets the next step."""
    seat = table.expect_active(event.seat)
    table.expect("move", "choose")
    command = event.act.command if event.act else None
    if table.next == "move":
        if not isinstance(command, Move):
            raise Foul("move", "board.how_far")
        first, second = table.dice
        steps = {first, second} | ({first + second} if first == second else set())
        if command.steps not in steps:
            raise Foul("move", "board.steps", n=first, m=second, count=command.steps)
        due = _nth_free(table, event.seat, command.steps)
    else:
        if not isinstance(command, Choose):
            raise Foul("choose", "board.which")
        due = _chosen_space(table, event.seat, command.action)
    if event.space != due:
        raise Foul("pawn", "board.space", n=due, m=event.space)
    if table.ruleset.track[due] != event.action:
        raise Foul("pawn", "board.action", n=due, type=table.ruleset.track[due], value=event.action)
    seat.pawn = due
    _begin_action(table, event.seat, event.action)


def _taken_spaces(table: RefereeTable, number: int) -> set[int]:
    return {seat.pawn for other, seat in enumerate(table.seats) if other != number}


def _nth_free(table: RefereeTable, number: int, steps: int) -> int:
    """The space ``steps`` free ones on: others' pawns are jumped over and not counted (B-17)."""
    occupied, space = _taken_spaces(table, number), table.seats[number].pawn
    while steps:
        space = (space + 1) % len(table.ruleset.track)
        steps -= space not in occupied
    return space


def _chosen_space(table: RefereeTable, number: int, action: str) -> int:
    """The first free space of another action, clockwise (B-39..B-42)."""
    if action == "CHOOSE":
        raise Foul("choose_itself", "board.choose")
    is_take = table.options.choose_take_by == "type" and action == "TAKE"
    if action not in table.ruleset.track and not is_take:
        raise Foul("choose", "board.no_action", type=action)
    if table.options.choose_take_by == "type" and action in TAKE:
        raise Foul("choose", "board.take")
    occupied, here = _taken_spaces(table, number), table.seats[number].pawn
    size = len(table.ruleset.track)
    for step in range(1, size):
        space = (here + step) % size
        is_meant = table.ruleset.track[space] in (TAKE if is_take else (action,))
        if is_meant and space not in occupied:
            return space
    raise Foul("occupied", "board.occupied", type=action)


def _begin_action(table: RefereeTable, number: int, action: str) -> None:
    """Set what the action asks for, or the part for which there are enough cards (O-34)."""
    cancels = table.options.short_supply == "cancel"
    table.next = "play"
    if action in TAKE or action == "AGAIN":
        table.plays_again = action == "AGAIN"
        wanted = TAKE.get(action, 1)
        loose = wanted if _ends_with_stock(table) else len(table.pile) + len(table.stock)
        if loose >= (wanted if cancels else 1):
            table.next, table.wanted = "draw", wanted
    elif action == "EVERY":
        if not _is_called_off(table, len(table.players)):
            hand_out(table, [number, *_others(table, number)])
    elif _can_begin(table, number, action):
        table.next = _STEPS[action]


_STEPS: dict[str, Next] = {
    "JOKER": "joker",
    "SEARCH": "search",
    "SWAP": "swap",
    "ASK": "ask",
    "CHOOSE": "choose",
}
"""The question of each action to its player."""


def _can_begin(table: RefereeTable, number: int, action: str) -> bool:
    """Whether there are the cards that the action begins with."""
    if action == "JOKER":
        return bool(table.from_stock()) or _ends_with_stock(table)
    if action == "SEARCH":
        return bool(table.pile)
    if action == "ASK":  # the giver of a card, or the player, gets one off the stock
        return not _is_called_off(table, 1)
    return action != "SWAP" or _can_swap(table, table.seats[number])


def _can_swap(table: RefereeTable, seat: RefereeSeat) -> bool:
    """Whether there is a card to put down, and one more card than that to draw.

    Cards put down come back with the reshuffle, so the answer is the same for one card and for
    four.
    """
    may_put_down_jokers = table.options.joker_discard != "forbidden"
    if not any(may_put_down_jokers or not card.is_joker for card in seat.hand):
        return False
    table.pile.append(seat.hand[0])
    is_called_off = _is_called_off(table, 2)
    table.pile.pop()
    return not is_called_off


def _is_called_off(table: RefereeTable, wanted: int) -> bool:
    """Whether the stock has too few cards for all that is wanted of it (O-34).

    Where an empty stock ends the round, wanting a card of it does so, and no action is called off.
    """
    is_short = table.options.short_supply == "cancel" and table.from_stock() < wanted
    return is_short and not _ends_with_stock(table)


def _ends_with_stock(table: RefereeTable) -> bool:
    """Whether a card wanted from an empty stock ends the round (O-01)."""
    return table.options.stock_exhausted == "end_round"


def _others(table: RefereeTable, number: int) -> list[int]:
    """The other players in turn order from the left neighbour."""
    others, seat = [], table.after(number)
    while seat != number:
        others.append(seat)
        seat = table.after(seat)
    return others


def hand_out(table: RefereeTable, seats: list[int]) -> None:
    """Hand each of the seats a card off the stock, as far as there are any (B-85)."""
    table.gifts = seats
    table.next = "gift"
    if not table.from_stock() and not _ends_with_stock(table):
        table.gifts, table.next = [], "play"


def turn_joker(table: RefereeTable, event: CardTurned) -> None:
    """Move the top card of the stock into the hand as a joker, its face to all others (B-29)."""
    seat = table.expect_active(event.seat)
    table.expect("joker")
    text = hidden(event, f"not:{event.seat}", "card")
    always = table.options.joker_memory == "owner_sees_always"
    if (str(event.seat) in event.hidden) != always:
        raise Foul("joker_seen", "board.back")
    seat.hand.append(top_of_stock(table, text).turned(is_joker=True))
    table.next = "play"


def search(table: RefereeTable, event: CardDrawn) -> None:
    """The player takes one card out of the discard pile, whose order does not change (B-23)."""
    seat = table.expect_active(event.seat)
    table.expect("search")
    card = hidden(event, str(event.seat), "card")
    secret = event.hidden[str(event.seat)]
    if event.card:
        raise Foul("hidden", "board.unseen")
    if event.act and isinstance(event.act.command, Search) and secret.said.split() != card.split():
        raise Foul("hand", "board.other_taken")
    if not 0 <= secret.place < len(table.pile):
        raise Foul("search", "board.no_place", count=secret.place)
    if table.read(card) != [table.pile[secret.place]]:
        raise Foul("search", "board.in_place", count=secret.place, card=card)
    taken = table.pile.pop(secret.place)
    if table.read(event.top) != table.pile[-1:]:
        raise Foul("search", "board.on_top", cards=table.words(table.pile[-1:]))
    seat.hand.append(taken)
    table.taken[taken] += 1
    table.next = "play"


def swap(table: RefereeTable, event: CardsSwapped) -> None:
    """Put one to four cards on the discard pile, take one more off the stock (B-25, B-26)."""
    seat = table.expect_active(event.seat)
    table.expect("swap")
    named = hidden(event, str(event.seat), "said")
    if not isinstance(event.act.command if event.act else None, Swap):
        raise Foul("swap", "board.swap_unsaid")
    if not 1 <= len(named.split()) <= 4 or event.count != len(named.split()):
        raise Foul("swap", "board.swap_count", count=len(named.split()), n=event.count)
    cards = table.take_from_hand(seat, named)
    jokers = [word for word in named.split() if word.startswith("J")]
    if jokers and table.options.joker_discard == "forbidden":
        raise Foul("joker_discard", "joker_discard")
    if event.jokers.split() != jokers:
        raise Foul("swap", "board.jokers", cards=" ".join(jokers) or "none")
    shown: list[Card] = [card.turned(is_joker=False) for card in cards]
    if table.read(event.top) != shown[-1:]:
        raise Foul("swap", "board.last_seen", cards=table.words(shown[-1:]))
    table.pile += shown
    wanted = len(cards) + 1
    if _is_called_off(table, wanted):
        raise Foul("short_supply", "board.too_few")
    hand_out(table, [event.seat] * wanted)


def ask(table: RefereeTable, event: CardAsked) -> None:
    """Ask the others one by one for a value, until one has it (B-32)."""
    table.expect_active(event.seat)
    table.expect("ask")
    command = event.act.command if event.act else None
    if not isinstance(command, Ask) or (command.value, command.direction) != (
        event.value,
        event.direction,
    ):
        raise Foul("ask", "board.asked_else")
    if not 1 <= event.value <= 12:
        raise Foul("ask", "board.no_value", value=event.value)
    others = _others(table, event.seat)
    if event.direction == "right":
        others.reverse()
    table.asked_value = event.value
    for other in others:
        if any(card.rank == event.value for card in table.seats[other].hand):
            table.gifts, table.next = [other], "give"
            return
    hand_out(table, [event.seat])


def give(table: RefereeTable, event: CardGiven) -> None:
    """Give a card of the value from the first seat that has one; a joker only without another."""
    table.expect("give")
    if [event.seat] != table.gifts or event.to != table.active:
        raise Foul("give", "board.must_give", name=table.name(table.gifts[0]))
    giver, asker = table.seats[event.seat], table.seats[event.to]
    card = _given(table, giver, event)
    asker.hand.append(card.turned(is_joker=False))
    table.gifts = []
    table.next = "play"
    if not _is_called_off(table, 1):
        hand_out(table, [event.seat])


def _given(table: RefereeTable, giver: RefereeSeat, event: CardGiven) -> Card:
    ordinary = [card for card in giver.hand if card.rank == table.asked_value and card.is_natural]
    if event.joker:
        if ordinary:
            raise Foul("give_joker", "board.has_natural", name=giver.name)
        (card,) = table.take_from_hand(giver, event.joker)
        if table.read(hidden(event, f"not:{event.seat}", "card")) != [card.turned(is_joker=False)]:
            raise Foul("give", "board.face")
    else:
        audience = ",".join(map(str, sorted((event.seat, event.to))))
        text = hidden(event, audience, "card")
        if len(table.read(text)) != 1 or table.read(text)[0].is_joker:
            raise Foul("give", "board.one_given")
        (card,) = table.take_from_hand(giver, text)
        secret = event.hidden[audience]
        by_choice = event.act and isinstance(event.act.command, Give)
        if by_choice and secret.said and secret.said.split() != [text]:
            raise Foul("hand", "board.other_given")
        if not table.options.ask_giver_chooses and card != ordinary[0]:
            raise Foul("give", "board.first_given")
    if card.rank != table.asked_value:
        raise Foul("give", "board.asked_for", value=table.asked_value, card=card.rank)
    return card
