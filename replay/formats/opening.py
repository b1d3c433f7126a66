"""The opening protocol of a game (commit, seal, reveal, deal), checked event by event.

docs/reference/evidence.md has the opening rules. They need public facts alone, so a seat can check
them while the game runs.
"""

import hashlib
from typing import NamedTuple

from phaseledger.domain import deal
from phaseledger.domain import events as e
from phaseledger.domain.names import is_pseudonym
from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.words import Phrase


class TakenSeat(NamedTuple):
    """A seat that is taken."""

    commit: str
    brought: bool
    """Whether the seat's secret is its own, and so has to be revealed before the deal."""
    secret: str = ""
    """Hex; empty while unknown."""
    name: str = ""
    is_fixed: bool = False
    """Whether its name stays: a bot has the seat, or its commands are signed."""


class Opening:
    """The state of one game's opening protocol after the events so far."""

    def __init__(self) -> None:
        self.opened: e.GameOpened | None = None
        self.places: dict[int, TakenSeat] = {}
        self.sealed: e.TableSealed | None = None
        self.dealt = ""
        """The transcript's hash (hex) as recorded; empty until the deal is opened."""
        self._timed_out: tuple[int, ...] = ()
        self._over = False

    @property
    def due(self) -> tuple[int, ...]:
        """Seats that brought a secret and have not revealed it."""
        places = sorted(self.places.items())
        return tuple(seat for seat, place in places if place.brought and not place.secret)

    def take(self, event: e.Event) -> str:
        """Apply the next event; returns its violation of the rules, or empty text."""
        if self.opened is None:
            if not isinstance(event, e.GameOpened):
                return Phrase("evidence.opening.before")
            self.opened = event
            return ""
        if self._over:
            return Phrase("evidence.opening.after")
        if isinstance(event, e.SeatHandedOver) and (place := self.places.get(event.seat)):
            self.places[event.seat] = place._replace(is_fixed=True)
        violation = self._before_the_deal(event)
        if violation is None:
            violation = "" if self.dealt else Phrase("evidence.opening.before_deal")
        self._timed_out = ()
        if isinstance(event, e.TurnTimedOut) and event.then == "void":
            self._timed_out = (event.seat,)
        return violation

    def _before_the_deal(self, event: e.Event) -> str | None:
        """`take` for the events that may come before the deal; None for all others."""
        match event:
            case e.GameOpened():
                return Phrase("evidence.opening.again")
            case e.SeatTaken():
                return self._take_seat(event)
            case e.SeatFreed():
                self.places.pop(event.seat, None)
                return Phrase("evidence.opening.frees") if self.sealed else ""
            case e.TableSealed():
                return self._seal(event)
            case e.SeatSecretRevealed():
                return self._reveal(event)
            case e.SeatHandedOver() if not self.dealt:
                is_early = not self.sealed or event.seat in self.due
                return Phrase("evidence.opening.hands_over") if is_early else ""
            case e.SeatNamed():
                return self._name(event)
            case e.DealOpened():
                return self._deal(event)
            case e.GameEnded() | e.GameVoided():
                return self._end(event)
            case _:
                return None

    def _take_seat(self, event: e.SeatTaken) -> str:
        assert self.opened
        if self.sealed:
            return Phrase("evidence.opening.sits_late")
        if not 0 <= event.seat < self.opened.seats or event.seat in self.places:
            return Phrase("evidence.opening.sits_twice")
        self.places[event.seat] = TakenSeat(
            commit=event.commit,
            brought=event.brought_secret,
            name=event.name,
            is_fixed=bool(event.bot or event.key),
        )
        return self.tell(event)

    def _name(self, event: e.SeatNamed) -> str:
        place = self.places.get(event.seat)
        names = {other.name for other in self.places.values()}
        is_guest = place and not place.is_fixed and not is_pseudonym(place.name)
        if place is None or not is_guest or not is_pseudonym(event.name) or event.name in names:
            return Phrase("evidence.opening.names_none")
        self.places[event.seat] = place._replace(name=event.name)
        return ""

    def tell(self, event: e.SeatTaken) -> str:
        """Apply a seat's secret made by the server, if the event opens it; returns as `take`."""
        place = self.places.get(event.seat)
        if place is None or place.commit != event.commit or "server" not in event.hidden:
            return ""
        return self._add_secret(event.seat, place, event.hidden["server"].secret)

    def _add_secret(self, seat: int, place: TakenSeat, secret: str) -> str:
        assert self.opened
        self.places[seat] = place._replace(secret=secret)
        commit = deal.seat_commit(self.opened.game, seat, bytes_of(secret))
        is_kept = commit == place.commit
        return "" if is_kept else Phrase("evidence.opening.other_secret", seat=seat)

    def _seal(self, event: e.TableSealed) -> str:
        assert self.opened
        if self.sealed:
            return Phrase("evidence.opening.seals_again")
        self.sealed = event
        count, seats = len(self.places), self.opened.seats
        if count == seats:
            return ""
        return Phrase("evidence.opening.seals_early", total=seats, count=count)

    def _reveal(self, event: e.SeatSecretRevealed) -> str:
        if not self.sealed or event.seat not in self.due:
            return Phrase("evidence.opening.not_due")
        return self._add_secret(event.seat, self.places[event.seat], event.secret)

    def _deal(self, event: e.DealOpened) -> str:
        if not self.sealed or self.due:
            return Phrase("evidence.opening.deals_early")
        if self.dealt:
            return Phrase("evidence.opening.deals_again")
        self.dealt = event.transcript
        is_due = self.transcript() in ("", self.dealt)
        return "" if is_due else Phrase("evidence.opening.other_deal")

    def _end(self, event: e.GameEnded | e.GameVoided) -> str:
        assert self.opened
        self._over = True
        commit = deal.server_commit(self.opened.game, bytes_of(event.secret))
        if commit != self.opened.server_commit:
            return Phrase("evidence.opening.reveals_other")
        if isinstance(event, e.GameEnded):
            return "" if self.dealt else Phrase("evidence.opening.never_dealt")
        owing = self._timed_out if self.dealt else self.due if self.sealed else ()
        return "" if event.owing == owing else Phrase("evidence.opening.names_others")

    def transcript(self) -> str:
        """The hash (hex) of the deal's transcript from the secrets; empty until all are known."""
        if self.opened is None or not all(place.secret for place in self.places.values()):
            return ""
        ruleset = self.opened.ruleset
        secrets = [(place.commit, place.secret) for _, place in sorted(self.places.items())]
        commit, rules = self.opened.server_commit, fingerprint(ruleset)
        text = deal.transcript(self.opened.game, ruleset.name, rules, commit, secrets)
        return hashlib.sha256(text.encode()).hexdigest()


def bytes_of(text: str) -> bytes:
    """The bytes of a hex text; none where it is no hex."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
