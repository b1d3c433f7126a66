"""The corpus of forgeries judged by both verifiers, as in docs/reference/forgeries.csv."""

import csv
import os
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

DOCUMENT = Path(__file__).parents[4] / "docs" / "reference" / "forgeries.csv"


def written() -> list[list[str]]:
    """The rows of the file, each the group of a forgery, its kind and maker, and four codes."""
    with DOCUMENT.open(newline="") as file:
        return [*csv.reader(file)]


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
    """And the file says so: write it anew with ``GOLDEN=write``, and read the difference."""
    rows, wrong = [], []
    for forgery in CORPUS[title]():
        alone, held, page_alone, page_held = verdicts(page, forgery)
        codes = (code or "none" for code in (alone, held, page_alone, page_held))
        rows.append([title, forgery.kind, forgery.forger, *codes])
        agree = (bool(alone), bool(held)) == (bool(page_alone), bool(page_held))
        if not held or not agree or is_lacking(held) != is_lacking(page_held):
            wrong.append(rows[-1])
    assert wrong == []

    if os.environ.get("GOLDEN") == "write":
        groups = {name: [row for row in written() if row[0] == name] for name in ("group", *CORPUS)}
        with DOCUMENT.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows(row for group in (groups | {title: rows}).values() for row in group)
    assert [row for row in written() if row[0] == title] == rows


def test_each_kind_stands_once() -> None:
    kinds = Counter((kind, maker) for _, kind, maker, *_ in written())
    assert [kind for kind, times in kinds.items() if times > 1] == []
