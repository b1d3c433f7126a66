"""`phaseledger --version`: the release."""

import pytest

import phaseledger
from phaseledger.service.cli.main import app


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    app(["--version"], result_action="return_value")
    assert capsys.readouterr().out.strip() == phaseledger.__version__
