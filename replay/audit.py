"""Many games at once: every row goes to its game's auditor."""

from collections.abc import Iterable, Iterator

from replay.auditor import Auditor
from replay.findings import Row, Verdict


def audit(rows: Iterable[Row]) -> Iterator[Verdict]:
    """Audit every game in the rows, which may be interleaved; sound games as they end.

    A row of a game that was never opened counts as a stray in the game that is going on. Games
    that are over and sound leave memory at once.
    """
    going: dict[str, Auditor] = {}
    done: dict[str, int] = {}
    last = Auditor("", ended_at=1)
    for row in rows:
        if row.game != last.game:
            if last.settled and last.game in going:
                done[last.game] = last.seq
                yield going.pop(last.game).close()
            opens = row.topic.startswith("GameOpened/") or last.status != "unfinished"
            known = row.game in going or row.game in done
            if not known and not opens:
                last.feed(row._replace(game=last.game))
                continue
            last = going.get(row.game) or Auditor(row.game, done.get(row.game, 0))
            going[row.game] = last
        last.feed(row)
    for auditor in going.values():
        yield auditor.close()
