"""Parameters of paths and queries, and headers: what is wrong with them is said by name."""

from uuid import uuid4

from phaseledger.service.api.requests.invalid_parameters import QUERY_CHOICES
from tests.support.cases import looped
from tests.support.openapi_operations import resolved
from tests.support.service.api_tables import open_table, started
from tests.support.service.problems import TABLE, problem

ALL_OF_LIST = (
    "there are limit, cursor, ruleset, stage, player, opened_after, opened_before, ended_after, "
    "ended_before"
)
ALL_OF_EVENTS = "there are after, limit, follow, once, head, lines, linger, ticket"


@looped(
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


@looped(
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
                if operations["get"]["security"][:1] == [{"applicationKey": []}]:
                    continue  # which is asked for first
                where = path.removeprefix("/v1").format(game=uuid4())
                answer = client.get(where, params={parameter["name"]: "zzz"})
                (fault,) = problem(answer, 400, "invalid_parameter").errors
                assert fault.reason.endswith(f"it is one of {', '.join(choices)}")


def test_pages_take_any_parameter(client):
    """Whoever links to one may add some of their own."""
    assert client.get("/../docs?utm_source=x").status_code == 200


TWICE = "it is said more than once"
KEY_NEEDED = "it is a UUID, or 32 to 128 hex digits"


@looped(
    ("path", "headers", "where", "name", "reason"),
    [
        ("/games?limit=0", [], "query", "limit", "`int` >= 1"),
        ("/games?limit=x", [], "query", "limit", ""),
        ("/games?limit=99999999999999999999", [], "query", "limit", ""),
        ("/games?limit=1&stage=any&limit=1", [], "query", "limit", TWICE),
        ("/games?stage=null", [], "query", "stage", ""),
        ("/games/{game}?at_least=-1", [], "query", "at_least", ""),
        ("/games/{game}/events?after=1.5", [], "query", "after", ""),
        ("/games/{game}/events?limit=1001", [], "query", "limit", ""),
        # Limits, proxies and routes would not take the same one of two.
        *(
            ("/rulesets", [(name, "one")] * 2, "header", name, TWICE)
            for name in ("authorization", "command-signature", "content-type", "idempotency-key")
        ),
        ("/rulesets", [("last-event-id", "one")] * 2, "header", "last-event-id", TWICE),
    ],
)
def test_a_wrong_parameter_is_named(
    client, path: str, headers: list[tuple[str, str]], where: str, name: str, reason: str
) -> None:
    answer = client.get(path.format(game=open_table(client).game), headers=headers)
    (fault,) = problem(answer, 400, "invalid_parameter").errors
    assert (fault.where, fault.name) == (where, name)
    assert reason in fault.reason


@looped(
    ("header", "value", "reason"),
    [
        *(
            ("Idempotency-Key", key, KEY_NEEDED)
            for key in ("short", "a" * 31, "a" * 129, "with a space in it....", "null")
        ),
        ("Idempotency-Key", "short", "it is 16 to 128 visible ASCII characters"),
        ("If-Match", "7", "it is *, or an ETag with its quotation marks, or several with commas"),
        ("If-Match", '"' + "7" * 1000 + '"', "Expected `str` of length <= 1000"),
    ],
)
def test_a_header_is_explained_in_words(client, header: str, value: str, reason: str) -> None:
    """An opening asks for a key that leads to no other; a command for any."""
    if reason == KEY_NEEDED:
        answer = client.post("/games", json=TABLE, headers={header: value})
    else:
        answer = started(client).send(0, {"type": "draw"}, **{header: value})
    refused = problem(answer, 400, "invalid_parameter")
    (fault,) = refused.errors
    assert (fault.where, fault.name, fault.reason) == ("header", header.lower(), reason)
    assert refused.detail.endswith(f": {header.lower()}: {reason}.")


def test_cursors_of_nobody(client):
    problem(client.get("/games?cursor=x"), 422, "bad_cursor")
    problem(client.get("/leaderboard?cursor=%00"), 422, "bad_cursor")
