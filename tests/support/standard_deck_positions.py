"""Positions of the game with standard decks, and of others as they are dealt."""

from phaseledger.domain import deal
from phaseledger.domain.commands import Act, OpenGame, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.events import Event
from phaseledger.domain.options import OptionValue
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.table import GAME, table


def opened(
    game: str, seats: int, salt: int = 0, **options: OptionValue
) -> tuple[State, list[Event]]:
    """A started game; ``salt`` chooses the server's secret, and so the deal."""
    opening = OpenGame(GAME, game, seats, options, secret=f"{salt:064x}")
    state, events = step(None, Act(opening))
    log = list(events)
    sitting = [Act(TakeSeat(f"seat {n}", secret="ab" * 32), n) for n in range(seats)]
    for act in [*sitting, Act(Start())]:
        state, events = step(state, act)
        log += events
    return state, log


def deck_of(state: State) -> bytes:
    """The deck of round 1 as it was shuffled, top first."""
    key = deal.deal_key(bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript))
    return deal.shuffled(key, 1, 0, state.ruleset.deck.cards())


def dealt_with(
    game: str, top: int, seats: int = 3, **options: OptionValue
) -> tuple[State, list[Event]]:
    """The first deal, by salt, in which the first card turned up is ``top``."""
    for salt in range(400):
        state, events = opened(game, seats, salt, **options)
        if deck_of(state)[state.ruleset.hand * seats] == top:
            return state, events
    raise AssertionError("no such deal")


STANDARD = preset("standard-deck")


FREE = {"style": "complete_free"}


TEN = {"style": "ten_rounds_ordered"}


def laid_out(hands: list[str], discard: str = "KD", **rows: object) -> State:
    """A table of this game; see `tests.support.table`."""
    return table(hands, ruleset=STANDARD, discard=discard, **rows)


HEARTS = "[2H 3H 5H 7H 9H JH QH]"


EIGHT = "[9H 9S 9D 9C] [9H 9S 9D 9C]"
