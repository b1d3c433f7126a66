"""Every operation answers every caller what tests/contract/matrix.txt says.

`MATRIX=write pytest tests/contract/test_matrix.py` writes it anew; read the difference.
"""

import os
from pathlib import Path

import httpx2

from phaseledger.service.settings import Settings
from tests.contract.matrix import CALLERS, STAGES, Asked, asked_by, other_game, set_up, written
from tests.support.openapi_operations import Description, operations

MATRIX = Path(__file__).with_name("matrix.txt")
WRITE = os.environ.get("MATRIX") == "write"
ALIKE = (("spectator",), ("revoked", "expired"), CALLERS[:1] + CALLERS[2:6] + CALLERS[8:])
"""Callers whose requests may go to one game, as long as none changes it."""


def committed() -> dict[str, dict[str, str]]:
    """The rows of the committed table: operation to caller to status."""
    head, *lines = MATRIX.read_text().splitlines()
    columns = [column.strip() for column in head.split("  ") if column.strip()]
    assert columns[1:] == list(CALLERS)
    return {line.split()[0]: dict(zip(CALLERS, line.split()[1:], strict=True)) for line in lines}


def test_everybody_gets_what_the_table_says(
    client: httpx2.Client, settings: Settings, description: Description
) -> None:
    elsewhere = other_game(client)

    def fresh(stage: str, *callers: str, hooked: bool = True) -> Asked:
        terms = {"spectators": "none"} if callers == ("spectator",) else {}
        private = {"private": True} if stage == "private" else {}
        return set_up(
            client, settings, stage, callers, elsewhere, hooked=hooked, **terms, **private
        )

    unseen, in_play = fresh("play", "spectator"), fresh("play", *CALLERS)
    # A refusal leaves the table for the next one.
    unchanged: dict[tuple[str, tuple[str, ...], bool], Asked] = {}
    statuses: dict[str, dict[str, str]] = {}
    for name, operation in operations(description).items():
        for caller in CALLERS:
            stage = STAGES.get(name, "")
            reads = operation.method == "get" or not (stage or "{game}" in operation.path)
            shared = unseen if caller == "spectator" else in_play
            callers = next(group for group in ALIKE if caller in group)
            kind = stage or "play", callers, "{hook}" in operation.path
            game = shared if reads else unchanged.pop(kind, None)
            game = game or fresh(kind[0], *callers, hooked=kind[2])
            answer = asked_by(operation, caller, game, client)
            if not reads and answer.is_client_error:
                unchanged[kind] = game
            assert str(answer.status_code) in operation.answers, (name, caller, answer.text)
            statuses.setdefault(name, {})[caller] = str(answer.status_code)
    if WRITE:
        MATRIX.write_text(written(statuses))
    assert statuses == committed()


NOBODY = ("anonymous", "spectator")
SECRET = {
    "anonymous": {"401"},
    "spectator": {"401", "403"},
    "other game": {"404"},
    "revoked": {"401"},
    "expired": {"401"},
}


def test_the_table_agrees_with_the_security_of_the_description(description: Description) -> None:
    """Whoever needs a token is refused without a living one of this game."""
    for name, row in committed().items():
        security = operations(description)[name].specification["security"]
        if security == [{"applicationKey": []}]:
            shown = {row[caller] for caller in CALLERS if "application" not in caller}
            assert shown == {"401"}, name
            continue
        if security and {"playerSession": []} in security:
            assert {row[caller] for caller in CALLERS[:-4]} == {"401"}, name
            assert row["other player"] in ("401", "404") or name == "signOut", name
            continue
        for caller, statuses in SECRET.items():
            of_tables = any("seatToken" in way or "hostToken" in way for way in security)
            if of_tables and ({} not in security or caller not in NOBODY):
                assert row[caller] in statuses, (name, caller)
        if security and {} not in security:
            kinds = {kind for scheme in security for kind in scheme}
            allowed = {"seatToken": "own seat", "hostToken": "host"}
            for kind, caller in allowed.items():
                assert (row[caller] in ("401", "403")) == (kind not in kinds), (name, caller)
