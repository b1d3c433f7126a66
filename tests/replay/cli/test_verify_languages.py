"""The verdict of `verify` in German and French."""

from pathlib import Path

from tests.support.cases import looped
from tests.support.replay.bundles import good, good_files
from tests.support.replay.operator_games import OPERATOR, ORIGIN
from tests.support.replay.processes import run
from tests.support.replay.tampered_bundles import tampered
from tests.support.replay.two_stories import story_bundle

POLICY = f'origin = "{ORIGIN}"\nkeys = ["{OPERATOR.public}"]\nrequire = ["receipts", "finished"]\n'


@looped(
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


@looped(
    ("lang", "stories", "event"),
    [("de", "ZWEI GESCHICHTEN", " hat dort: "), ("fr", "DEUX HISTOIRES", " a là\xa0: ")],
)
def test_where_stories_part_in_another_language(
    tmp_path: Path, lang: str, stories: str, event: str
) -> None:
    """Of a few bundles and of many, which others than this process may verify."""
    for name, is_other in (("hers", False), ("his", True)):
        (tmp_path / name).write_bytes(story_bundle(other_move=is_other))
    others = good_files(tmp_path, 7)
    two = [tmp_path / "hers", tmp_path / "his"]
    few = run("verify", *two, "--lang", lang).stdout.decode().splitlines()
    many = run("verify", *two, *others, "--jobs", 1, "--lang", lang)
    parting = few[: next(n for n, line in enumerate(few) if "--policy" in line)]

    assert parting[0].startswith(stories)
    assert sum(event in line for line in parting) == 2
    assert many.stdout.decode().splitlines()[: len(parting)] == parting


@looped(
    ("lang", "none", "other"),
    [
        ("de", "es steht keine Quittung darin", "das ist keine Datei mit Quittungen"),
        ("fr", "il ne contient aucun reçu", "ce n'est pas un fichier de reçus"),
    ],
)
def test_what_is_no_receipt_in_another_language(
    tmp_path: Path, lang: str, none: str, other: str
) -> None:
    """Beside few bundles and beside many."""
    (tmp_path / "empty").write_bytes(b"")
    for count in (1, 9):
        *bundles, bundle = good_files(tmp_path, count + 1)
        for receipts, words in ((tmp_path / "empty", none), (bundle, other)):
            done = run("verify", *bundles, "--receipt", receipts, "--lang", lang)
            assert (done.returncode, done.stdout) == (5, b"")
            assert words in done.stderr.decode()
