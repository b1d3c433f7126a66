"""What the tests of the built project share."""

from pathlib import Path

import pytest

from tests.support.installation import build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))
