"""The rules of classic Phase 10, and of Twist as far as they are told."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "C-01": "The game takes 2 to 6 players.",
    "C-02": "The deck has exactly 108 cards: 96 number cards, 1 to 12 in 4 colours (red, blue, "
    "green, yellow), each twice (24 per colour, 8 per rank), 8 wilds and 4 skips.",
    "C-03": "Reference cards are not part of the deck.",
    "C-04": "The printed colour of a wild or a skip has no effect.",
    "C-05": "Each player is dealt 10 cards, face down, one at a time.",
    "C-06": "The rest of the deck, face down, is the stock.",
    "C-07": "The top card of the stock is turned up and starts the discard pile.",
    "C-08": "One player is chosen as first dealer; after each round the deal passes to the left.",
    "C-09": "The player to the dealer's left plays first; play goes clockwise.",
    "C-10": "If the initial discard is a skip, the player to the dealer's left loses that first "
    "turn and the next player begins.",
    "C-11": "An initial skip stays on the discard pile and cannot be taken, so the player who "
    "begins must draw from the stock.",
    "C-12": "If the initial discard is a wild, the first player may take it.",
    "C-13": "A turn is, in this order: draw exactly one card; optionally lay the phase; optionally "
    "hit; discard exactly one card (unless the hand is already empty).",
    "C-14": "The drawn card is the top card of the stock or the top card of the discard pile, and "
    "nothing else.",
    "C-15": "A skip is never drawn from the discard pile.",
    "C-16": "If the discard pile is empty or its top card is a skip, the player must draw from the "
    "stock.",
    "C-17": "A player may discard any card of the hand, including a wild and including the card "
    "just taken from the discard pile.",
    "C-18": "A wild lying on top of the discard pile may be drawn by the next player.",
    "C-19": "When a player wants to draw from an empty stock, the discard pile except its top card "
    "is shuffled and becomes the stock.",
    "C-20": "If no card can be drawn at all (stock empty, nothing to reshuffle, top of the discard "
    "pile not drawable), the turn goes on without a draw.",
    "C-21": "Each player does the phases in order 1 to 10, independently of the others; everybody "
    "starts the game on phase 1.",
    "C-22": "A player lays at most one phase per round.",
    "C-23": "A longer combination never counts for later phases (run of 9 laid in phase 4 "
    "completes phase 4 only).",
    "C-24": "A set is cards of one number in any colours.",
    "C-25": "A run is cards of consecutive numbers in any colours.",
    "C-26": "Runs do not wrap: 12 is not followed by 1.",
    "C-27": '"One colour" means all cards of one colour, numbers free and not in order.',
    "C-28": "Two sets of one phase may have the same number.",
    "C-29": "A phase is laid only complete: the whole phase must be in the hand; laying a part is "
    "illegal.",
    "C-30": "A phase is laid face up, on the player's own turn, after the draw and before the "
    "discard.",
    "C-31": "More cards than the minimum may be laid with the phase if each extra card directly "
    "extends one of the required groups.",
    "C-32": "No additional group may be laid (a third set in phase 1 is illegal).",
    "C-33": "The phase is credited as soon as it is laid; going out is not needed.",
    "C-34": "Cards of a laid phase are never taken back or exchanged.",
    "C-35": "A wild replaces any number card.",
    "C-36": "A wild may stand for any colour (phase 8).",
    "C-37": "A wild cannot be used as a skip.",
    "C-38": "Any number of wilds may be used, with at least one natural card in each group.",
    "C-39": "In a run a wild has the number of its position; it can never stand below 1 or above "
    "12.",
    "C-40": "Once laid, a wild keeps its place and value until the end of the round and is never "
    "replaced, moved or taken.",
    "C-41": "A wild may be used as a hit on any group it can extend.",
    "C-42": "No wild (nor any card) can be added to a run that already covers 1 to 12.",
    "C-43": "A wild can be added to a set without limit, even when all eight naturals are in it.",
    "C-44": "A skip is played by discarding it at the end of the turn; the player then names the "
    "player who loses the next turn.",
    "C-45": "The named player may be any other player, not only the next one, and never oneself.",
    "C-46": "The skip card goes directly on top of the discard pile.",
    "C-47": "A drawn skip may be discarded at once or kept for a later turn.",
    "C-48": "A skip is never used in a phase, nor as a hit.",
    "C-49": "A player whose skip is still unserved cannot be named again.",
    "C-50": "A skipped player's turn consists of nothing: no draw, no lay, no hit, no discard.",
    "C-51": "At most one skip is played per turn, because it is the turn's discard.",
    "C-52": "Once the skipped turn has been lost, the player may be named again at once.",
    "C-53": "With two players a skip always hits the opponent and the skipper plays the next turn.",
    "C-54": "A skip may be the last card: discarding it ends the round.",
    "C-55": "An unserved skip is forgotten when the round ends.",
    "C-56": "A player may hit only after having laid the own phase in this round; the same turn is "
    "enough.",
    "C-57": "Hits are made only on one's own turn, after the draw and before the discard.",
    "C-58": "Any number of cards may be hit, on one's own groups and on those of any player.",
    "C-59": "After each single hit the group must be valid: same number on a set, next number at "
    "either end on a run, same colour on a colour group.",
    "C-60": "A hit never creates a new group.",
    "C-61": "The round ends at once for everybody when a player's hand is empty.",
    "C-62": "The hand may be emptied by a final discard, or by laying/hitting the last card "
    "without discarding.",
    "C-63": "The player who goes out scores 0 for the round.",
    "C-64": "Every other player scores the cards in hand: 5 per number 1-9, 10 per number 10-12, "
    "15 per skip, 25 per wild.",
    "C-65": "Only cards in hand count, not laid cards.",
    "C-66": "Scores are added up over the rounds; low is good.",
    "C-67": "Every player who laid the phase goes on to the next phase in the next round; the "
    "others repeat theirs.",
    "C-68": "For a new round all cards are gathered and shuffled.",
    "C-69": "The game ends after the first round in which at least one player has completed phase "
    "10.",
    "C-70": "If several players completed phase 10 in that round, the one with the fewest total "
    "points (this round included) wins.",
    "C-71": "If they are also equal in points, the tied players replay phase 10; the first to go "
    "out wins.",
    "C-72": "In the replay only the tied players are dealt in (10 cards), all on phase 10; its "
    "points are not recorded.",
    "C-73": 'Variant "10 hands": exactly 10 rounds, all players go to the next phase each round '
    "whether they made it or not; lowest total wins.",
    "C-74": 'Variant "N phases": the number of phases to complete is agreed before play; all else '
    "unchanged.",
    "C-75": 'Variant "even phases": only phases 2, 4, 6, 8, 10 are played; all else unchanged.',
    "T-01": "If a skip is turned up as initial discard, another card is turned up to cover it (and "
    "no player is skipped).",
    "T-02": "If the covering card is a skip again, it is covered again, until a non-skip lies on "
    "top.",
    "T-03": "The covered skip stays in the discard pile below and is not drawable while covered.",
    "T-04": "In Twist there are three discard piles; a turn draws from the stock or one of them "
    "and discards on any of them.",
    "T-05": "In Twist the pawn advances after each round: 3 spaces for going out, 2 for completing "
    "the phase, 1 otherwise; doubled with a successful Twist card, 1 back when it fails.",
    "T-06": "In Twist the phase to make is the one of the space the pawn occupies.",
    "T-07": "In Twist a skip is placed in front of the skipped player and set aside when served.",
    "T-08": "In Twist the phases of the track are the ten classic ones.",
}
