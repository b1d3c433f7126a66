"""A new language is one file and one line: the whole product speaks it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
QUOTED = re.compile(r'^(msgstr(?:\[\d\])? )"(.*)"$', re.MULTILINE)


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the program that has a language of brackets, ``xx``."""
    folder = tmp_path_factory.mktemp("extended")
    package = folder / "phaseledger"
    shutil.copytree(ROOT / "phaseledger", package, ignore=shutil.ignore_patterns("__pycache__"))
    words = package / "domain" / "words"
    english = (words / "en.po").read_text()
    head, _, entries = english.partition("\n\n")
    entries = QUOTED.sub(r'\1"⟦\2⟧"', entries).replace('"⟦,⟧"', '","').replace('"⟦.⟧"', '"."')
    (words / "xx.po").write_text(head.replace("Language: en", "Language: xx") + "\n\n" + entries)
    module = words / "__init__.py"
    before, after = 'Literal["en", "de", "fr"]', 'Literal["en", "de", "fr", "xx"]'
    assert before in module.read_text()
    module.write_text(module.read_text().replace(before, after))
    return folder


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


COMMAND = "from phaseledger.service.cli.entry import main; main()"
PAGES = """
from phaseledger.replay.evidence.verify.verifier_page import verifier_page
from phaseledger.service.api.problems.details import REFUSALS, problem
from phaseledger.service.api.routes.play import _FILES
from phaseledger.service.web.assets import words
print(problem(REFUSALS["game_over"], "seat 2", instance="/", lang="xx").detail)
print(verifier_page().decode().count('<option value="xx" lang="xx">'), "words.xx.json" in _FILES)
print(words("xx").plain.decode()[:30])
"""


@pytest.mark.untraced
def test_the_product_speaks_it(extended: Path) -> None:
    sheet = run(extended, "-c", COMMAND, "rules", "show", "classic", "--lang", "xx")
    assert sheet.startswith("⟦")
    refused, page, words = run(extended, "-c", PAGES).splitlines()
    assert refused == "⟦⟦The game is over.: seat 2.⟧"
    assert page == "1 True"
    assert "⟦" in words
