"""`phaseledger admin keys`: the keys that sign receipts and checkpoints, and the keys that seal."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from msgspec import Struct

from phaseledger.replay.formats import sealing
from phaseledger.replay.formats.signing import keys
from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.replay.formats.signing.notes import VerifierKey
from phaseledger.replay.terminal import UsageError, guarded, print_json, progress, say, tell
from phaseledger.service.cli.flags import LEDGER_AS_SET, JsonFlag, LedgerFlags
from phaseledger.service.database.sealing import count_unsealed, reseal
from phaseledger.service.database.setup import connected_settings, prepare, require_owner
from phaseledger.service.settings import (
    Settings,
    keys_folder,
    load,
    sealing_folder,
    sealing_keys_of,
)

app = App(name="keys", help="Make, list and retire the keys that sign and seal.", group="Ledger")

KeysDir = Annotated[
    Path | None,
    Parameter(help="The folder of the keys; else `keys` in the data folder.", show_default=False),
]
DataDir = Annotated[
    Path | None, Parameter(help="The embedded server's data folder.", show_default=False)
]

RESTART_HINT = "A service that runs signs with it once it is started again."


class KeyListing(Struct, frozen=True):
    """A key as `show` prints it. ``key`` is the verifier key, which is public."""

    key: str
    id: str
    state: str


def _folder(
    keys_dir: Path | None,
    data_dir: Path | None,
    folder_of: Callable[[Settings], Path] = keys_folder,
) -> Path:
    flags = {"keys_dir": keys_dir and str(keys_dir), "data_dir": data_dir and str(data_dir)}
    return folder_of(load(os.environ, flags))


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
        Parameter(help="The key's name; else the one of the key before.", show_default=False),
    ] = None,
    keys_dir: KeysDir = None,
    data_dir: DataDir = None,
    json: JsonFlag = False,
) -> int:
    """Make a key, which signs receipts and checkpoints from then on; print its verifier key.

    Older keys go on signing checkpoints beside it, so that auditors who know only them can go on
    until they have learned of the new one. The folder is made if there is none; keep a copy of it,
    apart from the database. Give the verifier key to auditors by another way than this service.

    A service that runs signs with the new key once it is started again.

    With --json: {folder, key, id}.

    For example: phaseledger admin keys new --name games.example.org
    """
    folder = _folder(keys_dir, data_dir)
    key = keys.new(folder, name).public
    return _print(folder, key, f"{folder} holds its private half. {RESTART_HINT}", json=json)


@app.command
@guarded
def show(*, keys_dir: KeysDir = None, data_dir: DataDir = None, json: JsonFlag = False) -> int:
    """Print the verifier keys, one a line, oldest first; never a private half.

    The last one is `current`: it signs receipts and checkpoints. The `older` ones sign checkpoints
    too. The `retired` ones sign nothing any more; what they have signed stays genuine.

    With --json: {folder, keys: [{key, id, state}]}.

    For example: phaseledger admin keys show

    Or: phaseledger admin keys show --keys-dir /etc/phaseledger/keys --json
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
    json: JsonFlag = False,
) -> int:
    """Delete the private half of an older key, for good. Its verifier key stays.

    The current key cannot be retired: make a new one first. A key whose private half is lost has
    to be retired, too, or nothing is signed.

    With --json: {folder, key, id}.

    For example: phaseledger admin keys retire 5f3a09c1
    """
    folder = _folder(keys_dir, data_dir)
    retired_key = keys.retire(folder, key)
    note = f"{retired_key.id} signs nothing any more, once a service that runs is started again."
    return _print(folder, retired_key, note, json=json)


@app.command
@guarded
def new_sealing(
    *, keys_dir: KeysDir = None, data_dir: DataDir = None, json: JsonFlag = False
) -> int:
    """Make a key that seals what is hidden in the database from then on; print its id.

    Older ones go on reading what they have sealed; `phaseledger admin keys seal` seals that anew. A
    service makes its first key itself. All services of a ledger need all of its keys: give them
    the file before they are started again. Keep a copy, apart from the database: what is sealed
    under a key that is lost is lost.

    With --json: {folder, id}.

    For example: phaseledger admin keys new-sealing
    """
    folder = _folder(keys_dir, data_dir, sealing_folder)
    key = sealing.new(folder)
    if json:
        print_json({"folder": str(folder), "id": key})
    else:
        say(key)
        tell(f"{folder} holds it. A service that runs seals with it once it is started again.")
    return 0


@app.command
@guarded
def seal(at: LedgerFlags = LEDGER_AS_SET, *, json: JsonFlag = False) -> int:
    """Seal everything that is hidden in the database under the newest key.

    That is what earlier releases have stored unsealed, or what older keys have sealed. Start all
    services with the newest key first. It needs the role that owns the tables, and may be broken
    off: another run goes on. Afterwards nothing needs the older keys any more but older backups.

    With --json: {key, events, webhooks, damaged}. Exit code 1 where something was changed behind
    the service, so that it cannot be unsealed, and stays as it is.

    For example: phaseledger admin keys seal
    """
    with connected_settings(at.settings()) as settings:
        prepare(settings, migrating=False)
        require_owner(settings)
        keys = sealing_keys_of(settings)
        if not keys.current:
            raise UsageError("There is no key to seal with: `phaseledger admin keys new-sealing`.")
        total = count_unsealed(settings, keys)
        with progress("Sealing (events)", total) as advance:
            done = reseal(settings, keys, advance)
    if json:
        print_json({"key": keys.current, **done._asdict()})
    else:
        say(f"{done.events:,} events and {done.webhooks:,} webhooks sealed anew.")
        if done.damaged:
            tell(
                f"{done.damaged:,} events cannot be unsealed; `phaseledger audit --all` names them."
            )
    return 1 if done.damaged else 0
