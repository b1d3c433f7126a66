"""Routes of rules: rule sets, cards checked without a game, a game's own rules."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, PathParameter
from msgspec import Struct

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.domain.explain.catalogue import RulesetInfo, editions, info
from phaseledger.domain.explain.check import Verdict, check
from phaseledger.domain.explain.rule_sheet import RuleSheet, rule_sheet
from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.explain.wording import title
from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.ruleset import GameDefinition, RuleSet
from phaseledger.domain.rulesets import GAMES, find_game
from phaseledger.domain.words import Language, reason_of
from phaseledger.service.api.auth import Caller, visible_game
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import GroupImpossible, NoSuchRule, NoSuchRuleset, PhaseUnknown
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import REVALIDATED
from phaseledger.service.api.requests.languages import VARY, Lang, language
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.rulesets import (
    HitCheck,
    LayCheck,
    RulesetLine,
    RulesetList,
    SheetRequest,
)

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
async def list_rulesets(request: AnyRequest, lang: Lang = "") -> Response[RulesetList]:
    """All rule sets."""
    spoken = language(request, lang)
    content = RulesetList(
        tuple(
            RulesetLine(
                name=name,
                id=game.rules.id,
                title=title(game.rules, spoken),
                seats_min=game.rules.seats_min,
                seats_max=game.rules.seats_max,
                editions=editions(game, spoken),
            )
            for name, game in GAMES.items()
        )
    )
    return Response(content, headers={"Vary": VARY})


def _game(name: str) -> GameDefinition:
    game = find_game(name)
    if game is None:
        raise NoSuchRuleset
    return game


@get("/rulesets/{name:str}", **route_description("getRuleset", raises=(NoSuchRuleset,)))
async def get_ruleset(
    request: AnyRequest, name: FromPath[str], lang: Lang = ""
) -> Response[RulesetInfo]:
    """One rule set in full, with its house rules and their values; by name or by full id."""
    game = _game(name)
    content = info(game, game.rules, language(request, lang))
    return Response(content, headers={"Vary": VARY})


@post(
    "/rulesets/{name:str}/checks",
    status_code=200,
    **route_description(
        "checkCards",
        Occasion.CHECKING,
        raises=(NoSuchRuleset, PhaseUnknown, GroupImpossible),
        examples=EXAMPLES,
    ),
)
async def check_cards(
    request: AnyRequest, name: FromPath[str], data: JSONBody[LayCheck | HitCheck], lang: Lang = ""
) -> Verdict:
    """Whether cards make a phase, or extend a group, without a game.

    The rules answer as they would at a table, to a seat that is on turn and holds the cards:
    legal or not, the reason code, the rule, and what each wild stands for. Both verdicts are 200;
    a question without sense is refused.
    """
    return check(_resolved(_game(name), data.options), data, language(request, lang))


@post(
    "/rulesets/{name:str}/sheet",
    status_code=200,
    **route_description("readRuleSheet", Occasion.CHECKING, raises=(NoSuchRuleset,)),
)
async def read_rule_sheet(
    request: AnyRequest, name: FromPath[str], data: JSONBody[SheetRequest], lang: Lang = ""
) -> Response[RuleSheet]:
    """How a game is played, under house rules: in sentences, with cards that make each phase.

    A line has the rules behind it. Its `kind` tells what every player needs to know (`rule`), what
    few do (`detail`), and a house rule that is not as usual (`house`).
    """
    game = _game(name)
    sheet = rule_sheet(game, _resolved(game, data.options), language(request, lang))
    return Response(sheet, headers={"Vary": VARY})


def _resolved(game: GameDefinition, options: dict[str, OptionValue]) -> RuleSet:
    try:
        return resolve(game.rules, options, game.settings)
    except Unplayable as error:
        raise Rejected(RejectCode.BAD_OPTION, detail=reason_of(error)) from None


@get(
    "/games/{game:uuid}/rules",
    **route_description("getGameRules", Occasion.LOG, caller="viewer"),
)
async def get_game_rules(
    request: AnyRequest,
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    lang: Lang = "",
) -> Response[RulesetInfo]:
    """The rules that this game is played by: its rule set under its house rules.

    `phases` are the ones that this game asks for, in words; a seat's `phase` is the number of one.
    They stay the same from the opening on.
    """
    _, now = await visible_game(request.scope, service, game, caller)
    rules = now.state.ruleset
    content = info(_game(rules.id), rules, language(request, lang))
    return Response(content, headers={**REVALIDATED, "Vary": f"Authorization, {VARY}"})


class RuleText(Struct, frozen=True):
    """A rule of the rule book in words; ``lang`` is the language that they are in."""

    rule: str
    text: str
    lang: Language


@get("/rules/{rule:str}", **route_description("getRule", raises=(NoSuchRule,)))
async def get_rule(
    request: AnyRequest,
    rule: Annotated[
        str, PathParameter(description="Its ID, such as `C-30`, as problems and events cite it.")
    ],
    lang: Lang = "",
) -> Response[RuleText]:
    """The text of one rule, as verdicts, problems, events and findings cite it by its ID."""
    spoken = language(request, lang)
    text = rule_text(rule, spoken)
    if text is None:
        raise NoSuchRule
    return Response(RuleText(rule, text, spoken), headers={"Vary": VARY})


HANDLERS: list[Any] = [
    list_rulesets,
    get_ruleset,
    check_cards,
    read_rule_sheet,
    get_game_rules,
    get_rule,
]
