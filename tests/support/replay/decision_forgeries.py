"""Edits of decisions and their marks, of secrets, of the rules, and of whole events."""

from collections.abc import Callable
from typing import Any

import msgspec

from tests.support.chance import Pick
from tests.support.replay.outcome_forgeries import Edit, Tree, Trees, bits_flipped, in_event

# --- decisions and their marks -------------------------------------------------------------------


@in_event(among=lambda tree: "seat" in tree["data"].get("act", {}))
def speaker(event: Tree, trees: Trees, pick: Pick) -> None:
    act, seats = event["data"]["act"], trees[0]["data"]["seats"]
    act["seat"] = (act["seat"] + 1 + pick(seats - 1)) % seats


@in_event(among=lambda t: t["data"].get("act", {}).get("command", {}).get("type") == "draw")
def drawn_from(event: Tree, _: Trees, __: Pick) -> None:
    command = event["data"]["act"]["command"]
    if command.pop("source", "stock") == "stock":
        command["source"] = "discard"


@in_event(having="act", among=lambda tree: tree["seq"] > 1)
def no_decision(event: Tree, _: Trees, __: Pick) -> None:
    del event["data"]["act"]


def mark_of_a_later_event(name: str, change: Callable[[Any, Pick], Any]) -> Edit:
    @in_event(among=lambda tree: "act" not in tree["data"])
    def edit(event: Tree, _: Trees, pick: Pick) -> None:
        event[name] = change(event[name], pick)

    return edit


def signature(change: Callable[[str, Pick], str]) -> Edit:
    def edit(trees: Trees, _: Trees, pick: Pick) -> bool:
        places = [tree["data"]["act"] for tree in trees if "sig" in tree["data"].get("act", {})]
        places += [
            secret
            for tree in trees
            for secret in tree.get("hidden", {}).values()
            if "sig" in secret
        ]
        if not places:
            return False
        holder = places[pick(len(places))]
        holder["sig"] = change(holder["sig"], pick)
        if not holder["sig"]:
            del holder["sig"]
        return True

    return edit


def signature_of_another(trees: Trees, _: Trees, pick: Pick) -> bool:
    acts = [tree["data"]["act"] for tree in trees if "sig" in tree["data"].get("act", {})]
    if len(acts) < 2:
        return False
    first = pick(len(acts) - 1)
    acts[first]["sig"] = acts[first + 1]["sig"]
    return True


@in_event("SeatTaken", having="key")
def key_of_a_seat(event: Tree, _: Trees, pick: Pick) -> None:
    key = bits_flipped(event["data"]["key"], pick)
    event["data"]["key"] = event["data"]["act"]["command"]["key"] = key


# --- secrets and promises ------------------------------------------------------------------------


def hex_of(*path: str, kinds: tuple[str, ...]) -> Edit:
    def edit(trees: Trees, _: Trees, pick: Pick) -> bool:
        some = [tree for tree in trees if tree["type"].removesuffix("/1") in kinds]
        holders = []
        for tree in some:
            node: Any = tree
            for name in path[:-1]:
                node = node.get(name, {})
            if path[-1] in node:
                holders.append(node)
        if not holders:
            return False
        holder = holders[pick(len(holders))]
        holder[path[-1]] = bits_flipped(holder[path[-1]], pick)
        return True

    return edit


def seat_secret_of_another_game(trees: Trees, other: Trees, pick: Pick) -> bool:
    mine, theirs = (
        [t for t in some if t["type"] == "SeatTaken/1" and "server" in t.get("hidden", {})]
        for some in (trees, other)
    )
    if not mine or not theirs:
        return False
    mine[pick(len(mine))]["hidden"] = theirs[pick(len(theirs))]["hidden"]
    return True


# --- the rules -----------------------------------------------------------------------------------


def hand_size(trees: Trees, _: Trees, pick: Pick) -> bool:
    trees[0]["data"]["ruleset"]["hand"] += 1 + pick(3)
    return True


def points(trees: Trees, _: Trees, pick: Pick) -> bool:
    trees[0]["data"]["ruleset"]["points"]["wild"] += 5 * (1 + pick(5))
    return True


def phase_asks(trees: Trees, _: Trees, pick: Pick) -> bool:
    phases = trees[0]["data"]["ruleset"]["phases"]
    phases[pick(len(phases))]["needs"][0]["size"] += 1
    return True


def house_rule(trees: Trees, _: Trees, pick: Pick) -> bool:
    options = trees[0]["data"]["ruleset"]["options"]
    name = ("run_wrap", "wild_on_full_run", "skip_survives_round", "skip_drawable")[pick(4)]
    options[name] = not options.get(name, False)
    if not options[name]:
        del options[name]
    return True


def house_rule_asked_for(trees: Trees, _: Trees, pick: Pick) -> bool:
    command = trees[0]["data"]["act"]["command"]
    turns = command.get("options", {}).get("max_turns_per_round", 50)
    command.setdefault("options", {})["max_turns_per_round"] = turns + 1 + pick(40)
    return True


def other_rule_set(trees: Trees, _: Trees, pick: Pick) -> bool:
    command = trees[0]["data"]["act"]["command"]
    names = [n for n in ("classic", "express", "board", "standard-deck") if n != command["ruleset"]]
    command["ruleset"] = names[pick(3)]
    return True


def dealer(trees: Trees, _: Trees, __: Pick) -> bool:
    trees[0]["data"]["dealer"] = (trees[0]["data"]["dealer"] + 1) % trees[0]["data"]["seats"]
    return True


# --- whole events, renumbered --------------------------------------------------------------------


def dropped(trees: Trees, _: Trees, pick: Pick) -> bool:
    del trees[1 + pick(len(trees) - 2)]
    return True


def repeated(trees: Trees, _: Trees, pick: Pick) -> bool:
    place = 1 + pick(len(trees) - 2)
    trees.insert(place, msgspec.json.decode(msgspec.json.encode(trees[place])))
    return True


def exchanged(trees: Trees, _: Trees, pick: Pick) -> bool:
    place = 1 + pick(len(trees) - 3)
    trees[place], trees[place + 1] = trees[place + 1], trees[place]
    return True


def of_another_game(trees: Trees, other: Trees, pick: Pick) -> bool:
    place, foreign = 1 + pick(len(trees) - 2), other[1 + pick(len(other) - 2)]
    before, trees[place] = trees[place], foreign | {"game": trees[0]["game"]}
    return any(before.get(name) != foreign.get(name) for name in ("data", "hidden", "type"))
