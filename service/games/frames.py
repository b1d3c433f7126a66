"""A game as frames, out of its log: what a page draws a replay from."""

from collections.abc import AsyncGenerator
from itertools import islice

from msgspec import UNSET

from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import evolve
from phaseledger.domain.words import Language
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.frames import frames, header, ndjson
from phaseledger.replay.transcript.walk import Step
from phaseledger.replay.viewer.marks import distances
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.integrity import ProvenRows
from phaseledger.service.runtime.work import in_thread, paced

AT_A_TIME = 100
"""Frames made at a time: some 20 ms of a thread."""


async def frame_lines(
    now: Snapshot, stretch: ProvenRows, viewer: Viewer, lang: Language, first: int
) -> AsyncGenerator[bytes]:
    """The header of the game as it is ``now`` and the frames of events ``first`` and on, as lines.

    ``stretch`` ends with the last event to be told, and begins with the first one or before that.
    """
    steps = await in_thread(lambda: _steps(stretch))
    is_whole = viewer == "all" and first == 1
    distance = await in_thread(lambda: distances(steps)) if is_whole else UNSET
    yield b"".join(ndjson([header(now.state, now.version, viewer, lang, distance)]))
    skipped = first - 1 - (stretch.before.version if stretch.before else 0)
    lines = ndjson(frames(steps[skipped:], viewer, lang, first))
    while part := await in_thread(lambda: b"".join(islice(lines, AT_A_TIME))):
        yield part
        await paced()


def _steps(stretch: ProvenRows) -> list[Step]:
    """The events with the states after them."""
    steps: list[Step] = []
    state = stretch.before.state if stretch.before else None
    for row in stretch.rows:
        event = codec.decode_event(row.topic, row.state)
        state = evolve(state, event)
        steps.append(Step(event, state))
    return steps
