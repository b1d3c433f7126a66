"""`phaseledger --version`: the release, and whether its rules are compiled."""

from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path

import pytest

import phaseledger
from phaseledger.service.cli.main import app

RELEASE = phaseledger.__version__


def decide_at(file: Path) -> ModuleSpec:
    spec = spec_from_file_location("phaseledger.domain.decide", file)
    assert spec
    return spec


@pytest.mark.parametrize(
    ("suffix", "shown"),
    [
        (".py", phaseledger.__version__),
        (EXTENSION_SUFFIXES[0], f"{phaseledger.__version__} (compiled)"),
    ],
)
def test_version(
    suffix: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    spec = decide_at(tmp_path / f"decide{suffix}")
    monkeypatch.setattr(phaseledger, "find_spec", {"phaseledger.domain.decide": spec}.get)
    app(["--version"], result_action="return_value")
    assert capsys.readouterr().out.strip() == shown
