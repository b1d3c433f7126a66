"""`audit` in German and French: games one by one, the sum of many, files that cannot be read."""

import re
from hashlib import shake_256
from pathlib import Path

import pytest

from phaseledger.replay.formats.records.findings import meaning
from tests.support.cases import looped
from tests.support.replay.log_edits import GAME, encode, rechained, trees
from tests.support.replay.processes import GOOD, run

ENGLISH = re.compile(
    r"\b(?:the|of|is|are|were|have|not|with|nobody|seats?|events?|games?|files?|its|that|by)\b"
)
SOUND = {
    "de": f"einwandfrei  {GAME}  classic@1  zu Ende  116 gute Ereignisse  letzter Hash ",
    "fr": f"valable  {GAME}  classic@1  terminée  116 bons événements  dernier hachage ",
}
SUMS = {
    "de": (
        "Spiele: 1 einwandfrei, 0 nicht einwandfrei.\n",
        "Spiele: 1 einwandfrei (davon ohne Ende: 0), 0 nicht einwandfrei.\nEreignisse: 116 in ",
    ),
    "fr": (
        "Parties valables\xa0: 1\xa0; non valables\xa0: 0.\n",
        "Parties valables\xa0: 1 (dont sans fin\xa0: 0)\xa0; non valables\xa0: 0.\nÉvénements",
    ),
}


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.ndjson"
    path.write_bytes(GOOD)
    return path


def changed() -> bytes:
    """A game whose first phase is laid as another run."""
    made = trees()
    laid = next(tree for tree in made if tree["type"] == "PhaseLaid/1")
    laid["data"]["groups"][0]["low"] = 11
    return b"".join(encode(tree) + b"\n" for tree in rechained(made))


@looped("lang", SOUND)
def test_a_sound_game(good: Path, lang: str) -> None:
    single, many = run("audit", good, "--lang", lang), run("audit", "--all", good, "--lang", lang)
    alone, summed = SUMS[lang]

    assert (single.returncode, many.returncode, many.stdout) == (0, 0, b"")
    assert single.stdout.decode().startswith(SOUND[lang])
    assert single.stderr.decode() == alone
    assert many.stderr.decode().startswith(summed)


@looped("lang", SOUND)
@looped(
    "data",
    [
        pytest.param(changed(), id="another outcome"),
        pytest.param(b"", id="empty"),
        pytest.param(GOOD[:-40], id="cut line"),
        pytest.param(GOOD[: GOOD.rindex(b"\n", 0, -1) + 1], id="cut command"),
        pytest.param(shake_256(b"garbage").digest(4096), id="garbage"),
        pytest.param(GOOD.replace(b"CardsHit", b"CardsBit"), id="unknown type"),
        pytest.param(GOOD.replace(b'"seq":9,', b'"seq":90,'), id="wrong number"),
        pytest.param(GOOD.replace(b'"v":1', b'"v":2'), id="newer format"),
    ],
)
def test_what_is_wrong(tmp_path: Path, data: bytes, lang: str) -> None:
    """Only codes, fields and names of files are left of the English."""
    path = tmp_path / "bad.ndjson"
    path.write_bytes(data)
    english, done = run("audit", path), run("audit", path, "--lang", lang)
    spoken = re.sub(r"/\S+|\S+_\S+|\bdata\.\S+", "", (done.stdout + done.stderr).decode())

    assert done.returncode == english.returncode != 0
    assert done.stdout.count(b"\n") == english.stdout.count(b"\n")
    assert ENGLISH.findall(spoken) == []


@looped("lang", SOUND)
def test_programs_read_english(tmp_path: Path, lang: str) -> None:
    path = tmp_path / "bad.ndjson"
    path.write_bytes(changed())
    for options in (["--json"], ["--all"]):
        english = run("audit", *options, path)
        assert run("audit", *options, path, "--lang", lang).stdout == english.stdout
    assert meaning("outcome_differs").encode() in english.stdout
