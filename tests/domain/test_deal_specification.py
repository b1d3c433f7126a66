"""Every card and every die of the beginnings, computed anew by docs/reference/deal.md alone."""

import hashlib
import hmac
from pathlib import Path
from typing import Any

import msgspec

from tests.support.cases import looped
from tests.support.documented_cards import deck, shuffled, words
from tests.support.replay.game_beginnings import BEGINNINGS, stored

ROOT = Path(__file__).parents[2]


def key_of(events: list[dict[str, Any]]) -> bytes:
    """HKDF-Extract of the server's secret with the hash of the transcript."""
    opened = events[0]["data"]
    rules = msgspec.json.encode(opened["ruleset"], order="sorted")
    seats = [event for event in events if event["type"] == "SeatTaken/1"]
    lines = [
        "p10-deal/v1",
        f"game {opened['game']}",
        f"ruleset {opened['ruleset']['id'].partition('@')[0]} {hashlib.sha256(rules).hexdigest()}",
        f"server-commit {opened['server_commit']}",
        *(
            f"seat {e['data']['seat']} {e['data']['commit']} {e['hidden']['server']['secret']}"
            for e in seats
        ),
        "beacon none",
    ]
    transcript = hashlib.sha256("".join(f"{line}\n" for line in lines).encode())
    fixed = next(event for event in events if event["type"] == "DealOpened/1")
    assert fixed["data"]["transcript"] == transcript.hexdigest()
    secret = bytes.fromhex(events[0]["hidden"]["server"]["secret"])
    return hmac.digest(transcript.digest(), secret, "sha256")


def kept_cards(events: list[dict[str, Any]], seats: int) -> list[list[str]]:
    """What each seat said it keeps, its jokers by their faces."""
    kept: list[list[str]] = [[] for _ in range(seats)]
    for event in events[::-1]:
        if event["type"] == "RoundEnded/1":
            break
        seat = event["data"]["seat"]
        kept[seat] = event["hidden"][str(seat)].get("said", "").split()
    return kept


@looped("name", ["classic", "standard-deck", "express", "board"])
def test_every_deal_follows_from_the_page(name: str) -> None:
    events = [msgspec.json.decode(line) for line in stored(name)]
    key, rules, seats = key_of(events), events[0]["data"]["ruleset"], BEGINNINGS[name].seats
    rounds = [place for place, event in enumerate(events) if event["type"] == "RoundDealt/1"]
    assert len(rounds) > 1
    before: dict[str, Any] = {}
    for place in rounds:
        event = events[place]
        data, hidden, cards = event["data"], event["hidden"], deck(rules)
        kept: list[list[str]] = [[] for _ in range(seats)]
        if "kept" in data:
            kept = kept_cards(events[:place], seats)
            faces = [hidden.get(f"not:{s}", {}).get("kept", "").split() for s in range(seats)]
            for seat, cards_kept in enumerate(kept):
                for card in cards_kept:
                    cards.remove(faces[seat].pop(0)[2:-1] if card.startswith("J") else card)
        stock = shuffled(key, f"p10-shuffle/v1 hand={data['round']} shuffle=0", cards)
        order = [(data["dealer"] + 1 + i) % seats for i in range(seats)]
        hands: list[list[str]] = [[] for _ in range(seats)]
        for _ in range(rules["hand"]):
            for seat in order:
                if len(kept[seat]) + len(hands[seat]) < rules["hand"]:
                    hands[seat].append(stock.pop(0))
        assert [hidden[str(seat)]["hand"].split() for seat in range(seats)] == hands
        pile = [stock.pop(0) for _ in range(rules.get("initial_discards", 1))]
        assert [*hidden["stock"].get("pile", "").split(), *data["discard"].split()] == pile
        assert hidden["stock"]["stock"].split() == stock
        if before:
            after = (before["players"][0] if before["out"] is None else before["out"]) + 1
            dealt_on = before["dealer"] + 1
            ender = rules.get("succession") == "ender"
            assert data["dealer"] == (after if ender else dealt_on) % seats
        ended = next((e for e in events[place:] if e["type"] == "RoundEnded/1"), {"data": {}})
        before = {**data, "out": ended["data"].get("out")}


def test_every_throw_follows_from_the_page() -> None:
    """AGAIN throws a second time in the same turn."""
    events = [msgspec.json.decode(line) for line in stored("board")]
    key, turn, repeats = key_of(events), 0, 0
    for event in events:
        data = event["data"]
        if event["type"] == "TurnBegan/1":
            turn = data["turn"]
        if event["type"] == "DiceRolled/1":
            stream = words(key, f"p10-dice/v1 turn={turn} roll={data['roll']}")
            fair = (x for x in stream if x < 65532)
            assert data["dice"] == [1 + next(fair) % 6, 1 + next(fair) % 6]
            repeats += data["roll"]
    assert repeats


def test_the_page_quotes_the_known_answers() -> None:
    case = msgspec.json.decode((ROOT / "tests/domain/deal-v1.json").read_bytes())["cases"][0]
    page = (ROOT / "docs/reference/deal.md").read_text()
    for row in case["dice"]:
        first, second = row["values"]
        assert f"turn {row['turn']:>3}, roll {row['roll']}: {first} and {second}\n" in page
