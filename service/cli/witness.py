"""`phaseledger witness`: watches a public log from another machine, without its database.

It remembers the last checkpoint that it has seen, demands a proof that the next one goes on from
it, and cosigns that one (C2SP tlog-cosignature, v1). What contradicts is kept as evidence.
"""

import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import httpx2
import platformdirs
from cyclopts import Parameter

from phaseledger.replay.formats import files
from phaseledger.replay.formats.signing.notes import (
    COSIGNATURE,
    ED25519,
    BadKey,
    SigningKey,
    VerifierKey,
    verifier_keys,
)
from phaseledger.replay.formats.text_files import read_text
from phaseledger.replay.terminal import FINDINGS, SOUND, UsageError, guarded, print_json, say, tell
from phaseledger.service.transparency.witness import (
    PATIENCE,
    Contradiction,
    LogObservation,
    UnusableAnswer,
    Witness,
)

LONGEST = 86_400.0  # seconds between looks


@guarded
def witness(
    url: str | None = None,
    /,
    *,
    log_key: Annotated[
        list[str] | None,
        Parameter(negative="", help="A verifier key of the log that is trusted; one or more."),
    ] = None,
    state: Annotated[
        Path | None, Parameter(help="The folder of what the witness knows (in the data folder).")
    ] = None,
    key: Annotated[Path | None, Parameter(help="The witness's key (`key` in that folder).")] = None,
    name: Annotated[str | None, Parameter(help="The name of a key that is made.")] = None,
    once: Annotated[bool, Parameter(negative="", help="Look once instead of for ever.")] = False,
    interval: Annotated[float, Parameter(help="Seconds between looks.")] = 60.0,
    json: Annotated[bool, Parameter(negative="", help="A line of JSON for each look.")] = False,
) -> int:
    """Watch the public log at URL, and cosign the checkpoints that go on from those before.

    Without URL, print the witness's verifier key, which is made when there is none. The operator
    puts it into PHASELEDGER_WITNESSES, and auditors into their policy. The first checkpoint is
    taken on trust, since a witness knows of nothing before it. If the log ever shows another
    history, both checkpoints are kept in the folder as evidence. `checkpoint` in the folder is the
    newest one, cosigned.

    An older checkpoint than the one known, as caches show it, is passed over if the log proves that
    what is known goes on from it.

    With --json: {log, size, root, found: first | same | grown | stale, before, taken}.

    Exit codes: 0 consistent, 1 the log contradicts itself, 2 usage, 3 the log cannot be reached or
    has no checkpoint yet, 5 an answer that is damaged or not signed by a trusted key, 130
    interrupted. Without --once only 1, 2 and 130 end it.

    For example: phaseledger witness --state witness

    Or: phaseledger witness http://127.0.0.1:8000 --state witness --log-key example+12345678+AbC
    """
    log_keys = _log_keys(log_key or ())
    folder = state or platformdirs.user_data_path("phaseledger", appauthor=False) / "witness"
    with _locked(folder):
        own_key = _own_key(key or folder / "key", name)
        if url is None:
            print_json({"key": str(own_key.public)}) if json else say(str(own_key.public))
            return SOUND
        if not _is_address(url) or not 0 < interval <= LONGEST:
            raise UsageError("Say where the log is, as in http://127.0.0.1:8000, and how often.")
        if not log_keys:
            raise UsageError("Say with --log-key whose signature on the log is trusted.")
        with httpx2.Client(base_url=url.rstrip("/"), timeout=PATIENCE) as client:
            by = Witness(key=own_key, trusted=log_keys, folder=folder, client=client)
            return _watch(by, None if once else interval, json=json)


def _watch(witness: Witness, interval: float | None, *, json: bool) -> int:
    """Look at every interval, or once where there is none; the exit code."""
    while True:
        try:
            look = witness.look()
        except Contradiction as error:
            tell(str(error))
            return FINDINGS
        except UnusableAnswer as error:
            tell(str(error))
            if interval is None:
                return error.code
        else:
            print_json(look) if json else say(_sentence(look))
            if interval is None:
                return SOUND
        time.sleep(interval)


def _is_address(url: str) -> bool:
    try:
        address = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError):
        return False
    is_port = address.port is None or 0 < address.port < 65_536
    return address.scheme in ("http", "https") and bool(address.host) and is_port


def _sentence(look: LogObservation) -> str:
    if look.found == "stale":
        return (
            f"{look.log}: the checkpoint over {look.size:,} events is older than the one over "
            f"{look.before:,} known, which goes on from it; nothing to cosign."
        )
    relation = {
        "first": "is taken on trust, as the first that this witness sees",
        "same": "is the one known",
        "grown": f"goes on from the {look.before:,} known",
    }
    outcome = "cosigned" if look.taken else "cosigned here, but the log does not take it"
    return (
        f"{look.log}: the checkpoint over {look.size:,} events {relation[look.found]}; {outcome}."
    )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder, which is made if missing, against another witness."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with ExitStack() as stack:
            stack.enter_context(files.folder_lock(folder, wait=False))
            lock = stack.pop_all()
    except BlockingIOError:
        raise UsageError(f"{folder}: another witness is at work there.") from None
    except OSError as error:
        raise UsageError(f"{folder}: cannot be used: {error.strerror or error}.") from None
    with lock:
        yield


def _own_key(file: Path, name: str | None) -> SigningKey:
    """The witness's key, made if there is none."""
    try:
        if not file.exists():
            key = SigningKey.new(name or f"witness-{secrets.token_hex(4)}", COSIGNATURE)
            files.write(file, key.text() + "\n", 0o600)
            tell(f"A key was made: {file} holds {key.public.id}.")
        if file.stat().st_mode & 0o077:
            raise UsageError(f"{file}: open to other users; chmod 600 it.")
        key = SigningKey.parse(read_text(file))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}.") from None
    except (BadKey, UnicodeError) as error:
        raise UsageError(f"{file}: {error}.") from None
    if key.public.kind != COSIGNATURE:
        raise UsageError(f"{file}: it signs checkpoints itself; a witness needs a key of its own.")
    return key


def _log_keys(encoded_keys: Iterable[str]) -> tuple[VerifierKey, ...]:
    try:
        return verifier_keys(encoded_keys, ED25519)
    except BadKey as error:
        raise UsageError(f"--log-key is not usable: {error}.") from None
