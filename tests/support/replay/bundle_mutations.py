"""Ways to tamper with a bundle, each with the codes of which one has to be found first.

Some work on the lines of the file (`LINES`), some on the events before the chain is made anew and
everything is signed again (`FORGERIES`), and some tell a whole other story (`STORIES`).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.codes import CODES
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import exit_code, verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.records.source import DamagedSource, UnknownGame
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.chance import Pick
from tests.support.replay.bundle_lines import Lines, Made, counted, kind, made, tree_of
from tests.support.replay.forgeries import FORGERIES
from tests.support.replay.line_mutation_table import DAMAGED, LINES
from tests.support.replay.log_edits import rechained
from tests.support.replay.operator_games import OPERATOR, ORIGIN, STRANGER, WITNESS, bundled


class Tampered(NamedTuple):
    """A bundle that was tampered with. The verdict has to have one of the codes of ``right``."""

    name: str
    lines: Lines
    right: frozenset[str]
    held: tuple[Receipt, ...] = ()
    """Receipts that somebody holds against it."""


# --- everything signed again ---------------------------------------------------------------------


MAYBE_LAWFUL = frozenset(
    {
        "another card, move and all",
        "another card on the table",
        "another speaker",
        "drawn from elsewhere",
        "an event dropped",
        "two events exchanged",
        "an event of another game",
    }
)
"""Forgeries that may tell of another lawful game: then only what others hold speaks against it."""


def forged(name: str, game: Made, other: Made, pick: Pick, key: SigningKey) -> Tampered | None:
    """The game with one of the forgeries, chained and sealed anew, and signed by a key.

    What the operator itself signs is held against the receipts that the seats have of it.
    """
    edit, right = FORGERIES[name]
    trees = [msgspec.json.decode(record) for record in game.stored]
    if not edit(trees, [msgspec.json.decode(record) for record in other.stored], pick):
        return None
    stored = [
        msgspec.json.encode(record, order="sorted") for record in rechained(trees, renumbered=True)
    ]
    try:
        lines = bundled(stored, key=key)
    except KeyError:  # a seat reveals that never sat down: nobody can write such a bundle
        return None
    if key is OPERATOR:
        caught = frozenset({"equivocation", "cut_off"} if name in MAYBE_LAWFUL else ())
        return Tampered(f"{name}, signed by the operator", lines, right | caught, _held(game))
    caught = frozenset({"unknown_key"} if name in MAYBE_LAWFUL else ())
    return Tampered(f"{name}, signed by a stranger", lines, right | caught)


def changed(name: str, game: Made, other: Made, pick: Pick) -> Tampered | None:
    """The bundle with one of the changes of its lines."""
    change, right = LINES[name]
    lines = list(game.lines)
    if not change(lines, game, other, pick):
        return None
    return Tampered(name, lines, right)


# --- a whole other story -------------------------------------------------------------------------


def by_a_stranger(game: Made, _: Pick) -> Tampered:
    """The good game, everything in it signed by another key of the operator's name."""
    lines = bundled(game.stored, key=STRANGER)
    return Tampered("all of it by another key", lines, frozenset({"unknown_key"}))


def without_witness(game: Made, _: Pick) -> Tampered:
    """The good game, its checkpoint shown to no witness."""
    lines = bundled(game.stored, witnesses=())
    return Tampered("no witness", lines, frozenset({"witnesses_missing"}))


def cut_off(game: Made, pick: Pick) -> Tampered:
    """The end of the log left away, and all the rest signed again by the operator itself."""
    kept = 1 + pick(len(game.stored) - 1)
    lines = bundled(game.stored[:kept])
    right = frozenset({"cut_off", "receipt_differs", "truncated"})
    return Tampered("cut off, signed by the operator", lines, right, _held(game))


def dealt_anew(game: Made, _: Pick) -> Tampered:
    """The same seats at the same table, dealt from another secret of the server."""
    lines = made(replace(game.plan, server="another")).lines
    return Tampered("dealt anew by the operator", [*lines], _TWO_STORIES, _held(game))


def played_anew(game: Made, _: Pick) -> Tampered:
    """The same deal with other moves, which seats that sign nothing cannot disprove."""
    lines = made(replace(game.plan, moves="others")).lines
    return Tampered("played anew by the operator", [*lines], _TWO_STORIES, _held(game))


def with_receipts_of_another_story(game: Made, _: Pick) -> Tampered:
    """A game dealt anew, with the receipts, the checkpoint and the proofs of the first one."""
    anew = made(replace(game.plan, server="another")).lines
    words = ("receipt", "checkpoint", "inclusion")
    lines = [line for line in anew[:-1] if kind(line) not in words]
    lines += [line for line in game.lines if kind(line) in words]
    lines.append(anew[-1])
    counted(lines)
    right = frozenset({"receipt_differs", "bad_inclusion", "cut_off"})
    return Tampered("two stories in one file", lines, right)


_TWO_STORIES = frozenset({"equivocation", "cut_off"})
STORIES = (
    by_a_stranger,
    without_witness,
    cut_off,
    dealt_anew,
    played_anew,
    with_receipts_of_another_story,
)
"""What an operator with all its secrets can do: make another game, whole and signed."""


def _held(game: Made) -> tuple[Receipt, ...]:
    """The receipts of the game, as its players hold them."""
    return tuple(
        msgspec.convert(tree_of(line), Receipt) for line in game.lines if kind(line) == "receipt"
    )


# --- the verdict ---------------------------------------------------------------------------------

POLICY = Policy(
    "policy.toml",
    (OPERATOR.public,),
    ORIGIN,
    (WITNESS.public,),
    1,
    frozenset({"receipts", "checkpoint"}),
)
"""Trusts the operator and one witness, and asks for all that they can say."""


class Verdict(NamedTuple):
    """What came of a bundle: the exit code, and the codes found, the first one first."""

    exit_code: int
    codes: tuple[str, ...]


def judged(
    lines: Sequence[bytes], held: Sequence[Receipt] = (), policy: Policy | None = POLICY
) -> Verdict:
    """The verdict on a bundle, as `phaseledger verify` comes to it."""
    try:
        bundle = parse_bundle(lines)
        kept = [KeptReceipt("held", n, receipt) for n, receipt in enumerate(held, 1)]
        ((_, judgement),) = verify([bundle], policy, kept)
    except (DamagedSource, UnknownGame) as refused:
        return Verdict(refused.exit_code, (DAMAGED,))
    codes = tuple(problem.code for problem in judgement.problems)
    return Verdict(exit_code(CODES[code].exit_code for code in codes), codes)


def changed_bytes(bundle: bytes, place: int, values: int) -> Iterator[Lines]:
    """The bundle with one byte set to other values: a bit flipped, then others."""
    before = bundle[place]
    others = dict.fromkeys([before ^ 1, before ^ 32, before + 1 & 255, before ^ 4, before ^ 128])
    for after in [byte for byte in others if byte != before][:values]:
        whole = bundle[:place] + bytes([after]) + bundle[place + 1 :]
        yield whole.splitlines(keepends=True)


def fault(tampered: Tampered, verdict: Verdict) -> str:
    """What is wrong with the verdict: accepted, or rejected for what is not the matter."""
    if not verdict.exit_code:
        return f"{tampered.name}: accepted"
    if verdict.codes[0] not in tampered.right:
        return f"{tampered.name}: {verdict.codes[:3]}, not of {sorted(tampered.right)}"
    return ""


def mutation(name: str, game: Made, other: Made, pick: Pick) -> Tampered | None:
    """The mutation of that name, one of `NAMES`; None where the game has nothing to change."""
    what, _, by = name.partition(" / ")
    if what in LINES:
        made_ = changed(what, game, other, pick)
    elif what in FORGERIES:
        made_ = forged(what, game, other, pick, OPERATOR if by == "operator" else STRANGER)
    else:
        made_ = next(story for story in STORIES if story.__name__ == what)(game, pick)
    return None if made_ is None or tuple(made_.lines) == game.lines else made_


NAMES = (
    *LINES,
    *(f"{name} / {by}" for name in FORGERIES for by in ("operator", "stranger")),
    *(story.__name__ for story in STORIES),
)
"""All mutations."""
