"""Policies: what a file may say, and that anything else is a sentence."""

from pathlib import Path

import pytest

from phaseledger.replay.evidence.verify.policy import LARGEST, Policy, PolicyError, read_policy
from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.replay.formats.signing.notes import ED25519, VerifierKey
from tests.support.cases import looped
from tests.support.replay.operator_games import OPERATOR, STRANGER, WITNESS

KEY, WITNESS_KEY = str(OPERATOR.public), str(WITNESS.public)
SEAT = public_key(b"\x07" * 32)
WEAK = VerifierKey("weak.example", ED25519, bytes([1, *bytes(31)]))


def read(folder: Path, text: str | bytes) -> Policy:
    path = folder / "policy.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_policy(str(path))


def test_a_policy_with_everything(tmp_path: Path) -> None:
    policy = read(
        tmp_path,
        f"""
        origin = "example.org/games"
        keys = ["{KEY}", "{STRANGER.public}"]
        witnesses = ["{WITNESS_KEY}"]
        witnesses_needed = 1
        clock_skew = 5
        times = "witnessed"
        secrets = "players"
        moves = "signed"
        bots = "re-decided"
        players = ["{SEAT}"]
        require = ["receipts", "checkpoint", "finished", "signatures"]
        seats = {{0 = "{SEAT}", 15 = "{SEAT}"}}
        """,
    )

    assert policy == Policy(
        source=str(tmp_path / "policy.toml"),
        keys=(OPERATOR.public, STRANGER.public),
        origin="example.org/games",
        witnesses=(WITNESS.public,),
        witnesses_needed=1,
        require=frozenset({"receipts", "checkpoint", "finished", "signatures"}),
        seats={0: SEAT, 15: SEAT},
        clock_skew=5,
        times="witnessed",
        secrets="players",
        moves="signed",
        bots="re-decided",
        players=frozenset({SEAT}),
    )


def test_the_shortest_policy(tmp_path: Path) -> None:
    policy = read(tmp_path, f'keys = ["{KEY}"]')

    assert (policy.origin, policy.witnesses, policy.witnesses_needed) == ("", (), 0)
    assert (policy.require, policy.seats, policy.clock_skew) == (frozenset(), {}, 300)
    demands = (policy.times, policy.secrets, policy.moves, policy.bots)
    assert demands == ("recorded", "server", "unsigned", "unproven"), "nothing is demanded"
    assert policy.origins == {OPERATOR.public.name}, "a log bears the name of one of its keys"


REFUSED = {
    "no keys": (
        "origin = 'x'",
        "`keys` is missing: it must be a list of one or more verifier keys",
    ),
    "an empty list of keys": (
        "keys = []",
        "`keys` must be a list of one or more verifier keys, each in quotation marks.",
    ),
    "no TOML": ("keys = [", "the policy is no TOML"),
    "no UTF-8": (b"keys = ['\xff']", "the file is not UTF-8 text"),
    "deep nesting": (b"keys = " + b"[" * 5_000, "the policy is nested too deeply"),
    "too large": (b"#" * (LARGEST + 1), "at most 1,048,576 bytes"),
    "a misspelt field": (
        f"keys = ['{KEY}']\nrequires = []",
        "a policy has no `requires`, but `keys`, `origin`, ",
    ),
    "an unknown requirement": (
        f"keys = ['{KEY}']\nrequire = ['receipt']",
        '`require` must be a list of some of: "receipts", ',
    ),
    "a number as text": (
        f"keys = ['{KEY}']\nwitnesses_needed = '1'",
        "`witnesses_needed` must be a number, 0 or more.",
    ),
    "fewer than none": (f"keys = ['{KEY}']\nwitnesses_needed = -1", "must be a number, 0 or more."),
    "times of nobody": (
        f"keys = ['{KEY}']\ntimes = 'true'",
        '`times` must be "recorded" or "witnessed".',
    ),
    "times without a witness": (
        f"keys = ['{KEY}']\ntimes = 'witnessed'",
        '`times` is "witnessed", but `witnesses` names none.',
    ),
    "secrets of somebody": (
        f"keys = ['{KEY}']\nsecrets = 'own'",
        '`secrets` must be "server", "seats" or "players".',
    ),
    "secrets of nobody who is named": (
        f"keys = ['{KEY}']\nsecrets = 'players'",
        '`secrets` is "players", but neither `players` nor `seats` names a key of a player',
    ),
    "moves as text": (
        f"keys = ['{KEY}']\nmoves = 'receipted'",
        '`moves` must be "unsigned" or "signed".',
    ),
    "signatures of nobody who is named": (
        f"keys = ['{KEY}']\nmoves = 'signed'",
        '`moves` is "signed", but neither `players` nor `seats` names a key of a player',
    ),
    "bots of no kind": (
        f"keys = ['{KEY}']\nbots = true",
        '`bots` must be "unproven" or "re-decided".',
    ),
    "a player's key cut": (
        f"keys = ['{KEY}']\nplayers = ['{SEAT}', '{SEAT[1:]}']",
        "`players`, entry 2: the key must be a player's, 64 hex digits, and none by which anybody",
    ),
    "an operator's weak key": (
        f"keys = ['{KEY}', '{WEAK}']",
        f"`keys`, entry 2: {WEAK.id} cannot be used: anybody can sign by it.",
    ),
    "a player's weak key": (
        f"keys = ['{KEY}']\nplayers = ['{'00' * 32}']",
        "`players`, entry 1: the key must be a player's",
    ),
    "clocks a day apart": (
        f"keys = ['{KEY}']\nclock_skew = 86401",
        "`clock_skew` must be a number of seconds, 0 to 86400.",
    ),
    "text as a list": ("keys = 'me'", "`keys` must be a list"),
    "a number as a key": ("keys = [1]", "`keys` must be a list"),
    "no seat's number": (f"keys = ['{KEY}']\nseats = {{x = '{SEAT}'}}", "no number from 0 to 15"),
    "a seat too many": (f"keys = ['{KEY}']\nseats = {{16 = '{SEAT}'}}", "no number from 0 to 15"),
    "a seat's key cut": (f"keys = ['{KEY}']\nseats = {{1 = '{SEAT[1:]}'}}", "seat 1: the key must"),
    "a weak key": (f"keys = ['{KEY}']\nseats = {{1 = '{'00' * 32}'}}", "seat 1: the key must be"),
    "a key as a number": (f"keys = ['{KEY}']\nseats = {{1 = 5}}", "`seats` must be a table"),
    "seats in a list": (f"keys = ['{KEY}']\nseats = ['{SEAT}']", "`seats` must be a table"),
    "a number as a name": (f"keys = ['{KEY}']\norigin = 1", "`origin` must be the log's name"),
    "a key as witnesses": (f"keys = ['{KEY}']\nwitnesses = 'x'", "`witnesses` must be a list"),
    "no month": (f"keys = ['{KEY}']\norigin = 2000-13-01", "the policy is no TOML"),
    "a huge number": (
        f"keys = ['{KEY}']\nwitnesses_needed = {'9' * 5_000}",
        "out of bounds",
    ),
    "no key": ("keys = ['me']", "`keys`, entry 1: this is no Ed25519 verifier key"),
    "a damaged key": (f"keys = ['{KEY[:-3]}A=']", "`keys`, entry 1: "),
    "a key twice": (f"keys = ['{KEY}', '{KEY}']", "`keys`, entry 2: this key stands there twice"),
    "a witness among the keys": (
        f"keys = ['{WITNESS_KEY}']",
        f"`keys`, entry 1: {WITNESS.public.id} is a witness's key, not an operator's key",
    ),
    "a key among the witnesses": (
        f"keys = ['{KEY}']\nwitnesses = ['{KEY}']",
        f"`witnesses`, entry 1: {OPERATOR.public.id} is an operator's key, not a witness's key",
    ),
    "too few witnesses": (
        f"keys = ['{KEY}']\nwitnesses_needed = 2\nwitnesses = ['{WITNESS_KEY}']",
        "`witnesses_needed` is 2, but `witnesses` names 1",
    ),
}


@looped("name", REFUSED)
def test_a_policy_that_makes_no_sense(name: str, tmp_path: Path) -> None:
    text, words = REFUSED[name]
    with pytest.raises(PolicyError) as refusal:
        read(tmp_path, text)

    assert words in str(refusal.value)
    assert str(refusal.value).startswith(f"{tmp_path / 'policy.toml'}: ")
    assert "$" not in str(refusal.value)
    assert "Expected `" not in str(refusal.value)


def test_a_private_key_is_not_repeated(tmp_path: Path) -> None:
    private = OPERATOR.text()
    with pytest.raises(PolicyError) as refusal:
        read(tmp_path, f"keys = ['{private}']")

    assert private[-40:] not in str(refusal.value)
    assert "entry 1: this is a private key, which nobody else may ever see" in str(refusal.value)


def test_a_policy_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="the policy cannot be read: Is a directory"):
        read_policy(str(tmp_path))
    with pytest.raises(PolicyError, match="the policy cannot be read: No such file"):
        read_policy(str(tmp_path / "missing.toml"))
