"""The commands `verify`, `explain` and `export --bundle`."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from phaseledger.replay.evidence.verify.codes import CODES, EvidenceCode
from phaseledger.replay.evidence.verify.evidence import Document, json_schema
from phaseledger.replay.formats.records.findings import FindingCode
from phaseledger.replay.formats.signing import keys
from tests.support.cases import looped
from tests.support.replay.bundles import game, good, of_kind
from tests.support.replay.operator_games import (
    OPERATOR,
    ORIGIN,
    WITNESS,
    bundled,
    whole_commands,
)
from tests.support.replay.processes import ENVIRON, GOOD, ROOT, run
from tests.support.replay.tampered_bundles import TAMPERED

POLICY = f"""
origin = "{ORIGIN}"
keys = ["{OPERATOR.public}"]
witnesses = ["{WITNESS.public}"]
witnesses_needed = 1
require = ["receipts", "checkpoint", "finished"]
"""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "game.bundle"
    path.write_bytes(b"".join(good()))
    return path


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "club.toml"
    path.write_text(POLICY)
    return path


@pytest.fixture
def tampered(tmp_path: Path) -> Path:
    lines = list(good())
    TAMPERED["a score"][0](lines)
    path = tmp_path / "tampered.bundle"
    path.write_bytes(b"".join(lines))
    return path


# --- verify ---------------------------------------------------------------------------------------


def test_a_sound_game(bundle: Path, policy: Path) -> None:
    done = run("verify", bundle, "--policy", policy)
    lines = done.stdout.decode().splitlines()

    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0].startswith("SOUND, grade recorded: the game is over and kept its rules; ")
    assert 'could have chosen the deck if seats "Seat 0" and "Seat 2" are its own' in lines[0]
    assert any("ok" in line and "seed and decisions" in line for line in lines)
    assert any("authenticated, repudiable" in line for line in lines)
    assert sum("signed (key" in line for line in lines) == 2
    assert [line.endswith("named by the policy") for line in lines if "  key " in line] == [
        True
    ] * 2
    assert sum("nobody vouches" in line for line in lines) == 2, "for the keys of the two seats"


def test_without_a_policy_nobody_vouches_for_the_keys(bundle: Path) -> None:
    done = run("verify", bundle)

    assert done.returncode == 0
    assert done.stdout.count(b"nobody vouches for") >= 4
    assert b"Without --policy nobody vouches for the keys" in done.stdout


def test_a_bad_game_in_words(tampered: Path) -> None:
    done = run("verify", tampered)
    text = done.stdout.decode()

    assert done.returncode == 1
    assert text.startswith("WRONG: ")
    assert re.search(
        rf"outcome_differs \[.+\]: the end of round 1 \(event \d+\), {tampered}:\d+: ", text
    )
    assert re.search(r"    expected: data.results\[0\].total = \d+\n    recorded: data", text)
    assert "FAILED  chain" in text


def test_a_running_game_is_not_called_sound(tmp_path: Path) -> None:
    path = tmp_path / "running.bundle"
    path.write_bytes(b"".join(bundled(game("classic")[:50], viewer=1)))
    done = run("verify", path)

    assert done.returncode == 0
    assert done.stdout.startswith(b"NOTHING WRONG SO FAR, grade consistent: ")
    assert b'as seat "Seat 1" may see it' in done.stdout
    assert b"SOUND" not in done.stdout


def test_quiet_names_only_what_is_wrong(bundle: Path, tampered: Path) -> None:
    assert run("verify", bundle, "--quiet").stdout == b""
    both = run("verify", bundle, tampered, "--quiet")
    assert (both.returncode, both.stdout.count(b"events, head")) == (1, 1)


def test_standard_input(bundle: Path) -> None:
    assert run("verify", "-", given=bundle.read_bytes()).returncode == 0


def test_every_exit_code(bundle: Path, tampered: Path, policy: Path, tmp_path: Path) -> None:
    def file(name: str, *lines: Any) -> Path:
        path = tmp_path / name
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        return path

    fits, *_, last = of_kind(good(), "receipt")
    other = of_kind(good("board"), "receipt")[0]
    running = tmp_path / "running"
    running.write_bytes(b"".join(bundled(whole_commands(game("classic"), 80))))
    cut = tmp_path / "cut"
    cut.write_bytes(bundle.read_bytes()[:-1])
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("keys = []")
    witnessed = tmp_path / "witnessed.toml"
    witnessed.write_text(POLICY + 'times = "witnessed"\n')
    sighting = file("seen", of_kind(good(), "checkpoint")[0])
    inclusion = of_kind(good(), "inclusion")[0]
    proof = file("proof", {"game": of_kind(good(), "bundle")[0]["game"], **inclusion})
    for code, *arguments in (
        (0, bundle, "--receipt", file("mine", fits, last)),
        (0, bundle, running),
        (0, bundle, "--policy", witnessed, "--sightings", sighting),
        (0, bundle, "--sightings", sighting),
        (2, bundle, "--policy", policy, "--sightings", proof),
        (5, bundle, "--policy", witnessed, "--sightings", cut),
        (1, tampered, running, "--policy", policy),
        (2,),
        (2, "--unknown"),
        (2, bundle, "--policy", wrong),
        (2, bundle, "--policy", tmp_path / "missing.toml"),
        (4, bundle, "--receipt", file("other", other)),
        (5, cut),
        (5, tampered, cut, bundle),
        (5, tmp_path),
        (5, bundle, "--receipt", file("none", {"at": 1})),
        (5, bundle, "--receipt", file("empty")),
        (6, running, "--receipt", file("last", last)),
        (7, running, "--policy", policy),
    ):
        done = run("verify", *arguments)
        assert done.returncode == code, (arguments, done.stderr, done.stdout)
        assert done.stderr if code in (2, 4, 5) else done.stdout


def test_a_damaged_file_is_a_sentence(tmp_path: Path, bundle: Path) -> None:
    path = tmp_path / "zeros"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    done = run("verify", path, bundle)

    assert done.returncode == 5
    reason, advice = done.stderr.decode().splitlines()
    assert reason == f"{path}:1: the line is longer than 1,048,576 bytes."
    assert advice.startswith("A file that cannot be read settles nothing")
    assert done.stdout.startswith(b"SOUND")


STARTED = """
import sys
from phaseledger.service.cli.main import main
sys.argv = ["phaseledger", "verify", "--quiet", {path!r}, "--policy", {policy!r}]
try:
    main()
finally:
    words = [name.split(".") for name in sys.modules]
    names = {{".".join(each[: 2 if each[0] == "phaseledger" else 1]) for each in words}}
    print(sorted(names), file=sys.stderr)
"""


def test_a_verification_loads_no_server_no_driver_and_no_screen(bundle: Path, policy: Path) -> None:
    program = STARTED.format(path=str(bundle), policy=str(policy))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=ENVIRON, capture_output=True, check=True
    )
    loaded = set(ast.literal_eval(done.stderr.decode()))

    assert {"msgspec", "cryptography", "phaseledger.replay"} <= loaded
    assert not loaded & {"litestar", "psycopg", "eventsourcing", "rich", "phaseledger.projections"}


# --- for programs ---------------------------------------------------------------------------------


def test_the_document(bundle: Path, tampered: Path, policy: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    done = run("verify", bundle, tampered, missing, "--policy", policy, "--json")
    document = msgspec.json.decode(done.stdout, type=Document)

    assert (done.returncode, done.stderr) == (5, b"")
    assert (document.exit_code, document.sound, document.policy) == (5, False, str(policy))
    assert [judgement.conclusion for judgement in document.bundles] == ["sound", "wrong"]
    assert document.damage == (f"{missing}: cannot be read: No such file or directory.",)
    assert {problem.source for problem in document.bundles[1].problems} == {str(tampered)}


def test_the_published_schema_is_the_document_s() -> None:
    """`python -m phaseledger.replay.evidence.verify.evidence` writes it anew."""
    committed = ROOT / "docs" / "reference" / "verify.schema.json"

    assert committed.read_bytes() == json_schema()
    assert json.loads(json_schema())["title"] == "p10-verdict/v1"


def test_a_report_for_people(bundle: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    done = run("verify", bundle, "--quiet", "--report", report)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert report.read_text().startswith("<!doctype html>")
    assert run("verify", bundle, "--report", tmp_path).returncode == 5


# --- explain --------------------------------------------------------------------------------------


def test_every_code_is_explained() -> None:
    listed = run("explain").stdout.decode().splitlines()

    assert set(CODES) == {*get_args(FindingCode), *get_args(EvidenceCode)}
    assert [line.split()[0] for line in listed] == list(CODES)
    for code, explained in CODES.items():
        assert explained.exit_code in (1, 5, 6, 7), code
        for sentence in (explained.means, explained.proves, explained.advice):
            assert sentence.endswith("."), code


def test_one_code() -> None:
    done = run("explain", "equivocation")

    assert done.returncode == 0
    assert done.stdout.startswith(b"equivocation (exit code 6)\n  means:   There are two stories")
    assert run("explain", "attested").stdout.startswith(
        b"attested: Who played, the cards and the moves are"
    )
    assert run("explain", "equivocate").returncode == 2
    assert b"`phaseledger explain` lists all" in run("explain", "equivocate").stderr


# --- export ---------------------------------------------------------------------------------------


def test_a_bundle_from_a_file(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "made.bundle"
    done = run("export", good, "--bundle", "--out", path)

    assert done.returncode == 0
    assert b"no receipts (give --keys-dir for them) and no checkpoint" in done.stderr
    document = msgspec.json.decode(run("verify", path, "--json").stdout, type=Document)
    assert [judgement.conclusion for judgement in document.bundles] == ["sound"]


def test_a_bundle_with_receipts(good: Path, tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    key = keys.new(folder, ORIGIN).public
    trusted = tmp_path / "policy.toml"
    trusted.write_text(f'keys = ["{key}"]\nrequire = ["receipts"]\n')
    made = run("export", good, "--bundle", "--keys-dir", folder)

    assert b"receipts, but no checkpoint" in made.stderr
    assert run("verify", "-", "--policy", trusted, given=made.stdout).returncode == 0


def test_a_bundle_that_one_seat_may_see(tmp_path: Path) -> None:
    path = tmp_path / "running.ndjson"
    path.write_bytes(b"".join(GOOD.splitlines(keepends=True)[:40]))
    seat = run("export", path, "--bundle", "--seat", 1).stdout
    public = run("export", path, "--bundle").stdout

    assert b'"seat":1' in seat.splitlines()[0]
    assert b'{"opens"' in seat
    assert b'{"opens"' not in public
    assert run("export", path, "--bundle", "--public").stdout == public
    assert run("verify", "-", given=seat).returncode == 0


def test_what_cannot_be_bundled(tmp_path: Path, good: Path) -> None:
    torn = tmp_path / "torn.ndjson"
    torn.write_bytes(b"".join(GOOD.splitlines(keepends=True)[5:]))
    done = run("export", torn, "--bundle")

    assert (done.returncode, done.stdout) == (5, b"")
    assert b"cannot be bundled; audit it" in done.stderr
    assert run("export", good, "--bundle", "--keys-dir", tmp_path / "none").returncode == 2


def test_only_a_sound_game_is_signed(good: Path, tmp_path: Path) -> None:
    """Receipts bind the operator, so whoever makes them by hand is asked to audit first."""
    folder, edited = tmp_path / "keys", tmp_path / "edited.ndjson"
    keys.new(folder, ORIGIN)
    changed = GOOD.replace(b'"at":0,', b'"at":1,', 1)
    assert changed != GOOD
    edited.write_bytes(changed)
    done = run("export", edited, "--bundle", "--keys-dir", folder)

    assert (done.returncode, done.stdout) == (5, b"")
    assert b"is not sound, so no receipt is signed for it" in done.stderr
    assert b"phaseledger audit" in done.stderr
    assert run("export", edited, "--bundle").returncode == 0
    assert run("export", good, "--bundle", "--keys-dir", folder).returncode == 0


@looped(
    ("flags", "lines", "message"),
    [
        (["--bundle", "--seat", "9"], 40, "there is no seat 9"),
        (["--seat", "9"], 40, "there is no seat 9"),
        (["--bundle", "--seat", "9"], None, "there is no seat 9"),
        (["--bundle", "--seat", "0"], None, "The game is over"),
        (["--keys-dir", "x"], None, "--keys-dir is for --bundle"),
        (["--keys-dir", "x", "--public"], None, "--keys-dir is for --bundle"),
    ],
    ids=["no such seat", "of an export", "of a finished game", "over", "no bundle", "public"],
)
def test_flags_that_make_no_sense(
    tmp_path: Path, flags: list[str], lines: int | None, message: str
) -> None:
    path = tmp_path / "some.ndjson"
    path.write_bytes(b"".join(GOOD.splitlines(keepends=True)[:lines]))
    done = run("export", path, *flags)

    assert (done.returncode, done.stdout) == (2, b"")
    assert message.encode() in done.stderr


def test_a_variable_names_the_keys_of_bundles_alone(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys.new(tmp_path / "keys", ORIGIN)
    monkeypatch.setitem(ENVIRON, "PHASELEDGER_KEYS_DIR", str(tmp_path / "keys"))

    assert run("export", good).returncode == 0
    assert b"receipts, but no checkpoint" in run("export", good, "--bundle").stderr
