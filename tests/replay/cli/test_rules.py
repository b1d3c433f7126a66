"""The commands `rules list`, `show`, `check` and `find`: their words, their JSON, how they end."""

import json
import re

import pytest

from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.cli.main import app
from tests.support.cases import looped
from tests.support.languages import lengthened, pseudo_german

NO_NATURAL = "wild_min_scope=none"
CLASSIC_2 = ["check", "classic", "--phase", "2"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        app(["rules", *arguments])
    captured = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, captured.out, captured.err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list")
    assert (code, [line.split()[0] for line in out.splitlines()]) == (0, list(GAMES))
    code, out, _ = run(capsys, "list", "--json")
    rows = json.loads(out)["rulesets"]
    assert rows[0] == {
        "name": "classic",
        "id": "classic@1",
        "title": "Phase 10",
        "seats_min": 2,
        "seats_max": 6,
    }


# --- show -----------------------------------------------------------------------------------------


@looped("name", sorted(GAMES))
def test_show(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every phase, every option with its values and rules, in any game."""
    code, out, err = run(capsys, "show", name)
    game = GAMES[name]

    assert (code, err) == (0, "")
    assert out.startswith(f"{game.rules.title} ({game.rules.id})\n")
    for phase in game.rules.phases:
        assert f"[{phase.rule}]" in out
    for option in game.settings:
        assert f"\n  {option}=" in out
    assert "\n* " not in out


def test_show_under_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """What is not as usual has a star, and changes what is read out (C-75)."""
    code, out, _ = run(capsys, "show", "classic", "--option", "variant=even_phases")

    assert code == 0
    assert "\n* variant=even_phases  [O-42 C-73 C-74 C-75]\n" in out
    assert "Phases: 5\n" in out
    assert "   1  a set of 3 and a run of 4  [C-P02]\n" in out


@looped("name", sorted(GAMES))
def test_show_in_another_language(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every word comes from the messages, but for what options, their values and actions are."""
    with pseudo_german(lengthened):
        code, out, _ = run(capsys, "show", name, "--lang", "de")
    for _ in range(4):  # messages within messages
        out = re.sub("⟦[^⟦⟧]*⟧", "", out)
    lines = [line for line in out.splitlines() if not re.match(r"[* ] \w+=", line)]
    bare = re.sub(r"\[[A-Z0-9 -]+\]|\(\w+(?:-\w+)?@\d\)|\b[A-Z]+\d?\b", "", "\n".join(lines))
    assert code == 0
    assert re.findall(r"[^\W\d]{2,}", bare) == []


def test_show_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    """No line is broken before a colon, and no character is lost on a terminal."""
    _, out, _ = run(capsys, "show", "classic", "--lang", "fr", "--option", "variant=even_phases")
    assert "Phases\N{NO-BREAK SPACE}: 5\n" in out
    assert "\nLa fin d'une manche\n" in out
    _, _, err = run(capsys, "show", "chess", "--lang", "fr")
    assert err.startswith("Le jeu 'chess' n'existe pas\N{NO-BREAK SPACE}; il y a classic,")


def test_show_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    phases = ["color(5)"] * 9 + ["run(10)"]
    chosen = f"board_phases={json.dumps(phases)}"
    code, out, _ = run(capsys, "show", "board@1", "--json", "--option", chosen)
    shown = json.loads(out)

    assert code == 0
    assert shown["chosen"] == {"board_phases": phases}
    assert shown["ruleset"]["phases"][9]["words"] == "a run of 10"
    first = shown["sections"][0]["lines"][0]
    assert (first["text"], first["rules"]) == ("2 to 6 players.", ["B-01"])


def test_show_a_list_as_it_could_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    """The value printed for a list is what --option takes."""
    _, out, _ = run(capsys, "show", "board")
    line = next(line for line in out.splitlines() if line.startswith("  board_track="))
    value = line.split("  [")[0].strip()
    code, chosen, _ = run(capsys, "show", "board", "--option", value)
    assert (code, chosen) == (0, out)


def test_show_names_a_rule_once(capsys: pytest.CaptureFixture[str]) -> None:
    """O-39 is the catalogue's number and the only rule behind the option."""
    _, out, _ = run(capsys, "show", "classic")
    assert "  max_turns_per_round=none  [O-39]\n" in out


# --- check ----------------------------------------------------------------------------------------


@looped(
    ("arguments", "code", "out"),
    [
        (
            [*CLASSIC_2, "R5 B5 W", "R8 B9 G10 Y11"],
            0,
            (
                "legal  [C-P02]\n"
                "Phase 2 can be laid: a set of 5s (red 5, blue 5 and wild as 5) "
                "and a run from 8 to 11 (red 8, blue 9, green 10 and yellow 11).\n  W -> 5\n"
            ),
        ),
        (
            [*CLASSIC_2, "R5 B5 G5", "R8 B9 G10 Y12"],
            1,
            (
                "illegal  not_consecutive  [C-25]\n"
                "Phase 2 (a set of 3 and a run of 4) cannot be laid "
                "like this: in group 2 (red 8, blue 9, green 10, yellow 12), the "
                "cards of a run follow one another, and yellow 12 is out of step.\n"
            ),
        ),
        (
            ["check", "classic", "--on", "run R3 B4 G5 Y6", "--hit", "R2", "--end", "low"],
            0,
            (
                "legal  [C-59]\nIt fits, and makes a run from 2 to 6 "
                "(red 2, red 3, blue 4, green 5 and yellow 6).\n"
            ),
        ),
        (
            ["check", "classic", "--phase", "set(3) + run(4)", "R5 B5 2H", "R1"],
            1,
            (
                "illegal  unknown_card\n"
                "Phase 2 (a set of 3 and a run of 4) cannot be laid like this: "
                "in group 1 (red 5, blue 5, 2 of hearts), 2H is no card in this game, where cards "
                "are written as in R4, B10, G12, W or S.\n"
            ),
        ),
    ],
    ids=["lay", "no-lay", "hit", "no-rule"],
)
def test_check(
    arguments: list[str], code: int, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, *arguments) == (code, out, "")


@looped(
    ("arguments", "code"),
    [
        (["classic", "--on", "run R3 B4 G5 Y6", "--hit", "R2 low, B1 low"], 0),  # HC-101
        (["classic", "--on", "run R3 B4 G5 Y6", "--hit", "R2 low", "--hit", "B1 low"], 0),
        (["classic", "--on", "run(4) R3 B4 G5 Y6", "--hit", "R1 low"], 1),  # HC-100
        (["express", "--on", "parity even R2 B2 G8 Y10", "--hit", "R5"], 1),  # HC-139
        (["express", "--on", "parity(4, odd) R1 B1 G3 Y5", "--hit", "R5"], 0),
        (["express", "--on", "parityrun(odd) R1 B3 G5 Y7", "--hit", "R9", "--end", "high"], 0),
        (["express", "--on", "set W W = 7", "--hit", "R7"], 0),
        (["express", "--phase", "2", "R7 B7", "W W = 9"], 0),  # HC-059
        (["express", "--phase", "2", "R7 B7", "W W"], 1),
        (["express", "--phase", "10", "W W W = green", "--option", NO_NATURAL], 1),
        (["express", "--phase", "color(3)", "W W W = G", "--option", NO_NATURAL], 0),
        (["express", "--phase", "parity(3, odd)", "W W R1 = odd"], 0),
        (["express", "--phase", "parity(3, odd)", "W W R1 = even"], 1),
        (["standard-deck", "--phase", "set(3)", "AS AH AD = K", "--option", NO_NATURAL], 0),
        (["standard-deck@1", "--on", "run 10H JS QD KC", "--hit", "AS low, 8H low"], 0),  # HC-116
        (["board", "--on", "run J R3 J", "--hit", "R1", "--end", "low"], 0),  # HC-148
        (["classic", "--phase", "run(4)", "R11 B12 G1 Y2"], 1),
        (["classic", "--phase", "run(4)", "R11 B12 G1 Y2", "--option", "run_wrap=true"], 0),
        (["classic", "--phase", "1", "R1", "--option", "max_turns_per_round=9"], 1),
    ],
)  # fmt: skip
def test_how_a_check_is_written(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    ended, out, err = run(capsys, "check", *arguments, "--json")
    assert (ended, err) == (code, "")
    assert json.loads(out)["legal"] is (code == 0)


def test_what_wilds_stand_for_on_a_card(capsys: pytest.CaptureFixture[str]) -> None:
    """In the notation of the deck: rank 10 of the list is a Jack (D-03)."""
    none = ("--option", "wild_min_scope=none")
    _, out, _ = run(capsys, "check", "standard-deck", "--phase", "set(2)", "AS AD = 10", *none)
    assert "  A -> 10\n" in out


# --- find -----------------------------------------------------------------------------------------


def test_find_lays_out(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "R5 B5 G5 R8 B9 G10 Y11 W S R1"
    code, out, err = run(capsys, "find", "classic", hand, "--phase", "2")
    assert (code, err) == (0, "")
    assert out == (
        "Phase 2 (a set of 3 and a run of 4) can be laid: a set of 5s "
        "(red 5, blue 5 and green 5) and a run from 8 "
        "to 11 (red 8, blue 9, green 10 and yellow 11).  [C-P02]\n"
        "  set        R5 B5 G5\n"
        "  run        R8 B9 G10 Y11\n"
        "  in hand    W S R1\n"
        "  ways to lay it: 10\n"
    )


def test_find_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "R5 B5 R8 B9 G10 Y11 S"
    code, out, err = run(capsys, "find", "classic", hand, "--phase", "3")
    assert (code, err) == (1, "")
    assert out == (
        "Phase 3 (a set of 4 and a run of 4) cannot be laid: at least 2 cards short.  [C-P03]\n"
        "  a set of 4: has R5 B5, lacks 2, such as R5 B5\n"
        "  a run of 4: has R8 B9 G10 Y11, is complete\n"
    )
    _, out, _ = run(capsys, "find", "classic", "S", "--phase", "4")
    assert "  a run of 7: has nothing, lacks 7, such as R1 R2 R3 R4 R5 R6 R7\n" in out


def test_find_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "find", "board", "R1 B1 J R3 B4 G5", "--phase", "3", "--json")
    answer = json.loads(out)
    assert code == 1
    assert (answer["found"], answer["rule"], answer["missing"]) == (False, "B-67", 1)


def test_find_stops_counting(capsys: pytest.CaptureFixture[str]) -> None:
    hand = " ".join(f"G{n % 12 + 1}" for n in range(24))
    _, out, _ = run(capsys, "find", "classic", hand, "--phase", "8")
    assert "  ways to lay it: 5000 or more\n" in out


# --- usage ----------------------------------------------------------------------------------------


@looped(
    ("arguments", "words"),
    [
        (["show", "chess"], "there are classic, standard-deck, express, board"),
        (["show", "classic", "--option", "run_wrap"], "write name=value"),
        (["show", "classic", "--option", "run_wrap=maybe"], "it takes true or false"),
        (["show", "classic", "--option", "board_track=[]"], "is no option of this rule set"),
        (["show", "board", "--option", "board_track=[1]"], "no list in JSON"),
        (["check", "classic"], "Ask either --phase N"),
        (["check", "classic", "R1 R2 R3"], "Ask either --phase N"),
        (["check", "classic", "--phase", "1"], "Ask either --phase N"),
        (["check", "classic", "--on", "set R1 B1"], "Ask either --phase N"),
        (["check", "classic", "--on", "set R1 B1", "--phase", "1", "R1"], "Ask either --phase N"),
        (["check", "classic", "--hit", "R1", "--phase", "1", "R1"], "Ask either --phase N"),
        (["check", "classic", "--phase", "11", "R1"], "phases 1 to 10, not 11"),
        (["check", "classic", "--phase", "0", "R1"], "phases 1 to 10, not 0"),
        (["check", "classic", "--phase", "999", "R1"], "phases 1 to 10, not 999"),
        (["check", "classic", "--phase", "1", "R1", "--end", "low"], "--end is for hits"),
        (["find", "classic", "R1 R1 R1", "--phase", "1"], "red 1 is more than anybody can hold"),
        (["find", "board", "R1 J2", "--phase", "1"], "J1, J2 and so on"),
        (["check", "classic", "--phase", "nonsense", "R1"], "write it as in set(3) + run(4)"),
        (["check", "classic", "--phase", "1", "R1 = 13"], "'13' is nothing that a wild stands for"),
        (["check", "classic", "--phase", "1", "R1 " * 200], "That cannot be asked"),
        (["check", "classic", "--phase", "1", *["R1"] * 9], "That cannot be asked"),
        (["check", "classic", "--on", "flush R1", "--hit", "R2"], "begin with one of set, run"),
        (["check", "classic", "--on", "run R1 B2", "--hit", "R3"], "it takes a run of 4"),
        (["find", "classic", "R1 Z", "--phase", "1"], "'Z' is no card of this game: cards are"),
        (["find", "classic", "R1", "--phase", "12"], "phases 1 to 10"),
        (["find", "classic", "R1"], "--phase"),
        (["find", "classic", "R1 " * 25, "--phase", "1"], "1 to 24 cards"),
    ],
)
def test_wrong_usage(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence that a stranger can act on, and exit code 2."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err


@looped("command", [[], ["list"], ["show"], ["check"], ["find"]])
def test_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *command, "--help")
    assert code == 0
    assert "Exit codes: 0 legal or found, 1 illegal or not found, 2 usage." in out
