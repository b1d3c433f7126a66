"""The verdict of the page in the browser, held against that of `phaseledger verify`."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict

from phaseledger.domain.words import Language, spoken
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.codes import CODES, TOO_LITTLE
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.headline import headline
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.browser import Verifier


def written(policy: Policy) -> str:
    """The policy as the file that an auditor writes."""
    fields: dict[str, object] = {
        "keys": [str(key) for key in policy.keys],
        "origin": policy.origin,
        "witnesses": [str(key) for key in policy.witnesses],
        "witnesses_needed": policy.witnesses_needed,
        "clock_skew": policy.clock_skew,
        "require": sorted(policy.require),
        "times": policy.times,
        "secrets": policy.secrets,
        "moves": policy.moves,
        "bots": policy.bots,
        "players": sorted(policy.players),
    }
    seats = ", ".join(f'{seat} = "{key}"' for seat, key in policy.seats.items())
    lines = [f"{name} = {msgspec.json.encode(value).decode()}" for name, value in fields.items()]
    return "\n".join([*lines, f"seats = {{{seats}}}", ""])


def judged_without_bots(
    lines: Sequence[bytes], policy: Policy | None = None, kept: Sequence[Receipt] = ()
) -> Judgement:
    """What `phaseledger verify --no-bots` says."""
    files = [KeptReceipt("mine", number, receipt) for number, receipt in enumerate(kept, 1)]
    (examined,) = verify([parse_bundle(lines, "file")], policy, files, bots=False)
    return examined.judgement


def judged_by_page(
    page: Verifier,
    lines: Sequence[bytes],
    policy: Policy | None = None,
    kept: Sequence[Receipt] = (),
) -> dict[str, Any]:
    """What the page says to the same files."""
    receipts = "".join(msgspec.json.encode(receipt).decode() + "\n" for receipt in kept)
    return page.verify(b"".join(lines), receipts or None, written(policy) if policy else None)


def agree(answer: dict[str, Any], judgement: Judgement) -> None:
    """Hold the page's answer against the judgement of `verify --no-bots` of the same files.

    Raises:
        AssertionError: one of the two says more than the other, another deed of an operator, or
            something in other words of German or French.

    """
    assert answer["grade"] == judgement.grade
    codes = {problem.code for problem in judgement.problems}
    if judgement.facets is None:
        assert not answer["ok"]
        return
    assert answer["facets"] == asdict(judgement.facets)
    assert answer["headline"] == judgement.headline
    for lang, translation in answer["said"].items():
        spoken = headline(judgement, lang)
        assert translation["headline"] == spoken
        _agree_on_claims(judgement, answer["lacks"], translation["lacks"], lang)
    assert {CODES[code].exit_code for code in codes} <= {TOO_LITTLE}
    assert {code for code, _, _ in answer["lacks"]} == codes


def _agree_on_claims(
    judgement: Judgement, english: list[list[str]], other: list[list[str]], lang: Language
) -> None:
    """Hold what a policy lacks, in another language, against what `verify --lang` says of it."""
    due = {
        (problem.code, text): spoken(text, lang)
        for problem in judgement.problems
        for text in (problem.expected, problem.recorded)
    }
    for (code, *claims), (other_code, *others) in zip(english, other, strict=True):
        assert code == other_code
        pairs = zip(claims, others, strict=True)
        assert [pair for pair in pairs if due.get((code, pair[0]), pair[1]) != pair[1]] == []
