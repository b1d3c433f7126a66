"""Runs of many games: the same bytes on any number of processes and after any break."""

from pathlib import Path

import pytest
from msgspec import structs

from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.cli.main import app
from phaseledger.replay.laboratory.simulate import output
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from phaseledger.replay.laboratory.simulate.journal import Format, Run
from phaseledger.replay.laboratory.simulate.output import JOURNAL
from phaseledger.replay.laboratory.simulate.run import play_run
from phaseledger.replay.terminal import UsageError
from tests.support.replay.simulation_runs import FORMATS, SHORT, content, played, run_of

pytestmark = pytest.mark.usefixtures("small_parts")


@pytest.mark.parametrize("form", FORMATS)
def test_any_number_of_processes_makes_the_same_bytes(form: Format, tmp_path: Path) -> None:
    single, several = (played(tmp_path / str(n), run_of(17, form), n) for n in (1, 2))
    assert single == several
    assert len(single) > (form == "parquet") * 4 * 3  # several parts


def test_a_run_is_its_games_one_by_one(tmp_path: Path) -> None:
    whole = played(tmp_path / "run", run_of(5))["out"]
    alone = [line for index in range(1, 6) for line in play(SHORT, index).lines]
    only = played(tmp_path / "only", structs.replace(run_of(5), only=3))["out"]
    assert whole.splitlines() == alone
    assert only.splitlines() == list(play(SHORT, 3).lines)


def broken_off(folder: Path, form: Format, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The output of a run of 9 games that was broken off."""
    out = folder / "out"
    add = output._File.add if form == "ndjson" else output._Folder.add

    def interrupted(sink: object, made: output.SimulatedGame) -> None:
        add(sink, made)  # type: ignore[arg-type]
        if made.outcome.index == 7:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        for kind in (output._File, output._Folder):
            patched.setattr(kind, "add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play_run(run_of(9, form), out, Workers(1))
    return out


OTHERS: dict[str, tuple[Run, str]] = {
    "seed": (run_of(9, plan=structs.replace(SHORT, seed="cap")), "--seed cup, not cap"),
    "games": (run_of(10), "--games 9, not 10"),
    "bots": (
        run_of(9, plan=structs.replace(SHORT, bots=("greedy",))),
        "--bots greedy,random, not greedy",
    ),
    "players": (run_of(9, plan=structs.replace(SHORT, players=4)), "--players 3, not 4"),
    "option": (
        run_of(9, plan=structs.replace(SHORT, options={})),
        "--option variant=n_phases(1), not none",
    ),
    "only": (structs.replace(run_of(9), only=2), "--only none, not 2"),
    "cap": (run_of(9, plan=structs.replace(SHORT, cap=9)), "--max-decisions 20000, not 9"),
    "program": (structs.replace(run_of(9), program="9.9"), "phaseledger "),
    "ruleset": (
        run_of(9, plan=structs.replace(SHORT, ruleset="express")),
        "--ruleset classic, not express",
    ),
}


@pytest.mark.parametrize("form", FORMATS)
def test_another_run_is_refused(
    form: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = broken_off(tmp_path, form, monkeypatch)
    before = content(tmp_path)
    for changed, (other, reason) in OTHERS.items():
        with pytest.raises(UsageError) as refused:
            play_run(structs.replace(other, format=form), out, Workers(1))
        assert reason in str(refused.value), changed
        assert str(refused.value).endswith("or remove it, or give another --out."), changed
        assert content(tmp_path) == before, changed


@pytest.mark.parametrize("form", FORMATS)
def test_without_a_seed_a_broken_run_goes_on_by_its_own(
    form: Format,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = broken_off(tmp_path, form, monkeypatch)
    kept = 7 if form == "ndjson" else 6  # a Parquet file ends with game 6
    assert f"{out}: {kept} of 9 games are kept. To go on, " in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        app(["simulate", "--players", "3", "--bots", "greedy,random", "--games", "9", "--format",
             form, "--option", "variant=n_phases(1)", "--out", str(out)])  # fmt: skip
    printed = capsys.readouterr().err
    made = content(tmp_path)
    assert ended.value.code == 0
    assert printed.startswith(f"--seed cup\n{out}: going on after {kept} of 9 games.\n")
    assert made == played(tmp_path / "whole", run_of(9, form))


@pytest.mark.parametrize("form", FORMATS)
def test_a_damaged_output_is_refused(
    form: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = broken_off(tmp_path, form, monkeypatch)
    if form == "parquet":
        journal = out / JOURNAL
        next((out / "turns").iterdir()).unlink()
    else:
        journal = tmp_path / "out.part.json"
        (tmp_path / "out.part").write_bytes(b"")
    with pytest.raises(UsageError, match=r"to start anew\."):
        play_run(run_of(9, form), out, Workers(1))
    journal.write_text("{}")
    with pytest.raises(UsageError, match=r"is no journal of a run\. Remove it"):
        play_run(run_of(9, form), out, Workers(1))


def test_a_file_that_is_there_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A whole run, were it the same one, and what is no run; beside it, what a run would begin."""
    folder = tmp_path / "run"
    played(folder, run_of(2))
    (folder / "link").symlink_to("out")
    for other in ("notes.txt", "notes.txt.part", "out.part"):
        (folder / other).write_text("mine")
    before = content(folder)
    for name, *seed in (("out", "--seed", "cup"), ("out",), ("link",), ("notes.txt",)):
        file = folder / ("out" if name == "link" else name)
        with pytest.raises(SystemExit) as ended:
            app(["simulate", *seed, "--out", str(folder / name)])
        assert ended.value.code == 2
        assert capsys.readouterr().err == (
            f"{file}: is there already, and no run replaces it. Give another --out, or remove it.\n"
        )
        assert content(folder) == before


def test_a_file_that_came_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run" / "out"
    out.parent.mkdir()
    add = output._File.add

    def other_program(sink: output._File, made: output.SimulatedGame) -> None:
        add(sink, made)
        out.write_text("mine")

    with monkeypatch.context() as patched:
        patched.setattr(output._File, "add", other_program)
        with pytest.raises(UsageError, match="is there already"):
            play_run(run_of(3), out, Workers(1))

    assert out.read_text() == "mine"
    out.unlink()
    with monkeypatch.context() as patched:
        patched.setattr(
            "phaseledger.replay.laboratory.simulate.run.play", None
        )  # all games are kept
        play_run(run_of(3), out, Workers(1))

    assert content(out.parent) == played(tmp_path / "whole", run_of(3))


def test_a_whole_folder_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = played(tmp_path / "run", run_of(4, "parquet"))
    monkeypatch.setattr("phaseledger.replay.laboratory.simulate.run.play", None)
    tally = play_run(run_of(4, "parquet"), tmp_path / "run" / "out", Workers(1))
    assert (tally.games, content(tmp_path / "run")) == (4, whole)


WRONG = [
    ("--format parquet", 2, "--format parquet needs --out"),
    ("--json", 2, "--json needs --out"),
    ("--out .", 2, ".: is a folder. Give the name of a file, or --format parquet."),
    ("--format parquet --out .", 2, ".: holds something else than games."),
    ("--format parquet --out file", 2, "file: is no folder"),
    ("--tournament --format parquet", 2, "--tournament writes no games"),
    ("--jobs 0", 2, "--jobs and --max-decisions count from 1."),
    ("--out no/x", 5, "no/x: cannot be written: No such file or directory"),
    ("--format parquet --out file/x", 5, "file/x: cannot be written: Not a directory"),
]


def test_what_cannot_be_done_is_said_and_leaves_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine")
    for words, code, message in WRONG:
        with pytest.raises(SystemExit) as ended:
            app(["simulate", "--seed", "x", *words.split()])
        assert ended.value.code == code, words
        assert message in capsys.readouterr().err
        assert content(tmp_path) == {"file": b"mine"}, words


def test_a_game_that_does_not_end_is_kept_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = SimulationPlan("cup", options={}, cap=30)
    tally = play_run(run_of(3, "parquet", plan), tmp_path / "out", Workers(2))
    assert [game.index for game in tally.stopped] == [1, 2, 3]
    assert capsys.readouterr().err.count("stopped after 30 decisions") == 3
