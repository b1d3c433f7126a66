"""Each card of a game through all events (docs/reference/format.md, "Which cards move").

Cards are texts as in the log; a joker of the board game is `J(R5)` with its face, and `?` a card
that the bundle's viewer does not know.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from verifying.basics import demand
from verifying.deal import Chance, Deck, Seating, arranged, dealt, turned_up
from verifying.form import Event

Facts = dict[str, Any]


def cards_in(text: str) -> list[str]:
    """The cards that a text of the log names."""
    return text.split(" ") if text else []


def is_joker(card: str) -> bool:
    """Whether a card of a hand is a joker of the board game."""
    return card.startswith("J(")


def is_name(text: str) -> bool:
    """Whether a text is an owner's name for a joker, such as J1."""
    return text[:1] == "J" and text[1:].isdecimal() and len(text) < 4


def face(card: str) -> str:
    """The number card that a joker is, and any other card itself."""
    return card[2:-1] if is_joker(card) else card


def same(card: str, other: str) -> bool:
    """Whether two cards may be one, as far as both are known."""
    return card == other or "?" in (card, other)


def all_same(ones: Sequence[str], others: Sequence[str]) -> bool:
    """Whether cards may be those others, one for one."""
    return len(ones) == len(others) and all(map(same, ones, others))


class Cards:
    """The cards of a game as its events move them; without chance they are counted alone."""

    def __init__(self, opened: Facts, chance: Chance | None, script: Sequence[Facts]) -> None:
        self.script = script
        self.rules, self.seats, self.chance = opened["ruleset"], opened["seats"], chance
        self.option: Facts = self.rules["options"]
        self.covered = self.rules.get("pile") == "covered"
        self.deck, self.seating = Deck(self.rules["deck"]), Seating(opened, chance)
        self.stock: list[str] = []
        self.pile: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.front: list[list[str]] = [[] for _ in range(self.seats)]
        self.kept: dict[int, list[str] | None] = {}
        self.round = self.shuffles = self.turn = self.rolls = self.throws = 0

    def _scripted(self) -> Facts:
        """The script of the round that is played."""
        return self.script[self.round - 1] if self.round <= len(self.script) else {}

    def follow(self, event: Event) -> None:
        """Move the cards as one event says; refuse it where it cannot have been so."""
        step = getattr(self, f"_on{event.words}", None)
        if step:
            step(event.data, event.opened, set(event.sealed))

    # -- what the deal decides

    def _on_round_dealt(self, data: Facts, hidden: Facts, sealed: set[str]) -> None:
        self.round, self.shuffles, self.throws = self.round + 1, 0, 0
        demand(data["round"] == self.round, "the round has another number")
        lists = [data[name] for name in ("hands", "phases", "skips")]
        lists += [data.get(name, [0] * self.seats) for name in ("kept", "jokers")]
        demand(all(len(row) == self.seats for row in lists), "it is not about all seats")
        size = self.rules["hand"]
        playing = [seat for seat in range(self.seats) if data["hands"][seat]]
        full = all(data["hands"][seat] == size for seat in playing)
        demand(playing and full and size <= len(self.deck.cards), "a hand is not full")
        demand(data.get("replay") or len(playing) == self.seats, "a seat got no cards")
        kept = [self._kept(data, hidden, seat) for seat in range(self.seats)]
        stays = {f"not:{s}" for s, cards in enumerate(kept) if any(map(is_joker, cards))}
        wanted = {*map(str, playing), "stock", *stays}
        demand(sealed <= wanted and "stock" in sealed, "others may know its cards than should")
        order = self.seating.seat(data, playing)
        fresh = [cards_in(hidden.get(str(seat), {}).get("hand", "")) for seat in range(self.seats)]
        secret = hidden.get("stock", {})
        stock, under = cards_in(secret.get("stock", "")), cards_in(secret.get("pile", ""))
        up = cards_in(data["discard"])
        if self.chance:
            rest = self.deck.without([face(card) for cards in kept for card in cards])
            made = self.chance.shuffled(rest, self.round, 0)
            made = arranged(made, self._scripted(), self.rules, order, kept)
            hands = dealt(made, self.rules, order, kept)
            turned, returned = turned_up(made, self.rules, self.deck)
            below = turned[:-1] if self.covered else []
            demand(fresh == hands, "a hand is not what the secrets deal")
            demand(under + up == turned and under == below, "the first discards are other cards")
            demand(
                cards_in(data.get("returned", "")) == returned, "other cards went under the stock"
            )
            demand(stock == made, "the stock is not what the secrets deal")
        else:
            counts = (data["stock"], data.get("covered", 0))
            demand(max(counts) <= len(self.deck.cards), "there are more cards than the deck has")
            stock, under = ["?"] * counts[0], ["?"] * counts[1]
            for seat in playing:
                fresh[seat] = fresh[seat] or ["?"] * (size - len(kept[seat]))
        self.stock, self.pile = stock, under + up
        self.front = [[] for _ in range(self.seats)]
        self.hands = [own + new for own, new in zip(kept, fresh, strict=True)]
        demand(len(stock) == data["stock"], "the stock has another number of cards")
        demand(up and len(under) == data.get("covered", 0), "another number of cards is covered")
        demand([len(hand) for hand in self.hands] == data["hands"], "a hand is not full")
        whole = len(stock) + len(self.pile) + sum(data["hands"])
        demand(whole == len(self.deck.cards), "the cards are not the deck")

    def _kept(self, data: Facts, hidden: Facts, seat: int) -> list[str]:
        """The cards that a seat keeps from the round before."""
        count = data.get("kept", [0] * self.seats)[seat]
        jokers = data.get("jokers", [0] * self.seats)[seat]
        demand(0 <= jokers <= count <= self.rules.get("keep", 0), "too many cards were kept")
        names = self.kept.pop(seat, [])
        faces = cards_in(hidden.get(f"not:{seat}", {}).get("kept", ""))
        if names is None:
            return ["?"] * (count - jokers) + (faces or ["J(?)"] * jokers)
        kept = self._take(seat, names)
        if self.option.get("kept_joker") == "becomes_normal":
            new = cards_in(hidden.get(str(seat), {}).get("kept", ""))
            changed, kept = any(map(is_joker, kept)), list(map(face, kept))
            right = new == kept if changed else not new
            demand(right or not self.chance, "other cards were kept")
        staying = [card for card in kept if is_joker(card)]
        demand(len(kept) == count and len(staying) == jokers, "other cards were kept")
        demand(staying == faces or not self.chance, "other jokers were kept")
        return kept

    def _on_stock_shuffled(self, data: Facts, hidden: Facts, sealed: set[str]) -> None:
        stays = 0 if self.option.get("stock_exhausted") == "reshuffle_all" else 1
        going = self.pile[: len(self.pile) - stays]
        self.pile, self.shuffles = self.pile[len(going) :], self.shuffles + 1
        demand(not self.stock, "the stock was shuffled although it had cards")
        counts = (data["shuffle"], data["count"], data["kept"])
        demand(counts == (self.shuffles, len(going), stays) and going, "its numbers are other ones")
        demand(sealed == {"stock"}, "others may know its cards than should")
        self.stock = ["?"] * len(going)
        if self.chance:
            self.stock = self.chance.shuffled(self.deck.sorted(going), self.round, self.shuffles)
            new = cards_in(hidden.get("stock", {}).get("stock", ""))
            demand(new == self.stock, "the new stock is not what the secrets give")

    def _on_turn_began(self, data: Facts, _: Facts, __: set[str]) -> None:
        self.turn, self.rolls = self.turn + 1, 0
        demand(data["turn"] == self.turn, "the turn has another number")
        self.seating.turn(data["seat"])

    def _on_skip_served(self, data: Facts, hidden: Facts, sealed: set[str]) -> None:
        self._on_turn_began(data, hidden, sealed)
        if "card" in data:
            lying, to = self.front[data["seat"]], self.rules.get("skip_after_served")
            demand(lying and lying.pop() == data["card"], "no such skip lay in front of the seat")
            demand(data.get("to") == to, "the skip went elsewhere than the rules say")
            self.pile.insert(0 if to == "bottom" else len(self.pile), data["card"])

    def _on_dice_rolled(self, data: Facts, _: Facts, __: set[str]) -> None:
        demand(data["roll"] == self.rolls, "the throw has another number")
        if self.chance:
            scripted = self._scripted().get("dice", [])[self.throws : self.throws + 1]
            due = scripted[0] if scripted else self.chance.dice(self.turn, self.rolls)
            demand(data["dice"] == due, "the dice fell otherwise")
        self.rolls, self.throws = self.rolls + 1, self.throws + 1

    # -- what cards do afterwards

    def _take(self, seat: int, names: Sequence[str]) -> list[str]:
        """Take cards out of a hand, jokers by their number in it; as they are, in that order."""
        hand, places = self.hands[seat], list[int]()
        jokers = [place for place, card in enumerate(hand) if is_joker(card)]
        for name in names:
            slots = jokers[int(name[1:]) - 1 :][:1] if is_name(name) and name != "J0" else []
            slots += [place for place, card in enumerate(hand) if card == name and not slots]
            slots += [place for place, card in enumerate(hand) if card == "?" and not is_name(name)]
            free = [place for place in slots if place not in places]
            demand(free, f"seat {seat} has no {name}")
            places.append(free[0])
        taken = [hand[p] if hand[p] != "?" else name for p, name in zip(places, names, strict=True)]
        self.hands[seat] = [card for place, card in enumerate(hand) if place not in places]
        return taken

    def _unknown(self, seat: int, count: int) -> list[str]:
        """Take unknown cards out of a hand: of what is left, only jokers are known."""
        self.hands[seat] = [card if is_joker(card) else "?" for card in self.hands[seat]]
        return self._take(seat, ["?"] * max(0, min(count, len(self.hands[seat]) + 1)))

    def _on_card_drawn(self, data: Facts, hidden: Facts, sealed: set[str]) -> None:
        seat, source = data["seat"], data["source"]
        own = hidden.get(str(seat), {})
        drawn = data.get("card", "") if source == "discard" else own.get("card", "?")
        demand(drawn != "?" or not self.chance, "the card is not told")
        demand(sealed == (set() if source == "discard" else {str(seat)}), "others may know it")
        if source == "pile" and not own:
            self.pile = ["?"] * len(self.pile)
        place = own.get("place", 0) if source == "pile" else len(self.pile) - 1
        there = self.stock if source == "stock" else self.pile
        place = 0 if source == "stock" else place
        demand(0 <= place < len(there), "no card lay there")
        card = there.pop(place)
        demand(same(card, drawn), f"{drawn} was drawn where {card} lay")
        top = data.get("top", "")
        if source != "stock" and self.covered:
            demand(
                same(self.pile[-1], top) if self.pile else not top, "another card lies there now"
            )
            self.pile[-1:] = [top] if top else []
        else:
            demand(not top, "the pile is open")
        self.hands[seat].append(drawn if card == "?" else card)

    def _on_card_turned(self, data: Facts, hidden: Facts, sealed: set[str]) -> None:
        demand(self.stock, "a card was drawn from an empty stock")
        card, seat = self.stock.pop(0), data["seat"]
        sees = {str(seat)} if self.option.get("joker_memory") == "owner_sees_always" else set()
        demand(sealed == {f"not:{seat}", *sees}, "others may know it than should")
        jokers = [secret.get("card", "?") for secret in hidden.values()]
        demand(all(same(card, joker) for joker in jokers), "another joker was drawn")
        self.hands[seat].append(f"J({[*jokers, '?'][0] if card == '?' else card})")

    def _on_phase_laid(self, data: Facts, _: Facts, __: set[str]) -> None:
        self._take(data["seat"], [c for group in data["groups"] for c in cards_in(group["cards"])])

    def _on_cards_hit(self, data: Facts, _: Facts, __: set[str]) -> None:
        self._take(data["seat"], cards_in(data["cards"]))

    def _on_card_discarded(self, data: Facts, _: Facts, __: set[str]) -> None:
        names = cards_in(data["cards"])
        faces = cards_in(data.get("faces", "")) if any(map(is_name, names)) else names
        taken = [face(card) for card in self._take(data["seat"], names)]
        demand(all_same(taken, faces), "other cards lie on the pile now")
        self.pile += faces

    def _on_skip_placed(self, data: Facts, _: Facts, __: set[str]) -> None:
        self.front[data["target"]] += self._take(data["seat"], [data["card"]])

    def _on_cards_swapped(self, data: Facts, hidden: Facts, sealed: set[str]) -> None:
        seat, jokers = data["seat"], cards_in(data.get("jokers", ""))
        demand(sealed == {str(seat)}, "others may know the cards than should")
        named = cards_in(hidden.get(str(seat), {}).get("said", ""))
        if named:
            taken = [face(card) for card in self._take(seat, named)]
            demand(jokers == [name for name in named if is_name(name)], "other jokers were swapped")
        else:
            taken = ["?"] * len(self._take(seat, jokers))
            taken += self._unknown(seat, data["count"] - len(jokers))
        demand(taken and len(taken) == data["count"], "another number of cards was swapped")
        demand(same(taken[-1], data["top"]), "another card lies on the pile now")
        self.pile += [*taken[:-1], data["top"]]

    def _on_card_given(self, data: Facts, hidden: Facts, sealed: set[str]) -> None:
        seat, joker = data["seat"], data.get("joker", "")
        both = ",".join(map(str, sorted((seat, data["to"]))))
        demand(sealed == {f"not:{seat}" if joker else both}, "others may know it than should")
        given = next((secret.get("card", "?") for secret in hidden.values()), "?")
        demand(given != "?" or not self.chance, "the card is not told")
        names = [joker or given]
        (card,) = self._unknown(seat, 1) if names == ["?"] else self._take(seat, names)
        demand(same(face(card), given) and is_joker(card) == bool(joker), "another card was given")
        self.hands[data["to"]].append(given if face(card) == "?" else face(card))

    def _on_cards_kept(self, data: Facts, hidden: Facts, sealed: set[str]) -> None:
        secret, shown = hidden.get(str(data["seat"])), "cards" in data
        openly = self.option.get("keep_choice") == "seat_order_open"
        demand(sealed <= ({str(data["seat"])} - {""}), "others may know the cards than should")
        demand(openly or not shown, "the cards should not be shown")
        text = data.get("cards", "") if openly else (secret or {}).get("said", "")
        self.kept[data["seat"]] = None if secret is None and not openly else cards_in(text)

    def _on_round_ended(self, data: Facts, _: Facts, __: set[str]) -> None:
        results, out = data["results"], data.get("out")
        demand(data["round"] == self.round, "the round has another number")
        demand(len(results) == self.seats, "it is not about all seats")
        for hand, shown in zip(
            self.hands, (cards_in(r.get("hand", "")) for r in results), strict=True
        ):
            other = (Counter(shown) - Counter(hand)).total()
            whole = len(shown) == len(hand) and other <= hand.count("?")
            demand(whole or not shown, "a hand is another one")
        demand(out is None or not self.hands[out], "a seat went out with cards in its hand")
        self.seating.end(out)
