"""What an audit finds in a log that was changed, and which event it names."""

from collections.abc import Callable
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from phaseledger.domain import deal, evolve
from phaseledger.domain.decide import step
from phaseledger.domain.events import CardDiscarded
from phaseledger.domain.evidence.codec import leaf_hash, redact, seal_key
from phaseledger.replay.evidence.audit import auditor
from phaseledger.replay.evidence.audit.auditor import Auditor
from phaseledger.replay.formats.records.findings import AuditVerdict, FindingCode, meaning
from tests.support.cases import looped
from tests.support.replay.log_edits import (
    GAME,
    Tree,
    commitment,
    encode,
    first,
    rechained,
    rows,
    seq_of,
    short_game,
    trees,
    verdict,
)

LENGTH = len(short_game())


def test_untouched() -> None:
    good = verdict(short_game())
    tree = trees()[0]
    key = seal_key(GAME, tree["hidden"]["server"]["secret"])

    assert (
        good.sound, good.status, good.events, good.findings, good.notes,
    ) == (True, "finished", LENGTH, (), ())  # fmt: skip
    assert good.ruleset == "classic@1"
    assert leaf_hash(redact(short_game()[-1], key, None, opened=False)) == good.head


def test_every_code_is_explained() -> None:
    assert all(sentence.endswith(".") for sentence in map(meaning, get_args(FindingCode)))


# --- same -----------------------------------------------------------------------------------------


def _edit_card(tree: dict[str, Any]) -> None:
    who, card = next(iter(tree["hidden"].items()))
    tree["hidden"][who] = {"card": "R1" if card["card"] != "R1" else "R2"}


def _edit_score(tree: dict[str, Any]) -> None:
    tree["data"]["results"][0]["total"] += 5


def _edit_stock(tree: dict[str, Any]) -> None:
    cards = tree["hidden"]["stock"]["stock"].split()
    tree["hidden"]["stock"]["stock"] = " ".join([*cards[1:], cards[0]])


EDITS = [
    ("CardDrawn", _edit_card, "C-14"),
    ("RoundEnded", _edit_score, None),
    ("RoundDealt", _edit_stock, None),
    ("TurnBegan", lambda tree: tree["data"].update(seat=1 - tree["data"]["seat"]), "C-09"),
    ("PhaseLaid", lambda tree: tree["data"]["groups"][0].update(low=9), "C-P01"),
    ("GameEnded", lambda tree: tree["data"].update(winners=[0, 1]), None),
]


@looped("chained", [False, True])
@looped(("kind", "edit", "rule"), EDITS, ids=[edit[0] for edit in EDITS])
def test_edited(kind: str, edit: Callable[[Any], None], rule: str | None, chained: bool) -> None:
    made = trees()
    seq = seq_of(kind, lambda tree: kind != "CardDrawn" or "hidden" in tree)
    edit(made[seq - 1])
    finding = first(rechained(made) if chained else made)

    assert ("outcome_differs", seq) == (finding.code, finding.seq)
    assert finding.expected != finding.recorded
    assert rule is None or rule == finding.rule


def test_edited_score_says_which() -> None:
    made = trees()
    seq = seq_of("RoundEnded")
    was = made[seq - 1]["data"]["results"][0]["total"]
    _edit_score(made[seq - 1])
    finding = first(made)

    assert f"data.results[0].total = {was}" == finding.expected
    assert f"data.results[0].total = {was + 5}" == finding.recorded


def test_refused_decision() -> None:
    """Decision and event agree and the chain is whole, but the card was never held."""
    seq = seq_of("CardDiscarded")
    made = trees()
    data = made[seq - 1]["data"]
    held = set(made[seq_of("RoundDealt") - 1]["hidden"][str(data["seat"])]["hand"].split())
    held |= set(made[seq_of("CardDrawn") - 1]["hidden"][str(data["seat"])]["card"].split())
    card = next(f"R{rank}" for rank in range(1, 13) if f"R{rank}" not in held)
    data["act"]["command"]["cards"] = data["cards"] = card
    finding = first(rechained(made))

    assert ("illegal_decision", seq, "not_in_hand", "C-17") == (
        finding.code, finding.seq, finding.reject, finding.rule,
    )  # fmt: skip
    assert f'Discard by seat "seat {data["seat"]}"' == finding.recorded


def test_event_invented() -> None:
    """A second helping, renumbered and chained."""
    seq = seq_of("CardDrawn")
    made = trees()
    extra = trees()[seq - 1]
    del extra["data"]["act"]
    finding = first(rechained([*made[:seq], extra, *made[seq:]], renumbered=True))

    assert ("no_decision", seq + 1) == (finding.code, finding.seq)


@looped("text", ["zz", "", "5e" * 31, "5E" * 32])
def test_secret_that_is_none(text: str) -> None:
    made = trees()
    made[0]["hidden"]["server"]["secret"] = text

    assert first(made).code in ("broken_promise", "illegal_decision")
    assert first(made).seq == 1


# --- folded, conserved ----------------------------------------------------------------------------


def test_state_without_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that changes the state behind the events' back is found where it does so."""
    seq = seq_of("CardDiscarded")

    def flawed(state: Any, act: Any) -> Any:
        after, events = step(state, act)
        flaw = isinstance(events[0], CardDiscarded)
        return (replace(after, shuffles=after.shuffles + 1) if flaw else after), events

    monkeypatch.setattr(auditor, "step", flawed)
    finding = first(trees())
    last = max(
        tree["seq"] for tree in trees() if tree["cmd"] == trees()[seq - 1]["cmd"]
    )  # the state is compared after the last event of the command

    assert ("state_differs", last, "shuffles = 1", "shuffles = 0") == (
        finding.code, finding.seq, finding.expected, finding.recorded,
    )  # fmt: skip


def test_lost_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal that loses a card, played and audited by the same flawed rules."""
    shuffled, dealt = deal.shuffled, seq_of("RoundDealt")  # of the game that nothing is lost from

    def flawed(key: bytes, hand: int, shuffle: int, cards: bytes) -> bytes:
        return shuffled(key, hand, shuffle, cards)[:-1]

    monkeypatch.setattr(deal, "shuffled", flawed)
    finding = first(short_game(GAME, "flawed"))

    assert ("cards_lost", dealt) == (finding.code, finding.seq)
    assert finding.recorded.startswith("107 cards: ")
    assert finding.recorded.endswith(" missing")


def test_card_lost_within_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A discard that comes to no pile, played and audited by the same flawed rules."""
    applied = evolve._APPLY[CardDiscarded]

    def flawed(state: Any, event: Any) -> Any:
        after = applied(state, event)
        return replace(after, discard=after.discard[:-1])

    monkeypatch.setitem(evolve._APPLY, CardDiscarded, flawed)
    finding = first(short_game(GAME, "flawed in the round"))
    made = trees(GAME, "flawed in the round")

    assert finding.code == "cards_lost"
    assert finding.seq == next(tree["seq"] for tree in made if tree["type"] == "CardDiscarded/1")
    assert finding.recorded.startswith("107 cards: ")


# --- chained anew ---------------------------------------------------------------------------------

SECRET = "ab" * 32
DRAWN, OPENED = seq_of("CardDrawn"), seq_of("DealOpened")
PROMISE = {"code": "broken_promise"}


def _other_options(made: list[Tree]) -> None:
    """In the decision, too: then the deal itself betrays it."""
    made[0]["data"]["act"]["command"]["options"]["skip_drawable"] = True
    made[0]["data"]["ruleset"]["options"]["skip_drawable"] = True


def _other_secret(made: list[Tree], seq: int) -> None:
    made[seq - 1]["hidden"]["server"]["secret"] = SECRET


def _other_server(made: list[Tree]) -> None:
    _other_secret(made, 1)
    made[0]["data"]["server_commit"] = commitment("server-commit", GAME, bytes.fromhex(SECRET))


def _other_seat(made: list[Tree]) -> None:
    _other_secret(made, 2)
    made[1]["data"]["commit"] = commitment("seat-commit", GAME, "0", bytes.fromhex(SECRET))


FORGED: dict[str, tuple[Callable[[list[Tree]], object], int, dict[str, str]]] = {
    "another seat": (
        lambda made: made[DRAWN - 1]["data"]["act"].update(
            seat=1 - made[DRAWN - 1]["data"]["act"]["seat"]
        ),
        DRAWN,
        {"code": "illegal_decision", "reject": "not_your_turn"},
    ),
    "no decision": (
        lambda made: made[DRAWN - 1]["data"].pop("act"), DRAWN, {"code": "no_decision"}
    ),
    "other rules": (
        lambda made: made[0]["data"]["ruleset"]["points"].update(wild=30),
        1,
        {"code": "outcome_differs", "recorded": "data.ruleset.points.wild = 30"},
    ),
    "other options": (_other_options, OPENED, PROMISE),
    "another secret of the server": (lambda made: _other_secret(made, 1), 1, PROMISE),
    "and its commitment": (_other_server, OPENED, PROMISE),
    "another secret of seat 0": (lambda made: _other_secret(made, 2), 2, PROMISE),
    "and its seat's commitment": (_other_seat, OPENED, PROMISE),
    "another transcript": (
        lambda made: made[OPENED - 1]["data"].update(transcript=SECRET),
        OPENED,
        {**PROMISE, "recorded": SECRET},
    ),
    "another secret at the end": (
        lambda made: made[-1]["data"].update(secret=SECRET), LENGTH, PROMISE
    ),
}  # fmt: skip


@looped("name", FORGED)
def test_forged(name: str) -> None:
    forge, seq, due = FORGED[name]
    made = trees()
    forge(made)
    finding = first(rechained(made))

    assert finding.seq == seq
    assert {field: getattr(finding, field) for field in due} == due
    assert "seat 0" in finding.text or "seat 0" not in name


def test_auditor_stops_at_the_first_bad_event() -> None:
    made = trees()
    made[20]["at"] = 5
    stopping = Auditor(GAME)
    good = [stopping.feed(row) for row in rows(made)]
    bad = next(i for i, event in enumerate(good) if event is None)
    left: AuditVerdict = stopping.close()

    assert not any(good[bad:])
    assert bad - 1 == left.events, "what follows shows that the one before was changed"
    assert encode(made[bad]) == rows(made)[bad].stored
