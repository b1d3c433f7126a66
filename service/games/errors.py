"""Why a game refuses what is asked of it: what the service refuses, and what the rules do."""

from uuid import UUID


class NoSuchGame(Exception):
    """The log has no event of that game."""


class StaleVersion(Exception):
    """If-Match named a version that is not the game's; ``version`` is."""

    def __init__(self, version: int) -> None:
        super().__init__(f"The game is at version {version}.")
        self.version = version


class BadSignature(Exception):
    """The seat has not signed this command for event ``version``, whose hash is ``head``."""

    def __init__(self, version: int, head: str) -> None:
        super().__init__(f"The game is at version {version}.")
        self.version = version
        self.head = head


class Denied(Exception):
    """What the service refuses by the game as it is now; ``code`` is that of the problem."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


class LogDamaged(Exception):
    """The log has other events of a game than were stored; the message names one, for the log."""

    def __init__(self, game: UUID, seq: int, why: str) -> None:
        super().__init__(f"Event {seq} of game {game} was changed behind the service: {why}.")


class KeyReused(Exception):
    """The Idempotency-Key belongs to another command."""
