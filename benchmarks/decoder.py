"""A service that decodes a command, does nothing with it, and answers: HTTP's own price."""

from uuid import UUID

from litestar import Litestar, post
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from domain.commands import Play


class Decoded(Struct):
    """As much as the load needs to go on."""

    version: int
    hand: str


@post("/v1/games/{game:uuid}/commands", status_code=200)
async def decode(game: FromPath[UUID], data: JSONBody[Play]) -> Decoded:
    """Decode and answer."""
    return Decoded(game.version or 0, "" if data is None else "R7")


app = Litestar([decode], openapi_config=None, logging_config=None)
