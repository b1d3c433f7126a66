"""A walk through all operations, whose requests and answers are the description's examples."""

from typing import Any, NamedTuple

import httpx2

from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import COSIGNATURE, SigningKey
from tests.support.openapi_operations import Operation
from tests.support.polling import eventually
from tests.support.service.push_service import DEVICE, SUBSCRIPTION

NOBODY = "http://127.0.0.1:9/"
SHOWN = "https://hooks.example/"
"""Where webhooks go, and what examples say instead."""
WITNESS = SigningKey.new("witness.example", COSIGNATURE)
LONGEST = 2  # items of a list; an example shows what they are like
LONGEST_TEXT = 1000  # what is compressed is longer


class Step(NamedTuple):
    """A request that was sent, and its answer."""

    request: Any
    answer: Any


class Walk:
    """Requests through a client, and what each operation was first asked and answered."""

    def __init__(self, client: httpx2.Client, operations: dict[str, Operation]) -> None:
        self.client = client
        self.operations = operations
        self.steps: dict[str, Step] = {}
        self.values: dict[str, str] = {}

    def ask(self, name: str, /, body: Any = None, token: str = "", **query: Any) -> Any:
        """The answer to an operation, which has to succeed."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.operations[name].request(
            self.client, self.values, body=body, headers=headers, params=query
        )
        assert answer.is_success, f"{name}: {answer.text}"
        is_json = answer.headers.get("content-type", "") == "application/json"
        content = answer.json() if is_json else answer.text
        is_file = isinstance(body, bytes)
        self.steps.setdefault(name, Step(None if is_file else body, content))
        return content

    def until(self, name: str, **query: Any) -> Any:
        """The answer of an operation that follows the log a moment behind it."""
        ask = self.operations[name].request
        eventually(
            lambda: ask(self.client, self.values, params=query), lambda answer: answer.is_success
        )
        return self.ask(name, **query)


def walk(
    client: httpx2.Client,
    operations: dict[str, Operation],
    witness: SigningKey,
    key: str,
    id_token: str,
) -> Walk:
    """Open a table, play a little, and look at everything there is."""
    on = Walk(client, operations)
    seats = [{"kind": "person"}, {"kind": "bot", "level": "greedy"}]
    options = {"initial_skip": "cover"}
    table = {"ruleset": "classic", "seats": seats, "dealer": 1, "options": options}
    opened = on.ask("openGame", table)
    host = opened["host_token"]
    on.values = {"game": opened["game"], "name": "classic", "code": "must_draw", "number": "0"}
    seat = on.ask("takeSeat", {"name": "Ada"})["token"]
    on.ask("startGame", token=host)
    on.ask("listActions", token=seat)
    done = on.ask("sendCommand", {"type": "draw", "source": "stock"}, seat)
    on.values["seq"] = str(done["version"])
    on.ask("getReceipt")
    on.ask("getHint", token=seat)
    on.ask("confirmPresence", {"version": done["version"], "head": done["head"]}, seat)
    on.ask("getGame", token=seat)
    on.ask("getGameRules")
    on.values["rule"] = "C-30"
    on.ask("getRule")
    on.ask("getFrames", token=seat)
    on.ask("listEvents", token=seat, limit=2)
    on.ask("newTicket", token=seat)
    on.ask("sendReaction", {"reaction": "good_luck"}, seat)
    on.ask("getBundle", token=seat)
    for name in ("getTable", "getScoreboard"):
        on.until(name, at_least=done["version"])
    for name in ("listGames", "getLeaderboard"):
        on.ask(name, limit=2)
    on.ask("getRatings", ruleset="classic", seats=3)
    _webhooks(on, host)
    on.ask("getNoticeChannels")
    on.values["device"] = DEVICE
    on.ask("subscribeToNotices", {**SUBSCRIPTION, "endpoint": f"{NOBODY}send/dGFibGU"}, seat)
    on.ask("unsubscribeFromNotices", token=seat)
    on.ask("voidGame", {"reason": "The club closes."}, host)
    bundle = on.ask("getBundle").encode()
    on.ask("readReplay", bundle, name="ada.bundle")
    on.until("exportGames")
    for name in ("listRulesets", "getRuleset", "listProblems", "getProblem", "getLiveness"):
        on.ask(name)
    groups = [{"cards": "R5 B5 W"}, {"cards": "R8 B9 G10 Y11"}]
    on.ask("checkCards", {"type": "lay", "phase": 2, "groups": groups})
    on.ask("readRuleSheet", {"options": {"initial_skip": "cover"}})
    _evidence(on, opened["game"], witness)
    on.until("getReadiness")
    _lobby(on)
    _analysis(on)
    _application(on, key)
    session = on.ask("signIn", {"id_token": id_token})["token"]
    on.ask("signOut", token=session)
    return on


def _webhooks(on: Walk, host: str) -> None:
    on.ask("registerWebhook", {"url": f"{NOBODY}phaseledger"}, host)
    on.values["hook"] = on.ask("listWebhooks", token=host)["webhooks"][0]["id"]
    on.ask("getWebhook", token=host)
    on.ask("rotateSecret", {"keep": 24}, host)
    on.ask("deleteWebhook", token=host)


def _lobby(on: Walk) -> None:
    """A private table with a clock: joined by its code, left, filled, played again."""
    terms = {"private": True, "clock": {"seconds": 60}}
    seats = [{"kind": "person"}] * 4
    table = {"ruleset": "express", "seats": seats, "terms": terms, "dealer": 3}
    opened = on.ask("openGame", table)
    host, on.values["game"] = opened["host_token"], opened["game"]
    names = ("Ada", "Blaise", "Carl")
    by_code = [{"name": name, "code": opened["code"]} for name in names]
    tokens = [on.ask("joinByCode", guest)["token"] for guest in by_code]
    on.ask("kickSeat", token=host)
    on.ask("leaveSeat", token=tokens[1])
    on.ask("fillSeats", {"level": "greedy"}, host)
    on.ask("startGame", token=host)
    # The service's own timer comes before any claim, so this is what one that comes first gets.
    on.steps["claimTimeOut"] = Step({"seat": 3}, on.steps["sendCommand"].answer)
    on.ask("voidGame", {"reason": "The club closes."}, host)
    on.ask("openRematch", {}, host)
    on.ask("getRematch", token=host)


def _application(on: Walk, key: str) -> None:
    """A table of an application, at which one of its players sits."""
    on.ask("getApplication", token=key)
    hook = on.ask("registerWebhookOfApplication", {"url": f"{NOBODY}phaseledger"}, key)
    on.values["hook"] = hook["id"]
    for name in ("listWebhooksOfApplication", "getWebhookOfApplication"):
        on.ask(name, token=key)
    on.ask("rotateSecretOfApplication", {"keep": 24}, key)
    on.ask("deleteWebhookOfApplication", token=key)
    on.values["player"] = "user-17"
    player = on.ask("putPlayer", {"name": "Ada", "language": "en"}, key)
    table = {"ruleset": "classic", "seats": [{"kind": "person"}] * 2}
    on.values["game"] = on.ask("openGame", table, key)["game"]
    on.ask("takeSeat", {"player": "user-17"}, key)
    on.ask("issueToken", {"player": "user-17"}, key)
    on.ask("listOpenedTables", token=key)
    on.ask("getPlayer", token=key)
    on.ask("listPlayers", token=key)
    listed = on.operations["listPlayerGames"].request
    shown = {"Authorization": f"Bearer {key}"}
    eventually(lambda: listed(on.client, on.values, headers=shown).json()["games"])
    on.ask("listPlayerGames", token=key)
    on.ask("getPlayerStatistics", token=key)
    on.ask("getPlayerRatings", token=key)
    on.ask("getRatingHistory", token=key, ruleset="classic", seats=2)
    on.ask("getNames", of=player["pseudonym"])
    on.ask("erasePlayer", token=key)
    opened = on.ask("openGame", {**table, "terms": {"clock": {"seconds": 60}}, "test": {}}, key)
    on.values["game"] = opened["game"]
    for name in ("Ada", "Blaise"):
        on.ask("takeSeat", {"name": name})
    on.ask("startGame", token=opened["host_token"])
    on.ask("turnClock", {"seconds": 60}, opened["host_token"])


def _analysis(on: Walk) -> None:
    """A short game of bots, analysed after its end."""
    short = {"variant": "n_phases(1)", "max_turns_per_round": 40}
    table = {"ruleset": "classic", "seats": [{"kind": "bot"}] * 2, "options": short, "start": True}
    on.values["game"] = on.ask("openGame", table)["game"]
    ask = on.operations["getAnalysis"].request
    eventually(lambda: ask(on.client, on.values), lambda answer: answer.status_code == 200)
    on.ask("getAnalysis")


def _evidence(on: Walk, game: str, witness: SigningKey) -> None:
    on.ask("listLogKeys")
    on.until("proveInclusion", game=game, seq=1)
    note = notes.note(on.ask("getCheckpoint"))
    size = notes.checkpoint(note.text).size
    on.ask("proveConsistency", first=1, second=size)
    cosigned = notes.Note(note.text, (notes.signature(note.text, witness, 1_800_000_000),))
    on.ask("cosignCheckpoint", {"note": str(cosigned)})


def shortened(tree: Any) -> Any:
    """The same with short lists and texts."""
    if isinstance(tree, dict):
        return {name: shortened(value) for name, value in tree.items()}
    if isinstance(tree, list):
        return [shortened(value) for value in tree[:LONGEST]]
    if isinstance(tree, str):
        text = tree.replace(NOBODY, SHOWN)
        return text if len(text) < LONGEST_TEXT else f"{text[:40]}..."
    return tree


def examples(on: Walk) -> dict[str, dict[str, Any]]:
    """The walk's requests and answers as the description shows them."""
    shown = {}
    for name, step in sorted(on.steps.items()):
        request = {} if step.request is None else {"request": shortened(step.request)}
        streamed = isinstance(step.answer, str) and step.answer.startswith("{")
        answer = {} if streamed else {"answer": shortened(step.answer)}
        shown[name] = {**request, **answer}
    return shown
