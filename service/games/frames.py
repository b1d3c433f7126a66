"""A game as frames, out of its log: what a page draws a replay from."""

from collections.abc import AsyncGenerator, Sequence
from itertools import islice

from msgspec import UNSET

from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import evolve
from phaseledger.domain.words import Language
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.frames import frames, header, ndjson
from phaseledger.replay.transcript.table import Step
from phaseledger.replay.viewer.marks import distances
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.game import Snapshot
from phaseledger.service.runtime.work import in_thread, paced

AT_A_TIME = 100
"""Frames made at a time: some 20 ms of a thread."""


async def frame_lines(
    now: Snapshot, before: Snapshot | None, rows: Sequence[Row], viewer: Viewer, lang: Language
) -> AsyncGenerator[bytes]:
    """The header of the game as it is ``now`` and the frames of the rows' events, as lines.

    ``before`` is the game before the first of them; None: they begin with its opening.
    """
    steps = await in_thread(lambda: _steps(before, rows))
    is_whole = viewer == "all" and before is None
    distance = await in_thread(lambda: distances(steps)) if is_whole else UNSET
    yield b"".join(ndjson([header(now.state, now.version, viewer, lang, distance)]))
    first = before.version + 1 if before else 1
    lines = ndjson(frames(steps, viewer, lang, first))
    while part := await in_thread(lambda: b"".join(islice(lines, AT_A_TIME))):
        yield part
        await paced()


def _steps(before: Snapshot | None, rows: Sequence[Row]) -> list[Step]:
    """The events with the states after them."""
    steps: list[Step] = []
    state = before.state if before else None
    for row in rows:
        event = codec.decode_event(row.topic, row.state)
        state = evolve(state, event)
        steps.append(Step(event, state))
    return steps
