"""`verify --about` and `--event`: who vouches for a move, asked on the command line."""

from pathlib import Path

import msgspec
import pytest

from phaseledger.replay.evidence.verify.evidence import Document
from tests.support.cases import looped
from tests.support.replay.bundles import good
from tests.support.replay.processes import run


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "game.bundle"
    path.write_bytes(b"".join(good()))
    return path


def test_the_verdict_comes_first_and_then_the_answer(bundle: Path) -> None:
    done = run("verify", bundle, "--about", "turn 7")
    lines = done.stdout.decode().splitlines()

    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0].startswith("SOUND, grade consistent: ")
    assert '  asked: "turn 7"' in lines
    assert """       28  "Seat 1"'s discard in turn 7: "Seat 1" discards red 12""" in lines
    assert not any("checked:" in line for line in lines)
    assert any(line.startswith("    vouched for by the player: signed with the") for line in lines)
    assert run("verify", bundle, "--about", "turn 7", "--quiet").stdout == done.stdout


def test_an_event_by_its_number_for_programs(bundle: Path) -> None:
    done = run("verify", bundle, "--event", 28, "--json")
    (judgement,) = msgspec.json.decode(done.stdout, type=Document).bundles

    (answer,) = judgement.answers
    assert (judgement.question, answer.first, answer.last) == ("event 28", 28, 29)
    assert [event.seq for event in answer.events] == [28]


@looped(
    ("lang", "question", "asked", "event", "voucher"),
    [
        (
            *("de", "Zug 7", '  gefragt: "Zug 7"'),
            """       28  das Ablegen von "Seat 1" in Zug 7: "Seat 1" legt rote 12 ab""",
            "    dafür bürgt der Spieler: mit dem Schlüssel von ",
        ),
        (
            *("fr", "tour 7", '  demandé\xa0: "tour 7"'),
            (
                """       28  la défausse de "Seat 1" au tour 7\xa0: """
                """"Seat 1" se défausse de 12 rouge"""
            ),
            "    s'en porte garant le joueur\xa0: signé avec la clé de ",
        ),
    ],
)
def test_an_answer_in_another_language(
    bundle: Path, lang: str, question: str, asked: str, event: str, voucher: str
) -> None:
    done = run("verify", bundle, "--about", question, "--lang", lang)
    lines = done.stdout.decode().splitlines()

    assert (done.returncode, done.stderr) == (0, b"")
    assert asked in lines
    assert event in lines
    assert any(line.startswith(voucher) for line in lines)
    english = run("verify", bundle, "--about", "turn 7", "--json").stdout
    spoken = run("verify", bundle, "--about", "turn 7", "--json", "--lang", lang).stdout
    assert spoken == english
    refused = run("verify", bundle, "--about", "Mallory", "--lang", lang)
    assert refused.returncode == 2
    assert question.partition(" ")[0] in refused.stderr.decode()


@looped(
    ("arguments", "sentence"),
    [
        (["--event", "82"], 'nothing in this game is "event 82". It has events 1 to 81'),
        (["--event", "-1"], "Ask about something such as"),
        (["--about", "turn 99"], "turns are counted through the whole game"),
        (["--about", "Mallory"], 'nobody called "Mallory" sat at this table'),
        (["--about", ""], "Ask about something such as"),
        (["--about", "turn 7", "--event", "28"], "Ask by --about or by --event"),
    ],
)
def test_what_cannot_be_asked(bundle: Path, arguments: list[str], sentence: str) -> None:
    done = run("verify", bundle, *arguments)

    assert (done.returncode, done.stdout) == (2, b"")
    assert sentence in done.stderr.decode()
