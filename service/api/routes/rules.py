"""Routes of rule sets: their descriptions, and checks of cards against them, without a game."""

from typing import Any

from litestar import get, post
from litestar.params import FromPath, JSONBody

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.domain.explain.catalogue import RulesetInfo, info
from phaseledger.domain.explain.check import Verdict, check
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.ruleset import GameDefinition
from phaseledger.domain.rulesets import GAMES, find_game
from phaseledger.service.api.errors import NoSuchRuleset
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.games import HitCheck, LayCheck, RulesetLine, Rulesets

EXAMPLES: dict[str, dict[str, Any]] = {
    "a phase": {
        "type": "lay",
        "phase": 2,
        "groups": [{"cards": "R5 B5 W"}, {"cards": "R8 B9 G10 Y11"}],
    },
    "a phase under a house rule": {
        "type": "lay",
        "phase": "run(4)",
        "groups": [{"cards": "R11 B12 G1 W"}],
        "options": {"run_wrap": True},
    },
    "a hit at the low end of a run": {
        "type": "hit",
        "group": {"kind": "run", "cards": "R3 B4 G5 Y6"},
        "hits": [{"cards": "R2", "end": "low"}],
    },
}


@get("/rulesets", **route_description("listRulesets"))
async def list_rulesets() -> Rulesets:
    """All rule sets."""
    return Rulesets(
        tuple(
            RulesetLine(
                name=name,
                id=rules.id,
                title=rules.title,
                seats_min=rules.seats_min,
                seats_max=rules.seats_max,
            )
            for name, rules in ((name, game.rules) for name, game in GAMES.items())
        )
    )


def _game(name: str) -> GameDefinition:
    game = find_game(name)
    if game is None:
        raise NoSuchRuleset
    return game


@get("/rulesets/{name:str}", **route_description("getRuleset", raises=(NoSuchRuleset,)))
async def get_ruleset(name: FromPath[str]) -> RulesetInfo:
    """One rule set in full, with its house rules and their values; by name or by full id."""
    game = _game(name)
    return info(game, game.rules)


@post(
    "/rulesets/{name:str}/checks",
    status_code=200,
    **route_description(
        "checkCards",
        Occasion.CHECKING,
        raises=(NoSuchRuleset,),
        examples=EXAMPLES,
    ),
)
async def check_cards(name: FromPath[str], data: JSONBody[LayCheck | HitCheck]) -> Verdict:
    """Whether cards make a phase, or extend a group, without a game.

    The rules answer as they would at a table, to a seat that is on turn and holds the cards:
    legal or not, the reason code, the rule, and what each wild stands for. Both verdicts are 200;
    a question without sense is refused.
    """
    game = _game(name)
    try:
        ruleset = resolve(game.rules, data.options, game.settings)
    except Unplayable as error:
        raise Rejected(RejectCode.BAD_OPTION, detail=str(error)) from None
    return check(ruleset, data)


HANDLERS: list[Any] = [list_rulesets, get_ruleset, check_cards]
