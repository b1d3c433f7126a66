"""What speaks for a draw or a discard and against it, in numbers: `account.errors` words them."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    DRAW_PILE,
    GROUP_AT,
    GROUPS,
    HAND,
    HAND_AT,
    LAID,
    PILE,
    PILE_AT,
    POINTS_AT,
    SKIP,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.piles import phase_at, seat_at
from phaseledger.domain.kernel.play.winners import attempted
from phaseledger.domain.kernel.policies.discards import next_to_play
from phaseledger.domain.kernel.policies.hits import fits
from phaseledger.domain.kernel.policies.outlook import further, look_ahead
from phaseledger.domain.kernel.policies.scratch import TURNS
from phaseledger.domain.kernel.policies.unseen import count_unseen
from phaseledger.domain.kernel.policies.wishes import wish, wished

WAIT: Final = 0
"""The turns until the phase can be laid, after the move; 0 once it is laid."""
FEEDS: Final = 1
"""How likely the next seat takes the card for its phase, 0 to 1."""
FEEDS_HIT: Final = 2
"""1 where the next seat can hit the card at once."""
RISK: Final = 3
"""The penalty points that leave the hand with the card."""
REASONS: Final = 4


def weigh_draw(
    rules: Ints, game: Ints, source: int, work: Ints, tuning: Floats, weights: Floats
) -> float:
    """The turns until the active seat can lay its phase, after it has drawn from ``source``."""
    seat = game[ACTIVE]
    at = seat_at(seat)
    held = game[at + HAND]
    count_unseen(rules, game, seat, work)
    if source == DRAW_PILE:
        game[at + HAND_AT + held] = game[PILE_AT + game[PILE] - 1]
        game[at + HAND] = held + 1
    look_ahead(rules, game, seat, attempted(rules, game, seat), work, weights, tuning)
    game[at + HAND] = held
    turns: float = weights[TURNS]
    # The look ahead begins with this draw, of a card of the stock.
    return turns if source == DRAW_PILE else max(turns - 1.0, 0.0)


def weigh_discard(
    rules: Ints, game: Ints, card: int, work: Ints, tuning: Floats, weights: Floats, reasons: Floats
) -> None:
    """Write the reasons for and against a discard of the active seat."""
    seat = game[ACTIVE]
    after = next_to_play(game)
    is_hit = card != SKIP and fits(rules, game, GROUP_AT, game[GROUPS], card)
    reasons[RISK] = rules[POINTS_AT + (card & 15)]
    reasons[WAIT] = 0.0
    reasons[FEEDS] = 0.0
    reasons[FEEDS_HIT] = 0.0
    count_unseen(rules, game, seat, work)
    if after >= 0 and game[seat_at(after) + LAID]:
        reasons[FEEDS_HIT] = 1.0 if is_hit else 0.0
    elif after >= 0:
        wish(rules, game, after, phase_at(attempted(rules, game, after)), work, weights)
        reasons[FEEDS] = wished(rules, weights, card)
    if game[seat_at(seat) + LAID] == 0:
        look_ahead(rules, game, seat, attempted(rules, game, seat), work, weights, tuning)
        later: float = further(rules, work, weights, tuning, card, -1)
        reasons[WAIT] = weights[TURNS] + later
