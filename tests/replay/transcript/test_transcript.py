"""A game in words, for all eyes and for one seat's."""

import os
import re
from pathlib import Path

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.decide import step
from phaseledger.domain.events import EVENTS, CardDrawn, belongs
from phaseledger.domain.evolve import evolve
from phaseledger.domain.explain.wording import card_words, cards_words
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from phaseledger.domain.view import view
from phaseledger.replay.evidence.walk import event_lines, walk
from phaseledger.replay.text import Viewer, clean
from phaseledger.replay.transcript.card_text import may_know
from phaseledger.replay.transcript.table import Step, table_data, table_text
from phaseledger.replay.transcript.transcript import _SAYINGS, describe
from tests.support.cases import looped
from tests.support.replay.game_beginnings import BEGINNINGS, begun, stored
from tests.support.replay.log_edits import rows, short_game, trees
from tests.support.scenario import play_random, records
from tests.support.table import GAME, SECRET, events_of, play, table

GOLDEN = Path(__file__).parent / "transcript.txt"
CARD = re.compile(r"\b(?:(?:red|blue|green|yellow) \d+|wild|skip)\b")


def walked(lines: list[bytes] | tuple[bytes, ...]) -> list[Step]:
    made, verdict, *_ = walk(rows(lines), "short")
    assert verdict.sound, verdict
    return made


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    return walked(short_game())


def test_golden(steps: list[Step]) -> None:
    lines = [line for seq in range(1, len(steps) + 1) for line in event_lines(steps, seq, "all")]

    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text("\n".join(lines) + "\n")
    assert GOLDEN.read_text().splitlines() == lines


@pytest.mark.parametrize("variant", ["even_phases", "n_phases(4)"])
def test_every_number_of_a_phase_has_the_catalogues_id(variant: str) -> None:
    """Where a variant leaves out phases (O-42); of other games a transcript stays as it was."""
    _, events = play_random(GAME, 2, variant, {"variant": variant}, "greedy")
    steps = walked([entry.stored for entry in records(events)])
    text = "\n".join(
        line for seq in range(1, len(steps) + 1) for line in event_lines(steps, seq, 0)
    )
    text += "\n".join(line for step in steps[::9] for line in table_text(step.state, "all"))
    text = re.sub(r"house rules: .*", "", text)
    numbers = re.findall(r"phase +(\d+)(?: \[C-P(\d\d)\])?", text)
    per_number = 2 if variant == "even_phases" else 1
    assert {int(number) for number, _ in numbers} > {1, 2}
    assert {(number, f"{int(number) * per_number:02}") for number, _ in numbers} == {*numbers}


@looped("name", ["board", "express", "standard-deck"])
def test_golden_of_every_game(name: str) -> None:
    """Read the difference, and then write the file anew with ``GOLDEN=write``."""
    steps = walked(stored(name))
    lines = [line for seq in range(1, len(steps) + 1) for line in event_lines(steps, seq, "all")]
    text = "\n".join([*lines, *table_text(steps[-1].state, "all")]) + "\n"
    file = GOLDEN.with_name(f"transcript-{name}.txt")
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text)

    assert file.read_text() == text


@looped("name", BEGINNINGS)
def test_told_as_the_viewer_could_have_written_it_down(name: str) -> None:
    """Law 7: from the events as a viewer gets them comes the same story, word for word.

    Only whoever searches the discard pile sees more than the events tell: the pile (B-23).
    """
    for viewer in (None, *range(BEGINNINGS[name].seats)):
        whole: State | None = None
        own: State | None = None
        for event in begun(name):
            shown = {who: secret for who, secret in event.hidden.items() if belongs(who, viewer)}
            redacted = replace(event, hidden=shown)
            whole, own = evolve(whole, event), evolve(own, redacted)

            assert describe(own, redacted, viewer) == describe(whole, event, viewer)
            searching = any(q.kind == "search" and q.seat == viewer for q in whole.waits)
            if not searching:
                assert table_text(own, viewer) == table_text(whole, viewer)


BOARD = preset("board")
JOKER = "a joker (red 5 on its other side)"
FIRST, SECOND = "joker 1 (face down)", "joker 2 (face down)"
SWAPPED = "seat 0 puts 2 cards on the discard pile"
RUN_OF_1 = "seat 1's cards (a run from 1 to 9"
RUN = {"laid": {0: 6, 1: 6}, "groups": [(1, "run", "R1 B2 G3 Y4 R5 B6 G7 Y8")], "ruleset": BOARD}


def descriptions(state: State, seat: int, command: c.Command) -> dict[Viewer, list[str]]:
    """The first event of a decision in words, for all eyes, both seats and a spectator."""
    event = events_of(state, seat, command)[0]
    after = evolve(state, event)
    return {viewer: describe(after, event, viewer) for viewer in ("all", 0, 1, None)}


@looped(
    ("state", "command", "openly", "owner", "others", "anybody"),
    [
        pytest.param(
            table(["J(R5) R7", "R9"], **RUN),
            c.Hit(0, "J1", "high"),
            f"seat 0 adds {JOKER} to {RUN_OF_1}, at its high end)",
            *[f"seat 0 adds a joker (face down) to {RUN_OF_1}, at its high end)"] * 3,
            id="B-30 a joker lies with its back up",
        ),
        pytest.param(
            table(["J(R5) R7", "R9"], ruleset=BOARD),
            c.Discard("J1"),
            *[f"seat 0 discards {JOKER}"] * 4,
            id="B-65 a discarded joker shows its face",
        ),
        pytest.param(
            table(["J(R5) R7 J(B2)", "R9"], question="swap", ruleset=BOARD),
            c.Swap("J2 R7"),
            f"{SWAPPED} (a joker (blue 2 on its other side) and red 7)",
            f"{SWAPPED} ({SECOND} and red 7)",
            *[f"{SWAPPED}, red 7 on top, with {SECOND} among them"] * 2,
            id="B-25 others see the top only",
        ),
        pytest.param(
            table(["R9", "J(R5) R7"], question="ask", ruleset=BOARD, discard="R1 B1"),
            c.Ask(5, "right"),
            *["seat 0 asks for the number 5, one after the other to the right"] * 4,
            id="B-32",
        ),
        pytest.param(
            table(["R1", "B2"], question="search", ruleset=BOARD, discard="R5 B5 G5"),
            c.Search("R5"),
            "seat 0 takes a card out of the discard pile (red 5), and green 5 lies on top now",
            "seat 0 takes a card out of the discard pile (red 5), and green 5 lies on top now",
            *["seat 0 takes a card out of the discard pile, and green 5 lies on top now"] * 2,
            id="B-23 unseen by the others",
        ),
    ],
)
def test_who_is_told_what(
    state: State, command: c.Command, openly: str, owner: str, others: str, anybody: str
) -> None:
    expected = {"all": [openly], 0: [owner], 1: [others], None: [anybody]}

    assert descriptions(state, 0, command) == expected


def test_a_joker_that_is_given() -> None:
    """B-36, B-38: all but the giver saw its face before; the asker sees it now."""
    state = table(["R9", "J(R5) R7"], question="ask", ruleset=BOARD, discard="R1 B1")
    asked, given, *_ = events_of(state, 0, c.Ask(5))
    after = evolve(evolve(state, asked), given)

    face = "seat 1 gives seat 0 joker 1 (face down): red 5"
    for viewer, line in {"all": face, 0: face, 1: face[:-7], None: face[:-7]}.items():
        assert describe(after, given, viewer) == [line]  # type: ignore[arg-type]


def test_a_card_that_is_given() -> None:
    """B-34: known to the two."""
    state = table(["R9", "R5 B5", "G5"], question="ask", ruleset=BOARD, discard="R1 B1")
    state = play(state, (0, c.Ask(5)))
    given = events_of(state, 1, c.Give("B5"))[0]

    assert describe(evolve(state, given), given, 1) == ["seat 1 gives seat 0 blue 5"]
    assert describe(evolve(state, given), given, 2) == ["seat 1 gives seat 0 a card"]


@looped(
    ("options", "kept", "lines"),
    [
        (
            {},
            "J1 R7",
            (
                f"keeps {JOKER} and red 7",
                f"keeps {FIRST} and red 7",
                *["has chosen what to keep"] * 2,
            ),
        ),
        ({}, "", ("keeps nothing", "keeps nothing", *["has chosen what to keep"] * 2)),
        ({"keep_choice": "seat_order_open"}, "J1", (f"keeps {JOKER}", *[f"keeps {FIRST}"] * 3)),
        ({"keep_choice": "seat_order_open"}, "", ["keeps nothing"] * 4),
    ],
)
def test_what_is_kept(options: dict[str, str], kept: str, lines: tuple[str, ...]) -> None:
    """B-83: nobody knows what another keeps, unless the house rules show it (O-33)."""
    state = table(["J(R5) R7 R8", "R9"], question="keep", ruleset=BOARD, **options)
    state = replace(state, out=1, waits=(replace(state.waits[0], number=5),))
    assert descriptions(state, 0, c.Keep(kept)) == dict(
        zip(("all", 0, 1, None), ([f"seat 0 {line}"] for line in lines), strict=True)
    )


def test_half_a_pair() -> None:
    """X-55 with ``pairrun_hit=single_cards``."""
    state = table(
        ["R8 B8 R10", "R2"],
        laid={0: 4, 1: 4},
        groups=[(1, "pairrun", "R6 B6 G7 Y7")],
        ruleset=preset("express"),
        pairrun_hit="single_cards",
    )
    first = descriptions(state, 0, c.Hit(0, "R8", "high"))[None]
    second = descriptions(play(state, (0, c.Hit(0, "R8", "high"))), 0, c.Hit(0, "B8", "high"))[None]

    where = "to seat 1's cards (a run of pairs from 6 to 8, at its high end"
    assert first == [f"seat 0 adds red 8 {where}, half a pair so far)"]
    assert second == [f"seat 0 adds blue 8 {where})"]


def test_runs_of_french_cards_end_in_their_own_ranks() -> None:
    groups = [(1, "run", "10H JS A KC")]
    state = table(["2H", "3H", "4H"], groups=groups, ruleset=preset("standard-deck"), discard="")

    assert "  group 0 (seat 1): run 10H JS A KC (10 to K)" in table_text(state, None)


def test_table_of_the_board() -> None:
    """Pawns, dice and jokers as the viewer may see them; no points where none are counted."""
    groups = [(1, "run", "R1 J(B8) G3 Y4 R5 B6 G7 Y8")]
    state = table(["J(R5) R7", "J(B2) R9"], groups=groups, ruleset=BOARD, discard="R1 B1 B5")
    state = replace(state, dice=(3, 5), action="TAKE1")

    def lines(viewer: Viewer) -> list[str]:
        return table_text(state, viewer)[2:]

    run = "  group 0 (seat 1): run R1 {} G3 Y4 R5 B6 G7 Y8 (1 to 8)".format
    asked = "waiting for seat 0 to play"
    seat_0 = "  0 seat 0  phase  1        2 cards, pawn on 0"
    seat_1 = "  1 seat 1  phase  1        2 cards, pawn on 0"
    rest = [run("J"), asked]
    assert lines("all") == [
        "discard pile from its bottom: R1 B1 B5",
        "dice 3 and 5, TAKE1",
        f"{seat_0}: J(R5) R7",
        f"{seat_1}: J(B2) R9",
        run("J(B8)"),
        asked,
    ]
    assert lines(0) == ["dice 3 and 5, TAKE1", f"{seat_0}: J1 R7", f"{seat_1}, jokers B2", *rest]
    assert lines(1) == ["dice 3 and 5, TAKE1", f"{seat_0}, jokers R5", f"{seat_1}: J1 R9", *rest]
    assert lines(None) == [
        "dice 3 and 5, TAKE1",
        f"{seat_0}, jokers ?",
        f"{seat_1}, jokers ?",
        *rest,
    ]
    searching = replace(state, waits=(replace(state.waits[0], kind="search"),))
    assert table_text(searching, 0)[2] == "discard pile from its bottom: R1 B1 B5"
    assert table_text(searching, 1)[2] == "dice 3 and 5, TAKE1"
    faces = table_data(state, "all")
    assert faces["hands"] == ["J(R5) R7", "J(B2) R9"]
    assert (faces["pile"], faces["groups"][0]["cards"][:8]) == ("R1 B1 B5", "R1 J(B8)")


def test_a_skip_in_front_and_where_it_goes() -> None:
    """D-18: under the pile."""
    state = table(["* 2H", "3H", "4H"], ruleset=preset("standard-deck"), discard="5H")
    placed, served, *_ = events_of(state, 0, c.Discard("*", 1))

    assert describe(evolve(state, placed), placed, None) == [
        "seat 0 lays joker (skip) before seat 1"
    ]
    assert "in front *" in table_text(evolve(state, placed), None)[3]
    after = evolve(evolve(state, placed), served)
    goes = "Turn 2: seat 1 is skipped: joker (skip) goes under the discard pile"
    assert describe(after, served, None) == [goes]


@looped("game", ["classic", "standard-deck", "express", "board"])
def test_house_rules_are_those_that_differ_from_the_games_own(game: str) -> None:
    def lines(options: dict[str, object]) -> list[str]:
        opening = c.OpenGame(GAME, game, 3, options, secret=SECRET)  # type: ignore[arg-type]
        state, (opened,) = step(None, c.Act(opening))
        return describe(state, opened, None)[1:]

    assert lines({}) == []
    assert lines({"run_wrap": True}) == [
        "house rules: A run may go on from the highest rank to the lowest."
    ]


def test_every_event_has_words() -> None:
    assert set(EVENTS.values()) == set(_SAYINGS)


@looped("viewer", [None, 0, 1])
def test_viewer_is_told_what_it_may_know(steps: list[Step], viewer: int | None) -> None:
    for event, state in steps:
        own = (
            set()
            if viewer is None
            else {card_words(card) for card in show(state.seat(viewer).hand).split()}
            if state.round
            else set()
        )
        text = " ".join(describe(state, event, viewer))
        if isinstance(event, CardDrawn) and event.source == "stock":
            assert (event.seat == viewer) == bool(CARD.search(text))
            assert {*CARD.findall(text)} <= own


def test_hidden_hands_do_not_show(steps: list[Step]) -> None:
    dealt = next(tree["seq"] for tree in trees() if tree["type"] == "RoundDealt/1")
    event, state = steps[dealt - 1]
    hands = [show(seat.hand) for seat in state.seats if seat]

    def shown(viewer: Viewer) -> list[bool]:
        lines = "\n".join(describe(state, event, viewer))
        text = "\n".join(table_text(state, viewer))
        assert [cards_words(hand) in lines for hand in hands] == [hand in text for hand in hands]
        return [hand in text for hand in hands]

    assert shown("all") == [True, True]
    assert shown(0) == [True, False]
    assert shown(1) == [False, True]
    assert shown(None) == [False, False]


def test_table_as_data_is_the_services_view(steps: list[Step]) -> None:
    _, state = steps[40]

    assert to_builtins(view(state, 1)) == table_data(state, 1)
    assert to_builtins(view(state, None)) == table_data(state, None)
    assert [show(seat.hand) for seat in state.seats if seat] == table_data(state, "all")["hands"]


def test_table_text(steps: list[Step]) -> None:
    assert table_text(steps[1].state, "all") == ["classic@1, lobby; at the table: seat 0"]
    last = table_text(steps[-1].state, 0)
    assert last[0].startswith("classic@1, ended, round ")
    assert last[-1].startswith("won by seat ")


def test_names_cannot_command_the_terminal() -> None:
    assert clean("\x1b[31mÉva") == "\N{REPLACEMENT CHARACTER}[31mÉva"


def test_audiences() -> None:
    assert [may_know("1", viewer) for viewer in ("all", 1, None)] == [True, True, False]
