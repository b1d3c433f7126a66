"""`phaseledger keys`: make, show and retire the keys that sign receipts and checkpoints."""

import os
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from msgspec import Struct

from phaseledger.replay.signing import keys
from phaseledger.replay.signing.keys import Keyring
from phaseledger.replay.signing.notes import VerifierKey
from phaseledger.replay.terminal import guarded, print_json, say, tell
from phaseledger.service.settings import keys_folder, load

app = App(name="keys", help="The operator's keys, which sign receipts and checkpoints.")

KeysDir = Annotated[
    Path | None,
    Parameter(help="The folder of the keys; else `keys` in the data folder.", show_default=False),
]
DataDir = Annotated[
    Path | None, Parameter(help="The embedded server's data folder.", show_default=False)
]
Json = Annotated[bool, Parameter(negative="", show_default=False, help="Print one JSON document.")]

RESTART_HINT = "A service that runs signs with it once it is started again."


class KeyListing(Struct, frozen=True):
    """A key as `show` prints it. ``key`` is the verifier key, which anybody may know."""

    key: str
    id: str
    state: str


def _folder(keys_dir: Path | None, data_dir: Path | None) -> Path:
    flags = {"keys_dir": keys_dir and str(keys_dir), "data_dir": data_dir and str(data_dir)}
    return keys_folder(load(os.environ, flags))


def _entries(ring: Keyring) -> list[KeyListing]:
    """The keys, oldest first, with the state of each."""
    current = ring.current.public

    def state(key: VerifierKey) -> str:
        if key == current:
            return "current"
        return "retired" if key in ring.retired else "older"

    return [KeyListing(str(key), key.id, state(key)) for key in ring.public]


def _print(folder: Path, key: VerifierKey, note: str, *, json: bool) -> int:
    if json:
        print_json({"folder": str(folder), "key": str(key), "id": key.id})
    else:
        say(str(key))
        tell(note)
    return 0


@app.command
@guarded
def new(
    *,
    name: Annotated[
        str | None,
        Parameter(help="The key's name; else that of the key before.", show_default=False),
    ] = None,
    keys_dir: KeysDir = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> int:
    """Make a key, which signs receipts and checkpoints from then on; print its verifier key.

    Older keys go on signing checkpoints beside it, so that auditors who know only them can go on
    until they have learned of the new one. The folder is made if there is none; keep a copy of it,
    apart from the database. Give the verifier key to auditors by another way than this service.

    A service that runs signs with the new key once it is started again.

    With --json: {folder, key, id}.

    For example: phaseledger keys new --name games.example.org
    """
    folder = _folder(keys_dir, data_dir)
    key = keys.new(folder, name).public
    return _print(folder, key, f"{folder} holds its private half. {RESTART_HINT}", json=json)


@app.command
@guarded
def show(*, keys_dir: KeysDir = None, data_dir: DataDir = None, json: Json = False) -> int:
    """Print the verifier keys, one a line, oldest first; never a private half.

    The last one is `current`: it signs receipts and checkpoints. The `older` ones sign checkpoints
    too. The `retired` ones sign nothing any more; what they have signed stays genuine.

    With --json: {folder, keys: [{key, id, state}]}.

    For example: phaseledger keys show

    Or: phaseledger keys show --keys-dir /etc/phaseledger/keys --json
    """
    folder = _folder(keys_dir, data_dir)
    entries = _entries(keys.load(folder))
    if json:
        print_json({"folder": str(folder), "keys": entries})
    else:
        for entry in entries:
            say(f"{entry.state:7}  {entry.key}")
    return 0


@app.command
@guarded
def retire(
    key: Annotated[
        str,
        Parameter(help="The key by its id (name, + and 8 hex digits) or by those digits alone."),
    ],
    /,
    *,
    keys_dir: KeysDir = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> int:
    """Delete the private half of an older key, for good. Its verifier key stays.

    The current key cannot be retired: make a new one first. A key whose private half is lost has
    to be retired, too, or nothing is signed.

    With --json: {folder, key, id}.

    For example: phaseledger keys retire 5f3a09c1
    """
    folder = _folder(keys_dir, data_dir)
    retired_key = keys.retire(folder, key)
    note = f"{retired_key.id} signs nothing any more, once a service that runs is started again."
    return _print(folder, retired_key, note, json=json)
