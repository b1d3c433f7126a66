"""Games with all that their operator has: the log, the secrets, and the keys to sign with.

The same plan gives the same bytes, but for what the operator signs with other keys.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from phaseledger.domain import deal
from phaseledger.domain.bots import decision
from phaseledger.domain.commands import (
    Act,
    Command,
    KickSeat,
    LeaveSeat,
    NameSeat,
    OpenGame,
    Play,
    RevealSecret,
    Start,
    TakeSeat,
    TimeOut,
    VoidGame,
)
from phaseledger.domain.decide import step
from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.codec import (
    Chain,
    Entry,
    append,
    command_id,
    decode_event,
    leaf_hash,
    new_chain,
    redact,
)
from phaseledger.domain.names import is_pseudonym
from phaseledger.domain.options import OptionValue
from phaseledger.domain.rulesets import preset
from phaseledger.domain.script import Script
from phaseledger.domain.state import State
from phaseledger.domain.terms import Terms
from phaseledger.replay.formats.bundle.lines import Inclusion
from phaseledger.replay.formats.bundle.writer import Proofs, bundle_lines
from phaseledger.replay.formats.signing import commands, notes
from phaseledger.replay.formats.signing.notes import COSIGNATURE, Checkpoint, SigningKey

ORIGIN = "example.org/games"
CLOCK = 1_790_000_000_000  # 2026-09-21


COSIGNED = CLOCK // 1_000 + 366 * 86_400
"""When the witness saw a game, in seconds since 1970: after its end."""


def secret(*names: object) -> bytes:
    """32 bytes for one purpose."""
    return sha256("/".join(map(str, names)).encode()).digest()


def pseudonym(seat: int) -> str:
    """The name of a player of an application."""
    return f"player-{chr(ord('a') + seat) * 20}"


OPERATOR = SigningKey(ORIGIN, secret("the operator's key"))
WITNESS = SigningKey("example.net/witness", secret("the witness's key"), COSIGNATURE)
STRANGER = SigningKey(ORIGIN, secret("another key under the operator's name"))


class Plan(Struct, frozen=True):
    """A game to be played: which, by whom, and how the seats protect themselves."""

    ruleset: str
    seats: int
    seed: str
    options: dict[str, OptionValue] = {}
    bots: tuple[str, ...] = ("random",)
    bringing: tuple[int, ...] = ()
    """Seats with a secret of their own."""
    signing: tuple[int, ...] = ()
    """Seats with a key of their own."""
    void_after: int = 0
    """Decisions after which the host breaks the game off; 0: never."""
    server: str = ""
    """What makes the server's secret another one than the seed's."""
    table: Terms | None = None
    """The table's terms; with a clock, a person is overdue now and then."""
    joining: tuple[int, ...] = ()
    """Seats that sign joining, too."""
    absent: tuple[int, ...] = ()
    """Seats that never answer, at a table with a clock."""
    restless: tuple[int, ...] = ()
    """Seats that somebody takes and loses before somebody else takes them."""
    leaving: tuple[int, ...] = ()
    """Seats that leave during the game."""
    guests: tuple[int, ...] = ()
    """Seats of persons who become players: the first before the start, the others after it."""
    script: Script = ()
    """The scripted deals, at a table for tests."""
    moves: str = ""
    """If given, every seat plays by chance of its own, whatever it is called."""

    @property
    def game(self) -> str:
        """The game's id."""
        return str(UUID(bytes=secret(self.seed, self.ruleset, self.seats)[:16], version=4))


class Table:
    """A game while it is played: every decision is stored as a command of its own."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.state: State | None = None
        self.chain = Chain(plan.game, b"")
        self.entries: list[Entry] = []
        self.count = 0
        self.waited = 0
        """Milliseconds in which nobody decided anything, beyond two seconds for each decision."""

    def decide(self, command: Command, seat: int | None = None) -> None:
        """Decide, sign where the seat signs, and store."""
        sig = self.signature(command, seat) if self.signs(seat, command) else ""
        self.state, events = step(self.state, Act(command, seat, sig))
        if self.count == 0:
            assert isinstance(events[0], GameOpened)
            self.chain = new_chain(events[0])
        cmd = command_id(seat, f"key {self.count}")
        self.chain, entries = append(self.chain, events, cmd, self.now)
        self.entries += entries
        self.count += 1

    def signature(self, command: Command, seat: int | None) -> str:
        """The seat's signature of a command to the game as it is now."""
        assert seat is not None
        head, version = self.chain.head, self.chain.seq
        return commands.sign(self.key(seat), self.plan.game, seat, head, version, command)

    @property
    def now(self) -> int:
        """The time of the next decision, in ms since 1970."""
        return CLOCK + 2_000 * self.count + self.waited

    def signs(self, seat: int | None, command: Command) -> bool:
        """Whether the seat has a key for that; a bot in its place has none."""
        if self.state is None or seat is None:
            return False
        if isinstance(command, TakeSeat):
            return seat in self.plan.joining
        sitting = self.state.seats[seat]
        in_person = not (sitting and sitting.stand_in and isinstance(command, Play))
        return in_person and bool(sitting and sitting.key)

    def key(self, seat: int) -> bytes:
        """The private key of a seat that signs."""
        return secret(self.plan.seed, "key", seat)

    def seat_secret(self, seat: int) -> bytes:
        """The secret of a seat, whoever made it."""
        return secret(self.plan.seed, "seat", seat)

    def open(self) -> None:
        """Open the table, seat everybody, seal it, and have the secrets revealed."""
        plan = self.plan
        server = secret(plan.seed, "server", plan.server).hex()
        opening = OpenGame(plan.game, plan.ruleset, plan.seats, plan.options, secret=server)
        self.decide(replace(opening, table=plan.table, script=plan.script))
        for seat in plan.restless:
            self._come_and_go(seat)
        for seat in range(plan.seats):
            own = self.seat_secret(seat)
            brings, signs = seat in plan.bringing, seat in plan.signing
            sit = TakeSeat(
                f"Seat {seat}",
                bot="" if brings or signs else plan.bots[seat % len(plan.bots)],
                commit=deal.seat_commit(plan.game, seat, own) if brings else "",
                secret="" if brings else own.hex(),
                key=commands.public_key(self.key(seat)) if signs else "",
            )
            self.decide(sit, seat)
        for seat in plan.guests[:1]:
            self.decide(NameSeat(seat, pseudonym(seat)))
        self.decide(Start())
        for seat in plan.guests[1:2]:
            self.decide(NameSeat(seat, pseudonym(seat)))
        for seat in reversed(plan.bringing):
            self.decide(RevealSecret(self.seat_secret(seat).hex()), seat)

    def _come_and_go(self, seat: int) -> None:
        """Somebody else sits down in the seat and gets up again, or is sent away."""
        own = secret(self.plan.seed, "another", seat)
        commit = deal.seat_commit(self.plan.game, seat, own)
        signs = seat in self.plan.signing
        sit = TakeSeat(
            f"Stranger {seat}",
            commit=commit if seat % 2 else "",
            secret="" if seat % 2 else own.hex(),
            key=commands.public_key(self.key(seat)) if signs else "",
        )
        self.decide(sit, seat)
        if signs:
            self.decide(LeaveSeat(), seat)
        else:
            self.decide(KickSeat(seat))

    def go_missing(self) -> bool:
        """Whether it was time for a seat to leave or to be overdue; then it is so."""
        assert self.state is not None
        seat = self.state.waits[0].seat
        person = not (self.state.seat(seat).bot or self.state.seat(seat).stand_in)
        guests = [n for n in self.plan.guests[2:] if not is_pseudonym(self.state.seat(n).name)]
        if guests and self.count % 7 == 3:
            self.decide(NameSeat(guests[0], pseudonym(guests[0])))
        elif person and self.count % 11 == 5 and seat in self.plan.leaving:
            self.decide(LeaveSeat(), seat)
        elif person and self.state.terms.clock and self.count % 5 == 2:
            clock = self.state.terms.clock
            self.waited += 1_000 * (clock.seconds + clock.grace)
            self.decide(TimeOut(seat))
        else:
            return False
        return True

    def answer(self, seat: int) -> Command:
        """What the bot in whose place a seat plays would do."""
        assert self.state is not None
        level = "random" if self.plan.moves else self.plan.bots[seat % len(self.plan.bots)]
        chance = secret(self.plan.seed, "chance", self.plan.moves)
        return decision(level, self.state, seat, chance, self.count)


def played(plan: Plan) -> list[bytes]:
    """The stored events of the whole game."""
    table = Table(plan)
    table.open()
    assert table.state is not None
    begun = table.count
    while table.state.stage == "playing":
        if plan.void_after and table.count - begun >= plan.void_after:
            table.decide(VoidGame("no more time"))
            break
        if not table.go_missing():
            seat = table.state.waits[table.count % len(table.state.waits)].seat
            table.decide(table.answer(seat), seat)
    return [entry.stored for entry in table.entries]


def whole_commands(stored: Sequence[bytes], end: int) -> Sequence[bytes]:
    """The events of the commands that are whole among the first ``end``."""
    while end < len(stored) and b'"act":' not in stored[end]:
        end -= 1
    return stored[:end]


def proofs(
    leaves: Sequence[bytes],
    seed: str,
    *signers: SigningKey,
    cosigned_at: int = COSIGNED,
    origin: str = ORIGIN,
) -> Proofs:
    """A checkpoint over the game's leaves, other games' between them, and the proofs.

    With more leaves the log goes on from the one with fewer.
    """
    others = [secret(seed, "leaf of another game", n) for n in range(len(leaves) + 5)]
    log = others[:5] + [leaf for pair in zip(others[5:], leaves, strict=True) for leaf in pair]
    nodes = cache(lambda level, index: merkle.root_of(log[index << level : index + 1 << level]))
    point = Checkpoint(origin, len(log), merkle.root_of(log))
    signed = tuple(notes.signature(point.text(), key, cosigned_at) for key in signers)
    places = [(1, 6), (len(leaves), 2 * len(leaves) + 4)]
    return Proofs(
        str(notes.Note(point.text(), signed)),
        tuple(
            Inclusion(
                index,
                tuple(step.hex() for step in merkle.inclusion(index, len(log), nodes)),
                seq,
                len(log),
            )
            for seq, index in dict(places).items()
        ),
    )


def leaves_of(stored: Sequence[bytes]) -> list[bytes]:
    """The leaf hash of every event."""
    opened = decode_event("GameOpened/1", stored[0])
    assert isinstance(opened, GameOpened)
    key = new_chain(opened).key
    public = (redact(record, key, None, opened=False) for record in stored)
    return [bytes.fromhex(leaf_hash(record)) for record in public]


def bundled(
    stored: Sequence[bytes],
    *,
    key: SigningKey = OPERATOR,
    witnesses: Sequence[SigningKey] = (WITNESS,),
    viewer: int | None = None,
    cosigned_at: int = COSIGNED,
) -> list[bytes]:
    """The bundle's lines, as an operator with that key makes it."""
    given = proofs(leaves_of(stored), "log", key, *witnesses, cosigned_at=cosigned_at)
    keys = [signer.public for signer in (key, *witnesses)]
    return list(bundle_lines(stored, viewer=viewer, keys=keys, signer=key, proofs=given))


# --- many different games ------------------------------------------------------------------------

_SHORT: dict[str, OptionValue] = {"max_turns_per_round": 40}
KINDS: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    ("classic", {"variant": "n_phases(1)"}),
    ("classic", {"variant": "n_phases(2)", "first_player": "random"}),
    ("classic", {"variant": "even_phases"}),
    ("classic", {"variant": "n_phases(3)", "initial_skip": "cover", **_SHORT}),
    ("classic", {"variant": "n_phases(2)", "going_out": "discard_required"}),
    ("classic", {"stock_exhausted": "reshuffle_all", **_SHORT}),
    ("standard-deck", {"style": "complete_ordered", **_SHORT}),
    ("standard-deck", {"style": "ten_rounds_ordered", **_SHORT}),
    ("standard-deck", {"style": "complete_free", "free_phase_named": "auto_lowest", **_SHORT}),
    ("standard-deck", {"style": "ten_rounds_free", "skip_repeat": "until_normal_turn", **_SHORT}),
    ("express", {"variant": "n_phases(1)"}),
    ("express", {"variant": "n_phases(2)", "pairrun_hit": "single_cards"}),
    ("express", {"run_wrap": True, "wild_min_scope": "none", **_SHORT}),
    ("express", {"variant": "ten_rounds", **_SHORT}),
    ("board", {"max_turns_per_round": 30}),
    ("board", {"keep_choice": "seat_order_open", "kept_joker": "becomes_normal", **_SHORT}),
    ("board", {"joker_memory": "owner_sees_always", "ask_giver_chooses": False, **_SHORT}),
    ("board", {"joker_discard": "forbidden", "board_first_starter": "random", **_SHORT}),
)
"""Games of every rule set and style with house rules, most of them short."""


def plan(number: int, seed: str = "many", *, longest: int = 0) -> Plan:
    """The game of that number: kinds, seat counts, secrets, keys and ends in turn.

    Every third game is broken off, and with ``longest`` every one after so many decisions.
    """
    ruleset, options = KINDS[number % len(KINDS)]
    rules = preset(ruleset)
    turn = number // len(KINDS)
    seats = rules.seats_min + turn % (rules.seats_max + 1 - rules.seats_min)
    chance = secret(seed, number)
    void_after = 1 + int.from_bytes(chance[:2]) % 150 if number % 3 == 0 else 0
    if longest:
        void_after = min(void_after or longest, longest)
    return Plan(
        ruleset,
        seats,
        f"{seed} {number}",
        options,
        (("greedy",), ("random", "greedy"), ("greedy", "random", "greedy"))[turn % 3],
        bringing=tuple(seat for seat in range(seats) if chance[2] >> seat & 1),
        signing=tuple(seat for seat in range(seats) if chance[3] >> seat & 1),
        void_after=void_after,
    )
