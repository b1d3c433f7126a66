"""Bodies of the routes of players."""

from typing import Annotated, Literal
from unicodedata import normalize
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from phaseledger.domain.names import hides, is_name, is_pseudonym, look
from phaseledger.domain.words import Language
from phaseledger.projections.pages import PresetRecord
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
PlayerName = Annotated[str, Meta(min_length=1, max_length=40, examples=["Ada"])]
Result = Literal["won", "lost", "any"]


def take_name(named: Struct, name: str) -> None:
    """Require a name that no other one can be taken for, and compose its characters: one name is in
    one form. Raises ValueError.
    """
    if is_pseudonym(look(name)):
        raise ValueError("No name of that form, please")
    force_setattr(named, "name", normalize("NFC", name))


class PutPlayer(Body, frozen=True):
    """A player's name, as other people read it, and language."""

    name: PlayerName
    language: Language = "en"

    def __post_init__(self) -> None:
        if not is_name(self.name) or hides(self.name):
            raise ValueError("A name has no blank ends and no invisible characters, please")
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


class Players(Struct, frozen=True):
    """A page of players, by id; ``next`` is the cursor of the following page."""

    players: tuple[PlayerInfo, ...]
    next: str | None


class PlayerNames(Struct, frozen=True):
    """The names of players by their pseudonyms; without those that are erased."""

    names: dict[str, str]


class PlayerStatistics(Struct, frozen=True):
    """How a player fared, by rule set; private tables count too."""

    rulesets: tuple[PresetRecord, ...]


class TokenFor(Body, frozen=True):
    """Whose token is wanted: that of a player's seat; left out: the host's."""

    player: PlayerId | None = None


class TableToken(Struct, frozen=True):
    """A fresh token for a table; earlier ones stay valid. ``seat`` is null for the host."""

    game: UUID
    seat: int | None
    token: str


class PlayerSeat(Struct, frozen=True):
    """A player's seat at a table, and the token to play it with."""

    seat: int
    player: str
    token: str
