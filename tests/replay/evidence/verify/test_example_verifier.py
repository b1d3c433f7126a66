"""`examples/verifier.py`, written from the documents alone, comes to the verdicts of `verify`."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.replay import bundle_variety, clocked_games
from tests.support.replay.bundle_edits import EDITS
from tests.support.replay.forgery_corpus import mutated
from tests.support.replay.growing_logs import EARLIER, bundle, misled
from tests.support.replay.hostile_files import FILES
from tests.support.replay.line_mutation_table import LINES
from tests.support.replay.noncanonical_bundles import MISSPELT
from tests.support.replay.operator_forgeries import FORGERIES, linked
from tests.support.replay.operator_games import Plan, bundled, plan, played, whole_commands
from tests.support.replay.tampering_tools import apart, events, judged, tampered, written

SHORT = {"max_turns_per_round": 8, "variant": "n_phases(1)"}
EXAMPLES = Path(__file__).parents[4] / "examples"


@pytest.fixture(scope="module")
def verifier() -> Iterator[Any]:
    """The example as a module."""
    sys.path.insert(0, str(EXAMPLES))
    yield importlib.import_module("verifier")
    sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="module")
def code(verifier: Any) -> Callable[[bytes], int]:
    """What the example's verdict on a file would be worth as an exit code."""
    description = verifier.described(verifier.OPENAPI)

    def code_of(content: bytes) -> int:
        try:
            verifier.judge(content, description)
        except (verifier.Damaged, verifier.Wrong, verifier.Untrue) as failure:
            return {"Damaged": 5, "Wrong": 1, "Untrue": 6}[type(failure).__name__]
        return 0

    return code_of


def content_of(lines: list[bytes]) -> bytes:
    return b"".join(line.removesuffix(b"\n") + b"\n" for line in lines)


def half(number: int, viewer: int | None) -> list[bytes]:
    """The bundle of a game that goes on."""
    events = played(plan(number, seed="stranger", longest=80))
    return bundled(whole_commands(events, len(events) // 2), viewer=viewer)


NAMED = Plan("classic", 3, "named", SHORT, bringing=(0, 1, 2), guests=(0, 1, 2))
GOOD: dict[str, Callable[[], bytes]] = {
    **{name: lambda name=name: bundle_variety.bundle(name) for name in bundle_variety.GAMES},
    "guests who become players": lambda: content_of(bundled(played(NAMED))),
    "watched": lambda: content_of(half(9, None)),
    "seat 1": lambda: content_of(half(12, 1)),
    "seat 1 of a board": lambda: content_of(half(14, 1)),
}
"""Whole games of every rule set, and running ones as a spectator and a seat have them."""


@looped("name", GOOD)
def test_a_good_bundle(name: str, code: Callable[[bytes], int]) -> None:
    assert code(GOOD[name]()) == 0


@looped("table", [clocked_games.HONEST, clocked_games.RUNNING, clocked_games.VOIDED])
def test_games_by_the_clock(table: dict[str, Any], code: Callable[[bytes], int]) -> None:
    for name, made in table.items():
        game = made[0] if isinstance(made, tuple) else made
        content = content_of(bundled(clocked_games.stored(game())))
        assert (code(content) == 0) == judged(content)[0], name


WAYS = {**EDITS, **FORGERIES, **MISSPELT}


@pytest.mark.parametrize("game", sampled(("small", "signed", "board"), "small"))
def test_forgeries(game: str, code: Callable[[bytes], int]) -> None:
    """All ways on a small game, and those which it has no place for on others."""
    good, small = bundle_variety.bundle(game), bundle_variety.bundle("small")
    made = {name: tampered(good, way, 3) for name, way in WAYS.items()}
    if game != "small":
        made = {name: made[name] for name, way in WAYS.items() if tampered(small, way, 3) is None}
    forged = {name: content for name, content in made.items() if content is not None}
    assert forged
    assert [name for name, content in forged.items() if code(content) == 0] == []


DEALT = ("hands exchanged", "stock in another order", "another card turned up", "points of a card")
"""Forgeries of an operator against what the secrets and the rules deal."""


def test_another_deal(code: Callable[[bytes], int]) -> None:
    contents = {name: content_of(mutated(f"{name} / operator").lines) for name in DEALT}
    assert [name for name, content in contents.items() if code(content) == 0] == []


def test_changed_lines(code: Callable[[bytes], int]) -> None:
    for name in LINES:
        content = content_of(mutated(name).lines)
        assert (code(content) == 0) == judged(content)[0], name


UNUSABLE = {
    "the neutral point": "01" + "00" * 31,
    "the neutral point in another spelling": "ee" + "ff" * 30 + "7f",
    "of order two": "ec" + "ff" * 30 + "7f",
    "of order eight": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "no point": "02" + "00" * 31,
    "too short": "ab" * 31,
}


@looped("key", UNUSABLE.values(), ids=UNUSABLE)
def test_a_key_for_which_anybody_or_nobody_could_sign(
    key: str, code: Callable[[bytes], int]
) -> None:
    parts = apart(bundle_variety.bundle("small"))
    taken = next(iter(events(parts, "SeatTaken")))
    taken["data"]["key"] = taken["data"]["act"]["command"]["key"] = key
    content = written(linked(parts))
    assert not judged(content)[0]
    assert code(content) != 0


def test_earlier_sizes_of_the_log(code: Callable[[bytes], int]) -> None:
    assert code(content_of(bundle(earlier=EARLIER))) == 0
    assert code(content_of(bundle(earlier=EARLIER[::-1]))) == 5
    for proof, field in zip(EARLIER, ("first", "path", "root", "second"), strict=True):
        assert code(content_of(bundle(earlier=[misled(proof, field)]))) == 6, (proof, field)


def test_what_is_no_bundle_gets_a_sentence(
    tmp_path: Path, verifier: Any, monkeypatch: Any, capsys: Any
) -> None:
    file, tried = tmp_path / "file", 0
    monkeypatch.setattr(sys, "argv", ["verifier.py", str(file)])
    for name, made in FILES.items():
        content = made()
        if len(content) < 1_000_000:
            tried += 1
            file.write_bytes(content)
            assert verifier.main() == 5, name
            printed = capsys.readouterr()
            assert printed.out.startswith("BAD "), name
            assert (printed.out.count("\n"), printed.err) == (1, ""), name
    assert tried > 20


def test_exit_codes_and_help(tmp_path: Path, verifier: Any, monkeypatch: Any, capsys: Any) -> None:
    file = tmp_path / "good.bundle"
    file.write_bytes(bundle_variety.bundle("small"))
    monkeypatch.setattr(sys, "argv", ["verifier.py", str(file)])
    assert verifier.main() == 0
    assert "The rules of play were not judged." in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["verifier.py", str(file), str(tmp_path / "none")])
    assert verifier.main() == 5
    monkeypatch.setattr(sys, "argv", ["verifier.py", "--help"])
    with pytest.raises(SystemExit):
        verifier.main()
    assert "Exit codes: 0 nothing is wrong" in capsys.readouterr().out


def test_it_imports_nothing_of_the_project() -> None:
    for file in (EXAMPLES / "verifier.py", *(EXAMPLES / "verifying").glob("*.py")):
        assert "import phaseledger" not in file.read_text()
        assert "from phaseledger" not in file.read_text()
