"""Why the rules refuse a command: the codes, each declared once, and the exception."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple, Self

from phaseledger.domain.words import message

Ground = Literal["state", "rules", "role"]
"""The ground of a refusal: the state of the game, where another state would allow the command; the
rules, in any state; or the speaker, where another one may do it.
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
    "naming",
    "claiming",
    "playing",
    "hosting",
    "host",
    "checking",
]
"""The request behind a refused command: to open a table, to sit down, to have bots in all free
seats, to play again, to free a seat, to start, to break off, to get up, to be a guest no more, to
claim that a seat is overdue, to play, to give any order of the host's, to do what only the host
may, to check cards.
"""


class Declaration(NamedTuple):
    """A code with everything that does not depend on the place where it is raised."""

    code: str
    ground: Ground
    rules: str = ""
    """IDs of the rules, one for each game that has such a rule: ``C-24 D-30 X-19 B-48``."""
    met: tuple[Asked, ...] = ("playing",)
    """The requests that may be refused with the code; empty where no caller meets it."""


class RejectCode(StrEnum):
    """Why a command was refused. Codes are stable: clients branch on them."""

    ground: Ground
    rules: Mapping[str, str]
    """The ID of the rule behind the code, by its section, which the letter of the ID names."""
    met: tuple[Asked, ...]
    """The requests that may be refused with the code; empty where no caller meets it."""

    def __new__(cls, code: str, ground: Ground, rules: str, met: tuple[Asked, ...]) -> Self:
        """A member as it is declared below."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.ground, member.met = ground, met
        member.rules = {rule[0]: rule for rule in rules.split()}
        return member

    @property
    def sentence(self) -> str:
        """What it says, in English."""
        return message("en", f"refused.{self.value}")

    UNKNOWN_RULESET = Declaration("unknown_ruleset", RULES, met=("opening",))
    BAD_OPTION = Declaration("bad_option", RULES, met=("opening", "checking"))
    SEATS_OUT_OF_RANGE = Declaration(
        "seats_out_of_range", RULES, "C-01 D-01 X-01 B-01", met=("opening",)
    )
    BAD_SECRET = Declaration("bad_secret", RULES, met=())
    BAD_GAME_ID = Declaration("bad_game_id", RULES, met=())
    BAD_TEXT = Declaration("bad_text", RULES, met=("opening", "joining", "voiding"))
    BAD_TERMS = Declaration("bad_terms", RULES, met=("opening",))
    BAD_SCRIPT = Declaration("bad_script", RULES, met=("opening",))
    GAME_EXISTS = Declaration("game_exists", STATE, met=())
    NO_SUCH_SEAT = Declaration("no_such_seat", RULES, met=("opening", "joining", "kicking"))
    NOT_FOR_SEATS = Declaration("not_for_seats", ROLE, met=("host",))
    NOT_IN_LOBBY = Declaration(
        "not_in_lobby", STATE, met=("joining", "filling", "rematching", "kicking", "starting")
    )
    NOT_STARTED = Declaration("not_started", STATE)
    GAME_OVER = Declaration(
        "game_over",
        STATE,
        met=(
            "joining",
            "filling",
            "rematching",
            "leaving",
            "naming",
            "claiming",
            "playing",
            "hosting",
        ),
    )
    SEAT_TAKEN = Declaration("seat_taken", STATE, met=("joining",))
    SEATS_OPEN = Declaration("seats_open", STATE, met=("opening", "starting"))
    NOBODY_THERE = Declaration("nobody_there", STATE, met=("kicking",))
    BOT_SEAT = Declaration("bot_seat", STATE, met=())
    SEAT_SIGNS = Declaration("seat_signs", STATE, met=("naming",))
    PLAYER_SEATED = Declaration("player_seated", STATE, met=("naming",))
    SECRETS_DUE = Declaration("secrets_due", STATE, met=("leaving", "playing"))
    NO_SECRET_DUE = Declaration("no_secret_due", STATE)
    SECRET_MISMATCH = Declaration("secret_mismatch", RULES)
    BAD_KEY = Declaration("bad_key", RULES, met=("joining", "rematching"))
    SIGNATURE_NEEDED = Declaration("signature_needed", RULES, met=("leaving", "playing", "hosting"))
    NO_KEY_REGISTERED = Declaration("no_key_registered", STATE, met=("leaving", "playing"))
    NO_CLOCK = Declaration("no_clock", STATE, met=("claiming",))
    NOT_OVERDUE = Declaration("not_overdue", STATE, met=("claiming",))
    NOT_YOUR_TURN = Declaration("not_your_turn", STATE, "C-09 D-12 X-08 B-12")
    NOT_ASKED = Declaration("not_asked", STATE, "C-13 D-13 X-12 B-14")
    MUST_MOVE = Declaration("must_move", STATE, "B-14")
    ACTION_DUE = Declaration("action_due", STATE, "B-19")
    MUST_GIVE = Declaration("must_give", STATE, "B-33")
    MUST_KEEP = Declaration("must_keep", STATE, "B-72")
    NOTHING_TO_KEEP = Declaration("nothing_to_keep", STATE, "B-71")
    MUST_DRAW = Declaration("must_draw", STATE, "C-13 D-15 X-12 B-19")
    ALREADY_DRAWN = Declaration("already_drawn", STATE, "C-13 D-13 X-13 B-43")
    MUST_DISCARD = Declaration("must_discard", STATE, "C-13 D-15 X-16 B-66")
    EMPTY_DISCARD_PILE = Declaration("empty_discard_pile", STATE, "C-16 D-13 X-15 B-21")
    EMPTY_STOCK = Declaration("empty_stock", STATE, "C-20 D-28 X-18 B-85")
    SKIP_NOT_DRAWABLE = Declaration("skip_not_drawable", STATE, "C-15 D-22 X-14")
    NO_SUCH_MOVE = Declaration("no_such_move", RULES, "B-15")
    NO_SUCH_ACTION = Declaration("no_such_action", RULES, "B-39")
    ACTION_OCCUPIED = Declaration("action_occupied", RULES, "B-40")
    CHOOSES_ITSELF = Declaration("chooses_itself", RULES, "B-41")
    NOT_IN_PILE = Declaration("not_in_pile", RULES, "B-23")
    NO_SUCH_VALUE = Declaration("no_such_value", RULES, "B-32")
    NOT_ASKED_FOR = Declaration("not_asked_for", RULES, "B-33")
    SWAP_COUNT = Declaration("swap_count", RULES, "B-25")
    KEEP_COUNT = Declaration("keep_count", RULES, "B-72")
    CARDS_NEEDED = Declaration("cards_needed", RULES)
    UNKNOWN_CARD = Declaration("unknown_card", RULES)
    NOT_IN_HAND = Declaration("not_in_hand", RULES, "C-29 D-34 X-27 B-50")
    ALREADY_LAID = Declaration("already_laid", STATE, "C-22 D-40 X-26 B-55")
    WRONG_PHASE = Declaration("wrong_phase", RULES, "C-21 D-57 X-25 B-50")
    PHASE_NEEDED = Declaration("phase_needed", RULES, "D-66")
    WRONG_GROUP_COUNT = Declaration("wrong_group_count", RULES, "C-32 D-34 X-31 B-55")
    INCOMPLETE_PHASE = Declaration("incomplete_phase", RULES, "C-29 D-34 X-27 B-50")
    OVERSIZE = Declaration("oversize", RULES, "C-31 D-39 X-30 B-52")
    SKIP_IN_GROUP = Declaration("skip_in_group", RULES, "C-48 D-25 X-42")
    NEEDS_NATURAL = Declaration("needs_natural", RULES, "C-38 D-42 X-33 B-58")
    NOT_ONE_RANK = Declaration("not_one_rank", RULES, "C-24 D-30 X-19 B-48")
    NOT_ONE_COLOUR = Declaration("not_one_colour", RULES, "C-27 D-33 B-45")
    NOT_ONE_PARITY = Declaration("not_one_parity", RULES, "X-23")
    NOT_CONSECUTIVE = Declaration("not_consecutive", RULES, "C-25 D-31 B-46")
    RUN_WRAPS = Declaration("run_wraps", RULES, "C-26 D-32 X-24 B-47")
    OFF_THE_END = Declaration("off_the_end", RULES, "C-39 D-43 X-36 B-59")
    VALUE_NEEDED = Declaration("value_needed", RULES, "C-38 D-42 X-34 B-58")
    VALUE_MISMATCH = Declaration("value_mismatch", RULES, "C-40 D-43 X-34 B-59")
    FULL_RUN = Declaration("full_run", RULES, "C-42 D-45 X-37 B-61")
    FULL_SET = Declaration("full_set", RULES, "C-43 D-46 X-51 B-62")
    END_NEEDED = Declaration("end_needed", RULES, "C-40 D-50 X-50 B-59")
    PHASE_NOT_LAID = Declaration("phase_not_laid", STATE, "C-56 D-47 X-47 B-54")
    NO_SUCH_GROUP = Declaration("no_such_group", RULES, "C-60 D-35 X-31 B-55")
    DOES_NOT_FIT = Declaration("does_not_fit", RULES, "C-59 D-50 X-50 B-55")
    WHOLE_ROWS_ONLY = Declaration("whole_rows_only", RULES, "X-55")
    NO_PAIR_HITS = Declaration("no_pair_hits", RULES, "X-55")
    KEEP_A_CARD = Declaration("keep_a_card", RULES, "C-62 D-52 X-57 B-67")
    ONE_CARD = Declaration("one_card", RULES, "C-13 D-14 X-39 B-63")
    TARGET_NEEDED = Declaration("target_needed", RULES, "C-44 D-23 X-45")
    TARGET_NOT_ALLOWED = Declaration("target_not_allowed", RULES, "C-44 D-14 X-38 B-03")
    TARGET_SELF = Declaration("target_self", RULES, "C-45 D-17 X-38")
    TARGET_NOT_PLAYING = Declaration("target_not_playing", RULES, "C-45 D-17 X-38")
    TARGET_ALREADY_SKIPPED = Declaration("target_already_skipped", RULES, "C-49 D-16 X-41")
    TARGET_SERVED_RECENTLY = Declaration("target_served_recently", RULES, "C-52 D-16 X-44")
    SKIP_AS_LAST_CARD = Declaration("skip_as_last_card", RULES, "C-54 D-26 X-46")
    TAKEN_CARD = Declaration("taken_card", RULES, "C-17 D-14 X-16 B-66")
    JOKER_NOT_DISCARDABLE = Declaration("joker_not_discardable", RULES, "B-65")


def citations(section: str) -> dict[str, str]:
    """The rule of the section behind each code that has one there, by the code."""
    return {code: code.rules[section] for code in RejectCode if section in code.rules}


class Rejected(Exception):
    """The rules refuse a command; nothing has happened.

    ``rule`` is the rule's ID (empty where no rule is involved); ``detail`` names the card, seat or
    value, for the sentence made at the edge.
    """

    def __init__(self, code: RejectCode, rule: str = "", detail: str = "") -> None:
        super().__init__(f"{code} ({rule}) {detail}" if rule else f"{code} {detail}")
        self.code = code
        self.rule = rule
        self.detail = detail
