"""Idempotent replay: a repeated command gets the answer that it got when its key was new."""

from collections.abc import Sequence

from phaseledger.domain.commands import Act, OpenGame, Start, TakeSeat
from phaseledger.domain.draft import decision as decided_by
from phaseledger.domain.draft import with_decision
from phaseledger.domain.events import Event
from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import evolve
from phaseledger.service.eventlog.protocols import GameStore
from phaseledger.service.games.errors import KeyReused, LogDamaged
from phaseledger.service.games.game import Answer, Decision, Game, leaf_of
from phaseledger.service.games.integrity import require_intact
from phaseledger.service.transparency.tree import Tree


async def repeated_answer(
    store: GameStore, tree: Tree | None, game: Game, decisions: Sequence[Decision]
) -> Answer:
    """The answer as it was when the key was new.

    All that led there is held against its hashes; it is folded only where the state after the
    command is none of the last that are kept in memory.
    """
    assert game.now is not None
    last, key = game.commands[decisions[-1].cmd], game.now.chain.key
    then = next((snapshot for snapshot in game.lately if snapshot.version == last), None)
    begins = min(game.commands[decision.cmd] for decision in decisions)
    before = max((n for n in game.commands.values() if n < begins), default=0) if then else 0
    rows = await store.read(game.id, 0, last)
    await require_intact(tree, game.id, rows, key, last=last)
    acts, state, first = {}, then and then.state, last
    for row in rows[before:]:
        record, event = codec.decode(row.topic, row.state)
        if then is None:
            state = evolve(state, event)
        if event.act is not None:
            acts[record.cmd] = (row.version, event)
    head = leaf_of(rows[-1].state, key)
    if then is not None and then.chain.head != head:
        raise LogDamaged(game.id, last, "it is not what was stored")
    for decision in decisions:
        version, event = acts[decision.cmd]
        if not _same(event, decision.act):
            raise KeyReused
        first = min(first, version)
    assert state is not None
    stored = tuple(row.state for row in rows[first - 1 :])
    begun, _ = acts[decisions[-1].cmd]
    return Answer(
        game=game.id,
        version=last,
        state=state,
        stored=stored,
        key=key,
        seat=decisions[0].act.seat,
        first=rows[begun - 1].state,
        head=head,
    )


def _same(event: Event, act: Act) -> bool:
    """Whether the event comes from such a decision; secrets of the deal are fresh each time."""
    if isinstance(act.command, OpenGame | TakeSeat):
        return with_decision(event, act).act == event.act
    decision = decided_by(event)
    if decision and isinstance(act.command, Start) and isinstance(decision.command, Start):
        return decision.seat == act.seat  # how long there is time to reveal is not the caller's
    return decision == act
