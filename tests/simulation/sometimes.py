"""Rare states that a campaign has to reach: each is declared once, and noted where it is seen.

They are seen in the simulated world: at the server, in answers, in lines of the log, and around
functions of the shell, none of which knows of it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch
from uuid import UUID

from phaseledger.domain.evidence import codec
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.eventlog.group_commit import GroupWriter
from phaseledger.service.games import cache
from phaseledger.service.games.writer import GameService
from tests.simulation.process import PROCESS, Process
from tests.simulation.tables import LogRow

SOMETIMES = (
    # commits
    "two writers met",
    "a commit in doubt was there",
    "a commit in doubt was not there",
    "a batch was rolled back, and stored one by one",
    "the event that others follow was gone",
    "a stale cache accepted, and the primary key did not",
    "a stale cache refused, and the log did not",
    "a command was cancelled while it was stored",
    "commands shared a signature",
    "another node answered a repeat",
    # the database
    "acknowledged commands went with the database",
    "a ledger behind what was signed took no command",
    "a crash took views that were not flushed",
    "positions were left out",
    "a notification was lost",
    "a disk stayed full",
    "a standby that stays behind took over again",
    # nodes
    "a node never came back",
    "a node took bots over in the middle of a round",
    "a bot was taken over in its thought",
    "a clock ran out while its node was down",
    "a packed game was unpacked",
    "another node took the views over",
    "another node took the public log over",
    # clients
    "a client repeated all it sent",
    "a stream was rewound",
    "a stream went on at another node",
    "a token was lost with the database",
    "a filtered list went on at another node",
    # operators
    "a new epoch voided a running game",
    "new-epoch was killed, and run again",
    "a read met an archived game",
    "a read met a game that is set aside",
    "a command met a game that is set aside",
    "a repeat met a game that is set aside",
    "a stream met a game that is set aside",
    "a list left a game out that is set aside",
    # releases
    "an older node left a game to newer ones",
    "an older follower left the views to newer ones",
)
FEWEST = 300
"""Seeds of a campaign from which on every state has to be reached."""
LINES = {
    "the ledger is behind what was signed": "a ledger behind what was signed took no command",
    "new-epoch is killed": "new-epoch was killed, and run again",
    "The projections are left to another": "an older follower left the views to newer ones",
}
"""The states that lines of the log tell of, by how these begin."""


class Reached(Counter[str]):
    """How often each state was reached."""

    def __init__(self) -> None:
        super().__init__()
        self._writers: dict[UUID, Process | None] = {}
        """By game, the process that wrote its last event."""
        self._thoughts: dict[tuple[Process | None, UUID], int] = {}
        """By process and game, the version that a bot thinks about."""

    def note(self, state: str) -> None:
        """Count a state, which has to be declared."""
        assert state in SOMETIMES, state
        self[state] += 1

    def hear(self, line: str) -> None:
        """Count what a line of the log tells of."""
        for beginning, state in LINES.items():
            if line.startswith(beginning):
                self.note(state)

    def is_thinking(self, process: Process) -> bool:
        """Whether a bot thinks in that process."""
        return any(thinker is process for thinker, _ in self._thoughts)

    def see(self, process: Process | None, rows: Sequence[LogRow]) -> None:
        """Count what the rows of a commit show, by who has written before."""
        for row in rows:
            before = self._writers.get(row.game)
            self._writers[row.game] = process
            if before is None or before is process or not before.killed:
                continue
            record, event = codec.decode(row.topic, row.state)
            if row.topic == "TurnTimedOut/1":
                self.note("a clock ran out while its node was down")
            elif event.act and record.cmd == _cmd_of_bot(event.act.seat, row.version - 1):
                if row.topic != "RoundDealt/1":
                    self.note("a node took bots over in the middle of a round")
                if self._thoughts.get((before, row.game)) == row.version - 1:
                    self.note("a bot was taken over in its thought")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """See what functions of the shell do while the block runs."""
        looking = "a command was cancelled while it was stored"
        places = (
            (GroupWriter, "_write_batch", _after(GroupWriter._write_batch, self._see_written)),
            (GameService, "_append", _after(GameService._append, self._see_appended)),
            (GameService, "_decide", _after(GameService._decide, self._see_decided)),
            (GameService, "_look_for", self._noting(GameService._look_for, looking)),
            (cache, "_decode", self._noting(cache._decode, "a packed game was unpacked")),
            (Autoplay, "_decide", self._minding(Autoplay._decide)),
        )
        with ExitStack() as stack:
            for target, name, watched in places:
                stack.enter_context(patch.object(target, name, watched))
            yield

    def _see_written(self, _: None, __: object, batch: Sequence[Any], lost: int = 0) -> None:
        for done in [waiting.done for waiting in batch if lost and waiting.done.done()]:
            if not done.cancelled() and done.exception() is None:
                was = "there" if done.result().recovered else "not there"
                self.note(f"a commit in doubt was {was}")

    def _see_appended(self, answer: object, *_: object) -> None:
        if answer is None:
            self.note("a stale cache accepted, and the primary key did not")

    def _see_decided(self, pending: object, *_: object) -> None:
        if pending is None:
            self.note("a stale cache refused, and the log did not")

    def _noting(self, function: Callable[..., Any], state: str) -> Callable[..., Any]:
        def noting(*arguments: Any) -> Any:
            self.note(state)
            return function(*arguments)

        return noting

    def _minding(self, decide: Callable[..., Any]) -> Callable[..., Any]:
        async def minding(autoplay: Autoplay, game: Any, now: Any, seat: int) -> Any:
            thought = PROCESS.get(), game.id
            self._thoughts[thought] = now.version
            try:
                return await decide(autoplay, game, now, seat)
            finally:  # never reached in a process that is killed meanwhile
                self._thoughts.pop(thought, None)

        return minding


def _after(function: Callable[..., Any], see: Callable[..., None]) -> Callable[..., Any]:
    async def watched(*arguments: Any, **options: Any) -> Any:
        result = await function(*arguments, **options)
        see(result, *arguments)
        return result

    return watched


def _cmd_of_bot(seat: int | None, version: int) -> str:
    return codec.command_id(seat, f"bot {version}")


def table(counts: Mapping[str, int]) -> str:
    """How often each state was reached, a line each; one that was not is said aloud."""
    lines = [f"{counts.get(state, 0):>9,}  {state}" for state in SOMETIMES]
    return "\n".join(line.replace("        0  ", "NOT REACHED  ") for line in lines)


def unreached(counts: Mapping[str, int]) -> list[str]:
    """The states that a campaign has not reached."""
    return [state for state in SOMETIMES if not counts.get(state)]
