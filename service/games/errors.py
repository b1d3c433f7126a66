"""Refusals of a game: those of the service, and one for each code of the rules."""

import time
from types import new_class
from typing import Any, Self
from uuid import UUID

from typing_extensions import override

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.domain.explain.languages import Language
from phaseledger.domain.explain.move_faults import MoveFault
from phaseledger.service.credentials.errors import TokenRevoked
from phaseledger.service.eventlog.archive import Tombstone
from phaseledger.service.readmodels.soundness import Damage
from phaseledger.service.refusals import MAY_SHOW_TOKEN, Occasion, Refusal
from phaseledger.service.transparency.errors import RecordDamaged


class NoSuchGame(
    Refusal,
    code="no_such_game",
    status=404,
    title="There is no such game.",
    met=(*MAY_SHOW_TOKEN, Occasion.JOINING),
    outcome="no_such_game",
):
    """The log has no event of that game."""


class GameArchived(
    Refusal,
    code="archived",
    status=410,
    title="The game was archived: its events are in a file that the operator has.",
    met=(Occasion.LOG,),
    outcome="archived",
):
    """The game is over, and its events were moved out of the log; the detail names the file."""

    def __init__(self, tombstone: Tombstone) -> None:
        day = time.strftime("%Y-%m-%d", time.gmtime(tombstone.at))
        events = f"{tombstone.events:,} events" if tombstone.events > 1 else "one event"
        super().__init__(f"its {events} have been in the file {tombstone.file} since {day}")
        self.tombstone = tombstone

    def members(self) -> dict[str, Any]:
        """How many events it had, and the hash of the last one."""
        return {"version": self.tombstone.events, "head": self.tombstone.head.hex()}


class NoSuchReceipt(
    Refusal,
    code="no_such_receipt",
    status=404,
    title="No command ends with that event.",
):
    """The game has no such event, or it is within a command; the detail says which ends it."""


class KeyReused(
    Refusal,
    code="idempotency_mismatch",
    status=422,
    title="The Idempotency-Key belongs to another request.",
    met=(Occasion.KEYED, Occasion.REMATCHING),
    outcome="idempotency_mismatch",
):
    """The Idempotency-Key belongs to another command."""


class LogDamaged(RecordDamaged):
    """The log has other events of a game than were stored; the message names one, for the log."""

    def __init__(self, game: UUID, seq: int, why: str) -> None:
        message = f"Event {seq} of game {game} was changed behind the service: {why}."
        super().__init__(reason=message)

    @classmethod
    def of(cls, game: UUID, damage: Damage) -> Self:
        """The refusal of that game, of which an event is damaged."""
        reason = damage.reason.removeprefix(f"event {damage.version} ")
        return cls(game, damage.version, f"it {reason}")


# --- by the game as it is now ---------------------------------------------------------------------


class Denied(Refusal, outcome="denied"):
    """What the service refuses by the game as it is now, where another state may allow it."""


class StaleVersion(
    Denied,
    code="stale_version",
    status=412,
    title="The game is at another version, or the tag is that of another viewer.",
    met=(Occasion.CONDITIONAL,),
    outcome="stale_version",
):
    """If-Match named a version that is not the game's; ``version`` is."""

    def __init__(self, version: int) -> None:
        super().__init__(f"it is at {version}")
        self.version = version

    def members(self) -> dict[str, int]:
        """The version at which the game is."""
        return {"version": self.version}


class LobbyExhausted(
    Denied,
    code="lobby_exhausted",
    status=409,
    title="So much has happened in this lobby that nobody sits down any more.",
    met=(Occasion.JOINING, Occasion.FILLING, Occasion.REMATCHING),
):
    """The lobby has had as many events as `service.games.bounds.EventBounds` allows."""


class BadSignature(
    Denied,
    code="bad_signature",
    status=422,
    title="The seat has not signed this command for the game as it is now.",
    met=(Occasion.SIGNED,),
    outcome="bad_signature",
):
    """The seat has not signed this command for event ``version``, whose hash is ``head``."""

    def __init__(self, version: int, head: str) -> None:
        super().__init__(f"it has to be signed over event number {version} and its hash {head}")
        self.version = version
        self.head = head

    def members(self) -> dict[str, Any]:
        """The version and the event hash that the signature has to cover."""
        return {"version": self.version, "head": self.head}


class NoSpectators(
    Denied,
    code="no_spectators",
    status=403,
    title="Only those who play may watch this game.",
    met=(Occasion.VIEWER,),
):
    """The table's terms let nobody watch."""


class CardsHidden(
    Denied,
    code="hidden_cards",
    status=403,
    title="The cards that are seen from there are hidden from you until the game is over.",
):
    """Frames of a running game are asked for from a seat that is not the caller's, or from all."""


class SeatGivenUp(Denied, TokenRevoked):
    """The seat was given up or the host wanted it, and with that the token counts no more."""

    def __init__(self) -> None:
        super().__init__("the seat was given up, or the host wanted it")


class BotHasSeat(
    Denied,
    code="seat_handed_over",
    status=403,
    title="A bot has the seat now.",
    met=(Occasion.SEAT, Occasion.MEMBER),
):
    """The seat has left, or the table's clock has given it to a bot."""


class BotAnswers(
    Denied,
    code="bot_answers",
    status=409,
    title="The seat was overdue: a bot answers until its next turn.",
    met=(Occasion.PLAYING,),
):
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
        "title": code.sentence,
        "met": tuple(map(Occasion, code.met)),
    }
    name = code.value.title().replace("_", "")
    return new_class(name, (RejectedByRules,), declaration, _in_this_module)


def _in_this_module(namespace: dict[str, Any]) -> None:
    namespace["__module__"] = __name__


BY_RULES = {code: _declared(code) for code in RejectCode}
"""The refusals of the rules, which are declared in `domain.rejections.codes`."""
