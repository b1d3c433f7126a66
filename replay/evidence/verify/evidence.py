"""The result of a verification as data: the document of `phaseledger verify --json`.

The published schema is docs/reference/verify.schema.json, which
``python -m phaseledger.replay.evidence.verify.evidence`` prints. `verify` fills the document in,
`text` and `html_report` tell it to people.
"""

import sys
from inspect import cleandoc
from typing import Final, Literal

import msgspec
from msgspec import Struct

from phaseledger.replay.evidence.verify.codes import AnyCode
from phaseledger.replay.formats.records.findings import Status

SCHEMA: Final = "p10-verdict/v1"

CheckOutcome = Literal["passed", "failed", "not_checked"]

Topic = Literal[
    "header",
    "chain",
    "seals",
    "ruleset",
    "commitments",
    "events_alone",
    "seed_and_decisions",
    "agreement",
    "referee",
    "signatures",
    "bots",
    "times",
    "receipts",
    "held_receipts",
    "checkpoint",
    "witnesses",
    "policy",
]
"""The checks, in the order of the output."""

Conclusion = Literal["sound", "sound_so_far", "wrong", "damaged", "operator", "too_little"]
"""``sound``: over and right. ``sound_so_far``: nothing is wrong with what can be checked of a game
that is not over. ``wrong``: exit code 1, ``damaged`` 5, ``operator`` 6, ``too_little`` 7."""

Grade = Literal["proven", "attested", "recorded", "consistent", "test", "none"]
"""What a bundle proves against an operator who lies, the strongest first
(docs/reference/verify.md); ``test``: it is of a table for tests, which proves nothing about a
real game; ``none``: something is wrong, so it proves nothing about the game."""

Secrets = Literal["none", "players", "seats", "unrevealed", "server", "test"]
Moves = Literal["none", "signed", "unsigned"]
BotMoves = Literal["none", "re-decided", "unproven"]
Times = Literal["none", "witnessed", "recorded"]
Story = Literal["witnessed", "operator", "nobody"]

SeatWord = Literal["signed", "unsigned", "repudiable", "bot"]
"""Who vouches for a seat's moves. ``signed``: the seat's signatures. ``unsigned``: no party, as the
registered key has signed nothing. ``repudiable``: the operator, who could have written them.
``bot``: the operator, who says that it is a bot."""


class VerificationProblem(Struct, frozen=True, omit_defaults=True):
    """One finding. ``seq`` and ``line`` are 0 where it is about no single event or line."""

    code: AnyCode
    text: str
    expected: str = ""
    recorded: str = ""
    seq: int = 0
    event: str = ""
    """What people at the table call the event, by the bundle: ``"Bob"'s discard in turn 17``; names
    of players are JSON strings. Empty where ``seq`` is 0, or the bundle has no such event."""
    line: int = 0
    """In the file ``source``."""
    source: str = ""
    rule: str = ""
    """The catalogue's ID, where a rule is concerned."""
    reject: str = ""
    """For ``illegal_decision``, the code with which the rules refuse it."""


class ProblemGroup(Struct, frozen=True, omit_defaults=True):
    """Findings that are alike, which have one cause most often: of one code and one rule, shown by
    one file.
    """

    problem: VerificationProblem
    """The first of them."""
    count: int
    last_seq: int = 0
    """The highest number of an event that one of them is about; 0 where none is about an event."""


class Facets(Struct, frozen=True):
    """Whose word a sound bundle is. Each value is weaker than those before it in its type."""

    secrets: Secrets
    """Who could have chosen the deck. ``none``: none was dealt. ``players``: a player whose key
    the policy names brought a secret. ``seats``: a seat is said to have brought one.
    ``unrevealed``: the game is not over. ``server``: all are the operator's. ``test``: the table
    was for tests, and the opener's script may name every card."""
    moves: Moves
    """Who sat there and made people's moves. ``signed``: every seat has signed, and all its moves,
    by a key that the policy names. ``none``: only bots played."""
    bots: BotMoves
    """Who made the bots' moves. ``re-decided``: their programs make the same ones."""
    times: Times
    """By whose clock seats had their time. ``none``: no seat's time was over. ``witnessed``: by a
    witness's, as the policy asks. ``recorded``: by the operator's."""
    story: Story
    """Who is held to these events. ``witnessed``: the operator, by a witness or player who has seen
    them. ``operator``: the operator, by its own signature. ``nobody``: no key of the policy."""


class CheckResult(Struct, frozen=True):
    """One thing that was looked at, or could not be, and a sentence on it."""

    topic: Topic
    outcome: CheckOutcome
    text: str


class SeatReport(Struct, frozen=True, omit_defaults=True):
    """One seat: who vouches for its moves."""

    seat: int
    name: str
    word: SeatWord
    commands: int
    """How many commands it sent after it sat down."""
    secret_by: Literal["server", "seat"]
    """Who made its part of the deal's seed."""
    key: str = ""
    """Its Ed25519 public key (hex), where it has one."""
    stood_in: int = 0
    """How many a bot sent for it, while it was overdue or after it was gone."""
    signed: int = 0
    """The number of the last event that its key has signed, joining included; 0: none."""
    named: bool = False
    """Whether the policy names the key."""
    program: bool = False
    """Whether every move that a bot is said to have made there is the one that its program makes,
    by this release; never before the game is over."""


class Signer(Struct, frozen=True):
    """A key whose signature is in the bundle."""

    key: str
    """The verifier key."""
    trusted: bool
    """Whether the policy names it; False without a policy."""


class AskedEvent(Struct, frozen=True, omit_defaults=True):
    """One event that was asked about, in words."""

    seq: int
    event: str
    """What people at the table call it, as in `VerificationProblem`."""
    text: str
    """What happened, as in a transcript."""
    more: tuple[str, ...] = ()


class Voucher(Struct, frozen=True, omit_defaults=True):
    """A party that vouches for a command, and its ground."""

    by: Literal["player", "program", "operator", "witness", "later_player"]
    """``program``: the bot's own, which makes the same move. ``later_player``: by a signature over
    a later command, which is over all events before it too."""
    text: str
    key: str = ""
    trusted: bool = False
    """Whether the policy names the key."""


class Attestation(Struct, frozen=True, omit_defaults=True):
    """A command that was asked about: what happened, who vouches for it, what that proves."""

    first: int
    """The number of its first event."""
    last: int
    at: int
    """In ms since 1970, by the operator's clock."""
    decided_by: Literal["seat", "host", "service"]
    events: tuple[AskedEvent, ...]
    """The events of the command that were asked about."""
    vouchers: tuple[Voucher, ...]
    """Empty where no party vouches."""
    proves: tuple[str, ...]
    leaves_open: tuple[str, ...]
    """What it does not prove."""
    seat: int | None = None
    name: str = ""


class Judgement(Struct, frozen=True):
    """The verdict on one bundle, with its checks and findings."""

    source: str
    game: str
    conclusion: Conclusion
    grade: Grade
    headline: str
    """The verdict in one sentence, with the grade and what an operator could have done unseen."""
    facets: Facets | None
    """Null where something is wrong."""
    status: Status
    """As the events say."""
    ruleset: str
    events: int
    head: str
    seat: int | None
    """Whose view of a running game it is."""
    owing: tuple[int, ...]
    """The seats that a voided game names: they owed a secret, or an answer."""
    checks: tuple[CheckResult, ...]
    seats: tuple[SeatReport, ...]
    signers: tuple[Signer, ...]
    problems: tuple[VerificationProblem, ...]
    findings: tuple[ProblemGroup, ...]
    """The problems, equal ones grouped."""
    notes: tuple[str, ...]
    question: str = ""
    """What was asked about the game; empty where nothing was."""
    answers: tuple[Attestation, ...] = ()


class StorySide(Struct, frozen=True, omit_defaults=True):
    """One bundle's story of the event at which two stories part."""

    source: str
    events: int
    """How many the bundle has."""
    event: str = ""
    """What people at the table call the event there; empty if it cannot be read."""
    attestation: Attestation | None = None
    """Who vouches for it in this bundle."""
    differs: str = ""
    """The first field that is another one in the other bundle, where both events read alike."""


class ReceiptBacking(Struct, frozen=True):
    """How many receipts of one file back which story. Those of earlier events back both."""

    source: str
    first: int
    second: int
    both: int
    neither: int
    """Not genuine, by a key that does not count, or of a third story."""


class StoryParting(Struct, frozen=True):
    """Two bundles of one game that tell two stories: where they part, and who is behind which."""

    game: str
    seq: int
    """The number of the first event that is not the same; all before it are."""
    sides: tuple[StorySide, StorySide]
    receipts: tuple[ReceiptBacking, ...]
    conclusion: str
    """Which of them the operator has signed."""


class Document(Struct, frozen=True):
    """The answer of ``phaseledger verify --json``. ``damage`` are sentences on unreadable files."""

    schema: Literal["p10-verdict/v1"]
    exit_code: int
    sound: bool
    """Whether nothing at all is wrong: exit code 0."""
    policy: str
    """The policy's file; empty without one."""
    bundles: tuple[Judgement, ...]
    damage: tuple[str, ...]
    stories: tuple[StoryParting, ...] = ()
    """Pairs of bundles of one game that contradict one another."""


def json_schema() -> bytes:
    """The JSON Schema (2020-12) of the document."""
    schema = msgspec.json.schema(Document)
    for shape in schema["$defs"].values():
        if "description" in shape:  # a docstring, which Python indents before 3.13
            shape["description"] = cleandoc(shape["description"])
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": SCHEMA}
    return msgspec.json.format(msgspec.json.encode({**head, **schema}), indent=2) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(json_schema())
