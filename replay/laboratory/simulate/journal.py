"""The journal of a run: its progress, kept beside the output, from which it can be resumed."""

import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from phaseledger.replay.batch.results import changed_parameters
from phaseledger.replay.formats import files
from phaseledger.replay.laboratory.simulate.game import RunTally, SimulationPlan
from phaseledger.replay.terminal import UsageError

Format = Literal["ndjson", "parquet"]


class Run(Struct, frozen=True):
    """The parameters of a run; the same run gives the same bytes."""

    plan: SimulationPlan
    games: int
    only: int | None = None
    format: Format = "ndjson"
    program: str = version("phaseledger")

    @property
    def indices(self) -> range:
        """The games to play, by their place in the run."""
        return range(1, self.games + 1) if self.only is None else range(self.only, self.only + 1)

    def asked(self) -> Iterator[tuple[str, object]]:
        """Each parameter with its value, as on the command line."""
        yield "--format", self.format
        yield from plan_parameters(self.plan)
        yield from (("--games", self.games), ("--only", self.only or "none"))
        yield "phaseledger", self.program


def plan_parameters(plan: SimulationPlan) -> Iterator[tuple[str, object]]:
    """Each parameter of a plan with its value, as on the command line."""
    yield from (("--seed", plan.seed), ("--ruleset", plan.ruleset), ("--players", plan.players))
    options = (f"{name}={value}" for name, value in sorted(plan.options.items()))
    yield from (("--bots", ",".join(plan.bots)), ("--option", " ".join(options) or "none"))
    yield "--max-decisions", plan.cap


class Journal(Struct):
    """A run and its progress: ``size`` of NDJSON in bytes, ``parts`` (games) of the Parquet files.

    Only output recorded here is complete: any more of it is cut off or written again.
    """

    run: Run
    tally: RunTally
    size: int = 0
    parts: list[tuple[int, int]] = []
    v: Literal["p10-run/v1"] = "p10-run/v1"

    @property
    def whole(self) -> bool:
        """Whether all games were played."""
        return self.tally.games == len(self.run.indices)


_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(Journal).decode


def load(path: Path) -> Journal | None:
    """The journal in a file; None if there is no file.

    Raises:
        UsageError: the file is no journal.
        OSError: it cannot be read.

    """
    try:
        return _decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise UsageError(
            f"{path}: that is no journal of a run. Remove it, or give another --out."
        ) from None


def keep(path: Path, journal: Journal) -> None:
    """Replace the journal, atomically and durably; raises OSError.

    No other run writes this output, so the temporary file always has the same name: a file left by
    a kill is overwritten.
    """
    temporary = path.with_name(f".{path.name}.part")
    with temporary.open("wb") as file:
        file.write(_encode(journal) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    files.sync(path.parent)


def require_same(out: Path, before: Run, now: Run) -> None:
    """Check that the output is of the same run; raises UsageError."""
    if changed := changed_parameters(before.asked(), now.asked()):
        raise UsageError(
            f"{out}: holds games of another run: {changed}. Ask for that run to go on "
            "with it, or remove it, or give another --out."
        )
