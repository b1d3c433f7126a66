"""The rules of Phase 10 Express."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "X-01": "The game takes 2 to 6 players.",
    "X-02": "The playing deck has exactly 54 cards: 48 number cards, 1 to 12 in 4 colours (blue, "
    "green, red, yellow), each once (12 per colour, 4 per rank), 3 wilds and 3 skips.",
    "X-03": "The three white cards of the contents list are the wilds.",
    "X-04": "The two reference cards are laid out and not played with.",
    "X-05": "Each player is dealt 5 cards, face down.",
    "X-06": "The rest, face down, is the stock.",
    "X-07": "The top card of the stock is turned up and starts the discard pile.",
    "X-08": "One player is chosen as first dealer; the player left of the dealer plays first; play "
    "goes clockwise.",
    "X-09": "After scoring, the player left of the dealer is the new dealer.",
    "X-10": "If the initial discard is a wild, the first player may take it.",
    "X-11": "If the initial discard is a skip, the first player's turn is skipped automatically.",
    "X-12": "A turn has four steps in this order: draw; lay the phase (optional); hit (optional); "
    "discard.",
    "X-13": "Exactly one card is drawn: top of the stock or top of the discard pile.",
    "X-14": "A skip is never drawn from the discard pile.",
    "X-15": "If the discard pile is empty or its top card is a skip, the player must draw from the "
    "stock.",
    "X-16": "The turn ends with one card discarded face up, or with a skip played (X-38).",
    "X-17": "When a player wants to draw from an empty stock, the discard pile except its top card "
    "is shuffled and becomes the stock.",
    "X-18": "If no card can be drawn at all, the turn goes on without a draw.",
    "X-19": "A set is two or more cards of one number, any colours.",
    "X-20": "The two sets of phase 2 may have the same number.",
    "X-21": "A run is three or more cards in numerical order, of any colours, except where one "
    "colour is asked for.",
    "X-22": "Cards of one colour need not be in numerical order.",
    "X-23": "In a parity group all cards are odd (even); numbers may repeat and need not be in "
    "order.",
    "X-24": "Runs (also pair, odd, even, colour runs) do not wrap past 12.",
    "X-25": "Phases are done in order 1 to 10; everybody starts on phase 1.",
    "X-26": "A player makes at most one phase per round.",
    "X-27": "The whole phase must be in hand before it is laid, face up, on one's own turn.",
    "X-28": "The phase is made as soon as it is laid; winning the round is not needed.",
    "X-29": "A player who did not make the phase tries the same phase in the next round.",
    "X-30": "A group may be laid with more cards than the minimum, if the extra cards would be "
    "legal hits on it.",
    "X-31": "No additional group may be laid.",
    "X-32": "A wild replaces any number card or a card of any colour.",
    "X-33": "Any number of wilds may be used in a phase, on the sole condition that the phase "
    "contains at least one number card.",
    "X-34": "So in phase 2 a set of wilds only is legal if the other set has a natural; the layer "
    "must then name its number.",
    "X-35": "A laid wild is never removed from its phase during the round.",
    "X-36": "In a run (of any kind) a wild has the number of its position, within 1 to 12 and of "
    "the right parity.",
    "X-37": "No card can be added to a run that is full in its kind (1 to 12; odd 1 to 11; even 2 "
    "to 12).",
    "X-38": "A skip is played by placing it in front of the chosen other player instead of on the "
    "discard pile.",
    "X-39": "Playing a skip counts as the discard and ends the turn.",
    "X-40": "On the target's next turn the only action is to put that skip on top of the discard "
    "pile; then the next player plays.",
    "X-41": "A skip cannot be played against a player who has a skip in front.",
    "X-42": "A skip is never used in a phase (nor as a hit).",
    "X-43": "While the skip lies in front of the player, the top of the discard pile is unchanged "
    "(the skipper added nothing).",
    "X-44": "After it has been served, the same player may be skipped again.",
    "X-45": "A skip cannot be discarded on the pile without a target.",
    "X-46": "A skip may be the last card: placing it empties the hand and ends the round.",
    "X-47": "A player may hit only after having laid the own phase (the same turn is enough: steps "
    "2 and 3).",
    "X-48": "Hits are made only on one's own turn.",
    "X-49": "Any number of cards may be hit, on several phases, own or other players'.",
    "X-50": "Each hit must match the group perfectly: number on a set, next number at an end on a "
    "run, colour on a colour group.",
    "X-51": "A wild may be hit wherever a matching card could be.",
    "X-52": "A hit on an odd/even run is the next odd/even number at an end.",
    "X-53": "A hit on a colour run is the next number at an end and of that colour.",
    "X-54": "A hit on a parity group is any card of that parity.",
    "X-55": "A hit on a pair run is a whole pair of the next number at an end (two cards in the "
    "same turn); a single card or a third card of a pair is illegal.",
    "X-56": "The round ends for everybody as soon as a player's hand is empty.",
    "X-57": "The hand may be emptied by hits alone, by a final discard, or by both.",
    "X-58": "The player who goes out first wins the round and scores 0.",
    "X-59": "All others score their hand: 5 per number 1-9, 10 per number 10-12, 15 per skip, 25 "
    "per wild.",
    "X-60": "Cards already played are not scored.",
    "X-61": "The round winner and everybody who made the phase go on to the next phase.",
    "X-62": "All cards are gathered and shuffled before a new round.",
    "X-63": "Unserved skips are removed when the round ends.",
    "X-64": "The first player to have made phase 10 at the end of a round wins.",
    "X-65": "If several made phase 10 in the same round, the lowest score wins.",
    "X-66": "If still equal, the tied players replay phase 10; the first to empty the hand wins.",
    "X-67": 'Variant 1 "10 rounds": 10 rounds; everybody moves on each round, made or not; lowest '
    "total after 10 rounds wins.",
    "X-68": "Variant 1: equal totals are broken by more phases made, then shared.",
    "X-69": 'Variant 2 "N phases": the number of phases to make is agreed before play; phase N '
    "takes the place of phase 10; all else unchanged.",
    "X-70": "Every card shows, besides its colour, a graphic symbol of its colour (colour-blind "
    "players).",
}
