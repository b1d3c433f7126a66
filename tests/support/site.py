"""The site of the documents, built as users have it."""

import fcntl
import sys
from functools import cache
from pathlib import Path

from tests.support.installation import ROOT, run


@cache
def built_site() -> Path:
    """The site, up to date; a page with a fault ends its build."""
    with (Path(sys.prefix) / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers wait for the first
        built = run(Path(sys.executable), ROOT, "hatch_build.py", "docs")
    assert built.returncode == 0, built.stderr
    return ROOT / "phaseledger" / "site"
