"""The bodies of requests and answers about rule sets."""

from msgspec import Struct, field

from phaseledger.domain.explain.catalogue import EditionInfo
from phaseledger.domain.explain.check import HitQuestion, LayQuestion
from phaseledger.service.schemas.games import HouseRules
from phaseledger.service.schemas.terms import Body


class LayCheck(LayQuestion, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="lay"):
    """Whether groups of cards make a phase, under the given house rules.

    A phase is named by its number in the rule set, or described as in "set(3) + run(4)". Cards are
    written as in a command; jokers may also be written plain J.
    """

    options: HouseRules = field(default_factory=dict)


class HitCheck(HitQuestion, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hit"):
    """Whether cards can be added to a laid group, one hit after the other."""

    options: HouseRules = field(default_factory=dict)


class SheetRequest(Body, frozen=True):
    """The house rules under which a game is to be explained."""

    options: HouseRules = field(default_factory=dict)


class RulesetLine(Struct, frozen=True):
    """A rule set in the list; ``name`` opens tables, ``id`` has the version as well.

    ``editions`` is empty where an older service left it out.
    """

    name: str
    id: str
    title: str
    seats_min: int
    seats_max: int
    editions: tuple[EditionInfo, ...] = ()


class RulesetList(Struct, frozen=True):
    """All rule sets."""

    rulesets: tuple[RulesetLine, ...]
