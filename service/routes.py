"""Routes that change games: open, join, start, play, void. Answers carry the caller's new view."""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from litestar import Response, post
from litestar.params import FromPath, HeaderParameter, JSONBody
from msgspec import Raw

from domain import codec
from domain.commands import Act, Play, RejectCode, Rejected, Start, TakeSeat, VoidGame
from domain.events import CardTurned
from domain.view import view
from replay.signing import is_usable
from service.callers import Injected, Service
from service.description import described
from service.game import Answer
from service.opening import Place, new_game, new_key, new_secret, opening
from service.problems import COMMAND_KEY, ENTITY_TAGS, SIGNATURE, TOKEN_KEY
from service.receipts import receipt_for
from service.schemas import BotSeat, Done, Joined, JoinTable, Opened, OpenTable, VoidTable
from service.transport import expected_versions, tag

PRIVATE = {"Cache-Control": "no-store"}

IdempotencyKey = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=COMMAND_KEY,
        description="Chance of your own, such as a UUID, kept as secret as your token: the same "
        "key with the same request gets the first answer again and changes nothing.",
    ),
]
TokenKey = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=TOKEN_KEY,
        description="A random UUID, or 32 to 128 random hex digits. Whoever repeats the request "
        "with it gets a token: keep it as secret as that. The log publishes its hash.",
    ),
]
IfMatch = Annotated[
    str,
    HeaderParameter(
        name="If-Match",
        max_length=1000,
        pattern=ENTITY_TAGS,
        description="The ETag of the table the command was meant for; at any other: 412.",
    ),
]

CommandSignature = Annotated[
    str,
    HeaderParameter(
        name="Command-Signature",
        pattern=SIGNATURE,
        description="For a seat with a key, and for no other: the Ed25519 signature of the "
        "command, 128 hex digits, over what docs/evidence.md says.",
    ),
]


def redacted(
    stored: Sequence[bytes], key: bytes, viewer: int | None, *, opened: bool
) -> tuple[Raw, ...]:
    """Stored events as the viewer may know them."""
    return tuple(Raw(codec.redact(event, key, viewer, opened=opened)) for event in stored)


def _look(answer: Answer) -> str | None:
    """The face of the joker that the speaker has drawn just now (B-29)."""
    for stored in answer.stored:
        if b'"type":"CardTurned/1"' in stored:  # a quote inside a text is escaped
            event = codec.decode_event("CardTurned/1", stored)
            if isinstance(event, CardTurned) and event.seat == answer.seat:
                return event.hidden[f"not:{event.seat}"].card
    return None


def _done(answer: Answer, viewer: int | None, service: Service) -> Response[Done]:
    opened = answer.state.stage in ("ended", "voided")
    done = Done(
        version=answer.version,
        events=redacted(answer.stored, answer.key, viewer, opened=opened),
        table=view(answer.state, viewer),
        look=_look(answer),
        head=answer.head,
        receipt=receipt_for(answer, service.keys.current),
    )
    return Response(done, headers={**PRIVATE, "ETag": tag(answer.version, viewer)})


@post("/games", **described("openGame", 409, 422, 503, headers=("ETag", "Location")))
async def open_game(
    data: JSONBody[OpenTable],
    service: Injected[Service],
    idempotency_key: TokenKey = "",
) -> Response[Opened]:
    """Open a table.

    Bots sit down at once; people join. The host's token starts the game or breaks it off, and is
    shown only here. Repeated with its Idempotency-Key, the answer has a fresh token; the old one
    stays valid.
    """
    game = new_game(idempotency_key)
    places = [
        Place(seat.level, seat.name or "") if isinstance(seat, BotSeat) else Place()
        for seat in data.seats
    ]
    acts = opening(
        game, data.ruleset, places, options=data.options, dealer=data.dealer, start=data.start
    )
    answer = await service.games.open(acts, game, idempotency_key or new_key())
    state = answer.state
    opened = Opened(
        game=str(game),
        version=answer.version,
        host_token=await service.credentials.issue(game, None),
        ruleset=state.ruleset.id,
        server_commit=state.server_commit,
        table=view(state, None),
        head=answer.head,
        receipt=receipt_for(answer, service.keys.current),
    )
    where = f"/v1/games/{game}"
    return Response(opened, headers={**PRIVATE, "ETag": tag(answer.version), "Location": where})


@post("/games/{game:uuid}/seats", **described("takeSeat", 404, 409, 422, 503, headers=("ETag",)))
async def take_seat(
    game: FromPath[UUID],
    data: JSONBody[JoinTable],
    service: Injected[Service],
    idempotency_key: TokenKey = "",
) -> Response[Joined]:
    """Sit down at a table that has not started.

    Whoever brings a secret reveals it after the start. The token is shown only here; repeated
    with its Idempotency-Key, the answer has a fresh one.
    """
    if data.key and not is_usable(data.key):
        raise Rejected(RejectCode.BAD_KEY, detail="it is no point that only its owner can sign for")
    command = TakeSeat(
        name=data.name,
        commit=data.commit or "",
        secret="" if data.commit else new_secret(),
        key=data.key or "",
    )
    answer = await service.games.join(game, data.seat, command, idempotency_key or new_key())
    assert answer.seat is not None
    joined = Joined(
        game=str(game),
        seat=answer.seat,
        token=await service.credentials.issue(game, answer.seat),
        version=answer.version,
        table=view(answer.state, answer.seat),
        head=answer.head,
        receipt=receipt_for(answer, service.keys.current),
    )
    return Response(joined, headers={**PRIVATE, "ETag": tag(answer.version, answer.seat)})


@post(
    "/games/{game:uuid}/start",
    status_code=200,
    **described("startGame", 403, 409, 412, 422, 503, caller="host", headers=("ETag",)),
)
async def start_game(
    game: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
    if_match: IfMatch = "",
) -> Response[Done]:
    """Start the game: nobody joins any more, and the first round is dealt.

    Where seats have brought secrets, the deal waits until these are revealed.
    """
    expected = expected_versions(if_match, None)
    answer = await service.games.send(
        game, Act(Start(), host), idempotency_key or new_key(), expected
    )
    return _done(answer, None, service)


@post(
    "/games/{game:uuid}/void",
    status_code=200,
    **described("voidGame", 403, 409, 412, 422, 503, caller="host", headers=("ETag",)),
)
async def void_game(
    game: FromPath[UUID],
    data: JSONBody[VoidTable],
    host: Injected[int | None],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
    if_match: IfMatch = "",
) -> Response[Done]:
    """Break the game off without a winner; its secrets are revealed all the same."""
    expected = expected_versions(if_match, None)
    act = Act(VoidGame(data.reason), host)
    answer = await service.games.send(game, act, idempotency_key or new_key(), expected)
    return _done(answer, None, service)


@post(
    "/games/{game:uuid}/commands",
    status_code=200,
    **described("sendCommand", 403, 409, 412, 422, 503, caller="seat", headers=("ETag",)),
)
async def send_command(
    game: FromPath[UUID],
    data: JSONBody[Play],
    seat: Injected[int],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
    if_match: IfMatch = "",
    command_signature: CommandSignature = "",
) -> Response[Done]:
    """Play: answer a question that your seat is asked, with one of the commands of its kind.

    Answered after the events are stored for good. `look` shows the face of a joker that the
    command drew: only a repeat with the same Idempotency-Key shows it to its owner again.

    Where several seats answer `keep` at once, each answer moves the version on: leave If-Match
    out there, or expect 412, read the table again and retry.

    A seat that has registered a key signs each command for the event that it saw last; when
    somebody else has moved since, it signs anew. A repeat with the same Idempotency-Key is
    repeated with its signature too.
    """
    expected = expected_versions(if_match, seat)
    act = Act(data, seat, command_signature)
    answer = await service.games.send(game, act, idempotency_key or new_key(), expected)
    return _done(answer, seat, service)


WRITES: list[Any] = [open_game, take_seat, start_game, void_game, send_command]
