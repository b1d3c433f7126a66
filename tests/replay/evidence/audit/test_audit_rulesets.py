"""Audits of every game: sound beginnings, viewers' files, and damage to what only the board has."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.draft import decision
from phaseledger.domain.events import Event, RoundDealt
from phaseledger.domain.evolve import evolve, fold
from phaseledger.domain.state import State
from phaseledger.domain.view import view
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.source import read_file
from tests.support.cases import looped
from tests.support.replay.game_beginnings import BEGINNINGS, begun, stored, visible
from tests.support.replay.log_edits import Tree, encode, first, rechained, verdict
from tests.support.scenario import decisions, play_random, records
from tests.support.table import GAME

# --- sound ----------------------------------------------------------------------------------------


@looped("name", BEGINNINGS)
def test_sound_while_it_goes_on(name: str) -> None:
    """Re-decided, folded and counted after every event (N-03)."""
    judgement = verdict(stored(name))

    assert (judgement.sound, judgement.status) == (True, "unfinished"), judgement
    assert judgement.ruleset == f"{BEGINNINGS[name].ruleset}@1"


QUICK = {"board_phases": ("set(2)",) * 10, "max_turns_per_round": 12}
WHOLE = [
    ("standard-deck", {}),
    ("standard-deck", {"style": "ten_rounds_free"}),
    ("express", {}),
    ("express", {"variant": "ten_rounds", "pairrun_hit": "single_cards"}),
    ("board", QUICK),
    ("board", {**QUICK, "joker_memory": "owner_sees_always", "ask_giver_chooses": False}),
    ("board", {**QUICK, "keep_choice": "seat_order_open", "kept_joker": "becomes_normal"}),
]


@looped(("ruleset", "options"), WHOLE)
def test_sound_to_the_end(ruleset: str, options: dict[str, Any]) -> None:
    state, events = play_random(GAME, 3, "whole", options, "greedy", ruleset)
    judgement = verdict([entry.stored for entry in records(events)])

    assert state.winners
    assert (judgement.sound, judgement.status) == (True, "finished"), judgement


# --- what a viewer has ----------------------------------------------------------------------------


@looped("name", BEGINNINGS)
@looped("viewer", [None, 0, 1])
def test_a_viewers_file_is_sealed_until_the_end(
    name: str, viewer: int | None, tmp_path: Path
) -> None:
    """The audit says so at the first sealed event, which is the opening."""
    path = tmp_path / "seen.ndjson"
    path.write_bytes(b"".join(line + b"\n" for line in visible(name, viewer)))
    (judgement,) = audit(read_file(str(path)))

    assert [(finding.code, finding.seq) for finding in judgement.findings] == [("sealed", 1)]


@looped("name", BEGINNINGS)
def test_what_a_viewer_has_leads_to_its_view(name: str) -> None:
    """Whoever folds its own events has its own table, but for a pile it searches (B-23)."""
    for viewer in (None, *range(BEGINNINGS[name].seats)):
        own = fold(
            replace(event, hidden={who: s for who, s in event.hidden.items() if _may(who, viewer)})
            for event in begun(name)
        )
        whole = fold(begun(name))
        assert own is not None
        assert whole is not None
        assert view(own, viewer) == view(whole, viewer)


def _may(audience: str, viewer: int | None) -> bool:
    """As docs/reference/format.md has it."""
    if viewer is None or audience in ("stock", "server"):
        return False
    if audience.startswith("not:"):
        return audience != f"not:{viewer}"
    return str(viewer) in audience.split(",")


# --- damaged --------------------------------------------------------------------------------------


def _trees() -> list[Tree]:
    return [msgspec.json.decode(line) for line in stored("board")]


def _seq(kind: str, which: Callable[[Tree], bool] = lambda _: True) -> int:
    return next(t["seq"] for t in _trees() if t["type"] == f"{kind}/1" and which(t))


def _before(seq: int) -> State:
    state: State | None = None
    for event in begun("board")[: seq - 1]:
        state = evolve(state, event)
    assert state is not None
    return state


def _another(card: str) -> str:
    return "R1" if card != "R1" else "R2"


def _die(tree: Tree) -> None:
    tree["data"]["dice"][0] = tree["data"]["dice"][0] % 6 + 1


def _space(tree: Tree) -> None:
    tree["data"]["space"] = (tree["data"]["space"] + 1) % 32


def _card(tree: Tree) -> None:
    (secret,) = tree["hidden"].values()
    secret["card"] = _another(secret["card"])


def _pile(tree: Tree) -> None:
    cards = tree["hidden"]["stock"]["pile"].split()
    tree["hidden"]["stock"]["pile"] = " ".join(cards[::-1])


KEEP = {"kind": "keep", "seat": 1}


def _set(**fields: Any) -> Callable[[Tree], None]:
    return lambda tree: tree["data"].update(fields)


def _with(field: str) -> Callable[[Tree], bool]:
    return lambda tree: field in tree["data"]


def _marker(tree: Tree) -> None:
    tree["data"]["results"][0]["phase"] = 9


def _place(tree: Tree) -> None:
    next(iter(tree["hidden"].values()))["place"] = 0


EDITS: dict[str, tuple[str, Callable[[Tree], None], Callable[[Tree], bool], str]] = {
    "a die": ("DiceRolled", _die, _with("dice"), "B-15"),
    "the space of a pawn": ("PawnMoved", _space, _with("space"), "B-17"),
    "the action of a space": ("PawnMoved", _set(action="AGAIN"), _with("space"), "B-17"),
    "a joker's face": ("CardTurned", _card, _with("seat"), "B-29"),
    "a given card": ("CardGiven", _card, _with("to"), "B-33"),
    "to whom it was given": ("CardGiven", _set(to=9), _with("to"), "B-33"),
    "the top after a swap": ("CardsSwapped", _set(top="?"), _with("top"), "B-25"),
    "the top after a draw": ("CardDrawn", _set(top="R1"), _with("top"), "B-43"),
    "a place in the pile": ("CardDrawn", _place, lambda t: t["data"]["source"] == "pile", "B-23"),
    "a discarded joker": ("CardDiscarded", _set(faces="R1"), _with("faces"), "B-66"),
    "who still chooses": ("CardsKept", _set(asks=[KEEP]), _with("seat"), "B-72"),
    "how many were kept": ("RoundDealt", _set(kept=[0, 0, 1]), _with("kept"), "B-78"),
    "how many jokers": ("RoundDealt", _set(jokers=[0, 0, 1]), _with("jokers"), "B-78"),
    "the covered discards": ("RoundDealt", _pile, _with("covered"), "B-78"),
    "a marker": ("RoundEnded", _marker, _with("results"), "B-70"),
}


@looped("chained", [False, True])
@looped(("kind", "edit", "which", "rule"), EDITS.values(), ids=EDITS)
def test_an_outcome_of_the_board_that_was_changed(
    kind: str,
    edit: Callable[[Tree], None],
    which: Callable[[Tree], bool],
    rule: str,
    chained: bool,
) -> None:
    made = _trees()
    seq = _seq(kind, which)
    edit(made[seq - 1])
    finding = first(rechained(made) if chained else made)

    assert (finding.code, finding.seq, finding.rule) == ("outcome_differs", seq, rule)
    assert finding.expected != finding.recorded


def test_a_pawn_moved_by_the_sum_of_the_dice() -> None:
    """HC-238 (B-15): decision and event agree, but the rules refuse such a move."""
    made = _trees()
    seq = _seq("PawnMoved", lambda tree: tree["data"]["act"]["command"]["type"] == "move")
    state = _before(seq)
    assert state.dice[0] != state.dice[1]
    made[seq - 1]["data"]["act"]["command"]["steps"] = sum(state.dice)
    made[seq - 1]["data"]["space"] = sum(state.dice)
    finding = first(rechained(made))

    assert (finding.code, finding.seq, finding.reject, finding.rule) == (
        "illegal_decision", seq, "no_such_move", "B-15",
    )  # fmt: skip


def _of_seat(tree: Tree) -> Tree:
    secret: Tree = tree["hidden"][str(tree["data"]["seat"])]
    return secret


def test_a_kept_card_that_was_never_held() -> None:
    made = _trees()
    seq = _seq("CardsKept")
    secret = _of_seat(made[seq - 1])
    held = view(_before(seq), made[seq - 1]["data"]["seat"]).hand or ""
    secret["said"] = next(f"R{rank}" for rank in range(1, 13) if f"R{rank}" not in held.split())
    finding = first(rechained(made))

    assert (finding.code, finding.seq, finding.reject) == ("illegal_decision", seq, "not_in_hand")


def test_another_kept_card_of_the_same_hand() -> None:
    """A decision that would have been lawful: the chain betrays it, and else the next deal."""
    made = _trees()
    seq = _seq("CardsKept")
    secret = _of_seat(made[seq - 1])
    held = (view(_before(seq), made[seq - 1]["data"]["seat"]).hand or "").split()
    secret["said"] = next(card for card in held if card not in secret["said"].split())

    broken = first(made)
    assert (broken.code, broken.seq) == ("broken_chain", seq)
    assert made[seq]["type"] == "RoundDealt/1"
    forged = first(rechained(made))
    assert (forged.code, forged.seq, forged.rule) == ("outcome_differs", seq + 1, "B-78")


def test_another_given_card() -> None:
    """Given and said alike: a lawful gift of another card breaks the chain."""
    made = _trees()
    seq = _seq("CardGiven", lambda tree: "joker" not in tree["data"])
    (secret,) = made[seq - 1]["hidden"].values()
    assert secret["card"] == secret["said"]
    secret["card"] = secret["said"] = _another(secret["card"])
    finding = first(rechained(made))

    assert (finding.code, finding.seq, finding.reject) == ("illegal_decision", seq, "not_in_hand")


@pytest.fixture(scope="module")
def kept_by_several() -> list[Tree]:
    """A game in which several seats keep cards after its first round."""
    made: list[Event] = []
    for _, events in decisions(GAME, 3, "keep", {"max_turns_per_round": 6}, "random", "board"):
        made += events
        if any(isinstance(event, RoundDealt) and event.round == 2 for event in events):
            break
    return [msgspec.json.decode(entry.stored) for entry in records(made)]


def test_keep_answers_in_another_order(kept_by_several: list[Tree]) -> None:
    """B-83: any order is lawful, but the log has one."""
    made = kept_by_several
    at = next(i for i, tree in enumerate(made) if tree["type"] == "CardsKept/1")
    assert made[at + 1]["type"] == "CardsKept/1"
    swapped = [*made[:at], made[at + 1], made[at], *made[at + 2 :]]
    finding = first(swapped)
    assert (finding.code, finding.seq) == ("reordered", at + 1)
    copies = [msgspec.json.decode(encode(tree)) for tree in swapped]
    finding = first(rechained(copies, renumbered=True))
    assert (finding.code, finding.seq, finding.rule) == ("outcome_differs", at + 1, "B-72")


def test_secret_arguments_are_put_back() -> None:
    """The public decision leaves them out; whoever audits has them."""
    concealed = {c.Swap: "cards", c.Keep: "cards", c.Search: "card", c.Give: "card"}
    commands = set()
    for event in begun("board"):
        act = event.act
        if act is None or type(act.command) not in concealed:
            continue
        name = concealed[type(act.command)]
        whole = decision(event)
        assert whole is not None
        assert getattr(act.command, name) == ""
        assert getattr(whole.command, name) or isinstance(whole.command, c.Keep)
        commands.add(type(act.command))
    assert commands == set(concealed)
