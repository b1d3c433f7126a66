"""Events as the description has them: one schema for each kind, told apart by ``type``.

The structs of `domain.events` say what stands in ``data``. Only what a kind keeps from whom is
written down here, and tests hold it against whole games.
"""

from typing import Annotated, Any, Union

import msgspec
from msgspec import NODEFAULT, Meta
from msgspec.structs import fields

from phaseledger.domain import events as e
from phaseledger.domain.commands import Hex32, SeatNumber
from phaseledger.domain.evidence.codec import VERSION
from phaseledger.service.schemas.games import EventRecord

_SEAT = "(0|[1-9][0-9]?)"
_ONE, _OTHERS, _GIVEN = _SEAT, f"not:{_SEAT}", f"{_SEAT},{_SEAT}|not:{_SEAT}"

HIDES: dict[type[e.Event], tuple[str, tuple[str, ...]]] = {
    e.GameOpened: ("server", ("secret",)),
    e.SeatTaken: ("server", ("secret",)),
    e.RoundDealt: (f"{_ONE}|{_OTHERS}|stock", ("hand", "kept", "stock", "pile")),
    e.StockShuffled: ("stock", ("stock",)),
    e.CardDrawn: (_ONE, ("card", "said", "place", "sig")),
    e.CardTurned: (f"{_ONE}|{_OTHERS}", ("card",)),
    e.CardsSwapped: (_ONE, ("said", "sig")),
    e.CardGiven: (_GIVEN, ("card", "said", "sig")),
    e.CardsKept: (_ONE, ("said", "sig")),
}
"""The kinds that hide something: for which audiences (a pattern), and fields of `Secret`."""

_SALT = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
_SEALS = ("sealed", "hidden", "salts")
_BOUNDS: dict[str, Any] = {
    **dict.fromkeys(("seat", "dealer", "target", "to", "out"), SeatNumber),
    **dict.fromkeys(("secret", "server_commit", "commit", "transcript"), Hex32),
}
"""What fields of events hold, where their structs, which have to be fast, do not say it."""


_STRICT: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "kw_only": True}


def _secret(kind: type[e.Event], names: tuple[str, ...]) -> type[msgspec.Struct]:
    """What an event of the kind hides."""
    chosen = [
        (field.name, _BOUNDS[field.name])  # what has bounds is always there
        if field.name in _BOUNDS
        else (field.name, field.type, field.default)
        for field in fields(e.Secret)
        if field.name in names
    ]
    doc = {"__doc__": f"What a `{kind.__name__}` hides; what equals its default is left out."}
    return msgspec.defstruct(
        f"{kind.__name__}Secret", chosen, namespace=doc, module="events", **_STRICT
    )


def _record(topic: str, kind: type[e.Event]) -> type[msgspec.Struct]:
    """The record of one kind of events."""
    own: dict[str, Any] = {"data": kind}
    hides = HIDES.get(kind)
    if hides:
        pattern, names = hides
        audience: Any = Annotated[str, Meta(pattern=f"^({pattern})$")]
        own["hidden"] = dict[audience, _secret(kind, names)]  # type: ignore[misc]
        own["sealed"], own["salts"] = dict[audience, Hex32], dict[audience, _SALT]
    chosen: list[Any] = []
    for field in fields(EventRecord):
        if (field.name in _SEALS and not hides) or field.name == "type":
            continue
        is_needed = field.default_factory is NODEFAULT
        given = (field.name, own.get(field.name, field.type))
        chosen.append(given if is_needed else (*given, msgspec.field(default_factory=dict)))
    said, _, _ = (kind.__doc__ or "").partition("\n\n")
    return msgspec.defstruct(
        f"{kind.__name__}Record",
        chosen,
        namespace={"__doc__": said},
        module="events",
        tag_field="type",
        tag=topic,
        **_STRICT,
    )


RECORDS = tuple(_record(topic, kind) for topic, kind in e.EVENTS.items())
RECORD: Any = Union[RECORDS]  # noqa: UP007 - there is no other way to write a tuple of them
"""Any event, as far as somebody may know it."""
assert VERSION == 1, "EventRecord.v says so"


def describe_records(components: dict[str, Any], union: dict[str, Any]) -> None:
    """Make the schemas of events say what is stored: nothing hidden in ``data``, and no null."""
    told = components["EventRecord"]
    components["EventRecord"] = {"title": told["title"], "description": told["description"]} | union
    bounds, _ = msgspec.json.schema_components(tuple(_BOUNDS.values()))
    known = dict(zip(_BOUNDS, bounds, strict=True))
    for kind in e.EVENTS.values():
        members = components[kind.__name__]["properties"]
        del members["hidden"]
        for name, schema in members.items():
            if {"type": "null"} in schema.get("anyOf", ()):
                (value,) = (each for each in schema.pop("anyOf") if each != {"type": "null"})
                del schema["default"]
                schema |= value
            if name in known and schema.get("type") == known[name]["type"]:
                schema |= known[name]
