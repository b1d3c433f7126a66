"""The games in memory: whole where they were used last, and packed for a while after that.

Packed, a game takes some kilobytes in place of tens of them, and is as good as a whole one: it may
be behind the log, and no more than that. Any other game is folded from its log when it is used.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec

from phaseledger.domain.evidence.codec import Chain
from phaseledger.domain.state import State
from phaseledger.service.eventlog.clock import LedgerClock
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.log_times import LogTimes

PACKED = 4
"""Games that stay packed for each that stays whole."""


class _Packed(NamedTuple):
    state: State
    chain: Chain
    marks: LogTimes
    commands: Mapping[str, int]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Packed).decode


class GameCache:
    """The games that were used last: ``kept`` of them whole, and more of them packed."""

    def __init__(self, kept: int, clock: LedgerClock) -> None:
        self._kept = kept
        self._clock = clock
        # The weak map holds whatever is in use, so there is one lock to a game even when more
        # games are busy than are kept.
        self._live: WeakValueDictionary[UUID, Game] = WeakValueDictionary()
        self._recent: OrderedDict[UUID, Game] = OrderedDict()
        self._packed: OrderedDict[UUID, bytes] = OrderedDict()
        self.history = 0
        """Which history of the log is read now; what was read from another may never have been."""

    def distrust(self) -> None:
        """Read every game anew before it is used again: the log may have gone back."""
        self.history += 1
        self._packed.clear()

    def find(self, game_id: UUID) -> Game | None:
        """The game, if it is whole in memory."""
        return self._live.get(game_id)

    def game(self, game_id: UUID) -> Game:
        """The game; one that is not in memory is empty."""
        game = self._live.get(game_id)
        if game is None:
            game = self._live[game_id] = Game(game_id)
            game.history = self.history
            if packed := self._packed.pop(game_id, None):
                state, chain, marks, commands = _decode(packed)
                game.commands.update(commands)
                game.become(Snapshot(state, chain, marks, self._clock))
                self.keep(game)
        elif game_id in self._recent:
            self._recent.move_to_end(game_id)
        return game

    def keep(self, game: Game) -> None:
        """Keep the game whole, and pack the one that was used longest ago where there are many."""
        self._recent[game.id] = game
        if len(self._recent) > self._kept:
            _, left = self._recent.popitem(last=False)
            if left.now is not None and left.history == self.history:
                self._packed[left.id] = _encode(_Packed(*left.now[:3], left.commands))
                if len(self._packed) > PACKED * self._kept:
                    self._packed.popitem(last=False)
