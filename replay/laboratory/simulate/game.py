r"""Games without a database, recorded as the service would store them.

Everything is derived from the run's seed (any text) and the game's index (from 1):

    root   = SHA-256("p10-sim/v1\n" seed)
    part   = HMAC-SHA-256(root, purpose "\n" index)
    game id: the first 16 bytes of part "game", as a UUID of version 8 (RFC 9562)
    server's secret: part "server"
    secret of seat i: part "seat i";  chance of its bot: part "bot i"

So the same run gives the same bytes, any game of it can be played alone, and two kinds of bots
can be compared on the same deals (rule set, players and bots are no part of the derivation). The
bots' chance is keyed by the number of decisions so far; ``at`` is 0 in every record.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator
from uuid import UUID

from msgspec import Struct, structs

from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Act, Command, OpenGame, Rejected, Start, TakeSeat, VoidGame
from phaseledger.domain.decide import step
from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence.codec import Chain, append, command_id, new_chain
from phaseledger.domain.groups.work import require_affordable
from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import revision_of
from phaseledger.domain.state import State

CAP = 20_000
"""Decisions after which a game is stopped: a game of bots takes some hundreds."""


DecisionSource = Callable[[State, int, bytes, int], Command]
"""(state, seat, the seat's chance, number of decisions so far) to the seat's command."""


class SimulationPlan(Struct, frozen=True):
    """Parameters of games. ``bots`` are names of `domain.bots.BOTS`, cycled over seats."""

    seed: str
    ruleset: str = "classic"
    players: int = 4
    bots: tuple[str, ...] = ("greedy",)
    options: dict[str, OptionValue] = {}
    cap: int = CAP


class PlayedGame(Struct, frozen=True):
    """One simulated game: its records, and its result."""

    index: int
    game: str
    lines: tuple[bytes, ...]
    decisions: int
    state: State
    fault: str = ""
    """The reason why the game was stopped; empty where it ended."""


class StoppedGame(Struct, frozen=True):
    """A game that did not come to its end."""

    index: int
    game: str
    reason: str


class GameOutcome(Struct, frozen=True):
    """One game's contribution to the tally. ``winners`` are seats."""

    index: int
    game: str
    decisions: int
    events: int
    rounds: int
    seats: int
    winners: tuple[int, ...]
    fault: str


class RunTally(Struct):
    """The totals of a run. A win shared by several seats counts for each."""

    seed: str
    wins: list[int] = []
    """Games won, by seat."""
    games: int = 0
    decisions: int = 0
    events: int = 0
    rounds: int = 0
    stopped: list[StoppedGame] = []

    def add(self, played: GameOutcome) -> None:
        """Count one more game."""
        self.games += 1
        self.decisions += played.decisions
        self.events += played.events
        self.rounds += played.rounds
        self.wins += [0] * (played.seats - len(self.wins))
        for seat in played.winners:
            self.wins[seat] += 1
        if played.fault:
            self.stopped.append(StoppedGame(played.index, played.game, played.fault))


def outcome(played: PlayedGame) -> GameOutcome:
    """The outcome of a game, without its records, which are long."""
    index, game, lines, decisions, state, fault = structs.astuple(played)
    return GameOutcome(
        index=index,
        game=game,
        decisions=decisions,
        events=len(lines),
        rounds=state.round,
        seats=len(state.seats),
        winners=state.winners,
        fault=fault,
    )


def part(seed: str, purpose: str, index: int) -> bytes:
    """32 bytes for one purpose in one game of the run."""
    root = hashlib.sha256(b"p10-sim/v1\n" + seed.encode()).digest()
    return hmac.digest(root, f"{purpose}\n{index}".encode(), "sha256")


def game_id(seed: str, index: int) -> str:
    """The id of one game of the run: a UUID of version 8."""
    number = bytearray(part(seed, "game", index)[:16])
    number[6] = number[6] & 0x0F | 0x80
    number[8] = number[8] & 0x3F | 0x80
    return str(UUID(bytes=bytes(number)))


def _opening(plan: SimulationPlan, index: int) -> Iterator[Act]:
    def secret(purpose: str) -> str:
        return part(plan.seed, purpose, index).hex()

    game = game_id(plan.seed, index)
    opening = OpenGame(
        game,
        plan.ruleset,
        plan.players,
        plan.options,
        secret=secret("server"),
        revision=revision_of(plan.options),
    )
    yield Act(opening)
    for seat in range(plan.players):
        bot = plan.bots[seat % len(plan.bots)]
        name = f"{bot.capitalize()} {seat + 1}"
        yield Act(TakeSeat(name, bot, secret=secret(f"seat {seat}")), seat)
    yield Act(Start())


def opened(plan: SimulationPlan, index: int) -> State:
    """One game of the run, its first round dealt; raises as `play`."""
    state: State | None = None
    for act in _opening(plan, index):
        state, _ = step(state, act)
        if isinstance(act.command, OpenGame):
            require_affordable(state.ruleset)
    assert state is not None
    return state


def too_long(count: int) -> str:
    """The fault of a game that was stopped after its cap of decisions."""
    return f"stopped after {count:,} decisions"


def ask(state: State, seat: int, chance: bytes, count: int) -> Command:
    """The command of the seat's bot, after ``count`` decisions in the game."""
    return decision(state.seat(seat).bot, state, seat, chance, count)


def play(plan: SimulationPlan, index: int, ask: DecisionSource = ask) -> PlayedGame:
    """Play one game of the run; ``ask`` gives the commands, by default the bots' own.

    Raises:
        Rejected: the rules refuse to open such a game.

    """
    state: State | None = None
    chain: Chain | None = None
    lines: list[bytes] = []
    count = 0

    def answer(act: Act) -> State:
        nonlocal chain, count
        next_state, events = step(state, act)
        if isinstance(act.command, OpenGame):
            require_affordable(next_state.ruleset)
        if chain is None:
            assert isinstance(events[0], GameOpened)
            chain = new_chain(events[0])
        chain, entries = append(chain, events, command_id(act.seat, str(count)), at=0)
        lines.extend(entry.stored for entry in entries)
        count += 1
        return next_state

    for act in _opening(plan, index):
        state = answer(act)
    assert state is not None
    chances = [part(plan.seed, f"bot {seat}", index) for seat in range(plan.players)]
    fault = ""
    while state.stage == "playing" and not fault:
        if count >= plan.cap:
            fault = too_long(count)
            break
        seat = state.waits[0].seat
        command = ask(state, seat, chances[seat], count)
        try:
            state = answer(Act(command, seat))
        except Rejected as refusal:
            fault = f"{state.seat(seat).bot} made an illegal move: {refusal}"
    if fault:
        state = answer(Act(VoidGame(fault[:200])))
    return PlayedGame(
        index=index, game=state.game, lines=tuple(lines), decisions=count, state=state, fault=fault
    )
