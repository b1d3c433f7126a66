"""What is apart from the database: who signs the public log, and the last checkpoint published."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from typing_extensions import override

from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import Checkpoint, SigningKey
from phaseledger.service.transparency.signer import (
    LogSigner,
    PublicationOvertaken,
    last_published,
)
from tests.simulation.chance import Chance


class PublishedFile:
    """The file with the last published checkpoint, on a disk that keeps what it is given."""

    def __init__(self, tell: Callable[[Checkpoint], None]) -> None:
        self.text = ""
        self.tell = tell

    def read_text(self, encoding: str = "") -> str:
        """As `pathlib.Path` has it."""
        if not self.text:
            raise FileNotFoundError
        return self.text

    def __str__(self) -> str:
        return "the published checkpoint"


class SimulatedSigner(LogSigner):
    """The public log's signer, who tells of each checkpoint before anybody sees it."""

    @override
    def keep(self, note: str, last: Checkpoint | None) -> None:
        file = cast("PublishedFile", self.kept)
        if last_published(self) != last:
            raise PublicationOvertaken
        file.text = note
        file.tell(notes.checkpoint(notes.note(note).text))


def simulated_signer(
    chance: Chance, tell: Callable[[Checkpoint], None], log: str = "simulated-ledger"
) -> LogSigner:
    """A signer with a key that follows from the seed."""
    key = SigningKey(log, chance.bytes(32))
    return SimulatedSigner(log, (key,), cast("Path", PublishedFile(tell)), (key.public,))
