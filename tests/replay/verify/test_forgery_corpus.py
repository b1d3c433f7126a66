"""The corpus of forgeries judged by `verify` and by the page, as in docs/forgeries.md."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.support.browser import Verifier, codes
from tests.support.replay.bundle_mutations import judged
from tests.support.replay.forgery_corpus import CORPUS, Forgery

DOCUMENT = Path(__file__).parents[3] / "docs" / "forgeries.md"
HEADER = ("kind", "made by", "`verify` alone", "with policy and receipts", "page")


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def verdicts(page: Verifier, forgery: Forgery) -> tuple[str, str, str]:
    """The first code of `verify` without and with a policy and receipts, and that of the page."""
    answer = page.verify(b"".join(forgery.lines))
    on_the_page = codes(answer)[0] if not answer["ok"] else ""
    alone, held = judged(forgery.lines, policy=None), judged(forgery.lines, forgery.held)
    return next(iter(alone.codes), ""), next(iter(held.codes), ""), on_the_page


@pytest.mark.parametrize("title", CORPUS)
def test_both_verifiers_refuse_what_is_forged(page: Verifier, title: str) -> None:
    """And the document says so: write it anew with ``GOLDEN=write``, and read the difference."""
    rows, wrong = [row(*HEADER), row(*["---"] * len(HEADER))], []
    for forgery in CORPUS[title]():
        alone, held, on_the_page = verdicts(page, forgery)
        rows.append(
            row(
                forgery.kind,
                forgery.forger,
                *(code or "none" for code in (alone, held, on_the_page)),
            )
        )
        if not held or bool(alone) != bool(on_the_page):
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
