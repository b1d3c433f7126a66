"""The rules of the game with two standard decks."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "D-01": "The game takes 3 to 5 players.",
    "D-02": "The deck is two 54-card decks, 108 cards: 2 to K in 4 suits, each twice (96 naturals, "
    "24 per suit, 8 per rank), 8 Aces and 4 jokers.",
    "D-03": "The order of the ranks is 2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K.",
    "D-04": "The 8 Aces are the wilds; an Ace has no rank of its own.",
    "D-05": "The 4 jokers are the skip cards.",
    "D-06": "Each player is dealt 10 cards, one by one.",
    "D-07": "The rest of the cards is the stock.",
    "D-08": "The first card of the stock is turned up and starts the discard pile.",
    "D-09": "If the initial discard is a joker it simply stays there: nobody is skipped.",
    "D-10": "If the initial discard is an Ace it stays and may be drawn.",
    "D-11": "The deal passes to the left after each round.",
    "D-12": "The player left of the dealer plays first, clockwise.",
    "D-13": "On each turn the player draws exactly one card: top of the stock or top of the "
    "discard pile.",
    "D-14": "To end the turn the player either discards one card or places a joker in front of an "
    "opponent.",
    "D-15": "A player cannot pass, except when forced to by a joker lying in front.",
    "D-16": "A joker cannot be placed in front of a player who already has one.",
    "D-17": "The target of a joker is an opponent, never oneself.",
    "D-18": "A player with a joker in front loses the turn: the turn consists only of putting that "
    "joker under the discard pile.",
    "D-19": "On that turn the player neither draws, lays, hits nor discards.",
    "D-20": "Placing or serving a joker leaves the top card of the discard pile unchanged (if the "
    "pile is not empty).",
    "D-21": "A joker put under an empty discard pile becomes its only, top card.",
    "D-22": "A joker on top of the discard pile may be drawn like any card.",
    "D-23": "A joker may also be discarded on the pile like any card, then without effect.",
    "D-24": "At most one joker is placed per turn, because placing it ends the turn.",
    "D-25": "A joker is never part of a combination.",
    "D-26": "A joker may be the last card played (placed in front of an opponent).",
    "D-27": "When a player wants to draw from an empty stock, the discard pile except its top card "
    "is shuffled and becomes the stock (buried jokers included).",
    "D-28": "If no card can be drawn at all, the turn goes on without a draw.",
    "D-29": "Jokers lying in front of players are removed without effect when the round ends.",
    "D-30": "A set (pair, triple, quadruple, quintuple) is cards of one rank; suits are free and "
    "two identical cards are allowed.",
    "D-31": "A run is cards of consecutive ranks in any suits.",
    "D-32": "Runs do not wrap from K to 2.",
    "D-33": "“Colour” in phase 8 means suit (four of them), not red or black.",
    "D-34": "The first lay must satisfy exactly the list of the phase; it contains no additional "
    "combination.",
    "D-35": "No combination other than those of the phase may be laid, neither then nor later.",
    "D-36": "Six cards of one rank may count as two sets of 3.",
    "D-37": "Seven cards of one rank may count as a set of 5 and a set of 2.",
    "D-38": "Eight cards of one rank may count as two sets of 4, or as a set of 5 and a set of 3.",
    "D-39": "A group may be laid with more cards than the minimum (equivalent to laying and then "
    "hitting in the same turn).",
    "D-40": "A player lays at most one phase per round.",
    "D-41": "An Ace replaces any card, whatever its suit.",
    "D-42": "Every group contains at least one natural card; a n-tuple counted as two sets needs "
    "one natural for each.",
    "D-43": "In a run an Ace has the rank of its position and stands only for 2 to K (never below "
    "2 or above K).",
    "D-44": "A laid Ace is never taken back or exchanged by anybody.",
    "D-45": "No card, not even an Ace, can be added to a run that already covers 2 to K.",
    "D-46": "Aces can be added to a set without limit.",
    "D-47": "Only a player who has laid the own phase in this round may hit.",
    "D-48": "Hits may be made in the turn of the lay and on later own turns.",
    "D-49": "Hits may be made on any laid combination; a laid combination belongs to nobody.",
    "D-50": "A hit continues a run, adds a card of the same rank to a set, or a card of the same "
    "suit to a colour group.",
    "D-51": "The round ends when a player has no card left in hand.",
    "D-52": "The hand may be emptied by laying/hitting without a final discard.",
    "D-53": "Only cards left in hand are counted (neither laid cards nor jokers lying in front of "
    "players); the player who emptied the hand scores 0.",
    "D-54": "The penalty of a card is 5 for 2 to 10; 10 for J, Q and K; 15 for a joker; 20 for an "
    "Ace.",
    "D-55": "Penalties are added up over the rounds; low is good.",
    "D-56": "One of the four styles is chosen before play.",
    "D-57": "Complete ordered: each player does the ten phases in order, independently of the "
    "others.",
    "D-58": "Complete ordered: the first player to finish phase 10 wins; if two finish it in the "
    "same round, fewer points win.",
    "D-59": "Complete ordered and complete free: the number of rounds is not fixed (at least 10).",
    "D-60": "10 rounds ordered: in round n everybody attempts phase n, success or not; exactly 10 "
    "rounds.",
    "D-61": "10 rounds ordered: fewest points after 10 rounds wins; ties go to the player with "
    "more phases made.",
    "D-62": "Complete free: when laying, the player marks any one phase not yet marked in earlier "
    "rounds.",
    "D-63": "Complete free: the first to mark all ten phases wins; same-round ties go to fewer "
    "points.",
    "D-64": "10 rounds free: phase choice as in D-62, exactly 10 rounds; winner and tie-break as "
    "in D-61.",
    "D-65": "In the complete styles the winner is determined at the end of the round, with that "
    "round's penalties included.",
    "D-66": "In a free style the player names the phase when laying, if the cards fit several open "
    "phases.",
    "D-67": "If players are still equal after the seed's tie-breaks, they share the win.",
}
