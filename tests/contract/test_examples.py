"""Every operation has an example that was sent and answered once and still fits the schemas.

`EXAMPLES=write pytest tests/contract/test_examples.py` writes them anew, after a change that is
meant; then `phaseledger openapi` has them.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from jsonschema import Draft202012Validator, FormatChecker

from phaseledger.service.api.openapi.document import EXAMPLES
from phaseledger.service.schemas.webhooks import TYPES
from phaseledger.service.settings import Settings
from phaseledger.service.streams.sse import SSE
from phaseledger.service.webhooks.messages import _FIELDS
from tests.contract.walk import WITNESS, Walk, examples, walk
from tests.support.openapi_operations import Description, Operation, operations
from tests.support.service.applications import made
from tests.support.service.oidc_issuer import OidcIssuer

_MORE = {"game.started": ("ruleset", "players"), "round.ended": ("results",)}
"""What messages have besides the fields of their events."""
WEBHOOKS_PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "receive-webhooks.md"
WRITE = os.environ.get("EXAMPLES") == "write"


@pytest.fixture(scope="module")
def walked(served: Any, settings: Settings, description: Description, issuer: OidcIssuer) -> Walk:
    with httpx2.Client(base_url=served.url, timeout=None) as client:
        every = operations(description)
        return walk(client, every, WITNESS, made(settings), issuer.id_token())


def faults(value: Any, schema: dict[str, Any], description: Description) -> list[str]:
    """What a schema of the description has against a value."""
    whole = {**schema, "components": description["components"]}
    validator = Draft202012Validator(whole, format_checker=FormatChecker())
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]


def contents(operation: Operation) -> Iterator[tuple[str, dict[str, Any]]]:
    """The contents of an operation's request and answers, and where they stand."""
    body = operation.specification.get("requestBody", {"content": {}})
    for media_type, content in body["content"].items():
        yield f"{operation.name} is sent {media_type}", content
    for status, answer in operation.answers.items():
        for media_type, content in answer.get("content", {}).items():
            yield f"{operation.name} answers {status} {media_type}", content


def test_every_operation_is_walked(walked: Walk, description: Description) -> None:
    if WRITE:
        written = msgspec.json.format(msgspec.json.encode(examples(walked)), indent=1)
        EXAMPLES.write_bytes(written + b"\n")
    missing = set(operations(description)) - set(walked.steps)
    assert missing == set(), "give tests/contract/walk.py a step"
    kept = msgspec.json.decode(EXAMPLES.read_bytes())
    assert set(kept) == set(walked.steps), "run EXAMPLES=write pytest tests/contract"


def test_what_is_answered_fits_the_schemas(walked: Walk, description: Description) -> None:
    errors = {}
    for name, step in walked.steps.items():
        operation = operations(description)[name]
        success = min(operation.answers)
        content = operation.answers[success].get("content", {})
        if "application/json" in content:
            schema = content["application/json"]["schema"]
            errors[name] = faults(step.answer, schema, description)
    assert {name: wrong for name, wrong in errors.items() if wrong} == {}


def test_every_example_fits_its_schema(description: Description) -> None:
    """Every body in JSON has one; and every parameter says what it is."""
    errors = []
    for name, operation in operations(description).items():
        for where, content in contents(operation):
            shown = [example["value"] for example in content.get("examples", {}).values()]
            shown += [content["example"]] if "example" in content else []
            assert shown or "json" not in where or "ndjson" in where, where
            for value in shown:
                faulty = faults(value, content["schema"], description)
                errors += [f"{where}: {fault}" for fault in faulty]
        for parameter in operation.specification.get("parameters", []):
            assert parameter.get("description"), (name, parameter["name"])
    assert errors == []
    opened = operations(description)["openGame"].specification["requestBody"]["content"]
    good = opened["application/json"]["examples"]["as sent"]["value"]
    assert len(faults({**good, "stake": 1}, opened["application/json"]["schema"], description)) == 1


def test_streams_are_shown_as_they_come(description: Description) -> None:
    content = operations(description)["listEvents"].answers["200"]["content"][SSE]
    shapes, events = content["schema"]["x-events"], set()
    for example in content["examples"].values():
        for shown in example["value"].removesuffix("\n\n").split("\n\n"):
            fields = dict(line.split(": ", 1) for line in shown.split("\n"))
            if "event" in fields:
                value = msgspec.json.decode(fields["data"])
                assert faults(value, shapes[fields["event"]], description) == []
                assert str(value.get("version", "")) == fields.get("id", "").partition("-")[0]
                events.add(fields["event"])
    assert events == {"events", "end", "closed"}


def test_a_message_is_described_as_it_is_sent(description: Description) -> None:
    content = description["x-webhooks"]["message"]["post"]["requestBody"]["content"]
    (shown,) = content["application/json"]["examples"].values()
    schema = content["application/json"]["schema"]
    assert faults(shown["value"], schema, description) == []
    assert len(faults({**shown["value"], "type": "turn.taken"}, schema, description)) == 1
    prose = description["components"]["schemas"]["Message"]["properties"]["data"]["description"]
    for kind, fields in _FIELDS.values():
        names = [*fields, *_MORE.get(kind, ())]
        sentence = f"`{kind}` has {', '.join(f'`{name}`' for name in names)}"
        assert prose.partition(sentence)[2][:1] in (";", "."), sentence
    page = WEBHOOKS_PAGE.read_text()
    (printed,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert msgspec.json.decode(printed) == shown["value"]
    _, *rows = re.findall(r"^\| `([a-z_.]+)` \|.*\| (.*?) \|$", page, re.MULTILINE)
    fields_of = {kind: (*fields, *_MORE.get(kind, ())) for kind, fields in _FIELDS.values()}
    fields_of["turn.asked"] = ("seat", "kind")
    assert [kind for kind, _ in rows] == [*TYPES]
    for kind, told_fields in rows:
        assert told_fields == ", ".join(f"`{f}`" for f in fields_of[kind])
