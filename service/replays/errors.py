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


class FileIsNoGame(UnshownFile, code="not_a_game", status=422):
    """The body is none of the files that hold a game."""


class FileOfOtherVersion(UnshownFile, code="other_version", status=422):
    """An earlier or a later release has written it."""


class FileIsDamaged(UnshownFile, code="damaged_file", status=422):
    """No event before the first bad one."""


class FileTooLong(UnshownFile, code="file_too_long", status=422):
    """More events, bytes, time or memory than `reading.LIMITS`."""


class GameNotOver(UnshownFile, code="game_not_over", status=422):
    """The file has cards of a game that, by the file, goes on."""


class SeveralGames(UnshownFile, code="several_games", status=422):
    """The file is an export of many games, and the request names none of them."""


class GameNotInFile(UnshownFile, code="game_not_in_file", status=422):
    """The request names a game that is not in the file."""


class UnsupportedFileType(Refusal, code="unsupported_file_type", status=415):
    """The body has another media type or content coding than a file."""


class TooManyReplays(Refusal, code="too_many_replays", status=503):
    """All slots of readers are taken, or those of the address."""

    retry_after = 5
