"""`phaseledger admin keys` as operators run it, and the key that `serve` makes."""

import os
import signal
import subprocess
from pathlib import Path

import httpx2
import msgspec
import pytest

from phaseledger.replay.formats.signing import keys
from phaseledger.replay.formats.signing.notes import verifier_key
from phaseledger.replay.formats.signing.receipts import Receipt, is_genuine
from tests.support import forked
from tests.support.children import finished
from tests.support.service.nodes import await_ready


def run(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    plain = {name: text for name, text in os.environ.items() if "PHASELEDGER" not in name}
    given = {**plain, "COLUMNS": "200", **variables}
    done = forked.phaseledger("admin", "keys", *arguments, env=given)
    assert "Traceback" not in done.stderr
    return done


def private_parts(folder: Path) -> list[str]:
    return [path.read_text().strip().split("+", 4)[4] for path in folder.glob("*.key")]


def test_new_show_retire(tmp_path: Path) -> None:
    """The whole life of a key; its private half is never printed."""
    folder = tmp_path / "keys"
    first = run("new", "--name", "games.example", "--keys-dir", folder)
    assert first.returncode == 0, first.stderr
    assert f"{folder} holds its private half" in first.stderr
    second = run("new", "--keys-dir", folder, "--json")
    answer = msgspec.json.decode(second.stdout)
    assert (answer["folder"], answer["id"]) == (str(folder), verifier_key(answer["key"]).id)
    secrets = private_parts(folder)

    shown = run("show", "--keys-dir", folder)
    assert shown.stdout.splitlines() == [
        f"older    {first.stdout.strip()}",
        f"current  {answer['key']}",
    ]
    old = verifier_key(first.stdout.strip())
    gone = run("retire", old.hash.hex(), "--keys-dir", folder)
    assert (gone.returncode, gone.stdout) == (0, first.stdout)
    listed = msgspec.json.decode(run("show", "--keys-dir", folder, "--json").stdout)
    assert [(key["id"], key["state"]) for key in listed["keys"]] == [
        (old.id, "retired"),
        (answer["id"], "current"),
    ]
    for printed in (first, second, shown, gone):
        assert not any(secret in printed.stdout + printed.stderr for secret in secrets)


def test_where_the_folder_is(tmp_path: Path) -> None:
    """The flag, the variables, or the data folder; a flag goes before a variable."""
    made = run("new", PHASELEDGER_KEYS_DIR=str(tmp_path / "a")).stdout
    assert f"current  {made}" == run("show", "--keys-dir", tmp_path / "a").stdout
    run("new", "--data-dir", tmp_path / "b", PHASELEDGER_PORT="9")
    assert len(keys.load(tmp_path / "b" / "keys").public) == 1
    shown = run("show", "--keys-dir", tmp_path / "a", PHASELEDGER_KEYS_DIR="/nowhere").stdout
    assert shown == f"current  {made}"
    misspelt = run("show", PHASELEDGER_KEY_DIR=str(tmp_path / "a"))
    assert "did you mean PHASELEDGER_KEYS_DIR?" in misspelt.stderr


MENDED = [
    (["show", "--keys-dir", "{folder}"], "`phaseledger admin keys new` makes one"),
    (["retire", "01234567", "--keys-dir", "{made}"], "no such key that could be retired"),
    (["retire", "{current}", "--keys-dir", "{made}"], "make a new one before it is retired"),
    (["new", "--name", "a b", "--keys-dir", "{folder}"], "is no name for a key"),
    (["new", "--keys-dir", "{made}/0001.txt/x"], "cannot be used"),
    (["retire"], "requires an argument"),
    (["shw"], 'Did you mean "show"?'),
]


def test_what_an_operator_can_mend(tmp_path: Path) -> None:
    """One sentence, and exit code 2."""
    current = keys.new(tmp_path / "made").public.id
    (tmp_path / "made" / "0001.txt").write_text("")
    given = {"folder": tmp_path / "none", "made": tmp_path / "made", "current": current}
    for arguments, words in MENDED:
        done = run(*[argument.format(**given) for argument in arguments])
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert words in done.stderr


# --- the first start ------------------------------------------------------------------------------


def _receipt(environment: dict[str, str], port: int) -> tuple[Receipt, str]:
    """What the first receipt of a service is, and what the service said."""
    process = forked.started("serve", "--port", port, env=environment, stderr=subprocess.PIPE)
    try:
        await_ready(process, port)
        body = {"ruleset": "classic", "seats": [{"kind": "person"}, {"kind": "bot"}]}
        opened = httpx2.post(f"http://127.0.0.1:{port}/v1/games", json=body, timeout=None).json()
    finally:
        process.send_signal(signal.SIGTERM)
        _, output = finished(process)
    assert process.returncode == 0, output.decode()
    return msgspec.convert(opened["receipt"], Receipt), output.decode()


@pytest.mark.system
def test_the_first_start_makes_a_key_and_says_where(
    postgres_dsn: str, empty_schema: str, tmp_path: Path, port: int
) -> None:
    """The second start uses it; after a rotation the new one signs."""
    folder = tmp_path / "made" / "keys"
    plain = {name: text for name, text in os.environ.items() if "PHASELEDGER" not in name}
    environment = {
        **plain,
        "PHASELEDGER_DATABASE_URL": postgres_dsn,
        "PHASELEDGER_SCHEMA": empty_schema,
        "PHASELEDGER_KEYS_DIR": str(folder),
    }
    first, output = _receipt(environment, port)
    only = keys.load(folder).current.public
    assert f"A key was made: {folder} holds {only.id}." in output
    assert is_genuine(first, only)

    second, output = _receipt(environment, port)
    assert "A key was made" not in output
    assert is_genuine(second, only)

    newer = keys.new(folder).public
    third, _ = _receipt(environment, port)
    assert (third.key, is_genuine(third, newer)) == (newer.id, True)
    assert not any(secret in output for secret in private_parts(folder))
