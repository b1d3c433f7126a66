"""The deal of a game from its secrets (docs/reference/deal.md): shuffles, dice, and who begins."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from verifying.basics import demand, hkdf

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
MOST = 1_000
"""Cards of a deck; no rule set has more than 108."""


class Chance:
    """All chance of a game: it follows from the server's secret and the hash of the transcript."""

    def __init__(self, secret: bytes, transcript: bytes) -> None:
        self.secret, self.transcript = secret, transcript

    def below(self, info: str) -> Callable[[int], int]:
        """Numbers below given ones, one by one; words that would favour some are passed over."""
        made = hkdf(self.secret, self.transcript, info, 255 * 32)
        words = iter([int.from_bytes(made[i : i + 2], "big") for i in range(0, len(made), 2)])
        return lambda m: next(word for word in words if word < 65536 - 65536 % m) % m

    def shuffled(self, cards: Sequence[str], hand: int, shuffle: int) -> list[str]:
        """Sorted cards in the order that a shuffle gives them, the top one first."""
        below = self.below(f"p10-shuffle/v1 hand={hand} shuffle={shuffle} n={len(cards)}")
        order = list(cards)
        for i in range(len(order) - 1, 0, -1):
            j = below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    def dice(self, turn: int, roll: int) -> list[int]:
        """Both dice of a throw."""
        below = self.below(f"p10-dice/v1 turn={turn} roll={roll}")
        return [1 + below(6), 1 + below(6)]

    def first(self, hand: int, among: int) -> int:
        """The place in dealing order of a first player who is drawn."""
        return self.below(f"p10-first/v1 hand={hand}")(among)


class Deck:
    """The cards of a rule set, and the order in which they go into a shuffle."""

    def __init__(self, deck: dict[str, Any]) -> None:
        french = deck["notation"] == "french"
        self.wild, self.skip = ("A", "*") if french else ("W", "S")
        codes = {
            (rank + colour if french else f"{colour}{number}"): 16 * place + number
            for place, colour in enumerate("HSDC" if french else "RBGY")
            for number, rank in enumerate(RANKS, 1)
        }
        counts = [deck[name] for name in ("copies", "wilds", "skips")]
        demand(all(0 <= count <= MOST // 50 for count in counts), "no rule set has such a deck")
        numbers = [card for card in codes for _ in range(deck["copies"])]
        self.cards = [*numbers, *[self.wild] * deck["wilds"], *[self.skip] * deck["skips"]]
        self.codes = codes | {self.wild: 14, self.skip: 15}

    def sorted(self, cards: Sequence[str]) -> list[str]:
        """Cards by their code."""
        return sorted(cards, key=self.codes.__getitem__)

    def without(self, kept: Sequence[str]) -> list[str]:
        """The deck, sorted, less the cards that seats have kept."""
        return self.sorted(list((Counter(self.cards) - Counter(kept)).elements()))


def from_left_of(seat: int, among: Sequence[int], seats: int) -> list[int]:
    """Seats in their order around the table, from the left of one."""
    return sorted(among, key=lambda player: (player - seat - 1) % seats)


def arranged(
    stock: list[str],
    script: dict[str, Any],
    rules: dict[str, Any],
    order: Sequence[int],
    kept: Sequence[Sequence[str]],
) -> list[str]:
    """The shuffled cards, those that a script names in the places that it names."""
    size = rules["hand"]
    places = [seat for row in range(size) for seat in order if len(kept[seat]) + row < size]
    wanted: list[tuple[int, str]] = []
    for seat, hand in enumerate(script.get("hands", [])):
        own = [place for place, to in enumerate(places) if to == seat]
        wanted += zip(own, hand.split(), strict=False)
    first = len(places) + rules.get("initial_discards", 1)
    discards = script.get("discard", "").split()
    wanted += enumerate(discards, first - len(discards))
    wanted += enumerate(script.get("stock", "").split(), first)
    rest, fixed = list(stock), dict[int, str]()
    for place, card in wanted:
        if card in rest and place < len(stock):
            rest.remove(card)
            fixed[place] = card
    return [fixed[n] if n in fixed else rest.pop(0) for n in range(len(stock))]


def dealt(
    stock: list[str], rules: dict[str, Any], order: Sequence[int], kept: Sequence[Sequence[str]]
) -> list[list[str]]:
    """The hands that are dealt one card at a time from a stock, by seat."""
    hands: list[list[str]] = [[] for _ in kept]
    while short := [s for s in order if len(kept[s]) + len(hands[s]) < rules["hand"]]:
        demand(len(stock) >= len(short), "the deck is too small for the deal")
        for seat in short:
            hands[seat].append(stock.pop(0))
    return hands


def turned_up(stock: list[str], rules: dict[str, Any], deck: Deck) -> tuple[list[str], list[str]]:
    """The first discards off a stock, and the cards that went under it meanwhile."""
    count = rules.get("initial_discards", 1)
    demand(0 < count <= len(stock), "the deck is too small for the deal")
    up, returned = [stock.pop(0) for _ in range(count)], []
    for _ in range(len(stock)):
        rule = {deck.skip: "initial_skip", deck.wild: "initial_wild"}.get(up[-1], "")
        choice = rules["options"].get(rule)
        if choice == "return_and_redraw":
            returned.append(up.pop())
            stock.append(returned[-1])
        elif choice != "cover":
            break
        up.append(stock.pop(0))
    return up, returned


class Seating:
    """Who deals, who begins, and whose turn is next, round for round."""

    def __init__(self, opened: dict[str, Any], chance: Chance | None) -> None:
        self.rules, self.seats, self.chance = opened["ruleset"], opened["seats"], chance
        self.dealer = self.starter = self.next_dealer = int(opened["dealer"])
        self.turns: list[int] = []

    def seat(self, data: dict[str, Any], playing: Sequence[int]) -> list[int]:
        """Hold dealer and turns of a round against the rules on them; returns the dealing order."""
        option = self.rules["options"]
        fixed, dealer = option.get("dealer_rotation") == "fixed", self.next_dealer
        if data.get("replay"):
            next_left = from_left_of(self.dealer, playing, self.seats)[0]
            dealer = self.dealer if fixed and self.dealer in playing else next_left
        order = from_left_of(dealer, playing, self.seats)
        once = data["round"] == 1 and option.get("board_first_starter") == "random"
        first = "random" if once else option.get("first_player", "left_of_dealer")
        starter = {"dealer": dealer, "left_of_dealer": order[0]}.get(first, -1)
        if first == "random":
            drawn = self.chance.first(data["round"], len(order)) if self.chance else -1
            starter = order[drawn] if self.chance else [*data["players"], -1][0]
        demand(data["dealer"] == dealer, "another seat deals than the rules say")
        self.turns = from_left_of(starter - 1, playing, self.seats)
        demand(data["players"] == self.turns, "another seat begins, or turns have another order")
        self.dealer, self.starter = dealer, starter
        self.next_dealer = dealer if fixed else (dealer + 1) % self.seats
        return order

    def turn(self, seat: int) -> None:
        """Let the next turn begin."""
        demand(self.turns and seat == self.turns[0], "it is another seat's turn")
        self.turns = [*self.turns[1:], seat]

    def end(self, out: int | None) -> None:
        """Let the round end, by whoever went out or by a limit."""
        if self.rules.get("succession") == "ender":
            self.next_dealer = ((self.starter if out is None else out) + 1) % self.seats
