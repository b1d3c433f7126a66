"""Schemas in the form that generators of clients understand, which is less than JSON Schema allows.

tests/contract/test_generated_clients.py runs eight generators, each as its users do. Nothing here
changes what may be sent or is answered.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args

from msgspec import Meta

from phaseledger.domain.commands import Command, Play
from phaseledger.domain.groups.melds import GroupEnd
from phaseledger.domain.ruleset import Action, Kind
from phaseledger.domain.state import QuestionKind, Stage
from phaseledger.domain.terms import Overdue, Spectators
from phaseledger.domain.words import Language
from phaseledger.service.schemas import webhooks
from phaseledger.service.schemas.games import BotSeat, PersonSeat
from phaseledger.service.schemas.rulesets import HitCheck, LayCheck
from phaseledger.service.schemas.terms import Level

Schema = dict[str, Any]

REFS = "#/components/schemas/{name}"
DEFAULT = "x-default"
"""What a field is that is left out. The keyword ``default`` makes the field a required one in
clients, while requests need not have it and answers leave it out."""
LINES = "x-lines"
"""Beside the schema of NDJSON: the schema of one line."""
VALUE_NAMES = "x-enum-varnames"
"""What programs call the values of an enum. Go has one name space for those of all enums."""
SHARED: dict[str, Any] = {
    "Action": Action,
    "BotLevel": Level,
    "CardsCheck": LayCheck | HitCheck,
    "Command": Command,
    "Direction": Literal["left", "right"],
    "Flag": Literal["true", "false"],
    "GroupEnd": GroupEnd,
    "GroupKind": Kind,
    "Language": Language,
    "Overdue": Overdue,
    "Parity": Literal["", "odd", "even"],
    "Play": Play,
    "QuestionKind": QuestionKind,
    "Spectators": Spectators,
    "Stage": Stage,
    "StockEnd": Literal["", "top", "bottom"],
    "TableSeat": PersonSeat | BotSeat,
    "WebhookType": webhooks.Type,
}
"""Names of the enums and unions that stand in several places, or whose place names them badly."""
_OF_PLACE = {"description", "examples", DEFAULT, "default"}
"""Keywords about a place, not about what may stand there."""
_TYPES = {bool: "boolean", int: "integer", str: "string"}
_SEVERAL = ("anyOf", "oneOf", "allOf")
_SINGLE = ("items", "additionalProperties", "propertyNames")
_INT32 = 2**31


def any_of(*kinds: type) -> Meta:
    """What is known of a line of NDJSON that is one of these; the components have their schemas."""
    refs = [{"$ref": REFS.format(name=kind.__name__)} for kind in kinds]
    return Meta(extra_json_schema={"anyOf": refs})


class Portable:
    """Rewrites schemas in place, and collects the ones that get a name.

    A list of values, or a union that is told apart by a field, is written out nowhere: generators
    number schemas without a name, and the numbers change with the order of all others.
    """

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}
        self._names = {_members(kind): name for name, kind in SHARED.items()}

    def rewrite(self, schema: Schema, name: str, *, is_component: bool = False) -> None:
        """Rewrite a schema; ``name`` is what it is called if it needs a name.

        Of all values of an enum there is one type, and no field has a ``default``. Generators drop
        an enum of mixed types, with all that refers to it, and know nothing of the values of one
        without a type.
        """
        _join(schema)
        for suffix, part in _parts(schema):
            self.rewrite(part, name + suffix)
        for field_name, field in schema.get("properties", {}).items():
            if "default" in field:
                field[DEFAULT] = field.pop("default")
            elif isinstance(field.get("const"), str) and field_name in schema["required"]:
                # Go tells the members of a union by their patterns, and does not look at values.
                field["pattern"] = f"^{field['const']}$"
        if "enum" in schema:
            schema |= _by_type(schema.pop("enum"))
        elif "integer" in schema.get("type", ()):
            schema["format"] = _width(schema)
        if "discriminator" in schema and "anyOf" in schema:
            schema["oneOf"] = schema.pop("anyOf")
        if ("enum" in schema or "discriminator" in schema) and not is_component:
            self._move(schema, name)

    def _move(self, schema: Schema, name: str) -> None:
        """Move what a schema says to a component, and leave a reference to it."""
        own = {key: schema.pop(key) for key in [*schema] if key not in _OF_PLACE}
        members = own.get("enum") or [part["$ref"].rpartition("/")[2] for part in own["oneOf"]]
        name = self._names.setdefault(frozenset(members), name)
        assert self.named.setdefault(name, own) == own, f"two schemas of the name {name}"
        schema["$ref"] = REFS.format(name=name)


def value_names(name: str, schema: Schema) -> list[str]:
    """The names of an enum's values, each with the enum's name in front."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [re.sub(r"\W", "_", f"{words}_{value or 'empty'}").upper() for value in schema["enum"]]


def pascal(name: str) -> str:
    """The name of a field, parameter or operation as part of a schema's name."""
    return re.sub(r"(?:^|\W|_|(?<=\d))([A-Za-z]?)", lambda match: match[1].upper(), name)


def lines_of(schema: Schema) -> Schema:
    """The schema of NDJSON whose lines are of this one: a text, for no generator reads it by lines.

    What a line holds is told beside it, for readers that split the text.
    """
    if schema == {"type": "string"}:
        return schema
    words = f"Lines of JSON; what a line is: {' or '.join(f'`{name}`' for name in _refs(schema))}."
    return {"type": "string", "description": words, LINES: schema}


def _refs(schema: Schema) -> list[str]:
    """The components that a schema is, or one of which it is."""
    return [part["$ref"].rpartition("/")[2] for part in schema.get("anyOf", [schema])]


def _members(kind: Any) -> frozenset[str]:  # noqa: ANN401 - a union of types, or of literals
    return frozenset(getattr(member, "__name__", member) for member in get_args(kind))


def _parts(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The schemas in a schema, with what each adds to the name."""
    for field, part in schema.get("properties", {}).items():
        yield pascal(field), part
    for keyword in _SEVERAL:
        yield from (("", part) for part in schema.get(keyword, ()))
    for keyword in _SINGLE:
        if isinstance(schema.get(keyword), dict):
            yield "", schema[keyword]


def _join(schema: Schema) -> None:
    """Make one schema of alternatives that can be written as one."""
    alternatives = schema.get("anyOf", ())
    types = [part.get("type") for part in alternatives]
    if alternatives and all("enum" in part for part in alternatives):
        schema["enum"] = [value for part in schema.pop("anyOf") for value in part["enum"]]
    elif "array" in types and "string" in types:
        schema |= _without_type(schema.pop("anyOf"))
    elif len(types) == 2 and types[0] and types[1] == "null":
        # Of two schemas, openapi-generator lets fields beside this one be null, too.
        schema |= schema.pop("anyOf")[0] | {"type": types}


def _width(schema: Schema) -> str:
    """The format of an integer: without one, Go and Java take 32 bits for enough."""
    low, high = schema.get("minimum", -_INT32 - 1), schema.get("maximum", _INT32)
    return "int32" if low >= -_INT32 and high < _INT32 else "int64"


def _without_type(alternatives: list[Schema]) -> Schema:
    """A union of plain values and lists, in keywords that each hold for one type only.

    Java has no class of a list of texts, so its client with such a union does not compile; of this
    all generators make any value.
    """
    bounds: Schema = {}
    for part in alternatives:
        keywords = {key: value for key, value in part.items() if key != "type"}
        # Of keywords for lists that stand alone, orval makes a list.
        bounds |= {"then": keywords} if part["type"] == "array" else keywords
    return bounds | {"if": {"type": "array"}, "multipleOf": 1, "not": {"type": ["null", "object"]}}


def _by_type(values: list[Any]) -> Schema:
    """The schema of an enum's values, with a type: or one of several, each with its own."""
    alternatives: list[Schema] = []
    for kind, name in _TYPES.items():
        if own := [value for value in values if type(value) is kind]:
            narrowed = {"const": own[0]} if len(own) == 1 else {"enum": own}
            alternatives.append({"type": name} | narrowed)
    assert alternatives, f"no type for {values}"
    return alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}
