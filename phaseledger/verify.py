"""Verification of a game from its bundle, without its server, store or network.

::

    from phaseledger.verify import read_bundle, read_policy, verify

    policy = read_policy("club.toml")  # the operator's keys, and the evidence that is asked for
    (examined,) = verify([read_bundle("game.bundle")], policy)
    print(examined.judgement.conclusion, examined.judgement.headline)
    for problem in examined.judgement.problems:
        print(problem.code, problem.seq, problem.text)

`verify` gives a `Judgement` for each bundle, with the fields of ``phaseledger verify --json``.
Without a `Policy` a bundle is held against its own keys. `DamagedSource` is raised for a file that
is no bundle, `PolicyError` for a policy that cannot be used. docs/reference/evidence.md is the
format.
"""

from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy, PolicyError, read_policy
from phaseledger.replay.evidence.verify.verify import ExaminedBundle, verify
from phaseledger.replay.formats.bundle.reader import Bundle, parse_bundle, read_bundle
from phaseledger.replay.formats.records.source import DamagedSource

__all__ = [
    "Bundle",
    "DamagedSource",
    "ExaminedBundle",
    "Judgement",
    "Policy",
    "PolicyError",
    "parse_bundle",
    "read_bundle",
    "read_policy",
    "verify",
]
