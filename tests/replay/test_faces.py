"""The public modules `phaseledger.audit` and `phaseledger.verify`: their usages work."""

from pathlib import Path

import pytest

from phaseledger.replay.formats.signing.notes import SigningKey
from tests.support.installation import usage
from tests.support.replay.bundles import game, good


def test_the_usages_work_on_a_good_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.ndjson").write_bytes(b"\n".join(game("classic")) + b"\n")
    Path("game.bundle").write_bytes(b"".join(good()))
    Path("club.toml").write_text(f'keys = ["{SigningKey.new("club.example").public}"]\n')
    exec(usage("audit"), {})
    assert capsys.readouterr().out.endswith(" sound\n")
    exec(usage("verify"), {})
    assert capsys.readouterr().out.startswith("operator "), "the policy names another key"
