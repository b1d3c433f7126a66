"""The deal of a round, its end with points and phases, and the cards that are kept for the next."""

from phaseledger.domain.commands import OpenGame
from phaseledger.domain.events import CardsKept, GameOpened, Result, RoundDealt, RoundEnded
from phaseledger.replay.evidence.referee.cards import SKIP, WILD, faces
from phaseledger.replay.evidence.referee.sheets import sheet_fault, sheet_of
from phaseledger.replay.evidence.referee.table import Foul, Next, RefereeSeat, RefereeTable, hidden
from phaseledger.replay.evidence.referee.turns import can_draw
from phaseledger.replay.evidence.referee.winners import decide, value


def open_game(table: RefereeTable, event: GameOpened) -> None:
    """Open a table for as many players as the rules allow, by the rule set of its game."""
    rules = event.ruleset
    if not rules.seats_min <= event.seats <= rules.seats_max:
        raise Foul("seats", "seats", least=rules.seats_min, most=rules.seats_max, count=event.seats)
    if not 0 <= event.dealer < event.seats:
        raise Foul("seats", "dealer.none", seat=event.dealer)
    command = event.act.command if event.act else None
    if not isinstance(command, OpenGame):
        raise Foul("seats", "nobody_opened")
    sheet = sheet_of(command)
    if sheet is None:  # a game that the catalogue does not have
        return
    table.letter = sheet.letter
    fault = sheet_fault(sheet, command.options, rules)
    if fault:
        kind, field, value, due = fault
        raise Foul("sheet", f"sheet.{kind}", field=field, value=value, other_value=due)


def deal(table: RefereeTable, event: RoundDealt) -> None:
    """Begin a round: dealer, players, first player, full hands, the first discard, the stock."""
    table.expect("seats", "deal")
    if event.round != table.round + 1:
        raise Foul("deal", "round.number", round=table.round + 1)
    if event.replay != bool(table.tied):
        raise Foul("replay", "round.replay")
    dealt_in = _dealt_in(table)
    _see_dealer(table, event, dealt_in)
    _see_first(table, event, dealt_in)
    _deal_hands(table, event)
    _turn_up(table, event)
    table.count_cards()
    _see_phases(table, event)
    _see_lost_turns(table, event)
    table.round, table.is_replay = event.round, event.replay
    table.players, table.active = list(event.players), -1
    table.turns_of_round = table.passes = table.shuffles = 0
    table.last_out = table.out = None
    table.next = "turn"


def _dealt_in(table: RefereeTable) -> list[int]:
    """The seats dealt in: all; in a replay only the tied ones, unless all are to play (O-24)."""
    if table.tied and table.options.final_tie_replay == "tied_only":
        return sorted(table.tied)
    return list(range(len(table.seats)))


def _see_dealer(table: RefereeTable, event: RoundDealt, dealt_in: list[int]) -> None:
    """Check that the deal passes to the left; without a dealer, that the left neighbour of the seat
    that ended the round before starts (B-81).
    """
    due, stays = table.dealer, table.options.dealer_rotation == "fixed"
    if table.round and table.ruleset.succession == "ender":
        before = table.players[0] if table.last_out is None else table.last_out
        due = _left_of(before, dealt_in)
    elif table.round and not (stays and table.dealer in dealt_in):
        due = _left_of(table.dealer, dealt_in)
    if event.dealer != due:
        raise Foul(
            "dealer", "round.dealer", name=table.name(due), other_name=table.name(event.dealer)
        )
    table.dealer = due


def _left_of(number: int, seats: list[int]) -> int:
    return next((seat for seat in seats if seat > number), seats[0])


def _see_first(table: RefereeTable, event: RoundDealt, dealt_in: list[int]) -> None:
    """The first player, and the others clockwise from there."""
    options = table.options
    is_drawn = options.first_player == "random" or (
        options.board_first_starter == "random" and not table.round
    )
    if is_drawn:
        first = event.players[0] if event.players else -1
    elif options.first_player == "dealer":
        first = event.dealer
    else:
        first = _left_of(event.dealer, dealt_in)
    if first not in dealt_in:
        raise Foul("first_player", "round.not_in", name=table.name(first))
    place = dealt_in.index(first)
    due = (*dealt_in[place:], *dealt_in[:place])
    if event.players != due:
        raise Foul("first_player", "round.first", name=table.name(first))


def _deal_hands(table: RefereeTable, event: RoundDealt) -> None:
    """Deal full hands to all who play, kept cards counted, jokers among them by O-28."""
    count = len(table.seats)
    if any(len(numbers) not in (0, count) for numbers in (event.kept, event.jokers)):
        raise Foul("deal", "round.kept_counted")
    for number, seat in enumerate(table.seats):
        plays = number in event.players
        if event.hands[number] != (table.ruleset.hand if plays else 0):
            held = event.hands[number]
            raise Foul("hand_size", "round.holds_count", name=seat.name, count=held)
        kept = seat.kept or []
        if table.options.kept_joker == "becomes_normal":
            kept = [card.turned(is_joker=False) for card in kept]
        if len(kept) != (event.kept[number] if event.kept else 0):
            raise Foul("kept", "round.kept", name=seat.name, count=len(kept))
        jokers = [card for card in kept if card.is_joker]
        if len(jokers) != (event.jokers[number] if event.jokers else 0):
            raise Foul("kept", "round.kept_jokers", name=seat.name, count=len(jokers))
        dealt = event.hands[number] - len(kept)
        text = hidden(event, str(number), "hand") if dealt else ""
        given = len(text.split())
        if given != dealt:
            raise Foul("hand_size", "round.dealt", name=seat.name, count=given, n=dealt)
        seat.hand, seat.kept = [*kept, *table.read(text)], None
        seat.laid, seat.front = 0, []


def _turn_up(table: RefereeTable, event: RoundDealt) -> None:
    """Turn up the first discards, the top one open; a skip or wild has its effect (O-11, O-12)."""
    stock = table.read(hidden(event, "stock", "stock")) if event.stock else []
    covered = table.read(hidden(event, "stock", "pile")) if event.covered else []
    shown, returned = table.read(event.discard), table.read(event.returned)
    if len(stock) != event.stock or len(covered) != event.covered:
        raise Foul("deal", "round.numbers")
    table.stock, table.pile, table.groups = stock, [*covered, *shown], []
    options = table.options
    covers = options.initial_skip == "cover" and table.ruleset.deck.skips > 0
    while covers and shown[:1] == [SKIP] and len(shown) > 1:
        shown.pop(0)
    if len(covered) + len(shown) != table.ruleset.initial_discards:
        raise Foul("first_discard", "round.turned", count=table.ruleset.initial_discards)
    if shown[-1:] == [SKIP] and options.initial_skip in ("cover", "return_and_redraw"):
        raise Foul("first_discard", "round.skip_top")
    if shown[-1:] == [WILD] and options.initial_wild == "return_and_redraw":
        raise Foul("first_discard", "round.wild_top")
    for card in returned:
        if not (
            (card == SKIP and options.initial_skip == "return_and_redraw")
            or (card == WILD and options.initial_wild == "return_and_redraw")
        ):
            raise Foul("first_discard", "round.not_under", cards=table.words([card]))
    if stock[len(stock) - len(returned) :] != returned:
        raise Foul("first_discard", "round.not_beneath")


def _see_phases(table: RefereeTable, event: RoundDealt) -> None:
    for number, seat in enumerate(table.seats):
        due = seat.phase
        if event.replay and number in event.players:
            due = len(table.ruleset.phases)
        if event.phases[number] != due and number in event.players:
            attempted = table.phase(event.phases[number])
            raise Foul(
                "phase", "round.attempts", name=seat.name, phase=table.phase(due), due=attempted
            )


def _see_lost_turns(table: RefereeTable, event: RoundDealt) -> None:
    """Note turns still to be lost, and the first player's where a skip was turned up."""
    for number, seat in enumerate(table.seats):
        seat.has_just_lost_a_turn = False
        if not table.options.skip_survives_round:
            seat.turns_to_lose = 0
        if number not in event.players:
            seat.turns_to_lose = 0
    is_skip = table.pile[-1:] == [SKIP] and table.ruleset.deck.skips > 0
    if is_skip and table.options.initial_skip == "skip_first_player":
        table.seats[event.players[0]].turns_to_lose = 1  # one that is due already is no second
    due = tuple(seat.turns_to_lose for seat in table.seats)
    if event.skips != due:
        right, recorded = (" ".join(map(str, skips)) for skips in (due, event.skips))
        raise Foul("initial_skip", "round.skips", value=right, other_value=recorded)


def end_round(table: RefereeTable, event: RoundEnded) -> None:
    """End a round: points for the cards left in hand, and the phases for the next one."""
    if table.next != "round end" and not _is_cut_short(table, event):
        table.expect("round end")
    if (event.out, event.round) != (table.out, table.round):
        if table.out is None:
            raise Foul("round_end", "round.out_nobody", round=table.round)
        raise Foul("round_end", "round.out", name=table.name(table.out), round=table.round)
    if len(event.results) != len(table.seats):
        raise Foul("round_end", "round.results")
    table.count_cards()
    table.last_out = table.out
    for number, result in enumerate(event.results):
        _settle(table, number, table.seats[number], result)
    table.next = _what_follows(table)


def _is_cut_short(table: RefereeTable, event: RoundEnded) -> bool:
    """Whether a limit ends the round now: a card is wanted from an empty stock, or none is left."""
    if event.out is not None:
        return False
    wants = table.next in ("draw", "joker", "gift")
    if table.options.stock_exhausted == "end_round" and wants and not table.stock:
        return True
    due = table.players[0] if table.active < 0 else table.after(table.active)
    return (
        table.next == "turn"
        and table.ruleset.acquire == "draw"
        and table.options.no_card_to_draw == "end_round"
        and not table.seats[due].turns_to_lose
        and not can_draw(table)
    )


def _settle(table: RefereeTable, number: int, seat: RefereeSeat, result: Result) -> None:
    if result.laid != seat.laid:
        laid = table.phase(seat.laid)
        raise Foul(
            "round_end", "round.laid", name=seat.name, phase=laid, due=table.phase(result.laid)
        )
    _see_points(table, number, seat, result)
    _advance(table, number, seat)
    if result.phase != seat.phase:
        following = table.phase(result.phase)
        raise Foul(
            "progress",
            "round.goes_on",
            name=seat.name,
            phase=table.phase(seat.phase),
            due=following,
        )


def _see_points(table: RefereeTable, number: int, seat: RefereeSeat, result: Result) -> None:
    """Check the points of the cards left in hand; the seat that went out has none."""
    points = 0
    counts = table.ruleset.scoring == "points" and not table.is_replay
    if counts and number != table.out:
        points = sum(value(table, card) for card in seat.hand)
    seat.points += points
    if (result.points, result.total) != (points, seat.points):
        raise Foul(
            "points",
            "round.scores",
            name=seat.name,
            points=points,
            cards=table.words(seat.hand),
            sum=seat.points,
            n=result.points,
            m=result.total,
        )
    shown = table.read(result.hand)
    is_shown = (counts and number != table.out) or shown
    if is_shown and faces(shown) != faces(seat.hand):
        raise Foul("points", "holds", name=seat.name, cards=table.words(seat.hand))


def _advance(table: RefereeTable, number: int, seat: RefereeSeat) -> None:
    """The phase to attempt next: by the marker, by the round, or the lowest that is not made."""
    last = len(table.ruleset.phases)
    if table.is_replay:
        return
    match table.ruleset.progress:
        case "marker":
            # Every seat's progress is written down, also behind the winner (B-74).
            seat.phase += 2 if number == table.out else 1 if seat.laid else 0
            seat.phase = min(seat.phase, last + 1)
        case "by_round":
            seat.phase = min(table.round, last) + 1
        case "free":
            seat.phase = min({*range(1, last + 2)} - seat.made)
        case _:
            seat.phase += bool(seat.laid)


def _what_follows(table: RefereeTable) -> Next:
    """The end of the game, cards to keep, or the next deal."""
    table.winners = decide(table)
    if table.winners:
        return "game end"
    if not table.ruleset.keep:
        return "deal"
    last = table.players[0] if table.out is None else table.out
    order = [table.after(last)]
    while order[-1] != last:
        order.append(table.after(order[-1]))
    for number in order:
        seat = table.seats[number]
        if seat.laid or not seat.hand:
            seat.kept = []
    table.keepers = [number for number in order if table.seats[number].kept is None]
    return "keep" if table.keepers else "deal"


def keep(table: RefereeTable, event: CardsKept) -> None:
    """Keep cards of a player who has not laid for the next round; jokers too (B-72, B-83)."""
    table.expect("keep")
    openly = table.options.keep_choice == "seat_order_open"
    allowed = table.keepers[:1] if openly else table.keepers
    if event.seat not in allowed:
        raise Foul("keep", "keep.none", name=table.name(event.seat))
    seat = table.seats[event.seat]
    secret = event.hidden.get(str(event.seat))
    named = secret.said if secret else ""
    text = event.cards if openly else named
    if not openly and event.cards:
        raise Foul("keep", "keep.unseen")
    if text.split() != named.split():
        raise Foul("hand", "keep.others")
    if len(text.split()) > table.ruleset.keep:
        raise Foul("keep_count", "keep.count", count=len(text.split()), most=table.ruleset.keep)
    seat.kept = table.take_from_hand(seat, text)
    table.keepers.remove(event.seat)
    if not table.keepers:
        table.next = "deal"
