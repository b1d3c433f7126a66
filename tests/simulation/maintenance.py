"""What an operator does beside the nodes: build the views anew, in a process of its own."""

import asyncio
from contextvars import Context

from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.readmodels.follower import RebuildRunning, rebuild
from tests.simulation.loop import PROCESS, Process, VirtualLoop
from tests.simulation.network import DSN, Network


async def rebuild_views(loop: VirtualLoop, network: Network, seconds: float) -> str:
    """Rebuild the views; what has come of it. Whatever is not done in so many seconds is killed."""
    process, context = Process("operator"), Context()
    context.run(PROCESS.set, process)
    task = loop.create_task(_rebuilt(), name="rebuild", context=context)
    done, _ = await asyncio.wait([task], timeout=seconds)
    if done:
        return task.result()
    process.killed = True
    network.cut_all(process)
    return "killed"


async def _rebuilt() -> str:
    try:
        async with PostgresStore(DSN) as store:
            return f"rebuilt to {await rebuild(store, DSN)}"
    except (StoreUnavailable, RebuildRunning) as refusal:
        return type(refusal).__name__
