"""Policies: what a file may say, and that anything else is a sentence."""

from pathlib import Path

import pytest

from replay.policy import LARGEST, Policy, PolicyError, read_policy
from tests.replay.staged import OPERATOR, STRANGER, WITNESS

KEY, WITNESS_KEY = str(OPERATOR.public), str(WITNESS.public)


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
        require = ["receipts", "checkpoint", "finished", "signatures"]
        """,
    )

    assert policy == Policy(
        source=str(tmp_path / "policy.toml"),
        keys=(OPERATOR.public, STRANGER.public),
        origin="example.org/games",
        witnesses=(WITNESS.public,),
        witnesses_needed=1,
        require=frozenset({"receipts", "checkpoint", "finished", "signatures"}),
    )


def test_the_shortest_policy(tmp_path: Path) -> None:
    policy = read(tmp_path, f'keys = ["{KEY}"]')

    assert (policy.origin, policy.witnesses, policy.witnesses_needed) == ("", (), 0)
    assert policy.require == frozenset()


REFUSED = {
    "no keys": ("origin = 'x'", "missing required field `keys`"),
    "an empty list of keys": ("keys = []", "length >= 1"),
    "no TOML": ("keys = [", "the policy is no TOML"),
    "no UTF-8": (b"keys = ['\xff']", "the policy is no UTF-8 text"),
    "deep nesting": (b"keys = " + b"[" * 5_000, "the policy is nested too deeply"),
    "too large": (b"#" * (LARGEST + 1), "at most 1,048,576 bytes"),
    "a misspelt field": (f"keys = ['{KEY}']\nrequires = []", "unknown field `requires`"),
    "an unknown requirement": (f"keys = ['{KEY}']\nrequire = ['receipt']", "'receipt'"),
    "a number as text": (f"keys = ['{KEY}']\nwitnesses_needed = '1'", "`int`"),
    "fewer than none": (f"keys = ['{KEY}']\nwitnesses_needed = -1", ">= 0"),
    "no key": ("keys = ['me']", "`keys`, entry 1: this is no Ed25519 verifier key"),
    "a damaged key": (f"keys = ['{KEY[:-3]}A=']", "`keys`, entry 1: "),
    "a key twice": (f"keys = ['{KEY}', '{KEY}']", "`keys`, entry 2: this key stands there twice"),
    "a witness among the keys": (
        f"keys = ['{WITNESS_KEY}']",
        f"{WITNESS.public.id} is a key of another kind, for `witnesses`",
    ),
    "a key among the witnesses": (
        f"keys = ['{KEY}']\nwitnesses = ['{KEY}']",
        f"{OPERATOR.public.id} is a key of another kind, for `keys`",
    ),
    "too few witnesses": (
        f"keys = ['{KEY}']\nwitnesses_needed = 2\nwitnesses = ['{WITNESS_KEY}']",
        "`witnesses_needed` is 2, but `witnesses` names 1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_policy_that_makes_no_sense(name: str, tmp_path: Path) -> None:
    text, words = REFUSED[name]
    with pytest.raises(PolicyError) as refusal:
        read(tmp_path, text)

    assert words in str(refusal.value)
    assert str(refusal.value).startswith(f"{tmp_path / 'policy.toml'}: ")


def test_a_private_key_is_not_repeated(tmp_path: Path) -> None:
    private = OPERATOR.text()
    with pytest.raises(PolicyError) as refusal:
        read(tmp_path, f"keys = ['{private}']")

    assert private[-40:] not in str(refusal.value)


def test_a_policy_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="the policy cannot be read: Is a directory"):
        read_policy(str(tmp_path))
    with pytest.raises(PolicyError, match="the policy cannot be read: No such file"):
        read_policy(str(tmp_path / "missing.toml"))
