"""A player's verifying client: it brings its own secret, checks every event, and signs commands.

There is no network here. A client passes what it receives, and sends what is returned::

    seat = Seat(game, 0, opened["server_commit"], [verifier_key(text)])
    ...  # POST seats with seat.joining(), signed by seat.sign_joining(name) for what it followed;
    ...  # then, as often as there is news:
    seat.follow(page["events"])  # of GET events?after=<seat.version>, with the seat's token
    ...  # once the table is sealed, with GET receipts/<seat.sealed>:
    command = seat.reveal(receipt)
    signature = seat.sign(command)  # the header Command-Signature
    seat.take(done)  # the answer of POST commands
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar
from unicodedata import normalize

import msgspec
from msgspec import Struct

from phaseledger.domain import deal
from phaseledger.domain import events as e
from phaseledger.domain.commands import LeaveSeat, Play, RevealSecret, TakeSeat
from phaseledger.domain.draft import decision
from phaseledger.domain.evidence.codec import NO_PREVIOUS, UnreadableEvent, decode, leaf_hash, seal
from phaseledger.domain.ruleset import RuleSet, fingerprint
from phaseledger.replay.formats.guards import ProofFailed, check_opening
from phaseledger.replay.formats.opening import Opening, bytes_of
from phaseledger.replay.formats.signing.commands import is_signed, public_key, sign
from phaseledger.replay.formats.signing.notes import VerifierKey
from phaseledger.replay.formats.signing.presences import Presence, sign_present
from phaseledger.replay.formats.signing.receipts import Receipt, begins, command_of, is_genuine

_canonical = msgspec.json.Encoder(order="sorted").encode
T = TypeVar("T")
JsonObject = Mapping[str, Any]
"""A JSON object as it was received."""


class Distrusted(Exception):
    """What the service sent fails a check; the message says which. Keep all that it has sent."""


class _EventView(Struct, forbid_unknown_fields=True):
    """An event in a seat's view, as it is received."""

    at: int
    cmd: str
    data: dict[str, Any]
    game: str
    prev: str
    seq: int
    type: str
    v: int
    sealed: dict[str, str] = {}
    hidden: dict[str, Any] = {}
    salts: dict[str, str] = {}


class _CommandResponse(Struct):
    """The checked members of the response to a command."""

    version: int
    head: str
    events: list[dict[str, Any]]
    receipt: dict[str, Any]


# Two threads must not meet these types at once for the first time: msgspec 0.22.0 would crash.
_PREPARED = [msgspec.json.Decoder(shape) for shape in (_EventView, _CommandResponse, Receipt)]


class _FollowedEvent(NamedTuple):
    """An event of the chain as followed: its leaf hash, its command's hash, and its time."""

    leaf: str
    command: str
    at: int


class Seat:
    """A seat's verified view of its game. Keep ``secret`` and ``key``, 32 bytes each, to resume it;
    ``operator`` are the only keys whose receipts count, and come another way than the game.

    ``rules`` is the hash of the rule set that was agreed on; empty: the one that the opening's
    name and options give. `ruleset` shows it.
    """

    def __init__(
        self,
        game: str,
        number: int,
        server_commit: str,
        operator: Sequence[VerifierKey],
        *,
        rules: str = "",
        secret: bytes | None = None,
        key: bytes | None = None,
    ) -> None:
        self.game = game
        self.number = number
        self.secret = secret or secrets.token_bytes(32)
        self.key = key or secrets.token_bytes(32)
        self.receipts: dict[int, Receipt] = {}
        """The receipts, by event number: proof, should the service ever deny one of them."""
        self.sealed = 0
        """The number of `TableSealed`, once it is known."""
        self.ruleset: RuleSet | None = None
        """The rule set of the game, once it is known."""
        self._rules = rules
        self._opening = Opening()
        self._over = False
        self._away = self._handed_over = False
        self._server_commit = server_commit
        self._operator = operator
        self._seated = False
        self._followed: list[_FollowedEvent] = []

    @property
    def version(self) -> int:
        """The number of the last event followed."""
        return len(self._followed)

    @property
    def head(self) -> str:
        """The leaf hash of the last event followed."""
        return self._followed[-1].leaf if self._followed else NO_PREVIOUS

    def joining(self) -> dict[str, str | int]:
        """The members of the request to join, besides a name."""
        commit = deal.seat_commit(self.game, self.number, self.secret)
        return {"seat": self.number, "commit": commit, "key": public_key(self.key)}

    def sign_joining(self, name: str) -> str:
        """The signature of joining under that name, at the version and head that were followed."""
        commit = deal.seat_commit(self.game, self.number, self.secret)
        # The service records it in this form, whichever was sent.
        name = normalize("NFC", name)
        return self.sign(TakeSeat(name, commit=commit, key=public_key(self.key)))

    @property
    def owes_secret(self) -> bool:
        """Whether the table is sealed, and waits for this seat's secret."""
        is_due = bool(self.sealed) and self.number in self._opening.due
        return is_due and not self._over and not self._opening.dealt

    @property
    def settled(self) -> bool:
        """Whether the game is over, and its deal was shown to follow from all secrets.

        After the end the server reveals the secrets that it made for seats: follow all events
        once more.
        """
        transcript = self._opening.transcript()
        return self._over and bool(transcript) and transcript == self._opening.dealt

    def follow(self, events: Iterable[JsonObject]) -> None:
        """Verify events in the seat's view along the hash chain; repeated ones are checked again,
        which is needed after the end, since everything is opened then.

        Raises:
            Distrusted: an event does not continue the chain, or breaks a commitment or a rule.

        """
        for event in events:
            self._follow(_converted(event, _EventView), event)

    def take(self, done: JsonObject) -> None:
        """Verify the response to a command: its events, and the receipt for them.

        Raises:
            Distrusted: one of them fails a check, or they do not belong together.

        """
        response = _converted(done, _CommandResponse)
        self.follow(response.events)
        if (response.version, response.head) != (self.version, self.head):
            raise Distrusted(f"event {self.version} is the last one told, but not said to be")
        receipt = self.check(response.receipt)
        self._require(receipt.seq == self.version, self.version, "is not what the receipt is for")

    def check(self, receipt: JsonObject) -> Receipt:
        """Verify a receipt against the events followed, and keep it if its signature is genuine.

        Raises:
            Distrusted: it is not genuine, or not for an event as the seat has followed it.

        """
        claim = _converted(receipt, Receipt)
        if claim.game != self.game:
            raise Distrusted(f"the receipt is for another game, {claim.game}")
        if not any(is_genuine(claim, key) for key in self._operator):
            raise Distrusted(f"no key that counts has signed the receipt for event {claim.seq}")
        if not 0 < claim.seq <= self.version:
            raise Distrusted(f"the receipt is for event {claim.seq}, which was never shown")
        # Kept before it is compared: if it differs, it proves that the operator equivocates.
        self.receipts[claim.seq] = claim
        entry = _FollowedEvent(claim.leaf, claim.command, claim.at)
        self._require(
            entry == self._followed[claim.seq - 1], claim.seq, "is another one in its receipt"
        )
        return claim

    def reveal(self, receipt: JsonObject) -> RevealSecret:
        """The command that reveals the secret, in exchange for the receipt for `TableSealed`.

        Raises:
            Distrusted: the receipt does not bind the operator to the table, or no secret is due.

        """
        if not self._seated or not self.sealed:
            raise Distrusted("the table is not sealed yet, with this seat's commitment in it")
        sealed = self._opening.sealed
        if not self.owes_secret:
            raise Distrusted("this seat's secret is not due any more")
        if sealed is None or sealed.reveal_seconds < 1:
            raise Distrusted("the table does not say how long there is time to reveal a secret")
        if self.check(receipt).seq < self.sealed:
            raise Distrusted(f"the receipt is for an event before {self.sealed}, the sealing")
        return RevealSecret(self.secret.hex())

    def sign(self, command: Play | LeaveSeat | TakeSeat) -> str:
        """The signature of a command to the game at its version and head (128 hex digits)."""
        return sign(self.key, self.game, self.number, self.head, self.version, command)

    def present(self) -> JsonObject:
        """What to send to ``POST /v1/games/{id}/presence``: that the seat is there, and up to where
        it has seen the game. The answer is worth keeping, beside the receipts.
        """
        signature = sign_present(self.key, self.game, self.number, self.head, self.version)
        return {"version": self.version, "head": self.head, "signature": signature}

    def confirmed(self, presence: Presence) -> None:
        """Verify the operator's answer to `present`, which may be of an earlier one.

        Raises:
            Distrusted: it is not genuine, or not of this seat and an event as it has seen it.

        """
        if not any(is_genuine(presence, key) for key in self._operator):
            raise Distrusted("no key that counts has signed that this seat was there")
        signature = sign_present(self.key, self.game, self.number, presence.leaf, presence.seq)
        mine = (self.game, self.number, signature)
        is_seen = 0 < presence.seq <= self.version
        if (presence.game, presence.seat, presence.signature) != mine or not is_seen:
            raise Distrusted("the operator has confirmed something else than was sent")
        leaf = self._followed[presence.seq - 1].leaf
        self._require(presence.leaf == leaf, presence.seq, "is another one where it was confirmed")

    # --- what is checked of an event --------------------------------------------------------------

    def _follow(self, record: _EventView, tree: JsonObject) -> None:
        public = {name: tree[name] for name in tree if name not in ("hidden", "salts")}
        canonical, seq = _canonical(public), record.seq
        leaf = leaf_hash(canonical)
        if 0 < seq <= self.version:
            self._require(leaf == self._followed[seq - 1].leaf, seq, "is another one than before")
            self._recheck(record, public)
            return
        follows = (self.game, self.version + 1, self.head)
        self._require((record.game, seq, record.prev) == follows, seq, "breaks the chain")
        self._open_seals(record)
        event = _decoded(record, public)
        if violation := self._opening.take(event):
            raise Distrusted(f"event {seq}: {violation}")
        self._require_promises(seq, event)
        if isinstance(event, e.TableSealed):
            self.sealed = seq
        command = command_of(canonical) if begins(canonical) else self._followed[-1].command
        self._followed.append(_FollowedEvent(leaf, command, record.at))

    def _recheck(self, record: _EventView, public: JsonObject) -> None:
        """Check the parts of a followed event that are opened later, and the deal by them."""
        self._open_seals(record)
        event = _decoded(record, public)
        if isinstance(event, e.SeatTaken) and (violation := self._opening.tell(event)):
            raise Distrusted(f"event {record.seq}: {violation}")
        transcript, dealt = self._opening.transcript(), self._opening.dealt
        if dealt and transcript not in ("", dealt):
            raise Distrusted("the deal was not the one that the secrets give")

    def _open_seals(self, record: _EventView) -> None:
        for audience, value in record.hidden.items():
            commitment = seal(bytes_of(record.salts.get(audience, "")), _canonical(value))
            matches = commitment == record.sealed.get(audience)
            self._require(matches, record.seq, f"has a seal, {audience}, that does not match")
        own_audiences = {audience for audience in record.sealed if e.belongs(audience, self.number)}
        withheld = own_audiences - record.hidden.keys()
        self._require(not withheld, record.seq, "keeps from this seat what it may know")

    def _require_promises(self, seq: int, event: e.Event) -> None:
        """Check the event against the commitments, and the signature of the seat's own commands."""
        joining, away = self.joining(), self._away
        match event:
            case e.GameOpened():
                matches = event.server_commit == self._server_commit
                self._require(matches, seq, "has another commitment of the server")
                self._require_rules(event)
            case e.SeatTaken(seat=self.number):
                recorded = {"seat": event.seat, "commit": event.commit, "key": event.key}
                self._require(
                    recorded == joining, seq, "has another commitment or key of this seat"
                )
                self._seated = True
            case e.TurnTimedOut(seat=self.number):
                self._away = event.then == "bot_move"
            case e.SeatHandedOver(seat=self.number):
                self._away = self._handed_over = True
            case e.TurnBegan(seat=self.number):
                self._away = self._handed_over
            case e.GameEnded() | e.GameVoided():
                self._over = True
        act = decision(event)
        if act is None or act.seat != self.number or isinstance(act.command, TakeSeat):
            return
        if not (away and isinstance(act.command, Play)):
            key, place = public_key(self.key), (self.number, self.head, self.version)
            is_valid = is_signed(key, act.sig, self.game, *place, act.command)
            self._require(is_valid, seq, "says that this seat did what it has not signed")

    def _require_rules(self, event: e.GameOpened) -> None:
        """Check that the game is opened under the rules that were asked for, and agreed on."""
        try:
            check_opening(event)
        except ProofFailed as error:
            raise Distrusted(f"event 1 does not open this game: {error}") from None
        matches = self._rules in ("", fingerprint(event.ruleset))
        self._require(matches, 1, "has other rules than were agreed on")
        self.ruleset = event.ruleset

    def _require(self, holds: bool, seq: int, violation: str) -> None:
        if not holds:
            raise Distrusted(f"event {seq} {violation}")


def _converted(tree: JsonObject, shape: type[T]) -> T:
    try:
        return msgspec.convert(tree, shape)
    except msgspec.ValidationError as error:
        raise Distrusted(f"this is not what was asked for: {error}") from None


def _decoded(record: _EventView, public: JsonObject) -> e.Event:
    plain = {name: public[name] for name in public if name != "sealed"}
    try:
        return decode(record.type, _canonical({**plain, "hidden": record.hidden}))[1]
    except UnreadableEvent as error:
        raise Distrusted(f"event {record.seq} cannot be read: {error}") from None
