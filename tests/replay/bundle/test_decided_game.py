"""That whoever reads a bundle comes to the same, whether its game is decided again as its lines
are read, or each of them is looked at.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseledger.domain.bots.registry import chooser
from phaseledger.replay.bundle import reader
from phaseledger.replay.bundle.reader import Bundle, parse_bundle
from phaseledger.replay.records.source import DamagedSource
from phaseledger.replay.verify.verify import verify
from tests.support.replay.bundle_lines import counted, kind
from tests.support.replay.bundle_mutations import NAMES, POLICY, mutation
from tests.support.replay.bundles import good
from tests.support.replay.forgery_corpus import game, mutated

GAMES = ("classic", "standard-deck", "express", "board")
ODD = (b"", b" ", b"0", b"00", b"null", b"\\u0041", b'"', b"}", b"\n", b"\xc3\xa9", b"[" * 40)


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> Iterator[None]:
    """Most of these games are shorter than a block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_BLOCK", 16)
        yield


def outcome(lines: Sequence[bytes], *, decide: bool) -> Any:
    """What is read and the verdict on it, or why it cannot be read."""
    try:
        bundle = parse_bundle(lines, "file", decide=decide)
    except DamagedSource as damage:
        return str(damage)
    (examined,) = verify([bundle], POLICY)
    sealed = [list(event.sealed) for event in bundle.events]
    read = (bundle._replace(decided=None), sealed, list(bundle.opens))
    return read, examined.case.read, examined.judgement


def assert_alike(lines: Sequence[bytes]) -> None:
    assert outcome(lines, decide=True) == outcome(lines, decide=False)


def decided_events(bundle: Bundle) -> int:
    return len(bundle.decided.events) if bundle.decided else 0


@pytest.mark.parametrize("name", GAMES)
def test_a_good_game_is_as_decided(name: str) -> None:
    bundle = parse_bundle(good(name))

    assert decided_events(bundle) == len(bundle.events)
    assert parse_bundle(good(name), decide=False).decided is None
    assert_alike(good(name))


@pytest.mark.parametrize("number", range(36))
def test_games_of_every_kind(number: int) -> None:
    """Those that go on cannot be decided again, for nobody knows their secrets."""
    bundle = parse_bundle(game(number).lines)

    assert decided_events(bundle) == (len(bundle.events) if bundle.over else 0)
    assert_alike(game(number).lines)


@pytest.mark.parametrize("name", NAMES)
def test_mutations(name: str) -> None:
    assert_alike(mutated(name).lines)


@given(st.sampled_from(NAMES), st.integers(0, 35), st.integers(0, 2**32))
@settings(max_examples=60)
def test_mutations_of_other_games(name: str, number: int, seed: int) -> None:
    pick = chooser(b"decided", seed)
    if tried := mutation(name, game(number), game((number + 18) % 36), pick):
        assert_alike(tried.lines)


@given(st.data())
@settings(max_examples=150)
def test_lines_with_other_bytes(data: st.DataObject) -> None:
    """Most of the changes are in the events, and in what opens their seals."""
    lines = list(game(data.draw(st.integers(0, 35))).lines)
    place = data.draw(st.integers(0, len(lines) - 1))
    line = lines[place]
    start = data.draw(st.integers(0, len(line)))
    stop = data.draw(st.integers(start, min(len(line), start + 8)))
    other = data.draw(st.one_of(st.binary(max_size=4), st.sampled_from(ODD)))
    lines[place] = line[:start] + other + line[stop:]
    assert_alike(b"".join(lines).splitlines(keepends=True))


@given(st.data())
@settings(max_examples=150)
def test_lines_elsewhere(data: st.DataObject) -> None:
    """A line left out, there twice, or exchanged with another; the numbers of lines are right."""
    lines = list(game(data.draw(st.integers(0, 35))).lines)
    inner = st.sampled_from([n for n, line in enumerate(lines) if kind(line) in ("event", "opens")])
    first, second = data.draw(inner), data.draw(inner)
    match data.draw(st.sampled_from(["left out", "twice", "exchanged", "copied"])):
        case "left out":
            del lines[first]
        case "twice":
            lines.insert(first, lines[first])
        case "exchanged":
            lines[first], lines[second] = lines[second], lines[first]
        case _:
            lines[first] = lines[second]
    counted(lines)
    assert_alike(lines)
