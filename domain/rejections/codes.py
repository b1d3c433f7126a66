"""Why the rules refuse a command, by code."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from phaseledger.domain.rejections.declaration import (
    ROLE,
    RULES,
    STATE,
    Asked,
    Declaration,
    Ground,
)


class RejectCode(StrEnum):
    """Why a command was refused. Codes are stable: clients branch on them."""

    sentence: str
    ground: Ground
    rules: Mapping[str, str]
    """The ID of the rule behind the code, by its section, which the letter of the ID names."""
    met: tuple[Asked, ...]
    """The requests that may be refused with the code; empty where no caller meets it."""

    def __new__(
        cls, code: str, sentence: str, ground: Ground, rules: str, met: tuple[Asked, ...]
    ) -> Self:
        """A member from its declaration."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence, member.ground, member.met = sentence, ground, met
        member.rules = {rule[0]: rule for rule in rules.split()}
        return member

    UNKNOWN_RULESET = Declaration(
        "unknown_ruleset", "There is no such rule set.", RULES, met=("opening",)
    )
    BAD_OPTION = Declaration(
        "bad_option", "The house rules make no game.", RULES, met=("opening", "checking")
    )
    SEATS_OUT_OF_RANGE = Declaration(
        "seats_out_of_range",
        "The game is not for so many players.",
        RULES,
        "C-01 D-01 X-01 B-01",
        met=("opening",),
    )
    BAD_SECRET = Declaration(
        "bad_secret", "A secret or a commitment is 32 bytes as lower-case hex.", RULES, met=()
    )
    BAD_GAME_ID = Declaration(
        "bad_game_id", "The id of a game is a UUID in lower-case text.", RULES, met=()
    )
    BAD_TEXT = Declaration(
        "bad_text",
        "It takes a short text of visible characters, for a name without blank ends.",
        RULES,
        met=("opening", "joining", "voiding"),
    )
    BAD_TERMS = Declaration(
        "bad_terms", "The table's terms make no table.", RULES, met=("opening",)
    )
    GAME_EXISTS = Declaration("game_exists", "The game is open already.", STATE, met=())
    NO_SUCH_SEAT = Declaration(
        "no_such_seat", "The table has no such seat.", RULES, met=("opening", "joining", "kicking")
    )
    NOT_FOR_SEATS = Declaration("not_for_seats", "Only the host may do that.", ROLE, met=("host",))
    NOT_IN_LOBBY = Declaration(
        "not_in_lobby",
        "The table has been sealed; that was possible before the start.",
        STATE,
        met=("joining", "filling", "rematching", "kicking", "starting"),
    )
    NOT_STARTED = Declaration("not_started", "The game has not started.", STATE)
    GAME_OVER = Declaration(
        "game_over",
        "The game is over.",
        STATE,
        met=("joining", "filling", "rematching", "leaving", "claiming", "playing", "hosting"),
    )
    SEAT_TAKEN = Declaration("seat_taken", "Somebody sits there already.", STATE, met=("joining",))
    SEATS_OPEN = Declaration(
        "seats_open", "Some seats are still free.", STATE, met=("opening", "starting")
    )
    NOBODY_THERE = Declaration("nobody_there", "Nobody sits there.", STATE, met=("kicking",))
    BOT_SEAT = Declaration("bot_seat", "A bot has that seat.", STATE, met=())
    SECRETS_DUE = Declaration(
        "secrets_due",
        "The game waits for seats to reveal their secrets.",
        STATE,
        met=("leaving", "playing"),
    )
    NO_SECRET_DUE = Declaration("no_secret_due", "No secret is due from your seat.", STATE)
    SECRET_MISMATCH = Declaration(
        "secret_mismatch", "The secret does not open the seat's commitment.", RULES
    )
    BAD_KEY = Declaration(
        "bad_key",
        "A public key is 64 digits 0-9, a-f, and a bot has none.",
        RULES,
        met=("joining", "rematching"),
    )
    SIGNATURE_NEEDED = Declaration(
        "signature_needed",
        "The seat has registered a key, so its commands need its signature.",
        RULES,
        met=("leaving", "playing", "hosting"),
    )
    NO_KEY_REGISTERED = Declaration(
        "no_key_registered",
        "Nobody has registered a key for that, so there is nothing to sign.",
        STATE,
        met=("leaving", "playing"),
    )
    NO_CLOCK = Declaration("no_clock", "The table has no clock.", STATE, met=("claiming",))
    NOT_OVERDUE = Declaration("not_overdue", "Nobody is overdue.", STATE, met=("claiming",))
    NOT_YOUR_TURN = Declaration(
        "not_your_turn", "It is not your turn.", STATE, "C-09 D-12 X-08 B-12"
    )
    NOT_ASKED = Declaration(
        "not_asked", "The game does not ask that of you now.", STATE, "C-13 D-13 X-12 B-14"
    )
    MUST_MOVE = Declaration(
        "must_move", "The dice are thrown: move your pawn first.", STATE, "B-14"
    )
    ACTION_DUE = Declaration(
        "action_due", "Carry out the action of your pawn's space first.", STATE, "B-19"
    )
    MUST_GIVE = Declaration(
        "must_give", "You are asked for a card, and hold one: give it first.", STATE, "B-33"
    )
    MUST_KEEP = Declaration(
        "must_keep", "Choose the cards that you keep for the next round first.", STATE, "B-72"
    )
    NOTHING_TO_KEEP = Declaration(
        "nothing_to_keep", "You have laid a phase, chosen already, or hold no cards.", STATE, "B-71"
    )
    MUST_DRAW = Declaration("must_draw", "Draw a card first.", STATE, "C-13 D-15 X-12 B-19")
    ALREADY_DRAWN = Declaration(
        "already_drawn", "You have drawn already.", STATE, "C-13 D-13 X-13 B-43"
    )
    MUST_DISCARD = Declaration(
        "must_discard",
        "You can discard, so the turn does not end without it.",
        STATE,
        "C-13 D-15 X-16 B-66",
    )
    EMPTY_DISCARD_PILE = Declaration(
        "empty_discard_pile", "The discard pile is empty.", STATE, "C-16 D-13 X-15 B-21"
    )
    EMPTY_STOCK = Declaration(
        "empty_stock", "The stock is empty and cannot be made anew.", STATE, "C-20 D-28 X-18 B-85"
    )
    SKIP_NOT_DRAWABLE = Declaration(
        "skip_not_drawable", "A skip on the discard pile cannot be drawn.", STATE, "C-15 D-22 X-14"
    )
    NO_SUCH_MOVE = Declaration(
        "no_such_move", "The pawn moves by one of the dice, or by twice a double.", RULES, "B-15"
    )
    NO_SUCH_ACTION = Declaration("no_such_action", "The ring has no such action.", RULES, "B-39")
    ACTION_OCCUPIED = Declaration(
        "action_occupied", "Every space of that action is occupied; pick another.", RULES, "B-40"
    )
    CHOOSES_ITSELF = Declaration(
        "chooses_itself", "CHOOSE picks another action than itself.", RULES, "B-41"
    )
    NOT_IN_PILE = Declaration("not_in_pile", "The card is not in the discard pile.", RULES, "B-23")
    NO_SUCH_VALUE = Declaration(
        "no_such_value", "The value asked for is a number from 1 to 12.", RULES, "B-32"
    )
    NOT_ASKED_FOR = Declaration(
        "not_asked_for", "That is not a card of the value asked for.", RULES, "B-33"
    )
    SWAP_COUNT = Declaration("swap_count", "One to four cards are swapped.", RULES, "B-25")
    KEEP_COUNT = Declaration("keep_count", "So many cards cannot be kept.", RULES, "B-72")
    CARDS_NEEDED = Declaration("cards_needed", "The command names no card.", RULES)
    UNKNOWN_CARD = Declaration("unknown_card", "That is no card.", RULES)
    NOT_IN_HAND = Declaration(
        "not_in_hand", "You do not hold that card.", RULES, "C-29 D-34 X-27 B-50"
    )
    ALREADY_LAID = Declaration(
        "already_laid", "You have laid a phase in this round.", STATE, "C-22 D-40 X-26 B-55"
    )
    WRONG_PHASE = Declaration(
        "wrong_phase", "That is not a phase you may lay now.", RULES, "C-21 D-57 X-25 B-50"
    )
    PHASE_NEEDED = Declaration(
        "phase_needed", "The cards fit several open phases: name one.", RULES, "D-66"
    )
    WRONG_GROUP_COUNT = Declaration(
        "wrong_group_count", "The phase has fewer groups.", RULES, "C-32 D-34 X-31 B-55"
    )
    INCOMPLETE_PHASE = Declaration(
        "incomplete_phase",
        "A phase is laid whole: something is missing.",
        RULES,
        "C-29 D-34 X-27 B-50",
    )
    OVERSIZE = Declaration(
        "oversize", "The group is larger than the phase asks for.", RULES, "C-31 D-39 X-30 B-52"
    )
    SKIP_IN_GROUP = Declaration(
        "skip_in_group", "A skip never lies in a group.", RULES, "C-48 D-25 X-42"
    )
    NEEDS_NATURAL = Declaration(
        "needs_natural",
        "Wilds alone are not enough: a natural card is needed.",
        RULES,
        "C-38 D-42 X-33 B-58",
    )
    NOT_ONE_RANK = Declaration(
        "not_one_rank", "The cards of a set have one number.", RULES, "C-24 D-30 X-19 B-48"
    )
    NOT_ONE_COLOUR = Declaration(
        "not_one_colour",
        "The cards of the group have one colour, or one suit.",
        RULES,
        "C-27 D-33 B-45",
    )
    NOT_ONE_PARITY = Declaration(
        "not_one_parity", "The cards of the group are all even or all odd.", RULES, "X-23"
    )
    NOT_CONSECUTIVE = Declaration(
        "not_consecutive", "The cards of a run follow one another.", RULES, "C-25 D-31 B-46"
    )
    RUN_WRAPS = Declaration(
        "run_wraps",
        "A run does not go on from the highest card to the lowest.",
        RULES,
        "C-26 D-32 X-24 B-47",
    )
    OFF_THE_END = Declaration(
        "off_the_end",
        "The run would go beyond the lowest or the highest card.",
        RULES,
        "C-39 D-43 X-36 B-59",
    )
    VALUE_NEEDED = Declaration(
        "value_needed", "Say what the wild cards stand for.", RULES, "C-38 D-42 X-34 B-58"
    )
    VALUE_MISMATCH = Declaration(
        "value_mismatch",
        "The cards say otherwise than the given value.",
        RULES,
        "C-40 D-43 X-34 B-59",
    )
    FULL_RUN = Declaration("full_run", "The run is full.", RULES, "C-42 D-45 X-37 B-61")
    FULL_SET = Declaration(
        "full_set",
        "The set is full, and does not take that card any more.",
        RULES,
        "C-43 D-46 X-51 B-62",
    )
    END_NEEDED = Declaration(
        "end_needed", "Say to which end of the run.", RULES, "C-40 D-50 X-50 B-59"
    )
    PHASE_NOT_LAID = Declaration(
        "phase_not_laid", "Lay your phase before you hit.", STATE, "C-56 D-47 X-47 B-54"
    )
    NO_SUCH_GROUP = Declaration(
        "no_such_group", "No such group lies on the table.", RULES, "C-60 D-35 X-31 B-55"
    )
    DOES_NOT_FIT = Declaration(
        "does_not_fit", "The card does not fit there.", RULES, "C-59 D-50 X-50 B-55"
    )
    WHOLE_ROWS_ONLY = Declaration("whole_rows_only", "That run grows by whole rows.", RULES, "X-55")
    NO_PAIR_HITS = Declaration(
        "no_pair_hits", "Nothing is added to a run of pairs in this game.", RULES, "X-55"
    )
    KEEP_A_CARD = Declaration(
        "keep_a_card",
        "Keep a card to discard: that is how to go out.",
        RULES,
        "C-62 D-52 X-57 B-67",
    )
    ONE_CARD = Declaration(
        "one_card", "Exactly one card is to be named.", RULES, "C-13 D-14 X-39 B-63"
    )
    TARGET_NEEDED = Declaration(
        "target_needed", "Name the seat that is to lose a turn.", RULES, "C-44 D-23 X-45"
    )
    TARGET_NOT_ALLOWED = Declaration(
        "target_not_allowed", "Only a skip has a target.", RULES, "C-44 D-14 X-38 B-03"
    )
    TARGET_SELF = Declaration("target_self", "Nobody skips themselves.", RULES, "C-45 D-17 X-38")
    TARGET_NOT_PLAYING = Declaration(
        "target_not_playing", "That seat does not play in this round.", RULES, "C-45 D-17 X-38"
    )
    TARGET_ALREADY_SKIPPED = Declaration(
        "target_already_skipped", "That seat is to lose a turn already.", RULES, "C-49 D-16 X-41"
    )
    TARGET_SERVED_RECENTLY = Declaration(
        "target_served_recently",
        "That seat has lost its last turn already.",
        RULES,
        "C-52 D-16 X-44",
    )
    SKIP_AS_LAST_CARD = Declaration(
        "skip_as_last_card", "A skip cannot be the last card.", RULES, "C-54 D-26 X-46"
    )
    TAKEN_CARD = Declaration(
        "taken_card",
        "The card just taken from the pile cannot be discarded.",
        RULES,
        "C-17 D-14 X-16 B-66",
    )
    JOKER_NOT_DISCARDABLE = Declaration(
        "joker_not_discardable", "A joker cannot be discarded.", RULES, "B-65"
    )


def citations(section: str) -> dict[str, str]:
    """The rule of the section behind each code that has one there, by the code."""
    return {code: code.rules[section] for code in RejectCode if section in code.rules}
