"""Parameters of paths and queries, and headers: what is wrong with them is said by name."""

from uuid import uuid4

import pytest

from phaseledger.service.api.requests.invalid_parameters import QUERY_CHOICES
from tests.support.openapi_operations import resolved
from tests.support.service.api_tables import open_table, started
from tests.support.service.problems import TABLE, problem

PARAMETERS = [
    ("/games?limit=0", "limit"),
    ("/games?limit=x", "limit"),
    ("/games?limit=99999999999999999999", "limit"),
    ("/games?stage=null", "stage"),
    ("/games/{game}?at_least=-1", "at_least"),
    ("/games/{game}/events?after=1.5", "after"),
    ("/games/{game}/events?limit=1001", "limit"),
]
ALL_OF_LIST = (
    "there are limit, cursor, ruleset, stage, player, opened_after, opened_before, ended_after, "
    "ended_before"
)
ALL_OF_EVENTS = "there are after, limit, follow, once, head, lines, ticket"


def test_a_parameter_said_twice_is_refused(client):
    refused = problem(client.get("/games?limit=1&stage=any&limit=1"), 400, "invalid_parameter")
    (fault,) = refused.errors
    assert (fault.where, fault.name) == ("query", "limit")
    assert fault.reason == "it is said more than once"


@pytest.mark.parametrize(
    ("path", "faults"),
    [
        ("/games/{game}?at=50", {"at": "there are at_least, lang"}),
        (
            "/games/{game}?at-least=9&&=",
            {"at-least": "did you mean at_least?", "": "there are at_least, lang"},
        ),
        ("/games?limits=5&stage=any&x=1", {"limits": "did you mean limit?", "x": ALL_OF_LIST}),
        ("/log/keys?lang", {"lang": "there are none"}),
        ("/games/{game}/commands?dry=1", {"dry": "did you mean dry_run?"}),
        ("/games/{game}/events?token=p10s_secret", {"token": ALL_OF_EVENTS}),
    ],
)
def test_an_unknown_parameter_is_named(client, path, faults):
    """It is not ignored, as `at` was; what it was set to is not repeated."""
    table = started(client)
    method = "POST" if "commands" in path else "GET"
    answer = client.request(method, path.format(game=table.game), json={})
    refused = problem(answer, 400, "unknown_parameter")
    assert {fault.name: fault.reason for fault in refused.errors} == faults
    assert {fault.where for fault in refused.errors} == {"query"}
    assert "secret" not in answer.text


def test_pages_take_any_parameter(client):
    """Whoever links to one may add some of their own."""
    assert client.get("/../docs?utm_source=x").status_code == 200


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ({"rulset": "classic"}, "did you mean ruleset?"),
        ({"terms": {"privat": True}}, "did you mean private?"),
        ({"terms": {"clock": {"Seconds": 1}}}, "did you mean seconds?"),
        ({"seats": [{"kind": "bot", "lvl": "expert"}]}, "did you mean level?"),
        ({"seats": [{"kind": "bot", "x": 1}]}, "there are kind, level, name"),
        ({"webhooks": [{"uri": "x"}]}, "did you mean url?"),
    ],
)
def test_an_unknown_field_is_named_with_what_may_have_been_meant(client, body, hint):
    (fault,) = problem(client.post("/games", json=TABLE | body), 400, "invalid_body").errors
    assert fault.reason.endswith(f"`; {hint}")
    french = client.post("/games?lang=fr", json=TABLE | body, headers={"Accept-Language": "fr"})
    assert "did you" not in french.text
    assert "there are" not in french.text


@pytest.mark.parametrize(
    "name",
    ["authorization", "command-signature", "content-type", "idempotency-key", "last-event-id"],
)
def test_a_header_said_twice_is_refused(client, name):
    """Limits, proxies and routes would not take the same one of two."""
    refused = client.get("/rulesets", headers=[(name, "one"), (name, "one")])
    (fault,) = problem(refused, 400, "invalid_parameter").errors
    assert (fault.where, fault.name) == ("header", name)
    assert fault.reason == "it is said more than once"


@pytest.mark.parametrize(("path", "name"), PARAMETERS)
def test_a_wrong_parameter_is_named(client, path, name):
    table = open_table(client)
    (fault,) = problem(client.get(path.format(game=table.game)), 400, "invalid_parameter").errors
    assert (fault.where, fault.name) == ("query", name)


def test_the_words_of_a_query_are_named(client):
    """All that the contract has, so that none is forgotten."""
    contract = client.get("/openapi.json").json()
    for path, operations in contract["paths"].items():
        for parameter in operations.get("get", {}).get("parameters", ()):
            schema = resolved(parameter["schema"], contract)
            words = [
                word
                for variant in schema.get("anyOf", [schema])
                for word in (*variant.get("enum", ()), *filter(None, [variant.get("const")]))
            ]
            if parameter["in"] == "query" and words:
                choices = QUERY_CHOICES[parameter["name"]]
                assert sorted(words) == sorted(choices)
                where = path.removeprefix("/v1").format(game=uuid4())
                answer = client.get(where, params={parameter["name"]: "zzz"})
                (fault,) = problem(answer, 400, "invalid_parameter").errors
                assert fault.reason.endswith(f"it is one of {', '.join(choices)}")


@pytest.mark.parametrize(
    "key", ["short", "x" * 129, "with a space in it....", "null", "a-dull-key-0000001"]
)
def test_an_unusable_idempotency_key_is_refused(client, key):
    answer = client.post("/games", json=TABLE, headers={"Idempotency-Key": key})
    (fault,) = problem(answer, 400, "invalid_parameter").errors
    assert (fault.where, fault.name) == ("header", "idempotency-key")
    assert fault.reason == "it is a UUID, or 32 to 128 hex digits"


@pytest.mark.parametrize(
    ("header", "value", "reason"),
    [
        ("Idempotency-Key", "short", "it is 16 to 128 visible ASCII characters"),
        (
            "If-Match",
            "7",
            "it is *, or an ETag with its quotation marks, or several with commas",
        ),
        ("If-Match", '"' + "7" * 1000 + '"', "Expected `str` of length <= 1000"),
    ],
)
def test_a_header_is_explained_in_words(client, header, value, reason):
    table = started(client)
    answer = table.send(0, {"type": "draw"}, **{header: value})
    refused = problem(answer, 400, "invalid_parameter")
    (fault,) = refused.errors
    assert (fault.where, fault.name, fault.reason) == ("header", header.lower(), reason)
    assert refused.detail.endswith(f": {header.lower()}: {reason}.")


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"run_wrap": 1.0, "board_track": ["AGAIN", 1]}, "$.options.board_track[1]"),
        ({"board_track": ["AGAIN"] * 41}, "$.options.board_track"),
        ({"players": {}}, "$.options.players"),
    ],
)
def test_a_house_rule_of_a_wrong_type_is_named(client, options, where):
    answer = client.post("/games", json={**TABLE, "options": options})
    (fault,) = problem(answer, 400, "invalid_body").errors
    assert fault.name == where
    assert f"`{where}`" in answer.json()["detail"]


def test_cursors_of_nobody(client):
    problem(client.get("/games?cursor=x"), 422, "bad_cursor")
    problem(client.get("/leaderboard?cursor=%00"), 422, "bad_cursor")
