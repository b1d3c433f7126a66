"""Bodies of the routes of players."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from phaseledger.domain.words import Language
from phaseledger.projections.pages import PoolRating, PresetRecord
from phaseledger.service.schemas.names import Name, take_name
from phaseledger.service.schemas.notices import NoticeState, PutNotices
from phaseledger.service.schemas.terms import Body

PLAYER_ID = r"[A-Za-z0-9._~:@+-]{1,100}"
PlayerId = Annotated[
    str,
    Meta(
        pattern=rf"^{PLAYER_ID}\Z",
        description="The id that your application gives the player.",
        examples=["user-17"],
    ),
]
PlayerResult = Literal["won", "lost", "any"]


class PutPlayer(Body, frozen=True):
    """A player's name, as other people read it, language, and where notices go."""

    name: Name
    language: Language = "en"
    notices: Annotated[
        PutNotices | None,
        Meta(description="Left out, or null: as they were. Empty: the player wants none any more."),
    ] = None

    def __post_init__(self) -> None:
        take_name(self, self.name)


class PlayerInfo(Struct, frozen=True):
    """A player as its application sees it.

    `pseudonym` is the name in games, their events and exports: "player-" and the first 100 bits, in
    base32 of small letters, of the SHA-256 of the lines "p10-player/v1", `salt`, the application's
    id and `id`, the last one not ended. Who keeps the salt can show later whose pseudonym it was.
    """

    id: str
    name: str
    language: Language
    pseudonym: str
    salt: Annotated[str, Meta(description="32 random bytes, as hex.")]
    made_at: Annotated[int, Meta(description="When, in milliseconds since 1970.")]
    notices: NoticeState


class PlayerPage(Struct, frozen=True):
    """A page of players, by id; ``next`` is the cursor of the following page."""

    players: tuple[PlayerInfo, ...]
    next: str | None


class PlayerNames(Struct, frozen=True):
    """The names of players by their pseudonyms; erased players are left out."""

    names: dict[str, str]


class PlayerStatistics(Struct, frozen=True):
    """How a player fared, by rule set; private tables count too."""

    rulesets: tuple[PresetRecord, ...]


class PlayerRatings(Struct, frozen=True):
    """A player's ratings, one for each rule set and number of seats."""

    ratings: tuple[PoolRating, ...]


class TokenFor(Body, frozen=True):
    """Whose token is wanted: a player's, for the seat; left out: the host's, for an application."""

    player: PlayerId | None = None


class TakeOver(Body, frozen=True):
    """A guest's seat, by its token, and the player whose seat it is to be."""

    player: PlayerId
    token: Annotated[str, Meta(max_length=100, description="The token of the guest's seat.")]


class TableToken(Struct, frozen=True):
    """A fresh token for a table; earlier ones stay valid. ``seat`` is null for the host."""

    game: UUID
    seat: int | None
    token: str


class SignInWith(Body, frozen=True):
    """How a person signs in: with an ID token of the operator's issuer, for its client; or with the
    code and the state with which the issuer has sent the browser back.
    """

    id_token: Annotated[str, Meta(max_length=16_384)] | None = None
    code: Annotated[str, Meta(min_length=1, max_length=4_096)] | None = None
    state: Annotated[str, Meta(max_length=100)] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether it is an ID token, or a code with its state, and not both."""
        has_code = self.code is not None
        return (self.id_token is None) == has_code and has_code == (self.state is not None)


class SignedIn(Struct, frozen=True):
    """A session of the player: its token acts for the player, and for no other one."""

    token: Annotated[str, Meta(description="`p10u_...`, shown only here.")]
    expires_at: Annotated[int, Meta(description="When, in milliseconds since 1970.")]
    player: PlayerInfo


class PlayerSeat(Struct, frozen=True):
    """A player's seat at a table, and the token to play it with."""

    seat: int
    player: str
    token: str
