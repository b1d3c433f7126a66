"""Waits for seats that a witness's clock bounds from both sides, and a policy that asks for it."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain.commands import CloseReveal
from phaseledger.domain.evidence import merkle
from phaseledger.domain.terms import Clock, Overdue
from phaseledger.replay.evidence.verify.codes import TOO_LITTLE
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.sightings import LIMITS, read_sightings
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.lines import Inclusion
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import Proofs, bundle_lines
from phaseledger.replay.formats.records.source import DamagedSource, UnknownGame
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import COSIGNATURE, Checkpoint, SigningKey
from tests.support.cases import looped
from tests.support.replay.clocked_games import THENS, sealed, stored, timed_out
from tests.support.replay.judgements import code_of
from tests.support.replay.operator_games import (
    COSIGNED,
    OPERATOR,
    ORIGIN,
    WITNESS,
    bundled,
    leaves_of,
    secret,
)

SECONDS, GRACE = 30, 10
POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,), 1, times="witnessed")
OTHER = SigningKey("example.com/other", secret("another witness's key"), COSIGNATURE)
EARLY, LATE = COSIGNED - 3_600, COSIGNED - 3_600 + SECONDS + GRACE


class Log(NamedTuple):
    """A public log as it grew, with a game that was timed out in it."""

    events: list[bytes]
    leaves: list[bytes]
    asked: int
    """The number of the event that asked the seat."""
    ended: int
    """That of the event by which it lost its answer, its seat or the game."""
    early: int
    """The log's size when the seat had just been asked."""
    late: int
    """Its size just before the time-out was published."""

    def index(self, seq: int) -> int:
        return self.leaves.index(leaves_of(self.events)[seq - 1])

    def proof(self, seq: int, size: int = 0) -> Inclusion:
        size = size or len(self.leaves)
        nodes = cache(
            lambda level, index: merkle.root_of(self.leaves[index << level : index + 1 << level])
        )
        path = merkle.inclusion(self.index(seq), size, nodes)
        return Inclusion(self.index(seq), tuple(step.hex() for step in path), seq, size)

    def note(self, size: int, at: int, witness: SigningKey = WITNESS) -> str:
        text = Checkpoint(ORIGIN, size, merkle.root_of(self.leaves[:size])).text()
        signatures = (notes.signature(text, key, at) for key in (OPERATOR, witness))
        return str(notes.Note(text, tuple(signatures)))

    def sighting(self, size: int, at: int, witness: SigningKey = WITNESS) -> bytes:
        """A line of a file of sightings: a checkpoint."""
        return msgspec.json.encode({"note": self.note(size, at, witness)})

    def placed(self, seq: int, size: int = 0) -> bytes:
        """A line of a file of sightings: a proof, as the API gives it."""
        game = msgspec.json.decode(self.events[0])["game"]
        return msgspec.json.encode({"game": game, **msgspec.to_builtins(self.proof(seq, size))})

    def bundle(self) -> list[bytes]:
        note = self.note(len(self.leaves), COSIGNED)
        proofs = Proofs(note, (self.proof(1), self.proof(len(self.events))))
        keys = [OPERATOR.public, WITNESS.public]
        return list(bundle_lines(self.events, keys=keys, signer=OPERATOR, proofs=proofs))


@cache
def log(then: Overdue = "bot_move") -> Log:
    """Other games' events stand before and after the asking, and after the game."""
    clock = Clock(SECONDS, GRACE, then)
    events = stored(timed_out(clock, 1_000 * (SECONDS + GRACE)))
    late = next(n for n, event in enumerate(events) if b'"TurnTimedOut/1"' in event)
    leaves, others = leaves_of(events), [secret("another game", n) for n in range(12)]
    made = [*others[:3], *leaves[:late], *others[3:8], *leaves[late:], *others[8:]]
    ended = late + 1 if then == "bot_move" else late + 2
    return Log(events, made, late, ended, 3 + late, 8 + late)


def judged(
    lines: Sequence[bytes], folder: Path, *kept: bytes, policy: Policy = POLICY
) -> Judgement:
    file = folder / "sightings"
    file.write_bytes(b"\n".join(kept) + b"\n")
    sightings = list(read_sightings(str(file))) if kept else []
    (examined,) = verify([parse_bundle(lines, "file")], policy, (), sightings)
    return examined.judgement


def both(
    game: Log, early: int = 0, late: int = 0, seen_late: int = LATE, first: SigningKey = WITNESS
) -> list[bytes]:
    """What a witness saw before the wait and after it, and where its events stand."""
    return [
        game.sighting(early or game.early, EARLY, first),
        game.sighting(late or game.late, seen_late),
        game.placed(game.asked),
        game.placed(game.ended),
    ]


@looped("then", THENS)
def test_a_witness_saw_that_the_seat_had_its_time(then: Overdue, tmp_path: Path) -> None:
    game = log(then)
    first, second, _, ended = kept = both(game)
    judgement = judged(game.bundle(), tmp_path, *kept)
    assert judgement.conclusion == "sound"
    assert judgement.facets
    assert judgement.facets.times == "witnessed"
    assert judgement.headline.endswith(" and lost the answers of seats that were timed out")
    # The asking may be proven in the checkpoint that was kept then.
    early = game.placed(game.asked, game.early)
    assert judged(game.bundle(), tmp_path, first, second, early, ended).conclusion == "sound"


LACKING: dict[str, Callable[[Log], list[bytes]]] = {
    "nothing was kept": lambda game: [],
    "it saw the log a second too soon": lambda game: both(game, seen_late=LATE - 1),
    "the time-out stood there by then": lambda game: both(game, late=game.index(game.ended) + 1),
    "the asking did not stand there yet": lambda game: both(game, early=game.early - 1),
    "nobody knows where the asking stands": lambda game: [*both(game)[:2], both(game)[3]],
    "nobody knows where the time-out stands": lambda game: both(game)[:3],
    "two witnesses saw a part each": lambda game: both(game, first=OTHER),
}


@looped("name", LACKING)
def test_what_does_not_show_it(name: str, tmp_path: Path) -> None:
    game = log()
    policy = replace(POLICY, witnesses=(WITNESS.public, OTHER.public))
    judgement = judged(game.bundle(), tmp_path, *LACKING[name](game), policy=policy)
    (problem,) = judgement.problems
    assert (problem.code, problem.seq, code_of(judgement)) == (
        "times_unwitnessed", game.ended, TOO_LITTLE,
    )  # fmt: skip
    assert f"{SECONDS + GRACE} s later not yet event {game.ended}" in problem.expected


def test_nobody_asked_for_it(tmp_path: Path) -> None:
    assert judged(log().bundle(), tmp_path, policy=replace(POLICY, times="recorded")).problems == ()


def test_a_proof_that_leads_nowhere(tmp_path: Path) -> None:
    game = log()
    kept = (game.sighting(game.early, EARLY), game.placed(game.asked, game.late))
    problems = judged(game.bundle(), tmp_path, *kept).problems
    assert [
        (problem.code, problem.line) for problem in problems if problem.code == "bad_inclusion"
    ] == [("bad_inclusion", 2)]
    assert problems[0].source == str(tmp_path / "sightings")


def test_a_wait_for_secrets_counts_too(tmp_path: Path) -> None:
    """The bundle's own checkpoint shows neither when the table was sealed nor when it was void."""
    table = sealed(2)
    table.decide(CloseReveal())
    (problem,) = judged(bundled(stored(table)), tmp_path).problems
    assert (problem.code, problem.seq) == ("times_unwitnessed", 5)
    assert "saw event 4, and 2 s later not yet event 5" in problem.expected


def test_a_proof_of_a_game_that_no_bundle_is_about(tmp_path: Path) -> None:
    other = log("void").placed(1)
    with pytest.raises(UnknownGame, match="sightings:1: the proof is of another game"):
        judged(log().bundle(), tmp_path, other)


@looped(
    "line",
    [
        *(b"{}", b'{"note": "no note"}', b"\xff", b"[" * 5_000, b"[" + b" " * LIMITS.longest),
        *(b'{"first": 1}', b'{"first": -1, "second": 2, "path": []}', b'{"first":1,"game":"x"}'),
    ],
)
def test_what_is_no_sighting(line: bytes, tmp_path: Path) -> None:
    with pytest.raises(DamagedSource, match="sightings:1: "):
        judged(log().bundle(), tmp_path, line)


def test_a_file_that_is_empty_or_gone(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    for file, words in ((empty, "there is no checkpoint"), (tmp_path / "gone", "cannot be read")):
        with pytest.raises(DamagedSource, match=words):
            list(read_sightings(str(file)))
