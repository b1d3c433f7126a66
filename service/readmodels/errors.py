"""Refusals of the read side: those of the projections, and those that the service adds."""

from typing import Self

from phaseledger.projections import pages
from phaseledger.projections.pages import SetAsideGame
from phaseledger.service.refusals import Occasion, Refusal


class CursorUnknown(
    Refusal,
    code="bad_cursor",
    status=422,
    title="That is no cursor of this list.",
    met=(Occasion.PAGED,),
    of=pages.BadCursor,
):
    """No page of the list gave that cursor out."""


class ViewsUnreadable(
    Refusal,
    code="views_unavailable",
    status=503,
    title="The views cannot be read; try again.",
    met=(Occasion.VIEWS,),
    of=pages.ViewsUnavailable,
):
    """The database of the views does not answer."""


class VersionNotReached(
    Refusal,
    code="version_not_reached",
    status=409,
    title="The game is not at that version yet.",
    met=(Occasion.VIEWING,),
    of=pages.NotReached,
):
    """The caller has waited in vain for a version; ``version`` is how far the view is."""

    def __init__(self, version: int) -> None:
        super().__init__(f"it is at {version}")
        self.version = version

    @classmethod
    def for_exception(cls, error: Exception) -> Refusal:
        """The refusal, with the version that the view has reached."""
        assert isinstance(error, pages.NotReached)
        return cls(error.reached)

    def members(self) -> dict[str, int]:
        """The version of the view."""
        return {"version": self.version}


class ViewsBehind(
    Refusal,
    code="views_behind",
    status=503,
    title="The views have not caught up with the log; try again.",
):
    """The views lack ends of games that an export has told already."""


class GameSetAside(
    Refusal,
    code="game_set_aside",
    status=409,
    title="The game is set aside, for its record is damaged.",
    met=(Occasion.LOG,),
    outcome="set_aside",
):
    """The log's record of the game is damaged; the detail says where, and whether it is void."""

    @classmethod
    def of(cls, aside: SetAsideGame) -> Self:
        """The refusal of that game."""
        void = f"the operator {aside.voided_by} has voided it: {aside.void_reason}; "
        return cls((void if aside.voided_by else "") + aside.reason)
