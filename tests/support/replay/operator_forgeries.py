"""Bundles forged by an operator: it has the server's secret, seals anew and links the chain anew.

It keeps no receipts and no checkpoint, which would give it away.
"""

import copy
from itertools import pairwise

from phaseledger.domain import deal
from phaseledger.domain.evidence.codec import NO_PREVIOUS, leaf_hash, salt_of, seal, seal_key
from tests.support.replay.tampering_tools import (
    NoPlace,
    Parts,
    Tampering,
    altered,
    encode,
    events,
    one_of,
    opened,
    values,
    way,
)

FORGERIES: dict[str, Tampering] = {}


def linked(parts: Parts) -> Parts:
    """Sealed anew, linked anew, without receipts and checkpoint: as an operator could forge it."""
    header = parts[0][1]
    (secret,) = (v["secret"] for v in values(parts, "secret") if v["by"] == "server")
    key, head = seal_key(header["game"], secret), NO_PREVIOUS
    opens = {(v["seq"], v["audience"]): v for v in values(parts, "opens")}
    for event in values(parts, "event"):
        for who in event.get("sealed", {}):
            opened = opens[event["seq"], who]
            salt = salt_of(key, event["seq"], who)
            opened["salt"] = salt.hex()
            event["sealed"][who] = seal(salt, encode(opened["value"]))
        event["prev"] = head
        head = leaf_hash(encode(event))
    header["head"], header["keys"] = head, []
    return [part for part in parts if part[0] not in ("receipt", "checkpoint", "inclusion")]


def _exchanged(text: str, pick: int) -> str:
    """A text of cards, two different ones of which have changed places."""
    cards = text.split()
    pairs = [(i, i + 1) for i in range(len(cards) - 1) if cards[i] != cards[i + 1]]
    left, right = one_of(pairs, pick)
    cards[left], cards[right] = cards[right], cards[left]
    return " ".join(cards)


@way(FORGERIES)
def two_cards_of_a_hand_exchanged(parts: Parts, pick: int) -> Parts:
    hands = [v["value"] for _, v in opened(parts, "RoundDealt") if "hand" in v["value"]]
    chosen = one_of(hands, pick)
    chosen["hand"] = _exchanged(chosen["hand"], pick)
    return linked(parts)


@way(FORGERIES)
def two_cards_of_a_reshuffle_exchanged(parts: Parts, pick: int) -> Parts:
    stocks = [v["value"] for _, v in opened(parts, "StockShuffled")]
    chosen = one_of(stocks, pick)
    chosen["stock"] = _exchanged(chosen["stock"], pick)
    return linked(parts)


@way(FORGERIES)
def another_card_drawn(parts: Parts, pick: int) -> Parts:
    """The card that the next draw from the stock gives."""
    draws = [
        value["value"]
        for event, value in opened(parts, "CardDrawn")
        if event["data"]["source"] == "stock"
    ]
    pairs = [
        (earlier, later) for earlier, later in pairwise(draws) if earlier["card"] != later["card"]
    ]
    first, second = one_of(pairs, pick)
    first["card"], second["card"] = second["card"], first["card"]
    return linked(parts)


@way(FORGERIES)
def a_die_turned(parts: Parts, pick: int) -> Parts:
    rolls = events(parts, "DiceRolled")
    dice = one_of(rolls, pick)["data"]["dice"]
    dice[pick % 2] = dice[pick % 2] % 6 + 1
    return linked(parts)


@way(FORGERIES)
def another_seat_begins(parts: Parts, pick: int) -> Parts:
    deals = events(parts, "RoundDealt")
    players = one_of(deals, pick)["data"]["players"]
    players.append(players.pop(0))
    return linked(parts)


@way(FORGERIES)
def another_dealer(parts: Parts, pick: int) -> Parts:
    deals = events(parts, "RoundDealt")
    chosen = one_of(deals, pick)["data"]
    others = [seat for seat in chosen["players"] if seat != chosen["dealer"]]
    chosen["dealer"] = one_of(others, pick)
    return linked(parts)


@way(FORGERIES)
def a_card_discarded_that_was_not_held(parts: Parts, pick: int) -> Parts:
    some = [e for e in events(parts, "CardDiscarded") if "target" not in e["data"]]
    some = [e for e in some if e["data"]["cards"][0] in "RBGY"]
    if parts[1][1]["rules"].get("keep"):
        raise NoPlace  # what seats keep for the next round would have to be followed
    event = one_of(some, pick)
    held = _held(parts, event["seq"])
    missing = [f"{c}{n}" for c in "RBGY" for n in range(1, 13) if f"{c}{n}" not in held]
    card = one_of(missing, pick)
    event["data"]["cards"] = event["data"]["act"]["command"]["cards"] = card
    return linked(parts)


def _held(parts: Parts, seq: int) -> set[str]:
    """Every card that was seen in a hand of the round, of whichever seat."""
    start = max(e["seq"] for e in events(parts, "RoundDealt") if e["seq"] < seq)
    dealt = [v["value"] for v in values(parts, "opens") if start <= v["seq"] < seq]
    texts = [f"{v.get('hand', '')} {v.get('card', '')}" for v in dealt if "stock" not in v]
    public = [e["data"].get("card", "") for e in events(parts, "CardDrawn")]
    return {card for text in texts + public for card in text.split()}


@way(FORGERIES)
def another_server_secret(parts: Parts, pick: int) -> Parts:
    """The operator deals from another secret than it committed to; the deal is not even new."""
    secret = altered(_secret(parts, "server"))
    for event in events(parts, "GameEnded", "GameVoided"):
        event["data"]["secret"] = secret
    for value in values(parts, "secret"):
        if value["by"] == "server":
            value["secret"] = secret
    for value in values(parts, "opens"):
        if value["seq"] == 1:
            value["value"]["secret"] = secret
    return linked(parts)


def _secret(parts: Parts, by: str) -> str:
    """A revealed secret."""
    (secret,) = (v["secret"] for v in values(parts, "secret") if v["by"] == by)
    return str(secret)


@way(FORGERIES)
def another_seat_secret_recommitted(parts: Parts, pick: int) -> Parts:
    """With a commitment made to fit, so that only the deal itself gives it away."""
    one_of(events(parts, "DealOpened"), 0)
    some = [e for e in events(parts, "SeatTaken") if "brought_secret" not in e["data"]]
    event = one_of(some, pick)
    seat = event["data"]["seat"]
    secret = altered(_secret(parts, str(seat)))
    commit = deal.seat_commit(parts[0][1]["game"], seat, bytes.fromhex(secret))
    event["data"]["commit"] = commit
    for value in values(parts, "secret"):
        if value["by"] == str(seat):
            value["secret"], value["commit"] = secret, commit
    for value in values(parts, "opens"):
        if value["seq"] == event["seq"]:
            value["value"]["secret"] = secret
    return linked(parts)


@way(FORGERIES)
def another_transcript(parts: Parts, pick: int) -> Parts:
    event = one_of(events(parts, "DealOpened"), 0)
    event["data"]["transcript"] = altered(event["data"]["transcript"])
    return linked(parts)


@way(FORGERIES)
def seals_with_salts_of_their_own(parts: Parts, pick: int) -> Parts:
    """Salts that do not follow from the secret would let the operator choose what to open."""
    parts = linked(parts)
    opens = [v for v in values(parts, "opens") if v["seq"] > 1]
    chosen = one_of(opens, pick)
    (event,) = (e for e in values(parts, "event") if e["seq"] == chosen["seq"])
    chosen["salt"] = altered(chosen["salt"])
    value = encode(chosen["value"])
    event["sealed"][chosen["audience"]] = seal(bytes.fromhex(chosen["salt"]), value)
    head = NO_PREVIOUS
    for record in values(parts, "event"):
        record["prev"], head = head, leaf_hash(encode({**record, "prev": head}))
    parts[0][1]["head"] = head
    return parts


# --- the opening, out of its order ----------------------------------------------------------------


def _renumbered(parts: Parts) -> Parts:
    """Events numbered as they stand, their opened seals with them; then linked."""
    seq = 0
    for kind, value in parts:
        if kind == "event":
            seq += 1
        if kind in ("event", "opens"):
            value["seq"] = seq
    parts[0][1]["events"] = seq
    return linked(parts)


def _place(parts: Parts, name: str) -> int:
    """Where the first event of the name stands."""
    indices = [
        i for i, (kind, v) in enumerate(parts) if kind == "event" and v["type"] == f"{name}/1"
    ]
    return one_of(indices, 0)


def _slipped_in(parts: Parts, name: str, behind: str, **facts: object) -> Parts:
    """One more event of the name, behind another one and in that one's command."""
    place = _place(parts, behind)
    before = parts[place][1]
    twin = copy.deepcopy(parts[_place(parts, name)][1])
    twin["data"] = {**{k: v for k, v in twin["data"].items() if k not in ("act", "asks")}, **facts}
    twin.update(at=before["at"], cmd=before["cmd"])
    while parts[place + 1][0] == "opens":
        place += 1
    return _renumbered([*parts[: place + 1], ("event", twin), *parts[place + 1 :]])


@way(FORGERIES)
def cards_dealt_before_the_last_reveal(parts: Parts, pick: int) -> Parts:
    """The operator knows the deal while a seat still keeps its secret."""
    deal = parts.pop(_place(parts, "DealOpened"))
    reveal = one_of(events(parts, "SeatSecretRevealed"), 0)
    place = next(i for i, (_, value) in enumerate(parts) if value is reveal)
    before = parts[place - 1][1]
    deal[1].update(at=before["at"], cmd=before["cmd"])
    return _renumbered([*parts[:place], deal, *parts[place:]])


@way(FORGERIES)
def a_second_deal_opened(parts: Parts, pick: int) -> Parts:
    return _slipped_in(parts, "DealOpened", "DealOpened", transcript="ab" * 32)


@way(FORGERIES)
def the_table_sealed_again_after_the_deal(parts: Parts, pick: int) -> Parts:
    return _slipped_in(parts, "TableSealed", "DealOpened")


@way(FORGERIES)
def a_seat_blamed_that_owed_nothing(parts: Parts, pick: int) -> Parts:
    event = one_of(events(parts, "GameVoided"), 0)
    event["data"]["owing"] = [pick % 2]
    return linked(parts)


@way(FORGERIES)
def time_turned_back(parts: Parts, pick: int) -> Parts:
    acts = [event for event in values(parts, "event")[2:] if "act" in event["data"]]
    chosen = one_of(acts, pick)
    for event in values(parts, "event"):
        if event["cmd"] == chosen["cmd"]:
            event["at"] -= 10**9
    return linked(parts)


@way(FORGERIES)
def a_fact_of_its_own(parts: Parts, pick: int) -> Parts:
    """An event may tell nothing but what its type has."""
    one_of(values(parts, "event"), pick)["data"]["zzz"] = 1
    return linked(parts)


@way(FORGERIES)
def a_fact_that_should_be_left_out(parts: Parts, pick: int) -> Parts:
    one_of(events(parts, "SeatTaken"), pick)["data"]["key"] = ""
    return linked(parts)


@way(FORGERIES)
def an_argument_of_its_own(parts: Parts, pick: int) -> Parts:
    acts = [event["data"]["act"] for event in values(parts, "event") if "act" in event["data"]]
    one_of(acts, pick)["command"]["zzz"] = 1
    return linked(parts)


@way(FORGERIES)
def a_signature_moved(parts: Parts, pick: int) -> Parts:
    """Linked anew, what a seat has signed is no longer what stands before its command."""
    one_of([e for e in values(parts, "event") if e["data"].get("act", {}).get("sig")], 0)
    events(parts, "SeatTaken")[0]["data"]["name"] = "Nobody"
    events(parts, "SeatTaken")[0]["data"]["act"]["command"]["name"] = "Nobody"
    return linked(parts)


@way(FORGERIES)
def a_signature_removed(parts: Parts, pick: int) -> Parts:
    signed = [e for e in values(parts, "event") if e["data"].get("act", {}).get("sig")]
    del one_of(signed, pick)["data"]["act"]["sig"]
    return linked(parts)
