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
"""The legends of groups that were seen last, by the identity of the groups, which they keep alive.

All viewers of a table have the same one, and most events change none of its groups; to make one
anew takes longer than the rest of a view.
"""
_ENCODED = 2_000
"""Views that are kept, as JSON: some kilobytes each."""
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


class EncodedViews:
    """Views of games as JSON, of which those that were made last are kept.

    They are known by the leaf hash of the last event, which stands for all that led to it.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int | None, Language], bytes] = {}

    def encoded(
        self, now: Snapshot, viewer: int | None, reveal_seconds: int, lang: Language = "en"
    ) -> bytes:
        """The view of `game_view` as JSON."""
        if now.state.terms.clock or now.state.stage == "sealed":  # its deadlines are of the moment
            return _encode(game_view(now, viewer, reveal_seconds, lang))
        key = now.chain.head, viewer, lang
        if (kept := self._kept.get(key)) is None:
            if len(self._kept) >= _ENCODED:
                self._kept.pop(next(iter(self._kept)))
            kept = self._kept[key] = _encode(game_view(now, viewer, reveal_seconds, lang))
        return kept

    def clear(self) -> None:
        """Keep none of them any more."""
        self._kept.clear()


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
