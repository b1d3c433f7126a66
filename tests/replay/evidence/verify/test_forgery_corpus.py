"""The corpus of forgeries judged by `verify` and by the page, as in docs/reference/forgeries.md."""

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest

from phaseledger.replay.evidence.verify.codes import CODES, TOO_LITTLE, AnyCode
from tests.support.browser import Verifier, codes
from tests.support.replay.bundle_mutations import judged
from tests.support.replay.forgery_corpus import CORPUS, Forgery
from tests.support.replay.page_grades import judged_by_page

pytestmark = pytest.mark.system

DOCUMENT = Path(__file__).parents[4] / "docs" / "reference" / "forgeries.md"
HEADER = (
    *("kind", "made by", "`verify` alone", "with policy and receipts"),
    *("page", "with policy and receipts"),
)


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def verdicts(page: Verifier, forgery: Forgery) -> tuple[str, str, str, str]:
    """The first code of `verify` without and with a policy and receipts, and those of the page."""
    alone = judged(forgery.lines, policy=None)
    held = judged(forgery.lines, forgery.held, forgery.policy)
    return (
        next(iter(alone.codes), ""),
        next(iter(held.codes), ""),
        on_the_page(judged_by_page(page, forgery.lines)),
        on_the_page(judged_by_page(page, forgery.lines, forgery.policy, forgery.held)),
    )


def on_the_page(answer: dict[str, Any]) -> str:
    """The first code of the page; of what a policy asks for, that of `verify`."""
    return next(iter([*codes(answer), *(code for code, _, _ in answer.get("lacks") or ())]), "")


def is_lacking(code: str) -> bool:
    """Whether nothing is wrong, but a policy asks for more."""
    return code in CODES and CODES[cast(AnyCode, code)].exit_code == TOO_LITTLE


@pytest.mark.parametrize("title", CORPUS)
def test_both_verifiers_refuse_what_is_forged(page: Verifier, title: str) -> None:
    """And the document says so: write it anew with ``GOLDEN=write``, and read the difference."""
    rows, wrong = [row(*HEADER), row(*["---"] * len(HEADER))], []
    for forgery in CORPUS[title]():
        alone, held, page_alone, page_held = verdicts(page, forgery)
        rows.append(
            row(
                forgery.kind,
                forgery.forger,
                *(code or "none" for code in (alone, held, page_alone, page_held)),
            )
        )
        agree = (bool(alone), bool(held)) == (bool(page_alone), bool(page_held))
        if not held or not agree or is_lacking(held) != is_lacking(page_held):
            wrong.append(rows[-1])
    assert wrong == []

    document = DOCUMENT.read_text()
    before, after = re.split(rf"(?<=## {title}\n\n)(?:\|.*\n)+", document)
    if os.environ.get("GOLDEN") == "write":
        DOCUMENT.write_text(before + "\n".join(rows) + "\n" + after)
    assert DOCUMENT.read_text() == before + "\n".join(rows) + "\n" + after


def test_each_kind_stands_once() -> None:
    kinds = re.findall(r"^\| (.*? \| .*?) \|", DOCUMENT.read_text(), re.MULTILINE)
    assert {kind for kind, times in Counter(kinds).items() if times > 1} == {
        "kind | made by", "--- | ---",
    }  # fmt: skip
