"""`phaseledger --version`: the release, and whether its kernel is compiled."""

import pytest

import phaseledger
from phaseledger.service.cli import main


@pytest.mark.parametrize(("is_compiled", "kernel"), [(True, "compiled"), (False, "plain")])
def test_version(
    is_compiled: bool,
    kernel: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(main, "is_compiled", lambda: is_compiled)
    main.app(["--version"], result_action="return_value")
    assert capsys.readouterr().out.strip() == f"{phaseledger.__version__} ({kernel} kernel)"
