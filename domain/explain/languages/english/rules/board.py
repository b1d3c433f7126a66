"""The rules of the board game."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "B-01": "The game takes 2 to 6 players.",
    "B-02": "The deck has exactly 96 number cards: 1 to 12 in 4 colours, each twice.",
    "B-03": "There are no wild cards and no skip cards; jokers arise only from number cards turned "
    "round (B-29).",
    "B-04": "The board has a closed ring of 32 action spaces of 8 types, and a phase track of 10 "
    "phase spaces followed by one finish space with the laurel.",
    "B-05": "Every player has one pawn (ring) and one phase marker (track); there are two "
    "six-sided dice.",
    "B-06": "All pawns start on the large blue action space with stars.",
    "B-07": "All phase markers start on phase 1.",
    "B-08": "Each player is dealt 10 cards one by one, kept secret.",
    "B-09": "Five more cards are laid face up as discard pile, so that only the top card is "
    "visible.",
    "B-10": "The rest, face down, is the stock.",
    "B-11": "The youngest player starts the first round.",
    "B-12": "Turns go clockwise.",
    "B-13": "If ages are unknown, the host names who starts the first round.",
    "B-14": "A turn has three steps: (1) roll, move and action, which is mandatory; (2) lay the "
    "phase and hit, which is optional; (3) discard, which is mandatory.",
    "B-15": "The player rolls both dice, chooses one of them and moves the pawn clockwise by its "
    "value (never by the sum of two different dice).",
    "B-16": "With a double the player may move by one die's value or by twice that value.",
    "B-17": "Spaces occupied by other pawns are jumped over and not counted: the pawn lands on the "
    "n-th free space.",
    "B-18": "Hence a space holds at most one pawn, except the start space before the pawns have "
    "left it.",
    "B-19": "The space reached decides the action, which must be carried out before step 2.",
    "B-20": "The order and number of the action types on the 32 spaces are those of the default "
    "track: +1 card five times, +2 cards five times, +3 cards three times; JOKER, SEARCH, ASK, "
    "SWAP and AGAIN three times each; EVERYBODY and CHOOSE twice each.",
    "B-21": "TAKE +1/+2/+3: the player must add exactly the number of cards shown, each from the "
    "top of the stock or the top of the discard pile.",
    "B-22": "TAKE: the pile for each next card is chosen after seeing the previous one.",
    "B-23": "SEARCH: the player looks through the whole discard pile and adds one chosen card to "
    "the hand, unseen by the others.",
    "B-24": "SEARCH: the pile goes back with its order unchanged.",
    "B-25": "SWAP, first half: the player discards 1 to 4 cards of the hand; the others see only "
    "the top one.",
    "B-26": "SWAP, second half: the player draws from the stock one card more than were discarded.",
    "B-27": "AGAIN: the player takes the top card of the stock or discard pile, may do step 2, "
    "discards one card, then plays a complete new turn (steps 1-3).",
    "B-28": "AGAIN: landing on AGAIN in the new turn gives another new turn, without limit. If the "
    "round ends in the first part, the new turn is lost.",
    "B-29": "JOKER: the player draws the top card of the stock, looks at it briefly and puts it "
    "reversed into the hand; this card is a joker.",
    "B-30": "JOKER visibility: the owner sees only the back, all other players see the face of a "
    "joker in hand.",
    "B-31": "EVERYBODY: the player draws the top card of the stock, then each other player in turn "
    "order draws one too.",
    "B-32": "ASK: the player names one value 1 to 12 (never a colour) and asks the others one by "
    "one, going left or right (asker's choice).",
    "B-33": "ASK: the first player who holds that value must hand over one such card; the asking "
    "ends there.",
    "B-34": "ASK: the giver at once receives the top card of the stock as replacement, wanted or "
    "not; the replacement is an ordinary card, also when a joker was given.",
    "B-35": "ASK: if nobody holds the value, the asker draws the top card of the stock.",
    "B-36": "ASK: a joker whose face is the asked value must be handed over if its owner has no "
    "other card of that value; with another one, the joker is not given.",
    "B-37": "ASK: a giver with several matching ordinary cards chooses which one to give.",
    "B-38": "ASK: a joker received this way is turned the normal way: for its new owner it is an "
    "ordinary number card.",
    "B-39": "CHOOSE: the player picks any other action type, moves the pawn clockwise to the first "
    "free space of it and carries out that action.",
    "B-40": "CHOOSE: an action whose spaces are all occupied cannot be picked.",
    "B-41": "CHOOSE cannot pick CHOOSE.",
    "B-42": "CHOOSE of TAKE names the number: +1, +2 and +3 are separate choices, each to its own "
    "first free space.",
    "B-43": "No card is drawn other than by actions (there is no separate draw step).",
    "B-44": "Phases use three kinds of combination (one colour, runs, sets), partly mixed.",
    "B-45": "One colour: the values do not matter.",
    "B-46": "A run is 3 or more cards of consecutive values, any colours.",
    "B-47": "There is no link between 12 and 1.",
    "B-48": "A set is cards of one value, any colours.",
    "B-49": "Several sets of one phase may have the same value.",
    "B-50": "In step 2 a player may lay the phase shown by the marker, complete and face up, from "
    "the hand; laying a part is forbidden.",
    "B-51": "The lay is possible whatever action was carried out in step 1.",
    "B-52": "More cards than the minimum may be laid directly.",
    "B-53": "After laying the own phase, a player may in step 2 add one or more fitting cards to "
    "own or others' laid phases, also in the same turn.",
    "B-54": "Before laying the own phase no card may be added anywhere.",
    "B-55": "Added cards must extend laid combinations; new combinations are forbidden.",
    "B-56": "A joker replaces any number or any colour, in any phase.",
    "B-57": "A laid joker is never exchanged for the card it stands for.",
    "B-58": "Each part (combination) of a phase contains at least one real card.",
    "B-59": "In a run a joker is placed so that its value is clear; that value is then fixed.",
    "B-60": 'Jokers may be added without limit to a "full" set or a "full" run.',
    "B-61": "A set is full with all eight cards of its value, a run is full when it covers 1 to "
    "12, with or without jokers in either.",
    "B-62": "A real card of the value may still be added to a set that became full by jokers.",
    "B-63": "If every combination laid so far is full, each player who has laid the own phase may "
    "discard 2 cards (in any order) instead of 1 at the end of the turn.",
    "B-64": "For B-63 a colour group counts as full only with 24 cards (so in practice never).",
    "B-65": "A joker may be discarded; it lands face up and is an ordinary number card from then "
    "on.",
    "B-66": "Laid or not, a player must discard one card face up in step 3; then the left "
    "neighbour plays (exception AGAIN).",
    "B-67": "Therefore step 2 may never empty the hand: a lay or hit that leaves no card for step "
    "3 is illegal.",
    "B-68": "The round ends when a player discards the last card in step 3, also in the turn of "
    "the lay.",
    "B-69": "Discarding the last cards in the SWAP action does not end the round.",
    "B-70": "The player who ended the round advances the marker by 2 (one phase is skipped).",
    "B-71": "Every other player who has laid the phase advances the marker by 1 and gives up all "
    "cards.",
    "B-72": "Players who have not laid stay on their phase and may keep up to 5 cards; the other "
    "cards are given up.",
    "B-73": "There are no points for cards in hand.",
    "B-74": "Markers advance in this order: the player who ended the round, then the others "
    "clockwise from that player's left neighbour.",
    "B-75": "The first player to reach the laurel space in that order wins; the game ends at once.",
    "B-76": "From phase 9, an advance of 2 reaches the laurel space; from phase 10, surplus steps "
    "are ignored.",
    "B-77": "All cards except the kept ones are reshuffled.",
    "B-78": "Cards are dealt one by one until everybody has 10.",
    "B-79": "A new 5-card discard pile and a new stock are made.",
    "B-80": "Pawns stay where they are.",
    "B-81": "The left neighbour of the player who ended the previous round starts.",
    "B-82": "A kept joker stays a joker.",
    "B-83": "Kept cards are chosen by all concerned players secretly and at the same time; only "
    "their number becomes public.",
    "B-84": "When a card must come from an empty stock, the discard pile except its top card is "
    "shuffled and becomes the stock.",
    "B-85": "If an action asks for more cards than exist, as many as possible are taken, in turn "
    "order.",
}
