"""Edits of what is recorded: scores, cards, dice.

Each changes the stored events of a game in place, as JSON trees, and says whether it found
something to change. The chain is made anew afterwards, and every seal with the right salt.
"""

from collections.abc import Callable
from typing import Any

from tests.support.chance import Pick

Tree = dict[str, Any]
Trees = list[Tree]
Edit = Callable[[Trees, Trees, Pick], bool]
"""(the game, another game of the same kind, chance) to whether anything was changed."""


Change = Callable[[Tree, Trees, Pick], bool | None]
"""(an event, changed in place; the game; chance) to False where nothing was changed."""


def in_event(
    *kinds: str, having: str = "", among: Callable[[Tree], object] = bool
) -> Callable[[Change], Edit]:
    """An edit of some event of the kinds; with ``having`` of one that has such a field."""

    def edit_by(change: Change) -> Edit:
        def edit(trees: Trees, _: Trees, pick: Pick) -> bool:
            some = [
                tree
                for tree in filter(among, trees)
                if tree["type"].removesuffix("/1") in kinds or not kinds
                if not having or having in tree or having in tree["data"]
            ]
            return bool(some) and change(some[pick(len(some))], trees, pick) is not False

        return edit

    return edit_by


def other_card(text: str, pick: Pick) -> str:
    """Another card in the same notation."""
    word = text.split()[0]
    french = word[-1] in "HSDC" or word in ("A", "*")
    cards = [f"{r}{s}" for r in (5, 9, "K") for s in "HS"] if french else ["R5", "B9", "G12", "W"]
    some = [card for card in cards if card != word]
    return some[pick(len(some))]


def with_another_card(text: str, pick: Pick) -> str:
    """Cards with one of them changed."""
    words = text.split()
    place = pick(len(words))
    words[place] = other_card(words[place], pick)
    return " ".join(words)


def bits_flipped(text: str, pick: Pick) -> str:
    """Hex digits (or an id of a game), one of them another."""
    places = [n for n, digit in enumerate(text) if digit != "-"]
    place = places[pick(len(places))]
    digit = "0123456789abcdef"[(int(text[place], 16) + 1 + pick(15)) % 16]
    return text[:place] + digit + text[place + 1 :]


# --- scores, cards, dice -------------------------------------------------------------------------


def field_of_result(name: str) -> Edit:
    @in_event("RoundEnded")
    def edit(event: Tree, _: Trees, pick: Pick) -> None:
        result = event["data"]["results"][pick(len(event["data"]["results"]))]
        result[name] = result[name] + 1 + pick(25)

    return edit


@in_event("GameEnded")
def winner(event: Tree, trees: Trees, pick: Pick) -> None:
    seats = trees[0]["data"]["seats"]
    event["data"]["winners"] = [(event["data"]["winners"][0] + 1 + pick(seats - 1)) % seats]


@in_event("RoundEnded", having="out")
def who_went_out(event: Tree, trees: Trees, _: Pick) -> None:
    event["data"]["out"] = (event["data"]["out"] + 1) % trees[0]["data"]["seats"]


@in_event("CardDrawn", "CardTurned", "CardGiven", having="hidden")
def hidden_card(event: Tree, _: Trees, pick: Pick) -> None:
    secret = event["hidden"][min(event["hidden"])]
    secret["card"] = other_card(secret["card"], pick)


@in_event("RoundDealt")
def dealt_hand(event: Tree, _: Trees, pick: Pick) -> None:
    seats = [who for who in event["hidden"] if who.isdecimal()]
    secret = event["hidden"][seats[pick(len(seats))]]
    secret["hand"] = with_another_card(secret["hand"], pick)


def two_cards_of(cards: str, pick: Pick) -> str:
    """Cards with two different ones exchanged."""
    words = cards.split()
    first = pick(len(words))
    others = [n for n, word in enumerate(words) if word != words[first]]
    if not others:
        return cards
    second = others[pick(len(others))]
    words[first], words[second] = words[second], words[first]
    return " ".join(words)


@in_event("RoundDealt", "StockShuffled")
def order_of_stock(event: Tree, _: Trees, pick: Pick) -> bool:
    hidden = event["hidden"]["stock"]
    before = hidden.get("stock")
    if before:
        hidden["stock"] = two_cards_of(before, pick)
    return bool(hidden.get("stock") != before)


@in_event("RoundDealt")
def hands_exchanged(event: Tree, _: Trees, __: Pick) -> bool:
    hands = [secret for who, secret in event["hidden"].items() if who.isdecimal()]
    if len(hands) < 2:
        return False
    one_, other, *_rest = hands
    one_["hand"], other["hand"] = other["hand"], one_["hand"]
    return bool(one_["hand"] != other["hand"])


@in_event("CardDiscarded", "CardsHit", "SkipPlaced")
def open_card(event: Tree, _: Trees, pick: Pick) -> None:
    name = "card" if "card" in event["data"] else "cards"
    event["data"][name] = with_another_card(event["data"][name], pick)


@in_event("CardDiscarded", "CardsHit", having="act")
def open_card_and_move(event: Tree, _: Trees, pick: Pick) -> bool:
    command = event["data"]["act"]["command"]
    if "cards" in command:
        event["data"]["cards"] = command["cards"] = with_another_card(event["data"]["cards"], pick)
    return "cards" in command


@in_event("RoundDealt")
def turned_up(event: Tree, _: Trees, pick: Pick) -> bool:
    before = event["data"]["discard"]
    event["data"]["discard"] = with_another_card(before, pick) if before else before
    return bool(before)


@in_event("PhaseLaid")
def laid_card(event: Tree, _: Trees, pick: Pick) -> None:
    group = event["data"]["groups"][pick(len(event["data"]["groups"]))]
    group["cards"] = with_another_card(group["cards"], pick)


@in_event("PhaseLaid")
def laid_phase(event: Tree, _: Trees, __: Pick) -> None:
    event["data"]["phase"] = event["data"]["phase"] % 10 + 1


@in_event("DiceRolled")
def dice(event: Tree, _: Trees, pick: Pick) -> None:
    place = pick(2)
    event["data"]["dice"][place] = event["data"]["dice"][place] % 6 + 1


@in_event("PawnMoved")
def pawn(event: Tree, _: Trees, pick: Pick) -> None:
    event["data"]["space"] = (event["data"]["space"] + 1 + pick(30)) % 32


@in_event("TurnBegan", "CardDrawn", "CardDiscarded")
def facts_seat(event: Tree, trees: Trees, _: Pick) -> None:
    event["data"]["seat"] = (event["data"]["seat"] + 1) % trees[0]["data"]["seats"]
