"""The turn: its seat, lost turns, drawing, discarding and skips."""

from phaseledger.domain.commands import Discard, Draw
from phaseledger.domain.events import (
    CardDiscarded,
    CardDrawn,
    SkipPlaced,
    SkipServed,
    StockShuffled,
    TurnBegan,
    TurnPassed,
)
from phaseledger.replay.evidence.referee.cards import SKIP, Card, faces
from phaseledger.replay.evidence.referee.groups import are_full
from phaseledger.replay.evidence.referee.table import Foul, RefereeSeat, RefereeTable, hidden


def next_in_turn(table: RefereeTable, number: int, turn: int) -> RefereeSeat:
    """Check that it is this seat's turn, and that the turn is counted on."""
    table.expect("turn")
    due = table.players[0] if table.active < 0 else table.after(table.active)
    if number != due:
        raise Foul("turn", "turn.of", name=table.name(due))
    if turn != table.turn + 1:
        raise Foul("turn", "turn.next", n=table.turn + 1, m=turn)
    table.active, table.turn = number, turn
    table.turns_of_round += 1
    return table.seats[number]


def begin_turn(table: RefereeTable, event: TurnBegan) -> None:
    """Begin a turn, unless the player has one to lose."""
    seat = next_in_turn(table, event.seat, event.turn)
    if seat.turns_to_lose:
        raise Foul("skip_owed", "turn.lose", name=seat.name)
    seat.has_just_lost_a_turn = False
    table.plays_again, table.wanted = False, 0
    table.taken.clear()
    table.rolls = 0
    if table.ruleset.acquire == "actions":
        table.next = "dice"
        return
    if not can_draw(table) and table.options.no_card_to_draw == "end_round":
        raise Foul("no_card", "turn.no_card")
    table.next, table.wanted = "draw", 1


def serve_skip(table: RefereeTable, event: SkipServed) -> None:
    """Serve a lost turn: only putting the skip, where one lies in front, on or under the pile."""
    seat = next_in_turn(table, event.seat, event.turn)
    if not seat.turns_to_lose:
        raise Foul("skip_owed", "turn.none_to_lose", name=seat.name)
    seat.turns_to_lose -= 1
    seat.has_just_lost_a_turn = True
    if bool(seat.front) != bool(event.card):
        raise Foul("skip_served", "turn.front", name=seat.name, cards=table.words(seat.front))
    if seat.front:
        if table.read(event.card) != seat.front[:1] or event.to != table.ruleset.skip_after_served:
            raise Foul("skip_served", f"turn.skip_{table.ruleset.skip_after_served}")
        table.pile.insert(len(table.pile) if event.to == "top" else 0, seat.front.pop(0))
    end_turn(table)


def can_draw(table: RefereeTable) -> bool:
    """Whether any pile gives a card: the stock, the reshuffle, or the top of the pile.

    Under the option that an empty stock ends the round, its card can be asked for at any time.
    """
    if table.stock or table.to_reshuffle() or table.options.stock_exhausted == "end_round":
        return True
    return bool(table.pile) and (table.pile[-1] != SKIP or table.options.skip_drawable)


def _may_go_on_without_drawing(table: RefereeTable) -> bool:
    """Whether the turn goes on without a draw, because no pile gives a card."""
    return table.ruleset.acquire == "draw" and not can_draw(table)


def seat_to_play(table: RefereeTable, number: int) -> RefereeSeat:
    """The seat, whose turn it has to be, and which has drawn unless no pile gives a card."""
    seat = table.expect_active(number)
    if table.next == "draw" and _may_go_on_without_drawing(table):
        table.next = "play"
    table.expect("play")
    return seat


def shuffle(table: RefereeTable, event: StockShuffled) -> None:
    """Make the discard pile the stock, only when a card is wanted from an empty one."""
    table.expect("draw", "joker", "gift")
    if table.stock:
        raise Foul("reshuffle", "stock.left", count=len(table.stock))
    count = table.to_reshuffle()
    if not count or (event.count, event.kept) != (count, len(table.pile) - count):
        raise Foul("reshuffle", "stock.become", count=count)
    if event.shuffle != table.shuffles + 1:
        raise Foul("reshuffle", "stock.shuffle", count=table.shuffles + 1)
    if event.act and isinstance(event.act.command, Draw) and event.act.command.source != "stock":
        raise Foul("reshuffle", "stock.nobody")
    new = table.read(hidden(event, "stock", "stock"))
    if faces(new) != faces(table.pile[:count]):
        raise Foul("reshuffle", "stock.others")
    table.shuffles += 1
    table.stock, table.pile = new, table.pile[count:]


def draw(table: RefereeTable, event: CardDrawn) -> None:
    """A player takes the top card of the stock or of the discard pile."""
    if table.next == "gift":
        take_gift(table, event)
        return
    seat = table.expect_active(event.seat)
    table.expect("draw")
    command = event.act.command if event.act else None
    if event.source != (command.source if isinstance(command, Draw) else "stock"):
        raise Foul("draw", "draw.pile")
    if event.source == "stock":
        if event.card:
            raise Foul("hidden", "draw.eyes")
        seat.hand.append(top_of_stock(table, hidden(event, str(event.seat), "card")))
    elif event.source == "discard":
        taken = take_top(table, event)
        seat.hand.append(taken)
        table.taken[taken] += 1
    else:
        raise Foul("draw", "draw.top")
    table.wanted -= 1
    if table.wanted <= 0 or not can_draw(table):
        table.next = "play"


def take_top(table: RefereeTable, event: CardDrawn) -> Card:
    """Take the top card of the discard pile, which is no skip unless skips may be drawn."""
    if not table.pile:
        raise Foul("draw_pile", "draw.empty")
    top = table.pile[-1]
    if top == SKIP and not table.options.skip_drawable:
        raise Foul("draw_skip", "draw.skip")
    if table.read(event.card) != [top]:
        raise Foul("draw_pile", "draw.pile_top", cards=table.words([top]))
    table.pile.pop()
    _see_new_top(table, event)
    return top


def _see_new_top(table: RefereeTable, event: CardDrawn) -> None:
    """Check the card that lies on top of a covered pile afterwards, seen by all."""
    if table.ruleset.pile == "covered" and table.read(event.top) != table.pile[-1:]:
        raise Foul("draw_pile", "draw.now_top", cards=table.words(table.pile[-1:]))


def top_of_stock(table: RefereeTable, text: str) -> Card:
    """Take the top card of the stock, which has to be the one of the text."""
    if not table.stock:
        raise Foul("draw", "draw.no_stock")
    if table.read(text) != table.stock[:1]:
        raise Foul("draw", "draw.stock_top", cards=table.words(table.stock[:1]), card=text)
    return table.stock.pop(0)


def take_gift(table: RefereeTable, event: CardDrawn) -> None:
    """Draw the card that an action gives from the stock, for the next seat that gets one."""
    if event.seat != table.gifts[0] or event.source != "stock" or event.card:
        raise Foul("gift", "draw.for", name=table.name(table.gifts[0]))
    seat = table.player(event.seat)
    seat.hand.append(top_of_stock(table, hidden(event, str(event.seat), "card")))
    table.gifts.pop(0)
    ends_round = table.options.stock_exhausted == "end_round"
    if not table.gifts or not (table.from_stock() or ends_round):
        table.gifts.clear()
        table.next = "play"


def discard(table: RefereeTable, event: CardDiscarded) -> None:
    """End the turn with a card on the discard pile; a skip may name the seat that loses a turn."""
    seat = seat_to_play(table, event.seat)
    _see_named(event, event.cards)
    cards = table.take_from_hand(seat, event.cards)
    _see_count(table, seat, len(cards))
    for card in cards:
        if card.is_joker and table.options.joker_discard == "forbidden":
            raise Foul("joker_discard", "joker_discard")
    _see_taken(table, cards)
    if cards == [SKIP]:
        _see_discarded_skip(table, seat, event)
    elif event.target is not None:
        raise Foul("target", "discard.names")
    shown = [card.turned(is_joker=False) for card in cards]
    if any(card.is_joker for card in cards) and table.read(event.faces) != shown:
        raise Foul("joker_discard", "discard.face_up", cards=table.words(shown))
    table.pile += shown
    _after_discard(table, event.seat)


def _see_named(event: CardDiscarded | SkipPlaced, cards: str) -> None:
    """Check the named cards and the named seat that loses a turn; an ace may have its suit."""
    command = event.act.command if event.act else None
    if not isinstance(command, Discard) or command.target != event.target:
        raise Foul("hand", "discard.unsaid")
    named, shown = command.cards.split(), cards.split()
    if shown == named:
        return
    aces = [word for word in named if word not in shown and word.startswith("A")]
    if shown != ["A"] * len(aces):
        raise Foul("hand", "discard.others")


def _see_count(table: RefereeTable, seat: RefereeSeat, count: int) -> None:
    most = 1
    if seat.laid and are_full(table.groups, table.ruleset):
        most = table.ruleset.discards_when_full
    if not 1 <= count <= most:
        raise Foul("one_card", "discard.count", count=count, most=most)


def _see_taken(table: RefereeTable, cards: list[Card]) -> None:
    """Check whether a card just taken from the discard pile may go back (O-36)."""
    if table.options.discard_taken_card or not table.taken:
        return
    hand = table.seats[table.active].hand  # a joker in it is no card of its face (B-29)
    for card in cards:
        if table.taken[card] > hand.count(card):
            raise Foul("taken_card", "discard.taken")


def _see_discarded_skip(table: RefereeTable, seat: RefereeSeat, event: CardDiscarded) -> None:
    _see_last_skip(table, seat)
    if event.target is None:
        allowed = table.options.skip_plain_discard
        nobody = not any(may_be_skipped(table, event.seat, other) for other in table.players)
        if allowed is False or (allowed == "only_if_no_target" and not nobody):
            raise Foul("target", "skip.names")
        return
    if table.ruleset.skip_placement != "discard_pile":
        raise Foul("target", "skip.front")
    skip(table, event.seat, event.target)


def _see_last_skip(table: RefereeTable, seat: RefereeSeat) -> None:
    if not seat.hand and not table.options.skip_as_last_card:
        raise Foul("last_skip", "skip.last")


def may_be_skipped(table: RefereeTable, number: int, target: int) -> bool:
    """Whether a player may make the target lose a turn."""
    if target == number or target not in table.players:
        return False
    seat = table.seats[target]
    if seat.turns_to_lose or seat.front:
        return False
    return not (table.options.skip_repeat == "until_normal_turn" and seat.has_just_lost_a_turn)


def skip(table: RefereeTable, number: int, target: int) -> None:
    """Make the target lose its next turn."""
    if target == number:
        raise Foul("target_self", "skip.self")
    if not may_be_skipped(table, number, target):
        raise Foul("target_skipped", "skip.cannot", name=table.name(target))
    table.seats[target].turns_to_lose += 1


def place_skip(table: RefereeTable, event: SkipPlaced) -> None:
    """End the turn with a skip in front of another player."""
    seat = seat_to_play(table, event.seat)
    if table.ruleset.skip_placement != "in_front":
        raise Foul("skip_placed", "skip.pile")
    if table.take_from_hand(seat, event.card) != [SKIP]:
        raise Foul("skip_placed", "skip.only")
    _see_named(event, event.card)
    _see_taken(table, [SKIP])
    _see_last_skip(table, seat)
    skip(table, event.seat, event.target)
    table.seats[event.target].front.append(SKIP)
    _after_discard(table, event.seat)


def pass_turn(table: RefereeTable, event: TurnPassed) -> None:
    """End the turn without a discard: only where the rules leave none."""
    seat = seat_to_play(table, event.seat)
    if any(may_discard(table, seat, card) for card in seat.hand):
        raise Foul("must_discard", "pass.can", name=seat.name)
    table.passes += 1
    if table.passes >= len(table.players):
        table.end_round(None)
        return
    _end_part(table)


def may_discard(table: RefereeTable, seat: RefereeSeat, card: Card) -> bool:
    """Whether a card of the hand may be discarded in some way."""
    if card.is_joker and table.options.joker_discard == "forbidden":
        return False
    if not table.options.discard_taken_card and table.taken[card] >= seat.hand.count(card) > 0:
        return False
    if card != SKIP:
        return True
    if len(seat.hand) == 1 and not table.options.skip_as_last_card:
        return False
    has_target = any(may_be_skipped(table, table.active, other) for other in table.players)
    allowed = table.options.skip_plain_discard
    return has_target or bool(allowed)


def _after_discard(table: RefereeTable, number: int) -> None:
    """End the round with the last card; else the turn, or the first part of AGAIN."""
    if not table.seats[number].hand:
        table.end_round(number)
        return
    _end_part(table)


def _end_part(table: RefereeTable) -> None:
    """Go on to the next throw after AGAIN, unless the turn has had all its throws (O-39)."""
    if not table.plays_again:
        end_turn(table)
    elif _is_enough(table, table.rolls):
        table.end_round(None)
    else:
        table.plays_again = False
        table.taken.clear()
        table.next = "dice"


def end_turn(table: RefereeTable) -> None:
    """Pass the turn to the left neighbour, unless the round has had all its turns (O-39)."""
    if _is_enough(table, table.turns_of_round):
        table.end_round(None)
    else:
        table.next = "turn"


def _is_enough(table: RefereeTable, turns: int) -> bool:
    limit = table.options.max_turns_per_round
    return limit != "none" and turns >= limit
