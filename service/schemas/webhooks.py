"""The bodies of requests and answers about webhooks, and of the messages to them."""

from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from phaseledger.service.schemas.terms import Body

Type = Literal[
    "seat.taken",
    "seat.freed",
    "seat.handed_over",
    "game.started",
    "round.started",
    "turn.asked",
    "turn.timed_out",
    "round.ended",
    "game.ended",
    "game.voided",
]
TYPES: tuple[Type, ...] = get_args(Type)
LONGEST_URL = 2_000


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A URL for messages, and the types of events to send; default: all types."""

    url: Annotated[
        str,
        Meta(min_length=1, max_length=LONGEST_URL, examples=["https://hooks.example/phaseledger"]),
    ]
    types: Annotated[tuple[Type, ...], Meta(max_length=40)] = ()


class WebhookRegistration(Struct, frozen=True, kw_only=True):
    """A webhook as it was registered; times are in milliseconds since 1970."""

    id: str
    url: str
    types: tuple[Type, ...]
    since: Annotated[
        int,
        Meta(
            description="The version of the game after which it is told of; an application's is "
            "told of what is behind this place in the log."
        ),
    ]
    created_at: int
    failing_since: Annotated[
        int | None,
        Meta(description="When it first failed after its last success; null when all is well."),
    ]
    disabled_at: Annotated[
        int | None,
        Meta(description="Since when nothing is sent to it; null when messages are."),
    ]
    reason: Annotated[str, Meta(description="Why it is disabled, or why its last attempt failed.")]


class RegisteredWebhook(WebhookRegistration, frozen=True, kw_only=True):
    """A webhook; times are in milliseconds since 1970."""

    confirmed_at: Annotated[
        int | None,
        Meta(description="When its URL took a message for the first time; null until then."),
    ]
    earlier_until: Annotated[
        int | None,
        Meta(description="Until when the secret before this one signs too; null: it has had one."),
    ] = None


class NewlyMade(WebhookRegistration, frozen=True, kw_only=True):
    """A registered webhook, and its secret, which is shown only here."""

    secret: Annotated[
        str,
        Meta(
            description="The key of the signatures, as the libraries of Standard Webhooks take it."
        ),
    ]


class RotateSecret(Body, frozen=True):
    """For how many hours the present secret signs too."""

    keep: Annotated[float, Meta(ge=0, le=720)] = 24.0


class RotatedSecret(Struct, frozen=True):
    """A webhook's new secret, which is shown only here."""

    secret: str
    earlier_until: Annotated[
        int | None,
        Meta(description="Until when the one before signs too, in milliseconds since 1970."),
    ]


class Hooks(Struct, frozen=True):
    """The webhooks of a game or an application, oldest first."""

    webhooks: tuple[RegisteredWebhook, ...]


class Message(Struct, frozen=True):
    """The body of what is sent: `type`, when it happened (RFC 3339), and what."""

    type: Annotated[str, Meta(extra_json_schema={"enum": sorted(TYPES)})]
    timestamp: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
    data: Annotated[
        dict[str, Any],
        Meta(
            description="`game` always, `test` of a table for tests, `sample` of a sample, and no "
            "more of a table that nobody may watch; else "
            "`version`, and by type: `seat.taken` has `seat`, `name`, `bot`; `seat.freed` has "
            "`seat`, `by`; `seat.handed_over` has `seat`, `bot`, `why`; `game.started` has "
            "`ruleset`, `players`; `round.started` has `round`, `dealer`; `turn.asked` has "
            "`seat`, `kind`; `turn.timed_out` has `seat`, `then`; `round.ended` has `round`, "
            "`out`, `results`; `game.ended` has `winners`; `game.voided` has `reason`, `owing`."
        ),
    ]
