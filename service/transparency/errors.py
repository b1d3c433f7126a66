"""Refusals of the public log: proofs that it cannot give, cosignatures that it does not take."""

from phaseledger.service.refusals import Occasion, Refusal


class NoCheckpoint(Refusal, code="no_checkpoint", status=404, met=(Occasion.PROVING,)):
    """Nothing was signed so far."""


class SizeUnknown(Refusal, code="size_unknown", status=404, met=(Occasion.PROVING,)):
    """The tree is smaller, or the sizes are the wrong way round."""


class NotInLog(Refusal, code="not_in_log", status=409):
    """There is no such event, or no checkpoint over it."""


class UnknownWitness(Refusal, code="unknown_witness", status=403, met=(Occasion.COSIGNING,)):
    """The operator has named other witnesses."""


class BadCosignature(Refusal, code="bad_cosignature", status=422, met=(Occasion.COSIGNING,)):
    """The note, its checkpoint or its signature is not what it should be."""


class RecordDamaged(Refusal, code="log_damaged", status=503, met=(Occasion.LOG,)):
    """The log's record differs from what was stored."""


class TreeError(RecordDamaged):
    """The tree is not what it should be; the message says why and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(reason=message)
