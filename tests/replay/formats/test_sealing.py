"""Sealing at rest: what is hidden is not there without the key, and is what it was with it."""

import os
import pickle
import stat
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.domain.evidence.codec import is_canonical
from phaseledger.replay.formats import sealing
from phaseledger.replay.formats.sealing import (
    NO_SEALING,
    SealingError,
    SealingKeyMissing,
    SealingKeys,
    key_id,
    sealed_under,
)
from tests.support.replay.log_edits import GAME, short_game

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
EVENTS = list(enumerate(short_game(), 1))
HIDING = [(number, stored) for number, stored in EVENTS if b'"hidden":' in stored]


def sealed(keys: SealingKeys = SealingKeys([NEW])) -> list[tuple[int, bytes]]:  # noqa: B008
    return [(number, keys.seal_event(GAME, number, stored)) for number, stored in EVENTS]


def test_a_game_is_what_it_was_once_it_is_unsealed() -> None:
    keys = SealingKeys([NEW])
    assert len(HIDING) > 10
    for (number, stored), (_, there) in zip(EVENTS, sealed(), strict=True):
        assert keys.unseal_event(GAME, number, there) == stored
        assert (there == stored) == (b'"hidden":' not in stored)


def test_a_sealed_event_shows_all_that_is_public_and_nothing_else() -> None:
    for (number, stored), (_, there) in zip(EVENTS, sealed(), strict=True):
        before, after = msgspec.json.decode(stored), msgspec.json.decode(there)
        hidden = before.pop("hidden", {})
        assert is_canonical(there), number
        assert sealed_under(there) == (key_id(NEW) if hidden else "")
        after.pop("hidden", None)
        assert after == before
        for value in hidden.values():
            assert msgspec.json.encode(value, order="sorted") not in there


def test_the_same_event_is_never_sealed_the_same() -> None:
    number, stored = HIDING[0]
    keys = SealingKeys([NEW])
    assert len({keys.seal_event(GAME, number, stored) for _ in range(50)}) == 50


@pytest.mark.parametrize("game_and_number", [(GAME, 2), ("another game", 1)])
def test_a_sealed_part_belongs_to_its_event(game_and_number: tuple[str, int]) -> None:
    keys = SealingKeys([NEW])
    there = keys.seal_event(GAME, 1, HIDING[0][1])
    assert keys.unseal_event(*game_and_number, there) == there


@given(st.integers(0, 400), st.integers(1, 255))
def test_a_sealed_part_that_was_changed_stays_sealed(place: int, change: int) -> None:
    keys = SealingKeys([NEW])
    there = bytearray(keys.seal_event(GAME, HIDING[0][0], HIDING[0][1]))
    begin = there.index(b'"hidden":"s1.') + len(b'"hidden":"s1.12345678.')
    end = there.index(b'"', begin) - 3  # the last digit of base64 has bits that mean nothing
    there[begin + place % (end - begin)] ^= change

    assert keys.unseal_event(GAME, HIDING[0][0], bytes(there)) == there


def test_old_keys_read_and_the_newest_seals() -> None:
    before = sealed(SealingKeys([OLD]))
    both = SealingKeys([OLD, NEW])
    for (number, stored), (_, there) in zip(EVENTS, before, strict=True):
        assert both.unseal_event(GAME, number, there) == stored
        resealed = both.seal_event(GAME, number, stored)
        assert sealed_under(resealed) in ("", key_id(NEW))
    assert both.ids == (key_id(OLD), key_id(NEW))


def test_without_its_key_a_sealed_event_is_refused_and_others_are_read() -> None:
    for keys in (SealingKeys([OLD]), NO_SEALING):
        for (number, stored), (_, there) in zip(EVENTS, sealed(), strict=True):
            if there == stored:
                assert keys.unseal_event(GAME, number, there) == stored
            else:
                with pytest.raises(SealingKeyMissing, match=key_id(NEW)):
                    keys.unseal_event(GAME, number, there)


def test_without_keys_nothing_is_sealed() -> None:
    assert sealed(NO_SEALING) == EVENTS
    assert all(NO_SEALING.unseal_event(GAME, number, stored) == stored for number, stored in EVENTS)
    assert NO_SEALING.seal(b"a secret", b"of mine") == b"a secret"


@given(st.binary(max_size=80), st.binary(max_size=20))
def test_values_are_what_they_were(value: bytes, context: bytes) -> None:
    keys = SealingKeys([OLD, NEW])
    there = keys.seal(value, context)
    assert keys.unseal(there, context) == value
    assert keys.unseal(there, context + b"x") == there
    assert sealed_under(there) == key_id(NEW)


def test_keys_are_not_shown_and_go_to_other_processes() -> None:
    keys = SealingKeys([OLD, NEW])
    assert not any(text in f"{keys!r} {keys}" for text in (OLD.hex(), NEW.hex(), repr(OLD)))
    there = pickle.loads(pickle.dumps(keys))
    assert there.unseal(keys.seal(b"x", b"y"), b"y") == b"x"


# --- where keys come from -------------------------------------------------------------------------


def test_keys_come_from_a_folder_a_variable_and_a_command(tmp_path: Path) -> None:
    assert sealing.load(tmp_path / "nowhere").ids == ()
    first, second = sealing.new(tmp_path), sealing.new(tmp_path)
    assert sealing.load(tmp_path).ids == (first, second)
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in tmp_path.glob("*.seal"))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    sealing.new(tmp_path)
    (file,) = tmp_path.glob("*.seal")
    for text, reason in ((OLD.hex(), "another key"), ("", "no key"), ("xyz", "64 digits")):
        file.write_text(text)
        with pytest.raises(SealingError, match=reason):
            sealing.load(tmp_path)
    file.chmod(0o644)
    with pytest.raises(SealingError, match="open to other users"):
        sealing.load(tmp_path)
    if os.getuid():
        with pytest.raises(SealingError, match="cannot be written"):
            sealing.new(Path("/proc/keys"))
