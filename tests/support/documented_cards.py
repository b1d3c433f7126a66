"""Where the cards lie after an event, and how they are dealt: by format.md, deal.md and ruleset.md
of docs/reference alone, importing nothing of the product.
"""

import hmac
import re
from collections.abc import Iterator
from json import loads
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs" / "reference"
DECKS = {
    "coloured": [f"{colour}{rank}" for colour in "RBGY" for rank in range(1, 13)],
    "french": [f"{rank}{suit}" for suit in "HSDC" for rank in [*range(2, 11), *"JQK"]],
}
SPECIAL = {"coloured": ("W", "S"), "french": ("A", "*")}


def table_rows(page: str, head: str) -> list[list[str]]:
    """The rows of the table of a page whose head is that line, without the quotes of code."""
    lines = (DOCS / page).read_text().partition(f"\n{head}\n")[2].splitlines()[1:]
    length = next(i for i, line in enumerate([*lines, ""]) if not line.startswith("|"))
    return [[cell.strip(" `") for cell in line[1:-1].split("|")] for line in lines[:length]]


def option_defaults() -> dict[str, Any]:
    """The defaults of the house rules, as docs/reference/ruleset.md has them."""
    rows = table_rows("ruleset.md", "| option | number | default |")
    return {name: loads(default) for name, _, default in rows}


# --- chance ---------------------------------------------------------------------------------------


def deal_key(server_secret: str, transcript: str) -> bytes:
    """HKDF-Extract, both arguments in hex."""
    return hmac.digest(bytes.fromhex(transcript), bytes.fromhex(server_secret), "sha256")


def words(key: bytes, info: str) -> Iterator[int]:
    """HKDF-Expand, as big-endian 16-bit words."""
    block, counter = b"", 0
    while True:
        counter += 1
        block = hmac.digest(key, block + info.encode() + bytes([counter]), "sha256")
        yield from (int.from_bytes(block[i : i + 2]) for i in range(0, 32, 2))


def shuffled(key: bytes, info: str, cards: list[str]) -> list[str]:
    """The cards, sorted by code already, as a stock with its top first."""
    stream, order = words(key, f"{info} n={len(cards)}"), list(range(len(cards)))
    for i in range(len(cards) - 1, 0, -1):
        m = i + 1
        x = next(x for x in stream if x < 65536 - 65536 % m)
        order[i], order[x % m] = order[x % m], order[i]
    return [cards[i] for i in order]


def deck(rules: dict[str, Any]) -> list[str]:
    """The cards of a rule set's deck, sorted by code."""
    counts = rules["deck"]
    wild, skip = SPECIAL[counts["notation"]]
    plain = [card for card in DECKS[counts["notation"]] for _ in range(counts["copies"])]
    # Wilds and skips have the codes 14 and 15: they stand after the first colour's twelve.
    first = 12 * counts["copies"]
    return [*plain[:first], *[wild] * counts["wilds"], *[skip] * counts["skips"], *plain[first:]]


def face(card: str) -> str:
    """The number card that a joker ``J(R5)`` is; any other card is itself."""
    return card[2:-1] if card.startswith("J(") else card


# --- the deal -------------------------------------------------------------------------------------


class DocumentedDeal:
    """The deal of one round. ``rules`` is the rule set's JSON, ``kept`` the kept cards by seat."""

    def __init__(self, rules: dict[str, Any], key: bytes, kept: list[list[str]]) -> None:
        self.rules, self.key, self.kept = rules, key, kept
        self.options = option_defaults() | rules["options"]
        self.hands: list[list[str]] = [[] for _ in kept]
        self.stock: list[str] = []
        self.pile: list[str] = []
        self.returned: list[str] = []

    def deal(self, number: int, order: list[int]) -> None:
        """Deal the round of that number to the seats, from the dealer's left."""
        cards = deck(self.rules)
        for card in [card for kept in self.kept for card in kept]:
            cards.remove(face(card))
        self.stock = shuffled(self.key, f"p10-shuffle/v1 hand={number} shuffle=0", cards)
        for _ in range(self.rules["hand"]):
            for seat in order:
                if len(self.kept[seat]) + len(self.hands[seat]) < self.rules["hand"]:
                    self.hands[seat].append(self.stock.pop(0))
        self.pile = [self.stock.pop(0) for _ in range(self.rules.get("initial_discards", 1))]
        for _ in range(len(self.stock)):
            self.look_at_top()

    def look_at_top(self) -> None:
        """What `initial_skip` and `initial_wild` do about the top of the turned-up cards, once."""
        wild, skip = SPECIAL[self.rules["deck"]["notation"]]
        rule = {skip: "initial_skip", wild: "initial_wild"}.get(self.pile[-1])
        value = self.options[rule] if rule else ""
        if value == "return_and_redraw":
            self.put_back(self.pile.pop())
            self.pile.append(self.stock.pop(0))
        elif value == "cover":
            self.pile.append(self.stock.pop(0))

    def put_back(self, card: str) -> None:
        """Put a turned-up card under the stock."""
        self.stock.append(card)
        self.returned.append(card)

    def next_dealer(self, before: int, among: list[int]) -> int:
        """The dealer of a round dealt to some seats, after that dealer."""
        if self.options["dealer_rotation"] == "fixed" and before in among:
            return before
        return turn_order(before, among)[0]

    def skips(self, first: int) -> list[int]:
        """The turns that each seat is about to lose."""
        skip = SPECIAL[self.rules["deck"]["notation"]][1]
        lost = self.options["initial_skip"] == "skip_first_player" and self.pile[-1] == skip
        return [int(lost and seat == first) for seat in range(len(self.kept))]


def turn_order(seat: int, among: list[int]) -> list[int]:
    """The seats from the left of a seat on; that seat itself comes last."""
    return [n for n in among if n > seat] + [n for n in among if n <= seat]


# --- events ---------------------------------------------------------------------------------------


class DocumentedCards:
    """The cards of a table as lists of words, and what each event moves."""

    def __init__(self, before: dict[str, Any], rules: dict[str, Any], key: bytes) -> None:
        self.hands = [hand.split() for hand in before["hands"]]
        self.front = [cards.split() for cards in before.get("front", [""] * len(self.hands))]
        self.stock, self.pile = before["stock"].split(), before["pile"].split()
        self.kept: list[list[str]] = [[] for _ in self.hands]
        self.rules, self.key, self.round = rules, key, before["round"]

    def position(self) -> dict[str, Any]:
        """The cards as texts."""
        return {
            "hands": [" ".join(hand) for hand in self.hands],
            "front": [" ".join(cards) for cards in self.front],
            "stock": " ".join(self.stock),
            "pile": " ".join(self.pile),
        }

    def apply(self, event: dict[str, Any]) -> None:
        """Move what the event moves."""
        kind = re.sub(r"(?<!^)(?=[A-Z])", "_", event["type"].partition("/")[0]).lower()
        move = getattr(self, kind, None)
        if move:
            move(event["data"], event.get("hidden", {}))

    def named(self, seat: int, text: str) -> list[str]:
        """The cards that the seat means by its own names for them."""
        jokers = iter([card for card in self.hands[seat] if card.startswith("J(")])
        names = {f"J{place}": card for place, card in enumerate(jokers, 1)}
        return [names.get(word, word) for word in text.split()]

    def spend(self, seat: int, text: str) -> list[str]:
        """Take cards out of the hand by its owner's names for them."""
        cards = self.named(seat, text)
        for card in cards:
            self.hands[seat].remove(card)
        return cards

    def card_drawn(self, data: dict[str, Any], hidden: dict[str, Any]) -> None:
        hand = self.hands[data["seat"]]
        if data["source"] == "stock":
            hand.append(self.stock.pop(0))
        elif data["source"] == "discard":
            hand.append(self.pile.pop())
        else:
            hand.append(self.pile.pop(hidden[str(data["seat"])].get("place", 0)))

    def card_turned(self, data: dict[str, Any], _: dict[str, Any]) -> None:
        self.hands[data["seat"]].append(f"J({self.stock.pop(0)})")

    def card_given(self, data: dict[str, Any], hidden: dict[str, Any]) -> None:
        secret = next(iter(hidden.values()))
        self.spend(data["seat"], data.get("joker", secret["card"]))
        self.hands[data["to"]].append(secret["card"])

    def cards_kept(self, data: dict[str, Any], hidden: dict[str, Any]) -> None:
        seat = data["seat"]
        self.kept[seat] = self.named(seat, hidden.get(str(seat), {}).get("said", ""))

    def cards_swapped(self, data: dict[str, Any], hidden: dict[str, Any]) -> None:
        names = hidden[str(data["seat"])]["said"]
        self.pile += map(face, self.spend(data["seat"], names))

    def card_discarded(self, data: dict[str, Any], _: dict[str, Any]) -> None:
        self.pile += map(face, self.spend(data["seat"], data["cards"]))

    def skip_placed(self, data: dict[str, Any], _: dict[str, Any]) -> None:
        self.front[data["target"]] += self.spend(data["seat"], data["card"])

    def skip_served(self, data: dict[str, Any], _: dict[str, Any]) -> None:
        if "to" in data:
            card = self.front[data["seat"]].pop()
            self.pile.insert(len(self.pile) if data["to"] == "top" else 0, card)

    def stock_shuffled(self, data: dict[str, Any], _: dict[str, Any]) -> None:
        stays = len(self.pile) - data["kept"]
        whole = deck(self.rules)
        cards = sorted(self.pile[:stays], key=whole.index)
        info = f"p10-shuffle/v1 hand={self.round} shuffle={data['shuffle']}"
        self.stock, self.pile = shuffled(self.key, info, cards), self.pile[stays:]

    def round_dealt(self, data: dict[str, Any], _: dict[str, Any]) -> None:
        dealt = DocumentedDeal(self.rules, self.key, self.kept)
        dealt.deal(data["round"], turn_order(data["dealer"], sorted(data["players"])))
        if dealt.options["kept_joker"] == "becomes_normal":
            self.kept = [[*map(face, kept)] for kept in self.kept]
        self.hands = [kept + hand for kept, hand in zip(self.kept, dealt.hands, strict=True)]
        self.front = [[] for _ in self.hands]
        self.stock, self.pile = dealt.stock, dealt.pile
