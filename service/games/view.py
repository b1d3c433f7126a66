"""A game as one viewer sees it: the same in an answer and in a stream."""

from typing import Any

from phaseledger.domain.lays import Effort
from phaseledger.domain.legal import legal
from phaseledger.domain.view import view
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.time_limits import due_at, dues
from phaseledger.service.schemas.games import Actions, GameView


def game_view(now: Snapshot, viewer: int | None, reveal_seconds: int) -> GameView:
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
        deadlines=dues(now),
        head=now.chain.head,
        reveal_by=due_at(now, reveal_seconds),
    )


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
    )
