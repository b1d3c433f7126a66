"""What a seat believes of a game's opening and end: services that lie, without any service."""

import copy

import msgspec
import pytest

from phaseledger.domain.commands import RevealSecret
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.rulesets import preset
from phaseledger.replay.evidence.audit.proofs import states
from phaseledger.replay.formats.guards import ProofFailed
from phaseledger.replay.formats.opening import Opening
from phaseledger.replay.formats.seat import Distrusted
from tests.support.cases import looped
from tests.support.replay.openings import (
    WRONG,
    at_table,
    chained,
    place,
    played,
    receipt_for,
    shown,
    trees,
    upto_sealing,
)


def test_an_opening_that_is_all_right() -> None:
    seat = at_table(rules=fingerprint(preset("classic")))
    whole = chained(trees())
    sealed = chained(upto_sealing(trees()))
    seat.follow(shown(sealed))
    assert seat.sealed == len(sealed)
    assert seat.reveal(receipt_for(sealed)) == RevealSecret(seat.secret.hex())
    assert seat.ruleset == preset("classic")
    seat.follow(shown(whole))
    assert not seat.settled, "seat 2's secret is still sealed in what was told"
    with pytest.raises(Distrusted, match="not due any more"):
        seat.reveal(receipt_for(sealed))
    seat.follow(shown(whole, opened=True))
    assert seat.settled


@looped("what", WRONG)
def test_an_opening_that_breaks_a_rule(what: str) -> None:
    """The seat finds it from what it is shown."""
    change, words = WRONG[what]
    events = trees()
    change(events)
    seat = at_table()
    with pytest.raises(Distrusted, match=words):
        seat.follow(shown(chained(events)))


@looped("what", WRONG)
def test_the_proof_by_events_alone_finds_it_too(what: str) -> None:
    """Also of a game that goes on, of which not everything is known; nothing else is asked."""
    change, words = WRONG[what]
    events = trees()
    change(events)
    read = [
        decode_event(event["type"], row) for event, row in zip(events, chained(events), strict=True)
    ]
    opening = Opening()
    faults = [
        f"event {n} {wrong}" for n, event in enumerate(read, 1) if (wrong := opening.take(event))
    ]
    assert faults, words
    for complete in (True, False):
        with pytest.raises(ProofFailed):
            list(states(read, complete=complete))


def test_a_table_at_which_others_have_not_committed_gets_no_secret() -> None:
    """The operator seals a table of three for one seat, with a good receipt."""
    events = upto_sealing(trees())
    for nth in (3, 2, 1):
        del events[place(events, "SeatTaken", nth)]
    del events[place(events, "SeatFreed")]
    stored = chained(events)
    seat = at_table()
    with pytest.raises(Distrusted, match="at which 1 has committed"):
        seat.follow(shown(stored))
    with pytest.raises(Distrusted):
        seat.reveal(receipt_for(stored))


def test_a_table_that_gives_no_time_gets_no_secret() -> None:
    events = upto_sealing(trees())
    del events[-1]["data"]["reveal_seconds"]
    del events[-1]["data"]["act"]["command"]["reveal_seconds"]
    stored = chained(events)
    seat = at_table()
    seat.follow(shown(stored))
    with pytest.raises(Distrusted, match="how long there is time"):
        seat.reveal(receipt_for(stored))


def test_a_seat_that_was_freed_gets_no_secret() -> None:
    events = trees()[:3]
    freed = copy.deepcopy(trees()[place(trees(), "SeatFreed")])
    freed["data"]["seat"] = freed["data"]["act"]["command"]["free"] = 0
    stored = chained([*events, freed])
    seat = at_table()
    seat.follow(shown(stored))
    with pytest.raises(Distrusted, match="not sealed yet"):
        seat.reveal(receipt_for(stored))


def test_joining_is_signed_under_the_name_as_it_is_recorded() -> None:
    assert at_table().sign_joining("Zoe\u0301") == at_table().sign_joining("Zo\xe9")


def test_other_rules_than_were_agreed_on() -> None:
    with pytest.raises(Distrusted, match="event 1 has other rules than were agreed on"):
        at_table(rules=fingerprint(preset("express"))).follow(shown(chained(trees())))
    events = trees()
    events[0]["data"]["ruleset"]["hand"] = 9
    with pytest.raises(Distrusted, match="event 1 does not open this game: the ruleset of"):
        at_table().follow(shown(chained(events)))


def test_a_deal_from_other_secrets_is_found_as_soon_as_all_are_known() -> None:
    opening, events = Opening(), trees()
    events[place(events, "DealOpened")]["data"]["transcript"] = "ab" * 32
    stored = chained(events)
    read = [decode_event(event["type"], row) for event, row in zip(events, stored, strict=True)]
    wrong = [
        (event["type"], opening.take(decoded)) for event, decoded in zip(events, read, strict=True)
    ]
    assert [entry for entry in wrong if entry[1]] == [
        ("DealOpened/1", "it opens another deal than is due")
    ]


def test_a_deal_from_another_secret_of_a_bot() -> None:
    """It comes out after the end, when that secret is opened."""
    events = trees()
    events[place(events, "DealOpened")]["data"]["transcript"] = "ab" * 32
    stored = chained(events)
    seat = at_table()
    seat.follow(shown(stored))
    with pytest.raises(Distrusted, match="the deal was not the one that the secrets give"):
        seat.follow(shown(stored, opened=True))
    assert not seat.settled


def test_a_secret_of_a_bot_that_was_not_committed_to() -> None:
    events = trees()
    events[place(events, "SeatTaken", 3)]["hidden"]["server"]["secret"] = "ab" * 32
    stored = chained(events)
    seat = at_table()
    seat.follow(shown(stored))
    with pytest.raises(
        Distrusted, match="event 6: it tells another secret than seat 2 committed to"
    ):
        seat.follow(shown(stored, opened=True))


def test_a_seat_that_has_gone_may_have_moves_by_a_bot() -> None:
    """Which it did not sign; before that, and after it is back, nobody may move for it."""
    table = copy.deepcopy(played())
    before = [msgspec.json.decode(entry.stored) for entry in table.entries[:-1]]
    mover = table.entries[-2]
    assert mover.topic == "TurnBegan/1"
    turn = before[-1]["data"]["seat"]
    pass_ = {"act": {"command": {"type": "draw"}, "seat": 0}, "seat": 0}
    timed = {"act": {"command": {"type": "time_out", "overdue": 0}}, "seat": 0, "then": "bot_move"}
    assert turn in range(3)
    moved = {**before[-1], "type": "TurnPassed/1", "data": pass_}
    out = {**before[-1], "type": "TurnTimedOut/1", "data": {**timed, "bot": "greedy"}}
    back = {**before[-1], "type": "TurnBegan/1", "data": {"seat": 0, "turn": 2}}
    seat = at_table()
    seat.follow(shown(chained([*before, out, moved])))
    for events in ([*before, moved], [*before, out, back, moved]):
        with pytest.raises(Distrusted, match="did what it has not signed"):
            at_table().follow(shown(chained(events)))
