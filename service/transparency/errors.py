"""Refusals of the public log: proofs that it cannot give, cosignatures that it does not take."""

from phaseledger.service.refusals import Occasion, Refusal


class NoCheckpoint(
    Refusal,
    code="no_checkpoint",
    status=404,
    title="The public log has no checkpoint yet.",
    met=(Occasion.PROVING,),
):
    """Nothing was signed so far."""


class SizeUnknown(
    Refusal,
    code="size_unknown",
    status=404,
    title="The public log has no such size.",
    met=(Occasion.PROVING,),
):
    """The tree is smaller, or the sizes are the wrong way round."""


class NotInLog(
    Refusal,
    code="not_in_log",
    status=409,
    title="The public log does not cover such an event yet.",
):
    """There is no such event, or no checkpoint over it."""


class UnknownWitness(
    Refusal,
    code="unknown_witness",
    status=403,
    title="No cosignature on it is by a witness that this log takes.",
    met=(Occasion.COSIGNING,),
):
    """The operator has named other witnesses."""


class BadCosignature(
    Refusal,
    code="bad_cosignature",
    status=422,
    title="That is no cosignature on a published checkpoint.",
    met=(Occasion.COSIGNING,),
):
    """The note, its checkpoint or its signature is not what it should be."""


class RecordDamaged(
    Refusal,
    code="log_damaged",
    status=503,
    title="The log's record of that is damaged; nothing is signed on it.",
    met=(Occasion.LOG,),
):
    """The log's record differs from what was stored."""


class TreeError(RecordDamaged):
    """The tree is not what it should be; the message says why and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(reason=message)
