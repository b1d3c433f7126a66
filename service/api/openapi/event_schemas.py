"""The JSON Schemas of events in the description: one for each kind, discriminated by ``type``.

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
_OWNER, _NON_OWNERS, _GIVER_AND_TAKER = _SEAT, f"not:{_SEAT}", f"{_SEAT},{_SEAT}|not:{_SEAT}"

HIDES: dict[type[e.Event], tuple[str, tuple[str, ...]]] = {
    e.GameOpened: ("server", ("secret", "script")),
    e.SeatTaken: ("server", ("secret",)),
    e.RoundDealt: (f"{_OWNER}|{_NON_OWNERS}|stock", ("hand", "kept", "stock", "pile")),
    e.StockShuffled: ("stock", ("stock",)),
    e.CardDrawn: (_OWNER, ("card", "said", "place", "sig")),
    e.CardTurned: (f"{_OWNER}|{_NON_OWNERS}", ("card",)),
    e.CardsSwapped: (_OWNER, ("said", "sig")),
    e.CardGiven: (_GIVER_AND_TAKER, ("card", "said", "sig")),
    e.CardsKept: (_OWNER, ("said", "sig")),
}
"""The kinds with hidden fields: the audiences (a pattern), and the fields of `Secret`."""

_SALT = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
_SEALS = ("sealed", "hidden", "salts")
_BOUNDS: dict[str, Any] = {
    **dict.fromkeys(("seat", "dealer", "target", "to", "out"), SeatNumber),
    **dict.fromkeys(("secret", "server_commit", "commit", "transcript"), Hex32),
}
"""Constrained types of event fields that their structs, for speed, declare without them."""


_STRICT: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "kw_only": True}


def _secret(kind: type[e.Event], names: tuple[str, ...]) -> type[msgspec.Struct]:
    """The struct of an event kind's hidden fields."""
    definitions = [
        (field.name, _BOUNDS[field.name])  # what has bounds is always there
        if field.name in _BOUNDS
        else (field.name, field.type, field.default)
        for field in fields(e.Secret)
        if field.name in names
    ]
    doc = {"__doc__": f"What a `{kind.__name__}` hides; what equals its default is left out."}
    return msgspec.defstruct(
        f"{kind.__name__}Secret", definitions, namespace=doc, module="events", **_STRICT
    )


def _record(topic: str, kind: type[e.Event]) -> type[msgspec.Struct]:
    """The struct of one event kind's records."""
    own: dict[str, Any] = {"data": kind}
    hides = HIDES.get(kind)
    if hides:
        pattern, names = hides
        audience: Any = Annotated[str, Meta(pattern=f"^({pattern})$")]
        own["hidden"] = dict[audience, _secret(kind, names)]  # type: ignore[misc]
        own["sealed"], own["salts"] = dict[audience, Hex32], dict[audience, _SALT]
    definitions: list[Any] = []
    for field in fields(EventRecord):
        if (field.name in _SEALS and not hides) or field.name == "type":
            continue
        is_needed = field.default_factory is NODEFAULT
        definition = (field.name, own.get(field.name, field.type))
        definitions.append(
            definition if is_needed else (*definition, msgspec.field(default_factory=dict))
        )
    summary, _, _ = (kind.__doc__ or "").partition("\n\n")
    return msgspec.defstruct(
        f"{kind.__name__}Record",
        definitions,
        namespace={"__doc__": summary},
        module="events",
        tag_field="type",
        tag=topic,
        **_STRICT,
    )


RECORDS = tuple(_record(topic, kind) for topic, kind in e.EVENTS.items())
RECORD: Any = Union[RECORDS]  # noqa: UP007 - there is no other way to write a tuple of them
"""The union of all event records."""
assert VERSION == 1, "EventRecord.v says so"


def describe_records(components: dict[str, Any], union: dict[str, Any]) -> None:
    """Fit the event schemas to the stored form: nothing hidden in ``data``, and no null."""
    record = components["EventRecord"]
    components["EventRecord"] = {
        "title": record["title"],
        "description": record["description"],
    } | union
    bounds, _ = msgspec.json.schema_components(tuple(_BOUNDS.values()))
    shared = dict(zip(_BOUNDS, bounds, strict=True))
    for kind in HIDES:
        for schema in components[f"{kind.__name__}Secret"]["properties"].values():
            schema.pop("description", None)  # `Secret` has it
    for kind in e.EVENTS.values():
        members = components[kind.__name__]["properties"]
        del members["hidden"]
        for name, schema in members.items():
            if {"type": "null"} in schema.get("anyOf", ()):
                (value,) = (
                    alternative
                    for alternative in schema.pop("anyOf")
                    if alternative != {"type": "null"}
                )
                del schema["default"]
                schema |= value
            if name in shared and schema.get("type") == shared[name]["type"]:
                schema |= shared[name]
