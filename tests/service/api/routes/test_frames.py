"""A game's frames over HTTP: what a page draws a replay from, for whoever may look on."""

import asyncio
import json
from copy import deepcopy
from typing import Any
from uuid import UUID

import httpx2
import msgspec

from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import evolve
from phaseledger.replay.transcript.frames import frames, header, ndjson
from phaseledger.replay.transcript.table import Step
from phaseledger.replay.viewer.marks import distances
from tests.support.cases import looped
from tests.support.service.api_tables import (
    PERSON,
    SHORT,
    Table,
    answer,
    bearer,
    by_host,
    greedily,
    play_on,
    started,
    whole_game,
)
from tests.support.service.problems import problem
from tests.support.service.server import Served
from tests.support.service.stream_reader import at_once, folded, listening, until

THREE = (PERSON, PERSON, PERSON)


def frames_of(table: Table, caller: int | None = None, **query: Any) -> list[dict[str, Any]]:
    """The lines of a document of frames, the header first."""
    headers = {} if caller is None else bearer(table.tokens[caller])
    answer = table.client.get(f"{table.path}/frames", headers=headers, params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def looked_on(table: Table, caller: int | None, seat: str) -> httpx2.Response:
    """The answer to a caller who wants to look on from a seat."""
    headers = {} if caller is None else bearer(table.tokens[caller])
    return table.client.get(f"{table.path}/frames?seat={seat}", headers=headers)


def steps_of(served: Served, table: Table) -> list[Step]:
    """The events of the table's log with the states after them."""
    steps: list[Step] = []
    for row in asyncio.run(served.parts.store.read(UUID(table.game))):
        event = codec.decode_event(row.topic, row.state)
        steps.append(Step(event, evolve(steps[-1].state if steps else None, event)))
    return steps


@looped("ruleset", ["classic", "board"])
def test_frames_are_those_that_the_replay_tells(served, client, ruleset):
    """Byte for byte, for a seat, a spectator and in German."""
    table = started(client, THREE, ruleset=ruleset)
    play_on(table, 30)
    steps = steps_of(served, table)
    state = steps[-1].state
    for seat, viewer, lang in ((1, 1, "en"), (None, None, "en"), (2, 2, "de")):
        expected = [header(state, len(steps), viewer, lang), *frames(steps, viewer, lang)]
        assert table.get("/frames", seat, lang=lang).content == b"".join(ndjson(expected))


def test_a_part_of_the_frames_begins_with_a_position_of_its_own(client):
    table = started(client, THREE)
    play_on(table, 12)
    _, *whole = frames_of(table, 0)
    about, first, *others = frames_of(table, 0, **{"from": 6, "to": 11})
    assert about["events"] == len(whole)
    assert [frame["seq"] for frame in (first, *others)] == [6, 7, 8, 9, 10, 11]
    assert others == whole[6:11]
    assert "patch" not in first
    assert first["position"] == position_after(whole[:6])
    assert frames_of(table, 0, **{"from": len(whole) + 1}) == [about]
    assert frames_of(table, 0, to=10_000)[1:] == whole
    for seq in (1, 9, 2, len(whole)):  # also as spectators ask, who do not see hands
        for caller, lines in ((0, whole), (None, frames_of(table)[1:])):
            _, frame = frames_of(table, caller, **{"from": seq, "to": seq})
            assert frame["position"] == position_after(lines[:seq])


def position_after(lines: list[dict[str, Any]]) -> Any:
    first, *others = deepcopy(lines)
    return folded(first["position"], [_Delta(frame) for frame in others])


class _Delta:
    """A frame as an event of a stream, to be folded."""

    name = "events"

    def __init__(self, frame: dict[str, Any]) -> None:
        self.data = frame


def test_who_may_look_on_from_where(client):
    """While the game goes on: one's own seat, or what spectators see."""
    table = started(client, THREE)
    play_on(table, 6)
    assert frames_of(table, 1)[0]["viewer"] == 1
    assert frames_of(table, 1, seat="1") == frames_of(table, 1)
    assert frames_of(table, 1, seat="spectator") == frames_of(table)
    for mine, seat in ((1, "0"), (1, "all"), (None, "0"), (None, "all")):
        problem(looked_on(table, mine, seat), 403, "hidden_cards")
    refused = problem(looked_on(table, 1, "3"), 400, "invalid_parameter")
    assert refused.errors[0].reason == "the table has seats 0 to 2"
    by_host(table, "POST", "/void", json={"reason": "rain"})
    assert {line["viewer"] for line in (frames_of(table)[0], frames_of(table, 1)[0])} == {"all"}
    for seat in ("0", "1", "2", "all", "spectator"):
        assert frames_of(table, seat=seat)[0]["stage"] == "voided"
    assert frames_of(table)[-1]["seq"] == table.version()


def test_spectators_are_told_no_more_than_the_terms_allow(client):
    delayed = started(client, THREE, terms={"spectators": "delayed", "delay": 7})
    for number in range(20):  # as the seats see it, since spectators are behind
        answer(delayed, delayed.get(seat=0).json()["table"]["waits"][0]["seat"], greedily, number)
    about, *lines = frames_of(delayed)
    assert (about["events"], len(lines)) == (delayed.version(), delayed.version())
    assert len(frames_of(delayed, 0)) - 1 == delayed.get(seat=0).json()["version"]
    assert len(frames_of(delayed, 0)) - len(frames_of(delayed)) == 7
    hidden = started(client, THREE, terms={"spectators": "none"})
    problem(hidden.get("/frames"), 403, "no_spectators")


def test_frames_of_a_game_that_is_over_never_change(client):
    table = Table(client, whole_game(client), "", {})
    answer = table.get("/frames")
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    tag = answer.headers["etag"]
    unchanged = client.get(f"{table.path}/frames", headers={"If-None-Match": tag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    german = {"Accept-Language": "de-AT, fr;q=0.4"}
    asked = ("?seat=0", {}), ("?lang=fr", {}), ("", german), ("?from=2", {}), ("?to=5", {})
    others = [
        client.get(f"{table.path}/frames{query}", headers=headers) for query, headers in asked
    ]
    assert len({tag, *(other.headers["etag"] for other in others)}) == 6
    vary = "Authorization, Accept-Language, Accept-Encoding"
    assert {other.headers["vary"] for other in others} == {vary}
    languages = [json.loads(other.text.splitlines()[0])["lang"] for other in others]
    assert languages == ["en", "fr", "de", "en", "en"]
    running = started(client, options=SHORT).get("/frames")
    assert running.headers["cache-control"] == "private, no-cache"


def test_who_sees_every_card_is_told_how_far_the_hands_were_from_their_phases(served, client):
    """From the first event on, as the viewer's document has it; others have to guess."""
    table = started(client, THREE)
    play_on(table, 12)
    assert "distance" not in frames_of(table, 0)[0]
    by_host(table, "POST", "/void", json={"reason": "rain"})
    expected = json.loads(msgspec.json.encode(distances(steps_of(served, table))))
    assert frames_of(table)[0]["distance"] == expected
    assert len(expected) == 3
    assert all(expected)
    for query in ({"seat": "0"}, {"seat": "spectator"}, {"from": 2}):
        assert "distance" not in frames_of(table, **query)[0]


# --- the same, live -------------------------------------------------------------------------------


def test_a_stream_tells_its_events_in_words_where_that_is_asked_for(client):
    table = started(client, THREE)
    version = table.version()
    with listening(table, 0, lines="de") as german, listening(table, 0) as plain:
        view = folded(None, until(german, version))
        until(plain, version)
        play_on(table, 12)
        events, bare = until(german, table.version()), until(plain, table.version())
    deltas = [event.data for event in events if event.name == "events"]
    lines = [line for delta in deltas for line in delta["lines"]]
    whole = [
        {name: value for name, value in frame.items() if name not in ("patch", "position")}
        for frame in frames_of(table, 0, lang="de")[1:]
    ]
    assert lines == whole[version:]
    assert folded(view, events) == table.get(seat=0, lang="de").json()
    assert all("lines" not in event.data for event in bare)
    # Whoever comes back is told what it missed.
    (missed,) = [e.data for e in at_once(table, 0, last=version, lines="de") if e.name == "events"]
    assert missed["lines"] == lines


def test_the_view_says_what_the_groups_are(client):
    """As the frames do, in each language."""
    table = started(client, options={"variant": "n_phases(1)"})
    while not table.get().json()["table"]["groups"]:
        play_on(table, 1)
    for lang in ("en", "de", "fr"):
        view = table.get(seat=0, lang=lang).json()
        assert view["legend"] == position_after(frames_of(table, 0, lang=lang)[1:])["legend"]
        assert len(view["legend"]["groups"]) == len(view["table"]["groups"]) > 0
    words = {
        lang: table.get(lang=lang).json()["legend"]["groups"][0]["words"]
        for lang in ("en", "de", "fr", "tlh")
    }
    assert words["tlh"] == words["en"] != words["de"] != words["fr"]
