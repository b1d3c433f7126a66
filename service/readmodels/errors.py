"""Refusals of the read side."""

from typing import Self

from phaseledger.domain.words import Phrase
from phaseledger.projections import pages
from phaseledger.projections.pages import SetAsideGame
from phaseledger.service.refusals import Occasion, Refusal


class CursorUnknown(
    Refusal, code="bad_cursor", status=422, met=(Occasion.PAGED,), of=pages.BadCursor
):
    """No page of the list gave that cursor out."""


class ViewsUnreadable(
    Refusal, code="views_unavailable", status=503, met=(Occasion.VIEWS,), of=pages.ViewsUnavailable
):
    """The database of the views does not answer."""


class VersionNotReached(
    Refusal, code="version_not_reached", status=409, met=(Occasion.VIEWING,), of=pages.NotReached
):
    """The caller has waited in vain for a version; ``version`` is how far the view is."""

    def __init__(self, version: int) -> None:
        super().__init__(Phrase("detail.version", version=version))
        self.version = version

    @classmethod
    def for_exception(cls, error: Exception) -> Refusal:
        """The refusal, with the version that the view has reached."""
        assert isinstance(error, pages.NotReached)
        return cls(error.reached)

    def members(self) -> dict[str, int]:
        """The version of the view."""
        return {"version": self.version}


class ViewsBehind(Refusal, code="views_behind", status=503):
    """The views lack ends of games that an export has told already."""


class GameSetAside(
    Refusal, code="game_set_aside", status=409, met=(Occasion.LOG,), outcome="set_aside"
):
    """The log's record of the game is damaged; the detail says where, and whether it is void."""

    @classmethod
    def of(cls, aside: SetAsideGame) -> Self:
        """The refusal of that game."""
        damage = next(
            (text for key in _DAMAGE if (text := Phrase(key, seq=aside.version)) == aside.reason),
            aside.reason,
        )
        if not aside.voided_by:
            return cls(damage)
        by = {"name": aside.voided_by, "reason": aside.void_reason}
        return cls(Phrase("adds.damage.voided", **by, damage=damage))


_DAMAGE = ("adds.damage.missing", "adds.damage.opening", "adds.damage.unread", "adds.damage.unfit")
"""What may be wrong with the record of a game that is set aside, where it is stored in English."""
