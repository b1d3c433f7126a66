"""Frames of a stream of server-sent events, as bytes (WHATWG HTML, section 9.2)."""

import secrets
from collections.abc import Iterable
from typing import Annotated, NewType

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from phaseledger.domain.explain.refusals import title_of
from phaseledger.replay.formats.json_patch import Operation
from phaseledger.service.credentials.errors import TokenExpired, TokenRevoked, TokenUnknown
from phaseledger.service.games.game import Snapshot
from phaseledger.service.schemas.streams import (
    Closed,
    Delta,
    End,
    Reacted,
    Rewound,
    StreamCloseCode,
)
from phaseledger.service.schemas.versions import KnownVersion, named

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"
RETRY = 1_000
"""Milliseconds after which a client that lost its stream reconnects."""
HEARTBEAT = b": heartbeat\n\n"

DETAILS: dict[StreamCloseCode, str] = {
    "fell_behind": "Too much waited to be read. Come back with Last-Event-ID, and read faster.",
    "token_revoked": title_of(TokenRevoked.code),
    "token_expired": title_of(TokenExpired.code),
    "token_unknown": title_of(TokenUnknown.code),
    "seat_lost": "The seat is not the caller's any more. Come back to watch where that is allowed.",
    "not_for_spectators": "The table's terms let nobody watch any more who has no seat.",
    "store_unavailable": "The event log cannot be reached. Come back with Last-Event-ID.",
    "shutting_down": "The server stops. Come back with Last-Event-ID after the time in `retry`.",
    "broken": "Something went wrong here. Come back with Last-Event-ID.",
}


_EventStreamText = Annotated[
    str,
    Meta(
        description="Server-sent events. The `data` of each is JSON, of the shape named here.",
        extra_json_schema={
            "type": "string",
            "x-events": {
                "state": {"$ref": "#/components/schemas/GameView"},
                "events": {"$ref": "#/components/schemas/Delta"},
                "asked": {"$ref": "#/components/schemas/Actions"},
                "end": {"$ref": "#/components/schemas/End"},
                "reaction": {"$ref": "#/components/schemas/Reacted"},
                "closed": {"$ref": "#/components/schemas/Closed"},
                "rewound": {"$ref": "#/components/schemas/Rewound"},
            },
        },
    ),
]
SHOWN = {
    SSE: {
        "a commit and the end": "retry: 1000\n\nid: 41-5f0e0a3f8d1c4b7e\nevent: events\n"
        'data: {"version":41,"head":"'
        '5f0e0a3f8d1c4b7e9a2d6c1f0b8e7d5a4c3f2e1d0b9a8f7e6d5c4b3a29181706","events":[],"patch":'
        '[{"op":"replace","path":"/version","value":41}]}\n\n'
        "id: 42-1a0f66c1e0b94d33\nevent: end\n"
        'data: {"version":42,"stage":"ended","winners":[1]}\n\n',
        "a reason to come back": "event: closed\ndata: "
        '{"code":"fell_behind","detail":"Too much waited to be read."}\n\n',
    }
}
"""Examples of streams, by their media type and what happens."""

EventStream = NewType(
    "EventStream", _EventStreamText
)  # the framework copies the attributes of a route


def frame(event: str, data: Struct, now: Snapshot | None = None) -> bytes:
    """The frame of one event. Without a snapshot the client's last event id stays as it is."""
    name = b"id: %s\n" % str(named(now.version, now.chain.head)).encode() if now else b""
    return b"%sevent: %s\ndata: %s\n\n" % (name, event.encode(), msgspec.json.encode(data))


def lines(events: Iterable[Raw]) -> bytes:
    """Events as NDJSON, one a line."""
    return b"".join(bytes(event) + b"\n" for event in events)


def delta(
    now: Snapshot,
    events: tuple[Raw, ...],
    patch: list[Operation],
    in_words: tuple[Raw, ...] | UnsetType = UNSET,
) -> bytes:
    """The frame that brings a client's view to the snapshot; ``in_words``: the events as lines."""
    data = Delta(
        version=now.version,
        head=now.chain.head,
        events=events,
        patch=tuple(patch),
        lines=in_words,
    )
    return frame("events", data, now)


def end(now: Snapshot) -> bytes:
    """The last frame of a game's stream."""
    data = End(now.version, now.state.stage, now.state.winners)
    return frame("end", data, now)


def reaction(reacted: Reacted) -> bytes:
    """The frame of a player's reaction, which a resumed stream does not repeat."""
    return frame("reaction", reacted)


def rewound(version: KnownVersion) -> bytes:
    """The frame for a client whose version is none of this log's."""
    return frame("rewound", Rewound(version.number))


def closed(code: StreamCloseCode) -> bytes:
    """The last frame of a stream that the server ends before its game is over."""
    # After a restart the clients come back one by one.
    wait = RETRY // 2 + secrets.randbelow(2 * RETRY)
    retry = b"retry: %d\n" % wait if code == "shutting_down" else b""
    return retry + frame("closed", Closed(code, DETAILS[code]))
