"""The commands: what they print and how they end, never with a traceback."""

import json
import re
from hashlib import shake_256
from pathlib import Path

import pytest

from phaseledger.replay.batch import inputs
from phaseledger.replay.cli.main import app
from phaseledger.replay.formats.records.source import StoreUnreachable
from tests.support.cases import looped
from tests.support.replay.log_edits import GAME, OTHER, encode, rechained, short_game, trees
from tests.support.replay.processes import BOTH, GOOD, run

CMD = re.compile(rb'"cmd":"[0-9a-f]{64}"')
NOISE = shake_256(b"garbage").digest(4096)


def in_the_middle(cmd: bytes) -> bytes:
    """The good game with another ``cmd`` in an event that a decision begins."""
    lines = GOOD.splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if i > 40 and b'"act":' in line)
    lines[place] = CMD.sub(cmd, lines[place])
    return b"".join(lines)


# --- audit ----------------------------------------------------------------------------------------


def test_audit_of_a_sound_file(good: Path) -> None:
    done = run("audit", good)

    assert done.returncode == 0
    assert done.stdout.startswith(f"sound  {GAME}  classic@1  finished  116 good events".encode())
    assert done.stderr == b"Games: 1 sound, 0 not sound.\n"


def test_audit_in_json(both: Path, tmp_path: Path) -> None:
    made = trees()
    made[20]["at"] = 2**53
    bad = tmp_path / "bad.ndjson"
    bad.write_bytes(b"".join(encode(tree) + b"\n" for tree in made))
    done = run("audit", both, bad, "--json")
    answer = json.loads(done.stdout)
    finding = answer["games"][2]["findings"][0]

    assert (done.returncode, done.stderr) == (1, b"")
    assert (answer["sound"], answer["damage"]) == (False, [])
    assert [game["sound"] for game in answer["games"]] == [True, True, False]
    assert (
        finding["code"], finding["game"], finding["seq"], finding["place"],
    ) == ("not_canonical", GAME, 21, 21)  # fmt: skip


def test_quiet_audit_names_only_what_is_not_sound(both: Path) -> None:
    assert run("audit", "--quiet", both).stdout == b""


def test_finding_in_words(tmp_path: Path) -> None:
    made = trees()
    seq = next(tree["seq"] for tree in made if tree["type"] == "PhaseLaid/1")
    made[seq - 1]["data"]["groups"][0]["low"] = 11
    bad = tmp_path / "bad.ndjson"
    bad.write_bytes(b"".join(encode(tree) + b"\n" for tree in rechained(made)))
    done = run("audit", bad)

    assert done.returncode == 1
    assert (
        f"NOT SOUND  {GAME}  classic@1  unfinished  {seq - 1} good events".encode() in done.stdout
    )
    assert f"  event {seq} ({bad}:{seq}): outcome_differs [C-P01]: ".encode() in done.stdout
    assert b"    expected: data.groups[0].low = " in done.stdout
    assert b"    recorded: data.groups[0].low = 11\n" in done.stdout


@looped(
    ("data", "code"),
    [
        pytest.param(b"", 5, id="empty"),
        pytest.param(GOOD[:-40], 5, id="cut line"),
        pytest.param(GOOD[: GOOD.rindex(b"\n", 0, -1) + 1], 1, id="cut command"),
        pytest.param(NOISE, 5, id="garbage"),
        pytest.param(b'{"game":' + b"[" * 100_000, 5, id="deep"),
        pytest.param(
            GOOD.replace(b'"data":{', b'"data":{"a":' + b"[" * 9999, 1), 5, id="deep event"
        ),
        pytest.param(GOOD.replace(b'"at":0', b'"at":' + b"9" * 4000), 1, id="huge number"),
        pytest.param(GOOD.replace(b'"seq":9,', b'"seq":' + b"9" * 4000 + b","), 1, id="huge seq"),
        pytest.param(GOOD.replace(b'"at":0', b'"at":0,"at":0'), 1, id="key twice"),
        pytest.param(GOOD.replace(b"CardHit", b"CardBit"), 0, id="nothing changed"),
        pytest.param(GOOD.replace(b"CardsHit", b"CardsBit"), 5, id="unknown type"),
        pytest.param(GOOD.replace(b'"seq":9,', b'"seq":90,'), 1, id="wrong number"),
        pytest.param(GOOD.replace(b'"v":1', b'"v":2'), 5, id="newer format"),
        pytest.param(CMD.sub(rb'"cmd":"\\u0000"', GOOD, count=1), 5, id="NUL in the first cmd"),
        pytest.param(CMD.sub(rb'"cmd":"a\\"b"', GOOD, count=1), 5, id="quote in the first cmd"),
        pytest.param(CMD.sub(rb'"cmd":"\\u0000"', GOOD), 5, id="NUL in every cmd"),
        pytest.param(in_the_middle(rb'"cmd":"\\u0000"'), 5, id="NUL in a cmd"),
        pytest.param(in_the_middle(rb'"cmd":"a\\"b"'), 5, id="quote in a cmd"),
    ],
)
def test_damaged_file(tmp_path: Path, data: bytes, code: int) -> None:
    path = tmp_path / "damaged.ndjson"
    path.write_bytes(data)

    assert code == run("audit", path).returncode
    assert code == run("replay", path).returncode


def test_damage_does_not_hide_other_files(good: Path, tmp_path: Path) -> None:
    done = run("audit", tmp_path / "none", good)

    assert done.returncode == 5
    assert done.stdout.startswith(b"sound")
    assert b"none: cannot be read: No such file or directory." in done.stderr


@looped("last", [b"{\n", b"[1]\n", short_game(OTHER, "other")[0][:-9]])
def test_damage_does_not_hide_games_before_it(tmp_path: Path, last: bytes) -> None:
    path = tmp_path / "bad.ndjson"
    path.write_bytes(GOOD + last)
    text, data = run("audit", path), run("audit", path, "--json")
    answer = json.loads(data.stdout)

    assert (text.returncode, data.returncode) == (5, 5)
    assert text.stdout.startswith(f"sound  {GAME} ".encode())
    assert b"Games: 1 sound, 0 not sound." in text.stderr
    assert [game["sound"] for game in answer["games"]] == [True]
    assert (answer["sound"], len(answer["damage"])) == (False, 1)


def test_damage_in_a_file_whose_name_is_no_text() -> None:
    done = run("audit", "--json", "/none/\udcff")

    assert done.returncode == 5
    assert "/none/\N{REPLACEMENT CHARACTER}" in json.loads(done.stdout)["damage"][0]


@looped(
    "command",
    [
        ["audit", "--all", "--json", "--jobs", "1"],
        ["rejudge", "--json", "--option", "skip_drawable=false"],
        ["report", "--jobs", "1"],
        ["viewer", "--json"],
    ],
    ids=lambda words: words[0],
)
def test_files_whose_names_are_no_text(command: list[str], tmp_path: Path) -> None:
    """Written in bytes that are no UTF-8; one of them is whole, the other damaged."""
    for name, content in (("whole-\udcff", GOOD), ("cut-\udcff", GOOD[:-40])):
        file = tmp_path / f"{name}.ndjson"
        file.write_bytes(content)
        done = run(*command, file)
        done.stdout.decode()

        assert done.returncode in (0, 1, 4, 5)
        assert b"Traceback" not in done.stderr


SUMS = [
    ["audit"],
    ["audit", "--all"],
    ["query", "SELECT 1"],
    ["rejudge", "--option", "skip_drawable=false"],
    ["report"],
    ["verify"],
]


@looped("command", SUMS, ids=" ".join)
@looped("name", ["good.ndjson", "sub/../good.ndjson", "link", "hard"])
def test_a_file_counts_once_by_whatever_names(command: list[str], name: str, good: Path) -> None:
    folder = good.parent
    if not (folder / "sub").exists():
        (folder / "sub").mkdir()
        (folder / "link").symlink_to(good)
        (folder / "hard").hardlink_to(good)
    done = run(*command, good, f"{folder}/{name}")

    assert (done.returncode, done.stdout) == (2, b"")
    assert f"{good} and {folder}/{name} are the same".encode() in done.stderr


@looped("command", [["audit", "--all"], ["rejudge", *SUMS[3][1:]], ["report"]])
def test_a_folder_counts_once_with_those_in_it(command: list[str], good: Path) -> None:
    (good.parent / "sub").mkdir(exist_ok=True)
    (good.parent / "sub" / "other.ndjson").write_bytes(BOTH)
    done = run(*command, good.parent, good.parent / "sub")

    assert (done.returncode, done.stdout) == (2, b"")


@looped("command", [["export"], ["report"], ["viewer"]], ids=str)
def test_what_is_read_is_not_written_over(command: list[str], good: Path) -> None:
    done = run(*command, good, "--out", f"{good.parent}/./{good.name}")

    assert (done.returncode, good.read_bytes()) == (2, GOOD)


def test_standard_input() -> None:
    done = run("audit", "-", given=GOOD)

    assert done.returncode == 0


# --- usage, store ---------------------------------------------------------------------------------


@looped(
    "arguments",
    [
        ["audit"],
        ["audit", "--jobs", "2", "x"],
        ["audit", "--nonsense"],
        ["replay"],
        ["replay", "FILE", "--at", "0"],
        ["replay", "FILE", "--at", "117"],
        ["replay", "FILE", "--at", "1" * 5000],
        ["replay", "FILE", "--seat", "2"],
        ["replay", "FILE", "--seat", "-1"],
        ["replay", "FILE", "--seat", "1", "--public"],
        ["replay", "FILE", "--step", "--json"],
        ["replay", "BOTH"],
        ["simulate", "--json"],
        ["simulate", "--games", "0"],
        ["simulate", "--seed", "\udcff"],
        ["simulate", "--ruleset", "chess"],
        ["simulate", "--players", "1" + "0" * 30],
        ["simulate", "--bots", "greedy,"],
        ["simulate", "--option", "run_wrap"],
        ["simulate", "--option", "run_wrap=maybe"],
    ],
    ids=" ".join,
)
def test_wrong_usage(
    arguments: list[str], good: Path, both: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [{"FILE": str(good), "BOTH": str(both)}.get(word, word) for word in arguments]
    with pytest.raises(SystemExit) as ended:
        app(given)
    captured = capsys.readouterr()

    assert ended.value.code == 2
    assert captured.err


def test_unknown_game(both: Path) -> None:
    assert run("replay", both, "--game", "9").returncode == 4
    assert run("export", both, "--game", GAME[:-1] + "1").returncode == 4


def test_no_store() -> None:
    done = run("audit", "--all")

    assert done.returncode == 3
    assert b"No store is named" in done.stderr


def test_store_out_of_reach(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        app(["audit", "--all", "--database-url", "postgresql://127.0.0.1:1/none"])

    assert ended.value.code == 3
    assert "The store cannot be read" in capsys.readouterr().err


@looped(
    "url",
    [
        "nonsense",
        "postgresql://\0",
        "postgresql://me:pass word@127.0.0.1/log",
        "postgresql://me:pass%word@127.0.0.1/log",
        "postgresql://me:pass/word@127.0.0.1/log",
        "postgresql://me:pass\udcffword@127.0.0.1/log",
    ],
)
def test_malformed_url_is_not_quoted(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        app(["audit", "--all", "--database-url", url])

    assert ended.value.code == 3
    assert capsys.readouterr().err == "The database URL cannot be read.\n"


def test_default_store(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def nowhere(folder: Path | None) -> None:
        raise StoreUnreachable(f"There is no server in {folder}.")

    monkeypatch.setattr(inputs, "default_dsn", nowhere)
    with pytest.raises(SystemExit) as ended:
        app(["replay", GAME, "--data-dir", "here"])

    assert ended.value.code == 3
    assert capsys.readouterr().err == "There is no server in here.\n"


# --- replay, export -------------------------------------------------------------------------------


def test_replay(good: Path) -> None:
    done = run("replay", good)

    assert done.returncode == 0
    assert (Path(__file__).parents[1] / "transcript" / "transcript.txt").read_bytes() == done.stdout


def test_replay_of_one_game_of_several(both: Path) -> None:
    by_place, by_id = run("replay", both, "--game", 2), run("replay", both, "--game", OTHER)

    assert by_place.returncode == 0
    assert by_place.stdout == by_id.stdout


def test_replay_in_json(good: Path) -> None:
    answer = json.loads(run("replay", good, "--json", "--public").stdout)

    assert len(answer["events"]) == 116
    assert {"seq", "type", "text", "more"} == set(answer["events"][0])
    assert answer["verdict"]["sound"]


def test_table_in_json(good: Path) -> None:
    whole, own = (json.loads(run("replay", good, "--json", "--at", 40, *more).stdout)["table"]
                 for more in ([], ["--seat", 1]))  # fmt: skip

    assert whole["hands"][1] == own["hand"]
    assert "hands" not in own
    assert own["you"] == 1


def test_replay_stops_at_the_first_bad_event(tmp_path: Path) -> None:
    path = tmp_path / "bad.ndjson"
    path.write_bytes(GOOD.replace(b'"seq":30,', b'"seq":31,', 1))
    done = run("replay", path)

    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith(b"   29  ")
    assert b"event 30" in done.stderr


def test_step_through(good: Path) -> None:
    done = run("replay", good, "--step", "--at", 8, given=b"\n\nb\n999\n\n")
    numbered = [line for line in done.stdout.splitlines() if line[:5].strip().isdigit()]
    shown = [line.split()[0] for line in numbered if line[5:7] == b"  "]

    assert done.returncode == 0
    assert shown == [b"8", b"9", b"10", b"9", b"116"]


@looped("form", [[], ["--public"], ["--seat", "1"]], ids=" ".join)
def test_export(both: Path, tmp_path: Path, form: list[str]) -> None:
    out = tmp_path / "out.ndjson"
    done = run("export", both, "--game", 1, "--out", out, *form)

    assert (done.returncode, done.stdout) == (0, b"")
    assert (b"nothing of it is sealed" in done.stderr, done.stderr != b"") == (bool(form),) * 2
    assert (out.read_bytes() == GOOD) == (not form)
    assert run("audit", out).returncode == 0


def test_export_of_a_game_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "half.ndjson"
    path.write_bytes(b"".join(GOOD.splitlines(keepends=True)[:8]))
    stored, public = run("export", path), run("export", path, "--public")

    assert b"every hidden card" in stored.stderr
    assert path.read_bytes() == stored.stdout
    assert public.stderr == b""
    assert b'"hidden"' not in public.stdout
    assert run("audit", "-", given=public.stdout).returncode == 5


def test_export_of_damaged_records(tmp_path: Path) -> None:
    path = tmp_path / "bad.ndjson"
    path.write_bytes(GOOD.split(b"\n")[1] + b"\n" + b'{"game":"x","type":"y"}\n')

    assert run("export", path, "--public").returncode == 5
