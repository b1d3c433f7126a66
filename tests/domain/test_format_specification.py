"""The cases of format.md, deal.md and ruleset.md in docs/reference: each is computed by the rules
that play and once more by the pages' words alone.
"""

import hashlib
from json import loads
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec.structs import FieldInfo, fields, replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import parse, show
from phaseledger.domain.decide import step
from phaseledger.domain.draft import Draft
from phaseledger.domain.events import Event
from phaseledger.domain.evidence.codec import TOPICS, command_id
from phaseledger.domain.options import PARAMETERS, Options
from phaseledger.domain.play.rounds import deal_next
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import Deck, Need, Phase, Points, RuleSet, canonical
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Question, SeatState, State
from tests.support.cases import looped
from tests.support.documented_cards import (
    DOCS,
    DocumentedCards,
    DocumentedDeal,
    deal_key,
    deck,
    option_defaults,
    table_rows,
    turn_order,
)
from tests.support.table import table

Case = dict[str, Any]
VECTORS: dict[str, list[Case]] = loads((Path(__file__).parent / "format-v1.json").read_text())


def titles(case: Case) -> str:
    return str(case["name"])


def as_json(value: object) -> Any:
    return loads(msgspec.json.encode(value))


def rules_of(case: Case) -> RuleSet:
    return resolve(preset(case["ruleset"]), case["options"])


def stored(event: Event) -> Case:
    """The event as it is stored, but for the decision and the chain."""
    data, hidden = as_json(replace(event, act=None, hidden={})), as_json(event.hidden)
    return {"type": TOPICS[type(event)], "data": data} | ({"hidden": hidden} if hidden else {})


# --- what an event moves --------------------------------------------------------------------------


def seats_with_front(state: State, fronts: list[str]) -> tuple[SeatState, ...]:
    """The seats with skips in front of them, each of which costs a turn."""
    cards = map(parse, fronts)
    return tuple(
        replace(state.seat(number), front=front, skips=len(front))
        for number, front in enumerate(cards)
    )


def laid_out(case: Case) -> State:
    """The position before the decision."""
    before = case["before"]
    state = table(
        before["hands"],
        question=before.get("question", "play"),
        waits=msgspec.convert(before.get("waits", ()), tuple[Question, ...]),
        discard=before["pile"],
        stock=before["stock"],
        pawns=before.get("pawns"),
        dice=tuple(before.get("dice", ())),
        laid={int(seat): phase for seat, phase in before.get("laid", {}).items()},
        groups=[(owner, kind, cards) for owner, kind, cards in before.get("groups", ())],
        ruleset=preset(case["ruleset"]),
        **case["options"],
    )
    return replace(
        state,
        server_secret=case["server_secret"],
        transcript=case["transcript_sha256"],
        round=before["round"],
        out=before.get("out"),
        seats=seats_with_front(state, before.get("front", [""] * len(before["hands"]))),
    )


def position(state: State) -> Case:
    """Where the cards lie; jokers by their faces."""
    notation, seats = state.ruleset.deck.notation, range(len(state.seats))
    return {
        "hands": [show(state.seat(number).hand, notation) for number in seats],
        "front": [show(state.seat(number).front, notation) for number in seats],
        "stock": show(state.stock, notation),
        "pile": show(state.discard, notation),
    }


@looped("case", VECTORS["events"], ids=titles)
def test_a_decision_has_these_events(case: Case) -> None:
    after, events = step(laid_out(case), msgspec.convert(case["act"], c.Act))
    assert [stored(event) for event in events] == case["events"]
    assert position(after) == case["after"]


def cards_after(case: Case) -> Case:
    """Where the cards lie after the case's events, by the page."""
    key = deal_key(case["server_secret"], case["transcript_sha256"])
    cards = DocumentedCards(case["before"], loads(canonical(rules_of(case))), key)
    for event in case["events"]:
        cards.apply(event)
    return cards.position()


@looped("case", VECTORS["events"], ids=titles)
def test_the_page_says_which_cards_an_event_moves(case: Case) -> None:
    assert cards_after(case) == case["after"]


# --- the deal -------------------------------------------------------------------------------------


def before_deal(case: Case) -> State:
    """The end of the round before."""
    empty = [""] * case["seats"]
    state = table(empty, ruleset=preset(case["ruleset"]), **case["options"])
    return replace(
        state,
        server_secret=case["server_secret"],
        transcript=case["transcript_sha256"],
        round=case["round"],
        dealer=case["dealer"],
        out=case["out"],
    )


@looped("case", VECTORS["deals"], ids=titles)
def test_a_round_is_dealt_so(case: Case) -> None:
    draft, replays = Draft(before_deal(case)), case["replays"]
    deal_next(draft, tuple(replays) if replays else None, replay=bool(replays))
    assert stored(draft.events[0]) == case["event"]


def documented(case: Case) -> Case:
    """What the event of a deal says, by the page."""
    ruleset = loads(canonical(rules_of(case)))
    key, seats = deal_key(case["server_secret"], case["transcript_sha256"]), range(case["seats"])
    dealt = DocumentedDeal(ruleset, key, [[] for _ in seats])
    among = case["replays"] or [*seats]
    dealer = dealt.next_dealer(case["dealer"], among)
    order = turn_order(dealer, among)
    dealt.deal(case["round"] + 1, order)
    data = {
        "round": case["round"] + 1,
        "dealer": dealer,
        "players": order,
        "hands": [len(hand) for hand in dealt.hands],
        "stock": len(dealt.stock),
        "discard": " ".join(dealt.pile),
        "phases": [10 if case["replays"] and seat in among else 1 for seat in seats],
        "skips": dealt.skips(order[0]),
        "asks": [],
    }
    data |= {"returned": " ".join(dealt.returned)} if dealt.returned else {}
    hands = {str(seat): {"hand": " ".join(dealt.hands[seat])} for seat in among}
    return {
        "type": "RoundDealt/1",
        "data": data | ({"replay": True} if case["replays"] else {}),
        "hidden": hands | {"stock": {"stock": " ".join(dealt.stock)}},
    }


@looped("case", VECTORS["deals"], ids=titles)
def test_the_page_says_how_a_round_is_dealt(case: Case) -> None:
    assert documented(case) == case["event"]


# --- defaults and identifiers ---------------------------------------------------------------------


@looped("case", VECTORS["decks"], ids=lambda case: str(case["deck"]))
def test_a_deck_is_counted_so(case: Case) -> None:
    assert as_json(rules_of(case).deck) == case["deck"]
    cards = msgspec.convert(case["deck"], Deck).cards()
    assert show(cards, case["deck"]["notation"]) == case["cards"]
    assert deck(case) == case["cards"].split()


DEFAULTS = {
    (command, argument): loads(value)
    for command, argument, value in table_rows("format.md", "| command | argument | default |")
}


def without_defaults(kind: str, arguments: Case) -> Case:
    """The arguments that are written, by the page."""
    return {
        name: [without_defaults("a group of `lay", group) for group in value]
        if name == "groups"
        else value
        for name, value in arguments.items()
        if value is not None and ((kind, name) not in DEFAULTS or value != DEFAULTS[kind, name])
    }


@looped("case", VECTORS["commands"], ids=lambda case: str(case["canonical"]))
def test_a_command_is_written_without_its_defaults(case: Case) -> None:
    command = msgspec.convert(case["command"], c.Command)
    assert msgspec.json.encode(command, order="sorted").decode() == case["canonical"]
    plain = without_defaults(case["command"]["type"], case["command"])
    assert msgspec.json.encode(plain, order="sorted").decode() == case["canonical"]


@looped("case", VECTORS["command_ids"], ids=lambda case: str(case["cmd"][:8]))
def test_a_command_has_this_id(case: Case) -> None:
    speaker = "host" if case["seat"] is None else case["seat"]
    text = f"p10-cmd/v1\n{speaker}\n{case['key']}"
    assert hashlib.sha256(text.encode()).hexdigest() == case["cmd"]
    assert command_id(case["seat"], case["key"]) == case["cmd"]


def defaults_of(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields that may be left out, with their defaults, as JSON has them."""

    def default(field: FieldInfo) -> Any:
        made = field.default_factory
        return field.default if made is msgspec.NODEFAULT else made()

    optional = (field for field in fields(struct) if not field.required)
    return {field.encode_name: as_json(default(field)) for field in optional}


def test_the_page_has_the_defaults_of_all_commands() -> None:
    structs = {struct.__struct_config__.tag: struct for struct in get_args(c.Command)}
    written = {
        (tag, name): default
        for tag, struct in [*structs.items(), ("a group of `lay", c.GroupToLay)]
        for name, default in defaults_of(struct).items()
    }
    assert written == DEFAULTS


def test_the_page_has_the_fields_of_a_rule_set() -> None:
    rows = table_rows("ruleset.md", "| field | default | meaning |")
    assert [name for name, _, _ in rows] == [field.encode_name for field in fields(RuleSet)]
    defaults = {name: loads(value) for name, value, _ in rows if value}
    assert defaults == defaults_of(RuleSet)
    text = (DOCS / "ruleset.md").read_text()
    for struct in (Deck, Phase, Points):
        assert f"{{{', '.join(struct.__struct_fields__)}}}`" in text
        assert defaults_of(struct) == {}
    assert defaults_of(Need) == {"parity": ""}


def test_the_page_has_the_defaults_of_the_options() -> None:
    assert option_defaults() == defaults_of(Options)
    rows = table_rows("ruleset.md", "| option | number | default |")
    assert [number for _, number, _ in rows] == [PARAMETERS[name].number for name, *_ in rows]


@looped("case", [*VECTORS["events"], *VECTORS["deals"]], ids=titles)
def test_the_page_has_the_rule_of_a_case(case: Case) -> None:
    page = " ".join((DOCS.parents[1] / case["page"]).read_text().split())
    assert case["says"] in page
