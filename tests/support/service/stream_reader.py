"""A reader of event streams, written from the specifications alone."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx2

from tests.support.service.api_tables import Table, bearer

SSE = "text/event-stream"


class StreamEvent(NamedTuple):
    """One event of a stream; a comment has no name."""

    id: int | None
    """The version that the event's id names."""
    name: str
    data: Any
    full_id: str = ""


def parsed(lines: Iterator[str]) -> Iterator[StreamEvent]:
    """Server-sent events out of lines (WHATWG HTML, 9.2.6), comments as well."""
    fields: dict[str, str] = {}
    for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line.startswith(":"):
            yield StreamEvent(None, "", value)
        elif line:
            fields[field] = value
        elif "data" in fields:
            full_id = fields.get("id", "")
            number = int(full_id.partition("-")[0]) if full_id else None
            yield StreamEvent(number, fields["event"], json.loads(fields["data"]), full_id)
            fields = {}
        else:
            fields = {}


@contextmanager
def listening(
    table: Table, seat: int | None = None, last: int | str | None = None, **parameters: Any
) -> Iterator[Iterator[StreamEvent]]:
    """An open stream of the table, as the seat gets it."""
    headers = {"Accept": SSE} | ({} if seat is None else bearer(table.tokens[seat]))
    if last is not None:
        headers["Last-Event-ID"] = str(last)
    path = f"{table.path}/events"
    with table.client.stream("GET", path, headers=headers, params=parameters) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith(SSE)
        yield parsed(answer.iter_lines())


def at_once(
    table: Table, seat: int | None = None, last: int | str | None = None, **parameters: Any
) -> list[StreamEvent]:
    """What there is on the stream now."""
    with listening(table, seat, last, once="true", **parameters) as stream:
        return list(stream)


def until(stream: Iterator[StreamEvent], version: int) -> list[StreamEvent]:
    """The events up to the one that leads to the version."""
    events = []
    for event in stream:
        events.append(event)
        if event.id is not None and event.id >= version:
            return events
    raise AssertionError(f"the stream ended before {version}: {events}")


def folded(view: Any, events: list[StreamEvent]) -> Any:
    """The view after the events, by their state and their patches (RFC 6902)."""
    for event in events:
        if event.name == "state":
            view = event.data
        elif event.name == "events":
            for operation in event.data["patch"]:
                _apply(view, operation)
    return view


def _apply(tree: Any, operation: dict[str, Any]) -> None:
    *way, last = (
        part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")[1:]
    )
    for part in way:
        tree = tree[int(part) if isinstance(tree, list) else part]
    if isinstance(tree, list):
        place = int(last)
        if operation["op"] == "remove":
            del tree[place]
        elif operation["op"] == "add":
            assert place <= len(tree)
            tree.insert(place, operation["value"])
        else:
            tree[place] = operation["value"]
    elif operation["op"] == "remove":
        del tree[last]
    else:
        assert (last in tree) == (operation["op"] == "replace")
        tree[last] = operation["value"]


def seqs(events: list[StreamEvent]) -> list[int]:
    """The numbers of the game's events in all deltas."""
    return [
        row["seq"] for event in events if event.name == "events" for row in event.data["events"]
    ]


def opened_http(url: str) -> httpx2.Client:
    return httpx2.Client(base_url=f"{url}/v1", timeout=None)
