"""Rule sets in words and as data: complete for every game, and true under house rules."""

import re
from typing import get_args

from msgspec.structs import replace

from phaseledger.domain.explain.catalogue import info
from phaseledger.domain.explain.referee import SECTIONS, Section, read_out
from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.resolve import read_phase, resolve
from phaseledger.domain.ruleset import Action, GameDefinition
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.words import LANGUAGES, message, texts
from tests.support.cases import looped
from tests.support.languages import pseudo_german

OF_OTHER_DATA = {
    *("players", "express_white_cards", "board_phases", "board_track"),
    *("variant", "style", "twist_phases"),
}
"""Options that show in the cards, the phases, the ring or the policies."""

NAMES = sorted(GAMES)


def read(name: str, **options: object) -> tuple[Section, ...]:
    game = GAMES[name]
    return read_out(game, resolve(game.rules, options, game.settings))


def lines(name: str, **options: object) -> dict[str, tuple[str, ...]]:
    return {line.text: line.rules for part in read(name, **options) for line in part.lines}


def test_every_option_has_a_sentence_for_each_value() -> None:
    """Section 7: whatever is chosen, the referee has words for it."""
    read_out_names = {row for _, rows in SECTIONS for row in rows if isinstance(row, str)}
    assert read_out_names | OF_OTHER_DATA == PARAMETERS.keys()
    for game in GAMES.values():
        for option in info(game, game.rules).options:
            if option.name in read_out_names - {"max_turns_per_round"}:
                says = texts("en", f"says.{option.name}.")
                assert {str(choice).lower() for choice in option.choices} <= says.keys()


@looped(
    ("name", "options", "words"),
    [
        ("classic", {"final_tie": "went_out"}, "if none of them did, they share the win"),
        ("classic", {}, "if nobody does, they share the win"),
        ("board", {}, "two phases on for who ended the round, laid or not"),
        ("board", {}, "or began it, where nobody ended it"),
    ],
)
def test_the_rare_end_is_said_too(name: str, options: dict[str, str], words: str) -> None:
    """What `policies` does where nobody went out, or who did had laid nothing (O-22, B-70)."""
    assert any(words in text for text in lines(name, **options))


@looped("name", NAMES)
def test_every_house_rule_of_a_game_can_be_chosen_and_read_out(name: str) -> None:
    game = GAMES[name]
    for option in info(game, game.rules).options:
        for value in option.choices:
            with_it = {option.name: value}
            if value == "until_normal_turn":  # O-10: a target may then be wanting
                with_it["skip_plain_discard"] = "only_if_no_target"
            assert read_out(game, resolve(game.rules, with_it, game.settings))


@looped("name", NAMES)
def test_the_rules_named_are_the_game_s_own(name: str) -> None:
    letter = GAMES[name].rules.phases[0].rule[0]
    cited = {rule for rules in lines(name).values() for rule in rules}
    assert len(cited) > 25
    assert {rule[0] for rule in cited} <= {letter, "T", "O"}


def test_policies_are_told_apart() -> None:
    """Where a skip goes (K-01), who wins, whether points count: from data alone."""
    explained = {name: " ".join(lines(name)) for name in NAMES}
    assert "under the discard pile" in explained["standard-deck"]
    assert "on top of the discard pile" in explained["express"]
    assert "name another player, who loses" in explained["classic"]
    assert "A skip" not in explained["board"]
    assert "A joker stands for any number card." in explained["board"]
    assert "Cards left in hand cost nothing." in explained["board"]
    assert "discards the last card" in explained["board"]
    assert {name for name in NAMES if "one suit" in explained[name]} == {"standard-deck"}
    assert {name for name in NAMES if "run of pairs" in explained[name]} == {"express"}


def test_house_rules_change_what_is_read_out() -> None:
    """C-73, D-62, O-39: sentences come and go with the rules they belong to."""
    ten = lines("classic", variant="ten_rounds")
    assert ten["The game ends after 10 rounds; the fewest points win."] == ("C-73",)
    assert not any("replay" in text for text in ten)
    free = lines("standard-deck", style="complete_free")
    assert free["Whoever lays may lay any phase that is not made yet."] == ("D-62",)
    assert "The round is broken off after 40 turns." in lines("classic", max_turns_per_round=40)
    assert not any("replay" in text for text in lines("classic", final_tie="shared"))
    assert not any("wild" in text for text in lines("express", express_white_cards="none"))


def test_the_ring() -> None:
    """Section 5.8: the spaces in order, and each action that is there."""
    ring = read("board")[-1]
    assert ring.title == "The ring of spaces"
    names = {action: message("en", f"viewer.action.{action}") for action in get_args(Action)}
    spaces = ring.lines[0].text.removesuffix(".").split(": ")[1].split("; ")
    assert spaces == [names[action] for action in GAMES["board"].rules.track]
    cited = {line.text.split(":")[0]: line.rules for line in ring.lines[1:]}
    assert [*cited] == [*names.values()]
    assert cited[names["TAKE3"]] == ("B-21",)
    assert cited[names["AGAIN"]] == ("B-27",)
    assert ("B-17",) not in cited.values()
    track = ("JOKER*", *GAMES["board"].rules.track[1:])
    without = tuple(space.replace("CHOOSE", "TAKE1") for space in track)
    assert not any(names["CHOOSE"] in text for text in lines("board", board_track=without))


@looped("name", NAMES)
def test_no_word_comes_from_elsewhere(name: str) -> None:
    game = GAMES[name]
    limit = {"max_turns_per_round": 40}
    with pseudo_german():
        sections = read_out(game, resolve(game.rules, limit, game.settings), "de")
    words = [section.title for section in sections]
    words += [line.text for section in sections for line in section.lines]
    assert [text for text in words if re.search("[A-Za-z]", text)] == []


@looped("name", NAMES)
def test_every_language_reads_out_the_same_rules(name: str) -> None:
    game = GAMES[name]
    english, *others = (read_out(game, game.rules, lang) for lang in LANGUAGES)
    for other in others:
        assert [[line.rules for line in part.lines] for part in other] == [
            [line.rules for line in part.lines] for part in english
        ]
        pairs = [
            (line.text, other_line.text)
            for part, same in zip(english, other, strict=True)
            for line, other_line in zip(part.lines, same.lines, strict=True)
        ]
        assert [text for text, words in pairs if text == words and not text[0].isdigit()] == []


# --- as data --------------------------------------------------------------------------------------


@looped("name", NAMES)
def test_cards_add_up_to_the_deck(name: str) -> None:
    """C-02, D-02, X-02, B-02; and their points (C-64, D-54, X-59)."""
    rules = GAMES[name].rules
    rule_info = info(GAMES[name], rules)
    assert sum(row.total for row in rule_info.cards) == len(rules.deck.cards())
    numbers = sum(rules.points.ranks) * 4 * rules.deck.copies
    special = rules.deck.wilds * rules.points.wild + rules.deck.skips * rules.points.skip
    assert sum(row.total * row.points for row in rule_info.cards) == numbers + special


def test_cards_of_the_same_points_are_one_row() -> None:
    rows = info(GAMES["standard-deck"], GAMES["standard-deck"].rules).cards
    assert [(row.cards, row.total, row.points) for row in rows] == [
        ("2 to 10 in hearts, spades, diamonds and clubs", 72, 5),
        ("J to K in hearts, spades, diamonds and clubs", 24, 10),
        ("Ace A, the wild", 8, 20),
        ("joker *, the skip", 4, 15),
    ]
    odd = replace(
        GAMES["classic"].rules,
        points=replace(GAMES["classic"].rules.points, ranks=(1, *(5,) * 11)),
    )
    first, *_ = info(GAMES["classic"], odd).cards
    assert (first.cards.split(" in ")[0], first.total) == ("1", 8)


@looped("name", NAMES)
def test_phases_as_text_can_be_read_again(name: str) -> None:
    for phase in info(GAMES[name], GAMES[name].rules).phases:
        assert read_phase(phase.text).needs == phase.needs
        assert phase.rule.endswith(f"P{phase.number:02}")


def option_of(game: GameDefinition, name: str) -> object:
    return next(option for option in info(game, game.rules).options if option.name == name)


def test_options_say_what_they_take() -> None:
    """Bools, words, both, and what cannot be counted; less what makes no sense in the game."""
    classic, express = GAMES["classic"], GAMES["express"]
    assert option_of(classic, "run_wrap").choices == (True, False)
    assert option_of(classic, "going_out").choices == ("any", "discard_required")
    assert option_of(classic, "skip_plain_discard").choices == (True, False, "only_if_no_target")
    assert option_of(classic, "max_turns_per_round").choices == ()
    assert option_of(express, "players").choices == ()
    assert option_of(GAMES["board"], "full_color_group").choices == (24, "ignore")
    variant = option_of(express, "variant")
    assert "even_phases" in option_of(classic, "variant").choices
    assert "even_phases" not in variant.choices
    assert variant.values == "none, ten_rounds or n_phases(1) to n_phases(10)"
    assert (variant.number, variant.rules, variant.default) == ("O-42", ("X-67", "X-69"), "none")
