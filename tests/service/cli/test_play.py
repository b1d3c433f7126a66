"""`phaseledger play` from outside: it serves the tables, and opens the browser there."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from phaseledger.service.cli.serve import http_address
from tests.support import forked
from tests.support.children import finished
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.api_tables import BOT, PERSON

PHASELEDGER = [sys.executable, "-m", "phaseledger.service.cli.main"]
GAME = "00000000-0000-8000-8000-000000000000"


def environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PHASELEDGER_")}
    return {**kept, **more}


@pytest.mark.system
def test_the_browser_is_opened_where_others_of_the_network_can_open_tables(
    short_dir: Path,
) -> None:
    opened, browser = short_dir / "opened", short_dir / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o700)
    with free_port() as port:
        options = {"--data-dir": short_dir, "--port": port, "--host": "0.0.0.0"}
        command = [
            *PHASELEDGER,
            "play",
            GAME,
            *(str(word) for pair in options.items() for word in pair),
        ]
        played = subprocess.Popen(
            command,
            env=environment(BROWSER=f"{browser} %s"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        eventually(opened.exists)
        address = opened.read_text()
        service, _, path = address.partition("/play")
        assert (service.endswith(f":{port}"), path) == (True, f"/g/{GAME}")
        opening = {"ruleset": "classic", "seats": [PERSON, BOT]}
        assert httpx2.post(f"{service}/v1/games", json=opening).status_code == 201
        assert "<title>phaseledger</title>" in httpx2.get(address).text
        played.send_signal(signal.SIGTERM)
        _, output = finished(played)
    assert f"The tables are at {address}\n" in output


def test_an_address_can_be_opened_as_it_is_written() -> None:
    for host, written in {"::1": "[::1]", "10.0.0.1": "10.0.0.1", "a.b": "a.b"}.items():
        assert http_address(host, 8000) == f"http://{written}:8000"


def test_where_the_pages_are_off_there_is_nothing_to_show() -> None:
    refused = forked.phaseledger("play", "--no-open", env=environment(PHASELEDGER_WEB="false"))
    assert refused.returncode == 2
    assert "PHASELEDGER_WEB is off" in refused.stderr
