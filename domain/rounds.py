"""What happens by itself: the deal, the next turn, lost turns, the end of a round and of a game."""

import hashlib

from domain import deal
from domain import events as e
from domain.cards import SKIP, WILD, is_skip
from domain.draft import Draft
from domain.policies import FINISH, NEXT_PHASE, SCORING
from domain.rules import Options, fingerprint
from domain.state import Question, State


def _key(state: State) -> bytes:
    return deal.deal_key(bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript))


def open_deal(draft: Draft) -> None:
    """Fix the deal from all secrets and deal the first round (section 5)."""
    state = draft.now
    seats = [(seat.commit, seat.secret) for seat in map(state.seat, range(len(state.seats)))]
    text = deal.transcript(
        state.game, state.ruleset.name, fingerprint(state.ruleset), state.server_commit, seats
    )
    draft.emit(e.DealOpened(transcript=hashlib.sha256(text.encode()).hexdigest()))
    deal_round(draft, tuple(range(len(state.seats))), state.dealer)


def _left_of(seat: int, among: tuple[int, ...]) -> tuple[int, ...]:
    """The seats in turn order, starting with the next one after ``seat`` that is among them."""
    ahead = sorted(number for number in among if number > seat)
    return tuple(ahead + sorted(number for number in among if number <= seat))


def _turned_up(stock: bytes, count: int, options: Options) -> tuple[bytes, bytes, bytes]:
    """The stock, the initial discard pile, and what went back under the stock (O-11, O-12)."""
    pile, stock, returned = stock[:count], stock[count:], b""
    sent_back = {
        SKIP: options.initial_skip == "return_and_redraw",
        WILD: options.initial_wild == "return_and_redraw",
    }
    while stock:
        top = pile[-1]
        if sent_back.get(top):
            returned += pile[-1:]
            pile, stock = pile[:-1] + stock[:1], stock[1:] + pile[-1:]
        elif is_skip(top) and options.initial_skip == "cover":
            pile, stock = pile + stock[:1], stock[1:]
        else:
            break
    return stock, pile, returned


def deal_round(draft: Draft, among: tuple[int, ...], dealer: int, *, replay: bool = False) -> None:
    """Shuffle the whole deck, deal one card at a time from the dealer's left, and begin (C-05)."""
    state, ruleset, options = draft.now, draft.ruleset, draft.options
    number, key = state.round + 1, _key(state)
    stock = deal.shuffled(key, number, 0, ruleset.deck.cards())
    order = _left_of(dealer, among)
    hands = {
        seat: stock[i : len(order) * ruleset.hand : len(order)] for i, seat in enumerate(order)
    }
    stock, pile, returned = _turned_up(
        stock[len(order) * ruleset.hand :], ruleset.initial_discards, options
    )
    start = {"left_of_dealer": 0, "dealer": len(order) - 1}.get(options.first_player)
    if start is None:
        start = deal.starter(key, number, len(order))
    players = order[start:] + order[:start]
    everybody = range(len(state.seats))
    skips = [state.seat(s).skips if options.skip_survives_round else 0 for s in everybody]
    if is_skip(pile[-1]) and options.initial_skip == "skip_first_player":
        skips[players[0]] = max(1, skips[players[0]])
    hidden = {str(seat): e.Secret(hand=draft.text(hand)) for seat, hand in hands.items()}
    draft.emit(
        e.RoundDealt(
            round=number,
            dealer=dealer,
            players=players,
            hands=tuple(len(hands.get(seat, b"")) for seat in everybody),
            stock=len(stock),
            discard=draft.text(pile),
            returned=draft.text(returned),
            phases=tuple(
                len(ruleset.phases) if replay and seat in among else state.seat(seat).phase
                for seat in everybody
            ),
            skips=tuple(skips),
            replay=replay,
            asks=(),
            hidden={**hidden, "stock": e.Secret(stock=draft.text(stock))},
        )
    )
    next_turn(draft, players[0])


def after(state: State, seat: int) -> int:
    """Whose turn follows that of ``seat``."""
    order = state.players
    return order[(order.index(seat) + 1) % len(order)]


def can_draw_discard(state: State) -> bool:
    """Whether the top of the discard pile may be drawn (C-15, C-16)."""
    pile = state.discard
    return bool(pile) and (state.ruleset.options.skip_drawable or not is_skip(pile[-1]))


def reshuffled(state: State) -> int:
    """How many cards stay on the pile when it becomes the stock; -1 if it may not (O-01)."""
    rule = state.ruleset.options.stock_exhausted
    kept = {"reshuffle_all_but_top": 1, "reshuffle_all": 0}.get(rule, len(state.discard))
    return kept if len(state.discard) > kept else -1


def can_draw_stock(state: State) -> bool:
    """Whether asking for the stock leads anywhere, if only to the end of the round (O-01)."""
    ends = state.ruleset.options.stock_exhausted == "end_round"
    return bool(state.stock) or ends or reshuffled(state) >= 0


def next_turn(draft: Draft, seat: int) -> None:
    """Begin the turn of ``seat``, or of the first one after it that has no turn to lose."""
    limit = draft.options.max_turns_per_round
    while True:
        state = draft.now
        if limit != "none" and state.turn - state.round_turn >= limit:
            end_round(draft, None)
            return
        if not draft.seat(seat).skips:
            break
        front = draft.seat(seat).front[-1:]
        to = draft.ruleset.skip_after_served if front else ""
        draft.emit(
            e.SkipServed(seat=seat, turn=state.turn + 1, card=draft.text(front), to=to, asks=())
        )
        seat = after(state, seat)
    if can_draw_discard(state) or can_draw_stock(state):
        draft.emit(e.TurnBegan(seat=seat, turn=state.turn + 1, asks=(Question(seat, "draw"),)))
    elif draft.options.no_card_to_draw == "end_round":
        end_round(draft, None)
    else:
        draft.emit(e.TurnBegan(seat=seat, turn=state.turn + 1, asks=(Question(seat, "play"),)))


def shuffle_stock(draft: Draft) -> None:
    """Make the discard pile the stock, by the next shuffle of this round (C-19)."""
    state, kept = draft.now, reshuffled(draft.now)
    cards = state.discard[: len(state.discard) - kept]
    stock = deal.shuffled(_key(state), state.round, state.shuffles + 1, cards)
    draft.emit(
        e.StockShuffled(
            shuffle=state.shuffles + 1,
            count=len(stock),
            kept=kept,
            hidden={"stock": e.Secret(stock=draft.text(stock))},
        )
    )


def end_round(draft: Draft, out: int | None) -> None:
    """Count the hands, credit the phases, and go on to what follows (C-61..C-72)."""
    state, ruleset = draft.now, draft.ruleset
    score, advance = SCORING[ruleset.scoring], NEXT_PHASE[ruleset.progress]
    results = []
    for number in range(len(state.seats)):
        seat = state.seat(number)
        counted = number != out and not state.replay
        points = score(ruleset, seat.hand) if counted else 0
        results.append(
            e.Result(
                points=points,
                total=seat.points + points,
                laid=seat.laid,
                phase=advance(state, seat),
                hand=draft.text(seat.hand) if counted else "",
            )
        )
    draft.emit(e.RoundEnded(round=state.round, results=tuple(results), out=out, asks=()))
    verdict = FINISH[ruleset.finish](draft.now)
    if verdict.follows == "win":
        draft.emit(e.GameEnded(winners=verdict.seats, secret=state.server_secret, asks=()))
        return
    replay = verdict.follows == "replay"
    among = verdict.seats if replay else tuple(range(len(state.seats)))
    dealer = state.dealer
    if draft.options.dealer_rotation == "left" or dealer not in among:
        dealer = _left_of(dealer, among)[0]
    deal_round(draft, among, dealer, replay=replay)
