"""The form of a bundle: its lines, their order and spelling, and the fields of its events."""

import json
import re
from typing import Any, NamedTuple

from verifying.basics import Damaged, canonical, digest

ORDER = (
    *("bundle", "ruleset", "event", "opens", "secret"),
    *("receipt", "checkpoint", "inclusion", "consistency", "end"),
)
LONGEST, LARGEST, MOST = 1_048_576, 32 * 1024 * 1024, 80_000
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}

Schema = dict[str, Any]


def fields(*optional: str, **properties: Schema) -> Schema:
    """A schema of an object with these fields, all of them there but the optional ones."""
    needed = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": needed}


def listed(items: Schema) -> Schema:
    """A schema of a list."""
    return {"type": "array", "items": items}


TEXT: Schema = {"type": "string"}
HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
SALT: Schema = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
STATUS: Schema = {"enum": ["finished", "voided", "unfinished"]}
LINES: dict[str, Schema] = {
    "bundle": fields(
        *("seat",),
        v={"enum": ["p10-bundle/v1"]},
        game=TEXT,
        status=STATUS,
        events=NUMBER,
        head=HASH,
        keys=listed(TEXT),
        seat=NUMBER,
    ),
    "ruleset": fields(name=TEXT, hash=HASH, rules={"$ref": "RuleSet"}),
    "opens": fields(seq=NUMBER, audience=TEXT, salt=SALT, value={"type": "object"}),
    "secret": fields(
        *("secret",), by=TEXT, made_by={"enum": ["server", "seat"]}, commit=HASH, secret=HASH
    ),
    "receipt": {"$ref": "Receipt"},
    "checkpoint": fields(note={"type": "string", "maxLength": 65_536}),
    "inclusion": fields(seq=NUMBER, index=NUMBER, size=NUMBER, path=listed(HASH)),
    "consistency": fields(first=NUMBER, path=listed(HASH), root=HASH, second=NUMBER),
    "end": fields(lines=NUMBER),
}


class Event(NamedTuple):
    """One event of the log, with the seals that the bundle opens."""

    seq: int
    kind: str
    at: int
    cmd: str
    prev: str
    game: str
    data: dict[str, Any]
    sealed: dict[str, str]
    opened: dict[str, dict[str, Any]]
    salts: dict[str, str]
    leaf: str

    @property
    def words(self) -> str:
        """Its kind as `_card_drawn`."""
        return re.sub("([A-Z])", r"_\1", self.kind).lower()

    @property
    def command(self) -> dict[str, Any]:
        """The command that begins with this event; empty where none does."""
        command: dict[str, Any] = self.data.get("act", {}).get("command", {})
        return command

    @property
    def speaker(self) -> int | None:
        """The seat whose command begins with this event."""
        seat: int | None = self.data.get("act", {}).get("seat")
        return seat


class Bundle(NamedTuple):
    """What stands in the lines of a file, by kind."""

    header: dict[str, Any]
    ruleset: dict[str, Any]
    events: list[Event]
    secrets: list[dict[str, Any]]
    receipts: list[dict[str, Any]]
    notes: list[dict[str, Any]]
    proofs: list[dict[str, Any]]
    earlier: list[dict[str, Any]]


def refused(_: str) -> None:
    """Refuse a number that is no whole one."""
    raise ValueError


def read(line: bytes) -> Any:
    """The value that a line spells, if it is in the one spelling that there is."""
    try:
        value = json.loads(line, parse_float=refused, parse_constant=refused)
        spelt = canonical(value)
    except (ValueError, RecursionError):
        raise Damaged("a line is no JSON, or has numbers that are not whole") from None
    if spelt != line:
        raise Damaged("a line is not in canonical form")
    return value


def in_range(value: Any, schema: Schema) -> bool:
    """Whether a number, a text or a list keeps the bounds of a schema."""
    if isinstance(value, int):
        bounds = schema.get("minimum", 1 - 2**53), schema.get("maximum", 2**53 - 1)
        return bool(bounds[0] <= value <= bounds[1])
    if isinstance(value, str):
        sized = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", LARGEST)
        pattern = schema.get("pattern")
        return sized and (not pattern or (value[-1:] != "\n" and bool(re.search(pattern, value))))
    return not isinstance(value, list) or len(value) <= schema.get("maxItems", MOST)


class Description:
    """The schemas of openapi.json, by which the fields of an event are known."""

    def __init__(self, schemas: dict[str, Schema]) -> None:
        self.schemas = schemas
        kinds = schemas["EventRecord"]["discriminator"]["mapping"].values()
        self.events = {kind.rpartition("/")[2] for kind in kinds}

    def event(self, value: dict[str, Any]) -> str:
        """The kind of an event that has the fields of its kind; else it is refused."""
        kind = str(value.get("type")).partition("/")[0]
        if f"{kind}Record" not in self.events:
            raise Damaged(f"{value.get('type')!r} is no kind of event")
        self.fit(value, self.schemas[f"{kind}Record"])
        return kind

    def fit(self, value: Any, schema: Schema) -> None:
        """Hold a value against a schema."""
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"].rpartition("/")[2]]
        if "discriminator" in schema:
            mapping = schema["discriminator"]["mapping"]
            chosen = mapping.get(value.get("type")) if isinstance(value, dict) else None
            schema = {"anyOf": [{"$ref": chosen}] if chosen else []}
        right = self.is_of_kind(value, schema) and in_range(value, schema)
        if not right:
            raise Damaged("a value cannot stand where it does")
        if isinstance(value, list) and "items" in schema:
            for item in value:
                self.fit(item, schema["items"])
        if isinstance(value, dict):
            self.fit_fields(value, schema)

    def is_of_kind(self, value: Any, schema: Schema) -> bool:
        """Whether a value is of the type that a schema names, or one of several values or kinds."""
        named = schema.get("type", "")
        kinds = [TYPES.get(name, object) for name in ([named] if isinstance(named, str) else named)]
        among = [schema["const"]] if "const" in schema else schema.get("enum", [value])
        right = any(
            isinstance(value, kind) and not (kind is int and isinstance(value, bool))
            for kind in kinds
        )
        right = right and any(value == item and type(value) is type(item) for item in among)
        right = right and value is not None
        return right and ("anyOf" not in schema or self.fits_one(value, schema["anyOf"]))

    def fit_fields(self, value: dict[str, Any], schema: Schema) -> None:
        """Hold an object's fields against a schema; what equals its default must not be there."""
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        if properties is None and others is None:
            return
        if not set(schema.get("required", ())) <= set(value):
            raise Damaged("a field is missing")
        for name, member in value.items():
            expected = (properties or {}).get(name, others)
            self.fit(name, schema.get("propertyNames", {}))
            if not isinstance(expected, dict) or member == expected.get("x-default"):
                raise Damaged(f"there may be no field {name!r}, or not of this value")
            self.fit(member, expected)

    def fits_one(self, value: Any, among: list[Schema]) -> bool:
        """Whether a value fits one of several schemas."""
        for schema in among:
            try:
                self.fit(value, schema)
            except Damaged:
                continue
            return True
        return False


def sorted_out(lines: list[bytes], description: Description) -> dict[str, list[Any]]:
    """What stands in the lines, by kind; under `event` with the seals that are opened."""
    parts: dict[str, list[Any]] = {name: [] for name in ORDER}
    last = ""
    for line in lines:
        value = read(line)
        name = next(iter(value)) if isinstance(value, dict) and len(value) == 1 else ""
        repeatable = {"event", "opens"} if last == "opens" else {last}
        if name not in ORDER or (last and name not in {*repeatable, *ORDER[ORDER.index(last) :]}):
            raise Damaged("a line does not stand where it belongs")
        last, value = name, value[name]
        if name == "event":
            if not isinstance(value, dict) or "hidden" in value or "salts" in value:
                raise Damaged("an event is not in its public form")
            leaf = digest(b"\0", canonical(value)).hex()
            value = {"leaf": leaf, "whole": value | {"hidden": {}, "salts": {}}}
        else:
            description.fit(value, LINES[name])
        if name == "opens":
            event = parts["event"][-1]["whole"] if parts["event"] else {"hidden": {}}
            if value["seq"] != event.get("seq") or value["audience"] <= max(
                event["hidden"], default=""
            ):
                raise Damaged("an opened seal does not stand under its event")
            event["hidden"][value["audience"]] = value["value"]
            event["salts"][value["audience"]] = value["salt"]
        parts[name].append(value)
    return parts


def parsed(content: bytes, description: Description) -> Bundle:
    """The parts of a bundle; refuses what is none (docs/reference/evidence.md, "The bundle")."""
    lines = content.split(b"\n")
    sized = len(content) <= LARGEST and 5 <= len(lines) - 1 <= MOST
    if lines.pop() or not sized or max(map(len, lines)) >= LONGEST or lines[-1][:7] != b'{"end":':
        raise Damaged("it has no end, or is longer than a bundle may be")
    parts = sorted_out(lines, description)
    counts = {name: len(values) for name, values in parts.items()}
    once = all(counts[name] == 1 for name in ("bundle", "ruleset", "end")) and counts["event"] > 0
    proofs = (1, 2) if counts["checkpoint"] == 1 else (0,)
    if not once or counts["checkpoint"] > 1 or counts["inclusion"] not in proofs:
        raise Damaged("a line is missing, or there are too many")
    sizes = [proof["first"] for proof in parts["consistency"]]
    if sizes != sorted(set(sizes)) or 0 in sizes or (sizes and not counts["checkpoint"]):
        raise Damaged("the earlier sizes of the log are not in order")
    if parts["end"][0]["lines"] != len(lines) - 1:
        raise Damaged("the number of lines is another one")
    events = []
    for line in parts["event"]:
        event = {name: value for name, value in line["whole"].items() if value != {}}
        kind = description.event(event)
        start = [event[name] for name in ("at", "cmd", "prev", "game", "data")]
        rest = [event.get(name, {}) for name in ("sealed", "hidden", "salts")]
        events.append(Event(event["seq"], kind, *start, *rest, line["leaf"]))
    return Bundle(
        parts["bundle"][0], parts["ruleset"][0], events, *(parts[name] for name in ORDER[4:9])
    )
