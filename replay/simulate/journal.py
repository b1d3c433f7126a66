"""What a run keeps beside its output, so that it can go on where it was broken off."""

import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from phaseledger.replay.records import files as durable
from phaseledger.replay.simulate.game import RunTally, SimulationPlan
from phaseledger.replay.terminal import UsageError

Format = Literal["ndjson", "parquet"]


class Run(Struct, frozen=True):
    """What is asked for; the same run gives the same bytes."""

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
        """Each parameter as the command line has it."""
        plan = self.plan
        yield from (("--format", self.format), ("--seed", plan.seed), ("--ruleset", plan.ruleset))
        yield from (("--players", plan.players), ("--bots", ",".join(plan.bots)))
        yield from (("--games", self.games), ("--only", self.only or "none"))
        options = (f"{name}={value}" for name, value in sorted(plan.options.items()))
        yield from (("--option", " ".join(options) or "none"), ("--max-decisions", plan.cap))
        yield "phaseledger", self.program


class Journal(Struct):
    """A run and how far it is. ``size`` is of NDJSON; ``parts`` are the games of each Parquet file.

    Only what it tells of is whole: the output may have more, which is cut off or written anew.
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
    """The journal, if there is one.

    Raises:
        UsageError: there is a file of that name, and it is none.
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
    """Put the journal in the place of the one before, for good; raises OSError.

    A run has its output for itself, so the name beside it may be the same each time: what a kill
    leaves there is gone with the next one.
    """
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        file.write(_encode(journal) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    durable.sync(path.parent)


def require_same(out: Path, before: Run, now: Run) -> None:
    """Refuse to go on with another run's output; raises UsageError."""
    pairs = zip(before.asked(), now.asked(), strict=True)
    changed = [f"{name} {was}, not {is_}" for (name, was), (_, is_) in pairs if was != is_]
    if changed:
        raise UsageError(
            f"{out}: holds games of another run: {'; '.join(changed)}. Ask for that run to go on "
            "with it, or remove it, or give another --out."
        )
