"""Writing a game's bundle: what its viewer may see, the rest sealed, and the operator's word."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence.codec import decode, leaf_hash, redact, seal_key
from phaseledger.replay.bundle.lines import (
    ENDS,
    VERSION,
    BundleEnd,
    Header,
    Inclusion,
    OpenedSeal,
    SeedPart,
    SignedCheckpoint,
    line_of,
    ruleset_line,
)
from phaseledger.replay.bundle.reader import LARGEST, MOST_LINES
from phaseledger.replay.signing import notes, receipts
from phaseledger.replay.signing.notes import SigningKey, VerifierKey

_encode = msgspec.json.Encoder(order="sorted").encode


class TooLong(ValueError):
    """The game does not fit into a bundle; the message says why, and what to do."""

    def __init__(self) -> None:
        super().__init__(
            f"a bundle has at most {LARGEST:,} bytes and {MOST_LINES:,} lines, which is not enough "
            "for so many events; export the game and audit that"
        )


class Proofs(NamedTuple):
    """A checkpoint of the log that covers the game's first event, at least, and its proofs."""

    note: str
    inclusions: tuple[Inclusion, ...]
    """Of the first event and, if that is another one, of the last one that is covered."""


class _Event(NamedTuple):
    public: bytes
    opened: tuple[OpenedSeal, ...]
    tree: dict[str, Any]


def bundle_lines(
    stored: Sequence[bytes],
    *,
    viewer: int | None = None,
    keys: Iterable[VerifierKey] = (),
    signer: SigningKey | None = None,
    proofs: Proofs | None = None,
) -> Iterator[bytes]:
    """The lines of the bundle of one game's stored events, LFs included.

    With a ``signer`` every command gets its receipt. Of a checkpoint's signatures those are kept
    whose keys are among ``keys``. ``viewer`` matters while the game goes on (None: the public).

    Raises:
        TooLong: there are more of them than a bundle may have.
        ValueError: the events are none of one game, from its opening on.

    """
    if sum(map(len, stored)) > LARGEST or len(stored) > MOST_LINES:
        raise TooLong  # before a receipt is signed for each
    _, opened = decode("GameOpened/1", stored[0])
    assert isinstance(opened, GameOpened)
    status = ENDS.get(msgspec.json.decode(stored[-1])["type"], "unfinished")
    over = status != "unfinished"
    seal = seal_key(opened.game, opened.hidden["server"].secret)
    events = [_shown(redact(each, seal, viewer, opened=over)) for each in stored]
    issued = list(_issued(events, signer)) if signer else []
    note = _known(notes.note(proofs.note), keys) if proofs else None
    needed = {receipt.key for receipt in issued}
    if note:
        needed |= {f"{each.name}+{each.hash.hex()}" for each in note.signatures}
    own = (signer.public,) if signer else ()
    header = Header(
        events=len(events),
        game=opened.game,
        head=leaf_hash(events[-1].public),
        keys=tuple(sorted({str(key) for key in (*keys, *own) if key.id in needed})),
        status=status,
        v=VERSION,
        seat=UNSET if over or viewer is None else viewer,
    )
    lines = list(_body(header, opened, events, issued, note, proofs))
    lines.append(line_of("end", BundleEnd(len(lines))))
    if len(lines) > MOST_LINES or sum(map(len, lines)) > LARGEST:
        raise TooLong
    yield from lines


def _body(
    header: Header,
    opened: GameOpened,
    events: Sequence[_Event],
    issued: Iterable[receipts.Receipt],
    note: notes.Note | None,
    proofs: Proofs | None,
) -> Iterator[bytes]:
    yield line_of("bundle", header)
    yield line_of("ruleset", ruleset_line(opened.ruleset))
    for event in events:
        yield b'{"event":%s}\n' % event.public
        yield from (line_of("opens", each) for each in event.opened)
    over = header.status != "unfinished"
    yield from (line_of("secret", each) for each in _secrets(events, over=over))
    yield from (line_of("receipt", each) for each in issued)
    if note and proofs:
        yield line_of("checkpoint", SignedCheckpoint(str(note)))
        yield from (line_of("inclusion", each) for each in proofs.inclusions)


def _shown(viewed: bytes) -> _Event:
    """An event in the viewer's form, taken apart."""
    tree = msgspec.json.decode(viewed)
    hidden, salts = tree.pop("hidden", {}), tree.pop("salts", {})
    opened = tuple(
        OpenedSeal(who, salts[who], tree["seq"], Raw(_encode(hidden[who])))
        for who in sorted(hidden)
    )
    return _Event(_encode(tree) if hidden else viewed, opened, tree)


def _secrets(events: Iterable[_Event], *, over: bool) -> Iterator[SeedPart]:
    """The commitments, and the secrets as far as they are revealed."""
    made: dict[str, SeedPart] = {}
    for event in events:
        data = event.tree["data"]
        values = {each.audience: each.value for each in event.opened}
        known: Any = (
            msgspec.json.decode(values["server"])["secret"] if "server" in values else UNSET
        )
        match event.tree["type"]:
            case "GameOpened/1":
                made["server"] = SeedPart("server", data["server_commit"], "server", known)
            case "SeatTaken/1":
                by, whose = str(data["seat"]), data.get("brought_secret")
                made[by] = SeedPart(by, data["commit"], "seat" if whose else "server", known)
            case "SeatFreed/1":
                made.pop(str(data["seat"]), None)
            case "SeatSecretRevealed/1":
                by = str(data["seat"])
                made[by] = msgspec.structs.replace(made[by], secret=data["secret"])
    server = made.pop("server")
    yield server
    yield from (made[by] for by in sorted(made, key=int))


def _issued(events: Sequence[_Event], signer: SigningKey) -> Iterator[receipts.Receipt]:
    """The receipts of all commands, each for its command's last event."""
    first = events[0].public
    for event, after in zip(events, (*events[1:], None), strict=True):
        if "act" in event.tree["data"]:
            first = event.public
        if after is None or "act" in after.tree["data"]:
            entry = receipts.entry_of(first, event.public, leaf_hash(event.public))
            yield receipts.issue(entry, signer)


def _known(note: notes.Note, keys: Iterable[VerifierKey]) -> notes.Note:
    """The note with the signatures that a reader of the bundle has the keys to."""
    known = {(key.name, key.hash) for key in keys}
    return note._replace(
        signatures=tuple(each for each in note.signatures if (each.name, each.hash) in known)
    )
