"""Refusals of files that people bring, each with the reader's own sentence as its reason."""

from phaseledger.service.refusals import Refusal
from phaseledger.service.schemas.problem import Fault


class UnshownFile(Refusal):
    """Nothing is shown of a file; ``reason`` says why in English, often with the line at fault."""

    def __init__(self, reason: str = "") -> None:
        super().__init__()
        self.faults = (Fault("body", "$", reason),) if reason else ()

    def members(self) -> dict[str, tuple[Fault, ...]]:
        """The file as the part at fault, with the reason."""
        return {"errors": self.faults}


class FileIsNoGame(
    UnshownFile,
    code="not_a_game",
    status=422,
    title="The file is no game: it is neither an export nor a bundle of phaseledger.",
):
    """The body is none of the files that hold a game."""


class FileOfOtherVersion(
    UnshownFile,
    code="other_version",
    status=422,
    title="The file is of another version than this service reads.",
):
    """An earlier or a later release has written it."""


class FileIsDamaged(
    UnshownFile,
    code="damaged_file",
    status=422,
    title="The file is so damaged that not even the first event of its game can be shown.",
):
    """No event before the first bad one."""


class FileTooLong(
    UnshownFile,
    code="file_too_long",
    status=422,
    title="The file takes more than the service spends on showing one: `phaseledger viewer` does.",
):
    """More events, bytes, time or memory than `reading.LIMITS`."""


class GameNotOver(
    UnshownFile,
    code="game_not_over",
    status=422,
    title="The game is not over, and nobody is shown its hidden cards before it is.",
):
    """The file has the cards of a game that goes on, as far as it says itself."""


class SeveralGames(
    UnshownFile,
    code="several_games",
    status=422,
    title="The file holds several games: say which one, by its id or its place from 1.",
):
    """The file is an export of many games, and the request names none of them."""


class GameNotInFile(
    UnshownFile,
    code="game_not_in_file",
    status=422,
    title="The file has no game of that id, and none at that place.",
):
    """The request names a game that is not in the file."""


class UnsupportedFileType(
    Refusal,
    code="unsupported_file_type",
    status=415,
    title="The body must be a file: application/octet-stream, plain or compressed with gzip.",
):
    """The body has another media type or content coding than a file."""


class TooManyReplays(
    Refusal,
    code="too_many_replays",
    status=503,
    title="As many files are being read as may be at once; try again.",
):
    """All slots of readers are taken, or those of the address."""

    retry_after = 5
