"""Routes of the public log: verifier keys, checkpoints, proofs and cosignatures."""

from hashlib import sha256
from typing import Annotated, Any
from uuid import UUID

from litestar import MediaType, Response, get, post
from litestar.params import JSONBody, QueryParameter

from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import BadNote
from phaseledger.service.api.auth import caller as caller_of
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.etags import is_known
from phaseledger.service.api.requests.headers import IfNoneMatch
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.games.errors import GameArchived
from phaseledger.service.games.spectators import visible_snapshot
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.proofs import (
    ConsistencyProof,
    Cosignature,
    Cosigned,
    InclusionProof,
)
from phaseledger.service.schemas.versions import NEWEST
from phaseledger.service.transparency import proofs
from phaseledger.service.transparency.errors import (
    BadCosignature,
    NoCheckpoint,
    NotInLog,
    SizeUnknown,
    UnknownWitness,
)
from phaseledger.service.transparency.publisher import PublicLog
from phaseledger.service.transparency.tree import TreeHead

SHARED = {"Cache-Control": "no-cache"}

Size = Annotated[
    int, QueryParameter(ge=0, le=NEWEST, description="Of the tree, in leaves; 0 for the newest.")
]
ProofSize = Annotated[int, QueryParameter(ge=1, le=NEWEST, description="A size of the tree.")]


async def _newest(public: PublicLog) -> TreeHead:
    newest = await public.tree.newest()
    if newest is None:
        raise NoCheckpoint
    return newest


@get("/log/keys", media_type=MediaType.TEXT, **route_description("listLogKeys"))
async def list_log_keys(service: Injected[Service]) -> Response[str]:
    """The operator's verifier keys, one a line, oldest first, retired ones included.

    For information: that they are the operator's has to be known from elsewhere.
    """
    keys = "".join(f"{key}\n" for key in service.parts.keys.public)
    return Response(keys, headers=SHARED)


@get(
    "/log/checkpoint",
    media_type=MediaType.TEXT,
    **route_description("getCheckpoint", Occasion.LOG, raises=(NoCheckpoint,), headers=("ETag",)),
)
async def get_checkpoint(
    service: Injected[Service], if_none_match: IfNoneMatch = ""
) -> Response[str]:
    """The newest checkpoint, a signed note, with the cosignatures that it has.

    At most five seconds pass from an event to a checkpoint over it.
    """
    note = (await _newest(service.parts.log)).note
    current = f'"{sha256(note.encode()).hexdigest()[:32]}"'
    headers = {**SHARED, "ETag": current}
    if is_known(if_none_match, current):
        unchanged: Response[Any] = Response(None, status_code=304, headers=headers)
        return unchanged
    return Response(note, headers=headers)


@get(
    "/log/inclusion",
    **route_description(
        "proveInclusion", Occasion.PROVING, Occasion.LOG, raises=(NotInLog,), caller="viewer"
    ),
)
async def prove_inclusion(
    request: AnyRequest,
    service: Injected[Service],
    game: Annotated[UUID, QueryParameter()],
    seq: Annotated[int, QueryParameter(ge=1, le=NEWEST, description="The event's number.")],
    size: Size = 0,
) -> InclusionProof:
    """The proof that an event is in the log: its leaf's index and audit path.

    Sizes above the newest checkpoint's are not known here, even where there are more events.
    """
    newest, tree = await _newest(service.parts.log), service.parts.log.tree
    if size > newest.size:
        raise SizeUnknown(Phrase("adds.log.newest", count=newest.size))
    member = (await caller_of(request, game, service)).member
    try:
        version = (await visible_snapshot(service.games, game, member=member)).version
    except GameArchived as archived:  # the leaves of its events are in the log still
        version = archived.tombstone.events
    index = await tree.index(game, seq) if seq <= version else None
    if index is None or index >= (size or newest.size):
        raise NotInLog
    proof = await proofs.inclusion(tree, seq, index, size or newest.size)
    return InclusionProof(
        game=str(game), seq=seq, index=index, size=proof.size, path=_hex(proof.path)
    )


@get("/log/consistency", **route_description("proveConsistency", Occasion.PROVING, Occasion.LOG))
async def prove_consistency(
    service: Injected[Service], first: ProofSize, second: ProofSize
) -> ConsistencyProof:
    """The proof that a larger tree begins with a smaller one."""
    newest = await _newest(service.parts.log)
    if second > newest.size:
        raise SizeUnknown(Phrase("adds.log.newest", count=newest.size))
    if first > second:
        raise SizeUnknown(Phrase("adds.log.no_tree", count=second, total=first))
    path = await proofs.consistency(service.parts.log.tree, first, second)
    return ConsistencyProof(first, second, _hex(path))


def _hex(path: tuple[bytes, ...] | list[bytes]) -> tuple[str, ...]:
    return tuple(step.hex() for step in path)


@post(
    "/log/cosignatures",
    status_code=200,
    **route_description("cosignCheckpoint", Occasion.COSIGNING, Occasion.LOG),
)
async def cosign_checkpoint(data: JSONBody[Cosignature], service: Injected[Service]) -> Cosigned:
    """Leave a witness's cosignature on a published checkpoint.

    Only the witnesses that the operator has named are heard; other signatures are passed over.
    """
    try:
        note = notes.note(data.note)
        checkpoint = notes.checkpoint(note.text)
    except BadNote as error:
        raise BadCosignature(str(error)) from None
    signers = {(signature.name, signature.hash) for signature in note.signatures}
    witnesses = [
        witness
        for witness in service.parts.log.witnesses
        if (witness.name, witness.hash) in signers
    ]
    if not witnesses:
        raise UnknownWitness
    tree = service.parts.log.tree
    published = await tree.published(checkpoint.size)
    if published is None or notes.note(published.note).text != note.text:
        raise BadCosignature(Phrase("adds.log.none"))
    for witness in witnesses:
        if not notes.signed_by(note, witness):
            raise BadCosignature(Phrase("adds.log.not_signed", key=witness.id))
    for witness in witnesses:
        lines = (
            str(line)
            for line in note.signatures
            if (line.name, line.hash) == (witness.name, witness.hash)
        )
        await tree.cosign(checkpoint.size, witness.id, next(lines))
    return Cosigned(checkpoint.size, tuple(witness.id for witness in witnesses))


HANDLERS: list[Any] = [
    list_log_keys,
    get_checkpoint,
    prove_inclusion,
    prove_consistency,
    cosign_checkpoint,
]
