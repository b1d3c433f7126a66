"""The transcript of a game: one line for each event, with the facts that one viewer may know."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from phaseledger.domain import events as e
from phaseledger.domain.explain.catalogue import option_words
from phaseledger.domain.explain.wording import cards_words, common_words, list_of, title
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import phase_number
from phaseledger.domain.rulesets import find_game
from phaseledger.domain.state import Group, State
from phaseledger.domain.words import Language, has_message, message
from phaseledger.replay.text import Viewer, clean
from phaseledger.replay.transcript.card_text import (
    cards_added,
    cards_text,
    held_text,
    lying_text,
    may_know,
    name,
    turned_up,
    visible_secret,
)

Lines = list[str]
"""The event's line, and the lines under it."""


class _Teller(NamedTuple):
    """The viewer and the language of a transcript, and the state after the event."""

    state: State
    viewer: Viewer
    lang: Language

    def line(self, code: str, variant: object = "", /, **values: object) -> str:
        """The message of that code."""
        return message(self.lang, code, variant, **values)

    def name(self, seat: int) -> str:
        return name(self.state, seat, self.lang)

    def visible_secret(self, event: e.Event) -> e.Secret | None:
        return visible_secret(event, self.viewer)

    def both(self, parts: Iterable[str]) -> str:
        """The parts, joined by "and"."""
        return f" {self.line('and')} ".join(parts)

    def cards(self, text: str) -> str:
        """Cards in words."""
        return cards_words(text, self.lang)

    def group(self, group: Group) -> str:
        """What the cards of a group have in common."""
        return common_words(group, self.state.ruleset, self.lang)

    def bot(self, bot: str) -> str:
        """What pages call a bot of that name."""
        key = f"viewer.bot.{bot}"
        return self.line(key) if has_message(key) else clean(bot)

    def out(self, seat: int) -> str:
        """The phrase for an empty hand of the seat; empty while it has cards."""
        return "" if self.state.seat(seat).hand else self.line("out")


def _game_opened(to: _Teller, event: e.GameOpened) -> Lines:
    rules = event.ruleset
    lines = [to.line("opened", title=title(rules, to.lang), seats=event.seats)]
    game = find_game(rules.id)
    as_usual = game.rules.options if game else Options()
    changed = [
        option_words(field, rules, to.lang)
        for field in Options.__struct_fields__
        if getattr(rules.options, field) != getattr(as_usual, field)
    ]
    options = to.line("opened.options", options=clean(" ".join(changed)))
    return lines + [options] * bool(changed)


def _seat_taken(to: _Teller, event: e.SeatTaken) -> Lines:
    bot = to.line("seated.bot", bot=to.bot(event.bot)) if event.bot else ""
    secret = to.line("seated.secret") if event.brought_secret else ""
    return [to.line("seated", player=to.name(event.seat), bot=bot, secret=secret)]


def _seat_handed_over(to: _Teller, event: e.SeatHandedOver) -> Lines:
    code = "handed_over.left" if event.why == "left" else "handed_over.out"
    return [to.line(code, player=to.name(event.seat), bot=to.bot(event.bot))]


def _turn_timed_out(to: _Teller, event: e.TurnTimedOut) -> Lines:
    code = "overdue.bot" if event.bot else "overdue"
    return [to.line(code, player=to.name(event.seat), bot=to.bot(event.bot))]


def _round_dealt(to: _Teller, event: e.RoundDealt) -> Lines:
    first, dealer = to.name(event.players[0]), to.name(event.dealer)
    begins = "dealt.begins" if first == dealer else "dealt.deals"
    dealt = to.line(
        "dealt.replay" if event.replay else "dealt",
        round=event.round,
        begins=to.line(begins, first=first, dealer=dealer),
        top=_first_discard(to, event),
    )
    returned = [to.line("dealt.returned", cards=to.cards(event.returned))] * bool(event.returned)
    return [dealt, *returned, *(_dealt_hand(to, event, seat) for seat in event.players)]


def _first_discard(to: _Teller, event: e.RoundDealt) -> str:
    card = to.cards(event.discard or "") or to.line("dealt.nothing")
    if not event.covered:
        return to.line("dealt.top", card=card)
    covered = cards_text(to.state, to.state.discard[: event.covered])
    cards = f" ({to.cards(covered)})" if to.viewer == "all" else ""
    return to.line("dealt.covered", event.covered, card=card, count=event.covered, cards=cards)


def _dealt_hand(to: _Teller, event: e.RoundDealt, seat: int) -> str:
    kept, count = event.kept[seat] if event.kept else 0, event.hands[seat]
    if may_know(str(seat), to.viewer):
        cards = held_text(to.state, to.state.seat(seat).hand, to.viewer).split()
        hand = to.cards(" ".join(cards[kept:]))
        if kept:
            hand = to.line("dealt.kept", kept=to.cards(" ".join(cards[:kept])), dealt=hand)
    elif kept:
        hand = to.line("dealt.kept_of", kept, count=count, kept=kept)
    else:
        hand = to.line("dealt.cards", count, count=count)
    phase = phase_number(to.state.ruleset, event.phases[seat])
    return to.line("dealt.hand", player=to.name(seat), phase=phase, hand=hand)


def _skip_served(to: _Teller, event: e.SkipServed) -> Lines:
    code = f"skipped.{event.to}" if event.to in ("top", "bottom") else "skipped"
    return [to.line(code, turn=event.turn, player=to.name(event.seat), card=to.cards(event.card))]


def _dice_rolled(to: _Teller, event: e.DiceRolled) -> Lines:
    dice = to.both(map(str, event.dice))
    code = "rolled.again" if event.roll else "rolled"
    return [to.line(code, player=to.name(event.seat), dice=dice)]


def _pawn_moved(to: _Teller, event: e.PawnMoved) -> Lines:
    action = to.line(f"viewer.action.{event.action}")
    return [to.line("moved", player=to.name(event.seat), action=action)]


def _card_drawn(to: _Teller, event: e.CardDrawn) -> Lines:
    secret, card = to.visible_secret(event), event.card
    code = f"drawn.{event.source}"
    if secret and event.source != "discard":
        code, card = f"{code}_shown", secret.card
    top = to.line("drawn.top", card=to.cards(event.top)) if event.top else ""
    return [to.line(code, player=to.name(event.seat), card=to.cards(card or ""), top=top)]


def _card_turned(to: _Teller, event: e.CardTurned) -> Lines:
    player, secret = to.name(event.seat), to.visible_secret(event)
    if secret:
        return [to.line("turned.shown", player=player, card=to.cards(secret.card))]
    return [to.line("turned", player=player)]


def _cards_swapped(to: _Teller, event: e.CardsSwapped) -> Lines:
    secret, shown, jokers = to.visible_secret(event), "", event.jokers
    if secret:
        faces, shown = to.state.discard[-event.count :], secret.said
        shown = turned_up(shown, faces, to.state) if to.viewer == "all" else shown
    code = "swapped.shown" if secret else "swapped.jokers" if jokers else "swapped"
    count = "swapped.one" if event.count == 1 else "swapped.many"
    cards = to.line(count, count=event.count)
    cut = {"top": event.top, "shown": shown, "jokers": jokers}
    values = {"cards": cards, **{key: to.cards(text) for key, text in cut.items()}}
    return [to.line(code, player=to.name(event.seat), **values)]


def _card_asked(to: _Teller, event: e.CardAsked) -> Lines:
    return [to.line(f"asked.{event.direction}", player=to.name(event.seat), value=event.value)]


def _card_given(to: _Teller, event: e.CardGiven) -> Lines:
    secret = to.visible_secret(event)
    card = secret.card if secret else ""
    if event.joker:
        code = "given.joker_shown" if card else "given.joker"
    else:
        code = "given" if card else "given.hidden"
    giver, receiver = to.name(event.seat), to.name(event.to)
    return [
        to.line(
            code, giver=giver, receiver=receiver, card=to.cards(card), joker=to.cards(event.joker)
        )
    ]


def _cards_kept(to: _Teller, event: e.CardsKept) -> Lines:
    player, secret = to.name(event.seat), to.visible_secret(event)
    cards = event.cards
    if to.viewer == "all":
        cards = cards_text(to.state, to.state.seat(event.seat).kept or b"")
    elif secret:
        cards = secret.said
    elif to.state.ruleset.options.keep_choice == "simultaneous_secret":
        return [to.line("kept.secretly", player=player)]
    return [to.line("kept" if cards else "kept.nothing", player=player, cards=to.cards(cards))]


def _phase_laid(to: _Teller, event: e.PhaseLaid) -> Lines:
    laid = to.state.groups[len(to.state.groups) - len(event.groups) :]
    groups = (
        f"{to.group(group)} ({to.cards(lying_text(to.state, group.cards, to.viewer))})"
        for group in laid
    )
    return [
        to.line(
            "laid",
            player=to.name(event.seat),
            phase=phase_number(to.state.ruleset, event.phase),
            groups=list_of(groups, to.lang),
            out=to.out(event.seat),
        )
    ]


def _cards_hit(to: _Teller, event: e.CardsHit) -> Lines:
    group = to.state.groups[event.group]
    is_half = event.half & {"low": 1, "high": 2}.get(event.end, 0)
    return [
        to.line(
            "hit",
            player=to.name(event.seat),
            cards=to.cards(lying_text(to.state, cards_added(to.state, event), to.viewer)),
            group=to.group(group),
            owner=to.name(group.owner),
            end=to.line(f"hit.{event.end}") if event.end else "",
            half=to.line("hit.half") if is_half else "",
            out=to.out(event.seat),
        )
    ]


def _card_discarded(to: _Teller, event: e.CardDiscarded) -> Lines:
    count = len(event.cards.split())
    cards = to.cards(turned_up(event.cards, to.state.discard[-count:], to.state))
    player, out = to.name(event.seat), to.out(event.seat)
    if event.target is None:
        return [to.line("discarded", player=player, cards=cards, out=out)]
    target = to.name(event.target)
    return [to.line("discarded.skip", player=player, cards=cards, target=target, out=out)]


def _skip_placed(to: _Teller, event: e.SkipPlaced) -> Lines:
    player, target = to.name(event.seat), to.name(event.target)
    return [
        to.line(
            "skip", player=player, card=to.cards(event.card), target=target, out=to.out(event.seat)
        )
    ]


def _round_ended(to: _Teller, event: e.RoundEnded) -> Lines:
    if event.out is None:
        lines = [to.line("ended.stopped", round=event.round)]
    else:
        lines = [to.line("ended", round=event.round, player=to.name(event.out))]
    for seat, result in enumerate(event.results):
        phase = phase_number(to.state.ruleset, result.laid)
        code = "ended.laid" if result.laid else "ended.not_laid"
        gain = _gain_text(to, seat, event)
        lines.append(to.line(code, player=to.name(seat), phase=phase, gain=gain))
    return lines


def _gain_text(to: _Teller, seat: int, event: e.RoundEnded) -> str:
    """A seat's gain in the round: points, or the next place of its marker."""
    result = event.results[seat]
    if to.state.ruleset.scoring != "none":
        code = "gain.points_left" if result.hand else "gain.points"
        total = result.total
        return to.line(code, total, points=result.points, total=total, hand=to.cards(result.hand))
    if result.phase > len(to.state.ruleset.phases):
        return to.line("gain.laurel")
    code = "gain.goes_on" if result.laid or seat == event.out else "gain.stays"
    return to.line(code, phase=phase_number(to.state.ruleset, result.phase))


def _game_ended(to: _Teller, event: e.GameEnded) -> Lines:
    winners = to.both(map(to.name, event.winners))
    return [to.line("won" if len(event.winners) == 1 else "shared", winners=winners)]


def _game_voided(to: _Teller, event: e.GameVoided) -> Lines:
    reason = clean(event.reason)
    if event.owing:
        code = "voided.late" if to.state.round else "voided.secrets"
        reason = to.line(code, names=to.both(map(to.name, event.owing)))
    return [to.line("voided", reason=reason)]


def _seats_own(code: str) -> Callable[[_Teller, Any], Lines]:
    """The sentence for an action of a seat without further arguments."""
    return lambda to, event: [to.line(code, player=to.name(event.seat))]


_SAYINGS: dict[type[e.Event], Callable[[_Teller, Any], Lines]] = {
    e.GameOpened: _game_opened,
    e.SeatTaken: _seat_taken,
    e.SeatFreed: lambda to, ev: [to.line("freed.host" if ev.by == "host" else "freed")],
    e.SeatHandedOver: _seat_handed_over,
    e.SeatNamed: lambda to, ev: [to.line("named", seat=ev.seat + 1, player=to.name(ev.seat))],
    e.TurnTimedOut: _turn_timed_out,
    e.TableSealed: lambda to, _: [to.line("sealed")],
    e.SeatSecretRevealed: _seats_own("revealed"),
    e.DealOpened: lambda to, ev: [to.line("deal", transcript=ev.transcript)],
    e.RoundDealt: _round_dealt,
    e.TurnBegan: lambda to, ev: [to.line("turn", turn=ev.turn, player=to.name(ev.seat))],
    e.SkipServed: _skip_served,
    e.StockShuffled: lambda to, ev: [to.line("shuffled", ev.count, count=ev.count)],
    e.DiceRolled: _dice_rolled,
    e.PawnMoved: _pawn_moved,
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
    e.TurnPassed: _seats_own("passed"),
    e.RoundEnded: _round_ended,
    e.GameEnded: _game_ended,
    e.GameVoided: _game_voided,
}


def describe(state: State, event: e.Event, viewer: Viewer, lang: Language = "en") -> Lines:
    """The event in words; ``state`` is the one after it. Further lines are details of the first."""
    return _SAYINGS[type(event)](_Teller(state, viewer, lang), event)
