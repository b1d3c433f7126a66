"""A seat that takes nobody's word: it brings its own secret, checks what it is told, and signs.

There is no network here. A client hands over what it gets and sends what it is given::

    seat = Seat(game, 0, opened["server_commit"], [verifier_key(text)])
    ...  # POST seats with seat.joining(); then, as often as there is news:
    seat.follow(page["events"])  # of GET events?after=<seat.version>, with the seat's token
    ...  # once the table is sealed, with GET receipts/<seat.sealed>:
    command = seat.reveal(receipt)
    signature = seat.sign(command)  # the header Command-Signature
    seat.take(done)  # the answer of POST commands
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from phaseledger.domain import deal
from phaseledger.domain import events as e
from phaseledger.domain.commands import LeaveSeat, Play, RevealSecret, TakeSeat
from phaseledger.domain.draft import decision
from phaseledger.domain.evidence.codec import NO_PREVIOUS, UnreadableEvent, decode, leaf_hash, seal
from phaseledger.domain.ruleset import RuleSet, fingerprint
from phaseledger.replay.audit.opening import Opening
from phaseledger.replay.audit.proofs import ProofFailed, check_opening
from phaseledger.replay.signing.commands import is_signed, public_key, sign
from phaseledger.replay.signing.notes import VerifierKey
from phaseledger.replay.signing.receipts import Receipt, begins, command_of, is_genuine

_canonical = msgspec.json.Encoder(order="sorted").encode
T = TypeVar("T")
JsonObject = Mapping[str, Any]
"""A JSON object as it was received."""


class Distrusted(Exception):
    """What the service says does not hold; the message says what. Keep all that it has sent."""


class _Told(Struct, forbid_unknown_fields=True):
    """The shape of an event as a seat gets it."""

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


class _Done(Struct):
    """The parts of a command's answer that are checked."""

    version: int
    head: str
    events: list[dict[str, Any]]
    receipt: dict[str, Any]


class _Seen(NamedTuple):
    """An event that was followed: its leaf, its command's hash, and its time."""

    leaf: str
    command: str
    at: int


class Seat:
    """What a seat knows of its game. Keep ``secret`` and ``key``, 32 bytes each, to take it up
    again; ``operator`` are the only keys whose receipts count, and come another way than the game.

    ``rules`` is the hash of the rule set that was agreed on; empty: whichever it is that the game
    was opened with by its name and options. `ruleset` shows it.
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
        """The receipts held: proof, if the service should ever deny one of them."""
        self.sealed = 0
        """The number of `TableSealed`, once it is known."""
        self.ruleset: RuleSet | None = None
        """What is played, once it is known."""
        self._rules = rules
        self._opening = Opening()
        self._over = False
        self._away = self._gone = False
        self._server_commit = server_commit
        self._operator = operator
        self._seated = False
        self._seen: list[_Seen] = []

    @property
    def version(self) -> int:
        """The number of the last event followed."""
        return len(self._seen)

    @property
    def head(self) -> str:
        """The leaf hash of the last event followed."""
        return self._seen[-1].leaf if self._seen else NO_PREVIOUS

    def joining(self) -> dict[str, str | int]:
        """What to join with, besides a name."""
        commit = deal.seat_commit(self.game, self.number, self.secret)
        return {"seat": self.number, "commit": commit, "key": public_key(self.key)}

    @property
    def settled(self) -> bool:
        """Whether the game is over, and its deal was shown to follow from all secrets.

        Those that the server made for seats it tells after the end: follow all events once more.
        """
        deal_due = self._opening.transcript()
        return self._over and bool(deal_due) and deal_due == self._opening.dealt

    def follow(self, events: Iterable[JsonObject]) -> None:
        """Go on along the hash chain, with events as the seat gets them; known ones may come again,
        and after the end should, since everything is opened then.

        Raises:
            Distrusted: one does not continue the chain, or breaks a promise.

        """
        for event in events:
            self._follow(_read(event, _Told), event)

    def take(self, done: JsonObject) -> None:
        """Take in the answer to a command: its events, and the receipt for them.

        Raises:
            Distrusted: they do not hold, or do not belong together.

        """
        told = _read(done, _Done)
        self.follow(told.events)
        if (told.version, told.head) != (self.version, self.head):
            raise Distrusted(f"event {self.version} is the last one told, but not said to be")
        receipt = self.check(told.receipt)
        self._require(receipt.seq == self.version, self.version, "is not what the receipt is for")

    def check(self, receipt: JsonObject) -> Receipt:
        """Keep a receipt, if it is genuine and says what the seat has seen.

        Raises:
            Distrusted: it is not, or does not.

        """
        given = _read(receipt, Receipt)
        if given.game != self.game:
            raise Distrusted(f"the receipt is for another game, {given.game}")
        if not any(is_genuine(given, key) for key in self._operator):
            raise Distrusted(f"no key that counts has signed the receipt for event {given.seq}")
        if not 0 < given.seq <= self.version:
            raise Distrusted(f"the receipt is for event {given.seq}, which was never shown")
        # Kept before it is compared: if it differs, it proves that two stories were told.
        self.receipts[given.seq] = given
        said = _Seen(given.leaf, given.command, given.at)
        self._require(said == self._seen[given.seq - 1], given.seq, "is another one in its receipt")
        return given

    def reveal(self, receipt: JsonObject) -> RevealSecret:
        """The command that gives the secret away, against the receipt for `TableSealed`.

        Raises:
            Distrusted: nothing binds the operator to the table yet.

        """
        if not self._seated or not self.sealed:
            raise Distrusted("the table is not sealed yet, with this seat's commitment in it")
        sealed = self._opening.sealed
        if self._over or self._opening.dealt or self.number not in self._opening.due:
            raise Distrusted("this seat's secret is not due any more")
        if sealed is None or sealed.reveal_seconds < 1:
            raise Distrusted("the table does not say how long there is time to reveal a secret")
        if self.check(receipt).seq < self.sealed:
            raise Distrusted(f"the receipt is for an event before {self.sealed}, the sealing")
        return RevealSecret(self.secret.hex())

    def sign(self, command: Play | LeaveSeat) -> str:
        """The signature of a command to the game as the seat knows it."""
        return sign(self.key, self.game, self.number, self.head, self.version, command)

    # --- what is checked of an event --------------------------------------------------------------

    def _follow(self, told: _Told, tree: JsonObject) -> None:
        public = {name: tree[name] for name in tree if name not in ("hidden", "salts")}
        form, seq = _canonical(public), told.seq
        leaf = leaf_hash(form)
        if 0 < seq <= self.version:
            self._require(leaf == self._seen[seq - 1].leaf, seq, "is another one than before")
            self._follow_again(told, public)
            return
        follows = (self.game, self.version + 1, self.head)
        self._require((told.game, seq, told.prev) == follows, seq, "breaks the chain")
        self._open_seals(told)
        event = _decoded(told, public)
        if wrong := self._opening.take(event):
            raise Distrusted(f"event {seq} {wrong}")
        self._require_kept(seq, event)
        if isinstance(event, e.TableSealed):
            self.sealed = seq
        command = command_of(form) if begins(form) else self._seen[-1].command
        self._seen.append(_Seen(leaf, command, told.at))

    def _follow_again(self, told: _Told, public: JsonObject) -> None:
        """See that what is opened of a known event fits, and the deal with it."""
        self._open_seals(told)
        event = _decoded(told, public)
        if isinstance(event, e.SeatTaken) and (wrong := self._opening.tell(event)):
            raise Distrusted(f"event {told.seq} {wrong}")
        due, dealt = self._opening.transcript(), self._opening.dealt
        if dealt and due not in ("", dealt):
            raise Distrusted("the deal was not the one that the secrets give")

    def _open_seals(self, told: _Told) -> None:
        for who, value in told.hidden.items():
            made = seal(_bytes(told.salts.get(who, "")), _canonical(value))
            matches = made == told.sealed.get(who)
            self._require(matches, told.seq, f"has a seal, {who}, that does not match")
        mine = {who for who in told.sealed if e.belongs(who, self.number)}
        kept = mine - told.hidden.keys()
        self._require(not kept, told.seq, "keeps from this seat what it may know")

    def _require_kept(self, seq: int, event: e.Event) -> None:
        """See that the event keeps what was promised, and puts no word into the seat's mouth."""
        mine, away = self.joining(), self._away
        match event:
            case e.GameOpened():
                kept = event.server_commit == self._server_commit
                self._require(kept, seq, "has another commitment of the server")
                self._require_rules(event)
            case e.SeatTaken(seat=self.number):
                recorded = {"seat": event.seat, "commit": event.commit, "key": event.key}
                self._require(recorded == mine, seq, "has another commitment or key of this seat")
                self._seated = True
            case e.TurnTimedOut(seat=self.number):
                self._away = event.then == "bot_move"
            case e.SeatHandedOver(seat=self.number):
                self._away = self._gone = True
            case e.TurnBegan(seat=self.number):
                self._away = self._gone
            case e.GameEnded() | e.GameVoided():
                self._over = True
        act = decision(event)
        if act is None or act.seat != self.number or isinstance(act.command, TakeSeat):
            return
        if not (away and isinstance(act.command, Play)):
            key, place = public_key(self.key), (self.number, self.head, self.version)
            signed = is_signed(key, act.sig, self.game, *place, act.command)
            self._require(signed, seq, "says that this seat did what it has not signed")

    def _require_rules(self, event: e.GameOpened) -> None:
        """See that the game is opened under the rules that were asked for, and agreed on."""
        try:
            check_opening(event)
        except ProofFailed as wrong:
            raise Distrusted(f"event 1 does not open this game: {wrong}") from None
        agreed = self._rules in ("", fingerprint(event.ruleset))
        self._require(agreed, 1, "has other rules than were agreed on")
        self.ruleset = event.ruleset

    def _require(self, holds: bool, seq: int, otherwise: str) -> None:
        if not holds:
            raise Distrusted(f"event {seq} {otherwise}")


def _read(tree: JsonObject, shape: type[T]) -> T:
    try:
        return msgspec.convert(tree, shape)
    except msgspec.ValidationError as wrong:
        raise Distrusted(f"this is not what was asked for: {wrong}") from None


def _decoded(told: _Told, public: JsonObject) -> e.Event:
    plain = {name: public[name] for name in public if name != "sealed"}
    try:
        return decode(told.type, _canonical({**plain, "hidden": told.hidden}))[1]
    except UnreadableEvent as damage:
        raise Distrusted(f"event {told.seq} cannot be read: {damage}") from None


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
