"""The command that prints the OpenAPI description of the HTTP API."""

from phaseledger.replay.terminal import SOUND, guarded, output
from phaseledger.service.api.openapi.document import text
from phaseledger.service.app import in_memory, routes
from phaseledger.service.settings import Settings


@guarded
def openapi() -> int:
    """Print the OpenAPI description of the HTTP API."""
    description = text(routes(in_memory(), Settings()))
    with output(None) as file:
        file.write(description)
    return SOUND
