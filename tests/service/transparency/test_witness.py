"""`phaseledger witness` against the real service, and against a log that lies."""

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import BytesIO, StringIO, TextIOWrapper
from operator import eq
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest

from phaseledger.domain.evidence import merkle
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import COSIGNATURE, SigningKey, verifier_key
from phaseledger.service.cli.main import app
from phaseledger.service.transparency.publisher import PublicLog
from tests.support.children import finished
from tests.support.polling import eventually
from tests.support.service.api_tables import open_table
from tests.support.service.equivocating_log import OPERATOR, lying
from tests.support.service.memory_ledger import in_memory, in_memory_log
from tests.support.service.server import serving

ROOT = Path(__file__).parents[3]
Spoil = Callable[[Any], object]
"""What a lying log is made to show."""


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(folder: Path, *arguments: str) -> Done:
    """The command as the command line runs it, in this process."""
    out = TextIOWrapper(BytesIO(), encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(StringIO()) as err:
        code = app(
            ["witness", *arguments, "--state", str(folder)],
            exit_on_error=False,
            result_action="return_value",
        )
    out.seek(0)
    return Done(code, out.read(), err.getvalue())


def look(folder: Path, url: str, *more: str, key: SigningKey = OPERATOR) -> Done:
    return run(folder, url, "--once", "--json", "--log-key", str(key.public), *more)


def report(done: Done) -> dict:
    assert done.returncode == 0, done.stderr
    answer: dict = json.loads(done.stdout)
    return answer


def test_it_makes_its_key_and_prints_it(tmp_path: Path) -> None:
    first = run(tmp_path / "w", "--name", "witness.example")
    assert first.returncode == 0
    key = verifier_key(first.stdout.strip())
    assert (key.name, key.kind) == ("witness.example", COSIGNATURE)
    assert f"A key was made: {tmp_path / 'w' / 'key'}" in first.stderr
    assert stat.S_IMODE((tmp_path / "w" / "key").stat().st_mode) == 0o600
    second = run(tmp_path / "w", "--json")
    assert (json.loads(second.stdout), second.stderr) == ({"key": str(key)}, "")


def test_it_cosigns_what_goes_on_from_what_it_saw(tmp_path: Path) -> None:
    """On the real service, which shows the cosignature of the one witness that it takes."""
    own, other = tmp_path / "own", tmp_path / "other"
    keys = {folder: verifier_key(run(folder).stdout.strip()) for folder in (own, other)}
    parts = in_memory()
    operator = parts.keys.current
    log = in_memory_log(parts.store, parts.keys)
    parts = parts._replace(log=PublicLog(log.publisher, (keys[own],)))
    with serving(parts) as service, httpx2.Client(base_url=f"{service.url}/v1") as client:
        nothing = look(own, service.url, key=operator)
        assert (nothing.returncode, nothing.stdout) == (3, "")
        assert "no checkpoint yet" in nothing.stderr
        sizes, events = [0], 0
        for change in ("first", "grown", "grown"):
            events += open_table(client).version()
            size = eventually(lambda: _signed(client), partial(eq, events))
            answer = report(look(own, service.url, key=operator))
            assert (answer["found"], answer["taken"], answer["before"]) == (change, True, sizes[-1])
            sizes.append(answer["size"])
            assert answer["size"] == size
            shown = notes.note(client.get("/log/checkpoint").text)
            kept = notes.note((own / "checkpoint").read_text())
            assert notes.signed_by(kept, keys[own])
            assert notes.signed_by(kept, operator.public)
            assert notes.signed_by(shown, keys[own])
        same = report(look(own, service.url, key=operator))
        assert (same["found"], same["taken"]) == ("same", True)
        refused = look(other, service.url, key=operator)
        assert json.loads(refused.stdout)["taken"] is False
        assert "does not take the cosignature" in refused.stderr
        assert refused.returncode == 0
        assert notes.signed_by(notes.note((other / "checkpoint").read_text()), keys[other])


def _signed(client: httpx2.Client) -> int:
    answer = client.get("/log/checkpoint")
    return notes.checkpoint(notes.note(answer.text).text).size if answer.is_success else 0


LEAVES = [merkle.node_hash(b"", b"%d" % n) for n in range(20)]
FORKED = [*LEAVES[:5], merkle.EMPTY, *LEAVES[6:]]


@pytest.mark.parametrize(
    ("then", "size", "words"),
    [
        (FORKED, 10, "has two roots over 10 events"),
        (FORKED, 7, "went back from 10 events to 7, and cannot prove"),
        (FORKED, 20, "cannot prove that its 20 events begin with those 10"),
        (FORKED, 11, "cannot prove that its 11 events begin with those 10"),
    ],
    ids=["fork", "fork and back", "fork and on", "one more"],
)
def test_a_log_that_contradicts_itself_is_caught(
    tmp_path: Path, then: list[bytes], size: int, words: str
) -> None:
    with lying() as (log, url):
        log.show(LEAVES, 10)
        before = log.note
        assert report(look(tmp_path, url))["found"] == "first"
        cosigned, posts = (tmp_path / "checkpoint").read_bytes(), len(log.posted)
        log.show(then, size)
        for _ in range(2):  # it does not forget either
            caught = look(tmp_path, url)
            assert (caught.returncode, caught.stdout) == (1, "")
            assert words in caught.stderr
        assert (tmp_path / "checkpoint").read_bytes() == cosigned
        assert (tmp_path / "seen").read_bytes() == before
        assert len(log.posted) == posts
        kept = {path.suffix: path.read_bytes() for path in tmp_path.glob("contradiction-*")}
        assert (kept[".before"], kept[".after"]) == (before, log.note)
        assert (".proof" in kept) == (size != 10)
        log.show(LEAVES, 20)
        assert report(look(tmp_path, url))["found"] == "grown"


@pytest.mark.parametrize("size", [7, 1, 0])
def test_an_old_answer_is_no_contradiction(tmp_path: Path, size: int) -> None:
    """A cache may show it; nothing is signed or forgotten, and the witness goes on."""
    with lying() as (log, url):
        log.show(LEAVES, 10)
        report(look(tmp_path, url))
        kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        posts = len(log.posted)
        log.show(LEAVES, size)
        stale = report(look(tmp_path, url))
        assert (stale["found"], stale["size"], stale["before"]) == ("stale", size, 10)
        assert stale["taken"] is False
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept
        assert len(log.posted) == posts
        output = run(tmp_path, url, "--once", "--log-key", str(OPERATOR.public)).stdout
        assert "is older than the one over 10 known" in output
        log.show(LEAVES, 20)
        assert report(look(tmp_path, url))["before"] == 10


def test_an_old_answer_without_a_proof_is_told(tmp_path: Path) -> None:
    """As after a restore; as soon as the log grows up to what was known, it contradicts itself."""
    with lying() as (log, url):
        log.show(LEAVES, 10)
        report(look(tmp_path, url))
        log.show(LEAVES, 7)
        log.refusing = True
        done = look(tmp_path, url)
        assert (done.returncode, done.stdout) == (3, "")
        assert "does not prove that its 10 events go on from 7" in done.stderr
        log.show(FORKED, 10)
        assert look(tmp_path, url).returncode == 1


def test_what_is_read_anew_is_no_contradiction(tmp_path: Path) -> None:
    """A proof out of a cache; only what the log insists on is held against it."""
    with lying() as (log, url):
        log.show(LEAVES, 10)
        report(look(tmp_path, url))
        log.show(LEAVES, 12)
        log.once = json.dumps({"first": 10, "second": 12, "path": ["00" * 32]}).encode()
        assert report(look(tmp_path, url))["found"] == "grown"
        assert not list(tmp_path.glob("contradiction-*"))


def test_a_witness_that_forgot_its_cosignature_gives_it_again(tmp_path: Path) -> None:
    """It was killed, or the log was away, between what it wrote down and what it sent."""
    with lying() as (log, url):
        log.show(LEAVES, 10)
        report(look(tmp_path, url))
        (tmp_path / "checkpoint").unlink()
        log.posted.clear()
        assert report(look(tmp_path, url))["found"] == "same"
        (posted,) = log.posted
        note = notes.note(json.loads(posted)["note"])
        key = SigningKey.parse((tmp_path / "key").read_text()).public
        assert notes.signed_by(note, key)
        assert notes.checkpoint(note.text) == ("log.example", 10, merkle.root_of(LEAVES[:10]))


def shown(size: int = 12, **more: object) -> Spoil:
    return lambda log: log.show(LEAVES, size, **more)


def with_note(note: bytes) -> Spoil:
    return lambda log: setattr(log, "note", note)


def proved(proof: bytes) -> Spoil:
    return lambda log: (log.show(LEAVES, 12), setattr(log, "proof", proof))


NO_HELP = {
    "key": (shown(key=SigningKey.new("log.example")), 5, "no good signature"),
    "name": (shown(origin="other"), 2, "Another name is another log"),
    "no text": (with_note(b"\xff"), 5, "cannot be read"),
    "no note": (with_note(b"no note"), 5, "cannot be read"),
    "altered": (
        lambda log: setattr(log, "note", log.note.replace(b"\n10\n", b"\n12\n")),
        5,
        "no good sig",
    ),
    "long": (with_note(b"x" * 1_000_000), 5, "longer than"),
    "deep": (proved(b"[" * 9999), 5, "proof cannot"),
    "no proof": (proved(b"{}"), 5, "proof cannot be read"),
}


def test_what_is_no_help_is_told_and_changes_nothing(tmp_path: Path) -> None:
    with lying() as (log, url):
        log.show(LEAVES, 10)
        report(look(tmp_path, url))
        kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        for case, (spoil, code, words) in NO_HELP.items():
            log.show(LEAVES, 10)
            spoil(log)
            done = look(tmp_path, url)
            assert (done.returncode, done.stdout) == (code, ""), case
            assert words in done.stderr, case
            assert "Traceback" not in done.stderr
            assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept, case


KEY = f"--log-key={OPERATOR.public}"
SENSELESS = (
    (["http://127.0.0.1:1", "--once"], "--log-key"),
    (["127.0.0.1:1", KEY], "http://"),
    (["http://x", "--log-key", "nonsense"], "Ed25519 verifier key"),
    (["http://x", "--log-key", OPERATOR.text()], "entry 1: this is a private key"),
    (["--log-key", OPERATOR.text()], "entry 1: this is a private key"),
    (["http://x", KEY, KEY], "entry 2: this key stands there"),
    *(
        (["http://x", KEY, "--interval", seconds], "how often")
        for seconds in ("0", "nan", "inf", "1e9")
    ),
    *(
        ([url, "--once", KEY], "Say where the log is")
        for url in ("http://[::1", "http://", "http:///v1", "http://x:99999", "ftp://x")
    ),
    (["--key", "/dev/null"], "chmod 600"),
)


def test_a_command_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    for arguments, words in SENSELESS:
        done = run(tmp_path, *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert words in done.stderr
        assert "Traceback" not in done.stderr
        assert OPERATOR.text()[-40:] not in done.stderr


def test_a_log_that_is_away(tmp_path: Path) -> None:
    done = look(tmp_path, "http://127.0.0.1:1")
    assert done.returncode == 3
    assert "does not answer" in done.stderr


def test_a_memory_that_is_damaged_is_not_passed_over(tmp_path: Path) -> None:
    with lying() as (log, url):
        log.show(LEAVES, 10)
        report(look(tmp_path, url))
        (tmp_path / "seen").write_text("")
        done = look(tmp_path, url)
        assert done.returncode == 2
        assert "Restore it" in done.stderr


def test_two_witnesses_do_not_share_a_memory(tmp_path: Path) -> None:
    with lying() as (log, url):
        log.show(LEAVES, 10)
        command = [sys.executable, "-m", "phaseledger.service.cli.main", "witness", url]
        command += ["--interval", "0.1"]
        command += ["--log-key", str(OPERATOR.public), "--state", str(tmp_path)]
        first = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            eventually(lambda: log.posted or first.poll() is not None)
            assert first.poll() is None
            assert "another witness is at work" in look(tmp_path, url).stderr
            log.show(FORKED, 10)
            output, why = finished(first)
            assert first.returncode == 1
        finally:
            first.kill()
            first.wait()
        assert b"taken on trust, as the first" in output
        assert b"has two roots" in why


def test_the_operators_key_is_no_witness(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(OPERATOR.text())
    (tmp_path / "key").chmod(0o600)
    assert "needs a key of its own" in run(tmp_path).stderr
    (tmp_path / "key").chmod(0o640)
    assert "chmod 600" in run(tmp_path).stderr
