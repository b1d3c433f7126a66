"""Pages of the viewer in Chromium, and its modules by themselves."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Browser, Page

from phaseledger.domain.words import LANGUAGES, texts
from phaseledger.replay.web.joiner import WEB, offline_page, script, words_tables
from tests.support.browser import PATIENCE


class Viewer(NamedTuple):
    """The viewer in a browser, opened from a file."""

    page: Page
    requests: list[str]
    """Addresses that it asked for beside its own."""
    complaints: list[str]
    """What it threw, wrote to the console, or was refused by its policy."""

    def go(self, seq: int) -> None:
        """Go to an event by the address, as somebody who was sent a link does."""
        self.page.evaluate("(seq) => { location.hash = `event=${seq}` }", seq)
        self.page.wait_for_function(
            "(seq) => document.querySelector('.scrubber input').value === String(seq)", arg=seq
        )

    def at(self) -> int:
        """The event that is shown."""
        return int(self.page.input_value(".scrubber input"))

    def seated(self, chair: str) -> None:
        """Take a chair and wait until it is taken."""
        self.page.select_option(".choices select >> nth=1", chair)
        self.page.wait_for_function(
            "(chair) => document.querySelector('.view').dataset.chair === chair", arg=chair
        )


@contextmanager
def viewing(browser: Browser, file: Path, address: str = "", **context: Any) -> Iterator[Viewer]:
    """The viewer that lies in the file, opened with that address.

    Raises:
        AssertionError: at the end, if it has asked for anything, or complained.

    """
    window = browser.new_context(**context)
    window.set_default_timeout(PATIENCE)
    page = window.new_page()
    viewer = Viewer(page, [], [])
    page.on("request", lambda request: viewer.requests.append(request.url))
    page.on("pageerror", lambda error: viewer.complaints.append(str(error)))
    page.on("console", lambda message: viewer.complaints.append(message.text))
    own = file.as_uri()
    page.goto(own + address)
    yield viewer
    asked = [url for url in viewer.requests if url.split("#")[0] != own]
    window.close()
    assert asked == []
    assert viewer.complaints == []


@contextmanager
def modules(browser: Browser, folder: Path, *names: str) -> Iterator[Page]:
    """Modules of the viewer in a blank page, as one object ``web`` of all that they export."""
    entry = folder / "entry.js"
    lines, exports = [], []
    for name in names:
        exported = re.findall(r"^export (?:async )?(?:function|const|class) (\w+)",
                           (WEB / name).read_text(), re.MULTILINE)  # fmt: skip
        path = os.path.relpath((WEB / name).resolve(), folder.resolve())
        lines.append(f'import {{ {", ".join(exported)} }} from "{Path(path).as_posix()}";')
        exports += exported
    entry.write_text("\n".join([*lines, f"window.web = {{ {', '.join(exports)} }};\n"]))
    window = browser.new_context()
    window.set_default_timeout(PATIENCE)
    page = window.new_page()
    words = {lang: texts(lang, "viewer.", "play.", "analysis.") for lang in LANGUAGES}
    page.add_script_tag(content=script(entry, [folder], words_tables(words)))
    yield page
    window.close()


@contextmanager
def opened(
    browser: Browser, folder: Path, data: dict[str, Any], address: str = "", **context: Any
) -> Iterator[Viewer]:
    """The viewer of a document, written into the folder and opened with that address."""
    file = folder / "game.html"
    file.write_text(offline_page(msgspec.json.encode(data), str(data.get("title", ""))))
    with viewing(browser, file, address, **context) as viewer:
        yield viewer
