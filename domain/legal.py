"""Every command that a seat may send now: for bots, for hints, for counting lines of play."""

from collections.abc import Iterator
from itertools import combinations

from domain import commands as c
from domain.cards import NAMES, show
from domain.decide import discards
from domain.melds import FORMS, Arranged, End, Misfit, extend, lays
from domain.policies import OPEN_PHASES
from domain.rounds import can_draw_discard, can_draw_stock
from domain.state import State


def legal(state: State, seat: int) -> Iterator[c.Command]:
    """The seat's legal commands, in a fixed order, none twice.

    Listed are lays of the least size and hits of one card (one row of a pair run): longer lays
    and hits are these, one after the other (K-13). A due secret cannot be guessed, so the
    question for it yields nothing.
    """
    for question in state.waits:
        if question.seat == seat:
            yield from {"reveal": _nothing, "draw": _draws, "play": _plays}[question.kind](
                state, seat
            )


def _nothing(state: State, seat: int) -> Iterator[c.Command]:
    return iter(())


def _draws(state: State, seat: int) -> Iterator[c.Command]:
    if can_draw_stock(state):
        yield c.Draw("stock")
    if can_draw_discard(state):
        yield c.Draw("discard")


def _plays(state: State, seat: int) -> Iterator[c.Command]:
    player = state.seat(seat)
    keep = 1 if state.ruleset.options.going_out == "discard_required" else 0
    if player.laid:
        yield from _hits(state, seat, keep)
    else:
        yield from _lays(state, seat, keep)
    ends = discards(state, seat)
    names = NAMES[state.ruleset.deck.notation]
    for card, target in ends:
        yield c.Discard(names[card], target)
    if not ends:
        yield c.Pass()


def _lays(state: State, seat: int, keep: int) -> Iterator[c.Command]:
    player, ruleset = state.seat(seat), state.ruleset
    phases = OPEN_PHASES[ruleset.progress](state, player)
    for phase in phases:
        for groups in lays(player.hand, ruleset.phases[phase - 1].needs, ruleset):
            if len(player.hand) - sum(len(group.cards) for group in groups) >= keep:
                yield lay_command(groups, ruleset.deck.notation, phase if len(phases) > 1 else None)


def lay_command(groups: tuple[Arranged, ...], notation: str, phase: int | None) -> c.Lay:
    """The command that lays the groups; a value is said only where no natural shows it."""
    return c.Lay(
        tuple(
            c.GroupToLay(
                show(group.cards, notation),
                None if any(card & 15 < 13 and card < 64 for card in group.cards) else group.low,
            )
            for group in groups
        ),
        phase,
    )


def _hits(state: State, seat: int, keep: int) -> Iterator[c.Command]:
    hand, ruleset = state.seat(seat).hand, state.ruleset
    notation = ruleset.deck.notation
    distinct = bytes(dict.fromkeys(hand))
    for number, group in enumerate(state.groups):
        form = FORMS[group.need.kind]
        rows = [bytes([card]) for card in distinct]
        if form.copies == 2:
            rows = sorted({bytes(sorted(pair)) for pair in combinations(hand, 2)})
        for row in rows:
            if len(hand) - len(row) < keep:
                continue
            ends: tuple[End, ...] = ("",) if form.alike else ("high", "low")
            for end in ends:
                try:
                    extend(group, row, end, ruleset)
                except Misfit:
                    continue
                yield c.Hit(number, show(row, notation), end)
