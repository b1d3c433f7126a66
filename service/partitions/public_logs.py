"""The public log of each partition: its name, and who signs it."""

from phaseledger.replay.records.partitions import log_name
from phaseledger.replay.signing.keys import Keyring
from phaseledger.service.settings import Settings, published_folder
from phaseledger.service.transparency.signer import LogSigner, signer


def origin_of(settings: Settings, keys: Keyring, number: int) -> str:
    """The name of the partition's public log; the first has the ledger's own."""
    return log_name(settings.log_origin or keys.log, number)


def signer_of(settings: Settings, keys: Keyring, number: int) -> LogSigner:
    """The signer of the partition's public log.

    Raises:
        SigningRefused: the folder for what was published cannot be made.

    """
    return signer(keys, origin_of(settings, keys, number), published_folder(settings))
