"""Aggregation of many games in one pass: rows are grouped by game, and the counts added up."""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from msgspec import Struct, field

from phaseledger.domain.evidence.codec import decode
from phaseledger.domain.ruleset import RuleSet, fingerprint
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.guards import FAULTS, ProofFailed
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.laboratory.report.counts import (
    CountKey,
    GameObserver,
    GameTimeline,
    StudiedGame,
    UnfitLog,
)

GROUPS = 40
"""Groups of games, by their order, whose differences give the intervals."""
CHAPTERS = 12
"""Rule sets (with their house rules and numbers of seats) that get a chapter of their own."""
HANDS_KEPT = 2_000
"""Dealt hands of a chapter that are searched for phases."""
_LARGEST = 64 << 20
"""Bytes of one game; the longest of bots have 3 million."""

Raw = list[tuple[str, bytes]]
"""A game's stored events: topic and bytes."""


class Cohort(Struct):
    """All games of one rule set with one number of seats."""

    rules: RuleSet
    seats: int
    games: int = 0
    groups: list[Counter[CountKey]] = field(
        default_factory=lambda: [Counter() for _ in range(GROUPS)]
    )
    hands: list[bytes] = []
    stories: list[GameTimeline] = []

    @property
    def whole(self) -> Counter[CountKey]:
        """The counts of all groups."""
        total: Counter[CountKey] = Counter()
        for group in self.groups:
            total.update(group)
        return total


class Study(Struct):
    """The aggregate of all games, by chapter."""

    chapters: dict[tuple[str, int], Cohort] = {}
    left_out: Counter[str] = field(default_factory=Counter)
    """Games left out of all counts, by the reason."""
    first_faults: list[str] = []

    def add(self, game: StudiedGame | str, stories: int) -> None:
        """Add a game to its chapter, or count why it is left out."""
        if isinstance(game, str):
            self.left_out["damaged"] += 1
            if len(self.first_faults) < 5:
                self.first_faults.append(game)
            return
        key = fingerprint(game.rules), game.seats
        if key not in self.chapters:
            if len(self.chapters) == CHAPTERS:
                self.left_out["of further rule sets"] += 1
                return
            self.chapters[key] = Cohort(rules=game.rules, seats=game.seats)
        chapter = self.chapters[key]
        chapter.groups[chapter.games % GROUPS].update(dict(game.counts))
        chapter.games += 1
        chapter.hands += game.hands[: HANDS_KEPT - len(chapter.hands)]
        if len(chapter.stories) < stories:
            chapter.stories.append(game.story)


class Sorter:
    """Groups rows by game; games that are over leave memory."""

    def __init__(self, left_out: Counter[str]) -> None:
        self.left_out = left_out
        self._open: dict[str, Raw] = {}
        self._size: Counter[str] = Counter()
        self._digests: set[bytes] = set()

    def games(self, rows: Iterable[SourceRow]) -> Iterator[tuple[str, Raw]]:
        """The finished games in the order of their ends; `close` counts the unfinished ones."""
        for row in rows:
            if row.opens_test:
                self.left_out["for tests"] += 1
            elif row.topic == "GameOpened/1":
                self._open.setdefault(row.game, [])
            raw = self._open.get(row.game)
            if raw is None:
                continue
            raw.append((row.topic, row.stored))
            self._size[row.game] += len(row.stored)
            if row.topic == "GameEnded/1":
                raw = self._close_game(row.game)
                # The last event chains all others, so it identifies one record of a game.
                digest = sha256(row.stored).digest()
                if digest in self._digests:
                    self.left_out["repeated"] += 1
                else:
                    self._digests.add(digest)
                    yield row.game, raw
            elif row.topic == "GameVoided/1":
                self._close_game(row.game)
                self.left_out["broken off"] += 1
            elif self._size[row.game] > _LARGEST:
                self._close_game(row.game)
                self.left_out["too long"] += 1

    def _close_game(self, game: str) -> Raw:
        del self._size[game]
        return self._open.pop(game)

    def close(self) -> None:
        """Count the games without an end."""
        self.left_out["not over"] += len(self._open)
        self._open.clear()


def study(game: str, raw: Raw) -> StudiedGame | str:
    """The counts of a finished game, or a sentence on why it has none."""
    listener = GameObserver()
    try:
        for topic, stored in raw:
            record, event = decode(topic, stored)
            if (record.game, record.seq) != (game, listener.heard + 1):
                return Phrase("evidence.report.missing", id=game, seq=listener.heard + 1)
            listener.hear(event)
        return listener.result()
    except (UnfitLog, ProofFailed) as error:
        return Phrase("evidence.report.fault", id=game, seq=listener.heard + 1, fault=error)
    except FAULTS as fault:
        return Phrase(
            "evidence.report.unfollowable",
            id=game,
            seq=listener.heard + 1,
            error=type(fault).__name__,
        )
