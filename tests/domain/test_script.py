"""Scripted deals: what a script names lies where it says, the seed deals the rest, and no card is
made or lost.
"""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.cards import parse, show
from phaseledger.domain.commands import Act, OpenGame, Rejected, Start, TakeSeat
from phaseledger.domain.decide import decide, step
from phaseledger.domain.draft import Draft, decision
from phaseledger.domain.events import DiceRolled, GameOpened, RoundDealt
from phaseledger.domain.evidence.codec import decode, new_chain, redact
from phaseledger.domain.options import OptionValue
from phaseledger.domain.play.rounds import deal_round
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.domain.script import MOST_DEALS, Script, ScriptedDeal
from phaseledger.domain.state import State
from phaseledger.domain.terms import Terms
from tests.support.cases import looped
from tests.support.laws import check_laws
from tests.support.scenario import decisions, records
from tests.support.table import GAME, SECRET

Options = dict[str, OptionValue]
HIDDEN = ScriptedDeal(hands=("R1 R1", "B12"), stock="W S")


def opening(
    script: Script, ruleset: str = "classic", seats: int = 2, options: Options | None = None
) -> OpenGame:
    command = OpenGame(GAME, ruleset, seats, options or {}, secret=SECRET)
    return replace(command, table=Terms(test=True), script=script)


def dealt(script: Script, ruleset: str = "classic", **options: OptionValue) -> State:
    """A table of two seats, its first round dealt."""
    state, _ = step(None, Act(opening(script, ruleset, 2, options)))
    for seat in range(2):
        state, _ = step(state, Act(TakeSeat(f"{seat}", secret="ab" * 32), seat))
    return step(state, Act(Start()))[0]


def begins(cards: bytes, text: str) -> bool:
    named = parse(text)
    return cards[: len(named)] == named


# --- what is scripted, and what is not ------------------------------------------------------------


def test_named_cards_lie_where_the_script_says() -> None:
    state = dealt((ScriptedDeal(hands=("R1 W R1", "S"), discard="Y7", stock="B2 B2 W"),))
    assert begins(state.seat(0).hand, "R1 W R1")
    assert begins(state.seat(1).hand, "S")
    assert show(state.discard) == "Y7"
    assert begins(state.stock, "B2 B2 W")


def test_the_seed_deals_what_no_script_names() -> None:
    """In its order: a scripted discard leaves a gap in the stock, and the old one fills it."""
    plain = dealt(())
    assert replace(dealt((ScriptedDeal(),)), script=()) == plain
    hands = [plain.seat(seat).hand for seat in range(2)]
    before = b"".join([*hands, plain.discard])
    place = next(n for n, card in enumerate(plain.stock) if card not in before)
    card = plain.stock[place : place + 1]
    moved = dealt((ScriptedDeal(discard=show(card)),))
    assert [moved.seat(seat).hand for seat in range(2)] == hands
    assert moved.discard == card
    assert moved.stock == plain.discard + plain.stock.replace(card, b"", 1)


def test_dice_fall_as_scripted_then_by_the_seed() -> None:
    """Throws are counted by the round; the ones of an AGAIN are throws too."""
    script = (ScriptedDeal(dice=((6, 6), (1, 2))), ScriptedDeal(), ScriptedDeal(dice=((5, 5),)))
    options: Options = {"max_turns_per_round": 6}
    throws: dict[int, list[tuple[int, ...]]] = {}
    for state, events in decisions(GAME, 2, "dice", options, "random", "board", script=script):
        rolled = [event.dice for event in events if isinstance(event, DiceRolled)]
        assert len(rolled) < 2, "the last one may be of another round"
        throws.setdefault(state.round, []).extend(rolled)
        if state.round == 4:
            break
    assert throws[1][:2] == [(6, 6), (1, 2)]
    assert throws[3][0] == (5, 5)
    assert len(throws[1]) > 2


# --- no card is made or lost ----------------------------------------------------------------------


@st.composite
def scripts(draw: st.DrawFn, ruleset: str, seats: int) -> Script:
    """Scripts whose cards the deck has, at any places."""
    rules, deals = preset(ruleset), []
    for _ in range(draw(st.integers(0, 3))):
        rest = list(draw(st.permutations(rules.deck.cards())))
        room = len(rest) - seats * rules.hand - rules.initial_discards
        sizes = [*[rules.hand] * seats, rules.initial_discards, min(room, 20)]
        taken = [draw(st.integers(0, most)) for most in sizes]
        *hands, discard, stock = [
            show(bytes(rest.pop() for _ in range(count)), rules.deck.notation) for count in taken
        ]
        dice = draw(st.lists(st.just((2, 5)), max_size=3)) if rules.acquire == "actions" else ()
        deals.append(ScriptedDeal(hands=tuple(hands), discard=discard, stock=stock, dice=(*dice,)))
    return tuple(deals)


@given(st.data())
@settings(max_examples=25)
def test_every_script_conserves_the_deck(data: st.DataObject) -> None:
    """Through several rounds, cards that seats keep among them: all laws hold, and it is dealt."""
    ruleset, seats = data.draw(st.sampled_from([*GAMES])), data.draw(st.integers(3, 4))
    script = data.draw(scripts(ruleset, seats))
    before: State | None = None
    played = decisions(
        GAME, seats, "kept", {"max_turns_per_round": 5}, "random", ruleset, script=script
    )
    for state, events in islice(played, 60):
        check_laws(before, state, events)
        before = state
    assert before
    assert before.round > 0


# --- where it stands ------------------------------------------------------------------------------


def test_the_script_is_as_hidden_as_the_secret() -> None:
    (event,) = decide(None, Act(opening((HIDDEN,))))
    (entry,) = records([event])
    shown = redact(entry.stored, new_chain(event).key, 0, opened=False)  # type: ignore[arg-type]
    assert b"B12" in entry.stored
    assert b"B12" not in shown
    assert b'"test":true' in shown
    _, read = decode(entry.topic, entry.stored)
    assert isinstance(read, GameOpened)
    act = decision(read)
    assert act is not None
    assert act.command == opening((HIDDEN,))


def test_no_other_table_takes_a_script() -> None:
    for terms in (None, Terms(), Terms(private=True)):
        with pytest.raises(Rejected) as refused:
            decide(None, Act(replace(opening((HIDDEN,)), table=terms)))
        assert refused.value.code == "bad_script"


# --- refusals -------------------------------------------------------------------------------------

FAULTS: dict[str, tuple[ScriptedDeal, str, Options, str]] = {
    "hands": (ScriptedDeal(hands=("R1",)), "classic", {}, "deals[1]: 1 hands, where the table"),
    "hand": (ScriptedDeal(hands=("", "R1 " * 11)), "classic", {}, "deals[1].hands[1]: at most 10"),
    "word": (ScriptedDeal(hands=("R13", "")), "classic", {}, "deals[1].hands[0]: R13 is no card"),
    "french": (ScriptedDeal(stock="2H"), "classic", {}, "deals[1].stock: 2H is no card"),
    "joker": (ScriptedDeal(stock="J1"), "board", {}, "deals[1].stock: by then the script"),
    "copies": (
        ScriptedDeal(hands=("R1 R1", ""), stock="R1"),
        "classic",
        {},
        "deals[1].stock: by then the script has named every R1",
    ),
    "discards": (ScriptedDeal(discard="R1 R2"), "classic", {}, "deals[1].discard: at most 1"),
    "stock": (
        ScriptedDeal(stock=" ".join(["R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"] * 8)),
        "classic",
        {},
        "deals[1].stock: at most 87",
    ),
    "top": (
        ScriptedDeal(discard="S"),
        "classic",
        {"initial_skip": "cover"},
        "deals[1].discard: by the house rules S",
    ),
    "wild top": (
        ScriptedDeal(discard="W"),
        "classic",
        {"initial_wild": "return_and_redraw"},
        "deals[1].discard: by the house rules W",
    ),
    "top left open": (
        ScriptedDeal(stock="R1"),
        "classic",
        {"initial_skip": "return_and_redraw"},
        "deals[1]: name the discard too",
    ),
    "no dice": (ScriptedDeal(dice=((1, 2),)), "classic", {}, "deals[1]: this game has no dice"),
    "die": (ScriptedDeal(dice=((1, 7),)), "board", {}, "deals[1]: a throw is two numbers"),
    "three dice": (ScriptedDeal(dice=((1, 2, 3),)), "board", {}, "deals[1]: a throw is"),
}


@looped("name", FAULTS)
def test_what_cannot_be_dealt_is_refused_with_its_place(name: str) -> None:
    script, ruleset, options, says = FAULTS[name]
    with pytest.raises(Rejected) as refused:
        decide(None, Act(opening((ScriptedDeal(), script), ruleset, 2, options)))
    assert refused.value.code == "bad_script"
    assert refused.value.detail.startswith(says)


def test_a_script_has_an_end() -> None:
    with pytest.raises(Rejected) as refused:
        decide(None, Act(opening((ScriptedDeal(),) * (MOST_DEALS + 1))))
    assert refused.value.detail == f"deals: at most {MOST_DEALS}"


def test_a_seat_that_plays_no_round_gets_no_card() -> None:
    """A replay is dealt to the tied seats alone: the other hands of its script are passed over."""
    state = dealt((ScriptedDeal(hands=("R1", "B1")),) * 2, variant="n_phases(1)")
    draft = Draft(state)
    deal_round(draft, (1,), 0, replay=True)
    (round_dealt,) = [event for event in draft.events if isinstance(event, RoundDealt)]
    assert round_dealt.hands == (0, 10)
    assert begins(draft.now.seat(1).hand, "B1")
