"""Games that somebody changed with care: sealed and chained anew.

Where everything fits together, only the rules and the operator's word are left to catch it.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from tests.support.replay.bundles import game
from tests.support.replay.log_edits import encode, rechained

Tree = dict[str, Any]


def forged(change: Callable[[list[Tree]], object]) -> list[bytes]:
    """The game's log with a change, the chain and all seals made anew."""
    log = [msgspec.json.decode(line) for line in game("classic")]
    change(log)
    return [encode(tree) for tree in rechained(log)]


def event(kind: str, number: int = 0) -> Callable[[list[Tree]], Tree]:
    return lambda log: [tree for tree in log if tree["type"] == f"{kind}/1"][number]


def score(log: list[Tree]) -> None:
    event("RoundEnded")(log)["data"]["results"][0]["total"] += 5


def card(log: list[Tree]) -> None:
    drawn = next(tree for tree in log if tree["type"] == "CardDrawn/1" and "hidden" in tree)
    (hidden,) = drawn["hidden"].values()
    hidden["card"] = "R1" if hidden["card"] != "R1" else "R2"


def rules(log: list[Tree]) -> None:
    log[0]["data"]["ruleset"]["hand"] = 9


def name(log: list[Tree]) -> None:
    log[1]["data"]["name"] = "Somebody else"


def server_secret(log: list[Tree]) -> None:
    log[0]["hidden"]["server"]["secret"] = log[-1]["data"]["secret"] = "ab" * 32


def revealed(log: list[Tree]) -> None:
    event("SeatSecretRevealed")(log)["data"]["secret"] = "ab" * 32


def signature(log: list[Tree]) -> None:
    signed = [tree for tree in log if "sig" in tree["data"].get("act", {})]
    first, second = signed[5]["data"]["act"], signed[6]["data"]["act"]
    first["sig"], second["sig"] = second["sig"], first["sig"]


def signed_opening(log: list[Tree]) -> None:
    log[0]["hidden"]["server"]["sig"] = "ab" * 64


def winners(log: list[Tree]) -> None:
    log[-1]["data"]["winners"] = [(log[-1]["data"]["winners"][0] + 1) % 3]


FORGED = {
    "a score": (score, "outcome_differs"),
    "a card": (card, "outcome_differs"),
    "the rules": (rules, "outcome_differs"),
    "a name": (name, "outcome_differs"),
    "the winner": (winners, "outcome_differs"),
    "the server's secret": (server_secret, "broken_promise"),
    "a revealed secret": (revealed, "broken_promise"),
    "two signatures": (signature, "bad_signature"),
    "a signature over the opening": (signed_opening, "bad_signature"),
}
