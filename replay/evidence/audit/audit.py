"""The audit of many games at once: every row is fed to its game's auditor."""

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from phaseledger.domain.events import Event
from phaseledger.replay.evidence.audit.auditor import Auditor
from phaseledger.replay.evidence.referee.referee import Referee
from phaseledger.replay.formats.records.findings import AuditVerdict, Flaw, SourceRow, both_sides
from phaseledger.replay.formats.records.source import SourceError


def audit(
    rows: Iterable[SourceRow],
    hear: Callable[[str, Event], object] | None = None,
    *,
    with_referee: bool = False,
) -> Iterator[AuditVerdict]:
    """Audit every game in the rows, which may be interleaved; sound games as they end.

    ``with_referee``: a second referee judges every good event by the rule book.

    ``hear`` is called with each good event and the game's id, before the game's verdict is given.

    In a file, a row of a game that was never opened counts as a stray in the current game; a store
    names the game of each row. Games that are over and sound leave memory at once.

    Raises:
        SourceError: the rows cannot be read on; the verdicts that are certain come before it.

    """
    auditors: dict[str, Auditor] = {}
    last_seqs: dict[str, int] = {}
    current = Auditor("", ended_at=1)
    try:
        for row in rows:
            if row.game != current.game:
                if current.settled and current.game in auditors:
                    last_seqs[current.game] = current.seq
                    yield auditors.pop(current.game).close()
                may_open = row.topic.startswith("GameOpened/") or current.status != "unfinished"
                is_known = row.game in auditors or row.game in last_seqs or row.version is not None
                if not is_known and not may_open:
                    games = both_sides("evidence.game", id=(current.game, row.game))
                    stray = Flaw("wrong_game", *games)
                    current.feed(replace(row, game=current.game, flaw=stray))
                    continue
                referee = Referee() if with_referee else None
                ended_at = last_seqs.get(row.game, 0)
                current = auditors.get(row.game) or Auditor(row.game, ended_at, referee)
                auditors[row.game] = current
            event = current.feed(row)
            if hear and event:
                hear(current.game, event)
    except SourceError:
        for auditor in auditors.values():
            if auditor.settled or auditor.findings:
                yield auditor.close()
        raise
    for auditor in auditors.values():
        yield auditor.close()
