"""The bundle of a game over HTTP, as an auditor gets it, and what it says to the verifier."""

from base64 import b64decode
from typing import Any

import httpx2
import msgspec
import pytest

from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle import writer
from phaseledger.replay.formats.bundle.reader import Bundle, parse_bundle
from phaseledger.replay.formats.signing.notes import verifier_key
from phaseledger.replay.formats.signing.receipts import Receipt
from phaseledger.service.games import bundles
from tests.support.cases import looped
from tests.support.service.api_tables import BOT, Table, open_table, play_on, started

ONE_PHASE = {"variant": "n_phases(1)"}
SHORT: dict[str, dict[str, Any]] = {
    "classic": ONE_PHASE,
    "standard-deck": {"style": "ten_rounds_free", "max_turns_per_round": 3},
    "express": ONE_PHASE,
    "board": {},
}
"""House rules under which a game of the rule set is soon over."""


def fetched(table: Table, seat: int | None = None) -> tuple[httpx2.Response, Bundle]:
    answer = table.get("/bundle", seat)
    assert answer.status_code == 200, answer.text
    lines = [line + b"\n" for line in answer.content.split(b"\n")[:-1]]
    return answer, parse_bundle(lines)


def trusting(client: httpx2.Client) -> Policy:
    keys = client.get("/log/keys").text.split()
    require = frozenset({"receipts", "checkpoint"})
    return Policy("the test", tuple(map(verifier_key, keys)), require=require)


@looped("ruleset", SHORT)
def test_a_finished_game_proves_itself(client: httpx2.Client, ruleset: str) -> None:
    table = open_table(client, [BOT] * 3, ruleset=ruleset, options=SHORT[ruleset], start=True)
    while table.get(at_least=2**50).json()["table"]["stage"] != "ended":
        pass
    answer, bundle = fetched(table)
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert answer.headers["content-disposition"].endswith(f'{table.game}.bundle.ndjson"')
    (result,) = verify([bundle], trusting(client))
    assert (result.judgement.conclusion, result.judgement.problems) == ("sound", ())
    # What plays here is what `verify` makes play again.
    assert all(seat.program == bool(seat.commands) for seat in result.judgement.seats)
    assert any(seat.program for seat in result.judgement.seats)
    assert bundle.inclusions[-1].value.seq == bundle.header.events
    assert {secret.made_by for secret in (p.value for p in bundle.secrets.values())} == {"server"}


def test_a_bundle_proves_that_its_log_goes_on_from_a_kept_checkpoint(client: httpx2.Client) -> None:
    table = started(client, options=ONE_PHASE)
    fetched(table)  # when there is a checkpoint over the game
    kept = client.get("/log/checkpoint").text
    size = int(kept.splitlines()[1])
    play_on(table)
    answer = table.get("/bundle", from_size=size)
    lines = [part + b"\n" for part in answer.content.split(b"\n")[:-1]]
    (line,) = parse_bundle(lines).consistencies
    assert line.value.first == size
    assert line.value.root == b64decode(kept.splitlines()[2]).hex()
    refused = table.get("/bundle", from_size=9_999_999)
    assert (refused.status_code, refused.json()["type"]) == (404, "/problems/size_unknown")


def test_a_running_game_opens_only_what_its_seat_may_know(client: httpx2.Client) -> None:
    table = started(client)
    public, own = fetched(table)[1], fetched(table, 0)[1]
    assert public.opens == {}
    assert {audience for _, audience in own.opens} == {"0"}
    assert own.header.seat == 0
    assert all(secret.value.secret is msgspec.UNSET for secret in own.secrets.values())
    hand = table.get(seat=1).json()["table"]["hand"]
    assert f'"{hand}"' not in table.get("/bundle", 0).text
    for bundle in (public, own):
        (result,) = verify([bundle], trusting(client))
        assert (result.judgement.conclusion, result.judgement.problems) == ("sound_so_far", ())


def test_the_receipts_that_players_were_given_stand_in_the_bundle(client: httpx2.Client) -> None:
    table = started(client, options=ONE_PHASE)
    given = []
    while (view := table.get().json()["table"])["stage"] == "playing" and len(given) < 20:
        seat = view["waits"][0]["seat"]
        command = table.get("/actions", seat).json()["commands"][0]
        given.append(table.send(seat, command).json()["receipt"])
    play_on(table)
    bundle = fetched(table)[1]
    receipts = msgspec.convert(given, list[Receipt])
    held = [KeptReceipt("held", number, receipt) for number, receipt in enumerate(receipts, 1)]
    (result,) = verify([bundle], trusting(client), held)
    assert result.judgement.conclusion == "sound"
    in_bundle = [msgspec.to_builtins(receipt.value) for receipt in bundle.receipts]
    assert all(receipt in in_bundle for receipt in given)


def test_a_game_that_is_too_long_has_no_bundle(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started(client)
    monkeypatch.setattr(writer, "MOST_LINES", 12)
    answer = table.get("/bundle")
    assert (answer.status_code, answer.json()["code"]) == (409, "bundle_too_long")


def test_while_one_is_made_its_thread_lets_others_run(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[None] = []
    monkeypatch.setattr(bundles, "let_others_run", lambda: calls.append(None))
    _, bundle = fetched(started(client))

    assert len(calls) == len(bundle.events) + len(bundle.receipts)
