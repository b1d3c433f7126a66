"""The catalogue of finding codes, of audits and verifications: what each means, what it proves
against whom, and what to do. `phaseledger explain` prints it. Released codes never change their
meaning.
"""

from typing import Literal, get_args

from msgspec import Struct

from phaseledger.replay.records.findings import EXPLAIN, UNREADABLE, FindingCode

EvidenceCode = Literal[
    "header_differs",
    "ruleset_differs",
    "secret_differs",
    "told_too_early",
    "proofs_disagree",
    "bad_receipt",
    "receipt_differs",
    "bad_checkpoint",
    "wrong_origin",
    "bad_cosignature",
    "cosigned_before",
    "bad_inclusion",
    "bad_consistency",
    "unknown_key",
    "equivocation",
    "cut_off",
    "time_contradicted",
    "two_roots",
    "forked_log",
    "log_goes_on",
    "annulled",
    "time_backwards",
    "seat_key_differs",
    "receipts_missing",
    "checkpoint_missing",
    "checkpoint_behind",
    "witnesses_missing",
    "times_unwitnessed",
    "not_finished",
    "signatures_missing",
    "player_secret_missing",
    "moves_unsigned",
    "seat_unsigned",
    "bots_unproven",
]
"""Codes that only a verification has, besides those of the audit."""

AnyCode = FindingCode | EvidenceCode

SOUND, WRONG, DAMAGED, BROKEN_WORD, TOO_LITTLE = 0, 1, 5, 6, 7
"""Exit codes of `phaseledger verify`, by class of finding."""


class Explanation(Struct, frozen=True):
    """One code in words. ``exit_code`` is its class."""

    exit_code: int
    means: str
    proves: str
    advice: str


ANYBODY = (
    "By itself only that this file is not what was played: whoever wrote or passed it on may have "
    "changed it. Where a genuine receipt or a checkpoint vouches for the file, the operator did."
)
OPERATOR = (
    "The operator's server made these events, or somebody changed them since. A genuine receipt "
    "over this event, or a checkpoint over the game, shows that it was the operator."
)
_ASK = "Get the bundle again from the service, and verify both: `phaseledger verify ONE OTHER`."
_KEEP = "Keep this file and the receipts; they are the evidence. Show them to the other seats."
_NOTHING = "Nothing against anybody."


def _wrong(means: str, proves: str = OPERATOR, advice: str = _KEEP) -> Explanation:
    return Explanation(WRONG, means, proves, advice)


def _damaged(means: str, proves: str = _NOTHING, advice: str = _ASK) -> Explanation:
    return Explanation(DAMAGED, means, proves, advice)


def _broken_word(means: str, proves: str, advice: str = _KEEP) -> Explanation:
    return Explanation(BROKEN_WORD, means, proves, advice)


def _too_little(means: str, advice: str) -> Explanation:
    return Explanation(TOO_LITTLE, means, _NOTHING, advice)


_AUDIT: dict[FindingCode, tuple[str, str]] = {
    "gap": (ANYBODY, _ASK),
    "reordered": (ANYBODY, _ASK),
    "repeated": (ANYBODY, _ASK),
    "wrong_game": (ANYBODY, _ASK),
    "unknown_topic": (_NOTHING, "Use the release that wrote the game, or a newer one."),
    "unreadable": (_NOTHING, _ASK),
    "sealed": (_NOTHING, "Get the bundle or the export after the end of the game."),
    "broken_seal": (
        (
            "The hidden value was changed after the event was published, or its seal was false "
            "from the start. The chain binds the events; only the seals bind the opened values."
        ),
        _ASK,
    ),
    "not_canonical": (ANYBODY, _ASK),
    "broken_chain": (ANYBODY, _ASK),
    "truncated": (ANYBODY, _ASK),
    "after_end": (ANYBODY, _ASK),
    "no_decision": (OPERATOR, _KEEP),
    "illegal_decision": (
        (
            "The recorded move was never allowed: the operator's server took it all the same, or "
            "it was changed since. A seat's good signature shows that the seat did send it."
        ),
        _KEEP,
    ),
    "bad_signature": (
        (
            "The seat that registered the key did not send this command there and then; whoever "
            "wrote the event put it into its mouth."
        ),
        _KEEP,
    ),
    "outcome_differs": (OPERATOR, _KEEP),
    "state_differs": (OPERATOR, _KEEP),
    "cards_lost": (OPERATOR, _KEEP),
    "against_rules": (
        (
            "The rules by which the operator's server plays are not those of the rule book there, "
            "or the second referee is wrong: the rule is named, so it can be looked up. Deciding "
            "again cannot show it, since that is done by the same rules."
        ),
        "Look the rule up. If the objection is right, keep the file, and report the fault.",
    ),
    "broken_promise": (
        (
            "Who made the secret did not keep to the commitment: the seat for a secret that it "
            "brought, else the operator; or the value was changed since."
        ),
        _KEEP,
    ),
    "command_repeated": (
        (
            "The operator's server took one command twice, or put a command of its own under the "
            "id of another; or the id was changed since. The service takes each id once."
        ),
        _KEEP,
    ),
    "timed_out_early": (
        (
            "That the seat, and whatever befell it or the game for being late, is blamed for "
            "nothing: by the operator's own clock it still had time to answer."
        ),
        _KEEP,
    ),
    "against_terms": (
        (
            "That the operator's server did to a seat what the terms, which stand in the first "
            "event, do not provide for; or that the events were changed since."
        ),
        _KEEP,
    ),
    "closed_early": (
        "That the seats which are named owed nothing yet, by the operator's own clock.",
        _KEEP,
    ),
}

BY_THE_CLOCK: frozenset[AnyCode] = frozenset({"timed_out_early", "against_terms", "closed_early"})
"""Findings about the operator's word: that somebody's time was over."""


def _exit_code(code: FindingCode) -> int:
    if code in BY_THE_CLOCK:
        return BROKEN_WORD
    return DAMAGED if code in UNREADABLE else WRONG


CODES: dict[AnyCode, Explanation] = {
    **{
        code: Explanation(
            _exit_code(code),
            EXPLAIN[code],
            *_AUDIT[code],
        )
        for code in get_args(FindingCode)
    },
    "header_differs": _wrong("The bundle's first line does not fit its events.", ANYBODY, _ASK),
    "ruleset_differs": _wrong(
        "The rule set of the bundle is not the one that the game was opened with.", ANYBODY, _ASK
    ),
    "secret_differs": _wrong(
        "A line about a secret does not fit the events: who made it, what was committed to, or "
        "what was revealed.",
        ANYBODY,
        _ASK,
    ),
    "told_too_early": _wrong(
        "The bundle of a game that is not over opens more than its viewer may know.",
        "Either the end of the game was cut off, or the operator gave away what was secret.",
        "Ask the service for the bundle again: if the game is over there, its end was cut off.",
    ),
    "proofs_disagree": _wrong(
        "The events lead to another state than the seed and the decisions do.",
        "That the events were not made by these rules from these secrets, though no single event "
        "could be named.",
    ),
    "bad_receipt": _broken_word(
        "A receipt's signature is not that of the key that it names.",
        "That this receipt is worthless: it was changed, or never issued.",
        "Get the receipt again: GET /v1/games/{id}/receipts/{seq}.",
    ),
    "receipt_differs": _broken_word(
        "A genuine receipt of the bundle speaks of another event, command or time than stands "
        "there.",
        "That the operator signed something else than this file tells: the file was changed, or "
        "the operator changed the game.",
    ),
    "bad_checkpoint": _broken_word(
        "The checkpoint is none, or a signature under it is bad.",
        "That this checkpoint is worthless: it was changed, or never published.",
        _ASK,
    ),
    "wrong_origin": _broken_word(
        "The checkpoint is that of another log than the policy's.",
        "Nothing about the log that the policy names.",
        "Ask the operator, by another way than the service, what the log is called.",
    ),
    "bad_cosignature": _broken_word(
        "A witness's signature under the checkpoint is bad.",
        "That the witness has not seen this checkpoint as it stands here.",
        _ASK,
    ),
    "cosigned_before": _broken_word(
        "A witness saw the game's events in the log before the time at which the last of them is "
        "said to have happened.",
        "That the events happened earlier than the operator's times say, if the witness's clock "
        "was right: what was due at those times was not due yet. An operator's clock that was "
        "ahead by mistake looks the same.",
        "Ask the witness for its clock. A policy says in `clock_skew` by how many seconds the two "
        "may differ.",
    ),
    "bad_inclusion": _broken_word(
        "The proof does not lead from the event to the checkpoint.",
        "That this event is not shown to be in the log: the event, the proof or the checkpoint "
        "was changed.",
        _ASK,
    ),
    "bad_consistency": _broken_word(
        "The proof does not show that the log goes on from the checkpoint that was kept.",
        "That the log's history is not shown to be one: the proof or a checkpoint was changed, or "
        "the operator has shown two histories. Whose fault it is, another proof tells: an operator "
        "that can give none has forked its log.",
        _ASK,
    ),
    "unknown_key": _broken_word(
        "It is signed by a key that no policy trusts.",
        "Nothing, as long as nobody vouches for the key.",
        "Ask the operator, by another way than the service, for the verifier keys; put them into "
        "the policy if they are.",
    ),
    "equivocation": _broken_word(
        "There are two stories of one event.",
        "Two genuine signatures of the operator over different leaves for one event prove that "
        "the operator told two stories. A file without receipts proves nothing: then it may be "
        "the file that was changed, and which one it is the files alone do not tell.",
    ),
    "cut_off": _broken_word(
        "There is a genuine receipt or proof for an event that the bundle lacks.",
        "That the game went on: the end was cut off by whoever made the file, or by the operator; "
        "or, where the file is of a game that goes on, it was made before.",
        "Ask the service for the bundle again, and give both files. If the event is missing there "
        "too, the operator deleted it.",
    ),
    "two_roots": _broken_word(
        "Two checkpoints of one log, each with good signatures and proofs, have the same size and "
        "different roots.",
        "That whoever has the key keeps two logs and shows each to different people: the operator, "
        "if the policy names the key. Without a policy anybody may have made the key.",
    ),
    "forked_log": _broken_word(
        "Two checkpoints of one log, each with good signatures and proofs, do not agree on which "
        "event stands where.",
        "That whoever has the key keeps two logs and shows each to different people: the operator, "
        "if the policy names the key. Without a policy anybody may have made the key.",
    ),
    "log_goes_on": _broken_word(
        "The game was broken off because its log had ended with a restore, and that log goes on.",
        "That the operator's server has not gone on from a restore as it says: what others hold of "
        "the game's end was not lost that way.",
    ),
    "annulled": _broken_word(
        "The game was broken off after a restore, and what that left out was the end of the game, "
        "or a witness has seen it.",
        "That the operator has signed that end, and then a game without it. Whether the restore "
        "was an accident does not matter: what was signed and seen first counts.",
    ),
    "time_backwards": _broken_word(
        "An event is said to be older than the one before it.",
        "That the times were made up, or changed since: the service never turns a game's clock "
        "back.",
    ),
    "time_contradicted": _broken_word(
        "The time of an event contradicts the operator's own word on when a seat was there.",
        "That the operator gave the event another time than it had: it has signed when the seat "
        "had seen the game up to one event, with no later one there, and the events refute that.",
    ),
    "seat_key_differs": _broken_word(
        "A seat has not the key that the policy names for it.",
        "That nothing here was signed by whoever the policy has in mind: the operator may have "
        "taken the seat with a key of its own, or the player has another key.",
        "Ask the player, by another way than the service, for the key.",
    ),
    "receipts_missing": _too_little(
        "The policy asks for receipts, and some command has none by a key that it knows.",
        "Get the bundle from the service: it holds all receipts.",
    ),
    "checkpoint_missing": _too_little(
        "The policy asks for a checkpoint, and the bundle has none.",
        "Get the bundle from the service, some seconds after the game's last event.",
    ),
    "checkpoint_behind": _too_little(
        "The policy asks for a checkpoint, and the bundle's one does not cover the last event.",
        "Get the bundle from the service, some seconds after the game's last event.",
    ),
    "witnesses_missing": _too_little(
        "Fewer witnesses have cosigned the checkpoint than the policy asks for.",
        "Get the bundle again after the witnesses have seen the checkpoint.",
    ),
    "times_unwitnessed": _too_little(
        "The policy asks that seats had their time by a witness's clock, too, and for a time-out "
        "nobody shows that.",
        "Give `--sightings` a checkpoint that the witness cosigned once the seat was asked, one "
        "that it cosigned so much later, and proofs of where the log has the asking and what ended "
        "the wait. Whoever kept no checkpoints then has none now: ask the witness for its own.",
    ),
    "not_finished": _too_little(
        "The policy asks for a game that was played to its end.",
        "Get the bundle after the end of the game.",
    ),
    "signatures_missing": _too_little(
        "The policy asks for signed commands, and for a seat nothing vouches but the operator: it "
        "has registered no key, or is said to be a bot and its program was not seen to move so.",
        "Nothing can be done for this game: a seat registers its key when it joins. Bots are made "
        "to move again once the game is over, by the release of the service that played it.",
    ),
    "player_secret_missing": _too_little(
        "The policy asks for a deck that the operator could not choose: a player's own secret has "
        "to be in the deal. Here there is none, or nobody vouches that the seat which brought it "
        "is not the operator's, or the game is not over.",
        "Nothing can be done for this game: a seat commits to its secret, and registers the key "
        "by which it is known, when it joins. If the key is that of a player, name it in the "
        "policy, under `players` or `seats`.",
    ),
    "moves_unsigned": _too_little(
        "The policy asks for moves that are signed by keys which it names, and for some seat's "
        "there is nobody's word but the operator's.",
        "Ask the players, by another way than the service, for their keys, and name them in the "
        "policy, under `players` or `seats`. A seat without a key has none to name: it registers "
        "one when it joins.",
    ),
    "seat_unsigned": _too_little(
        "The policy names the key of a seat, and nothing in the game is signed by it: the operator "
        "could have entered that player and the key.",
        "Ask the player, by another way than the service, whether they sat there. Who signs "
        "joining, or any command, proves that.",
    ),
    "bots_unproven": _too_little(
        "The policy asks that bots' moves are those of their programs, and some were not seen to "
        "be: the operator could have played for them.",
        "Bots are made to move again once the game is over: verify it with the release of the "
        "service that played it.",
    ),
}
"""All codes."""
