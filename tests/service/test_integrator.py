"""docs/tutorials/integrator.md, typed as it stands by somebody who has nothing else."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest
from playwright.sync_api import Browser

from phaseledger.service.settings import Settings
from tests.support import forked
from tests.support.children import run
from tests.support.ports import await_connection, free_port
from tests.support.screens import fresh_page
from tests.support.service.nodes import await_ready
from tests.support.service.processes import environment

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorials" / "integrator.md"
PORTS = ("8000", "8001", "8080")
BLOCK = re.compile(r"```(bash|python|html)\n(.*?)```", re.DOTALL)
NAMED = re.compile(r"`([\w/]+\.(?:py|html))`:\s+\Z")

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not shutil.which("curl"), reason="curl is missing: apt-get install curl"),
]


def typed(text: str, folder: Path) -> list[str]:
    """What is typed into terminals, in order; the files are written into the folder."""
    lines = []
    for block in BLOCK.finditer(text):
        if block[1] == "bash":
            lines.append(block[2])
            continue
        name = NAMED.search(text[: block.start()])
        assert name, block[2]
        path = folder / name[1]
        path.parent.mkdir(exist_ok=True)
        path.write_text(block[2])
    return lines


@contextmanager
def until_the_end(process: "Popen[bytes]") -> Iterator["Popen[bytes]"]:
    """A process that is ended after the block."""
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def test_a_key_leads_to_a_rated_game_and_a_table_in_a_page(
    settings: Settings, browser: Browser, tmp_path: Path
) -> None:
    text = PAGE.read_text()
    home = tmp_path / "home"
    home.mkdir()
    for name, words in (("phaseledger", f"-m {forked.MAIN}"), ("python3", "")):
        (tmp_path / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (tmp_path / name).chmod(0o755)
    given = environment(settings) | {"PYTHONPATH": str(ROOT)}
    given["PATH"] = f"{tmp_path}:{given['PATH']}"
    with free_port() as service, free_port() as operator, free_port() as site:
        for port, own in zip(PORTS, (service, operator, site), strict=True):
            text = text.replace(port, str(own))
        given["PHASELEDGER_ADMIN_PORT"] = str(operator)  # which 8001 is by itself
        serve, *lines = typed(text, home)
        serve = serve.replace("serve", f"serve --port {service}")
        *asked, shown = "".join(lines).strip().splitlines()
        with until_the_end(
            Popen(["bash", "-c", f"exec env {serve}"], env=given, cwd=home)
        ) as started:
            await_ready(started, service)
            script = "set -euo pipefail\n" + "\n".join(asked)
            done = run(["bash", "-c", script], cwd=home, env=given)
            assert done.returncode == 0, done.stderr + done.stdout
            answers = [json.loads(line) for line in re.findall(r"{.*?}(?={|\n|$)", done.stdout)]
            (rating,) = next(answer["ratings"] for answer in answers if "ratings" in answer)
            assert (rating["ruleset"], rating["games"]) == ("classic@1", 1)
            with (
                until_the_end(Popen(["bash", "-c", f"exec {shown}"], env=given, cwd=home)),
                fresh_page(browser, has_axe=False) as page,
            ):
                await_connection(f"http://127.0.0.1:{site}")
                page.goto(f"http://localhost:{site}")
                page.frames[-1].wait_for_selector(".own .hand .card")
