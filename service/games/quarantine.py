"""The quarantine: games that are set aside, damaged or past playing; all others go on.

The followers set games aside, and so does whatever reads a damaged one. It is written beside the
views, so every process over the log knows of it within a second, and refuses such games.
"""

import asyncio
from uuid import UUID

import structlog

from phaseledger.domain.words import Phrase
from phaseledger.projections.pages import SetAsideGame, ViewsUnavailable
from phaseledger.projections.store import SetAsideReason
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.readmodels.soundness import Damage, UnknownEvent, require_sound
from phaseledger.service.readmodels.views import Views
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.runtime.work import beside_loop

NEWS = 1.0  # seconds until a process knows what others have set aside

log = structlog.get_logger("phaseledger.quarantine")


class Quarantine:
    """The games that are set aside, as far as this process knows."""

    def __init__(self, store: Store, views: Views | None = None) -> None:
        self._store = store
        self._views = views
        self._games: dict[UUID, SetAsideGame] = {}
        self._inspections: dict[UUID, asyncio.Task[None]] = {}

    def all(self) -> tuple[SetAsideGame, ...]:
        """The games that are set aside, in the order in which they were found."""
        return tuple(sorted(self._games.values(), key=lambda aside: (aside.at, aside.game)))

    def require_sound(self, game: UUID) -> None:
        """Refuse a game that is set aside; raises GameSetAside."""
        if aside := self._games.get(game):
            raise GameSetAside.of(aside)

    def suspect(self, game: UUID) -> None:
        """Have the game inspected in the background, since a read has found it damaged."""
        if self._views is None or game in self._games or game in self._inspections:
            return
        task = asyncio.create_task(self._inspect_soon(game), name=f"inspect {game}")
        self._inspections[game] = task
        task.add_done_callback(lambda _: self._inspections.pop(game, None))

    async def _inspect_soon(self, game: UUID) -> None:
        try:
            await self.inspect(game)
        except (StoreUnavailable, ViewsUnavailable) as away:
            # The next read of the game suspects it again.
            log.warning("a damaged game was not set aside", game=str(game), reason=str(away))

    async def inspect(self, game: UUID) -> bool:
        """Read all of the game, and set it aside if the log's record of it is damaged.

        Returns whether it is set aside. A contradiction with the public log or with this process's
        memory alone is no fault of the record, nor is an event that a newer release may know.

        Raises:
            StoreUnavailable, ViewsUnavailable: the database is away.

        """
        if self._views is None:
            return False
        rows = await self._store.read(game)
        try:
            if rows:
                await beside_loop(lambda: require_sound(game, rows), len(rows))
            await self.require_whole(game)
        except Damage as damage:
            if isinstance(damage, UnknownEvent) and await self._store.is_ahead():
                return False
            await self.set_aside(game, damage.version, damage.reason)
        return game in self._games

    async def require_whole(self, game: UUID) -> None:
        """Require that the log has all events of the game that its views have seen.

        A database that has gone back as a whole has views that have seen no more.

        Raises:
            Damage: it lacks some at the game's end, or all of them.
            StoreUnavailable: the database is away.

        """
        if self._views is None:
            return
        try:
            lost = await self._views.lost(game)
        except ViewsUnavailable as away:
            raise StoreUnavailable(str(away)) from away
        if lost:
            raise Damage(lost, Phrase("adds.damage.missing", seq=lost))

    async def set_aside(self, game: UUID, version: int, reason: str) -> None:
        """Set the game aside: every node refuses it from now on.

        A log in memory has no views to note it in; then nothing happens.

        Raises:
            ViewsUnavailable: the database is away.

        """
        log.error("a game is set aside", game=str(game), reason=reason)
        if self._views is not None:
            await self._views.set_aside(game, SetAsideReason(version, reason))
            await self.look()

    async def void(self, game: UUID, actor: str, reason: str) -> bool:
        """Note beside the log that an operator has voided the game, if it is set aside.

        Raises:
            ViewsUnavailable: the database is away.

        """
        if self._views is None or not await self._views.void_set_aside(game, actor, reason):
            return False
        await self.look()
        return True

    async def look(self) -> None:
        """Read what is set aside; while the database does not answer, it stays what it was."""
        if self._views is None:
            return
        try:
            asides = await self._views.set_aside_games()
        except ViewsUnavailable as away:
            log.warning("the quarantine waits for the database", reason=str(away))
            return
        self._games = {aside.game: aside for aside in asides}
        metrics.SET_ASIDE.set(sum(not aside.voided_by for aside in self._games.values()))

    async def watch(self) -> None:
        """Read it every `NEWS` seconds, since other processes write it too."""
        while True:
            await asyncio.sleep(NEWS)
            await self.look()

    async def close(self) -> None:
        """End all inspections."""
        await cancel_and_wait(*self._inspections.values())
