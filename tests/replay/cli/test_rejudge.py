"""`rejudge` as a command: files, folders and the real store, in words and as JSON."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.domain.commands import Lay
from phaseledger.domain.options import OptionValue
from tests.support.cases import looped
from tests.support.replay.log_edits import GAME, encode, rechained, short_game, trees
from tests.support.replay.processes import run
from tests.support.replay.rejudged_games import thrown_back
from tests.support.scenario import play_random, records

Options = dict[str, OptionValue]
SHORT: Options = {"variant": "n_phases(1)"}


def _file(path: Path, *games: Sequence[bytes]) -> Path:
    path.write_bytes(b"".join(line + b"\n" for game in games for line in game))
    return path


def _rejudged(*arguments: object) -> CompletedProcess[bytes]:
    """The command without processes beside it."""
    return run("rejudge", *arguments, "--jobs", 1)


def _unsound() -> list[bytes]:
    made = trees()
    made[30]["at"] = 5
    return [encode(tree) for tree in rechained(made)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(5):
        game = str(UUID(int=50 + number))
        _, events = play_random(game, 2, f"re {number}", SHORT)
        _file(tmp_path / f"{number}.ndjson", [entry.stored for entry in records(events)])
    return tmp_path


def test_the_same_on_any_number_of_processes(folder: Path) -> None:
    option = ["--option", "discard_taken_card=false"]
    alone, shared = (run("rejudge", folder, *option, "--jobs", count) for count in (1, 2))

    assert (alone.returncode, shared.returncode) == (1, 1)
    assert alone.stdout
    assert alone.stdout == shared.stdout
    assert alone.stderr == shared.stderr
    assert b"Games: 5, of which " in alone.stderr


def test_lines_of_json(folder: Path) -> None:
    done = _rejudged(folder, "--option", "variant=n_phases(2)", "--json")
    answer = [json.loads(line) for line in done.stdout.splitlines()]

    assert [line["game"] for line in answer] == [str(UUID(int=50 + number)) for number in range(5)]
    assert {line["ends"] for line in answer} == {"later"}
    assert answer[0]["difference"]["recorded"]["type"] == "GameEnded"
    assert answer[0]["source"] == str(folder / "0.ndjson")
    assert b"0 end earlier, 5 go on longer than recorded" in done.stderr


def test_in_words(folder: Path) -> None:
    seq = thrown_back(play_random(str(UUID(int=50)), 2, "re 0", SHORT)[1])
    refused = _rejudged(folder / "0.ndjson", "--option", "discard_taken_card=false").stdout
    later = _rejudged(folder / "0.ndjson", "--option", "variant=n_phases(2)").stdout

    assert seq > 0
    assert refused.startswith(f"DIFFERS  {UUID(int=50)}  classic@1  from event {seq}  (".encode())
    assert f"  event {seq} becomes illegal [C-17]: taken_card\n".encode() in refused
    assert b": type=discard cards=" in refused
    assert b"    recorded: GameEnded\n    rejudged: RoundDealt\n" in later
    assert re.search(
        rb"recorded: won by seat [01] after event \d+, round 1; points \d+ \d+\n", later
    )
    assert re.search(rb"rejudged: playing after event \d+, round 2; points \d+ \d+\n", later)


def test_a_refused_lay_has_its_groups_as_a_list_also_after_a_break(tmp_path: Path) -> None:
    game = str(UUID(int=50))
    _, events = play_random(game, 2, "re 0", SHORT, "greedy")
    path = _file(tmp_path / "0.ndjson", [entry.stored for entry in records(events)])
    seq, laid = next(
        (number, event.act)
        for number, event in enumerate(events, 1)
        if event.act and isinstance(event.act.command, Lay)
    )
    assert isinstance(laid.command, Lay)
    groups = [{"cards": group.cards} for group in laid.command.groups]
    arguments = [path, "--option", "variant=even_phases"]
    done = _rejudged(*arguments)
    data = json.loads(_rejudged(*arguments, "--json").stdout)

    assert len(groups) == 2
    assert (data["refusal"]["seq"], data["refusal"]["command"]) == (
        seq, {"type": "lay", "groups": groups},
    )  # fmt: skip
    lines = done.stdout.decode().splitlines()
    assert f"    decided by seat {laid.seat}: type=lay groups={groups}" in lines


def test_nothing_differs(folder: Path) -> None:
    done = _rejudged(folder, "--option", "variant=n_phases(1)", "--option", "run_wrap=false")

    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"Games: 5, of which 0 would differ.\n"


def test_what_is_not_sound_is_not_rejudged(tmp_path: Path) -> None:
    path = _file(tmp_path / "games.ndjson", _unsound(), short_game(str(UUID(int=9)), "nine"))
    option = ["--option", "max_turns_per_round=1"]
    done, data = _rejudged(path, *option), _rejudged(path, *option, "--json")
    bad, good = (json.loads(line) for line in data.stdout.splitlines())
    finding = json.loads(run("audit", "--all", path, "--jobs", 1).stdout)

    assert (done.returncode, data.returncode) == (5, 5)
    assert done.stdout.startswith(f"NOT SOUND  {GAME}  ({path})  event {finding['seq']}: ".encode())
    assert b"Not sound, and so not rejudged: 1" in done.stderr
    assert (bad["unsound"]["seq"], "seq" in bad) == (finding["seq"], False)
    assert good["game"] == str(UUID(int=9))


def test_a_file_that_breaks_off_stops_no_other(folder: Path) -> None:
    (folder / "0.ndjson").write_bytes((folder / "0.ndjson").read_bytes()[:-20])
    done = _rejudged(folder, "--option", "variant=n_phases(2)", "--json")
    answer = [json.loads(line) for line in done.stdout.splitlines()]

    assert done.returncode == 5
    assert (answer[0]["code"], len(answer)) == ("damaged", 5)


@looped(
    ("option", "says"),
    [
        ("wild_min_scope=all", "option wild_min_scope: Invalid enum value 'all'; it takes group,"),
        ("nonsense=1", "'nonsense' is no option of this rule set; it has: "),
        ("board_phases=set(3)", "option board_phases: "),
        ("max_turns_per_round=0", "option max_turns_per_round: "),
        ("wild_min_scope", "--option wild_min_scope: write name=value."),
    ],
)
def test_options_that_make_no_game(folder: Path, option: str, says: str) -> None:
    """As POST /v1/games refuses them."""
    done = run("rejudge", folder, "--option", option)

    assert (done.returncode, done.stdout) == (2, b"")
    assert says in done.stderr.decode()


@looped(
    "arguments",
    [
        ["rejudge", "x.ndjson"],
        ["rejudge", "--option", "run_wrap=true"],
        ["rejudge", "--all", "x.ndjson", "--option", "run_wrap=true"],
        ["rejudge", "x.ndjson", "--option", "run_wrap=true", "--jobs", "0"],
        ["rejudge", "-", "--option", "run_wrap=true"],
    ],
)
def test_usage(arguments: list[str]) -> None:
    done = run(*arguments)

    assert (done.returncode, done.stdout) == (2, b"")


@pytest.fixture
def log(postgres_dsn: str, fresh_schema: str) -> list[str]:
    """A store with three games, as the command's options."""
    table = SQL("{}.stored_events").format(Identifier(fresh_schema))
    with psycopg.connect(postgres_dsn) as conn:
        for number in range(3):
            game = UUID(int=60 + number)
            _, events = play_random(str(game), 2, f"re {number}", SHORT)
            conn.cursor().executemany(
                SQL(
                    "INSERT INTO {} (originator_id, originator_version, topic, state) "
                    "VALUES (%s, %s, %s, %s)"
                ).format(table),
                [(game, record.seq, record.topic, record.stored) for record in records(events)],
            )
    return ["--database-url", postgres_dsn, "--schema", fresh_schema]


@looped("jobs", [1, 2])
def test_store(log: list[str], jobs: int) -> None:
    option = ["--option", "variant=n_phases(2)", "--json", *log]
    every = run("rejudge", "--all", *option, "--jobs", jobs)
    single = _rejudged(UUID(int=61), *option)
    none = _rejudged(UUID(int=99), *option)

    assert (every.returncode, single.returncode, none.returncode) == (1, 1, 4)
    assert len(every.stdout.splitlines()) == 3
    assert single.stdout in every.stdout
    assert json.loads(single.stdout)["game"] == str(UUID(int=61))
