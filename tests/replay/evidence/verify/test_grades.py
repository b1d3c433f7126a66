"""Grades: whose word a bundle is in which nothing is wrong, game by game and policy by policy."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
from msgspec.structs import asdict, replace

from phaseledger.replay.evidence.verify import evidence
from phaseledger.replay.evidence.verify.evidence import Facets, Grade, Judgement
from phaseledger.replay.evidence.verify.grades import GRADES, grade_of
from phaseledger.replay.evidence.verify.headline import headline
from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.browser import Verifier
from tests.support.cases import looped
from tests.support.replay.bundles import PLANS as ALL_GAMES
from tests.support.replay.bundles import game, good, of_kind
from tests.support.replay.graded_games import PLANS, POLICY, graded
from tests.support.replay.judgements import judged
from tests.support.replay.log_edits import encode, rechained
from tests.support.replay.operator_games import WITNESS, Table, bundled, whole_commands
from tests.support.replay.page_grades import agree, judged_without_bots, written
from tests.support.replay.policy_cases import classic_bundle, judged_with

ROOT = Path(__file__).parents[4]
UNKNOWN = replace(POLICY, players=frozenset())
"""The policy of somebody who knows no player's key."""


class Graded(NamedTuple):
    """What the verdict on a game is under a policy that names its players."""

    grade: Grade
    facets: str
    deeds: str
    """What a lying operator could have done unseen."""


OVER = "changed neither its cards nor its moves"
TABLE: dict[str, Graded] = {
    "signed": Graded("proven", "players signed none none witnessed", OVER),
    "a bot": Graded("proven", "players signed re-decided none witnessed", OVER),
    "a bot played by somebody": Graded(
        "recorded", "players signed unproven none witnessed", 'played for the bot of seat "Seat 1"'
    ),
    "secrets of the server": Graded(
        "recorded", "server signed none none witnessed", "chosen the deck"
    ),
    "one seat signs": Graded(
        "recorded", "players unsigned none none witnessed", 'made the moves of seat "Seat 1"'
    ),
    "nobody signs": Graded(
        "recorded",
        "seats unsigned none none witnessed",
        'chosen the deck if seats "Seat 0" and "Seat 1" are its own '
        'and made the moves of seats "Seat 0" and "Seat 1"',
    ),
    "bots only": Graded("recorded", "server none re-decided none witnessed", "chosen the deck"),
    "timed out": Graded(
        "attested",
        "players signed re-decided recorded witnessed",
        "timed seats out too early, or lost their answers",
    ),
    "never there": Graded(
        "recorded",
        "players unsigned re-decided recorded witnessed",
        'entered the player of seat "Seat 1" itself '
        "and timed seats out too early, or lost their answers",
    ),
    "only sat down": Graded(
        "attested",
        "players signed re-decided recorded witnessed",
        "timed seats out too early, or lost their answers",
    ),
    "broken off": Graded("proven", "players signed none none witnessed", OVER),
    "broken off before the deal": Graded(
        "recorded",
        "none unsigned none none witnessed",
        'entered the players of seats "Seat 0" and "Seat 1" itself',
    ),
}


def sentence(deeds: str) -> str:
    return f"; unseen, a lying operator could have {deeds}"


def values(judgement: Judgement) -> str:
    assert judgement.facets
    return " ".join(asdict(judgement.facets).values())


def test_the_table_has_every_game() -> None:
    assert list(TABLE) == list(PLANS)
    assert {case.grade for case in TABLE.values()} | {"consistent", "test", "none"} == {
        *get_args(evidence.Grade)
    }


@looped("name", TABLE)
def test_a_game_under_a_policy_that_names_its_players(name: str) -> None:
    judgement, expected = judged(bundled(graded(name)), POLICY), TABLE[name]

    assert (judgement.grade, values(judgement)) == (expected.grade, expected.facets)
    assert judgement.headline.startswith(f"SOUND, grade {expected.grade}: the game ")
    assert judgement.headline.endswith(sentence(expected.deeds))


@looped("name", TABLE)
def test_without_a_policy_nobody_vouches_for_anything(name: str) -> None:
    judgement = judged(bundled(graded(name)))

    assert (judgement.conclusion, judgement.grade) == ("sound", "consistent")
    assert "nobody vouches for this file, so anybody could have made it all up" in (
        judgement.headline
    )
    is_dealt = name != "broken off before the deal"
    assert ("unseen, a lying operator could have chosen the deck" in judgement.headline) == is_dealt


@looped("name", ["signed", "a bot", "timed out"])
def test_keys_that_the_policy_does_not_name_may_be_the_operator_s(name: str) -> None:
    """A table full of its own people has secrets and signatures of its own as well."""
    judgement = judged(bundled(graded(name)), UNKNOWN)

    assert judgement.grade == "recorded"
    assert values(judgement).startswith("seats unsigned ")
    assert 'chosen the deck if seat "Seat 0" is its own' in judgement.headline


def test_a_player_may_be_named_by_its_seat() -> None:
    (key, *_) = sorted(POLICY.players)
    lines = bundled(graded("signed"))
    keys = {seat.seat: seat.key for seat in judged(lines).seats}
    assert judged(lines, replace(UNKNOWN, seats=keys)).grade == "proven"
    judgement = judged(lines, replace(UNKNOWN, seats={0: keys[0]}))
    assert values(judgement) == "players unsigned none none witnessed"
    assert [seat.named for seat in judgement.seats] == [True, False]
    assert key in keys.values()


# --- who is held to the story ---------------------------------------------------------------------


@looped(("witnesses", "story"), [((WITNESS,), "witnessed"), ((), "operator")])
def test_who_is_held_to_the_story(witnesses: Sequence[SigningKey], story: str) -> None:
    judgement = judged(bundled(graded("nobody signs"), witnesses=witnesses), UNKNOWN)
    assert judgement.facets
    assert (judgement.facets.story, judgement.grade) == (story, "recorded")
    rewritten = "rewritten the game before it signed this" in judgement.headline
    assert rewritten == (story == "operator")


def test_who_kept_a_receipt_of_the_end_holds_the_operator_to_it(page: Verifier) -> None:
    lines = bundled(graded("nobody signs"), witnesses=())
    receipts = [Receipt(**receipt) for receipt in of_kind(lines, "receipt")]
    for kept, others, story in (
        (receipts[-1:], True, "witnessed"),
        (receipts[:-1], True, "operator"),
        (receipts[-1:], False, "operator"),  # F3: the operator can make as many as it likes
    ):
        judgement = judged_with(lines, kept, UNKNOWN, others=others)
        assert judgement.facets
        assert (judgement.conclusion, judgement.facets.story) == ("sound", story)
        assert ("By your word" in "".join(judgement.notes)) == others
        file = "".join(msgspec.json.encode(receipt).decode() + "\n" for receipt in kept)
        answer = page.verify(b"".join(lines), file, written(UNKNOWN), others=others)
        agree(answer, judgement)
    judgement = judged_with(lines, receipts[-1:])
    assert judgement.grade == "consistent", "without a policy nobody vouches for its key"


def test_a_witness_that_the_policy_does_not_name_holds_nobody() -> None:
    judgement = judged(bundled(graded("nobody signs")), replace(UNKNOWN, witnesses=()))
    assert judgement.facets
    assert judgement.facets.story == "operator"


def test_moves_of_bots_after_the_last_signature_follow_from_it() -> None:
    """Where the bots are not those of their programs, a signature says nothing of what followed."""
    for name, story in (("a bot", "witnessed"), ("a bot played by somebody", "operator")):
        judgement = judged(bundled(graded(name), witnesses=()), POLICY)
        assert judgement.facets
        assert judgement.facets.story == story


def test_the_end_of_a_game_that_was_broken_off_is_in_no_signature() -> None:
    """A player signed the last move, but not that nothing came after it."""
    judgement = judged(bundled(graded("broken off"), witnesses=()), POLICY)
    assert judgement.facets
    assert (judgement.facets.story, judgement.grade) == ("operator", "attested")
    assert judgement.headline.endswith(sentence("replaced the end"))


@looped(("covered", "story"), [(60, "nobody"), (81, "witnessed")])
def test_a_checkpoint_holds_nobody_to_what_it_does_not_cover(covered: int, story: str) -> None:
    judgement = judged(classic_bundle(receipts=False, covered=covered), UNKNOWN)
    assert judgement.facets
    assert judgement.facets.story == story
    assert judgement.grade == ("consistent" if story == "nobody" else "recorded")


# --- what is not over, or wrong -------------------------------------------------------------------


@looped("name", ["signed", "a bot", "nobody signs"])
def test_a_running_game_has_no_high_grade(name: str) -> None:
    lines = bundled(whole_commands(graded(name), len(graded(name)) - 1))
    judgement = judged(lines, POLICY)

    assert (judgement.conclusion, judgement.grade) == ("sound_so_far", "recorded")
    assert judgement.headline.startswith("NOTHING WRONG SO FAR, grade recorded: the game is not")
    assert "dealt cards of its choice" in judgement.headline


def test_signatures_over_what_is_still_sealed_vouch_for_nothing_yet() -> None:
    table = Table(ALL_GAMES["board"])
    players = frozenset(public_key(table.key(seat)) for seat in table.plan.signing)
    policy = replace(POLICY, players=players)
    for lines, moves in ((bundled(game("board")[:50]), "unsigned"), (good("board"), "signed")):
        judgement = judged(lines, policy)
        assert judgement.facets
        assert judgement.facets.moves == moves
        assert ('made the moves of seats "Seat 0" and "Seat 1"' in judgement.headline) == (
            moves == "unsigned"
        )


def test_what_is_wrong_has_no_grade() -> None:
    lines = list(bundled(graded("signed")))
    place = next(n for n, line in enumerate(lines) if b"Seat 1" in line)
    lines[place] = lines[place].replace(b"Seat 1", b"Seat 2")
    judgement = judged(lines, POLICY)

    assert (judgement.conclusion, judgement.grade, judgement.facets) == ("wrong", "none", None)
    assert judgement.headline == "WRONG: this is no game played by its rules from its secrets"


# --- the table of grades --------------------------------------------------------------------------


def every_facets() -> Iterator[Facets]:
    kinds = (
        evidence.Secrets,
        evidence.Moves,
        evidence.BotMoves,
        evidence.Times,
        evidence.Story,
    )
    for combination in product(*map(get_args, kinds)):
        yield Facets(*combination)


def test_a_grade_never_says_more_than_its_facets() -> None:
    """By the words of docs/reference/verify.md, not by the order that the program has."""
    for facets in every_facets():
        bound = facets.story != "nobody"
        own = facets.secrets in ("none", "players") and facets.moves in ("none", "signed")
        attested = bound and own and facets.bots in ("none", "re-decided")
        timely = facets.times in ("none", "witnessed") and facets.story == "witnessed"
        expected: Grade = "recorded" if bound else "consistent"
        if facets.secrets == "test":
            expected = "test"
        elif attested:
            expected = "proven" if timely else "attested"
        assert grade_of(facets) == expected, facets


def test_every_grade_has_a_meaning() -> None:
    assert [*GRADES, "none"] == list(get_args(evidence.Grade))


def test_the_documents_say_what_the_program_does() -> None:
    """The table of grades in verify.md, and the verdict that settle-a-dispute.md quotes too."""
    verify_page = (ROOT / "docs/reference/verify.md").read_text()
    dispute_page = (ROOT / "docs/how-to/settle-a-dispute.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|((?: (?:`[\w-]+`|any) \|){5})", verify_page, re.MULTILINE)
    documented = {grade: re.findall(r"[\w-]+", cells) for grade, cells in rows}
    weakest = list(asdict(GRADES["consistent"]).values())

    assert documented == {
        grade: [
            "any" if value == last else value for value, last in zip(values, weakest, strict=True)
        ]
        for grade, facets in GRADES.items()
        for values in (asdict(facets).values(),)
    }
    judgement = judged(bundled(graded("one seat signs")), POLICY)
    facets = Facets("server", "unsigned", "none", "none", "witnessed")
    line = headline(replace(judgement, grade=grade_of(facets), facets=facets), "en")
    assert f"\n{line}\n" in verify_page
    assert f"\n{line}\n" in dispute_page


# --- the page in the browser ----------------------------------------------------------------------


@looped("name", PLANS)
def test_the_page_has_the_same_facets(page: Verifier, name: str) -> None:
    lines = bundled(graded(name))
    agree(page.verify(b"".join(lines)), judged_without_bots(lines))


def test_the_page_finds_a_false_winner(page: Verifier) -> None:
    """Signed and chained anew by the operator: only the rules are left to tell."""
    trees = [msgspec.json.decode(event) for event in graded("signed")]
    (ended,) = (tree["data"] for tree in trees if tree["type"] == "GameEnded/1")
    ended["winners"] = [1 - ended["winners"][0]]
    lines = bundled([encode(tree) for tree in rechained(trees)])
    answer, judgement = page.verify(b"".join(lines)), judged(lines, POLICY)

    assert (judgement.conclusion, judgement.grade) == ("wrong", "none")
    assert (answer["ok"], answer["grade"]) == (False, "none")
    (finding,) = answer["findings"]
    assert (finding["code"], finding["seq"]) == ("rules", judgement.problems[0].seq)
    assert finding["expected"].startswith("C-70: the game is won by Seat ")
    assert re.fullmatch('the game ends, won by "Seat [01]"', finding["move"])
