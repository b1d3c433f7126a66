"""Sentences: for each value of an option, for each action."""

from collections.abc import Mapping

from phaseledger.domain.options import OptionValue

OPTION_SAYS: Mapping[str, Mapping[OptionValue, str]] = {
    "stock_exhausted": {
        "reshuffle_all_but_top": "When a card is wanted from an empty stock, the discard pile "
        "except its top card is shuffled and becomes the stock.",
        "reshuffle_all": "When a card is wanted from an empty stock, the whole discard pile is "
        "shuffled and becomes the stock.",
        "end_round": "When a card is wanted from an empty stock, the round ends.",
    },
    "no_card_to_draw": {
        "continue_without_draw": "If no card can be drawn at all, the turn goes on without.",
        "end_round": "If no card can be drawn at all, the round ends.",
    },
    "wild_min_scope": {
        "group": "Each group needs at least one natural card.",
        "phase": "A phase needs at least one natural card, whatever its groups are made of.",
        "none": "A group may be of wilds alone; what they stand for is then said.",
    },
    "wild_on_full_run": {
        True: "Wilds may be added without limit to a run that covers all ranks.",
        False: "Nothing is added to a run that covers all ranks.",
    },
    "wild_on_full_set": {
        True: "Wilds may be added to a set without limit.",
        False: "No wild is added to a set as large as the deck has cards of a rank.",
    },
    "natural_on_full_set": {
        True: "A real card may be added to a set that jokers made full.",
        False: "No real card is added to a set that jokers made full.",
    },
    "run_wrap": {
        True: "A run may go on from the highest rank to the lowest.",
        False: "A run never goes on from the highest rank to the lowest.",
    },
    "wild_placement": {
        "explicit": "The order in which the cards are laid says where wilds lie in a run.",
        "high_then_low": "Wilds in a run fill its gaps, then lie at the high end, then at the low, "
        "in whatever order the cards are named.",
    },
    "going_out": {
        "any": "The hand may be emptied by laying or hitting the last card, without a discard.",
        "discard_required": "The last card must be a discard: laying and hitting leave one.",
    },
    "skip_as_last_card": {
        True: "A skip may be the last card.",
        False: "A skip cannot be the last card.",
    },
    "skip_repeat": {
        "until_served": "Whoever is still to lose a turn cannot be skipped again.",
        "until_normal_turn": "Whoever is to lose a turn, or has lost the last one, cannot be "
        "skipped again.",
    },
    "initial_skip": {
        "skip_first_player": "If the first discard is a skip, the first player loses the turn.",
        "cover": "If the first discard is a skip, another card is turned up to cover it.",
        "return_and_redraw": "If the first discard is a skip, it goes under the stock and another "
        "card is turned up.",
        "keep": "If the first discard is a skip, it stays there and skips nobody.",
    },
    "initial_wild": {
        "drawable": "If the first discard is a wild, it may be drawn.",
        "return_and_redraw": "If the first discard is a wild, it goes under the stock and another "
        "card is turned up.",
    },
    "skip_drawable": {
        True: "A skip on top of the discard pile may be drawn.",
        False: "A skip is never drawn from the discard pile.",
    },
    "skip_plain_discard": {
        True: "A skip may also be discarded like any card, and then skips nobody.",
        False: "A skip is not discarded without skipping somebody.",
        "only_if_no_target": "A skip is discarded without effect only where nobody can be skipped.",
    },
    "skip_survives_round": {
        True: "A turn still to be lost when the round ends is lost in the next one.",
        False: "A turn still to be lost when the round ends is forgotten.",
    },
    "dealer_rotation": {
        "left": "The deal passes to the left after each round.",
        "fixed": "The dealer stays the same.",
    },
    "first_player": {
        "left_of_dealer": "The player left of the dealer plays first.",
        "dealer": "The dealer plays first.",
        "random": "Who plays first is drawn by lot in each round.",
    },
    "lay_oversize": {
        True: "More cards than the phase asks for may be laid with it, in its own groups.",
        False: "A phase is laid with exactly as many cards as it asks for.",
    },
    "final_tie": {
        "replay": "If they are equal there too, they replay the last phase: whoever goes out "
        "wins, and if nobody does, they share the win.",
        "shared": "If they are equal there too, they share the win.",
        "went_out": "If they are equal there too, whoever of them went out wins; if none of them "
        "did, they share the win.",
    },
    "final_tie_10rounds": {
        "more_phases_then_shared": "Equal totals are broken by more phases made, then shared.",
        "shared": "Equal totals share the win.",
    },
    "final_tie_replay": {
        "tied_only": "Only the tied players are dealt in for a replay.",
        "everybody": "Everybody is dealt in for a replay. Only the tied can win it: if another "
        "goes out, the one of them with the fewest points in hand, or they share the win.",
    },
    "discard_taken_card": {
        True: "The card just taken from the discard pile may go back at once.",
        False: "The card just taken from the discard pile cannot be this turn's discard.",
    },
    "free_phase_named": {
        True: "Where the cards fit several open phases, the player names one.",
        "auto_lowest": "Where the cards fit several open phases and none is named, the lowest of "
        "them is made.",
    },
    "pairrun_hit": {
        "whole_pairs": "A run of pairs grows by whole pairs.",
        "single_cards": "A run of pairs may grow by single cards, a pair being filled up first.",
        "none": "Nothing is added to a run of pairs.",
    },
    "color_is_suit": {
        True: "One colour means one suit.",
        False: "One colour means all red or all black.",
    },
    "choose_take_by": {
        "number": "CHOOSE tells TAKE1, TAKE2 and TAKE3 apart.",
        "type": "CHOOSE picks TAKE, and the first free space of it says how many.",
    },
    "kept_joker": {
        "stays_joker": "A joker kept for the next round stays a joker.",
        "becomes_normal": "A joker kept for the next round becomes an ordinary card.",
    },
    "joker_discard": {
        "becomes_normal": "A discarded joker lies face up and is an ordinary card from then on.",
        "forbidden": "A joker cannot be discarded.",
    },
    "full_color_group": {
        24: "A colour group is full with all 24 cards of its colour.",
        "ignore": "Colour groups do not count when all others are full.",
    },
    "board_first_starter": {
        "youngest": "The youngest starts the first round: the seat that the host names.",
        "host": "The host names who starts the first round.",
        "random": "Who starts the first round is drawn by lot.",
    },
    "keep_choice": {
        "simultaneous_secret": "They choose at the same time and in secret.",
        "seat_order_open": "They choose one after the other and openly.",
    },
    "short_supply": {
        "as_many_as_possible": "An action that asks for more cards than there are takes all.",
        "cancel": "An action that asks for more cards than there are is called off.",
    },
    "ask_giver_chooses": {
        True: "Whoever is asked for a card and has several chooses which to give.",
        False: "Whoever is asked for a card and has several gives the first.",
    },
    "joker_memory": {
        "owner_sees_once": "The owner sees the face of a joker once, when drawing it.",
        "owner_sees_always": "The owner may look at the face of a joker at any time.",
    },
    "max_turns_per_round": {"none": ""},
}
"""What each value of an option means in a sentence; options that change other data have none."""

ACTION_SAYS: Mapping[str, str] = {
    "JOKER": "draw the top card of the stock, look at it, and hold it reversed: it is a joker, "
    "whose face all others see",
    "TAKE1": "take one card, from the stock or the discard pile",
    "TAKE2": "take two cards, each from the stock or the discard pile",
    "TAKE3": "take three cards, each from the stock or the discard pile",
    "SEARCH": "take any one card out of the discard pile, unseen by the others",
    "SWAP": "discard one to four cards and draw one more than that from the stock",
    "AGAIN": "take a card, lay or hit if you like, discard, and begin a whole new turn",
    "EVERY": "everybody draws a card from the stock",
    "ASK": "ask the others in turn for a value; the first who has such a card gives it and draws "
    "another, and if nobody has one, you draw",
    "CHOOSE": "go to the first free space of another action and carry that out",
}
