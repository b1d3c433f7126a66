"""Rule sets over HTTP, and cards checked against them: no game, no token, nothing stored."""

import asyncio
from typing import Any

import httpx2

from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.rulesets import GAMES
from tests.support.service.api_tables import ok, started
from tests.support.service.problems import problem

TWO_SETS = {"type": "lay", "phase": 1, "groups": [{"cards": "R5 B5 W"}, {"cards": "R7 B7 G7"}]}
WILD_13 = {"cards": "W W W", "value": 13}
RUN = {"kind": "run", "cards": "R3 B4 G5 Y6"}


def asked(client: httpx2.Client, name: str, question: dict[str, Any]) -> dict[str, Any]:
    path, _, query = name.partition("?")
    return ok(client.post(f"/rulesets/{path}/checks?{query}", json=question))


# --- rule sets ------------------------------------------------------------------------------------


def test_every_rule_set_by_name_and_by_id(client):
    """Phases, cards and points, the ring, and every option with its rules."""
    rows = client.get("/rulesets").json()["rulesets"]
    assert [row["name"] for row in rows] == list(GAMES)
    for name, game in GAMES.items():
        whole, rules = client.get(f"/rulesets/{name}").json(), game.rules
        assert whole == client.get(f"/rulesets/{rules.id}").json()
        assert [phase["number"] for phase in whole["phases"]] == list(range(1, 11))
        assert [phase["rule"] for phase in whole["phases"]] == [part.rule for part in rules.phases]
        assert sum(row["total"] for row in whole["cards"]) == len(rules.deck.cards())
        assert whole["track"] == [f"{space}*" for space in rules.track[:1]] + [*rules.track[1:]]
        assert ("a joker" in whole["cards"][0]["cards"]) == ("JOKER" in rules.track)
        options = {option["name"]: option for option in whole["options"]}
        assert list(options) == list(game.settings)
        assert not rules.track or whole["track"] == options["board_track"]["default"]
        for option in options.values():
            assert option["number"] == PARAMETERS[option["name"]].number
            assert option["meaning"].endswith(".")
            assert option["values"]
            assert not option["choices"] or option["default"] in option["choices"]


def test_a_phase_says_itself_three_ways(client):
    """A size counts pairs in a run of pairs (X-P04)."""
    second = {
        lang: client.get(f"/rulesets/classic?lang={lang}").json()["phases"][1]
        for lang in ("en", "de")
    }
    german = second["de"]["groups"]
    assert [group["words"] for group in german] == ["ein Drilling", "eine 4er-Folge"]
    assert second["en"] == {
        "number": 2,
        "label": "2",
        "rule": "C-P02",
        "text": "set(3) + run(4)",
        "words": "a set of 3 and a run of 4",
        "needs": [{"kind": "set", "size": 3}, {"kind": "run", "size": 4}],
        "groups": [{"words": "a set of 3", "cards": 3}, {"words": "a run of 4", "cards": 4}],
    }
    fourth = client.get("/rulesets/express").json()["phases"][3]
    assert fourth["needs"] == [{"kind": "pairrun", "size": 2}]
    assert fourth["groups"] == [{"words": "a run of 2 pairs", "cards": 4}]


# --- the rules of a game --------------------------------------------------------------------------


def test_a_games_rules_are_those_it_is_played_by(client):
    """The phases under its house rules: number 1 is the one that a seat's `phase` 1 asks for."""
    table = started(client, options={"variant": "even_phases"})
    rules = table.get("/rules").json()
    usual = client.get("/rulesets/classic").json()
    assert [phase["rule"] for phase in rules["phases"]] == [
        phase["rule"] for phase in usual["phases"][1::2]
    ]
    assert [phase["number"] for phase in rules["phases"]] == [1, 2, 3, 4, 5]
    assert rules["phases"][0]["words"] == "a set of 3 and a run of 4"
    assert rules["sha256"] != usual["sha256"]
    assert table.get("/rules", seat=0).json() == rules
    assert started(client).get("/rules").json() == usual


# --- the text of a rule, and languages ------------------------------------------------------------


def test_a_rule_has_its_text_in_each_language(client):
    texts = {lang: client.get(f"/rules/C-30?lang={lang}").json() for lang in ("en", "de", "fr")}
    for lang, text in texts.items():
        assert (text["lang"], text["rule"]) == (lang, "C-30")
    assert len({text["text"] for text in texts.values()}) == 3
    german = client.get("/rules/C-30", headers={"Accept-Language": "de"})
    assert german.json() == texts["de"]
    assert "Accept-Language" in german.headers["vary"]
    assert client.get("/rules/C-999").json()["code"] == "no_such_rule"


def test_every_rule_that_a_rule_set_names_has_a_text(client):
    named = set()
    for name in GAMES:
        whole = client.get(f"/rulesets/{name}").json()
        named |= {phase["rule"] for phase in whole["phases"]} - {""}
        named |= {rule for option in whole["options"] for rule in option["rules"]}
    assert len(named) > 50
    assert [rule for rule in named if client.get(f"/rules/{rule}").status_code != 200] == []


# --- checks ---------------------------------------------------------------------------------------


def test_legal(client):
    assert asked(client, "classic", TWO_SETS) == {
        "legal": True,
        "code": None,
        "rule": "C-P01",
        "sentence": "Phase 1 can be laid: a set of 5s (red 5, blue 5 and wild as 5) and "
        "a set of 7s (red 7, blue 7 and green 7).",
        "at": None,
        "groups": [
            {
                "kind": "set",
                "cards": "R5 B5 W",
                "low": 5,
                "high": 5,
                "stands_for": [{"card": "W", "place": 2, "meaning": "5"}],
            },
            {"kind": "set", "cards": "R7 B7 G7", "low": 7, "high": 7, "stands_for": []},
        ],
        "ends": [],
    }


def test_a_hit_and_where_it_goes(client):
    """HC-101: order matters, and the group afterwards is told."""
    hits = [{"cards": "R2", "end": "low"}, {"cards": "B1"}]
    verdict = asked(client, "classic", {"type": "hit", "group": RUN, "hits": hits})
    assert (verdict["legal"], verdict["rule"]) == (True, "C-59")
    assert verdict["ends"] == ["low", "low"]
    assert verdict["groups"][0]["cards"] == "B1 R2 R3 B4 G5 Y6"


def test_illegal_is_an_answer_and_no_error(client):
    """In the reader's language; under another house rule (O-06) the same cards may be laid."""
    run = {"type": "lay", "phase": "run(4)", "groups": [{"cards": "R11 B12 G1 Y2"}]}
    verdicts = [asked(client, f"classic{lang}", run) for lang in ("", "?lang=de", "?lang=fr")]
    for verdict in verdicts:
        assert (verdict["legal"], verdict["code"], verdict["at"]) == (False, "run_wraps", 0)
    assert len({verdict["sentence"] for verdict in verdicts}) == 3
    assert asked(client, "classic", {**run, "options": {"run_wrap": True}})["legal"]


REFUSED: list[tuple[str, dict[str, Any], int, str, str]] = [
    ("poker", TWO_SETS, 404, "no_such_ruleset", ""),
    ("classic", {**TWO_SETS, "phase": 11}, 422, "no_such_phase", "phases 1 to 10, not 11"),
    ("classic", {**TWO_SETS, "phase": "two sets"}, 422, "no_such_phase", "is no phase"),
    ("classic", {**TWO_SETS, "options": {"run_wrap": 3}}, 422, "bad_option", "true or false"),
    ("classic", {**TWO_SETS, "options": {"style": "x"}}, 422, "bad_option", "is no option"),
    (
        "classic",
        {"type": "hit", "group": {"kind": "run", "cards": "R1"}, "hits": [{"cards": "R2"}]},
        422,
        "impossible_group",
        "a run of 4",
    ),
    ("classic", {**TWO_SETS, "phase": True}, 400, "invalid_body", ""),
    ("classic", {**TWO_SETS, "groups": [{"cards": "R1"}] * 9}, 400, "invalid_body", ""),
    ("classic", {**TWO_SETS, "groups": [{"cards": "R" * 401}]}, 400, "invalid_body", ""),
    ("classic", {**TWO_SETS, "groups": [WILD_13]}, 400, "invalid_body", ""),
    (
        "classic",
        {"type": "hit", "group": RUN, "hits": [{"cards": "R2"}] * 25},
        400,
        "invalid_body",
        "",
    ),
]


def test_questions_without_sense(client):
    for name, question, status, code, words in REFUSED:
        answer = client.post(f"/rulesets/{name}/checks", json=question)
        assert words in problem(answer, status, code).detail, question


def test_a_check_leaves_no_trace(served, client):
    before = asyncio.run(served.parts.store.position())
    asked(client, "express", {**TWO_SETS, "phase": 5, "groups": [{"cards": "R4 B4 W"}]})
    assert asyncio.run(served.parts.store.position()) == before
