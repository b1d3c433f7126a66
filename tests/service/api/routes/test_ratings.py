"""The ratings over HTTP: which rules a request means."""

from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.rulesets import preset
from tests.support.cases import looped
from tests.support.service.problems import problem

CLASSIC = preset("classic")
HOUSE = fingerprint(resolve(CLASSIC, {"variant": "ten_rounds"}))


@looped(
    ("ruleset", "digest"),
    [
        ("classic", fingerprint(CLASSIC)),
        ("classic@1", fingerprint(CLASSIC)),
        (HOUSE, HOUSE),
    ],
)
def test_rules_are_named_or_known_by_their_digest(client, ruleset, digest):
    answer = client.get("/ratings", params={"ruleset": ruleset, "seats": 4})
    assert answer.json() == {"digest": digest, "seats": 4, "ratings": [], "next": None}


def test_other_rules_and_seats_and_cursors_of_nobody_are_refused(client):
    for ruleset in ("chess", "classic@9", HOUSE.upper(), ""):
        asked = client.get("/ratings", params={"ruleset": ruleset, "seats": 4})
        problem(asked, 404, "no_such_ruleset")
    for seats in (1, 17, "x"):
        asked = client.get("/ratings", params={"ruleset": "classic", "seats": seats})
        problem(asked, 400, "invalid_parameter")
    problem(client.get("/ratings?ruleset=classic"), 400, "invalid_parameter")
    problem(client.get("/ratings?ruleset=classic&seats=4&cursor=x"), 422, "bad_cursor")
