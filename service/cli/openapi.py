"""The command that prints the OpenAPI description of the HTTP API."""

from tempfile import TemporaryDirectory

from phaseledger.replay.formats.signing.keys import Keyring, fresh_name
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.terminal import SOUND, guarded, output
from phaseledger.service.settings import Settings


@guarded
def openapi() -> int:
    """Print the OpenAPI description of the HTTP API."""
    # With the web framework, which who asks for the flags of all commands does not wait for.
    from phaseledger.service.api.openapi.document import text
    from phaseledger.service.app import in_postgres, routes

    with TemporaryDirectory() as nowhere:  # the operator's own keys are not looked at
        settings = Settings(keys_dir=nowhere, published_dir=nowhere)
        keys = Keyring((SigningKey.new(fresh_name()),))
        description = text(routes(in_postgres(settings, keys), settings))  # and nothing is opened
    with output(None) as file:
        file.write(description)
    return SOUND
