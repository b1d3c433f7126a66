"""Which refusals belong together: what operations of one kind may answer, by code."""

from phaseledger.domain.commands import RejectCode as Code

OPENING = (
    Code.BAD_TERMS,
    Code.UNKNOWN_RULESET,
    Code.BAD_OPTION,
    Code.SEATS_OUT_OF_RANGE,
    Code.NO_SUCH_SEAT,
    Code.BAD_TEXT,
    Code.SEATS_OPEN,
    "webhook_refused",
    "webhooks_unavailable",
    "no_fresh_token",
    "idempotency_mismatch",
    "store_unavailable",
)
JOINING = (
    "no_such_game",
    "join_code_needed",
    "bad_join_code",
    "seat_reserved",
    "no_fresh_token",
    "table_full",
    Code.SEAT_TAKEN,
    Code.NOT_IN_LOBBY,
    Code.GAME_OVER,
    Code.NO_SUCH_SEAT,
    Code.BAD_TEXT,
    Code.BAD_KEY,
    "idempotency_mismatch",
    "store_unavailable",
)
HOSTING = (
    Code.NOT_FOR_SEATS,
    Code.GAME_OVER,
    Code.SIGNATURE_NEEDED,
    "stale_version",
    "idempotency_mismatch",
    "store_unavailable",
)
"""What every order of the host may meet; a seat that has a key is asked for its signature first."""

_AT_THE_TABLE = {
    *(code for code in (*OPENING, *JOINING, *HOSTING) if isinstance(code, Code)),
    Code.BAD_SECRET,
    Code.BAD_GAME_ID,
    Code.GAME_EXISTS,
    Code.NOBODY_THERE,
    Code.BOT_SEAT,
    Code.NO_CLOCK,
    Code.NOT_OVERDUE,
}
"""Refusals of what is done to a table, not at play."""

PLAYING = (
    Code.NOT_YOUR_TURN,
    Code.GAME_OVER,
    Code.SIGNATURE_NEEDED,
    *(code for code in Code if code not in {Code.NOT_YOUR_TURN, *_AT_THE_TABLE}),
    "bad_signature",
    "stale_version",
    "if_match_needed",
    "bot_answers",
    "idempotency_mismatch",
    "store_unavailable",
)
"""What a command of a seat may meet: every refusal of the rules, and what HTTP adds."""

KICKING = (Code.NO_SUCH_SEAT, Code.NOT_IN_LOBBY, Code.NOBODY_THERE, *HOSTING)
FILLING = (
    Code.GAME_OVER,
    Code.NOT_IN_LOBBY,
    "table_full",
    "seat_reserved",
    "idempotency_mismatch",
    "store_unavailable",
)
LEAVING = (
    Code.GAME_OVER,
    Code.SECRETS_DUE,
    Code.SIGNATURE_NEEDED,
    Code.NO_KEY_REGISTERED,
    "bad_signature",
    "stale_version",
    "idempotency_mismatch",
    "store_unavailable",
)
CLAIMING = (Code.NOT_OVERDUE, Code.NO_CLOCK, Code.GAME_OVER, "store_unavailable")
REMATCHING = (
    "not_over",
    "seat_not_kept",
    "no_fresh_token",
    Code.BAD_KEY,
    Code.GAME_OVER,
    Code.NOT_IN_LOBBY,
    "idempotency_mismatch",
    "store_unavailable",
)
STARTING = (Code.NOT_IN_LOBBY, Code.SEATS_OPEN, *HOSTING)
VOIDING = (Code.BAD_TEXT, *HOSTING)
VIEWED = (
    "no_such_game",
    "version_not_reached",
    "views_unavailable",
    "views_behind",
    "store_unavailable",
)
"""What a read of one game's projections may meet, beside the log that is asked why."""

UNREADY = ("not_ready",)
PROVING = ("no_checkpoint", "size_unknown", "store_unavailable")
COSIGNING = ("unknown_witness", "bad_cosignature", "store_unavailable")

_TOKEN = ("token_unknown", "token_mistyped", "token_revoked", "token_expired", "no_such_game")
OF_CALLER: dict[str, tuple[str, ...]] = {
    "nobody": (),
    "viewer": (*_TOKEN, "no_spectators"),
    "member": ("token_missing", *_TOKEN, "seat_handed_over"),
    "seat": ("token_missing", *_TOKEN, "seat_token_needed", "seat_handed_over"),
    "host": ("token_missing", *_TOKEN, Code.NOT_FOR_SEATS),
}
"""What reading the caller's token may meet, by who may call."""

OF_PATHS = ("not_found",)
"""A path's parameter of another type leads nowhere."""
OF_BODIES = (
    "body_cut_off",
    "malformed_json",
    "duplicate_key",
    "invalid_body",
    "body_too_slow",
    "body_too_large",
    "unsupported_media_type",
)
OF_LOG = ("log_damaged",)
"""What may be found wherever the log is read."""
OF_ALL = ("invalid_parameter", "address_too_long", "headers_too_large", "internal_error")
"""Refused everywhere: a parameter or a header that is said twice, and too large a head."""
OF_LIMITED = ("too_many_requests",)
"""What every operation may meet for which requests are counted."""
OF_WRITES = ("draining",)
"""What every operation that is no read may meet."""
