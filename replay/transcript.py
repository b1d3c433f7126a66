"""A game in words: one line for each event, as one viewer could have written it down."""

from collections.abc import Callable
from typing import Any, Literal

from domain import events as e
from domain.events import belongs
from domain.options import Options
from domain.state import Group, State

Viewer = int | None | Literal["all"]
"""A seat, a spectator (None), or somebody who sees every card."""

Lines = list[str]
"""The event's line, and lines that belong under it."""


def may_know(audience: str, viewer: Viewer) -> bool:
    """Whether the viewer knows what was hidden from all but that audience."""
    return viewer == "all" or belongs(audience, viewer)


def name(state: State, seat: int) -> str:
    """The seat's player, whose name may hold anything that a terminal would obey."""
    taken = state.seats[seat]
    return clean(taken.name) if taken else f"seat {seat}"


def clean(text: str) -> str:
    """The text without control characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def group_text(group: Group | e.LaidGroup, kind: str, cards: str) -> str:
    """A laid group: its cards, and for a run from where to where it goes."""
    ends = f" ({group.low} to {group.high})" if "run" in kind else ""
    return f"{kind} {cards}{ends}"


def _opened(state: State, event: e.GameOpened, _: Viewer) -> Lines:
    rules = event.ruleset
    lines = [f"The table opens: {rules.title} ({rules.id}), {event.seats} seats"]
    usual = Options()
    changed = [
        f"{field}={getattr(rules.options, field)}"
        for field in Options.__struct_fields__
        if getattr(rules.options, field) != getattr(usual, field)
    ]
    return lines + [f"house rules: {clean(', '.join(changed))}"] * bool(changed)


def _taken(state: State, event: e.SeatTaken, _: Viewer) -> Lines:
    who = f" (bot: {clean(event.bot)})" if event.bot else ""
    own = ", bringing a secret of its own" if event.brought_secret else ""
    return [f"{clean(event.name)} takes seat {event.seat}{who}{own}"]


def _dealt(state: State, event: e.RoundDealt, viewer: Viewer) -> Lines:
    kind = "replay for the win" if event.replay else f"Round {event.round}"
    first = name(state, event.players[0])
    up = event.discard or "nothing"
    dealer = name(state, event.dealer)
    lines = [f"--- {kind}: {dealer} deals, {first} is first, {up} turned up ---"]
    for seat in event.players:
        hidden = event.hidden.get(str(seat))
        hand = f"{event.hands[seat]} cards"
        if hidden and may_know(str(seat), viewer):
            hand = hidden.hand
        lines.append(f"{name(state, seat)}, phase {event.phases[seat]}: {hand}")
    return lines


def _drawn(state: State, event: e.CardDrawn, viewer: Viewer) -> Lines:
    if event.source == "discard":
        return [f"{name(state, event.seat)} draws {event.card} from the discard pile"]
    cards = [secret.card for who, secret in event.hidden.items() if may_know(who, viewer)]
    return [f"{name(state, event.seat)} draws from the stock" + "".join(f" ({c})" for c in cards)]


def _laid(state: State, event: e.PhaseLaid, _: Viewer) -> Lines:
    needs = state.ruleset.phases[event.phase - 1].needs
    groups = " | ".join(
        group_text(group, need.kind, group.cards)
        for need, group in zip(needs, event.groups, strict=True)
    )
    return [f"{name(state, event.seat)} lays phase {event.phase}: {groups}" + _out(state, event)]


def _hit(state: State, event: e.CardsHit, _: Viewer) -> Lines:
    group = state.groups[event.group]
    end = f", at its {event.end} end" if event.end else ""
    whose = name(state, group.owner)
    text = f"{name(state, event.seat)} hits {event.cards} on group {event.group} "
    return [f"{text}({whose}'s {group.need.kind}{end})" + _out(state, event)]


def _discarded(state: State, event: e.CardDiscarded, _: Viewer) -> Lines:
    target = "" if event.target is None else f" to skip {name(state, event.target)}"
    return [f"{name(state, event.seat)} discards {event.cards}{target}" + _out(state, event)]


def _placed(state: State, event: e.SkipPlaced, _: Viewer) -> Lines:
    target = name(state, event.target)
    return [f"{name(state, event.seat)} lays {event.card} before {target}" + _out(state, event)]


def _out(state: State, event: e.PhaseLaid | e.CardsHit | e.CardDiscarded | e.SkipPlaced) -> str:
    return "" if state.seat(event.seat).hand else ", and goes out"


def _round_ended(state: State, event: e.RoundEnded, _: Viewer) -> Lines:
    cause = "stopped" if event.out is None else f"{name(state, event.out)} went out"
    lines = [f"Round {event.round} ends: {cause}"]
    for seat, result in enumerate(event.results):
        laid = f"laid phase {result.laid}" if result.laid else "laid no phase"
        hand = f", left with {result.hand}" if result.hand else ""
        lines.append(f"{name(state, seat)}: {laid}, +{result.points} = {result.total} points{hand}")
    return lines


def _ended(state: State, event: e.GameEnded, _: Viewer) -> Lines:
    winners = " and ".join(name(state, seat) for seat in event.winners)
    return [f"{winners} {'wins' if len(event.winners) == 1 else 'share the win'}"]


_SAYINGS: dict[type[e.Event], Callable[[State, Any, Viewer], Lines]] = {
    e.GameOpened: _opened,
    e.SeatTaken: _taken,
    e.TableSealed: lambda *_: ["The table is sealed: nobody joins any more"],
    e.SeatSecretRevealed: lambda s, ev, _: [f"{name(s, ev.seat)} reveals the secret"],
    e.DealOpened: lambda _, ev, __: [f"The deal is fixed: {ev.transcript}"],
    e.RoundDealt: _dealt,
    e.TurnBegan: lambda s, ev, _: [f"Turn {ev.turn}: {name(s, ev.seat)}"],
    e.SkipServed: lambda s, ev, _: [f"Turn {ev.turn}: {name(s, ev.seat)} is skipped"],
    e.StockShuffled: lambda _, ev, __: [f"{ev.count} discards are shuffled: the new stock"],
    e.CardDrawn: _drawn,
    e.PhaseLaid: _laid,
    e.CardsHit: _hit,
    e.CardDiscarded: _discarded,
    e.SkipPlaced: _placed,
    e.TurnPassed: lambda s, ev, _: [f"{name(s, ev.seat)} has no card to discard and passes"],
    e.RoundEnded: _round_ended,
    e.GameEnded: _ended,
    e.GameVoided: lambda _, ev, __: [f"The game is broken off: {clean(ev.reason)}"],
}


def describe(state: State, event: e.Event, viewer: Viewer) -> Lines:
    """The event in words; ``state`` is the one after it. Further lines are details of the first."""
    return _SAYINGS[type(event)](state, event, viewer)
