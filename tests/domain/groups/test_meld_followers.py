"""`followers` leaves out no card that could be hit: held against `extend`, card by card."""

from itertools import product

from msgspec.structs import replace

from phaseledger.domain.cards import OWN, parse
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import ENDS, GroupEnd, Misfit, extend, followers
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Group
from tests.support.cases import looped

GROUPS = (
    Group(0, Need("set", 3), parse("R7 B7 W"), 7, 7),
    Group(0, Need("color", 4), parse("G1 G2 G9 W"), 3, 3),
    Group(0, Need("parity", 4), parse("G1 B3 R9 W"), 1, 1),
    Group(0, Need("run", 4), parse("R3 W B5 Y6"), 3, 6),
    Group(0, Need("run", 4), parse("R9 W B11 Y12"), 9, 12),
    Group(0, Need("parityrun", 3, "odd"), parse("R3 B5 Y7"), 3, 7),
    Group(0, Need("colorrun", 3), parse("R3 R4 R5"), 3, 5),
)
CARDS = bytes(dict.fromkeys((*parse("W S"), *preset("classic").deck.cards(), OWN | 1, OWN | 2)))


def fits(group: Group, card: int, end: GroupEnd, rules: RuleSet) -> bool:
    try:
        extend(group, bytes((card,)), end, rules)
    except Misfit:
        return False
    return True


@looped("group", GROUPS, ids=lambda group: f"{group.need.kind}{group.low}")
@looped(("wrap", "suits"), [*product((False, True), repeat=2)])
def test_no_card_that_fits_is_left_out(group: Group, *, wrap: bool, suits: bool) -> None:
    rules = preset("classic")
    rules = replace(rules, options=replace(rules.options, run_wrap=wrap, color_is_suit=suits))
    if not suits and group.need.kind == "color":
        group = replace(group, low=1, high=1)  # as red and green have it then
    ends: tuple[GroupEnd, ...] = ("",) if FORMS[group.need.kind].alike else ENDS
    every = [(card, end) for card in CARDS for end in ends]
    tried = followers(group, CARDS, rules.options)
    assert [pair for pair in every if fits(group, *pair, rules)] == [
        pair for pair in tried if fits(group, *pair, rules)
    ]
