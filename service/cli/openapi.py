"""The command that prints the OpenAPI description of the HTTP API."""

import sys

from phaseledger.service.api.openapi.document import text
from phaseledger.service.app import routes
from phaseledger.service.components import in_memory


def openapi() -> None:
    """Print the OpenAPI description of the HTTP API."""
    sys.stdout.buffer.write(text(routes(in_memory())))
