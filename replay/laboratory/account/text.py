"""An analysis in words, for a terminal: of a game, or of a position."""

from collections.abc import Iterator
from typing import assert_never

from phaseledger.domain import commands as c
from phaseledger.domain.cards import parse
from phaseledger.domain.explain.wording import group_words
from phaseledger.domain.policies import card_points
from phaseledger.domain.state import State
from phaseledger.domain.words import Amount, Language, decimal, message
from phaseledger.replay.laboratory.account.analysis import (
    AnalysedPlayer,
    Analysis,
    Luck,
    PositionAnalysis,
)
from phaseledger.replay.laboratory.account.errors import Candidate, JudgedDecision, Reasons
from phaseledger.replay.text import clean

MOST = 3
"""Decisions, and cards, that are told of each seat."""
_LEAST_WAIT = 0.3
"""The least wait for a phase, in turns, which is told."""
_LEAST_TOLD = 0.01
"""The least chance that a discard is taken which is told."""


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
    yield _course(analysis, player, lang)
    if player.judged:
        lost, error = (decimal(f * 100, 2, lang) for f in (player.lost, player.lost_error))
        yield message(lang, "analysis.lost", count=player.judged, lost=lost, error=error)
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


def _course(analysis: Analysis, player: AnalysedPlayer, lang: Language) -> str:
    """What the seat could expect at the start and after each round."""
    steps = [_expected(player.start, player.start_points, lang)]
    for row in analysis.rounds:
        points = row.points[player.seat] if row.points else None
        steps.append(_expected(row.after[player.seat], points, lang))
    key = "analysis.course" if player.points is None else "analysis.course_points"
    return message(lang, key, steps=tuple(steps))


def _expected(chance: float, points: float | None, lang: Language) -> str:
    """A chance, and expected points at the end in brackets where points count."""
    shown = _points(chance, lang)
    return shown if points is None else f"{shown} ({decimal(points, 0, lang)})"


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
    return " ".join([text, *drawbacks(played, lang)])


def move_words(command: c.Command, lang: Language, state: State | None = None) -> str:
    """A command of a turn in words; with a state groups by their words and seats by their names."""
    match command:
        case c.Draw(source):
            return message(lang, f"analysis.move.{source}")
        case c.Lay(groups):
            return message(
                lang, "analysis.move.lay", cards=" + ".join(group.cards for group in groups)
            )
        case c.Hit(group, cards, end):
            key = f"analysis.move.hit_{end}" if end else "analysis.move.hit"
            words = message(lang, "analysis.group", group=group)
            if state:
                words = group_words(state.groups[group], state.ruleset, lang)
            return message(lang, key, cards=cards, group=words)
        case c.Discard(cards, target):
            if target is None:
                return message(lang, "analysis.move.discard_card", cards=cards)
            name = _name(state, target, lang) if state else message(lang, "seat", seat=target)
            return message(lang, "analysis.move.skip", cards=cards, name=name)
        case _:
            return _answer_words(command, lang)


def _answer_words(command: c.Command, lang: Language) -> str:
    """An answer to a question of the ring in words, or a pass."""
    match command:
        case c.Move(steps):
            return message(lang, "analysis.answer.move", count=Amount(steps))
        case c.Choose(action):
            return message(
                lang, "analysis.answer.choose", action=message(lang, f"viewer.action.{action}")
            )
        case c.Search(card):
            return message(lang, "analysis.answer.search", cards=card)
        case c.Ask(value, direction):
            return message(lang, f"analysis.answer.ask_{direction}", value=value)
        case c.Give(card):
            return message(lang, "analysis.answer.give", cards=card)
        case c.Swap(cards):
            return message(lang, "analysis.answer.swap", cards=cards)
        case c.Keep(cards):
            return message(lang, f"analysis.answer.keep{'' if cards else '_none'}", cards=cards)
        case _:
            return message(lang, "analysis.move.pass")


def drawbacks(candidate: Candidate, lang: Language) -> Iterator[str]:
    """What the best move has for it beside this candidate, in sentences."""
    for drawback in candidate.drawbacks:
        yield message(
            lang,
            f"analysis.why.{drawback.kind}",
            turns=decimal(drawback.turns, 1, lang),
            best=decimal(drawback.best * 100, 0, lang),
            played=decimal(drawback.played * 100, 0, lang),
            count=drawback.count,
        )


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
        case "dice":
            dice = " + ".join(map(str, luck.dice))
            name = clean(analysis.players[seat].name)
            return message(lang, "analysis.luck.dice", dice=dice, name=name, **values)
        case "draw" if luck.seat == seat and luck.odds:
            return message(lang, "analysis.luck.draw", card=luck.card, **values)
        case "draw":
            name = clean(analysis.players[luck.seat].name)
            key = "analysis.luck.other" if luck.odds else "analysis.luck.cards"
            return message(lang, key, card=luck.card, name=name, **values)
        case _:
            assert_never(luck.kind)


def position_lines(position: PositionAnalysis, state: State, lang: Language) -> Iterator[str]:
    """The candidates as a table, and what speaks for the best one."""
    best, *others = position.candidates
    rows = [best, *sorted(others, key=lambda row: row.behind)]
    yield message(
        lang,
        "position.head",
        name=_name(state, position.seat, lang),
        ruleset=position.ruleset,
        worlds=position.worlds,
    )
    yield _expected_at(position, state, lang)
    yield ""
    yield " ".join(
        [message(lang, f"position.{key}").rjust(9) for key in ("equity", "behind", "error")]
        + [f" {message(lang, 'position.move')}"]
    )
    for row in rows:
        figures = [_points(row.equity, lang), "", ""]
        if row is not best:
            figures[1:] = [_points(row.behind, lang), _points(row.error, lang)]
        words = move_words(row.command, lang, state)
        if row is not best and not row.is_worse:
            words = message(lang, "position.alike", move=words)
        yield " ".join([*(figure.rjust(9) for figure in figures), f" {words}"])
    yield ""
    chosen = move_words(best.command, lang, state)
    yield " ".join([message(lang, "position.best", move=chosen), *_merits(best, state, lang)])
    worse = [(row, " ".join(drawbacks(row, lang))) for row in rows if row.is_worse]
    for row, why in [pair for pair in worse if pair[1]][:MOST]:
        played = move_words(row.command, lang, state)
        yield f"  {message(lang, 'position.instead', best=chosen, move=played)} {why}"


def _expected_at(position: PositionAnalysis, state: State, lang: Language) -> str:
    """What each seat may expect before the decision."""
    key = "position.expected" if position.seats[0].points is None else "position.expected_points"
    seats = [
        f"{_name(state, row.seat, lang)} {_expected(row.chance, row.points, lang)}"
        for row in position.seats
    ]
    return message(lang, key, seats=tuple(seats))


def _merits(best: Candidate, state: State, lang: Language) -> Iterator[str]:
    """What the best move does: what it keeps open, what it feeds, what it leaves to pay for."""
    why, follower = best.reasons or Reasons(), _next_to_play(state, lang)
    wait = message(lang, "position.wait", turns=decimal(why.wait, 1, lang))
    match best.command:
        case c.Draw():
            if why.wait >= _LEAST_WAIT:
                yield wait
            return
        case c.Discard(text) | c.Hit(_, text):
            cards = parse(text)
        case c.Lay(groups):
            cards = b"".join([parse(group.cards) for group in groups])
        case _:
            return
    if len(cards) == len(state.seat(state.active).hand):
        yield message(lang, "position.out")
        return
    if why.wait >= _LEAST_WAIT:
        yield wait
    if follower and why.feeds_hit:
        yield message(lang, "position.hit", name=follower)
    elif follower and why.feeds >= _LEAST_TOLD:
        yield message(
            lang, "position.feeds", name=follower, chance=decimal(why.feeds * 100, 0, lang)
        )
    if state.ruleset.scoring != "none":
        points = card_points(state.ruleset.points)
        yield message(lang, "position.points", count=sum(points[card & 15] for card in cards))


def _next_to_play(state: State, lang: Language) -> str:
    """The name of the first seat after the active one that loses no turn; empty for none."""
    seats = range(len(state.seats))
    ahead = [(state.active + number) % len(seats) for number in seats[1:]]
    free = [seat for seat in ahead if seat in state.players and not state.seat(seat).skips]
    return _name(state, free[0], lang) if free else ""


def _name(state: State, seat: int, lang: Language) -> str:
    return clean(state.seat(seat).name) or message(lang, "seat", seat=seat)
