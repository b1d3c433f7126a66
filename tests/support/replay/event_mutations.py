"""Changes of one event of a good game that the rules do not allow, each of a kind with a name.

A mutation gets the events, the place of one of its kind and the referee's table just before it, and
gives the changed events; None where nothing can be changed there.
"""

from collections.abc import Iterator
from typing import NamedTuple

from phaseledger.domain import events as e
from phaseledger.replay.evidence.referee.referee import Referee
from tests.support.chance import chooser
from tests.support.replay import lay_changes, turn_changes
from tests.support.replay.turn_changes import Change, Events


class Mutation(NamedTuple):
    """A kind of change, of events of one type."""

    name: str
    kind: type[e.Event]
    change: Change


MUTATIONS = (
    Mutation("points", e.RoundEnded, turn_changes.other_result(points=5, total=5)),
    Mutation("total", e.RoundEnded, turn_changes.other_result(total=10)),
    Mutation("next phase", e.RoundEnded, turn_changes.other_result(phase=1)),
    Mutation("laid phase", e.RoundEnded, turn_changes.other_result(laid=1)),
    Mutation("who went out", e.RoundEnded, turn_changes.other_out),
    Mutation("hands exchanged", e.RoundEnded, turn_changes.swapped_hands),
    Mutation("round goes on", e.RoundEnded, turn_changes.gone),
    Mutation("dealer", e.RoundDealt, turn_changes.other_dealer),
    Mutation("first player", e.RoundDealt, turn_changes.other_starter),
    Mutation("phase attempted", e.RoundDealt, turn_changes.other_phases),
    Mutation("short hand", e.RoundDealt, turn_changes.short_hand),
    Mutation("doubled card", e.RoundDealt, turn_changes.doubled_card),
    Mutation("turns to lose", e.RoundDealt, turn_changes.lost_turn),
    Mutation("winner", e.GameEnded, turn_changes.other_winner),
    Mutation("all win", e.GameEnded, turn_changes.all_win),
    Mutation("turn of another", e.TurnBegan, turn_changes.other_seat),
    Mutation("turn left out", e.TurnBegan, turn_changes.gone),
    Mutation("turn lost for nothing", e.TurnBegan, turn_changes.skip_for_turn),
    Mutation("skip not served", e.SkipServed, turn_changes.turn_for_skip),
    Mutation("skip served by another", e.SkipServed, turn_changes.other_seat),
    Mutation("skip to the other end", e.SkipServed, turn_changes.other_end),
    Mutation("other card drawn", e.CardDrawn, turn_changes.other_draw),
    Mutation("drawn twice", e.CardDrawn, turn_changes.twice),
    Mutation("not drawn", e.CardDrawn, turn_changes.gone),
    Mutation("drawn by another", e.CardDrawn, turn_changes.other_seat),
    Mutation("reshuffle too early", e.CardDrawn, turn_changes.early_shuffle),
    Mutation("reshuffle of other cards", e.StockShuffled, turn_changes.other_shuffle),
    Mutation("reshuffle left out", e.StockShuffled, turn_changes.gone),
    Mutation("card of no seat discarded", e.CardDiscarded, turn_changes.foreign_discard),
    Mutation("two discards", e.CardDiscarded, turn_changes.two_discards),
    Mutation("no discard", e.CardDiscarded, turn_changes.passed),
    Mutation("discard left out", e.CardDiscarded, turn_changes.gone),
    Mutation("skips itself", e.CardDiscarded, turn_changes.skips_itself),
    Mutation("skip before oneself", e.SkipPlaced, turn_changes.skips_itself),
    Mutation("lay that is none", e.PhaseLaid, lay_changes.lay_that_is_none),
    Mutation("group left out", e.PhaseLaid, lay_changes.missing_group),
    Mutation("group too short", e.PhaseLaid, lay_changes.short_group),
    Mutation("other phase", e.PhaseLaid, lay_changes.other_phase),
    Mutation("group moved", e.PhaseLaid, lay_changes.shifted_run),
    Mutation("laid twice", e.PhaseLaid, turn_changes.twice),
    Mutation("credit", e.PhaseLaid, lay_changes.not_credited),
    Mutation("hit before the phase", e.PhaseLaid, lay_changes.early_hit),
    Mutation("hit that is none", e.CardsHit, lay_changes.hit_that_is_none),
    Mutation("hit on another group", e.CardsHit, lay_changes.other_group),
    Mutation("end of a group", e.CardsHit, lay_changes.moved_end),
    Mutation("dice", e.DiceRolled, lay_changes.other_dice),
    Mutation("third throw", e.DiceRolled, turn_changes.twice),
    Mutation("space", e.PawnMoved, lay_changes.other_space),
    Mutation("action", e.PawnMoved, lay_changes.other_action),
    Mutation("steps", e.PawnMoved, lay_changes.other_steps),
    Mutation("joker seen", e.CardTurned, lay_changes.seen_joker),
    Mutation("no joker", e.CardTurned, turn_changes.gone),
    Mutation("swapped", e.CardsSwapped, lay_changes.other_count),
    Mutation("asked", e.CardAsked, lay_changes.other_value),
    Mutation("giver", e.CardGiven, lay_changes.other_giver),
    Mutation("not given", e.CardGiven, turn_changes.gone),
    Mutation("place in the pile", e.CardDrawn, lay_changes.other_place),
    Mutation("six kept", e.CardsKept, lay_changes.six_kept),
)
"""All kinds; a test sees that each is met."""


CHANGEABLE = {
    "classic": (2, 3, 4, 5),
    "standard-deck": (2, 4, 5),
    "express": (2, 3, 4, 5),
    "board": (2, 4, 5),
}
"""Of each rule set the numbers of short games (`option_pairs.plans`, "changes") in which every kind
of change is met; `benchmarks/referee.py events` has hundreds.
"""


def mutations(events: Events, seed: int) -> Iterator[tuple[Mutation, int, list[e.Event]]]:
    """One change of each kind that the game has events for, and the number of the changed event."""
    picked = [_picked(events, mutation, seed * len(MUTATIONS) + n)
              for n, mutation in enumerate(MUTATIONS)]  # fmt: skip
    changes: dict[tuple[str, int], Events] = {}
    referee = Referee()
    for place, event in enumerate(events):
        for mutation, places in zip(MUTATIONS, picked, strict=True):
            if place in places:
                assert referee.objection is None
                assert referee.table
                changed = mutation.change(event, referee.table, events)
                if changed is not None:
                    changes[mutation.name, place] = changed
        referee.watch(event)
    for mutation, places in zip(MUTATIONS, picked, strict=True):
        for place in places:
            if (changed := changes.get((mutation.name, place))) is not None:
                yield mutation, place + 1, [*events[:place], *changed, *events[place + 1 :]]
                break


def _picked(events: Events, mutation: Mutation, seed: int) -> dict[int, None]:
    """Places of its kind of event, in the order in which they are tried."""
    places = [i for i, event in enumerate(events) if type(event) is mutation.kind]
    pick = chooser(b"mutation", seed)
    return dict.fromkeys(places[pick(len(places))] for _ in range(min(len(places), 30)))
