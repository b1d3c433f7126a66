"""The route of a game's evidence bundle: one file for `phaseledger verify` or other verifiers."""

import asyncio
from typing import Any
from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath

from phaseledger.replay.bundle.lines import Inclusion
from phaseledger.replay.bundle.writer import Proofs, bundle_lines
from phaseledger.service.api.auth import AnyRequest, Caller, Injected, Service, visible_game
from phaseledger.service.api.errors import BundleTooLong
from phaseledger.service.api.headers import REVALIDATED
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.integrity import require_intact
from phaseledger.service.refusals import Occasion
from phaseledger.service.streams.sse import NDJSON
from phaseledger.service.transparency import tree as trees

AT_ONCE = 2  # bundles that are written; others wait, since each is as much work as a whole game
PATIENCE = 5.0  # seconds for a checkpoint over the game's last event; sooner or later there is one


@get(
    "/games/{game:uuid}/bundle",
    media_type=NDJSON,
    **route_description(
        "getBundle",
        Occasion.LOG,
        raises=(BundleTooLong,),
        caller="viewer",
        headers=("Content-Disposition",),
    ),
)
async def get_bundle(
    request: AnyRequest,
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
) -> Response[bytes]:
    """The game's evidence in one file: events, opened seals, secrets, receipts, checkpoint, proofs.

    `p10-bundle/v1`, one JSON object a line (docs/evidence.md), which `phaseledger verify` checks
    without a network. Of a running game it opens what the caller's seat may know. The answer waits
    some seconds for a checkpoint of the log that covers the game's last event.
    """
    caller, now = await visible_game(request, service, game, caller)
    await service.partitions.of(game).log.publisher.covered(game, now.version, PATIENCE)
    async with service.bundling:
        bundle = await _bundle(service, game, caller.seat, now)
    name = f'attachment; filename="{game}.bundle.ndjson"'
    return Response(bundle, headers={**REVALIDATED, "Content-Disposition": name})


async def _bundle(service: Service, game: UUID, viewer: int | None, now: Snapshot) -> bytes:
    """The bundle of a game at the snapshot's version."""
    public = service.partitions.of(game).log
    evidence = await trees.evidence(public.tree, game, now.version)
    rows = await service.store.read(game, 0, now.version)
    await require_intact(public.tree, game, rows, now.chain.key, last=now.version, placed=True)

    def lines() -> bytes:
        bundle = bundle_lines(
            [row.state for row in rows],
            viewer=viewer,
            keys=[*service.keys.public, *public.witnesses],
            signer=service.keys.current,
            proofs=evidence and Proofs(evidence.note, tuple(map(_inclusion, evidence.inclusions))),
        )
        return b"".join(bundle)

    # Some hundred signatures take a while, during which others want to play.
    return await asyncio.to_thread(lines)


def _inclusion(proof: trees.Proof) -> Inclusion:
    path = tuple(step.hex() for step in proof.path)
    return Inclusion(index=proof.index, path=path, seq=proof.seq, size=proof.size)


HANDLERS: list[Any] = [get_bundle]
