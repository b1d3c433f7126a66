"""Firefox, driven by its own protocol, Marionette, through a page that has what players use of
Playwright's.
"""

import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

PATIENCE = 100.0
"""Seconds after which a browser hangs."""

PREFERENCES = {
    "marionette.port": 0,  # any that is free
    "ui.prefersReducedMotion": 1,
    "intl.accept_languages": "en-GB",
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.startup.max_resumed_crashes": -1,
}
FLAGS = ("--headless", "--marionette", "--remote-allow-system-access", "--no-remote")
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Escape": "\ue00c",
    "Space": " ",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
}
UNTIL = """const [arg, done] = arguments;
const look = () => {
  const seen = (%s)(arg);
  if (seen) done(seen);
  else requestAnimationFrame(look);
};
look();"""
COMPLAINTS = """return Services.console.getMessageArray()
  .filter((one) => one instanceof Ci.nsIScriptError && !(one.flags & Ci.nsIScriptError.warningFlag))
  .filter((one) => one.sourceName.startsWith(arguments[0])).map(String);"""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Fault(Exception):
    """What the browser could not do."""


class Marionette:
    """A connection: commands and their answers, each with its length before it."""

    def __init__(self, port: int) -> None:
        self.stream = socket.create_connection(("127.0.0.1", port)).makefile("rwb")
        self.numbers = count()
        self._read()

    def _read(self) -> Any:
        digits = b""
        while (byte := self.stream.read(1)) != b":":
            digits += byte
        return json.loads(self.stream.read(int(digits)))

    def __call__(self, command: str, **parameters: Any) -> Any:
        sent = json.dumps([0, next(self.numbers), command, parameters]).encode()
        self.stream.write(b"%d:%s" % (len(sent), sent))
        self.stream.flush()
        _, _, fault, answer = self._read()
        if fault:
            raise Fault(f"{fault['error']}: {fault['message']}")
        return answer["value"] if isinstance(answer, dict) and "value" in answer else answer


class Answer(NamedTuple):
    """A value of the page."""

    value: Any

    def json_value(self) -> Any:
        return self.value


class FirefoxPage:
    """A page, as far as players look at one."""

    def __init__(self, ask: Marionette, folder: Path) -> None:
        self.ask = ask
        self.folder = folder
        self.keyboard = self

    @property
    def url(self) -> str:
        return str(self.ask("WebDriver:GetCurrentURL"))

    def goto(self, address: str) -> None:
        if address.partition("#")[0] == self.url.partition("#")[0]:
            self.ask("WebDriver:Navigate", url="about:blank")
        self.ask("WebDriver:Navigate", url=address)

    def reload(self) -> None:
        self.ask("WebDriver:Refresh")

    def _retried(self, do: Any) -> Any:
        """Do it as soon as it can be done."""
        begun = monotonic()
        while True:
            try:
                return do()
            except (Fault, IndexError):
                if monotonic() - begun > PATIENCE:
                    raise
                sleep(0.02)

    def query_selector_all(self, selector: str) -> list[str]:
        css, _, place = selector.partition(" >> nth=")
        references = self.ask("WebDriver:FindElements", using="css selector", value=css)
        elements = [reference[ELEMENT] for reference in references]
        return [elements[int(place)]] if place else elements

    def query_selector(self, selector: str) -> str | None:
        return next(iter(self.query_selector_all(selector)), None)

    def wait_for_selector(self, selector: str, state: str = "") -> str:
        return str(self._retried(lambda: self.query_selector_all(selector)[0]))

    def click(self, selector: str) -> None:
        """Point at the first of these, and press, once it is there and can be pressed."""

        def press() -> None:
            element = self.query_selector_all(selector)[0]
            if not self.ask("WebDriver:IsElementEnabled", id=element):
                raise Fault(f"disabled: {selector}")
            scroll = "arguments[0].scrollIntoView({ block: 'nearest', inline: 'nearest' })"
            self.ask("WebDriver:ExecuteScript", script=scroll, args=[{ELEMENT: element}])
            self.ask("WebDriver:ElementClick", id=element)

        self._retried(press)

    def press(self, keys: str) -> None:
        """Keys as of a keyboard: ``d``, ``Enter``, ``Shift+ArrowRight``."""
        values = [KEYS.get(key, key) for key in keys.split("+")] if keys != "+" else ["+"]
        actions = [{"type": "keyDown", "value": value} for value in values]
        actions += [{"type": "keyUp", "value": value} for value in reversed(values)]
        self.ask(
            "WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}]
        )

    def evaluate(self, function: str, arg: Any = None) -> Any:
        asked = f"return ({function})(...arguments)" if "=>" in function else f"return {function}"
        return self.ask("WebDriver:ExecuteScript", script=asked, args=[arg])

    def eval_on_selector_all(self, selector: str, function: str) -> Any:
        return self.evaluate(
            f"(css) => ({function})([...document.querySelectorAll(css)])", selector
        )

    def wait_for_function(self, function: str, arg: Any = None) -> Answer:
        script = UNTIL % (function if "=>" in function else f"() => {function}")
        answer = self._retried(
            lambda: self.ask("WebDriver:ExecuteAsyncScript", script=script, args=[arg])
        )
        return Answer(answer)

    def wait_for_timeout(self, milliseconds: float) -> None:
        sleep(milliseconds / 1000)

    def get_attribute(self, selector: str, name: str) -> Any:
        read = "([css, name]) => document.querySelector(css)?.getAttribute(name)"
        return self.evaluate(read, [selector, name])

    def inner_text(self, selector: str) -> str:
        return str(self.evaluate("(css) => document.querySelector(css).innerText", selector))

    def set_input_files(self, selector: str, given: dict[str, Any]) -> None:
        (file := self.folder / given["name"]).write_bytes(given["buffer"])
        element = self.wait_for_selector(selector)
        self.ask("WebDriver:ElementSendKeys", id=element, text=str(file))

    def resize(self, width: int, height: int) -> None:
        self.ask("WebDriver:SetWindowRect", width=width, height=height)

    def complaints(self, url: str) -> list[str]:
        """Errors of the scripts of these addresses."""
        self.ask("Marionette:SetContext", value="chrome")
        try:
            messages = self.ask("WebDriver:ExecuteScript", script=COMPLAINTS, args=[url])
        finally:
            self.ask("Marionette:SetContext", value="content")
        return list(messages)


def executable() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


@contextmanager
def firefox() -> Iterator[FirefoxPage]:
    """A browser with a profile of its own, and its page."""
    path = executable()
    if path is None:
        raise SystemExit("no Firefox here: apt-get install firefox-esr")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder) / "profile"
        profile.mkdir()
        lines = [
            f"user_pref({json.dumps(key)}, {json.dumps(value)});"
            for key, value in PREFERENCES.items()
        ]
        (profile / "user.js").write_text("\n".join(lines))
        process = subprocess.Popen(
            [path, *FLAGS, "--profile", str(profile)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            ask = Marionette(_port(profile / "MarionetteActivePort"))
            ask("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
            ask("WebDriver:SetTimeouts", script=int(PATIENCE * 1000))
            yield FirefoxPage(ask, Path(folder))
        finally:
            process.terminate()
            process.wait()


def _port(file: Path) -> int:
    """The port on which the browser has begun to listen."""
    begun = monotonic()
    while not (file.exists() and file.read_text()):
        if monotonic() - begun > PATIENCE:
            raise Fault("Firefox does not start")
        sleep(0.05)
    return int(file.read_text())
