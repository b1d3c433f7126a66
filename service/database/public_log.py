"""The public log of the settings: its name, and who signs it."""

from phaseledger.replay.formats.ledgers import log_name
from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.service.settings import Settings, published_folder
from phaseledger.service.transparency.signer import LogSigner, signer


def origin_of(settings: Settings, keys: Keyring) -> str:
    """The name of the ledger's public log."""
    return log_name(settings.log_origin or keys.log, settings.ledger)


def signer_of(settings: Settings, keys: Keyring) -> LogSigner:
    """The signer of the ledger's public log.

    Raises:
        SigningRefused: the folder for what was published cannot be made.

    """
    return signer(keys, origin_of(settings, keys), published_folder(settings))
