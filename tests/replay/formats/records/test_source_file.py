"""Reading files: several games, the viewer's form, and damage of every kind."""

import gzip
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseledger.domain.evidence.codec import redact, seal_key
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import AuditVerdict
from phaseledger.replay.formats.records.source import DamagedSource, read_file
from tests.support.cases import looped
from tests.support.replay.bundles import good
from tests.support.replay.log_edits import GAME, OTHER, Tree, encode, short_game, trees

GOOD = b"".join(stored + b"\n" for stored in short_game())


def _audited(path: Path, data: bytes) -> list[AuditVerdict]:
    path.write_bytes(data)
    return list(audit(read_file(str(path))))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.ndjson"


BUNDLE = b"".join(good())


@looped("content", [GOOD, BUNDLE], ["records", "bundle"])
@looped("end", [b"\n\n", b"\n \t\r\n"])
def test_lines_that_say_nothing(file: Path, end: bytes, content: bytes) -> None:
    """As the heartbeats of a stream, a byte order mark, and blank lines at the end."""
    (verdict,) = _audited(file, b"\xef\xbb\xbf" + content.replace(b"\n", end))

    assert verdict == next(iter(_audited(file, content)))
    assert verdict.sound


def test_other_line_ends(file: Path) -> None:
    """Those of Windows, and none after the last line."""
    for content in (GOOD.replace(b"\n", b"\r\n"), GOOD[:-1]):
        (verdict,) = _audited(file, content)
        assert verdict.sound


def test_many_games_leave_memory_as_they_end(file: Path) -> None:
    """The verdict of the first game is there before the second game is read."""
    other = b"".join(stored + b"\n" for stored in short_game(OTHER, "other"))
    file.write_bytes(GOOD + other + b"not JSON\n")
    verdicts = audit(read_file(str(file)))

    assert (next(verdicts).game, True) == (GAME, True)
    with pytest.raises(DamagedSource, match=r"game\.ndjson:\d+: the line is not JSON"):
        list(verdicts)


def test_findings_before_damage_are_told(file: Path) -> None:
    """But of a game that broke off with the file, nothing is certain."""
    bad, half = short_game()[1:], short_game(OTHER, "other")[:5]
    file.write_bytes(b"".join(line + b"\n" for line in (*bad, *half)) + b"not JSON\n")
    verdicts = audit(read_file(str(file)))

    assert (next(verdicts).game, True) == (GAME, True)
    with pytest.raises(DamagedSource):
        next(verdicts)


LINE = short_game()[3]
DAMAGE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "blank lines": (b"\n\r\n", "the file is empty"),
    "damage after a blank line": (GOOD + b"\nx\n", r":118: the line is not JSON"),
    "binary": (bytes(range(256)) * 9, r":1: the line is not"),
    "not UTF-8": (b'{"game":"\xff","type":"x"}\n', ":1: the line is not UTF-8"),
    "cut line": (GOOD[:-40], ":116: the last line is cut"),
    "no object": (b"[1]\n", ":1: the line is no event"),
    "no type": (b'{"game":"x"}\n', ":1: the line is no event: .*`type`"),
    "deep": (b'{"game":"x","a":' + b"[" * 200_000 + b"\n", ":1: the line is (nested too|not JSON)"),
    "long": (b'{"game":"x","a":"' + b"x" * (2 << 20) + b'"}\n', ":1: the line is longer than"),
    "two in a line": (LINE + LINE + b"\n", ":1: the line is not JSON"),
    "gzip": (gzip.compress(GOOD), ":1: the file is compressed: unpack it first, with `gzip -d`"),
    "zstd": (b"\x28\xb5\x2f\xfd", ":1: the file is compressed: .* `zstd -d`"),
    "event stream": (b"id: 1-ab\nevent: state\ndata: {}\n\n", ":1: these are server-sent events"),
    "dispute file": (b'{"dispute":{"parts":1}}\n', ":1: this is a dispute file"),
    "receipts": (b'{"at":1,"game":"x","sig":"00"}\n', ":1: these are receipts"),
    "UTF-16": (GOOD.decode().encode("utf-16"), ":1: the file is UTF-16 text: save it as UTF-8"),
    "UTF-16 without a mark": (GOOD.decode().encode("utf-16-be"), ":1: the file is UTF-16 text"),
}


@looped(("data", "says"), DAMAGE.values(), DAMAGE)
def test_damaged(file: Path, data: bytes, says: str) -> None:
    with pytest.raises(DamagedSource, match=says):
        _audited(file, data)


def test_no_such_file(tmp_path: Path) -> None:
    for path, says in (("none", "No such file"), (".", "it is a folder"), ("a\0b", "null byte")):
        with pytest.raises(DamagedSource, match=says):
            list(read_file(path if "\0" in path else str(tmp_path / path)))


def test_without_permission(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated, since the super-user may read everything."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DamagedSource, match="cannot be read: Permission denied"):
        list(read_file(str(file)))


@looped("digits", [4_000, 5_000])
@looped("field", [b'"at":', b'"seq":', b'"v":', b'"turn":', b'"dealer":'])
def test_huge_number(file: Path, field: bytes, digits: int) -> None:
    (verdict,) = _audited(file, GOOD.replace(field, field + b"9" * digits, 1))

    assert not verdict.sound
    assert all(len(finding.recorded) < 300 for finding in verdict.findings)


@settings(max_examples=150, deadline=None)
@given(
    place=st.integers(0, len(GOOD) - 1),
    bit=st.none() | st.integers(0, 7),
    other=st.binary(max_size=3),
)
def test_any_changed_byte_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, place: int, bit: int | None, other: bytes
) -> None:
    """One bit is flipped, or up to three bytes stand in the place of one."""
    put = other if bit is None else bytes([GOOD[place] ^ 1 << bit])
    data = GOOD[:place] + put + GOOD[place + 1 :]
    lines = data.split(b"\n") if data.endswith(b"\n") else [*data.split(b"\n"), b""]
    same = [line.removesuffix(b"\r") for line in lines] == GOOD.split(b"\n")
    try:
        verdicts = _audited(tmp_path_factory.getbasetemp() / "changed.ndjson", data)
    except DamagedSource:
        return
    assert same == all(verdict.sound for verdict in verdicts)


# --- the viewer's form ----------------------------------------------------------------------------


def _viewed(viewer: int | None, *, opened: bool = True) -> list[Tree]:
    key = seal_key(GAME, trees()[0]["hidden"]["server"]["secret"])
    return [
        msgspec.json.decode(redact(stored, key, viewer, opened=opened)) for stored in short_game()
    ]


def _lines(made: list[Tree]) -> bytes:
    return b"".join(encode(tree) + b"\n" for tree in made)


@looped("viewer", [None, 0, 1])
def test_the_viewers_form(file: Path, viewer: int | None) -> None:
    """That of a finished game is audited like the log, and what is sealed cannot be audited."""
    assert _audited(file, _lines(_viewed(viewer))) == _audited(file, GOOD)
    (verdict,) = _audited(file, _lines(_viewed(viewer, opened=False)))
    assert [(finding.code, finding.seq) for finding in verdict.findings] == [("sealed", 1)]


SEALED = next(tree["seq"] for tree in _viewed(None) if tree["type"] == "RoundDealt/1") - 1
FORGERIES: dict[str, tuple[Callable[[Tree], object], str]] = {
    "card": (lambda tree: tree["hidden"]["0"].update(hand="R1"), "broken_seal"),
    "salt": (lambda tree: tree["salts"].update({"0": "00" * 16}), "broken_seal"),
    "seal": (lambda tree: tree["sealed"].update({"0": "00" * 32}), "broken_seal"),
    "seal missing": (lambda tree: tree["sealed"].pop("0"), "broken_seal"),
    "salt missing": (lambda tree: tree["salts"].pop("0"), "sealed"),
    "part missing": (lambda tree: tree["hidden"].pop("0"), "sealed"),
    "no audience": (lambda tree: tree.update(sealed=[]), "unreadable"),
    "other seat": (lambda tree: tree["data"].update(dealer=1), "outcome_differs"),
}


@looped(("forge", "code"), FORGERIES.values(), FORGERIES)
def test_forged_viewers_form(file: Path, forge: Callable[[Tree], object], code: str) -> None:
    made = _viewed(None)
    forge(made[SEALED])
    (verdict,) = _audited(file, _lines(made))
    (finding,) = verdict.findings

    assert (code, SEALED + 1) == (finding.code, finding.seq)


def test_viewers_form_in_another_spelling(file: Path) -> None:
    data = _lines(_viewed(None)).replace(b'"sealed":', b'"sealed": ', 1)
    (verdict,) = _audited(file, data)

    assert (verdict.findings[0].code, verdict.findings[0].seq) == ("not_canonical", 1)


@looped("secret", ["zz", "", 5, "ab" * 32])
def test_viewers_form_with_another_secret(file: Path, secret: object) -> None:
    made = _viewed(None)
    made[0]["hidden"]["server"]["secret"] = secret
    (verdict,) = _audited(file, _lines(made))

    assert verdict.findings[0].seq == 1
