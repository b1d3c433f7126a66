"""Places in the kernel's arrays: a game, the rules, and a list of moves, all of them ints.

A card is its code in `domain.cards`; a joker in hand is its face with the bit TURNED, and its
owner's name for it in a move. A game is one array: the header, the stock and the discard pile, the
laid groups, and one block for each seat:

    0        28       44           172      300      428            684      684 + 228   ...
    | header | ORDER  | TABLE      | STOCK  | PILE   | GROUPS       | seat 0 | seat 1 | ...
"""

from collections.abc import MutableSequence
from typing import Final, TypeAlias

Ints: TypeAlias = MutableSequence[int]
"""An array of 64-bit ints, or a list of them."""
Floats: TypeAlias = MutableSequence[float]

# --- a game: the header -------------------------------------------------------------------------

ROUND: Final = 0
DEALER: Final = 1
REPLAY: Final = 2
"""1 where the round decides a tie (C-71)."""
ACTIVE: Final = 3
"""The seat whose turn it is."""
TURN: Final = 4
"""Turns counted from 1 over the whole game, lost ones included."""
ROUND_TURN: Final = 5
"""The number of turns that had passed when the round was dealt."""
SHUFFLES: Final = 6
PASSES: Final = 7
OUT: Final = 8
"""The seat that went out in the round that ended last; -1 where none did."""
ASK: Final = 9
"""What the seat at ASKED owes: one of the ASK_ kinds; ASK_NOTHING at the game's end."""
SEATS: Final = 10
PLAYERS: Final = 11
"""The number of seats dealt in; they stand at ORDER, in turn order from the first player."""
ACTION: Final = 12
"""The action of the pawn's space since the last throw, as in TRACK_AT; 0 before."""
WINNERS: Final = 13
"""Bit n is set where seat n has won."""
GROUPS: Final = 14
STOCK: Final = 15
"""The number of cards of the stock."""
PILE: Final = 16
"""The number of cards of the discard pile."""
ASKED: Final = 17
"""The seat that owes an answer: the active one, but where it is asked to give or keep cards."""
NUMBER: Final = 18
"""What else the answer depends on (`state.Question`)."""
ROLLS: Final = 19
"""Throws of the dice in this turn."""
DIE: Final = 20
OTHER_DIE: Final = 21
TAKEN_AT: Final = 22
"""The cards taken from the pile in this turn, or since the last throw, while the seat holds them;
0 for none.
"""
MOST_TAKEN: Final = 3

ORDER: Final = 28
TABLE: Final = 44
"""How often each card, by its code, lies in the laid groups; 128, with jokers by their faces."""
STOCK_AT: Final = 172
"""The stock from its bottom to its top: the next card is the last."""
PILE_AT: Final = 300
"""The discard pile from its bottom to its top."""
MOST_CARDS: Final = 128

ASK_NOTHING: Final = 0
ASK_DRAW: Final = 1
ASK_PLAY: Final = 2
ASK_MOVE: Final = 3
ASK_CHOOSE: Final = 4
ASK_SEARCH: Final = 5
ASK_SWAP: Final = 6
ASK_VALUE: Final = 7
ASK_GIVE: Final = 8
ASK_KEEP: Final = 9

# --- a game: a laid group -----------------------------------------------------------------------

GROUP_AT: Final = 428
GROUP: Final = 8
"""Ints of a group."""
MOST_GROUPS: Final = 32
KIND: Final = 0
OWNER: Final = 1
LOW: Final = 2
HIGH: Final = 3
"""Both as in `state.Group`."""
HALF: Final = 4
SIZE: Final = 5
COLOUR: Final = 6
"""The colour of a run of one colour; -1 where no natural has shown it yet."""

# --- a game: a seat -----------------------------------------------------------------------------

SEAT_AT: Final = 684
SEAT: Final = 228
"""Ints of a seat."""
MOST_SEATS: Final = 16
PHASE: Final = 0
MADE: Final = 1
LAID: Final = 2
POINTS: Final = 3
SKIPS: Final = 4
SERVED: Final = 5
FRONT: Final = 6
"""The number of skips that lie in front of the seat."""
PAWN: Final = 7
"""The pawn's space on the ring."""
KEPT: Final = 8
"""1 and the number of the cards kept for the next round; 0 where they are not chosen."""
KEPT_AT: Final = 9
MOST_KEPT: Final = 8
HAND: Final = 17
HAND_AT: Final = 18
"""The hand in the order in which its cards came."""
MOST_HAND: Final = 96
MOST_CARDS_LAID: Final = 12
"""The most cards that a lay has room for."""
OPEN: Final = 114
"""The number of cards at OPEN_AT: those openly taken in this round and not played since."""
OPEN_AT: Final = 115
SPURNED: Final = 211
SPURNED_AT: Final = 212
MOST_SPURNED: Final = 16

# --- the rules: numbers -------------------------------------------------------------------------

PLAN: Final = 0
"""Ints of a plan."""
HAND_SIZE: Final = 1
PHASES: Final = 2
ROUNDS: Final = 3
INITIAL_DISCARDS: Final = 4
IN_FRONT: Final = 5
"""1 where a skip is placed in front of its target, 0 where it is discarded."""
AFTER_SERVED: Final = 6
"""Where a skip that lay in front goes: 0 out of the game, 1 top of the pile, 2 its bottom."""
PROGRESS: Final = 7
"""0 in_order, 1 by_round, 2 free, 3 marker."""
FINISH: Final = 8
"""0 last_phase, 1 rounds, 2 laurel."""
STOCK_EXHAUSTED: Final = 9
"""0 reshuffle_all_but_top, 1 reshuffle_all, 2 end_round."""
NO_CARD_ENDS: Final = 10
SCOPE: Final = 11
"""wild_min_scope: 0 none, 1 phase, 2 group."""
WILD_ON_FULL_RUN: Final = 12
WILD_ON_FULL_SET: Final = 13
NATURAL_ON_FULL_SET: Final = 14
WRAP: Final = 15
KEEP: Final = 16
"""Cards that lays and hits leave in hand: 1 under going_out=discard_required."""
SKIP_AS_LAST: Final = 17
UNTIL_NORMAL: Final = 18
INITIAL_SKIP: Final = 19
"""0 skip_first_player, 1 cover, 2 return_and_redraw, 3 keep."""
INITIAL_WILD_RETURNS: Final = 20
SKIP_DRAWABLE: Final = 21
PLAIN_DISCARD: Final = 22
"""skip_plain_discard: 0 false, 1 true, 2 only_if_no_target."""
SKIP_SURVIVES: Final = 23
DEALER_FIXED: Final = 24
FIRST_PLAYER: Final = 25
"""0 left_of_dealer, 1 dealer, 2 random."""
FINAL_TIE: Final = 26
"""0 replay, 1 shared, 2 went_out."""
MORE_PHASES: Final = 27
"""1 where the phases made decide between equal totals (C-73)."""
TIE_EVERYBODY: Final = 28
OPEN_REPLAY: Final = 29
"""1 where a seat that is not tied may end a replay (`policies.has_open_replay`)."""
TAKEN_DISCARDABLE: Final = 30
TURN_LIMIT: Final = 31
"""0 where there is none."""
SUITS: Final = 32
PAIR_HIT: Final = 33
"""pairrun_hit: cards of a hit on a run of pairs, 2 or 1; 0 where there is none."""
FULL_SET: Final = 34
WILDS_PLACED: Final = 35
"""1 where a laid run's wilds are placed by the rules (O-07)."""
TRACK: Final = 36
"""The number of spaces of the ring; 0 where there is none, and turns begin with a draw."""
KEEP_FOR_NEXT: Final = 37
"""The cards that a seat without a lay may keep for the next round (B-72)."""
TWO_WHEN_FULL: Final = 38
"""1 where two cards may be discarded once all groups are full (B-63)."""
FULL_COLOUR: Final = 39
"""The cards of a full colour group (B-64); 0 where these groups do not count."""
ENDER_DEALS: Final = 40
TAKE_BY_TYPE: Final = 41
JOKERS_STAY: Final = 42
"""1 where kept jokers stay jokers (B-82)."""
JOKER_DISCARD: Final = 43
FIRST_DRAWN: Final = 44
"""1 where chance draws the seat that starts the first round (B-13)."""
ALL_OR_NONE: Final = 45
"""1 where an action that finds too few cards is called off (B-85)."""
GIVER_CHOOSES: Final = 46
COVERED: Final = 47
"""1 where no seat knows the discard pile below its top (B-09)."""
JOKERS_KNOWN: Final = 48
"""1 where a seat sees the faces of its jokers (O-38)."""
NO_POINTS: Final = 49
"""1 where cards in hand cost nothing (B-73)."""

# --- the rules: tables --------------------------------------------------------------------------

POINTS_AT: Final = 52
"""Penalty points by rank, 16."""
DECK_AT: Final = 68
"""How many of each card the deck has, by its code, 64."""
FORM_AT: Final = 132
FORM: Final = 4
"""Ints of a kind: ALIKE (0 ladder, 1 rank, 2 colour, 3 parity), STEP, COPIES, ONE_COLOUR."""
ALIKE: Final = 0
STEP: Final = 1
COPIES: Final = 2
ONE_COLOUR: Final = 3
KINDS: Final = 7
PHASE_AT: Final = 164
PHASE_ROW: Final = 24
"""Ints of a phase, from phase 1 at PHASE_AT on: NEEDS, PLANS, FIRST_PLAN, then its needs."""
MOST_PHASES: Final = 10
NEEDS: Final = 0
PLANS: Final = 1
"""The number of the phase's plans."""
FIRST_PLAN: Final = 2
"""The place of the first of them in the rules."""
NEED_AT: Final = 4
NEED: Final = 4
"""Ints of a need: its kind, its size, its parity (0, 1 odd, 2 even), and its number, which equal
needs of the game share.
"""
MOST_NEEDS: Final = 5
NEED_KIND: Final = 0
NEED_SIZE: Final = 1
NEED_PARITY: Final = 2
NEED_NUMBER: Final = 3
TRACK_AT: Final = 404
"""The actions of the ring, by their places in `table.ACTIONS`."""
MOST_SPACES: Final = 36
RULES: Final = 440
"""Ints of the rules before the plans.

A plan (`groups.plans.Plan`) is the number of its classes, these and the cards wanted of each, then
its groups: for each need of the phase the kind, the low and the high end, and the colour or -1.
"""

# --- moves --------------------------------------------------------------------------------------

MOVES: Final = 2_100
"""The most moves of a list. The list is their number, then MOVE ints for each from 1 on."""
MOVE: Final = 26
LISTED: Final = 1_000
"""The most choices of a kind that are listed (`legal.MOST_CHOICES`)."""

DRAW_STOCK: Final = 0
DRAW_PILE: Final = 1
LAY: Final = 2
"""LAY, the phase, the number of groups, then for each the low end and the number of cards, and from
LAY_CARDS on the cards of all groups.
"""
HIT: Final = 3
"""HIT, the group, the end (0 none, 1 low, 2 high), the card, a second card or 0."""
DISCARD: Final = 4
"""DISCARD, the card, a second card or 0, the target or -1."""
PASS: Final = 5
MOVE_PAWN: Final = 6
"""MOVE_PAWN, the steps."""
CHOOSE: Final = 7
"""CHOOSE, the action."""
SEARCH: Final = 8
"""SEARCH, the card."""
SWAP: Final = 9
"""SWAP, the number of cards, the cards."""
ASK_FOR: Final = 10
"""ASK_FOR, the value, the direction: 0 left, 1 right."""
GIVE: Final = 11
"""GIVE, the card."""
KEEP_CARDS: Final = 12
"""KEEP_CARDS, the number of cards, the cards."""
CHOSEN_AT: Final = 2
"""The place, in the move, of the cards to swap or to keep."""
MOST_SWAPPED: Final = 4

LAY_GROUPS: Final = 3
LAY_CARDS: Final = 13

END_NONE: Final = 0
END_LOW: Final = 1
END_HIGH: Final = 2

# --- the actions of the ring ----------------------------------------------------------------------

ON_TAKE: Final = 0
"""TAKE1, TAKE2 or TAKE3, where CHOOSE does not tell them apart."""
ON_JOKER: Final = 1
ON_TAKE1: Final = 2
ON_TAKE3: Final = 4
ON_SEARCH: Final = 5
ON_ASK: Final = 6
ON_SWAP: Final = 7
ON_AGAIN: Final = 8
ON_EVERY: Final = 9
ON_CHOOSE: Final = 10

# --- cards --------------------------------------------------------------------------------------

WILD: Final = 14
SKIP: Final = 15
TOP: Final = 12
CODES: Final = 64
"""The codes of cards, from 0 on, that are no jokers."""
TURNED: Final = 64
OWN: Final = 128
"""OWN + n is the n-th joker of a hand, in a move."""

# --- chance -------------------------------------------------------------------------------------

CHANCE: Final = 4
"""Ints of a source of chance before its words: MODE, the place of the next word, their end."""
MODE: Final = 0
"""One of GENERATED, where the words are the generator's state; GIVEN, where they are what chance
brings: whole stocks from the top down, and places of starters; WORDS of 16 bits (`deal.words`).
"""
NEXT: Final = 1
END: Final = 2
GENERATED: Final = 0
GIVEN: Final = 1
WORDS: Final = 2
