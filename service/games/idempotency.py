"""Idempotent replay: a repeated command gets the answer that it got when its key was new."""

from collections.abc import Sequence

from msgspec.structs import replace

from phaseledger.domain.commands import Act, OpenGame, Start, TakeSeat
from phaseledger.domain.draft import decision as decided_by
from phaseledger.domain.draft import with_decision
from phaseledger.domain.events import Event
from phaseledger.domain.evidence import codec
from phaseledger.replay.formats.signing.receipts import entry_of
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.errors import KeyReused
from phaseledger.service.games.game import Answer, Decision, Game, apply_rows
from phaseledger.service.games.integrity import proven_rows
from phaseledger.service.games.openings import with_turns
from phaseledger.service.runtime.work import beside_loop


async def repeated_answer(store: Store, game: Game, decisions: Sequence[Decision]) -> Answer:
    """The answer as it was when the key was new.

    After the game's newest command its state is at hand; after any other one the game is folded.

    Raises:
        KeyReused: the key is another decision's.
        LogDamaged: the log has other events there than were stored.

    """
    assert game.now is not None
    now, ends = game.now, [game.commands[decision.cmd] for decision in decisions]
    last, is_newest = max(ends), max(ends) == game.version
    before = max((end for end in game.commands.values() if end < min(ends)), default=0)
    after = before if is_newest else 0
    rows = (await proven_rows(store, game, after))[: last - after]
    acts = dict[str, tuple[int, Event]]()
    for row in rows[before - after :]:
        record, event = codec.decode(row.topic, row.state)
        if event.act is not None:
            acts[record.cmd] = (row.version, event)
    for decision in decisions:
        if not _same(acts[decision.cmd][1], decision.act):
            raise KeyReused
    first = min(acts[decision.cmd][0] for decision in decisions)
    begun = acts[decisions[-1].cmd][0]
    then = now if is_newest else (await beside_loop(lambda: apply_rows(None, rows), len(rows)))[0]
    receipted = entry_of(rows[begun - after - 1].state, rows[-1].state, then.chain.head)
    return Answer(
        game=game.id,
        version=last,
        state=then.state,
        stored=tuple(row.state for row in rows[first - after - 1 :]),
        key=now.chain.key,
        seat=decisions[0].act.seat,
        head=then.chain.head,
        receipted=receipted,
        signature=await store.signature_over(game.id, last, receipted.tree_leaf()),
        is_repeated=True,
    )


def _same(event: Event, act: Act) -> bool:
    """Whether the event comes from such a decision; secrets of the deal are fresh each time."""
    if isinstance(act.command, OpenGame):
        # What the service has added is not the caller's, and earlier releases have added nothing.
        spellings = (act, with_turns(act, act.command))
        return any(with_decision(event, spelling).act == event.act for spelling in spellings)
    if isinstance(act.command, TakeSeat):  # signed anew, too, where others have moved on
        return event.act is not None and (
            with_decision(event, replace(act, sig=event.act.sig)).act == event.act
        )
    decision = decided_by(event)
    if decision and isinstance(act.command, Start) and isinstance(decision.command, Start):
        return decision.seat == act.seat  # how long there is time to reveal is not the caller's
    return decision == act
