"""The README's quick start runs as it stands, against a running service."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.service.conftest import Served

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_the_quick_start_runs(served: Served, tmp_path: Path) -> None:
    """Every line succeeds, and the events at its end hold the draw."""
    (lines,) = re.findall(r"<!-- quick start.*?```bash\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(lines.strip().splitlines()) == 10
    script = "set -euo pipefail\n" + lines.replace("http://127.0.0.1:8000", served.url)
    ran = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        timeout=60,
    )

    assert ran.returncode == 0, ran.stderr + ran.stdout
    assert '"type":"CardDrawn/1"' in ran.stdout.splitlines()[-1]
