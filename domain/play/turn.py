"""The commands of a turn: draw, lay, hit, discard, pass. Checks stand in rule-book order."""

from collections.abc import Iterator

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain import events as e
from phaseledger.domain.cards import OWN, SKIP, face_up, is_skip, jokers_of, meant, owner_names
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.draft import Draft
from phaseledger.domain.evolve import evolve
from phaseledger.domain.groups.forms import ArrangedGroup
from phaseledger.domain.groups.melds import Misfit, arrange, enough_naturals, extend, is_full
from phaseledger.domain.play.rounds import (
    can_draw,
    can_draw_discard,
    can_draw_stock,
    end_round,
    next_seat,
    next_turn,
    ready_stock,
    roll_dice,
    turn_limit_reached,
    uncovered_top,
)
from phaseledger.domain.policies import OPEN_PHASES
from phaseledger.domain.ruleset import Phase, phase_number
from phaseledger.domain.state import Question, State
from phaseledger.domain.words import Phrase


def draw(draft: Draft, seat: int | None, command: c.Draw) -> None:
    """Draw one card; an action may ask for more (B-21, B-22)."""
    question = draft.asked(seat, "draw")
    number = question.seat
    asks = (Question(number, "play"),)
    if command.source == "discard":
        pile = draft.now.discard
        if not pile:
            raise draft.refuse(Code.EMPTY_DISCARD_PILE)
        if not can_draw_discard(draft.now):
            raise draft.refuse(Code.SKIP_NOT_DRAWABLE)
        card, top = draft.text(pile[-1:]), uncovered_top(draft, pile[:-1])
        drawn = e.CardDrawn(seat=number, source="discard", card=card, top=top, asks=asks)
    else:
        if not can_draw_stock(draft.now):
            raise draft.refuse(Code.EMPTY_STOCK)
        if not ready_stock(draft):
            return
        secret = e.Secret(card=draft.text(draft.now.stock[:1]))
        drawn = e.CardDrawn(seat=number, source="stock", asks=asks, hidden={str(number): secret})
    draws_left = question.number - 1
    if draws_left > 0 and can_draw(evolve(draft.now, drawn)):
        drawn = replace(drawn, asks=(Question(number, "draw", draws_left),))
    draft.emit(drawn)


def _require_spendable(draft: Draft, number: int, cards: bytes, kin: Code) -> None:
    """Require that cards to lay or hit are in the hand, and leave one to discard (O-08)."""
    if not draft.hold(number, cards, kin) and draft.options.going_out == "discard_required":
        raise draft.refuse(Code.KEEP_A_CARD)


def lay(draft: Draft, seat: int | None, command: c.Lay) -> None:
    """Lay a phase, whole."""
    number = draft.asked(seat, "play").seat
    ruleset, player = draft.ruleset, draft.seat(number)
    card_groups = [draft.read(group.cards) for group in command.groups]
    if player.laid:
        raise draft.refuse(Code.ALREADY_LAID)
    open_phases = OPEN_PHASES[ruleset.progress](draft.now, player)
    phase = command.phase
    if phase is None and len(open_phases) > 1:
        phase = _matching_phase(draft, open_phases, card_groups, command)
    elif phase is None:
        phase = next(iter(open_phases), 0)
    if phase not in open_phases:
        raise draft.refuse(Code.WRONG_PHASE, phase_number(ruleset, phase or player.phase))
    _require_spendable(draft, number, b"".join(card_groups), Code.NOT_IN_HAND)
    laid = _arranged(draft, ruleset.phases[phase - 1], card_groups, command)
    groups = tuple(e.LaidGroup(draft.text(group.cards), group.low, group.high) for group in laid)
    credited = not draft.now.replay
    draft.emit(e.PhaseLaid(seat=number, phase=phase, groups=groups, credited=credited))
    _go_out_if_empty(draft, number)


def _matching_phase(
    draft: Draft, phases: tuple[int, ...], card_groups: list[bytes], command: c.Lay
) -> int:
    """The open phase that the cards make, where none is named (D-66)."""
    matching = []
    for phase in phases:
        try:
            _arranged(draft, draft.ruleset.phases[phase - 1], card_groups, command)
        except c.Rejected:
            continue
        matching.append(phase)
    if not matching:
        raise draft.refuse(Code.WRONG_PHASE, Phrase("detail.no_open_phase"))
    if len(matching) > 1 and draft.options.free_phase_named is True:
        numbers = [phase_number(draft.ruleset, number) for number in matching]
        raise draft.refuse(Code.PHASE_NEEDED, ", ".join(numbers))
    return matching[0]


def _arranged(
    draft: Draft, phase: Phase, card_groups: list[bytes], command: c.Lay
) -> list[ArrangedGroup]:
    """The groups of the phase as the cards make them."""
    needs = phase.needs
    if len(card_groups) != len(needs):
        fewer = len(card_groups) < len(needs)
        raise draft.refuse(Code.INCOMPLETE_PHASE if fewer else Code.WRONG_GROUP_COUNT)
    enough = enough_naturals(card_groups, draft.options.wild_min_scope)
    laid = []
    for need, cards, group in zip(needs, card_groups, command.groups, strict=True):
        try:
            laid.append(arrange(need, cards, group.value, draft.ruleset))
        except Misfit as misfit:
            if misfit.code is Code.VALUE_NEEDED and not enough:
                break  # no value would make it lawful
            raise draft.refuse_card(misfit.code, misfit.card, phase.rule) from None
    if not enough:
        raise draft.refuse(Code.NEEDS_NATURAL)
    return laid


def hit(draft: Draft, seat: int | None, command: c.Hit) -> None:
    """Add cards to a laid group."""
    number = draft.asked(seat, "play").seat
    cards = draft.read(command.cards)
    if not draft.seat(number).laid:
        raise draft.refuse(Code.PHASE_NOT_LAID)
    if not 0 <= command.group < len(draft.now.groups):
        raise draft.refuse(Code.NO_SUCH_GROUP, str(command.group))
    _require_spendable(draft, number, cards, Code.DOES_NOT_FIT)
    try:
        arranged, end = extend(draft.now.groups[command.group], cards, command.end, draft.ruleset)
    except Misfit as misfit:
        raise draft.refuse_card(misfit.code, misfit.card) from None
    draft.emit(
        e.CardsHit(
            seat=number,
            group=command.group,
            cards=draft.text(cards),
            end=end,
            low=arranged.low,
            high=arranged.high,
            half=arranged.half,
        )
    )
    _go_out_if_empty(draft, number)


def _go_out_if_empty(draft: Draft, number: int) -> None:
    if not draft.seat(number).hand:
        end_round(draft, number)


# --- the end of a turn --------------------------------------------------------------------------


def _target_fault(state: State, number: int, target: int) -> Code | None:
    """The fault of a target for a skip played by the seat ``number``; None if it is lawful."""
    if target == number:
        return Code.TARGET_SELF
    if target not in state.players:
        return Code.TARGET_NOT_PLAYING
    if state.seat(target).skips:
        return Code.TARGET_ALREADY_SKIPPED
    if state.seat(target).served and state.ruleset.options.skip_repeat == "until_normal_turn":
        return Code.TARGET_SERVED_RECENTLY
    return None


_TARGET_FAULTS = {
    Code.TARGET_SELF,
    Code.TARGET_NOT_PLAYING,
    Code.TARGET_ALREADY_SKIPPED,
    Code.TARGET_SERVED_RECENTLY,
}
"""Faults of a discard's target, not of a card."""


def _discard_fault(
    state: State, number: int, cards: bytes, card: int, target: int | None
) -> Code | None:
    """The fault of a card among those with which the seat ends its turn; None if it is lawful."""
    options, hand = state.ruleset.options, state.seat(number).hand
    taken = state.taken.count(card)
    if taken and hand.count(card) - cards.count(card) < taken and not options.discard_taken_card:
        return Code.TAKEN_CARD
    if card > OWN and options.joker_discard == "forbidden":
        return Code.JOKER_NOT_DISCARDABLE
    if not is_skip(card):
        return None if target is None else Code.TARGET_NOT_ALLOWED
    if len(hand) == 1 and not options.skip_as_last_card:
        return Code.SKIP_AS_LAST_CARD
    if target is not None:
        return _target_fault(state, number, target)
    if options.skip_plain_discard is True:
        return None
    if options.skip_plain_discard == "only_if_no_target":
        has_target = any(_target_fault(state, number, player) is None for player in state.players)
        return Code.TARGET_NEEDED if has_target else None
    return Code.TARGET_NEEDED


def discards(state: State, number: int) -> list[tuple[int, int | None]]:
    """Every lawful (card, target) with which the seat may end its turn, in order of arrival."""
    free = not state.taken or state.ruleset.options.discard_taken_card
    endings: list[tuple[int, int | None]] = []
    hand = owner_names(state.seat(number).hand)
    if free and SKIP not in hand and not jokers_of(hand):
        return [(card, None) for card in dict.fromkeys(hand)]
    for card in dict.fromkeys(hand):
        if free and card < OWN and card != SKIP:
            endings.append((card, None))
            continue
        targets = (None, *state.players) if card == SKIP else (None,)
        single = bytes((card,))
        endings += [
            (card, target)
            for target in targets
            if _discard_fault(state, number, single, card, target) is None
        ]
    return endings


def pairs(state: State, number: int) -> Iterator[bytes]:
    """Two cards that the seat may discard at once, in either order (B-63)."""
    if not _two_allowed(state, number):
        return
    hand = owner_names(state.seat(number).hand)
    for card in dict.fromkeys(hand):
        place = hand.index(card)
        for other in dict.fromkeys(hand[:place] + hand[place + 1 :]):
            pair = bytes((card, other))
            if not any(_discard_fault(state, number, pair, discarded, None) for discarded in pair):
                yield pair


def _two_allowed(state: State, number: int) -> bool:
    """Whether two cards may be discarded: every laid group is full (B-63, B-64)."""
    ignores_colours = state.ruleset.options.full_color_group == "ignore"
    groups = [
        group for group in state.groups if not (ignores_colours and group.need.kind == "color")
    ]
    allowed = state.ruleset.discards_when_full > 1 and state.seat(number).laid > 0
    return allowed and bool(groups) and all(is_full(group, state.ruleset) for group in groups)


def discard(draft: Draft, seat: int | None, command: c.Discard) -> None:
    """End the turn with a card."""
    number, target = draft.asked(seat, "play").seat, command.target
    cards = draft.read(command.cards)
    if len(cards) != 1 and not (len(cards) == 2 and _two_allowed(draft.now, number)):
        raise draft.refuse(Code.ONE_CARD, Phrase("detail.one_discarded"))
    remaining = draft.hold(number, cards, Code.TAKEN_CARD)
    for card in cards:
        fault = _discard_fault(draft.now, number, cards, card, target)
        if fault is None:
            continue
        raise draft.refuse_card(fault, 0 if fault in _TARGET_FAULTS else card)
    text = draft.text(cards)
    faces = face_up(meant(draft.seat(number).hand, cards)) if jokers_of(cards) else cards
    if target is not None and draft.ruleset.skip_placement == "in_front":
        draft.emit(e.SkipPlaced(seat=number, card=text, target=target, asks=()))
    else:
        faces_text = "" if faces == cards else draft.text(faces)
        draft.emit(
            e.CardDiscarded(seat=number, cards=text, target=target, faces=faces_text, asks=())
        )
    if remaining:
        _go_on(draft, number)
    else:
        end_round(draft, number)


def _go_on(draft: Draft, number: int) -> None:
    """Begin the next turn, or the same seat's next throw, after a turn that ended no round (B-27,
    B-66).
    """
    if draft.now.action != "AGAIN":
        next_turn(draft, next_seat(draft.now, number))
    elif turn_limit_reached(draft.options.max_turns_per_round, draft.now.rolls):
        # A turn of nothing but AGAIN would never end, whatever limits the number of turns.
        end_round(draft, None)
    else:
        roll_dice(draft, number, draft.now.rolls)


def pass_turn(draft: Draft, seat: int | None, _: c.Pass) -> None:
    """End the turn without a discard, where there is none."""
    number = draft.asked(seat, "play").seat
    if discards(draft.now, number):
        raise draft.refuse(Code.MUST_DISCARD)
    draft.emit(e.TurnPassed(seat=number, asks=()))
    if draft.now.passes < len(draft.now.players):
        _go_on(draft, number)
    else:
        # No seat can act any more, and nothing would ever change it.
        end_round(draft, None)
