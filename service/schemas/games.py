"""The bodies of requests and answers, where they are not the domain's own shapes."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from phaseledger.domain.commands import Hex32, Play, SeatNumber
from phaseledger.domain.explain.legend import Legend
from phaseledger.domain.legal import MOST_CHOICES
from phaseledger.domain.options import Options
from phaseledger.domain.script import MOST_DEALS, Script
from phaseledger.domain.state import Question
from phaseledger.domain.terms import Terms
from phaseledger.domain.view import TableView
from phaseledger.replay.formats.signing.receipts import Receipt
from phaseledger.service.schemas.names import PLAIN, Name, require_plain, take_name
from phaseledger.service.schemas.players import PlayerId, PlayerSeat
from phaseledger.service.schemas.terms import Body, Due, Level, TableTerms
from phaseledger.service.schemas.webhooks import NewlyMade, NewWebhook

HeadHash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""Hash of the game's last event: commands are signed over it, and the next event repeats it."""
HeadToSign = Annotated[
    HeadHash, Meta(description="The hash of the last event, which signed commands are signed over.")
]
CommandReceipt = Annotated[
    Receipt,
    Meta(description="The operator's signed word that the command stands in the log, and where."),
]

Reason = Annotated[str, Meta(min_length=1, max_length=200, pattern=PLAIN)]
_OptionText = Annotated[str, Meta(max_length=200)]
_OptionList = Annotated[tuple[_OptionText, ...], Meta(max_length=40)]
_OptionNumber = Annotated[int, Meta(ge=-(2**53), le=2**53)]
JoinCode = Annotated[str, Meta(pattern=r"^[0-9A-Za-z -]{8,20}$", examples=["7K2M-Q9XD"])]
HouseRules = Annotated[
    dict[_OptionText, bool | _OptionNumber | _OptionText | _OptionList],
    Meta(max_length=60, examples=[{"variant": "even_phases"}]),
]
"""Options by name, as in the rule set."""


class PersonSeat(Body, frozen=True, tag_field="kind", tag="person"):
    """A seat for a person who joins later, or for a player of the application that opens the table,
    who has it at once.
    """

    player: PlayerId | None = None


class BotSeat(Body, frozen=True, tag_field="kind", tag="bot"):
    """A seat that plays by itself."""

    level: Level = "greedy"
    name: Name | None = None

    def __post_init__(self) -> None:
        take_name(self, self.name)


class ForTests(Body, frozen=True):
    """A table for tests, which only an application opens. It is in no list and counts for nothing,
    its evidence has the grade `test`, and its host may turn its clock on.
    """

    deals: Annotated[
        Script,
        Meta(
            max_length=MOST_DEALS,
            description="Scripted deals, by round from the first one. What a script leaves out, "
            "and every later round, is as the seed has it.",
        ),
    ] = ()


class OpenTable(Body, frozen=True):
    """A new table. ``options`` are house rules; omitted ones are as in the rule set.

    Where bots have all seats, a round has 2,000 turns unless `max_turns_per_round` says otherwise
    (O-39), since no rule ends a round in which no seat goes out.
    """

    ruleset: Annotated[str, Meta(max_length=60, examples=["classic"])]
    seats: Annotated[tuple[PersonSeat | BotSeat, ...], Meta(min_length=1, max_length=16)]
    options: HouseRules = field(default_factory=dict)
    dealer: SeatNumber = 0
    terms: TableTerms = TableTerms()
    webhooks: Annotated[
        tuple[NewWebhook, ...],
        Meta(max_length=10, description="URLs to be told of what happens, from the opening on."),
    ] = ()
    start: Annotated[
        bool,
        Meta(description="Whether to start at once, which needs bots or players in all seats."),
    ] = False
    test: Annotated[
        ForTests | None, Meta(description="Given, even if empty: the table is for tests.")
    ] = None


class JoinTable(Body, frozen=True):
    """A player who sits down, in the named seat or the first free one: under a name, or as a
    ``player`` of the application whose key is shown.

    ``commit`` brings a secret of one's own into the deal: the SHA-256, as hex, of the lines
    "p10/seat-commit/v1", the game's id and the seat, each ended by LF, and then the 32 bytes of the
    secret. It holds for one seat only, so name that seat here too.
    """

    name: Name | None = None
    player: PlayerId | None = None
    seat: SeatNumber | None = None
    code: Annotated[JoinCode | None, Meta(description="A private table's code.")] = None
    commit: Hex32 | None = None
    key: Annotated[
        Hex32 | None,
        Meta(
            description="An Ed25519 public key, as hex. From then on the seat has to sign each of "
            "its commands."
        ),
    ] = None

    def __post_init__(self) -> None:
        take_name(self, self.name)


class Present(Body, frozen=True):
    """A seat that is there, and the newest event that it has seen."""

    version: Annotated[int, Meta(ge=1, lt=2**53, description="The event's number.")]
    head: Annotated[Hex32, Meta(description="Its hash.")]
    signature: Annotated[
        str,
        Meta(
            pattern=r"^([0-9a-f]{128})?\Z",
            description="That of a seat with a key, over what docs/reference/evidence.md says.",
        ),
    ] = ""


class VoidTable(Body, frozen=True):
    """The reason for breaking a game off."""

    reason: Reason

    def __post_init__(self) -> None:
        require_plain(self.reason)


class EventRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """An event as the caller may know it: the public form, plus what is hidden from others only.

    ``type`` tells the kinds apart; fields of ``data`` that equal their default are left out.
    ``sealed`` has the seal of everything hidden, by audience: ``1`` one seat, ``0,2`` several,
    ``not:1`` every seat but one, ``stock`` and ``server`` no reader before the game is over. A
    reader in an audience gets the value in ``hidden`` and in ``salts`` the salt that open the seal;
    when the game is over, every reader gets them all. ``prev`` is the hash of the event before, so
    every reader can follow the chain.
    """

    at: Annotated[int, Meta(ge=0)]
    """Milliseconds since 1970. Advisory: no rule reads it."""
    cmd: HeadHash
    """The id of the command, equal in all its events."""
    data: dict[str, Any]
    game: str
    prev: HeadHash
    seq: Annotated[int, Meta(ge=1)]
    type: str
    v: Literal[1]
    sealed: dict[str, str] = {}
    hidden: dict[str, Any] = {}
    salts: dict[str, str] = {}


Events = tuple[
    Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/EventRecord"})], ...
]
"""Events, encoded already; in the description they are `EventRecord`s."""


class Opened(Struct, frozen=True):
    """An opened table, and the token that makes its holder the host."""

    game: str
    version: int
    host_token: str
    ruleset: str
    server_commit: Annotated[
        str, Meta(description="The server's commitment to its half of the randomness.")
    ]
    table: TableView
    head: HeadToSign
    receipt: Annotated[
        Receipt,
        Meta(
            description="The operator's signed word for the last of the commands that opened the "
            "table."
        ),
    ]
    code: Annotated[
        str | None,
        Meta(
            description="What people need to sit down at a private table; shown to its host only."
        ),
    ] = None
    webhooks: Annotated[
        tuple[NewlyMade, ...],
        Meta(description="Those that were registered with the opening, with their secrets."),
    ] = ()
    seats: Annotated[
        tuple[PlayerSeat, ...] | UnsetType,
        Meta(description="The seats of the application's players, where it has named some."),
    ] = UNSET


class Joined(Struct, frozen=True):
    """A taken seat, and the token to play it with."""

    game: str
    seat: int
    token: str
    version: int
    table: TableView
    head: HeadToSign
    receipt: CommandReceipt


class GameView(Struct, frozen=True):
    """A game as the caller sees it, with its house rules."""

    game: str
    version: int
    server_commit: str
    options: Options
    terms: Terms
    reserved: Annotated[
        tuple[int, ...],
        Meta(description="Free seats of a rematch that are kept for those who played before."),
    ]
    table: TableView
    legend: Annotated[
        Legend,
        Meta(
            description="What the groups of the table are, what each of their wilds stands for, "
            "and what continues their runs."
        ),
    ]
    deadlines: Annotated[
        tuple[Due, ...],
        Meta(
            description="Until when seats have to answer what they are asked; empty at a table "
            "without a clock, and for bots."
        ),
    ]
    head: HeadToSign
    reveal_by: Annotated[
        int | None,
        Meta(
            description="When the secrets that are due have to be in (milliseconds since 1970), "
            "or the game is void; null where none is due."
        ),
    ]


class Done(Struct, frozen=True):
    """The events of a command, and the caller's view of the table after it."""

    version: int
    events: Events
    table: TableView
    look: Annotated[
        str | None,
        Meta(
            description="The face of the joker that the command drew, for its owner's one look at "
            "it; else null."
        ),
    ]
    head: HeadToSign
    receipt: CommandReceipt


class PawnMove(Struct, frozen=True, gc=False):
    """A pawn's destination after a number of steps: spaces with other pawns do not count (B-17)."""

    steps: int
    space: Annotated[int, Meta(description="Counted clockwise from the start, which is 0.")]
    action: Annotated[str, Meta(description="What the space does, as in the rule set's `track`.")]


class Actions(Struct, frozen=True):
    """The caller's open questions, and the commands that may answer them now."""

    version: int
    head: HeadToSign
    questions: tuple[Question, ...]
    deadlines: Annotated[
        tuple[Due, ...], Meta(description="Until when; empty at a table without a clock.")
    ]
    commands: Annotated[
        tuple[Play, ...],
        Meta(
            description=f"At most {MOST_CHOICES:,} each of lays, hits, pairs to discard, choices "
            "to swap and to keep: a hand of forty has millions."
        ),
    ]
    more: Annotated[
        bool,
        Meta(
            description="Whether there may be commands that are not listed; they may be sent all "
            "the same."
        ),
    ] = False
    moves: Annotated[
        tuple[PawnMove, ...],
        Meta(description="Where each `move` leads, in a game with a board; else empty."),
    ] = ()


class EventPage(Struct, frozen=True):
    """Events in order; ``next`` is the ``after`` of the following page, null at the end."""

    game: str
    events: Events
    next: int | None


class AdminRequest(Body, frozen=True):
    """The operator who changes something in the service, and the reason."""

    actor: Name
    reason: Annotated[str, Meta(min_length=1, max_length=140, pattern=PLAIN)]

    def __post_init__(self) -> None:
        require_plain(self.actor)
        require_plain(self.reason)
