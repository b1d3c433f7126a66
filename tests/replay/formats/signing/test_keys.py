"""The folder of keys: made once, rotated, retired, and never open to others."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from phaseledger.replay.formats.signing import keys
from phaseledger.replay.formats.signing.keys import KeysError
from phaseledger.replay.formats.signing.notes import SigningKey, verifier_key


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "keys"


def test_the_first_key_is_made_once(folder: Path) -> None:
    ring, made = keys.load_or_new(folder)
    assert made
    assert len(ring.public) == 1
    reloaded, made = keys.load_or_new(folder)
    assert not made
    assert reloaded.current.public == ring.current.public
    assert keys.load(folder).current.public == ring.current.public


def test_only_its_user_can_read_a_private_key(folder: Path) -> None:
    keys.new(folder)
    modes = {path.suffix: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes[".key"] == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_public_file_holds_the_verifier_key_alone(folder: Path) -> None:
    made = keys.new(folder, "games.example")
    (public,) = folder.glob("*.pub")
    (private,) = folder.glob("*.key")
    assert public.read_text() == f"{made.public}\n"
    assert SigningKey.parse(private.read_text()).public == made.public
    assert public.stem == private.stem == f"0001-{made.public.hash.hex()}"


def test_the_newest_key_signs_receipts(folder: Path) -> None:
    """It bears the name of the one before, unless another is given."""
    first = keys.new(folder, "games.example").public
    second = keys.new(folder).public
    third = keys.new(folder, "else.example").public
    ring = keys.load(folder)
    assert [signer.public for signer in ring.signers] == [first, second, third]
    assert ring.current.public == third
    assert [key.name for key in ring.public] == ["games.example", "games.example", "else.example"]


def test_the_tenth_thousandth_key_comes_after_the_others(folder: Path) -> None:
    """By number, not by letter."""
    old = keys.new(folder).public
    for path in list(folder.glob("0001-*")):
        path.rename(path.with_name(path.name.replace("0001", "9999")))
    new = keys.new(folder).public
    assert any(path.name.startswith("10000-") for path in folder.glob("*.key"))
    assert keys.load(folder).public == (old, new)
    assert keys.load(folder).current.public == new


@pytest.mark.parametrize("by", ["id", "hash"])
def test_retiring_deletes_the_private_half(folder: Path, by: str) -> None:
    old, new = keys.new(folder).public, keys.new(folder).public
    which = old.id if by == "id" else old.hash.hex()
    assert keys.retire(folder, which) == old
    ring = keys.load(folder)
    assert (ring.retired, [signer.public for signer in ring.signers]) == ((old,), [new])
    assert ring.public == (old, new)
    assert [path.stem for path in folder.glob("*.key")] == [f"0002-{new.hash.hex()}"]
    with pytest.raises(KeysError, match="no such key"):
        keys.retire(folder, which)


def test_a_rotation_renames_nothing(folder: Path) -> None:
    """Keys stay in their order, and the log goes by the name of the first one for ever."""
    first = keys.new(folder, "first.example").public
    second = keys.new(folder, "second.example").public
    third = keys.new(folder, "third.example").public
    for gone in (second, first):
        keys.retire(folder, gone.id)
        ring = keys.load(folder)
        assert (ring.public, ring.log) == ((first, second, third), "first.example")
    for path in folder.glob("0001-*"):
        path.unlink()
    assert keys.load(folder).log == "first.example"


def test_a_folder_without_the_logs_name_gets_it(folder: Path) -> None:
    keys.new(folder, "first.example")
    keys.new(folder, "second.example")
    (folder / "origin").unlink()
    assert keys.load_or_new(folder)[0].log == "first.example"
    assert (folder / "origin").read_text() == "first.example\n"
    (folder / "origin").write_text("not a name\n")
    with pytest.raises(KeysError, match="holds no name of a log"):
        keys.load(folder)


@pytest.mark.parametrize("lost", [0, 1])
def test_a_key_that_is_lost_is_not_taken_for_retired(folder: Path, lost: int) -> None:
    """An older one would sign instead, and nobody would be told."""
    made = [keys.new(folder).public for _ in range(2)]
    gone = made[lost]
    next(folder.glob(f"*-{gone.hash.hex()}.key")).unlink()
    with pytest.raises(
        KeysError, match=rf"{gone.hash.hex()}\.key is gone.*retire {gone.hash.hex()}"
    ):
        keys.load_or_new(folder)
    newest = keys.new(folder).public
    with pytest.raises(KeysError, match="is gone"):
        keys.load(folder)
    assert keys.retire(folder, gone.id) == gone
    ring = keys.load(folder)
    assert (ring.retired, ring.current.public) == ((gone,), newest)


def test_a_retirement_that_was_interrupted(folder: Path) -> None:
    """Its mark was made first, so the key signs nothing any more; retired again, it is deleted."""
    old, new = keys.new(folder).public, keys.new(folder).public
    private = next(folder.glob(f"*-{old.hash.hex()}.key"))
    private.with_suffix(".retired").write_text("")
    ring = keys.load(folder)
    assert (ring.retired, [signer.public for signer in ring.signers]) == ((old,), [new])
    assert keys.retire(folder, old.id) == old
    assert not private.exists()


def test_what_was_given_is_not_repeated(folder: Path) -> None:
    """It may be a private key."""
    private = keys.new(folder).text()
    for wrong in (lambda: keys.retire(folder, private), lambda: keys.new(folder, private)):
        with pytest.raises(KeysError) as refused:
            wrong()
        assert private[-20:] not in str(refused.value)


def test_the_key_that_signs_receipts_cannot_be_retired(folder: Path) -> None:
    only = keys.new(folder).public
    with pytest.raises(KeysError, match="make a new one before"):
        keys.retire(folder, only.id)
    assert keys.load(folder).current.public == only


def test_many_processes_make_one_key(folder: Path) -> None:
    with ThreadPoolExecutor(8) as many:
        rings = list(many.map(lambda _: keys.load_or_new(folder), range(8)))
    assert len({ring.current.public for ring, _ in rings}) == 1
    assert sum(made for _, made in rings) == 1


def test_a_public_half_that_is_missing_is_made_again(folder: Path) -> None:
    """The private half comes first, so that a crash between the two loses nothing."""
    old, new = keys.new(folder).public, keys.new(folder).public
    for key in (old, new):
        public = next(folder.glob(f"*-{key.hash.hex()}.pub"))
        public.unlink()
        assert keys.load(folder).public == (old, new)
        assert public.read_text() == f"{key}\n"
    next(folder.glob("0002-*.pub")).unlink()
    keys.new(folder)
    assert [path.name[:4] for path in sorted(folder.glob("*.pub"))] == ["0001", "0002", "0003"]


def test_other_files_are_no_keys(folder: Path) -> None:
    keys.new(folder)
    for name in ("notes.pub", "0002-xyz.pub", "0003-0123456g.pub", "1-01234567.pub"):
        (folder / name).write_text("nothing")
    assert len(keys.load(folder).public) == 1


def _of_another(folder: Path) -> None:
    name = next(folder.glob("*.pub"))
    name.write_text(str(SigningKey.new("other").public))


def _open_to_all(folder: Path) -> None:
    next(folder.glob("*.key")).chmod(0o644)


def _cut(folder: Path) -> None:
    next(folder.glob("*.key")).write_text("PRIVATE+KEY+a+")


def _blurred(folder: Path) -> None:
    next(folder.glob("*.pub")).write_bytes(b"\xff\xfe")


def _emptied(folder: Path) -> None:
    for path in folder.glob("0001-*"):
        path.unlink()


def _lost(folder: Path) -> None:
    next(folder.glob("*.key")).unlink()


def _exchanged(folder: Path) -> None:
    """Both halves of another key."""
    other = SigningKey.new("other")
    next(folder.glob("*.key")).write_text(other.text())
    next(folder.glob("*.pub")).write_text(str(other.public))


def _is_a_folder(folder: Path) -> None:
    private = next(folder.glob("*.key"))
    private.unlink()
    private.mkdir(mode=0o700)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_of_another, "belong to different keys"),
        (_open_to_all, "chmod 600"),
        (_cut, "no private key"),
        (_blurred, "UTF-16"),
        (_emptied, "phaseledger admin keys new"),
        (_lost, "restore it from a backup"),
        (_exchanged, "belong to different keys"),
        (_is_a_folder, "directory"),
    ],
)
def test_a_spoiled_folder_is_refused_in_words(folder: Path, spoil, words: str) -> None:
    private = keys.new(folder).text()
    spoil(folder)
    with pytest.raises(KeysError, match=words) as refused:
        keys.load(folder)
    assert str(folder) in str(refused.value)
    assert private[-20:] not in str(refused.value)


def test_no_key_follows_one_that_cannot_be_read(folder: Path) -> None:
    keys.new(folder)
    _blurred(folder)
    with pytest.raises(KeysError, match="UTF-16"):
        keys.new(folder)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeysError, match="cannot be used"):
        keys.new(tmp_path / "file" / "keys")
    with pytest.raises(KeysError, match="phaseledger admin keys new"):
        keys.load(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["", "a b", "a+b", "x" * 201])
def test_a_name_that_is_none(folder: Path, name: str) -> None:
    with pytest.raises(KeysError, match="is no name"):
        keys.new(folder, name)
    assert not list(folder.glob("*.key"))


def test_a_keys_public_half_is_all_that_is_told(folder: Path) -> None:
    ring, _ = keys.load_or_new(folder)
    body = ring.current.text().split("+", 4)[4]
    assert body not in repr(ring)
    assert verifier_key(str(ring.current.public)) == ring.current.public
