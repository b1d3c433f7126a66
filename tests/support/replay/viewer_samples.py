"""Documents of the viewer: of golden games, with a finding, and such as nobody should be sent."""

import base64
import gzip
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.frames import frames, header, ndjson
from phaseledger.replay.transcript.table import Step
from tests.support.replay.golden_steps import golden_steps, viewers


def chair(viewer: Viewer) -> str:
    return "spectator" if viewer is None else str(viewer)


def packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, mtime=0)).decode()


@cache
def golden_frames(name: str, viewer: Viewer) -> bytes:
    """The frames of a golden game for a viewer, as lines."""
    return b"".join(ndjson(frames(golden_steps(name), viewer)))


@cache
def _packed_golden(name: str, viewer: Viewer) -> str:
    return packed(golden_frames(name, viewer))


def document(name: str, steps: Sequence[Step] | None = None, **more: Any) -> dict[str, Any]:
    """The document of a golden game, or of the steps, for every chair."""
    taken = golden_steps(name) if steps is None else steps
    last = taken[-1].state
    head = msgspec.to_builtins(header(last, len(taken), "all"))
    chairs = viewers(len(last.seats))
    types = [type(step.event).__name__ for step in taken]

    def marks(*kinds: str) -> list[int]:
        return [seq for seq, kind in enumerate(types, 1) if kind in kinds]

    return {
        "viewer": "p10-viewer/v1",
        "title": name,
        "game": head["game"],
        "rules": head["rules"],
        "stage": head["stage"],
        "events": len(taken),
        "langs": ["en"],
        "seats": head["seats"],
        "chairs": [chair(viewer) for viewer in chairs],
        "frames": {
            chair(viewer): _packed_golden(name, viewer)
            if steps is None
            else packed(b"".join(ndjson(frames(steps, viewer))))
            for viewer in chairs
        },
        "marks": {
            "rounds": marks("RoundDealt"),
            "laid": marks("PhaseLaid"),
            "out": marks("RoundEnded"),
            "skips": marks("SkipServed"),
            "timeouts": marks("TurnTimedOut"),
        },
        "distance": [
            [[seq, seq % 7] for seq in marks("CardDiscarded")] for _ in range(len(last.seats))
        ],
        "verdict": {"headline": "All holds", "grade": "sound", "sound": True, "lines": ["One."]},
        "findings": [],
        **more,
    }


FINDINGS = [
    {
        "seq": 40,
        "code": "outcome_differs",
        "text": "The card is another than the seed gives.",
        "rule": "C-14",
        "rule_text": "The drawn card is the top card of the stock or of the discard pile.",
        "turn": "a draw in round 1",
        "recorded": {"sentence": "A wild was drawn", "cards": "W R5", "raw": "card=W"},
        "expected": {"sentence": "A red 4 was due", "cards": "R4 R5", "raw": "card=R4"},
        "blame": "The operator.",
        "proves": "Whoever wrote the log changed a card.",
        "todo": "Void the game.",
        "chain": {"leaf": "ab" * 32, "prev": "cd" * 32, "index": 51204},
        "vouch": ["Two receipts.", "A witness."],
    },
    {"seq": 60, "code": "chain_broken", "text": "The chain is broken here."},
    {"seq": 0, "code": "receipt_conflict", "text": "A receipt tells another story."},
]
"""A finding with all that there can be, one with the least, and one about no event."""
