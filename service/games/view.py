"""A game as one viewer sees it: the same in an answer and in a stream."""

from typing import Any

import msgspec

from phaseledger.domain.explain.legend import Legend, legend
from phaseledger.domain.groups.lays import Effort
from phaseledger.domain.legal import legal
from phaseledger.domain.play.board_actions import destinations
from phaseledger.domain.state import State
from phaseledger.domain.view import view
from phaseledger.domain.words import Language
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.time_limits import due_at, dues
from phaseledger.service.schemas.games import Actions, GameView, PawnMove

_KEPT = 500
_legends: dict[tuple[int, Language], tuple[Any, Legend]] = {}
"""The legends last made, by the identity of their groups, which they keep alive.

A legend takes longer to make than the rest of a view, and most events change no group.
"""
_ENCODED = 2_000  # views of some kilobytes each
_encoded: dict[tuple[str, int | None, Language], bytes] = {}
_encode = msgspec.json.Encoder().encode


def game_view(
    now: Snapshot, viewer: int | None, reveal_seconds: int, lang: Language = "en"
) -> GameView:
    """The game with its house rules and the table as the viewer sees it."""
    state = now.state
    return GameView(
        game=state.game,
        version=now.version,
        server_commit=state.server_commit,
        options=state.ruleset.options,
        terms=state.terms,
        reserved=state.reserved,
        table=view(state, viewer),
        legend=_legend_of(state, lang),
        deadlines=dues(now),
        head=now.chain.head,
        reveal_by=due_at(now, reveal_seconds),
    )


def encoded_view(
    now: Snapshot, viewer: int | None, reveal_seconds: int, lang: Language = "en"
) -> bytes:
    """The view of `game_view` as JSON; the last `_ENCODED` of them are kept.

    The key is the leaf hash of the last event, which stands for the whole game before it.
    """
    if now.state.terms.clock or now.state.stage == "sealed":  # its deadlines change by the moment
        return _encode(game_view(now, viewer, reveal_seconds, lang))
    key = now.chain.head, viewer, lang
    if (kept := _encoded.get(key)) is None:
        if len(_encoded) >= _ENCODED:
            _encoded.pop(next(iter(_encoded)))
        kept = _encoded[key] = _encode(game_view(now, viewer, reveal_seconds, lang))
    return kept


def _legend_of(state: State, lang: Language) -> Legend:
    if not state.groups:  # the one empty tuple is of all games
        return Legend(())
    key = id(state.groups), lang
    if (kept := _legends.get(key)) is None:
        if len(_legends) >= _KEPT:
            _legends.pop(next(iter(_legends)))
        kept = _legends[key] = state.groups, legend(state, lang)
    return kept[1]


def actions(now: Snapshot, seat: int) -> Actions:
    """What the seat is asked, and the commands that may answer it, as far as they are listed."""
    questions = tuple(question for question in now.state.waits if question.seat == seat)
    effort = Effort()
    commands: Any = tuple(legal(now.state, seat, effort))  # to a question, so each is a Play
    return Actions(
        version=now.version,
        head=now.chain.head,
        questions=questions,
        deadlines=dues(now, seat),
        commands=commands,
        more=effort.cut,
        moves=_pawn_moves(now.state, seat) if any(q.kind == "move" for q in questions) else (),
    )


def _pawn_moves(state: State, seat: int) -> tuple[PawnMove, ...]:
    """Where the dice let the seat's pawn go."""
    track = state.ruleset.track
    return tuple(
        PawnMove(steps, space, track[space]) for steps, space in destinations(state, seat).items()
    )
