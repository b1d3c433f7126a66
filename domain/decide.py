"""What the rules answer to a command: events, or a refusal. The only place that checks.

Checks stand in rule-book order, so that the same mistake always gets the same code.
"""

import re
from collections.abc import Callable
from typing import Any

from domain import commands as c
from domain import deal
from domain import events as e
from domain.cards import UnreadableCard, is_skip, parse, remove
from domain.commands import RejectCode as Code
from domain.draft import Draft, stamped
from domain.evolve import evolve
from domain.melds import Misfit, arrange, enough_naturals, extend
from domain.policies import OPEN_PHASES
from domain.rounds import (
    after,
    can_draw_discard,
    end_round,
    next_turn,
    open_deal,
    reshuffled,
    shuffle_stock,
)
from domain.rules import Unplayable, resolve
from domain.rulesets import BY_ID, cite
from domain.state import Question, State


def step(state: State | None, act: c.Act) -> tuple[State, tuple[e.Event, ...]]:
    """The state after the decision and the events that lead there; the first carries it.

    Raises:
        Rejected: when the rules refuse it; nothing has happened then.

    """
    command = act.command
    if state is None or isinstance(command, c.OpenGame):
        opened = _open(state, act)
        return evolve(None, opened), (stamped(opened, act),)
    draft = Draft(state)
    _HANDLERS[type(command)](draft, act.seat, command)
    draft.events[0] = stamped(draft.events[0], act)
    return draft.now, tuple(draft.events)


def decide(state: State | None, act: c.Act) -> tuple[e.Event, ...]:
    """The events that answer the decision; see `step`."""
    return step(state, act)[1]


# --- the table ----------------------------------------------------------------------------------


_GAME_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SECRET = re.compile(r"[0-9a-f]{64}")
# Fixed ranges: what an interpreter's Unicode tables say may differ when the game is re-decided.
_CONTROL = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)


def _is_secret(text: str) -> bool:
    return _SECRET.fullmatch(text) is not None


def _is_plain(text: str, longest: int) -> bool:
    """Whether a text that people read is there, short, and without control characters."""
    return len(text) <= longest and text.strip(" ") != "" and not _CONTROL.search(text)


def _open(state: State | None, act: c.Act) -> e.GameOpened:
    command = act.command
    if not isinstance(command, c.OpenGame):
        raise c.Rejected(Code.NOT_STARTED)
    if state is not None:
        raise c.Rejected(Code.GAME_EXISTS)
    if act.seat is not None:
        raise c.Rejected(Code.NOT_FOR_SEATS)
    preset = BY_ID.get(command.ruleset)
    if preset is None:
        raise c.Rejected(Code.UNKNOWN_RULESET, detail=command.ruleset)
    if not preset.seats_min <= command.seats <= preset.seats_max:
        asked = f"{preset.seats_min} to {preset.seats_max} seats, not {command.seats}"
        code = Code.SEATS_OUT_OF_RANGE
        raise c.Rejected(code, cite(preset.name, code), asked)
    if not _GAME_ID.fullmatch(command.game):
        raise c.Rejected(Code.BAD_GAME_ID)
    if not 0 <= command.dealer < command.seats:
        raise c.Rejected(Code.NO_SUCH_SEAT, detail=f"dealer {command.dealer}")
    if not _is_secret(command.secret):
        raise c.Rejected(Code.BAD_SECRET)
    try:
        ruleset = resolve(preset, dict(command.options))
    except Unplayable as wrong:
        raise c.Rejected(Code.BAD_OPTION, detail=str(wrong)) from None
    return e.GameOpened(
        game=command.game,
        ruleset=ruleset,
        seats=command.seats,
        dealer=command.dealer,
        server_commit=deal.server_commit(command.game, bytes.fromhex(command.secret)),
        hidden={"server": e.Secret(secret=command.secret)},
    )


def _own_seat(draft: Draft, seat: int | None) -> int:
    """The speaker's number, of a game that is not over."""
    if seat is None or not 0 <= seat < len(draft.now.seats):
        raise draft.refuse(Code.NO_SUCH_SEAT, "" if seat is None else str(seat))
    if draft.now.stage in ("ended", "voided"):
        raise draft.refuse(Code.GAME_OVER)
    return seat


def _host_only(draft: Draft, seat: int | None) -> None:
    if seat is not None:
        raise draft.refuse(Code.NOT_FOR_SEATS)
    if draft.now.stage in ("ended", "voided"):
        raise draft.refuse(Code.GAME_OVER)


def _take_seat(draft: Draft, seat: int | None, command: c.TakeSeat) -> None:
    number = _own_seat(draft, seat)
    state = draft.now
    if state.stage != "lobby":
        raise draft.refuse(Code.NOT_IN_LOBBY)
    if state.seats[number] is not None:
        raise draft.refuse(Code.SEAT_TAKEN, str(number))
    if not _is_plain(command.name, 40) or not _is_plain(command.bot or "-", 40):
        raise draft.refuse(Code.BAD_TEXT)
    if not _is_secret(command.commit or command.secret) or (command.commit and command.secret):
        raise draft.refuse(Code.BAD_SECRET)
    made = bytes.fromhex(command.secret)
    draft.emit(
        e.SeatTaken(
            seat=number,
            name=command.name,
            bot=command.bot,
            commit=command.commit or deal.seat_commit(state.game, number, made),
            brought_secret=bool(command.commit),
            hidden={"server": e.Secret(secret=command.secret)} if command.secret else {},
        )
    )


def _start(draft: Draft, seat: int | None, _: c.Start) -> None:
    _host_only(draft, seat)
    state = draft.now
    if state.stage != "lobby":
        raise draft.refuse(Code.NOT_IN_LOBBY)
    empty = [str(number) for number, taken in enumerate(state.seats) if taken is None]
    if empty:
        raise draft.refuse(Code.SEATS_OPEN, ", ".join(empty))
    numbers = range(len(state.seats))
    due = tuple(Question(n, "reveal") for n in numbers if not state.seat(n).secret)
    draft.emit(e.TableSealed(asks=due))
    if not due:
        open_deal(draft)


def _void(draft: Draft, seat: int | None, command: c.VoidGame) -> None:
    _host_only(draft, seat)
    if not _is_plain(command.reason, 200):
        raise draft.refuse(Code.BAD_TEXT)
    draft.emit(e.GameVoided(reason=command.reason, secret=draft.now.server_secret, asks=()))


# --- answers to questions -----------------------------------------------------------------------

_DUE_INSTEAD = {"reveal": Code.SECRETS_DUE, "draw": Code.MUST_DRAW, "play": Code.ALREADY_DRAWN}
"""What to say to a command that answers another question than the one asked."""


def _asked(draft: Draft, seat: int | None, kind: str) -> int:
    """The speaker's number, if the game waits for that kind of answer from there."""
    number = _own_seat(draft, seat)
    if draft.now.stage == "lobby":
        raise draft.refuse(Code.NOT_STARTED)
    kinds = [question.kind for question in draft.now.waits if question.seat == number]
    if kind in kinds:
        return number
    if kind == "reveal":
        raise draft.refuse(Code.NO_SECRET_DUE)
    if draft.now.stage == "sealed":
        raise draft.refuse(Code.SECRETS_DUE)
    raise draft.refuse(_DUE_INSTEAD[kinds[0]] if kinds else Code.NOT_YOUR_TURN)


def _reveal(draft: Draft, seat: int | None, command: c.RevealSecret) -> None:
    number = _asked(draft, seat, "reveal")
    state = draft.now
    secret = command.secret if _is_secret(command.secret) else ""
    shown = deal.seat_commit(state.game, number, bytes.fromhex(secret))
    if not secret or shown != draft.seat(number).commit:
        raise draft.refuse(Code.SECRET_MISMATCH)
    due = tuple(question for question in state.waits if question.seat != number)
    draft.emit(e.SeatSecretRevealed(seat=number, secret=secret, asks=due))
    if not due:
        open_deal(draft)


def _draw(draft: Draft, seat: int | None, command: c.Draw) -> None:
    number = _asked(draft, seat, "draw")
    asks = (Question(number, "play"),)
    if command.source == "discard":
        pile = draft.now.discard
        if not pile:
            raise draft.refuse(Code.EMPTY_DISCARD_PILE)
        if not can_draw_discard(draft.now):
            raise draft.refuse(Code.SKIP_NOT_DRAWABLE)
        draft.emit(
            e.CardDrawn(seat=number, source="discard", card=draft.text(pile[-1:]), asks=asks)
        )
        return
    if not draft.now.stock:
        if draft.options.stock_exhausted == "end_round":
            end_round(draft, None)
            return
        if reshuffled(draft.now) < 0:
            raise draft.refuse(Code.EMPTY_STOCK)
        shuffle_stock(draft)
    card = e.Secret(card=draft.text(draft.now.stock[:1]))
    draft.emit(e.CardDrawn(seat=number, source="stock", asks=asks, hidden={str(number): card}))


def _read(draft: Draft, text: str) -> bytes:
    try:
        cards = parse(text, draft.ruleset.deck.notation)
    except UnreadableCard as unknown:
        raise draft.refuse(Code.UNKNOWN_CARD, str(unknown)[:20]) from None
    if not cards:
        raise draft.refuse(Code.CARDS_NEEDED)
    return cards


def _hold(draft: Draft, number: int, cards: bytes) -> bytes:
    """The hand without the cards, which must all be in it."""
    hand = draft.seat(number).hand
    rest = remove(hand, cards)
    if rest is None:
        missing = next(card for card in cards if cards.count(card) > hand.count(card))
        raise draft.refuse_card(Code.NOT_IN_HAND, missing)
    return rest


def _spend(draft: Draft, number: int, cards: bytes) -> None:
    """Refuse to lay or hit cards that are not held, or that must be kept to discard (O-08)."""
    if not _hold(draft, number, cards) and draft.options.going_out == "discard_required":
        raise draft.refuse(Code.KEEP_A_CARD)


def _lay(draft: Draft, seat: int | None, command: c.Lay) -> None:
    number = _asked(draft, seat, "play")
    ruleset, player = draft.ruleset, draft.seat(number)
    given = [_read(draft, group.cards) for group in command.groups]
    if player.laid:
        raise draft.refuse(Code.ALREADY_LAID)
    open_phases = OPEN_PHASES[ruleset.progress](draft.now, player)
    phase = command.phase or next(iter(open_phases), 0)
    if phase not in open_phases:
        raise draft.refuse(Code.WRONG_PHASE, str(phase or player.phase))
    _spend(draft, number, b"".join(given))
    needs = ruleset.phases[phase - 1].needs
    if len(given) != len(needs):
        fewer = len(given) < len(needs)
        raise draft.refuse(Code.INCOMPLETE_PHASE if fewer else Code.WRONG_GROUP_COUNT)
    laid = []
    for need, cards, group in zip(needs, given, command.groups, strict=True):
        try:
            arranged = arrange(need, cards, group.value, ruleset)
        except Misfit as misfit:
            raise draft.refuse_card(misfit.code, misfit.card) from None
        laid.append(e.LaidGroup(draft.text(arranged.cards), arranged.low, arranged.high))
    if not enough_naturals(given, draft.options.wild_min_scope):
        raise draft.refuse(Code.NEEDS_NATURAL)
    credited = not draft.now.replay
    draft.emit(e.PhaseLaid(seat=number, phase=phase, groups=tuple(laid), credited=credited))
    _go_out_if_empty(draft, number)


def _hit(draft: Draft, seat: int | None, command: c.Hit) -> None:
    number = _asked(draft, seat, "play")
    cards = _read(draft, command.cards)
    if not draft.seat(number).laid:
        raise draft.refuse(Code.PHASE_NOT_LAID)
    if not 0 <= command.group < len(draft.now.groups):
        raise draft.refuse(Code.NO_SUCH_GROUP, str(command.group))
    _spend(draft, number, cards)
    try:
        grown, end = extend(draft.now.groups[command.group], cards, command.end, draft.ruleset)
    except Misfit as misfit:
        raise draft.refuse_card(misfit.code, misfit.card) from None
    draft.emit(
        e.CardsHit(
            seat=number,
            group=command.group,
            cards=draft.text(cards),
            end=end,
            low=grown.low,
            high=grown.high,
        )
    )
    _go_out_if_empty(draft, number)


def _go_out_if_empty(draft: Draft, number: int) -> None:
    if not draft.seat(number).hand:
        end_round(draft, number)


# --- the end of a turn --------------------------------------------------------------------------


def _target_fault(state: State, number: int, target: int) -> Code | None:
    """Why the seat may not lose a turn by the hand of ``number``; None if it may."""
    if target == number:
        return Code.TARGET_SELF
    if target not in state.players:
        return Code.TARGET_NOT_PLAYING
    if state.seat(target).skips:
        return Code.TARGET_ALREADY_SKIPPED
    if state.seat(target).served and state.ruleset.options.skip_repeat == "until_normal_turn":
        return Code.TARGET_SERVED_RECENTLY
    return None


def _discard_fault(state: State, number: int, card: int, target: int | None) -> Code | None:
    """Why the seat may not end its turn with the card it holds; None if it may."""
    options, hand = state.ruleset.options, state.seat(number).hand
    if card == state.taken and hand.count(card) == 1 and not options.discard_taken_card:
        return Code.TAKEN_CARD
    if not is_skip(card):
        return None if target is None else Code.TARGET_NOT_ALLOWED
    if len(hand) == 1 and not options.skip_as_last_card:
        return Code.SKIP_AS_LAST_CARD
    if target is not None:
        return _target_fault(state, number, target)
    if options.skip_plain_discard is True:
        return None
    if options.skip_plain_discard == "only_if_no_target":
        free = any(_target_fault(state, number, other) is None for other in state.players)
        return Code.TARGET_NEEDED if free else None
    return Code.TARGET_NEEDED


def discards(state: State, number: int) -> list[tuple[int, int | None]]:
    """Every lawful (card, target) with which the seat may end its turn, in order of arrival."""
    targets = {True: (None, *state.players), False: (None,)}
    return [
        (card, target)
        for card in dict.fromkeys(state.seat(number).hand)
        for target in targets[is_skip(card)]
        if _discard_fault(state, number, card, target) is None
    ]


def _discard(draft: Draft, seat: int | None, command: c.Discard) -> None:
    number = _asked(draft, seat, "play")
    cards = _read(draft, command.cards)
    if len(cards) != 1:
        raise draft.refuse(Code.ONE_CARD)
    rest = _hold(draft, number, cards)
    fault = _discard_fault(draft.now, number, cards[0], command.target)
    if fault:
        raise draft.refuse_card(fault, cards[0])
    text, target = draft.text(cards), command.target
    if target is not None and draft.ruleset.skip_placement == "in_front":
        draft.emit(e.SkipPlaced(seat=number, card=text, target=target, asks=()))
    else:
        draft.emit(e.CardDiscarded(seat=number, cards=text, target=target, asks=()))
    if rest:
        next_turn(draft, after(draft.now, number))
    else:
        end_round(draft, number)


def _pass(draft: Draft, seat: int | None, _: c.Pass) -> None:
    number = _asked(draft, seat, "play")
    if discards(draft.now, number):
        raise draft.refuse(Code.MUST_DISCARD)
    draft.emit(e.TurnPassed(seat=number, asks=()))
    if draft.now.passes < len(draft.now.players):
        next_turn(draft, after(draft.now, number))
    else:
        # Nobody can do anything any more, and nothing would ever change that.
        end_round(draft, None)


_HANDLERS: dict[type[c.Command], Callable[[Draft, int | None, Any], None]] = {
    c.TakeSeat: _take_seat,
    c.Start: _start,
    c.RevealSecret: _reveal,
    c.VoidGame: _void,
    c.Draw: _draw,
    c.Lay: _lay,
    c.Hit: _hit,
    c.Discard: _discard,
    c.Pass: _pass,
}
