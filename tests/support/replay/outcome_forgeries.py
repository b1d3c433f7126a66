"""Edits of what is recorded: scores, cards, dice.

Each changes the stored events of a game in place, as JSON trees, and says whether it found
something to change. The chain is made anew afterwards, and every seal with the right salt.
"""

from collections.abc import Callable
from typing import Any

from phaseledger.domain.bots.player import Pick

Tree = dict[str, Any]
Trees = list[Tree]
Edit = Callable[[Trees, Trees, Pick], bool]
"""(the game, another game of the same kind, chance) to whether anything was changed."""


def some_event(trees: Trees, pick: Pick, *kinds: str, having: str = "") -> Tree | None:
    """Some event of the kinds, if there is one; with ``having`` one that has such a field."""
    some = [
        tree
        for tree in trees
        if tree["type"].removesuffix("/1") in kinds or not kinds
        if not having or having in tree or having in tree["data"]
    ]
    return some[pick(len(some))] if some else None


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
    def edit(trees: Trees, _: Trees, pick: Pick) -> bool:
        event = some_event(trees, pick, "RoundEnded")
        if event is None:
            return False
        result = event["data"]["results"][pick(len(event["data"]["results"]))]
        result[name] = result[name] + 1 + pick(25)
        return True

    return edit


def winner(trees: Trees, _: Trees, pick: Pick) -> bool:
    event, seats = some_event(trees, pick, "GameEnded"), trees[0]["data"]["seats"]
    if event is None:
        return False
    event["data"]["winners"] = [(event["data"]["winners"][0] + 1 + pick(seats - 1)) % seats]
    return True


def who_went_out(trees: Trees, _: Trees, pick: Pick) -> bool:
    event, seats = some_event(trees, pick, "RoundEnded", having="out"), trees[0]["data"]["seats"]
    if event is None:
        return False
    event["data"]["out"] = (event["data"]["out"] + 1) % seats
    return True


def hidden_card(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "CardDrawn", "CardTurned", "CardGiven", having="hidden")
    if event is None:
        return False
    secret = event["hidden"][min(event["hidden"])]
    secret["card"] = other_card(secret["card"], pick)
    return True


def dealt_hand(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "RoundDealt")
    if event is None:
        return False
    seats = [who for who in event["hidden"] if who.isdecimal()]
    secret = event["hidden"][seats[pick(len(seats))]]
    secret["hand"] = with_another_card(secret["hand"], pick)
    return True


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


def order_of_stock(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "RoundDealt", "StockShuffled")
    if event is None or not event["hidden"]["stock"].get("stock"):
        return False
    before = event["hidden"]["stock"]["stock"]
    event["hidden"]["stock"]["stock"] = two_cards_of(before, pick)
    return bool(event["hidden"]["stock"]["stock"] != before)


def hands_exchanged(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "RoundDealt")
    hands = [who for who in event["hidden"] if who.isdecimal()] if event else []
    if event is None or len(hands) < 2:
        return False
    one_, other = event["hidden"][hands[0]], event["hidden"][hands[1]]
    one_["hand"], other["hand"] = other["hand"], one_["hand"]
    return bool(one_["hand"] != other["hand"])


def open_card(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "CardDiscarded", "CardsHit", "SkipPlaced")
    if event is None:
        return False
    name = "card" if "card" in event["data"] else "cards"
    event["data"][name] = with_another_card(event["data"][name], pick)
    return True


def open_card_and_move(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "CardDiscarded", "CardsHit", having="act")
    if event is None or "cards" not in event["data"]["act"]["command"]:
        return False
    cards = with_another_card(event["data"]["cards"], pick)
    event["data"]["cards"] = event["data"]["act"]["command"]["cards"] = cards
    return True


def turned_up(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "RoundDealt")
    if event is None or not event["data"]["discard"]:
        return False
    event["data"]["discard"] = with_another_card(event["data"]["discard"], pick)
    return True


def laid_card(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "PhaseLaid")
    if event is None:
        return False
    group = event["data"]["groups"][pick(len(event["data"]["groups"]))]
    group["cards"] = with_another_card(group["cards"], pick)
    return True


def laid_phase(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "PhaseLaid")
    if event is None:
        return False
    event["data"]["phase"] = event["data"]["phase"] % 10 + 1
    return True


def dice(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "DiceRolled")
    if event is None:
        return False
    place = pick(2)
    event["data"]["dice"][place] = event["data"]["dice"][place] % 6 + 1
    return True


def pawn(trees: Trees, _: Trees, pick: Pick) -> bool:
    event = some_event(trees, pick, "PawnMoved")
    if event is None:
        return False
    event["data"]["space"] = (event["data"]["space"] + 1 + pick(30)) % 32
    return True


def facts_seat(trees: Trees, _: Trees, pick: Pick) -> bool:
    event, seats = (
        some_event(trees, pick, "TurnBegan", "CardDrawn", "CardDiscarded"),
        trees[0]["data"],
    )
    if event is None:
        return False
    event["data"]["seat"] = (event["data"]["seat"] + 1) % seats["seats"]
    return True
