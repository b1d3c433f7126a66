"""The two proofs of a game that is over, each on its own."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from phaseledger.domain.commands import Draw, OpenGame, Start
from phaseledger.domain.events import (
    CardDrawn,
    CardsSwapped,
    DealOpened,
    Event,
    RoundDealt,
    StockShuffled,
    TurnBegan,
)
from phaseledger.replay.evidence.audit import proofs
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from tests.support.cases import looped
from tests.support.replay.bundles import game, good, of_kind
from tests.support.replay.judgements import judged, outcomes
from tests.support.replay.operator_games import leaves_of


@cache
def read_back() -> tuple[Any, ...]:
    """The records and events of the good game."""
    (examined,) = verify([parse_bundle(good(), "file")])
    return tuple(examined.case.read)


def secrets() -> dict[str, str]:
    return {line["by"]: line["secret"] for line in of_kind(good(), "secret")}


def recorded() -> list[tuple[bytes, str]]:
    leaves = leaves_of(game("classic"))
    return [(stored, leaf.hex()) for stored, leaf in zip(game("classic"), leaves, strict=True)]


def decided(read: Sequence[Any] = ()) -> list[proofs.RecordedDecision]:
    return list(proofs.decisions(read or read_back(), secrets()))


# --- seed and decisions ---------------------------------------------------------------------------


def test_seed_and_decisions_take_nothing_else_from_the_log() -> None:
    """Every outcome is left out of the events; acts, ids and times rebuild them."""
    bare = []
    for record, event in read_back():
        if event.act is not None:
            keep = {} if isinstance(event.act.command, OpenGame) else event.hidden
            bare.append((replace(record, data=None), replace(event, hidden=keep)))
    state = proofs.replay_decisions(decided(bare), recorded())

    assert state == proofs.fold([event for _, event in read_back()], complete=True)


@pytest.mark.parametrize("by", ["server", "1"])
def test_the_secrets_are_those_of_their_lines(by: str) -> None:
    wrong = {**secrets(), by: "ab" * 32}
    with pytest.raises(proofs.ProofFailed):
        proofs.replay_decisions(proofs.decisions(read_back(), wrong), recorded())


BYTES: dict[str, tuple[Callable[[list[Any]], object], int, str]] = {
    "another event": (
        lambda log: log.__setitem__(40, (log[40][0] + b" ", log[40][1])),
        41,
        "deciding again gives another event",
    ),
    "another leaf": (
        lambda log: log.__setitem__(-1, (log[-1][0], "0" * 64)),
        81,
        "deciding again gives another event",
    ),
    "an event less": (lambda log: log.pop(), 81, "a GameEnded/1 must follow"),
    "an event more": (lambda log: log.append(log[-1]), 82, "it follows from no decision"),
}


def refusal(
    made: Sequence[proofs.RecordedDecision], log: Sequence[tuple[bytes, str]]
) -> tuple[int, str]:
    with pytest.raises(proofs.ProofFailed) as refuted:
        proofs.replay_decisions(made, log)
    return refuted.value.seq, str(refuted.value)


@looped("what", BYTES)
def test_decisions_that_lead_to_other_events(what: str) -> None:
    change, seq, why = BYTES[what]
    log = recorded()
    change(log)

    assert refusal(decided(), log) == (seq, why)


DRAWN = next(n for n, draft in enumerate(decided()) if isinstance(draft.act.command, Draw))


def test_decisions_that_the_rules_refuse() -> None:
    made = decided()
    assert refusal([*made[:20], *made[21:]], recorded()) == (
        made[20].seq, "it follows from no decision"
    )  # fmt: skip
    for wrong, why in (
        (replace(made[DRAWN].act, seat=0, sig=""), "the rules refuse the decision: not_your_turn"),
        (replace(made[DRAWN].act, seat="x"), "the rules cannot read the decision: TypeError("),
        (made[0].act, "the rules refuse the decision: game_exists"),
    ):
        seq, reason = refusal([*made[:DRAWN], made[DRAWN]._replace(act=wrong)], recorded())
        assert (seq, reason[: len(why)]) == (made[DRAWN].seq, why)
    assert refusal(made[1:], recorded()) == (1, "it follows from no decision")


@pytest.mark.parametrize(("by", "seq"), [("server", 1), ("1", 3)])
def test_a_secret_less(by: str, seq: int) -> None:
    rest = {who: secret for who, secret in secrets().items() if who != by}
    made = list(proofs.decisions(read_back(), rest))

    assert refusal(made, recorded()) == (seq, "the rules refuse the decision: bad_secret")


# --- events ---------------------------------------------------------------------------------------


def folded(kind: type[Event], change: Callable[[Any], Event], *, complete: bool = True) -> None:
    """Fold the events, the first of a kind being another one."""
    events = [event for _, event in read_back()]
    place = next(n for n, event in enumerate(events) if isinstance(event, kind) and event.hidden)
    events[place] = change(events[place])
    if not complete:
        events = [replace(event, hidden={}) for event in events]
    proofs.fold(events, complete=complete)


def another_card(event: Any) -> Event:
    ((who, secret),) = event.hidden.items()
    return replace(event, hidden={who: replace(secret, card="R1" if secret.card != "R1" else "R2")})


def test_a_card_that_comes_from_nowhere() -> None:
    with pytest.raises(proofs.ProofFailed, match=f"^{ANOTHER_DECK}$"):
        folded(CardDrawn, another_card)


@looped("complete", [True, False])
@looped("name", ["stock", "covered", "hands", "jokers"])
def test_more_cards_than_there_are(name: str, *, complete: bool) -> None:
    """Nobody makes room for a trillion cards."""
    many = (2**40,) * 3 if name in ("hands", "jokers") else 2**40
    with pytest.raises(proofs.ProofFailed, match=r"^it moves more cards than there are$"):
        folded(RoundDealt, lambda event: replace(event, **{name: many}), complete=complete)


def test_a_promise_that_was_not_kept() -> None:
    events = [event for _, event in read_back()]
    place = next(n for n, event in enumerate(events) if isinstance(event, DealOpened))
    events[place] = replace(events[place], transcript="0" * 64)
    with pytest.raises(proofs.ProofFailed, match=r"^the deal transcript: expected") as refuted:
        proofs.fold(events, complete=True)

    assert refuted.value.seq == place + 1


Events = list[Any]


def opened_by(command: Any) -> Callable[[Events], Events]:
    """The opening, with another decision behind it."""

    def change(events: Events) -> Events:
        return [replace(events[0], act=replace(events[0].act, command=command)), *events[1:]]

    return change


def opened_as(**changes: Any) -> Callable[[Events], Events]:
    return lambda events: [replace(events[0], **changes), *events[1:]]


def at_20(event: Event) -> Callable[[Events], Events]:
    return lambda events: [*events[:19], event]


AFTER_THE_END = "it follows the end of the game, or opens another one"
TOO_MANY = "it moves more cards than there are"
ANOTHER_DECK = "the cards are not those of the deck"
NO_OPENING = "it does not open a game"
ASKED = read_back()[0][1].act.command
WRONG: dict[str, tuple[Callable[[Events], Events], int, str]] = {
    "nothing": (lambda _: [], 1, "there is no event"),
    "no opening": (lambda events: events[1:], 1, NO_OPENING),
    "another event in its place": (
        lambda events: [replace(events[1], act=events[0].act)], 1, NO_OPENING
    ),
    "an opening that nobody decided": (opened_as(act=None), 1, NO_OPENING),
    "an opening by another command": (opened_by(Start()), 1, NO_OPENING),
    "an opening that is refused": (
        opened_by(replace(ASKED, seats=1)), 1, "the rules refuse the opening: seats_out_of_range"
    ),
    "an opening that makes no sense": (
        opened_by(replace(ASKED, seats="x")), 1, "the rules cannot read the opening: TypeError("
    ),
    **{
        f"an opening with other {name}": (
            opened_as(**{name: value}), 1,
            f"the {name} of the game is not what its opener asked for",
        )
        for name, value in {"seats": 2**40, "dealer": 2, "game": "another"}.items()
    },
    "an event after the end": (lambda events: [*events, events[-1]], 82, AFTER_THE_END),
    "a second opening": (lambda events: [*events[:9], events[0]], 10, AFTER_THE_END),
    "a stock too large": (at_20(StockShuffled(0, 109, 0)), 20, TOO_MANY),
    "a pile too large": (at_20(StockShuffled(0, 0, 109)), 20, TOO_MANY),
    "too many cards swapped": (at_20(CardsSwapped(0, 109, "R1")), 20, TOO_MANY),
    "a card twice": (lambda events: [*events[:11], events[10]], 12, ANOTHER_DECK),
    "a seat that there is not": (
        at_20(TurnBegan(9, 1)), 20, "it does not follow from the events before: IndexError("
    ),
}  # fmt: skip


@looped("what", WRONG)
def test_events_that_cannot_be_followed(what: str) -> None:
    change, seq, why = WRONG[what]
    with pytest.raises(proofs.ProofFailed) as refuted:
        proofs.fold(change([event for _, event in read_back()]), complete=True)

    reason = str(refuted.value)
    assert (refuted.value.seq, reason[: len(why)] if why.endswith("(") else reason) == (seq, why)


def test_as_many_cards_as_there_are_may_move() -> None:
    """The limit only spares memory; what such an event leads to is looked at all the same."""
    with pytest.raises(proofs.ProofFailed, match=r"deck|follow"):
        folded(RoundDealt, lambda event: replace(event, stock=108), complete=False)


# --- both -----------------------------------------------------------------------------------------


def test_proofs_that_disagree_are_a_finding_even_if_no_event_is_bad(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a fault of one of the two would show."""
    honest = proofs.fold
    monkeypatch.setattr(proofs, "fold", lambda *a, **k: replace(honest(*a, **k), turn=0))
    judgement = judged(good())

    assert [problem.code for problem in judgement.problems] == ["proofs_disagree"]
    assert "turn = 0" in judgement.problems[0].expected
    assert outcomes(judgement)["agreement"] == "failed"


@pytest.mark.parametrize(
    ("proof", "expected", "recorded"),
    [
        ("fold", "Event 5: a fault.", "another"),
        ("replay_decisions", "a state", "Event 5: a fault."),
    ],
)
def test_a_proof_that_fails_is_a_finding_even_if_no_event_is_bad(
    proof: str, expected: str, recorded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise proofs.ProofFailed(5, "a fault")

    monkeypatch.setattr(proofs, proof, fail)
    (examined,) = verify([parse_bundle(good())])
    (problem,) = examined.judgement.problems

    assert (problem.code, problem.expected, problem.recorded) == (
        "proofs_disagree", expected, recorded
    )  # fmt: skip
