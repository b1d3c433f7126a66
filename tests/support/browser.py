"""Chromium, to run the page that checks bundles. It must not talk to anybody while it does."""

import asyncio
import base64
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

from phaseledger.replay.evidence.verify.verifier_page import SOURCES, page_of

REQUIRED = os.environ.get("PHASELEDGER_BROWSER") == "required"
PATIENCE = 100_000.0
"""Milliseconds after which a browser hangs."""
_NAMES = (
    "chromium-headless-shell",  # the same engine without windows: a third less of the processor
    *("chromium", "chromium-browser", "google-chrome", "chrome"),
)
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def executable() -> str | None:
    """The Chromium of ``PHASELEDGER_CHROMIUM`` or of the search path."""
    named = os.environ.get("PHASELEDGER_CHROMIUM")
    return named or next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, to be used while it is ``driven``.

    Where none is installed the test is skipped, or fails if required.
    """
    path = executable()
    if path is None:
        reason = "no Chromium here: apt-get install chromium-headless-shell"
        pytest.fail(reason) if REQUIRED else pytest.skip(reason)
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(
                executable_path=path, args=list(_FLAGS), timeout=PATIENCE
            )
        except Error as fault:
            pytest.fail(f"{path} does not start: {fault}")
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser
        asyncio._set_running_loop(loop)
        browser.close()


@contextmanager
def driven(browser: Browser) -> Iterator[Browser]:
    """The browser, with no page left open at the end.

    Playwright's own event loop counts as running in the block, so no other can. Outside of it
    tests run loops of their own, and the browser stays for the next block.
    """
    asyncio._set_running_loop(browser._loop)
    try:
        yield browser
    finally:
        try:
            for context in browser.contexts:
                context.close()
        finally:
            asyncio._set_running_loop(None)


class Verifier(NamedTuple):
    """The page in a browser."""

    page: Page
    requests: list[str]
    """Addresses that it asked for beside its own."""
    complaints: list[str]
    """What it threw or wrote to the console."""

    def verify(
        self,
        bundle: bytes,
        receipts: str | None = None,
        policy: str | None = None,
        sightings: str | None = None,
        *,
        others: bool = False,
    ) -> dict[str, Any]:
        """What ``judged`` answers to the bytes of a file, to kept receipts, to a policy, to
        kept sightings of the log; ``others`` than the operator kept the receipts. Under ``said``
        once more in each of the other languages.
        """
        answer: dict[str, Any] = self.page.evaluate(
            """async ([text, ...kept]) => {
              const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
              const answer = await judged(bytes, undefined, ...kept);
              const said = ["de", "fr"].map((lang) => [lang, answerIn(lang, answer)]);
              return { ...answerIn("en", answer), said: Object.fromEntries(said) };
            }""",
            [base64.b64encode(bundle).decode(), receipts, policy, sightings, others],
        )
        return answer

    def ask(self, function: str, *given: object) -> Any:
        """What a function of the page gives, or its promise."""
        return self.page.evaluate(f"(given) => ({function})(...given)", list(given))


def _entry(folder: Path) -> Path:
    """A module like the page's own that makes global the words and what all others export; `rules`
    has what the referee's export.
    """
    lines, given = list[str](), {"": "", "rules": ""}
    for number, path in enumerate(sorted(SOURCES.rglob("*.js"))):
        names = re.findall(
            r"^export (?:async )?(?:function|const|class) (\w+)", path.read_text(), re.MULTILINE
        )
        bound = [f"{name} as n{number}_{name}" for name in names]
        source = os.path.relpath(path.resolve(), folder.resolve())
        lines.append(f'import {{ {", ".join(bound)} }} from "{source}";')
        group = "rules" if path.parent.name == "referee" else ""
        given[group] += "".join(f"{name}: n{number}_{name}, " for name in names)
    own = f"{given['']} WORDS, rules: {{ {given['rules']} }}"
    lines.append(f"Object.assign(globalThis, {{ {own} }});")
    lines.append('globalThis.verifyBundle = async (file) => answerIn("en", await judged(file));')
    entry = folder / "entry.js"
    entry.write_text("\n".join(lines) + "\n")
    return entry


@cache
def _page() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return page_of(_entry(Path(folder)))


@contextmanager
def page_file() -> Iterator[Path]:
    """The page as the file that a player opens."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "verifier.html"
        file.write_bytes(_page())
        yield file


@contextmanager
def opened(browser: Browser, file: Path | None = None, script: str = "") -> Iterator[Verifier]:
    """The page, or another one, read from its file; ``script`` runs before its own.

    Raises:
        AssertionError: at the end, if the page has asked for anything but itself, or complained.

    """
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    if script:
        context.add_init_script(script)
    page = context.new_page()
    verifier = Verifier(page, [], [])
    page.on("request", lambda request: verifier.requests.append(request.url))
    page.on("pageerror", lambda error: verifier.complaints.append(str(error)))
    page.on("console", lambda message: verifier.complaints.append(message.text))
    with nullcontext(file) if file else page_file() as shown:
        own = shown.as_uri()
        page.goto(own)
        yield verifier
    asked = [url for url in verifier.requests if url != own]
    context.close()
    assert asked == []
    assert verifier.complaints == []


def checked(verifier: Verifier, file: bytes) -> str:
    """The page's headline after the file was chosen."""
    verifier.page.set_input_files(
        "#file", {"name": "game.bundle", "mimeType": "text/plain", "buffer": file}
    )
    verifier.page.wait_for_selector("#result:not([hidden])")
    return verifier.page.inner_text("#verdict")


def codes(answer: dict[str, Any]) -> list[str]:
    """The classes of an answer's findings, the first bad event's first."""
    return [finding["code"] for finding in answer["findings"]]


def texts_of(answer: dict[str, Any], name: str) -> str:
    """What an answer says of one check."""
    return " ".join(check["text"] for check in answer["checks"] if check["name"] == name)
