"""A person signs in by an issuer that others have written and the OpenID Foundation certified."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from phaseledger.service.app import in_postgres
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.settings import Settings
from tests.support.node import node_modules
from tests.support.ports import free_port
from tests.support.service.oidc_issuer import CLIENT, SECRET, OidcIssuer
from tests.support.service.server import serving
from tests.support.service.signed_in import oidc_settings

pytestmark = pytest.mark.system
PROGRAM = Path(__file__).parents[2] / "node" / "oidc_issuer.mjs"


@contextmanager
def certified(folder: Path, port: int, redirect: str) -> Iterator[str]:
    """`oidc-provider` on that port; gives its address."""
    (folder / "node_modules").symlink_to(node_modules())
    program = shutil.copy(PROGRAM, folder)
    command = ["node", program, str(port), CLIENT, SECRET, redirect]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as issuer:
        try:
            assert issuer.stdout is not None
            assert any("listening" in line for line in issuer.stdout)
            yield f"http://127.0.0.1:{port}"
        finally:
            issuer.kill()


def test_a_person_signs_in(browser: Browser, settings: Settings, tmp_path: Path) -> None:
    open_sealing(settings)
    secret = Path(settings.keys_dir) / "oidc.secret"
    secret.write_text(SECRET)
    secret.chmod(0o600)
    folder = tmp_path / "issuer"
    folder.mkdir()
    with free_port() as port, free_port() as issuers_port:
        origin = f"http://127.0.0.1:{port}"
        with certified(folder, issuers_port, f"{origin}/play/signed-in") as issuer:
            own = replace(settings, **oidc_settings(OidcIssuer(issuer), origin))
            with serving(in_postgres(own), at=port) as served:
                page = browser.new_page()
                page.goto(f"{served.url}/play")
                page.click("text=Sign in")
                page.fill("[name=login]", "Ada")
                page.fill("[name=password]", "any")
                page.click("[type=submit]")
                page.click("[type=submit]")  # consent
                page.wait_for_selector(".signed-in:has-text('Ada of the club')")
                page.close()
