"""The line of a request in the log, made by hand, beside what the processors make."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from phaseledger.service.runtime import logs
from phaseledger.service.runtime.logs import REQUEST, configure, log_request


@pytest.fixture
def stderr(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], list[str]]]:
    """What a process writes that has configured its logs: the lines since the last call."""
    before = structlog.get_config()
    configure()
    yield lambda: capsys.readouterr().err.splitlines()
    structlog.configure(**before)


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics"])
def test_probes_are_logged_where_debugging_is_asked_for(
    path: str, stderr: Callable[[], list[str]]
) -> None:
    log_request("GET", path, 200, 0.001)
    assert stderr() == []
    configure("debug")
    log_request("GET", path, 200, 0.001)
    (line,) = stderr()
    assert (json.loads(line)["level"], json.loads(line)["path"]) == ("debug", path)
    configure("warning")
    log_request("GET", "/v1/games", 200, 0.001)
    assert stderr() == []


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (f"/v1/p10h_{'0a' * 36}/x", "/v1/p10h_.../x"),
        ('/p10s_0a"\u00e4', '/p10s_..."\u00e4'),
        ("/play/join/K7QM-2XPA", "/play/join/..."),
    ],
)
def test_no_line_has_a_token_or_a_join_code(
    path: str, shown: str, stderr: Callable[[], list[str]]
) -> None:
    log_request("GET", path, 404, 0.001)
    assert [json.loads(line)["path"] for line in stderr()] == [shown]


def test_a_wait_is_told_seldom_and_how_often_it_was_left_out(
    stderr: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    configure()  # anew, to where this test prints
    now = 100.0
    monkeypatch.setattr(logs.time, "monotonic", lambda: now)
    log = structlog.get_logger()
    for game in range(3):
        log.warning("bot waits for the log", game=game)
        log.warning("The views wait for the database: away")
        log.error("bot failed", game=game)
    lines = [json.loads(line) for line in stderr()]
    assert [(line["event"], line.get("game")) for line in lines] == [
        ("bot waits for the log", 0),
        ("The views wait for the database: away", None),
        *(("bot failed", game) for game in range(3)),
    ]
    now += logs.SELDOM
    for game in (3, 4):
        log.warning("bot waits for the log", game=game)
    (line,) = map(json.loads, stderr())
    assert (line["game"], line["repeated"]) == (3, 2)


def test_libraries_log_in_the_same_form() -> None:
    """In a process of its own: this one's logs are pytest's."""
    code = """
import logging
import structlog
from phaseledger.service.runtime.logs import configure
configure()
logging.getLogger("psycopg.pool").warning("gone: %s", "the database")
logging.getLogger("psycopg.pool").warning("%d rows", "some")
structlog.get_logger().error("failed", path="/v1/games/p10s_0a0a")
try:
    raise ValueError("R5 B6")
except ValueError:
    logging.getLogger("asyncio").exception("a task failed")
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    gone, unfit, own, failed = map(json.loads, run.stderr.splitlines())
    assert (gone["event"], gone["level"]) == ("gone: the database", "warning")
    assert unfit["event"] == "%d rows ('some',)"
    assert own["path"] == "/v1/games/p10s_..."
    assert (failed["error"], "R5 B6" in run.stderr) == ("ValueError", False)


@pytest.mark.parametrize(
    ("path", "request_id"),
    [("/v1/games/x/commands", ""), ('/a"b\\c\x1b[31m/ä', "the-same"), ("/\udc80", "the-same")],
    ids=["plain", "odd", "no text"],
)
def test_the_line_of_a_request_is_that_of_the_processors(
    path: str, request_id: str, stderr: Callable[[], list[str]]
) -> None:
    token = REQUEST.set(request_id)
    try:
        log_request("POST", path, 200, 0.001_234)
        made: Any = {"method": "POST", "path": path, "status": 200, "ms": 1.23, "event": "request"}
        for processor in structlog.get_config()["processors"]:
            made = processor(None, "info", made)
    finally:
        REQUEST.reset(token)

    lines = [re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "TIME", line) for line in (*stderr(), made)]
    assert len(lines) == 2
    assert json.loads(lines[0]) == json.loads(lines[1])
    assert list(json.loads(lines[0])) == list(json.loads(lines[1]))
    assert lines[0].isascii()


def test_a_line_goes_through_the_processors_where_these_are_others() -> None:
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.BoundLogger)
    try:
        with structlog.testing.capture_logs() as logs:
            log_request("GET", "/", 404, 0.5)
    finally:
        structlog.configure(**before)
    assert logs == [
        {"event": "request", "log_level": "info", "method": "GET", "path": "/", "status": 404}
        | {"ms": 500.0}
    ]
