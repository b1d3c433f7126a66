"""The contents of stream events and export lines, besides the game's own events."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from phaseledger.domain.state import Stage
from phaseledger.replay.formats.json_patch import Operation
from phaseledger.service.schemas.games import Events, HeadToSign

StreamCloseCode = Literal[
    "fell_behind",
    "token_revoked",
    "token_expired",
    "token_unknown",
    "seat_lost",
    "not_for_spectators",
    "store_unavailable",
    "shutting_down",
    "broken",
]
"""The reason why the server ends a stream before its game does."""


class Ticket(Struct, frozen=True):
    """The key of one event stream for the caller, where no header can be sent."""

    ticket: str
    expires_in: int
    """Seconds in which it has to be used."""


class Delta(Struct, frozen=True):
    """Event ``events``: the events of one commit or several; ``id`` is the resulting version.

    ``patch`` (RFC 6902) turns the client's `GameView` into the one of this version.
    """

    version: int
    head: HeadToSign
    events: Events
    patch: tuple[Operation, ...]
    lines: (
        tuple[
            Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/EventLine"})], ...
        ]
        | UnsetType
    ) = UNSET
    """The events in words, with the moves of their cards, on request by `lines`."""


class End(Struct, frozen=True):
    """Event ``end``: the game is over. A reconnection with the last version gets a 204."""

    version: int
    stage: Stage
    winners: tuple[int, ...]


Reaction = Literal["well_played", "good_luck", "thanks", "ouch", "oops", "one_moment"]
"""What a player may say at the table: each of these and nothing else."""


class React(Struct, frozen=True, forbid_unknown_fields=True):
    """A reaction of the caller's seat."""

    reaction: Reaction


class Reacted(Struct, frozen=True):
    """Event ``reaction``: a player reacts. It has no ``id`` and is in no log, so it comes once."""

    seat: int
    reaction: Annotated[
        str, Meta(description="As `sendReaction` takes it; a later service may know more of them.")
    ]


class Rewound(Struct, frozen=True):
    """Event ``rewound``: the ledger has gone back and lost the ``version`` that the client has.

    The ``state`` that follows replaces the earlier one, whose last events never happened.
    """

    version: int


class Closed(Struct, frozen=True):
    """Event ``closed``: the reason why the server ends the stream, though the game goes on."""

    code: StreamCloseCode
    detail: str


class GameHeader(Struct, frozen=True, kw_only=True):
    """The line before a game's events. With ``cursor`` the export begins at this game again."""

    export: Literal["p10-games/v1"] = "p10-games/v1"
    game: str
    ruleset: str
    stage: Stage
    events: Annotated[int, Meta(description="How many lines with events follow.")]
    opened_at: Annotated[int, Meta(description="Milliseconds since 1970.")]
    finished_at: int
    cursor: str


class SetAsideHeader(Struct, frozen=True, kw_only=True):
    """The line in place of a game whose record is damaged; once restored, a later export has it."""

    export: Literal["p10-games/v1"] = "p10-games/v1"
    game: str
    set_aside: Annotated[str, Meta(description="What is wrong with its record.")]
    cursor: str


class ArchivedHeader(Struct, frozen=True, kw_only=True):
    """The line in place of a game whose events were archived, into a file of the operator's."""

    export: Literal["p10-games/v1"] = "p10-games/v1"
    game: str
    archived: Annotated[str, Meta(description="The name of the file.")]
    cursor: str


class ExportEnd(Struct, frozen=True, kw_only=True):
    """The last line: without it, the export was cut off. With ``next`` it goes on after this one,
    at once or when more games have ended.
    """

    export: Literal["p10-games/v1"] = "p10-games/v1"
    games: int
    next: str
