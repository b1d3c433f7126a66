"""The public log over HTTP: checkpoints, proofs, cosignatures."""

from collections.abc import Iterator
from uuid import uuid4

import httpx2
import msgspec
import pytest

from phaseledger.domain.evidence import merkle
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import COSIGNATURE, Note, SigningKey
from phaseledger.service.transparency.publisher import PublicLog
from tests.support.polling import eventually
from tests.support.service.api_tables import Table, ok, open_table, whole_game
from tests.support.service.memory_ledger import in_memory, in_memory_log
from tests.support.service.server import Served, serving
from tests.support.service.stream_reader import opened_http

WITNESSES = tuple(SigningKey.new(name, COSIGNATURE) for name in ("one", "two"))


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    parts = in_memory()
    log = in_memory_log(parts.store, parts.keys)
    witnesses = tuple(key.public for key in WITNESSES)
    with serving(parts._replace(log=PublicLog(log.publisher, witnesses))) as service:
        yield service


def covering(client: httpx2.Client, game: str, seq: int) -> dict:
    """The proof for an event, once there is one."""

    def proved(answer: httpx2.Response) -> bool:
        if answer.status_code == 200:
            return True
        assert answer.json()["code"] in ("not_in_log", "no_checkpoint")
        return False

    params = {"game": game, "seq": seq}
    return ok(eventually(lambda: client.get("/log/inclusion", params=params), proved))


def newest(client: httpx2.Client) -> tuple[Note, notes.Checkpoint]:
    note = notes.note(client.get("/log/checkpoint").text)
    return note, notes.checkpoint(note.text)


def code(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_before_the_first_event_there_is_no_checkpoint() -> None:
    with serving(in_memory()) as fresh, opened_http(fresh.url) as client:
        proofs = f"inclusion?game={uuid4()}&seq=1", "consistency?first=1&second=1"
        for path in ("checkpoint", *proofs):
            assert code(client.get(f"/log/{path}")) == (404, "no_checkpoint")
        assert client.get("/log/keys").text == f"{fresh.parts.keys.current.public}\n"


def test_every_event_of_a_game_is_proved(client: httpx2.Client, served: Served) -> None:
    table = Table(client, whole_game(client), "", {})
    lines = {"Accept": "application/x-ndjson"}
    events = client.get(f"{table.path}/events", headers=lines).text.splitlines()
    covering(client, table.game, len(events))
    note, checkpoint = newest(client)
    assert notes.signed_by(note, served.parts.keys.current.public)
    ready = ok(httpx2.get(f"{served.url}/health/ready"))
    assert ready["signed"] == checkpoint.size
    assert ready["keys"] == [served.parts.keys.current.public.id]
    prevs = [msgspec.json.decode(event)["prev"] for event in events[1:]]
    for seq, leaf in enumerate(prevs[:40], 1):
        proof = ok(client.get("/log/inclusion", params={"game": table.game, "seq": seq}))
        path = [bytes.fromhex(step) for step in proof["path"]]
        place = proof["index"], proof["size"], path, checkpoint.root
        assert proof["size"] == checkpoint.size
        assert merkle.proves_inclusion(bytes.fromhex(leaf), *place)


def test_sizes_go_on_from_one_another(client: httpx2.Client) -> None:
    sizes = {}
    for _ in range(3):
        table = open_table(client)
        covering(client, table.game, table.version())
        _, checkpoint = newest(client)
        sizes[checkpoint.size] = checkpoint.root
    first, *_, last = sizes
    for size, root in sizes.items():
        answer = ok(client.get("/log/consistency", params={"first": size, "second": last}))
        path = [bytes.fromhex(step) for step in answer["path"]]
        assert merkle.proves_consistency(size, root, last, sizes[last], path)
        proof = ok(
            client.get("/log/inclusion", params={"game": table.game, "seq": 1, "size": last})
        )
        assert proof["size"] == last
    earlier = {"game": table.game, "seq": 1, "size": first}
    assert code(client.get("/log/inclusion", params=earlier)) == (409, "not_in_log")


def test_what_cannot_be_proved_is_refused(client: httpx2.Client) -> None:
    table = open_table(client)
    covering(client, table.game, table.version())
    size = newest(client)[1].size
    for path, expected in (
        (f"inclusion?game={uuid4()}&seq=1", (404, "no_such_game")),
        (f"inclusion?game={table.game}&seq=999", (409, "not_in_log")),
        (f"inclusion?game={table.game}&seq=1&size={size + 1}", (404, "size_unknown")),
        (f"inclusion?game={table.game}&seq=0", (400, "invalid_parameter")),
        (f"consistency?first=1&second={size + 1}", (404, "size_unknown")),
        ("consistency?first=2&second=1", (404, "size_unknown")),
        ("consistency?first=0&second=1", (400, "invalid_parameter")),
    ):
        assert code(client.get(f"/log/{path}")) == expected, path


def test_the_checkpoint_is_cached_by_its_tag(client: httpx2.Client) -> None:
    table = open_table(client)
    covering(client, table.game, table.version())
    answer = client.get("/log/checkpoint")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    held = {"If-None-Match": answer.headers["etag"]}
    assert client.get("/log/checkpoint", headers=held).status_code == 304
    cosigned(client, WITNESSES[0])
    later = client.get("/log/checkpoint", headers=held)
    assert later.status_code == 200
    assert later.text.startswith(answer.text)


def cosigned(client: httpx2.Client, *keys: SigningKey) -> httpx2.Response:
    note, _ = newest(client)
    signatures = tuple(notes.signature(note.text, key, 1_800_000_000) for key in keys)
    return client.post("/log/cosignatures", json={"note": str(Note(note.text, signatures))})


def test_a_cosignature_is_shown_with_its_checkpoint(client: httpx2.Client) -> None:
    table = open_table(client)
    covering(client, table.game, table.version())
    stranger = SigningKey.new("stranger", COSIGNATURE)
    answer = ok(cosigned(client, stranger, *WITNESSES))
    note, checkpoint = newest(client)
    assert answer == {"size": checkpoint.size, "witnesses": [key.public.id for key in WITNESSES]}
    assert all(notes.signed_by(note, key.public) for key in WITNESSES)
    assert stranger.public.name not in [signature.name for signature in note.signatures]
    assert ok(cosigned(client, *WITNESSES))
    assert str(newest(client)[0]).count("— one ") == 1


def test_what_is_no_cosignature_is_refused(client: httpx2.Client) -> None:
    table = open_table(client)
    covering(client, table.game, table.version())
    note, checkpoint = newest(client)
    witness = WITNESSES[0]

    def post(text: str, signature: notes.Signature) -> tuple[int, str]:
        given = {"note": str(Note(text, (signature,)))}
        return code(client.post("/log/cosignatures", json=given))

    stranger = notes.signature(note.text, SigningKey.new("x", COSIGNATURE), 5)
    assert post(note.text, stranger) == (403, "unknown_witness")
    good = notes.signature(note.text, witness, 5)
    wrong = good._replace(signed=bytes([good.signed[0] ^ 1, *good.signed[1:]]))
    assert post(note.text, wrong) == (422, "bad_cosignature")
    others = {"root": b"\7" * 32}, {"size": checkpoint.size + 1}, {"size": 1}, {"origin": "other"}
    for text in (*(checkpoint._replace(**other).text() for other in others), "no checkpoint\n"):
        assert post(text, notes.signature(text, witness, 5)) == (422, "bad_cosignature")
    answer = client.post("/log/cosignatures", json={"note": "nonsense"})
    assert code(answer) == (422, "bad_cosignature")
    assert not notes.signed_by(newest(client)[0], witness.public)
