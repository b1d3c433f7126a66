"""The operator's listener, as the commands of `phaseledger admin` ask it."""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import httpx2
from cyclopts import Parameter

from phaseledger.replay.formats.records.source import StoreUnreachable, UnknownGame
from phaseledger.replay.formats.text_files import read_text
from phaseledger.service.cli.record import tell_of
from phaseledger.service.settings import Settings, SettingsError, admin_token_file, load

RUNNING = "Running service"
"""The group of the commands that ask it."""
PORT = 8001


@Parameter(name="*")
@dataclass(frozen=True)
class Listener:
    """Where the listener is, and what it is shown."""

    url: Annotated[
        str | None,
        Parameter(help="The operator's listener; else this machine, at the port of the settings."),
    ] = None
    data_dir: Annotated[
        Path | None, Parameter(help="The data folder, whose keys have the token.")
    ] = None
    keys_dir: Annotated[
        Path | None, Parameter(help="The folder of the keys, which has the token.")
    ] = None

    def ask(self, path: str, body: dict[str, Any] | None = None, **parameters: Any) -> Any:  # noqa: ANN401
        """The listener's response. A request without one is sent once more, under the same key.

        Raises:
            UnknownGame, SettingsError: it refuses; the sentence says why.
            StoreUnreachable: it does not answer, or cannot do it now.

        """
        folders = {"data_dir": self.data_dir, "keys_dir": self.keys_dir}
        settings = load(
            os.environ, {name: folder and str(folder) for name, folder in folders.items()}
        )
        listener = self.url or f"http://127.0.0.1:{settings.admin_port or PORT}"
        headers = {
            "Authorization": f"Bearer {_token(settings)}",
            "Idempotency-Key": str(uuid4()),
        }
        method, url = "POST" if body else "GET", f"{listener}/admin{path}"
        for is_last in (False, True):
            try:
                response = httpx2.request(
                    method, url, json=body, headers=headers, params=parameters, timeout=20
                )
            except (httpx2.TransportError, httpx2.InvalidURL) as error:
                if is_last:
                    raise StoreUnreachable(
                        f"{listener} does not answer ({error}): serve with --admin-port, or name "
                        "the operator's listener with --url."
                    ) from None
            else:
                break
        if response.is_success:
            return response.json()
        code, sentence = _problem_of(response)
        if response.status_code >= 500:
            raise StoreUnreachable(sentence)
        raise (UnknownGame if code == "no_such_game" else SettingsError)(sentence)


HERE = Listener()


def _token(settings: Settings) -> str:
    path = admin_token_file(settings)
    with suppress(OSError, UnicodeError):
        token = read_text(path).strip()
        if token and token.isascii():
            return token
    raise SettingsError(
        f"{path} holds no token of the operator's: name the folder of the service's keys with "
        "--keys-dir."
    )


def _problem_of(response: httpx2.Response) -> tuple[str, str]:
    """The code and the detail of the response's problem."""
    try:
        problem = response.json()
        return str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return "", f"The listener answered {response.status_code}."


def utc(seconds: float) -> str:
    """A time in seconds since 1970, as commands print it."""
    return time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(seconds))


def act(path: str, actor: str, reason: str, at: Listener, *, json: bool, sentence: str) -> int:
    """Have an action carried out, and print its entry or the sentence; returns the exit code."""
    event = at.ask(path, {"actor": actor, "reason": reason})
    return tell_of(event, f"{event['id']}  {sentence}", json=json)
