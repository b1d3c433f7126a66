"""The answers of the health checks."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct


class Alive(Struct, frozen=True):
    """The process answers."""

    status: Literal["alive"] = "alive"


class Check(Struct, frozen=True):
    """The state of one of the service's dependencies, with the reason if it is not well."""

    ok: bool = True
    reason: str = ""


class Checks(Struct, frozen=True):
    """All dependencies of the service."""

    database: Annotated[Check, Meta(description="Whether the log can be read.")]
    projections: Annotated[Check, Meta(description="Whether the views keep up with the log.")]
    log_key: Annotated[Check, Meta(description="Whether the public log is signed.")]
    commands: Annotated[Check, Meta(description="Whether new commands are taken.")]
    writer: Annotated[Check, Meta(description="Whether the log can be written.")] = Check()
    clock: Annotated[
        Check, Meta(description="Whether this node's clock agrees with the database's.")
    ] = Check()

    def named(self) -> Iterator[tuple[str, Check]]:
        """Each check with its name."""
        for name in self.__struct_fields__:
            yield name, getattr(self, name)


class Ready(Struct, frozen=True):
    """Games can be played. `checks` say whether all else is well, too.

    ``log``, ``views`` and ``signed`` are positions of the log, which may have gaps: all three are
    equal where nothing is waited for. ``lag`` is how far the views are behind, in positions.
    """

    status: Literal["ready"]
    checks: Checks
    log: int
    views: int
    lag: int
    signed: Annotated[int, Meta(description="Up to where the newest checkpoint covers the log.")]
    keys: Annotated[
        tuple[str, ...],
        Meta(
            description="The keys that sign checkpoints; the last of them signs receipts as well."
        ),
    ]
