"""An analysis in words, for a terminal."""

from collections.abc import Iterator
from typing import assert_never

from phaseledger.domain import commands as c
from phaseledger.domain.words import Language, decimal, message
from phaseledger.replay.laboratory.account.analysis import AnalysedPlayer, Analysis, Luck
from phaseledger.replay.laboratory.account.errors import Candidate, JudgedDecision
from phaseledger.replay.text import clean

MOST = 3
"""Decisions, and cards, that are told of each seat."""
_TURNS, _CHANCE, _POINTS = 0.3, 0.15, 5
"""What two discards have to differ by for it to be told as a reason."""


def lines(analysis: Analysis, lang: Language) -> Iterator[str]:
    """The summary of each seat, its costliest decisions, and what luck was greatest."""
    judged = sum(player.judged for player in analysis.players)
    yield message(
        lang,
        "analysis.head",
        game=analysis.game,
        ruleset=analysis.ruleset,
        count=judged,
        worlds=analysis.worlds,
    )
    for player in analysis.players:
        yield ""
        yield from _player(analysis, player, lang)


def _player(analysis: Analysis, player: AnalysedPlayer, lang: Language) -> Iterator[str]:
    name = clean(player.name)
    parts = ("start", "luck", "errors", "hidden", "others", "result")
    values = {part: _points(getattr(player, part), lang) for part in parts}
    yield message(lang, "analysis.player", name=name, **values)
    if player.judged:
        lost = decimal(player.lost * 100, 2, lang)
        yield message(lang, "analysis.lost", count=player.judged, lost=lost)
    mine = [decision for decision in analysis.decisions if decision.seat == player.seat]
    costly = sorted((move for move in mine if move.cost), key=lambda move: -move.cost)[:MOST]
    if costly:
        yield message(lang, "analysis.costly")
        for decision in costly:
            yield f"  {_decision(decision, lang)}"
    elif mine:
        yield message(lang, "analysis.flawless")
    greatest = sorted(analysis.luck, key=lambda luck: -abs(luck.change[player.seat]))[:MOST]
    yield message(lang, "analysis.greatest")
    for luck in greatest:
        yield f"  {_luck(luck, player.seat, analysis, lang)}"


def _points(chance: float, lang: Language) -> str:
    """A chance, or a change of one, in hundredths."""
    return decimal(chance * 100, 1, lang)


def _decision(decision: JudgedDecision, lang: Language) -> str:
    played, best = decision.candidates[decision.played], decision.best
    text = message(
        lang,
        "analysis.decision",
        round=decision.round,
        turn=decision.turn,
        played=move_words(played.command, lang),
        best=move_words(best.command, lang),
        cost=_points(decision.cost, lang),
        error=_points(decision.error, lang),
    )
    return " ".join([text, *reasons(played, best, lang)])


def move_words(command: c.Command, lang: Language) -> str:
    """A command of a turn in words."""
    match command:
        case c.Draw(source):
            return message(lang, f"analysis.move.{source}")
        case c.Lay(groups):
            return message(
                lang, "analysis.move.lay", cards=" + ".join(group.cards for group in groups)
            )
        case c.Hit(group, cards):
            return message(lang, "analysis.move.hit", cards=cards, group=group)
        case c.Discard(cards, None):
            return message(lang, "analysis.move.discard_card", cards=cards)
        case c.Discard(cards, target):
            return message(lang, "analysis.move.skip", cards=cards, seat=target)
        case _:
            return message(lang, "analysis.move.pass")


def reasons(played: Candidate, best: Candidate, lang: Language) -> Iterator[str]:
    """What the better of two discards has for it, where that can be told."""
    own, better = played.reasons, best.reasons
    if own is None or better is None:
        return
    if own.wait - better.wait >= _TURNS:
        yield message(lang, "analysis.why.wait", turns=decimal(own.wait - better.wait, 1, lang))
    if own.feeds_hit and not better.feeds_hit:
        yield message(lang, "analysis.why.hit")
    elif own.feeds - better.feeds >= _CHANCE:
        yield message(
            lang,
            "analysis.why.feeds",
            best=decimal(better.feeds * 100, 0, lang),
            played=decimal(own.feeds * 100, 0, lang),
        )
    if better.points - own.points >= _POINTS:
        yield message(lang, "analysis.why.points", count=better.points - own.points)


def _luck(luck: Luck, seat: int, analysis: Analysis, lang: Language) -> str:
    change = luck.change[seat]
    values = {
        "round": luck.round + (luck.kind == "deal"),
        "turn": luck.turn,
        "odds": _points(luck.odds, lang),
        "change": ("+" if change > 0 else "") + _points(change, lang),
    }
    match luck.kind:
        case "deal":
            return message(lang, "analysis.luck.deal", **values)
        case "draw" if luck.seat == seat:
            return message(lang, "analysis.luck.draw", card=luck.card, **values)
        case "draw":
            name = clean(analysis.players[luck.seat].name)
            return message(lang, "analysis.luck.other", card=luck.card, name=name, **values)
        case _:
            assert_never(luck.kind)
