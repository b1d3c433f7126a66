"""Refusals of a game: those of the service, and one for each code of the rules."""

import time
from types import new_class
from typing import Any, Self
from uuid import UUID

from typing_extensions import override

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.domain.explain.move_faults import MoveFault
from phaseledger.domain.words import Amount, Language, Phrase
from phaseledger.service.credentials.errors import TokenRevoked
from phaseledger.service.eventlog.archive import Tombstone
from phaseledger.service.readmodels.soundness import Damage, UnknownEvent
from phaseledger.service.refusals import MAY_SHOW_TOKEN, Occasion, Refusal
from phaseledger.service.transparency.errors import RecordDamaged


class NoSuchGame(
    Refusal,
    code="no_such_game",
    status=404,
    met=(*MAY_SHOW_TOKEN, Occasion.JOINING),
    outcome="no_such_game",
):
    """The log has no event of that game."""


class GameArchived(Refusal, code="archived", status=410, met=(Occasion.LOG,), outcome="archived"):
    """The game is over, and its events were moved out of the log; the detail names the file."""

    def __init__(self, tombstone: Tombstone) -> None:
        day = time.strftime("%Y-%m-%d", time.gmtime(tombstone.at))
        where = {"path": tombstone.file, "time": day}
        super().__init__(Phrase("adds.archived", **where, count=Amount(tombstone.events)))
        self.tombstone = tombstone

    def members(self) -> dict[str, Any]:
        """How many events it had, and the hash of the last one."""
        return {"version": self.tombstone.events, "head": self.tombstone.head.hex()}


class NoSuchReceipt(Refusal, code="no_such_receipt", status=404):
    """The game has no such event, or it is within a command; the detail says which ends it."""


class KeyReused(
    Refusal,
    code="idempotency_mismatch",
    status=422,
    met=(Occasion.KEYED, Occasion.REMATCHING),
    outcome="idempotency_mismatch",
):
    """The Idempotency-Key belongs to another command."""


class LogDamaged(RecordDamaged):
    """The log has other events of a game than were stored; the message names one, for the log."""

    def __init__(self, game: UUID, seq: int, why: str) -> None:
        message = f"Event {seq} of game {game} was changed behind the service: {why}."
        super().__init__(reason=message)
        self.is_unknown = False
        """Whether a newer release may know the event."""

    @classmethod
    def of(cls, game: UUID, damage: Damage) -> Self:
        """The refusal of that game, of which an event is damaged."""
        reason = damage.reason.removeprefix(f"event {damage.version} ")
        refusal = cls(game, damage.version, f"it {reason}")
        refusal.is_unknown = isinstance(damage, UnknownEvent)
        return refusal


# --- by the game as it is now ---------------------------------------------------------------------


class Denied(Refusal, outcome="denied"):
    """What the service refuses by the game as it is now, where another state may allow it."""


class StaleVersion(
    Denied, code="stale_version", status=412, met=(Occasion.CONDITIONAL,), outcome="stale_version"
):
    """If-Match named a version that is not the game's; ``version`` is."""

    def __init__(self, version: int) -> None:
        super().__init__(Phrase("detail.version", version=version))
        self.version = version

    def members(self) -> dict[str, int]:
        """The version at which the game is."""
        return {"version": self.version}


class LobbyExhausted(
    Denied,
    code="lobby_exhausted",
    status=409,
    met=(Occasion.JOINING, Occasion.FILLING, Occasion.REMATCHING),
):
    """The lobby has had as many events as `service.games.bounds.EventBounds` allows."""


class BadSignature(
    Denied, code="bad_signature", status=422, met=(Occasion.SIGNED,), outcome="bad_signature"
):
    """The seat has not signed this command for event ``version``, whose hash is ``head``."""

    def __init__(self, version: int, head: str) -> None:
        super().__init__(Phrase("adds.sign_over", seq=version, hash=head))
        self.version = version
        self.head = head

    def members(self) -> dict[str, Any]:
        """The version and the event hash that the signature has to cover."""
        return {"version": self.version, "head": self.head}


class NoSpectators(Denied, code="no_spectators", status=403, met=(Occasion.VIEWER,)):
    """The table's terms have no spectators."""


class NoTestTable(Denied, code="no_test_table", status=409):
    """The clock is to be turned on at a table that was not opened for tests."""


class CardsHidden(Denied, code="hidden_cards", status=403):
    """Frames of a running game are asked for from a seat that is not the caller's, or from all."""


class SeatGivenUp(Denied, TokenRevoked):
    """The seat was given up or the host wanted it, and with that the token counts no more."""

    def __init__(self) -> None:
        super().__init__(Phrase("adds.seat_given_up"))


class BotHasSeat(Denied, code="seat_handed_over", status=403, met=(Occasion.SEAT, Occasion.MEMBER)):
    """The seat has left, or the table's clock has given it to a bot."""


class BotAnswers(Denied, code="bot_answers", status=409, met=(Occasion.PLAYING,)):
    """The seat may play again at its next turn."""


# --- by the rules ---------------------------------------------------------------------------------


class RejectedByRules(Refusal, of=Rejected, outcome="rejected"):
    """A command that the rules refuse; there is a subclass for each `RejectCode`."""

    def __init__(self, detail: str = "", rule: str = "") -> None:
        super().__init__(detail)
        self.rule = rule
        self.fault: MoveFault | None = None

    @classmethod
    def for_exception(cls, error: Exception) -> Refusal:
        """The refusal for the rules' rejection, with the ID of the rule."""
        assert isinstance(error, Rejected)
        return BY_RULES[error.code](error.detail, error.rule)

    def members(self) -> dict[str, Any]:
        """The rule book's ID; of a lay or a hit that can be explained, where it is wrong."""
        if self.fault is None:
            return {"rule": self.rule}
        return {"rule": self.rule, "at": self.fault.at, "card": self.fault.card}

    @override
    def sentence(self, lang: Language) -> str:
        return self.fault.sentence(lang) if self.fault else ""


STATUS = {"state": 409, "rules": 422, "role": 403}
"""Of HTTP, by the ground on which the rules refuse."""


def _declared(code: RejectCode) -> type[RejectedByRules]:
    declaration = {
        "code": code.value,
        "status": STATUS[code.ground],
        "met": tuple(map(Occasion, code.met)),
    }
    name = code.value.title().replace("_", "")
    return new_class(name, (RejectedByRules,), declaration, _in_this_module)


def _in_this_module(namespace: dict[str, Any]) -> None:
    namespace["__module__"] = __name__


BY_RULES = {code: _declared(code) for code in RejectCode}
"""The refusals of the rules, which are declared in `domain.rejections.codes`."""
