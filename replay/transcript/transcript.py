"""The transcript of a game: one line for each event, with what one viewer may know."""

from collections.abc import Callable
from typing import Any

from phaseledger.domain import events as e
from phaseledger.domain.cards import NAMES, TURNED, owner_names, show
from phaseledger.domain.events import belongs
from phaseledger.domain.options import Options, OptionValue
from phaseledger.domain.ruleset import phase_number
from phaseledger.domain.rulesets import find_game
from phaseledger.domain.state import Group, State
from phaseledger.replay.text import Viewer, clean

Lines = list[str]
"""The event's line, and lines that belong under it."""


def may_know(audience: str, viewer: Viewer) -> bool:
    """Whether the viewer knows what was hidden from all but that audience."""
    return viewer == "all" or belongs(audience, viewer)


def name(state: State, seat: int) -> str:
    """The name of the seat's player, without what a terminal would obey."""
    player = state.seats[seat]
    return clean(player.name) if player else f"seat {seat}"


# --- cards, as the viewer may know them ---------------------------------------------------------


def _text(state: State, cards: bytes) -> str:
    return show(cards, state.ruleset.deck.notation)


def held_text(state: State, cards: bytes, viewer: Viewer) -> str:
    """Cards of the viewer's own hand, whose jokers only those who see every card see through."""
    return _text(state, cards if viewer == "all" else owner_names(cards))


def lying_text(state: State, cards: bytes, viewer: Viewer) -> str:
    """Cards of a laid group: its jokers keep their backs up."""
    if viewer != "all":
        cards = bytes(TURNED if card & TURNED else card for card in cards)
    return _text(state, cards)


def group_text(state: State, group: Group, viewer: Viewer) -> str:
    """A laid group: its cards, and for a run from where to where it goes."""
    kind, ends = group.need.kind, ""
    if "run" in kind:
        ends = f" ({_rank(state, group.low)} to {_rank(state, group.high)})"
    return f"{kind} {lying_text(state, group.cards, viewer)}{ends}"


def _rank(state: State, rank: int) -> str:
    """The rank as the cards show it; above 12 a run has wrapped."""
    notation = state.ruleset.deck.notation
    card = NAMES[notation][(rank - 1) % 12 + 1]
    return card[1:] if notation == "coloured" else card[:-1]


def _turned_up(notation: str, faces: bytes, state: State) -> str:
    """Cards as their owner named them, with what is on the other side of the jokers."""
    words = zip(notation.split(), _text(state, faces).split(), strict=True)
    return " ".join(word if word == face else f"J({face})" for word, face in words)


def _visible_secret(event: e.Event, viewer: Viewer) -> e.Secret | None:
    """The hidden part of an event that the viewer may know; None if there is none."""
    return next(
        (secret for audience, secret in event.hidden.items() if may_know(audience, viewer)), None
    )


# --- the events ---------------------------------------------------------------------------------


def _game_opened(_: State, event: e.GameOpened, __: Viewer) -> Lines:
    rules = event.ruleset
    lines = [f"The table opens: {rules.title} ({rules.id}), {event.seats} seats"]
    game = find_game(rules.id)
    as_usual = game.rules.options if game else Options()
    changed = [
        f"{field}={_value(getattr(rules.options, field))}"
        for field in Options.__struct_fields__
        if getattr(rules.options, field) != getattr(as_usual, field)
    ]
    return lines + [f"house rules: {clean(', '.join(changed))}"] * bool(changed)


def _value(value: OptionValue) -> str:
    if isinstance(value, tuple):
        return f"[{'; '.join(value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seat_taken(_: State, event: e.SeatTaken, __: Viewer) -> Lines:
    bot = f" (bot: {clean(event.bot)})" if event.bot else ""
    secret = ", bringing a secret of its own" if event.brought_secret else ""
    return [f"{clean(event.name)} takes seat {event.seat}{bot}{secret}"]


def _seat_handed_over(state: State, event: e.SeatHandedOver, _: Viewer) -> Lines:
    reason = "has left" if event.why == "left" else "is out"
    return [f"{name(state, event.seat)} {reason}: a bot ({clean(event.bot)}) plays on"]


def _turn_timed_out(state: State, event: e.TurnTimedOut, _: Viewer) -> Lines:
    bot = f": a bot ({clean(event.bot)}) answers until the next turn" if event.bot else ""
    return [f"{name(state, event.seat)} is overdue{bot}"]


def _round_dealt(state: State, event: e.RoundDealt, viewer: Viewer) -> Lines:
    kind, rules = "replay for the win" if event.replay else f"Round {event.round}", state.ruleset
    first, dealer = name(state, event.players[0]), name(state, event.dealer)
    begins = f"{first} begins" if first == dealer else f"{dealer} deals, {first} is first"
    top = event.discard or "nothing"
    if event.covered:
        covered = state.discard[: event.covered]
        covered_text = f" ({_text(state, covered)})" if viewer == "all" else ""
        top += f" turned up on {event.covered} others{covered_text}"
    else:
        top += " turned up"
    lines = [f"--- {kind}: {begins}, {top} ---"]
    if event.returned:
        lines.append(f"turned up before and put under the stock: {event.returned}")
    for seat in event.players:
        hand, kept = f"{event.hands[seat]} cards", event.kept[seat] if event.kept else 0
        if may_know(str(seat), viewer):
            cards = held_text(state, state.seat(seat).hand, viewer).split()
            keeps = f"kept {' '.join(cards[:kept])}, dealt " if kept else ""
            hand = keeps + " ".join(cards[kept:])
        elif kept:
            hand += f", {kept} of them kept"
        lines.append(
            f"{name(state, seat)}, phase {phase_number(rules, event.phases[seat])}: {hand}"
        )
    return lines


def _skip_served(state: State, event: e.SkipServed, _: Viewer) -> Lines:
    pile = {"top": "on", "bottom": "under"}.get(event.to)
    goes = f": {event.card} goes {pile} the discard pile" if pile else ""
    return [f"Turn {event.turn}: {name(state, event.seat)} is skipped{goes}"]


def _dice_rolled(state: State, event: e.DiceRolled, _: Viewer) -> Lines:
    repeated = " again:" if event.roll else ""
    return [f"{name(state, event.seat)} rolls{repeated} {' and '.join(map(str, event.dice))}"]


def _card_drawn(state: State, event: e.CardDrawn, viewer: Viewer) -> Lines:
    top = f", and {event.top} lies on top now" if event.top else ""
    if event.source == "discard":
        return [f"{name(state, event.seat)} draws {event.card} from the discard pile{top}"]
    secret = _visible_secret(event, viewer)
    card = f" ({secret.card})" if secret else ""
    if event.source == "pile":
        return [f"{name(state, event.seat)} takes a card out of the discard pile{card}{top}"]
    return [f"{name(state, event.seat)} draws from the stock{card}"]


def _card_turned(state: State, event: e.CardTurned, viewer: Viewer) -> Lines:
    secret = _visible_secret(event, viewer)
    face = f" ({secret.card} on its other side)" if secret else ""
    return [f"{name(state, event.seat)} draws a joker from the stock{face}"]


def _cards_swapped(state: State, event: e.CardsSwapped, viewer: Viewer) -> Lines:
    player, secret = name(state, event.seat), _visible_secret(event, viewer)
    count = "a card" if event.count == 1 else f"{event.count} cards"
    if secret:
        faces, named = state.discard[-event.count :], secret.said
        cards = _turned_up(named, faces, state) if viewer == "all" else named
        return [f"{player} puts {count} on the discard pile ({cards})"]
    jokers = f", with {event.jokers} among them" if event.jokers else ""
    return [f"{player} puts {count} on the discard pile, {event.top} on top{jokers}"]


def _card_asked(state: State, event: e.CardAsked, _: Viewer) -> Lines:
    player, side = name(state, event.seat), event.direction
    return [f"{player} asks for the number {event.value}, one after the other to the {side}"]


def _card_given(state: State, event: e.CardGiven, viewer: Viewer) -> Lines:
    giver, receiver, secret = (
        name(state, event.seat),
        name(state, event.to),
        _visible_secret(event, viewer),
    )
    card = secret.card if secret else ""
    if event.joker:
        return [f"{giver} gives {receiver} the joker {event.joker}" + f" ({card})" * bool(card)]
    return [f"{giver} gives {receiver} {card or 'a card'}"]


def _cards_kept(state: State, event: e.CardsKept, viewer: Viewer) -> Lines:
    player, secret = name(state, event.seat), _visible_secret(event, viewer)
    cards = event.cards
    if viewer == "all":
        cards = _text(state, state.seat(event.seat).kept or b"")
    elif secret:
        cards = secret.said
    elif state.ruleset.options.keep_choice == "simultaneous_secret":
        return [f"{player} has chosen what to keep"]
    return [f"{player} keeps {cards or 'nothing'}"]


def _phase_laid(state: State, event: e.PhaseLaid, viewer: Viewer) -> Lines:
    laid = state.groups[len(state.groups) - len(event.groups) :]
    groups = " | ".join(group_text(state, group, viewer) for group in laid)
    number = phase_number(state.ruleset, event.phase)
    return [f"{name(state, event.seat)} lays phase {number}: {groups}" + _out_text(state, event)]


def _cards_hit(state: State, event: e.CardsHit, viewer: Viewer) -> Lines:
    group, count = state.groups[event.group], len(event.cards.split())
    added = group.cards[:count][::-1] if event.end == "low" else group.cards[-count:]
    end = f", at its {event.end} end" if event.end else ""
    half = ", half a pair so far" if event.half & {"low": 1, "high": 2}.get(event.end, 0) else ""
    owner = name(state, group.owner)
    cards = lying_text(state, added, viewer)
    text = f"{name(state, event.seat)} hits {cards} on group {event.group} "
    return [f"{text}({owner}'s {group.need.kind}{end}{half})" + _out_text(state, event)]


def _card_discarded(state: State, event: e.CardDiscarded, _: Viewer) -> Lines:
    target = "" if event.target is None else f" to skip {name(state, event.target)}"
    count = len(event.cards.split())
    cards = _turned_up(event.cards, state.discard[-count:], state)
    return [f"{name(state, event.seat)} discards {cards}{target}" + _out_text(state, event)]


def _skip_placed(state: State, event: e.SkipPlaced, _: Viewer) -> Lines:
    target = name(state, event.target)
    return [
        f"{name(state, event.seat)} lays {event.card} before {target}" + _out_text(state, event)
    ]


def _out_text(
    state: State, event: e.PhaseLaid | e.CardsHit | e.CardDiscarded | e.SkipPlaced
) -> str:
    return "" if state.seat(event.seat).hand else ", and goes out"


def _round_ended(state: State, event: e.RoundEnded, _: Viewer) -> Lines:
    cause = "stopped" if event.out is None else f"{name(state, event.out)} went out"
    lines = [f"Round {event.round} ends: {cause}"]
    for seat, result in enumerate(event.results):
        number = phase_number(state.ruleset, result.laid)
        laid = f"laid phase {number}" if result.laid else "laid no phase"
        lines.append(f"{name(state, seat)}: {laid}, {_gain_text(state, seat, event)}")
    return lines


def _gain_text(state: State, seat: int, event: e.RoundEnded) -> str:
    """A seat's gain in the round: points, or the next place of its marker."""
    result = event.results[seat]
    if state.ruleset.scoring != "none":
        hand = f", left with {result.hand}" if result.hand else ""
        return f"+{result.points} = {result.total} points{hand}"
    if result.phase > len(state.ruleset.phases):
        return "reaches the laurel"
    moves = "goes on to" if result.laid or seat == event.out else "stays on"
    return f"{moves} phase {phase_number(state.ruleset, result.phase)}"


def _game_ended(state: State, event: e.GameEnded, _: Viewer) -> Lines:
    winners = " and ".join(name(state, seat) for seat in event.winners)
    return [f"{winners} {'wins' if len(event.winners) == 1 else 'share the win'}"]


_SAYINGS: dict[type[e.Event], Callable[[State, Any, Viewer], Lines]] = {
    e.GameOpened: _game_opened,
    e.SeatTaken: _seat_taken,
    e.SeatFreed: lambda _, ev, __: [
        f"Seat {ev.seat} is free again" + (": the host wanted it" if ev.by == "host" else "")
    ],
    e.SeatHandedOver: _seat_handed_over,
    e.TurnTimedOut: _turn_timed_out,
    e.TableSealed: lambda *_: ["The table is sealed: nobody joins any more"],
    e.SeatSecretRevealed: lambda s, ev, _: [f"{name(s, ev.seat)} reveals the secret"],
    e.DealOpened: lambda _, ev, __: [f"The deal is fixed: {ev.transcript}"],
    e.RoundDealt: _round_dealt,
    e.TurnBegan: lambda s, ev, _: [f"Turn {ev.turn}: {name(s, ev.seat)}"],
    e.SkipServed: _skip_served,
    e.StockShuffled: lambda _, ev, __: [f"{ev.count} discards are shuffled: the new stock"],
    e.DiceRolled: _dice_rolled,
    e.PawnMoved: lambda s, ev, _: [f"{name(s, ev.seat)} moves to space {ev.space}: {ev.action}"],
    e.CardDrawn: _card_drawn,
    e.CardTurned: _card_turned,
    e.CardsSwapped: _cards_swapped,
    e.CardAsked: _card_asked,
    e.CardGiven: _card_given,
    e.CardsKept: _cards_kept,
    e.PhaseLaid: _phase_laid,
    e.CardsHit: _cards_hit,
    e.CardDiscarded: _card_discarded,
    e.SkipPlaced: _skip_placed,
    e.TurnPassed: lambda s, ev, _: [f"{name(s, ev.seat)} has no card to discard and passes"],
    e.RoundEnded: _round_ended,
    e.GameEnded: _game_ended,
    e.GameVoided: lambda _, ev, __: [f"The game is broken off: {clean(ev.reason)}"],
}


def describe(state: State, event: e.Event, viewer: Viewer) -> Lines:
    """The event in words; ``state`` is the one after it. Further lines are details of the first."""
    return _SAYINGS[type(event)](state, event, viewer)
