"""Answers of the public log: an event's place in its tree, and cosigned checkpoints."""

from typing import Annotated

from msgspec import Meta, Struct

from phaseledger.service.schemas.games import HeadHash
from phaseledger.service.schemas.terms import Body


class InclusionProof(Struct, frozen=True):
    """The place of an event's leaf in the tree of ``size`` leaves, and the path to the root."""

    game: str
    seq: int
    index: Annotated[int, Meta(description="The leaf, counted from 0.")]
    size: int
    path: Annotated[
        tuple[HeadHash, ...],
        Meta(description="The audit path of RFC 6962, 2.1.1, from the leaf upwards."),
    ]


class ConsistencyProof(Struct, frozen=True):
    """The proof that the tree of ``second`` leaves begins with the one of ``first``."""

    first: int
    second: int
    path: Annotated[tuple[HeadHash, ...], Meta(description="The proof of RFC 6962, 2.1.2.")]


class Cosignature(Body, frozen=True):
    """A published checkpoint under a witness's cosignature, as a signed note."""

    note: Annotated[str, Meta(max_length=20_000)]


class Cosigned(Struct, frozen=True):
    """A checkpoint and the witnesses who have just cosigned it."""

    size: int
    witnesses: Annotated[tuple[str, ...], Meta(description="Their keys, as name and hash.")]
