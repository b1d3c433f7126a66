"""The description of the API is true: committed, valid, and held against the running service."""

import os
import subprocess
import sys
from pathlib import Path

import httpx2
import msgspec
from openapi_spec_validator import OpenAPIV31SpecValidator

from service.app import in_memory, routes
from service.description import describe, text

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"

PROJECT = """
headers = {{ Authorization = "Bearer {token}" }}
[parameters]
"path.game" = "{game}"
# With the game given, it takes a path with another parameter for one with a wrong game.
"path.seq" = 1
"path.name" = "classic"
# A rule may refuse what the schema allows: that is 422, and 400 is left to mean the schema.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "412", "422"]
"""


def test_the_committed_description_is_current():
    assert COMMITTED.read_bytes() == text(routes(in_memory())), "run phaseledger openapi"


def test_the_description_is_printed_to_stdout():
    command = [sys.executable, "-m", "service.cli", "openapi"]
    printed = subprocess.run(command, cwd=COMMITTED.parents[1], capture_output=True, check=True)
    assert printed.stdout == COMMITTED.read_bytes()


def test_the_description_is_valid_openapi():
    OpenAPIV31SpecValidator(msgspec.json.decode(COMMITTED.read_bytes())).validate()


def test_every_route_is_described():
    app = routes(in_memory())
    served = {
        (route.path_format, method.lower())
        for route in app.routes
        for method in route.methods - {"OPTIONS"}
        if route.path != "/v1/openapi.json"
    }
    described = {(path, method) for path, item in describe(app)["paths"].items() for method in item}
    assert described == served


def test_fields_are_described_as_the_code_describes_them():
    """What a name does not say stands below the field, and so in the description."""
    shapes = msgspec.json.decode(COMMITTED.read_bytes())["components"]["schemas"]
    described = [
        ("SeatView", "front", "Skip cards lying in front of the seat."),
        ("TableView", "discard", "The top card of the discard pile."),
        ("OptionInfo", "rules", "IDs of the rule book."),
        ("Problem", "version", "The game's version, where another one was expected."),
    ]
    for shape, field, said in described:
        assert shapes[shape]["properties"][field]["description"] == said
    for field in ("jokers", "made", "pawn", "playing"):
        assert shapes["SeatView"]["properties"][field]["description"].endswith(".")
    for field in ("pile", "dice", "action", "hand", "waits"):
        assert shapes["TableView"]["properties"][field]["description"].endswith(".")


def test_the_service_serves_its_description(client: httpx2.Client):
    assert client.get("/openapi.json").content == COMMITTED.read_bytes()


def _fuzz(served, folder: Path, game: str, token: str, cases: int) -> None:
    (folder / "schemathesis.toml").write_text(PROJECT.format(token=token, game=game))
    done = subprocess.run(
        [
            *(Path(sys.executable).parent / "schemathesis", "run"),
            *(f"{served.url}/v1/openapi.json", "--checks", "all"),
            *("-n", str(cases), "-w", "1", "--seed", "10", "--no-color"),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr


def _open(client: httpx2.Client) -> dict[str, str]:
    seats = [{"kind": "person"}, {"kind": "bot"}]
    opened = client.post("/games", json={"ruleset": "classic", "seats": seats}).json()
    joined = client.post(f"/games/{opened['game']}/seats", json={"name": "Ann"}).json()
    host = {"Authorization": f"Bearer {opened['host_token']}"}
    assert client.post(f"/games/{opened['game']}/start", headers=host).status_code == 200
    return {"game": opened["game"], "host": opened["host_token"], "seat": joined["token"]}


def test_schemathesis_finds_nothing_as_a_seat(served, client, tmp_path):
    table = _open(client)
    _fuzz(served, tmp_path, table["game"], table["seat"], 30)
    _is_alive(client, table["game"])


def test_schemathesis_finds_nothing_as_the_host(served, client, tmp_path):
    table = _open(client)
    _fuzz(served, tmp_path, table["game"], table["host"], 10)
    _is_alive(client, table["game"])


def _is_alive(client: httpx2.Client, game: str) -> None:
    events = client.get(f"/games/{game}/events", params={"limit": 1000}).content
    assert msgspec.json.decode(events)["events"]
