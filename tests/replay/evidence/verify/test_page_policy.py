"""The page takes a policy and receipts, and comes to the verdict of `verify --no-bots`."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Error, expect

from phaseledger.replay.evidence.verify.policy import Policy, PolicyError, read_policy
from phaseledger.replay.formats.ledgers import id_in, log_name, number_of
from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.browser import Verifier
from tests.support.campaigns import sampled
from tests.support.replay.bundles import good, of_kind
from tests.support.replay.graded_games import PLANS, POLICY, SIGNED, graded
from tests.support.replay.operator_games import (
    OPERATOR,
    STRANGER,
    WITNESS,
    Table,
    bundled,
    whole_commands,
)
from tests.support.replay.page_grades import agree, judged_by_page, judged_without_bots, written
from tests.support.replay.policy_cases import KEPT

pytestmark = pytest.mark.system

KEYS = {seat: public_key(Table(SIGNED).key(seat)) for seat in (0, 1)}
DEMANDING = replace(POLICY, secrets="players", moves="signed", bots="re-decided")
POLICIES = {
    "names its players": POLICY,
    "names nobody": replace(POLICY, players=frozenset()),
    "names one by its seat": replace(POLICY, players=frozenset(), seats={0: KEYS[0]}),
    "names both by their seats": replace(POLICY, players=frozenset(), seats=KEYS),
    "has another key for a seat": replace(POLICY, seats={1: KEYS[0]}),
    "demands all of players": DEMANDING,
    "demands secrets of seats": replace(POLICY, secrets="seats"),
    "demands witnessed times": replace(POLICY, times="witnessed"),
    "asks for everything": replace(
        POLICY,
        require=frozenset({"receipts", "checkpoint", "finished", "signatures"}),
        witnesses_needed=1,
    ),
    "has no origin": replace(POLICY, origin=""),
    "has another origin": replace(POLICY, origin="example.net/other"),
    "has another operator": replace(POLICY, keys=(STRANGER.public,)),
    "has several operators": replace(POLICY, keys=(STRANGER.public, OPERATOR.public)),
    "knows no witness": replace(POLICY, witnesses=()),
    "has a strict clock": replace(POLICY, clock_skew=0),
}


def receipts_of(lines: Sequence[bytes]) -> tuple[Receipt, ...]:
    return tuple(msgspec.convert(value, Receipt) for value in of_kind([*lines], "receipt"))


def verdicts_agree(
    page: Verifier, lines: Sequence[bytes], policy: Policy, kept: Sequence[Receipt] = ()
) -> str:
    """The grade, on which both agree."""
    judgement = judged_without_bots(lines, policy, kept)
    agree(judged_by_page(page, lines, policy, kept), judgement)
    return judgement.grade


@pytest.mark.parametrize("name", PLANS)
def test_every_policy_gives_the_same_grade(page: Verifier, name: str) -> None:
    whole = graded(name)
    variants = {
        "whole": bundled(whole),
        "without a witness": bundled(whole, witnesses=()),
        "running": bundled(whole_commands(whole, len(whole) - 1)),
        "begun": bundled(whole_commands(whole, 4)),
    }
    grades = set[str]()
    for lines in variants.values():
        for policy in POLICIES.values():
            grades.add(verdicts_agree(page, lines, policy))
    assert grades >= {"none", "recorded"}
    assert ("proven" in grades) == (name in ("signed", "broken off"))


@pytest.mark.parametrize("name", sampled(["signed", "a bot", "nobody signs"], "a bot"))
def test_receipts_and_what_is_missing_count_alike(page: Verifier, name: str) -> None:
    lines = bundled(graded(name))
    kept = receipts_of(lines)
    bare = [line for line in lines if not line.startswith((b'{"checkpoint"', b'{"inclusion"'))]
    header = msgspec.json.decode(bare[0])
    header["bundle"]["keys"] = [str(OPERATOR.public)]
    bare[0] = msgspec.json.encode(header, order="sorted") + b"\n"
    bare[-1] = msgspec.json.encode({"end": {"lines": len(bare) - 1}}) + b"\n"
    for policy in POLICIES.values():
        for some in ((), kept[:3], kept[-1:], kept):
            verdicts_agree(page, lines, policy, some)
            verdicts_agree(page, bare, policy, some)
    assert verdicts_agree(page, bare, POLICY, kept) != "none"


@pytest.mark.parametrize("name", KEPT)
def test_receipts_that_tell_another_story(page: Verifier, name: str) -> None:
    receipt, code = KEPT[name]
    grade = verdicts_agree(page, good(), POLICY, [receipt])
    assert (grade == "none") == (code != "worthless_receipt")


def test_a_log_of_another_partition(page: Verifier) -> None:
    """Its name has the partition's number, which stands in the game's id."""
    games = [id_in(number, b"0123456789") for number in (1, 2, 300)]
    for name, game in product(("a.org", "a.org/2", "a.org/300"), (*games, uuid4())):
        assert page.ask("logName", name, str(game)) == log_name(name, number_of(game))


# --- the file -------------------------------------------------------------------------------------

KEY, SEEN, PLAYER = str(OPERATOR.public), str(WITNESS.public), KEYS[0]
USABLE = {
    "one key": f'keys = ["{KEY}"]',
    "comments, commas and lines": f'# the club\r\nkeys = [ # mine\n  "{KEY}", \n]\n\n# end',
    "other quotation marks": f"keys = ['{KEY}']\norigin = 'a\\b'",
    "a table of its own": f'keys = ["{KEY}"]\n[seats]\n0 = "{PLAYER}"\n"1" = "{PLAYER}"',
    "a name with a dot": f'keys = ["{KEY}"]\nseats.0 = "{PLAYER}"\nseats . 1 = "{PLAYER}"',
    "a table in a line": f'keys=["{KEY}"]\nseats={{ 0="{PLAYER}" , 1 = "{PLAYER}" }}',
    "an escape": f'keys = ["{KEY}"]\norigin = "a\\u0041\\t\\"b"',
    "numbers of another base": f'keys = ["{KEY}"]\nclock_skew = 0x1_2c',
    "numbers": f'keys = ["{KEY}"]\nwitnesses = ["{SEEN}"]\nwitnesses_needed = +1\nclock_skew=1_000',
}
UNUSABLE = {
    "nothing": "",
    "no key": "keys = []",
    "no TOML": "keys",
    "half a list": f'keys = ["{KEY}"',
    "two values in a line": f'keys = ["{KEY}"] origin = "a"',
    "a field that is none": f'keys = ["{KEY}"]\nconstructor = 1',
    "a field twice": f'keys = ["{KEY}"]\nkeys = ["{KEY}"]',
    "a key twice": f'keys = ["{KEY}", "{KEY}"]',
    "a key of a witness": f'keys = ["{SEEN}"]',
    "a key with a letter less": f'keys = ["{KEY[:-1]}"]',
    "a witness of the operator's": f'keys = ["{KEY}"]\nwitnesses = ["{KEY}"]',
    "more witnesses than there are": f'keys = ["{KEY}"]\nwitnesses_needed = 1',
    "times without a witness": f'keys = ["{KEY}"]\ntimes = "witnessed"',
    "secrets of nobody": f'keys = ["{KEY}"]\nsecrets = "players"',
    "signatures of nobody": f'keys = ["{KEY}"]\nmoves = "signed"',
    "a demand that is none": f'keys = ["{KEY}"]\nbots = "good"',
    "a requirement that is none": f'keys = ["{KEY}"]\nrequire = ["luck"]',
    "a player's key for which anybody can sign": f'keys = ["{KEY}"]\nplayers = ["01{"00" * 31}"]',
    "a seat that is none": f'keys = ["{KEY}"]\nseats = {{16 = "{PLAYER}"}}',
    "a number as text": f'keys = ["{KEY}"]\nclock_skew = "5"',
    "a number out of bounds": f'keys = ["{KEY}"]\nclock_skew = 86_401',
    "a fraction": f'keys = ["{KEY}"]\nclock_skew = 5.0',
    "a leading zero": f'keys = ["{KEY}"]\nclock_skew = 05',
    "a table twice": f'keys = ["{KEY}"]\n[seats]\n[seats]\n',
    "more for a table in a line": f'keys = ["{KEY}"]\nseats = {{}}\nseats.0 = "{PLAYER}"',
    "a control character": f'keys = ["{KEY}"] # \x01',
    "half a line end": f'keys = ["{KEY}"]\rorigin = "a"',
    "half a character": f'keys = ["{KEY}"]\norigin = "\\ud800"',
    "a text over two lines": f'keys = ["{KEY}"]\norigin = "a\nb"',
}


@pytest.mark.parametrize("name", USABLE)
def test_a_policy_that_both_read(page: Verifier, name: str, tmp_path: Path) -> None:
    file, lines = tmp_path / "club.toml", good()
    file.write_bytes(USABLE[name].encode())
    judgement = judged_without_bots(lines, read_policy(str(file)))
    agree(page.verify(b"".join(lines), None, USABLE[name]), judgement)


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_policy_that_neither_takes(page: Verifier, name: str, tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_bytes(UNUSABLE[name].encode())
    with pytest.raises(PolicyError):
        read_policy(str(file))
    with pytest.raises(Error, match=r"polic|keys|witness|player|seats|must be"):
        page.verify(b"".join(good()), None, UNUSABLE[name])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_a_policy_that_an_editor_of_windows_saved(
    page: Verifier, encoding: str, tmp_path: Path
) -> None:
    file = tmp_path / "club.toml"
    file.write_bytes(USABLE["numbers"].replace("\n", "\r\n").encode(encoding))
    refusal = "the file is UTF-16 text: save it as UTF-8" if "16" in encoding else ""
    page.page.set_input_files("#policy", file)
    given = {"name": "game.bundle", "mimeType": "text/plain", "buffer": b"".join(good())}
    page.page.set_input_files("#file", given)
    if refusal:
        expect(page.page.locator("#status")).to_contain_text("UTF")
        assert refusal in page.page.inner_text("#status")
        with pytest.raises(PolicyError, match=refusal):
            read_policy(str(file))
    else:
        page.page.wait_for_selector("#result:not([hidden])")
        assert read_policy(str(file)).clock_skew == 1_000


def test_a_player_chooses_both_files(page: Verifier) -> None:
    files = {
        "#policy": ("club.toml", written(POLICIES["demands all of players"]).encode()),
        "#file": ("game.bundle", b"".join(bundled(graded("nobody signs")))),
    }
    for place, (name, content) in files.items():
        page.page.set_input_files(
            place, {"name": name, "mimeType": "text/plain", "buffer": content}
        )
    page.page.wait_for_selector("#result:not([hidden])")
    assert page.page.inner_text("#verdict").startswith("TOO LITTLE, grade recorded: nothing is ")
    assert "player_secret_missing" in page.page.inner_text("#checks")
