"""The writer of a game's bundle: what its viewer may see, the rest sealed, and receipts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence.codec import decode, leaf_hash, redact, seal_key
from phaseledger.replay.formats.bundle.line_reader import LARGEST, MOST_LINES
from phaseledger.replay.formats.bundle.lines import (
    ENDS,
    VERSION,
    BundleEnd,
    EarlierSize,
    Header,
    Inclusion,
    OpenedSeal,
    SeedPart,
    SignedCheckpoint,
    line_of,
    ruleset_line,
)
from phaseledger.replay.formats.signing import notes, receipts
from phaseledger.replay.formats.signing.notes import SigningKey, VerifierKey

_encode = msgspec.json.Encoder(order="sorted").encode


class TooLong(ValueError):
    """The game does not fit into a bundle; the message says why, and what to do."""

    def __init__(self) -> None:
        super().__init__(
            f"a bundle has at most {LARGEST:,} bytes and {MOST_LINES:,} lines, which is not enough "
            "for so many events; export the game and audit that"
        )


class Proofs(NamedTuple):
    """A checkpoint of the log that covers at least the first event, with inclusion proofs."""

    note: str
    inclusions: tuple[Inclusion, ...]
    """Of the first event and, if that is another one, of the last one that is covered."""
    consistencies: tuple[EarlierSize, ...] = ()
    """From earlier sizes of the log, for holders of a kept checkpoint; by size."""


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
    pause: Callable[[], object] = lambda: None,
) -> Iterator[bytes]:
    """The lines of the bundle of one game's stored events, LFs included.

    With a ``signer`` every command gets its receipt. Of a checkpoint's signatures those are kept
    whose keys are among ``keys``. ``viewer`` matters while the game goes on (None: the public).
    ``pause`` is called after each event, since thousands take a while.

    Raises:
        TooLong: there are more lines or bytes than a bundle may have.
        ValueError: the events are not those of one game, from its opening on.

    """
    if sum(map(len, stored)) > LARGEST or len(stored) > MOST_LINES:
        raise TooLong  # before a receipt is signed for each
    _, opening = decode("GameOpened/1", stored[0])
    assert isinstance(opening, GameOpened)
    status = ENDS.get(msgspec.json.decode(stored[-1])["type"], "unfinished")
    over = status != "unfinished"
    seal = seal_key(opening.game, opening.hidden["server"].secret)
    events: list[_Event] = []
    for record in stored:
        events.append(_parse_view(redact(record, seal, viewer, opened=over)))
        pause()
    issued: list[receipts.Receipt] = []
    for receipt in _issue_receipts(events, signer) if signer else ():
        issued.append(receipt)
        pause()
    note = _with_known_signatures(notes.note(proofs.note), keys) if proofs else None
    key_ids = {receipt.key for receipt in issued}
    if note:
        key_ids |= {line.key for line in note.signatures}
    own_keys = (signer.public,) if signer else ()
    header = Header(
        events=len(events),
        game=opening.game,
        head=leaf_hash(events[-1].public),
        keys=tuple(sorted({str(key) for key in (*keys, *own_keys) if key.id in key_ids})),
        status=status,
        v=VERSION,
        seat=UNSET if over or viewer is None else viewer,
    )
    lines = list(_body(header, opening, events, issued, note, proofs))
    lines.append(line_of("end", BundleEnd(len(lines))))
    if len(lines) > MOST_LINES or sum(map(len, lines)) > LARGEST:
        raise TooLong
    yield from lines


def _body(
    header: Header,
    opening: GameOpened,
    events: Sequence[_Event],
    issued: Iterable[receipts.Receipt],
    note: notes.Note | None,
    proofs: Proofs | None,
) -> Iterator[bytes]:
    yield line_of("bundle", header)
    yield line_of("ruleset", ruleset_line(opening.ruleset))
    for event in events:
        yield b'{"event":%s}\n' % event.public
        yield from (line_of("opens", part) for part in event.opened)
    over = header.status != "unfinished"
    yield from (line_of("secret", secret) for secret in _secrets(events, over=over))
    yield from (line_of("receipt", receipt) for receipt in issued)
    if note and proofs:
        yield line_of("checkpoint", SignedCheckpoint(str(note)))
        yield from (line_of("inclusion", proof) for proof in proofs.inclusions)
        yield from (line_of("consistency", proof) for proof in proofs.consistencies)


def _parse_view(viewed: bytes) -> _Event:
    """Parse an event in the viewer's form into its public form and its opened parts."""
    tree = msgspec.json.decode(viewed)
    hidden, salts = tree.pop("hidden", {}), tree.pop("salts", {})
    opened = tuple(
        OpenedSeal(audience, salts[audience], tree["seq"], Raw(_encode(hidden[audience])))
        for audience in sorted(hidden)
    )
    return _Event(_encode(tree) if hidden else viewed, opened, tree)


def _secrets(events: Iterable[_Event], *, over: bool) -> Iterator[SeedPart]:
    """The lines of the commitments, with the secrets that are revealed."""
    secrets: dict[str, SeedPart] = {}
    for event in events:
        data = event.tree["data"]
        values = {part.audience: part.value for part in event.opened}
        server_secret: Any = (
            msgspec.json.decode(values["server"])["secret"] if "server" in values else UNSET
        )
        match event.tree["type"]:
            case "GameOpened/1":
                secrets["server"] = SeedPart(
                    "server", data["server_commit"], "server", server_secret
                )
            case "SeatTaken/1":
                by, is_own = str(data["seat"]), data.get("brought_secret")
                secrets[by] = SeedPart(
                    by, data["commit"], "seat" if is_own else "server", server_secret
                )
            case "SeatFreed/1":
                secrets.pop(str(data["seat"]), None)
            case "SeatSecretRevealed/1":
                by = str(data["seat"])
                secrets[by] = msgspec.structs.replace(secrets[by], secret=data["secret"])
    server = secrets.pop("server")
    yield server
    yield from (secrets[by] for by in sorted(secrets, key=int))


def _issue_receipts(events: Sequence[_Event], signer: SigningKey) -> Iterator[receipts.Receipt]:
    """The receipts of all commands, each for its command's last event."""
    first = events[0].public
    for event, next_event in zip(events, (*events[1:], None), strict=True):
        if "act" in event.tree["data"]:
            first = event.public
        if next_event is None or "act" in next_event.tree["data"]:
            entry = receipts.entry_of(first, event.public, leaf_hash(event.public))
            yield receipts.issue(entry, signer)


def _with_known_signatures(note: notes.Note, keys: Iterable[VerifierKey]) -> notes.Note:
    """The note with those of its signatures whose keys are given, as the bundle lists them."""
    key_ids = {key.id for key in keys}
    return note._replace(signatures=tuple(line for line in note.signatures if line.key in key_ids))
