"""The pages installed on a phone: a manifest that a browser takes, and icons."""

import httpx2
from playwright.sync_api import Browser

from tests.support.service.server import Served
from tests.support.service.table_pages import window

SIZE = """async (url) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  return `${image.naturalWidth}x${image.naturalHeight}`;
}"""


def test_a_browser_may_install_the_pages(browser: Browser, served: Served) -> None:
    """Chromium finds no fault with the manifest, and each icon is what it says."""
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play")
        session = page.context.new_cdp_session(page)
        manifest = session.send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert manifest["manifest"]["startUrl"] == f"{served.url}/play"
        assert manifest["manifest"]["scope"] == f"{served.url}/play"
        assert "Standalone" in manifest["manifest"]["display"]
        faults = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert {fault["errorId"] for fault in faults} <= {"in-incognito"}  # as tests' windows are
        for icon in httpx2.get(manifest["url"]).json()["icons"]:
            address = f"{served.url}/play/{icon['src']}"
            assert httpx2.get(address).headers["content-type"] == icon["type"]
            if icon["sizes"] != "any":
                assert page.evaluate(SIZE, address) == icon["sizes"]
