"""`phaseledger docs`: the documents on this machine."""

import os
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from phaseledger.service.cli.main import app
from phaseledger.service.web import guide
from tests.support.installation import ROOT
from tests.support.site import built_site


def test_the_documents_are_shown_without_a_network() -> None:
    site = built_site()
    command = [sys.executable, "-m", "phaseledger.service.cli.main", "docs", "--no-open"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, text=True) as shown:
        assert shown.stderr is not None
        front = shown.stderr.readline().split()[-1]
        page = httpx2.get(front)
        missing = httpx2.get(front.replace("index.html", "nonsense.html"))
        shown.terminate()
    assert page.content == (site / "index.html").read_bytes()
    assert page.headers["content-security-policy"].startswith("default-src 'none'; script-src")
    assert missing.status_code == 404


def test_a_checkout_without_them_says_how_they_are_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(guide, "SITE", tmp_path)
    with pytest.raises(SystemExit) as ended:
        app(["docs"])
    assert ended.value.code == 2
    assert "python3 dev.py docs" in capsys.readouterr().err
