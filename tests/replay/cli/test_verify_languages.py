"""The verdict of `verify` in German and French."""

from pathlib import Path

import pytest

from tests.support.replay.bundles import good
from tests.support.replay.operator_games import OPERATOR, ORIGIN
from tests.support.replay.processes import run
from tests.support.replay.tampered_bundles import tampered

POLICY = f'origin = "{ORIGIN}"\nkeys = ["{OPERATOR.public}"]\nrequire = ["receipts", "finished"]\n'


@pytest.mark.parametrize(
    ("lang", "sound", "wrong", "damage", "unread"),
    [
        ("de", "EINWANDFREI, Stufe", "FALSCH: ", "das ist kein Bündel", "klärt nichts"),
        ("fr", "VALABLE, degré", "FAUX", "ce n'est pas un paquet", "ne règle rien"),
    ],
)
def test_a_verdict_in_another_language(
    tmp_path: Path, lang: str, sound: str, wrong: str, damage: str, unread: str
) -> None:
    (tmp_path / "good").write_bytes(b"".join(good()))
    (tmp_path / "bad").write_bytes(b"".join(tampered("a score")))
    (tmp_path / "other").write_bytes(b"{}")
    (tmp_path / "policy").write_text(POLICY)
    fine = run("verify", tmp_path / "good", "--policy", tmp_path / "policy", "--lang", lang)
    bad = run("verify", tmp_path / "bad", "--lang", lang)
    other = run("verify", tmp_path / "other", "--lang", lang)

    assert (fine.returncode, bad.returncode, other.returncode) == (0, 1, 5)
    assert fine.stdout.decode().startswith(sound)
    assert bad.stdout.decode().startswith(wrong)
    assert damage in other.stderr.decode()
    assert unread in other.stderr.decode()
