"""Many bundles verified on several cores: the judgements are those of one process."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.evidence.verify.batch import DamagedFile, Kept, partings_of, verify_all
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import read_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.cases import looped
from tests.support.replay.bundles import PLANS, game, good, good_files, of_kind
from tests.support.replay.logged_bundles import OTHERS, logged, other_game
from tests.support.replay.operator_games import (
    OPERATOR,
    ORIGIN,
    STRANGER,
    WITNESS,
    bundled,
    leaves_of,
    played,
    whole_commands,
)
from tests.support.replay.processes import run
from tests.support.replay.sealed_forgeries import forged, score

POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,), 1)
RECEIPTS = tuple(
    KeptReceipt("mine", number, Receipt(**receipt))
    for number, receipt in enumerate(of_kind(good(), "receipt")[4:7], 1)
)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Games of their own logs, two of one game, one forged, and forks of one log."""
    folder = tmp_path_factory.mktemp("bundles")
    another = played(replace(PLANS["classic"], server="another"))
    unpublished = played(replace(PLANS["classic"], seed="unpublished"))
    bundles: dict[str, Sequence[bytes]] = {
        "classic": good(),
        "running": bundled(whole_commands(game("classic"), 80)),
        "another story": bundled(another),
        "stranger": bundled(game("board"), key=STRANGER),
        "board": good("board"),
        "no checkpoint": list(bundle_lines(unpublished, keys=[OPERATOR.public], signer=OPERATOR)),
        "forged": bundled(forged(score), key=STRANGER),
    }
    for name, lines in bundles.items():
        (folder / name).write_bytes(b"".join(lines))
    (folder / "damaged").write_bytes(good()[0])
    (folder / "none").write_bytes(b"no bundle\n")
    (folder / "deep").write_bytes(b'{"bundle":{"game":' + b"[" * 100_000 + b"\n")
    return [str(folder / name) for name in [*bundles, "damaged", "none", "deep", "missing"]]


def test_the_same_as_in_one_process(names: list[str]) -> None:
    readable = names[:-4]
    examined = verify([read_bundle(name) for name in readable], POLICY, RECEIPTS)
    expected = [judgement for _, judgement in examined]
    assert len({judgement.conclusion for judgement in expected}) > 2
    codes = {problem.code for judgement in expected for problem in judgement.problems}
    assert {"equivocation", "forked_log"} <= codes
    for jobs in (1, 2):
        judgements, damage, stories = verify_all(readable, Kept(POLICY, RECEIPTS), Workers(jobs))
        assert (judgements, damage) == (expected, [])
        assert stories == partings_of(examined, RECEIPTS) != []


def test_a_file_that_is_named_twice(names: list[str]) -> None:
    files = [names[0], names[0]]
    expected = verify([read_bundle(name) for name in files])
    judgements, *_ = verify_all(files, Kept(), Workers(1))
    assert judgements == [judgement for _, judgement in expected]


def test_forks_alone_are_verified_together(names: list[str]) -> None:
    """Two games whose bundles are sound by themselves."""
    first, second = names[0], names[4]
    for name in (first, second):
        ((alone,), *_) = verify_all([name], Kept(), Workers(1))
        assert alone.problems == ()
    judgements, *_ = verify_all([first, second], Kept(), Workers(1))
    assert [[problem.code for problem in judgement.problems] for judgement in judgements] == [
        ["forked_log"],
        ["forked_log"],
    ]


def test_the_order_of_files_changes_nothing(tmp_path: Path) -> None:
    """Two games whose bundles agree on the log, and one that contradicts both."""
    mine, its, third = (
        leaves_of(stored) for stored in (game("classic"), other_game(), game("board"))
    )
    fork = [*reversed(OTHERS), *mine, *its, *third]
    log = [*OTHERS, *mine, *its, *third]
    bundles = (logged(game("classic"), log), logged(other_game(), log), logged(game("board"), fork))
    files = [str(tmp_path / str(number)) for number in range(3)]
    for file, lines in zip(files, bundles, strict=True):
        Path(file).write_bytes(b"".join(lines))
    for order in (files, files[::-1]):
        expected = verify([read_bundle(name) for name in order])
        judgements, *_ = verify_all(order, Kept(), Workers(1))
        assert judgements == [judgement for _, judgement in expected]
        assert all(judgement.problems for judgement in judgements)


def test_what_is_no_bundle_is_told_in_order(names: list[str]) -> None:
    judgements, damage, _ = verify_all([*names[-4:], names[0]], Kept(None, RECEIPTS), Workers(2))
    assert [judgement.source for judgement in judgements] == [names[0]]
    assert all(isinstance(file, DamagedFile) and file.exit_code == 5 for file in damage)
    assert [file.sentence.partition(":")[0] for file in damage] == names[-4:]


def test_a_receipt_of_no_game_here(names: list[str]) -> None:
    with pytest.raises(UnknownGame, match="mine:1: the receipt is of another game"):
        verify_all([names[4]], Kept(None, RECEIPTS), Workers(1))


@looped(
    ("words", "files", "sentence"),
    [
        (["--jobs", "2"], 2, "--jobs and --cluster are for more than 8 bundles"),
        (["--jobs", "2", "--report", "report.html"], 2, "are for more than 8 bundles"),
        (["--jobs", "0"], 9, "--jobs counts from 1"),
    ],
)
def test_jobs_where_there_is_nothing_to_share(
    words: list[str], files: int, sentence: str, tmp_path: Path
) -> None:
    done = run("verify", *good_files(tmp_path, files), *words)
    assert done.returncode == 2
    assert sentence in done.stderr.decode()


def test_pipes_are_read_once(names: list[str], tmp_path: Path) -> None:
    """By this process alone, however many files there are beside."""
    files = [*map(str, good_files(tmp_path, 9)), "-"]
    whole = Path(names[4]).read_bytes()
    done = run("verify", *files, "--json", given=whole)
    document = msgspec.json.decode(done.stdout)
    assert [bundle["source"] for bundle in document["bundles"]] == files
    refused = run("verify", *files, "--jobs", "2", given=whole)
    assert refused.returncode == 2
    assert "and no pipe" in refused.stderr.decode()
