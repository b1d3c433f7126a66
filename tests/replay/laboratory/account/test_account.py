"""The account of a game adds up, and a draw is worth nothing before its card is seen."""

from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from statistics import fmean, stdev
from uuid import UUID

import pytest
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain import decide
from phaseledger.domain.cards import owner_names, parse, show
from phaseledger.domain.deal import shuffled
from phaseledger.domain.events import Event
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.kernel.pack import UnlawfulState, pack
from phaseledger.domain.legal import legal
from phaseledger.domain.ruleset import Need
from phaseledger.domain.state import Group
from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.laboratory.account.account import CHANCES, Appraiser, account
from phaseledger.replay.laboratory.account.analysis import AnalysisPlan, NotPlayedOut, analyse
from phaseledger.replay.laboratory.account.errors import Judge, JudgedDecision
from phaseledger.replay.laboratory.account.moments import DecidedStep, moments
from phaseledger.replay.laboratory.account.text import move_words
from phaseledger.replay.laboratory.columns.rows import by_topic
from phaseledger.replay.laboratory.simulate.game import PlayedGame, SimulationPlan, play
from tests.support.chance import chooser
from tests.support.twin_states import forgotten, twin

BOTS = ("greedy", "expert", "random")
GAMES = [
    *((SimulationPlan("account", "classic", seats, BOTS), 1) for seats in (2, 4)),
    (SimulationPlan("account", "express", 3, BOTS, {"max_turns_per_round": 60}), 1),
    (SimulationPlan("account", "standard-deck", 3, BOTS), 2),
    (SimulationPlan("account", "board", 3, BOTS), 1),
]


def raw(game: PlayedGame) -> list[tuple[str, bytes]]:
    """The game's stored events."""
    return [*by_topic(game.lines)]


def events(game: PlayedGame) -> list[Event]:
    return [decode_event(*stored) for stored in raw(game)]


@cache
def steps_of_four() -> tuple[DecidedStep, ...]:
    """The decisions of the game of four seats."""
    return tuple(moments(events(play(*GAMES[1]))))


@pytest.mark.parametrize(("plan", "index"), GAMES)
def test_the_parts_add_up_to_the_result(plan: SimulationPlan, index: int) -> None:
    game = play(plan, index)
    whole = account([*moments(events(game))])
    for seat in whole.seats:
        parts = seat.start + seat.luck + seat.own + seat.others
        assert seat.result == pytest.approx(parts, abs=1e-9)
        won = (seat.seat in game.state.winners) / len(game.state.winners)
        assert seat.result == pytest.approx(won, abs=1e-12)
    for step in whole.steps:
        assert sum(step.value) == pytest.approx(1)
        assert sum(step.luck) == pytest.approx(0, abs=1e-9)
        if step.kind == "play":
            assert not any(step.luck)


def test_before_a_draw_the_value_is_the_mean_over_the_stock() -> None:
    """Whatever lies on top: luck is a fair game."""
    drawn = [moment for moment in steps_of_four() if moment.drawing]
    appraiser = Appraiser(drawn[0].after)
    for moment in drawn[3:300:60]:
        state, seats = moment.drawing, [*moment.after.seats]
        assert state is not None
        drawer = seats[state.active]
        assert drawer is not None
        values = []
        for card in state.stock:
            seats[state.active] = replace(drawer, hand=drawer.hand[:-1] + bytes((card,)))
            values.append(appraiser.value(replace(moment.after, seats=tuple(seats))))
        means = [sum(column) / len(values) for column in zip(*values, strict=True)]
        assert appraiser.before_draw(state) == pytest.approx(means)


def test_before_a_deal_the_value_is_the_mean_over_deals() -> None:
    """Also where the scoreboard is one that the model has seldom seen: luck is a fair game."""
    plan = SimulationPlan("account", "classic", 3, BOTS)
    dealt = [moment for moment in moments(events(play(plan, 1))) if moment.dealing][1:]
    appraiser = Appraiser(dealt[0].after)
    for moment in dealt[::4]:
        assert moment.dealing is not None
        values = []
        for number in range(100):
            other = replace(moment.before, server_secret=f"{number:064x}")
            values.append(appraiser.value(decide.step(other, moment.act)[0]))
        for mean, column in zip(
            appraiser.before_deal(moment.dealing, moment.after),
            zip(*values, strict=True),
            strict=True,
        ):
            error = (stdev(column) ** 2 / len(column) * 2) ** 0.5
            assert abs(fmean(column) - mean) < 4 * error


def judged(moment: DecidedStep, seed: str = "judged", worlds: int = 20) -> JudgedDecision | None:
    return Judge(Appraiser(moment.before), seed, worlds).judge(moment)


def played(kinds: tuple[str, ...]) -> Iterator[DecidedStep]:
    """Decisions of a game that begin with these events."""
    for moment in steps_of_four():
        if type(moment.first).__name__ in kinds and moment.before.stage == "playing":
            yield moment


def test_a_position_is_judged_without_a_played_move_and_by_the_seat_s_knowledge_alone() -> None:
    """Other hands and another order of the stock change nothing, nor does a hidden secret."""
    sample = [*islice(played(("CardDrawn", "PhaseLaid", "CardDiscarded")), 40, 220, 60)]
    assert sample
    for moment in sample:
        state = moment.before
        judge = Judge(Appraiser(state), "hint", 20)
        candidates = judge.candidates(state, state.active, 7)
        assert [row.behind for row in candidates if row.worlds == 20] == sorted(
            row.behind for row in candidates if row.worlds == 20
        )
        assert {row.command for row in candidates} <= {*legal(state, state.active)}
        for number in range(2):
            other = twin(state, state.active, chooser(b"twin", number))
            assert other.stock != state.stock
            assert judge.candidates(other, state.active, 7) == candidates
            appraiser, world = Appraiser(state), (state.active, 7, 20)
            assert appraiser.expected(other, *world) == appraiser.expected(state, *world)
            assert judged(moment._replace(before=other)) == judged(moment)


def test_a_decision_and_its_position_are_judged_alike() -> None:
    """Each candidate in the same worlds, by the seed; only the played one is never given up."""
    sample = [*islice(played(("CardDiscarded",)), 5, 60, 18)]
    assert sample
    for moment in sample:
        decision = judged(moment)
        assert decision is not None
        assert decision == judged(moment) != judged(moment, "another")
        assert decision.candidates[0].behind == 0
        assert all(candidate.behind >= 0 for candidate in decision.candidates)
        assert decision.candidates[decision.played].command == moment.act.command
        judge, state = Judge(Appraiser(moment.before), "judged", 20), moment.before
        alone = judge.candidates(state, state.active, moment.seq)
        assert {*alone} - {*decision.candidates} <= {
            row for row in alone if row.command == moment.act.command
        }


def test_each_kind_of_decision_is_judged() -> None:
    for kind in ("CardDrawn", "CardDiscarded", "PhaseLaid", "CardsHit"):
        assert any(judged(moment, worlds=4) for moment in islice(played((kind,)), 12)), kind


def test_a_gift_is_an_error() -> None:
    """Who discards a wild instead of a card of no use pays for it."""
    costs = [
        candidate.behind
        for moment in islice(played(("CardDiscarded",)), 60)
        if moment.before.turn - moment.before.round_turn < 8
        if (decision := judged(moment, worlds=40))
        for candidate in decision.candidates
        if getattr(candidate.command, "cards", "") == "W"
    ]
    assert len(costs) >= 3
    assert fmean(costs) > 0.005


def test_an_analysis_has_the_same_parts_on_any_number_of_processes() -> None:
    plan, index = GAMES[0]
    game = play(plan, index)
    first = analyse(raw(game), AnalysisPlan(worlds=2), Workers(1))
    assert first == analyse(raw(game), AnalysisPlan(worlds=2), Workers(2))
    for player in first.players:
        parts = player.start + player.luck + player.errors + player.hidden + player.others
        assert parts == pytest.approx(player.result, abs=1e-9)
        assert player.errors <= 0
    assert UUID(first.game)


def test_nothing_is_said_of_a_game_that_is_not_over() -> None:
    plan, index = GAMES[0]
    stored = raw(play(plan, index))
    for part in (stored[: len(stored) // 2], stored[:2]):
        with pytest.raises(NotPlayedOut):
            analyse(part, AnalysisPlan(worlds=0))


def test_a_state_that_no_rules_have_made_is_refused() -> None:
    """Compiled code looks at no bounds, and a record may be forged."""
    state = steps_of_four()[0].after
    seat, laid = state.seat(0), Group(0, Need("set", 3), b"\x11\x11\x11", 1, 1)
    for changed in (
        replace(state, stock=state.stock * 9),
        replace(state, stock=state.stock[:60] * 2, discard=state.stock[:60]),
        replace(state, players=()),
        replace(state, active=40),
        replace(state, active=-6, waits=()),
        replace(state, out=1 << 62),
        replace(state, groups=(replace(laid, cards=b""),) * 32),
        replace(state, groups=(laid,) * 25),
        replace(state, players=(0, 1, 2, 9)),
        replace(state, dealer=-3),
        replace(state, seats=(replace(seat, hand=seat.hand * 3), *state.seats[1:])),
        replace(state, seats=(replace(seat, hand=b"\xc8"), *state.seats[1:])),
        replace(state, seats=(replace(seat, taken=seat.hand * 2), *state.seats[1:])),
        replace(state, seats=(replace(seat, laid=77), *state.seats[1:])),
        replace(state, seats=(replace(seat, skips=10**9), *state.seats[1:])),
    ):
        with pytest.raises(UnlawfulState):
            pack(changed)


@cache
def steps_on_the_ring() -> tuple[DecidedStep, ...]:
    return tuple(moments(events(play(*GAMES[-1]))))


def is_throw(moment: DecidedStep) -> bool:
    """Whether chance brought dice alone."""
    return bool(moment.dice) and not moment.drawn and not moment.dealing


def test_before_a_throw_the_value_is_the_mean_over_all_throws() -> None:
    """Each pair of dice is as likely as another, whatever was thrown."""
    thrown = [moment for moment in steps_on_the_ring() if is_throw(moment)]
    appraiser = Appraiser(thrown[0].after)
    for moment in thrown[::15]:
        pairs = product(range(1, 7), repeat=2)
        values = [appraiser.value(replace(moment.after, dice=dice)) for dice in pairs]
        means = [fmean(column) for column in zip(*values, strict=True)]
        assert appraiser.before_dice(moment.after) == pytest.approx(means)


def test_what_dice_and_several_cards_brought_is_a_fair_game() -> None:
    """The mean over other stocks, throws and deals is that of yet others: luck is 0 in the mean."""
    appraiser = Appraiser(steps_on_the_ring()[0].after)
    mixed = [moment for moment in steps_on_the_ring() if moment.is_mixed and not is_throw(moment)]
    kinds = {bool(moment.dealing) for moment in mixed}, {bool(moment.dice) for moment in mixed}
    assert kinds == ({False, True}, {False, True})
    for moment in mixed[::40]:
        values = []
        for number in range(60):
            key = f"{number:064x}"
            stock = shuffled(bytes.fromhex(key), 1, 0, moment.before.stock)
            other = replace(moment.before, stock=stock, server_secret=key)
            values.append(appraiser.value(decide.step(other, moment.act)[0]))
        for mean, column in zip(
            appraiser.before_chance(moment), zip(*values, strict=True), strict=True
        ):
            error = (stdev(column) ** 2 * (1 / len(column) + 1 / CHANCES)) ** 0.5
            assert abs(fmean(column) - mean) <= 4 * error + 1e-9


def test_every_question_of_the_ring_is_judged_by_the_seat_s_knowledge_alone() -> None:
    judged_kinds = set[type[object]]()
    for number, moment in enumerate(steps_on_the_ring()):
        kind = type(moment.act.command)
        if number % 3 and kind in judged_kinds:
            continue
        decision = judged(moment)
        if decision is None:
            continue
        judged_kinds.add(kind)
        assert decision.candidates[0].behind == 0
        state = forgotten(moment.before)
        other = forgotten(twin(state, decision.seat, chooser(b"twin", number)))
        judge = Judge(Appraiser(state), "judged", 20)
        seat = decision.seat
        assert judge.candidates(other, seat, 7) == judge.candidates(state, seat, 7)
    assert judged_kinds >= {c.Move, c.Choose, c.Draw, c.Search, c.Ask, c.Swap, c.Keep, c.Discard}


def test_a_decision_that_the_rules_refuse_ends_the_account() -> None:
    """A forged log may tell of one whose events go on all the same."""
    mixed = [moment for moment in steps_on_the_ring() if moment.is_mixed]
    first, forged = mixed[0], next(moment for moment in mixed[1:] if moment.drawn)
    forged = forged._replace(act=replace(forged.act, command=c.Discard("R1 R1 R1")))
    with pytest.raises(UnlawfulState, match="the rules refuse a decision"):
        account([first, forged])


def test_all_values_that_may_be_asked_for_are_compared() -> None:
    """B-32: twelve in two directions, though few answers of other kinds are as many."""
    asks = [moment for moment in steps_on_the_ring() if isinstance(moment.act.command, c.Ask)]
    decision = judged(asks[0])
    assert decision
    assert len({row.command for row in decision.candidates}) == 24


def test_cards_to_keep_are_judged_however_few_and_in_any_order() -> None:
    """B-72, B-83: all seats are asked at once; a seat may keep less than it may."""
    kept = [moment for moment in steps_on_the_ring() if isinstance(moment.act.command, c.Keep)]
    moment = next(m for m in kept if len(m.before.waits) > 1)
    seat = moment.before.waits[1].seat
    hand = show(owner_names(moment.before.seat(seat).hand))
    few = c.Keep(" ".join(sorted(hand.split(), key=lambda name: parse(name))[:2]))
    decision = judged(moment._replace(act=replace(moment.act, command=few, seat=seat)))
    assert decision
    assert decision.seat == seat
    assert few in [candidate.command for candidate in decision.candidates]
    assert len({candidate.equity for candidate in decision.candidates}) > 1


def test_an_action_is_chosen_in_words_by_either_name_of_it() -> None:
    """O-27: where spaces are chosen by type, TAKE stands for all three."""
    assert [move_words(c.Choose(action), "en") for action in ("TAKE", "TAKE2")] == [
        "choose take cards",
        "choose take 2 cards",
    ]
