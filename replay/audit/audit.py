"""Many games at once: every row goes to its game's auditor."""

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from phaseledger.domain.events import Event
from phaseledger.replay.audit.auditor import Auditor
from phaseledger.replay.records.findings import AuditVerdict, Flaw, SourceRow
from phaseledger.replay.records.source import SourceError


def audit(
    rows: Iterable[SourceRow], hear: Callable[[str, Event], object] | None = None
) -> Iterator[AuditVerdict]:
    """Audit every game in the rows, which may be interleaved; sound games as they end.

    ``hear`` is told each good event, with the game's id, before the game's verdict is given.

    A file's row of a game that was never opened counts as a stray in the game that is going on; a
    store says itself whose row it is. Games that are over and sound leave memory at once.

    Raises:
        SourceError: the rows break off; whatever is certain of the games before has been said.

    """
    going: dict[str, Auditor] = {}
    done: dict[str, int] = {}
    last = Auditor("", ended_at=1)
    try:
        for row in rows:
            if row.game != last.game:
                if last.settled and last.game in going:
                    done[last.game] = last.seq
                    yield going.pop(last.game).close()
                opens = row.topic.startswith("GameOpened/") or last.status != "unfinished"
                known = row.game in going or row.game in done or row.version is not None
                if not known and not opens:
                    stray = Flaw("wrong_game", f"game {last.game}", f"game {row.game}")
                    last.feed(replace(row, game=last.game, flaw=stray))
                    continue
                last = going.get(row.game) or Auditor(row.game, done.get(row.game, 0))
                going[row.game] = last
            event = last.feed(row)
            if hear and event:
                hear(last.game, event)
    except SourceError:
        for auditor in going.values():
            if auditor.settled or auditor.findings:
                yield auditor.close()
        raise
    for auditor in going.values():
        yield auditor.close()
