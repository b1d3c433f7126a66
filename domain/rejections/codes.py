"""Why a command may be refused: each code declared once, with all that is said of it.

The service reads off a declaration how it answers, and which operations tell of the code.
"""

from enum import StrEnum
from typing import Literal, Self

Ground = Literal["state", "rules", "role"]
"""Why it is refused: by the state that the game is in, where another one would allow it; by the
rules, in any state; or because somebody else may do it.
"""
STATE: Ground = "state"
RULES: Ground = "rules"
ROLE: Ground = "role"

Asked = Literal[
    "opening",
    "joining",
    "filling",
    "rematching",
    "kicking",
    "starting",
    "voiding",
    "leaving",
    "claiming",
    "playing",
    "hosting",
    "host",
    "checking",
]
"""What somebody wants who may meet a code: to open a table, to sit down, to have bots in all free
seats, to play again, to free a seat, to start, to break off, to get up, to claim that somebody is
overdue, to play, to give any order of the host's, to do what only the host may, to check cards.
"""


class RejectCode(StrEnum):
    """Why a command was refused. Codes are stable: clients branch on them."""

    sentence: str
    ground: Ground
    met: tuple[Asked, ...]
    """What somebody wants who may meet it: nothing where no caller gets so far."""

    def __new__(
        cls, code: str, sentence: str, ground: Ground, met: tuple[Asked, ...] = ("playing",)
    ) -> Self:
        """A member as it is declared below."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence, member.ground, member.met = sentence, ground, met
        return member

    UNKNOWN_RULESET = "unknown_ruleset", "There is no such rule set.", RULES, ("opening",)
    BAD_OPTION = "bad_option", "The house rules make no game.", RULES, ("opening", "checking")
    SEATS_OUT_OF_RANGE = (
        "seats_out_of_range",
        "The game is not for so many players.",
        RULES,
        ("opening",),
    )
    BAD_SECRET = "bad_secret", "A secret or a commitment is 32 bytes as lower-case hex.", RULES, ()
    BAD_GAME_ID = "bad_game_id", "The id of a game is a UUID in lower-case text.", RULES, ()
    BAD_TEXT = (
        "bad_text",
        "It takes a short text of visible characters, for a name without blank ends.",
        RULES,
        ("opening", "joining", "voiding"),
    )
    BAD_TERMS = "bad_terms", "The table's terms make no table.", RULES, ("opening",)
    GAME_EXISTS = "game_exists", "The game is open already.", STATE, ()
    NO_SUCH_SEAT = (
        "no_such_seat",
        "The table has no such seat.",
        RULES,
        ("opening", "joining", "kicking"),
    )
    NOT_FOR_SEATS = "not_for_seats", "Only the host may do that.", ROLE, ("host",)
    NOT_IN_LOBBY = (
        "not_in_lobby",
        "The table has been sealed; that was possible before the start.",
        STATE,
        ("joining", "filling", "rematching", "kicking", "starting"),
    )
    NOT_STARTED = "not_started", "The game has not started.", STATE
    GAME_OVER = (
        "game_over",
        "The game is over.",
        STATE,
        ("joining", "filling", "rematching", "leaving", "claiming", "playing", "hosting"),
    )
    SEAT_TAKEN = "seat_taken", "Somebody sits there already.", STATE, ("joining",)
    SEATS_OPEN = "seats_open", "Some seats are still free.", STATE, ("opening", "starting")
    NOBODY_THERE = "nobody_there", "Nobody sits there.", STATE, ("kicking",)
    BOT_SEAT = "bot_seat", "A bot has that seat.", STATE, ()
    SECRETS_DUE = (
        "secrets_due",
        "The game waits for seats to reveal their secrets.",
        STATE,
        ("leaving", "playing"),
    )
    NO_SECRET_DUE = "no_secret_due", "No secret is due from your seat.", STATE
    SECRET_MISMATCH = "secret_mismatch", "The secret does not open the seat's commitment.", RULES
    BAD_KEY = (
        "bad_key",
        "A public key is 64 digits 0-9, a-f, and a bot has none.",
        RULES,
        ("joining", "rematching"),
    )
    SIGNATURE_NEEDED = (
        "signature_needed",
        "The seat has registered a key, so its commands need its signature.",
        RULES,
        ("leaving", "playing", "hosting"),
    )
    NO_KEY_REGISTERED = (
        "no_key_registered",
        "Nobody has registered a key for that, so there is nothing to sign.",
        STATE,
        ("leaving", "playing"),
    )
    NO_CLOCK = "no_clock", "The table has no clock.", STATE, ("claiming",)
    NOT_OVERDUE = "not_overdue", "Nobody is overdue.", STATE, ("claiming",)
    NOT_YOUR_TURN = "not_your_turn", "It is not your turn.", STATE
    NOT_ASKED = "not_asked", "The game does not ask that of you now.", STATE
    MUST_MOVE = "must_move", "The dice are thrown: move your pawn first.", STATE
    ACTION_DUE = "action_due", "Carry out the action of your pawn's space first.", STATE
    MUST_GIVE = "must_give", "You are asked for a card, and hold one: give it first.", STATE
    MUST_KEEP = "must_keep", "Choose the cards that you keep for the next round first.", STATE
    NOTHING_TO_KEEP = (
        "nothing_to_keep",
        "You have laid a phase, chosen already, or hold no cards.",
        STATE,
    )
    MUST_DRAW = "must_draw", "Draw a card first.", STATE
    ALREADY_DRAWN = "already_drawn", "You have drawn already.", STATE
    MUST_DISCARD = "must_discard", "You can discard, so the turn does not end without it.", STATE
    EMPTY_DISCARD_PILE = "empty_discard_pile", "The discard pile is empty.", STATE
    EMPTY_STOCK = "empty_stock", "The stock is empty and cannot be made anew.", STATE
    SKIP_NOT_DRAWABLE = "skip_not_drawable", "A skip on the discard pile cannot be drawn.", STATE
    NO_SUCH_MOVE = "no_such_move", "The pawn moves by one of the dice, or by twice a double.", RULES
    NO_SUCH_ACTION = "no_such_action", "The ring has no such action.", RULES
    ACTION_OCCUPIED = (
        "action_occupied",
        "Every space of that action is occupied; pick another.",
        RULES,
    )
    CHOOSES_ITSELF = "chooses_itself", "CHOOSE picks another action than itself.", RULES
    NOT_IN_PILE = "not_in_pile", "The card is not in the discard pile.", RULES
    NO_SUCH_VALUE = "no_such_value", "The value asked for is a number from 1 to 12.", RULES
    NOT_ASKED_FOR = "not_asked_for", "That is not a card of the value asked for.", RULES
    SWAP_COUNT = "swap_count", "One to four cards are swapped.", RULES
    KEEP_COUNT = "keep_count", "So many cards cannot be kept.", RULES
    CARDS_NEEDED = "cards_needed", "The command names no card.", RULES
    UNKNOWN_CARD = "unknown_card", "That is no card.", RULES
    NOT_IN_HAND = "not_in_hand", "You do not hold that card.", RULES
    ALREADY_LAID = "already_laid", "You have laid a phase in this round.", STATE
    WRONG_PHASE = "wrong_phase", "That is not a phase you may lay now.", RULES
    PHASE_NEEDED = "phase_needed", "The cards fit several open phases: name one.", RULES
    WRONG_GROUP_COUNT = "wrong_group_count", "The phase has fewer groups.", RULES
    INCOMPLETE_PHASE = "incomplete_phase", "A phase is laid whole: something is missing.", RULES
    OVERSIZE = "oversize", "The group is larger than the phase asks for.", RULES
    SKIP_IN_GROUP = "skip_in_group", "A skip never lies in a group.", RULES
    NEEDS_NATURAL = "needs_natural", "Wilds alone are not enough: a natural card is needed.", RULES
    NOT_ONE_RANK = "not_one_rank", "The cards of a set have one number.", RULES
    NOT_ONE_COLOUR = "not_one_colour", "The cards of the group have one colour, or one suit.", RULES
    NOT_ONE_PARITY = "not_one_parity", "The cards of the group are all even or all odd.", RULES
    NOT_CONSECUTIVE = "not_consecutive", "The cards of a run follow one another.", RULES
    RUN_WRAPS = "run_wraps", "A run does not go on from the highest card to the lowest.", RULES
    OFF_THE_END = "off_the_end", "The run would go beyond the lowest or the highest card.", RULES
    VALUE_NEEDED = "value_needed", "Say what the wild cards stand for.", RULES
    VALUE_MISMATCH = "value_mismatch", "The cards say otherwise than the given value.", RULES
    FULL_RUN = "full_run", "The run is full.", RULES
    FULL_SET = "full_set", "The set is full, and does not take that card any more.", RULES
    END_NEEDED = "end_needed", "Say to which end of the run.", RULES
    PHASE_NOT_LAID = "phase_not_laid", "Lay your phase before you hit.", STATE
    NO_SUCH_GROUP = "no_such_group", "No such group lies on the table.", RULES
    DOES_NOT_FIT = "does_not_fit", "The card does not fit there.", RULES
    WHOLE_ROWS_ONLY = "whole_rows_only", "That run grows by whole rows.", RULES
    NO_PAIR_HITS = "no_pair_hits", "Nothing is added to a run of pairs in this game.", RULES
    KEEP_A_CARD = "keep_a_card", "Keep a card to discard: that is how to go out.", RULES
    ONE_CARD = "one_card", "Exactly one card is to be named.", RULES
    TARGET_NEEDED = "target_needed", "Name the seat that is to lose a turn.", RULES
    TARGET_NOT_ALLOWED = "target_not_allowed", "Only a skip has a target.", RULES
    TARGET_SELF = "target_self", "Nobody skips themselves.", RULES
    TARGET_NOT_PLAYING = "target_not_playing", "That seat does not play in this round.", RULES
    TARGET_ALREADY_SKIPPED = "target_already_skipped", "That seat is to lose a turn already.", RULES
    TARGET_SERVED_RECENTLY = (
        "target_served_recently",
        "That seat has lost its last turn already.",
        RULES,
    )
    SKIP_AS_LAST_CARD = "skip_as_last_card", "A skip cannot be the last card.", RULES
    TAKEN_CARD = "taken_card", "The card just taken from the pile cannot be discarded.", RULES
    JOKER_NOT_DISCARDABLE = "joker_not_discardable", "A joker cannot be discarded.", RULES


class Rejected(Exception):
    """The rules refuse a command; nothing has happened.

    ``rule`` is the catalogue's ID (empty where no rule is involved); ``detail`` names the card,
    seat or value, for the sentence made at the edge.
    """

    def __init__(self, code: RejectCode, rule: str = "", detail: str = "") -> None:
        super().__init__(f"{code} ({rule}) {detail}" if rule else f"{code} {detail}")
        self.code = code
        self.rule = rule
        self.detail = detail
