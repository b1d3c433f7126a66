"""Every verdict to the last word: what is found in games that are right, and in those that are not.

`verdicts.txt` has two whole judgements, and the findings of every tampering and forgery, each with
its place and both values. Read the difference, and then write it anew with ``GOLDEN=write``.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from phaseledger.domain.evidence.codec import seal
from phaseledger.replay.evidence.verify.codes import CODES
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.signing.notes import Note, SigningKey, signature
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.cases import looped
from tests.support.replay.bundles import PLANS, content_of, game, good, of_kind
from tests.support.replay.due_codes import DUE
from tests.support.replay.graded_games import POLICY as PLAYERS
from tests.support.replay.graded_games import graded
from tests.support.replay.judgements import code_of, judged
from tests.support.replay.log_edits import GAME
from tests.support.replay.operator_games import (
    OPERATOR,
    ORIGIN,
    STRANGER,
    WITNESS,
    bundled,
    leaves_of,
    played,
    proofs,
)
from tests.support.replay.policy_cases import (
    KEPT,
    REQUIRED,
    TRUSTED,
    classic_bundle,
    judged_with,
    pair_judged,
)
from tests.support.replay.sealed_forgeries import FORGED, forged
from tests.support.replay.tampered_bundles import (
    TAMPERED,
    counted,
    edited,
    line_of,
    public_again,
    tampered,
    unsealed,
)

POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,), 1)
PLAIN = replace(POLICY, witnesses=(), witnesses_needed=0)
GOLDEN = Path(__file__).parent / "verdicts.txt"

Judged = Callable[[], Judgement]


def _held(what: str, policy: Policy | None) -> Judgement:
    return judged_with(good(), [KEPT[what][0]], policy)


def _more(what: str) -> Judgement:
    requirement, make, _ = REQUIRED[what]
    return judged(make(), replace(PLAIN, require=frozenset([requirement])))


def _second(first: Sequence[bytes], second: Sequence[bytes]) -> Judgement:
    return pair_judged(first, second)[1]


def _with(kind: str, change: Callable[[Any], object]) -> Judgement:
    """A running game that seat 1 may see, with one line changed."""
    return judged(unsealed(bundled(game("classic")[:50], viewer=1), kind, change))


def _event(number: int, change: Callable[[Any], object], *, end: int = 81) -> Judgement:
    """The chain goes on as if nothing was changed."""
    lines = list(bundle_lines(game("classic")[:end]))
    edited("event", number, change)(lines)
    return judged(public_again(lines))


def _more_events() -> Judgement:
    lines = list(bundle_lines(game("classic")))
    place = max(n for n, line in enumerate(lines) if line.startswith(b'{"event"'))
    more = {**content_of(lines[place]), "seq": 82}
    return judged(public_again([*lines[: place + 1], line_of("event", more), *lines[place + 1 :]]))


def _no_opening(end: int, viewer: int | None = None) -> Judgement:
    lines = list(bundle_lines(game("classic")[:end], viewer=viewer))
    places = [n for n, line in enumerate(lines) if line.startswith(b'{"event"')]
    return judged(counted([*lines[: places[0]], *lines[places[1] :]]))


def _salt() -> Judgement:
    """Where salts could be chosen, two values could have one seal."""
    lines, salt = list(good()), "ab" * 16
    place = [n for n, line in enumerate(lines) if line.startswith(b'{"opens"')][-1]
    opened, event = content_of(lines[place]), content_of(lines[place - 1])
    opened["salt"] = salt
    value = msgspec.json.encode(opened["value"], order="sorted")
    event["sealed"][opened["audience"]] = seal(bytes.fromhex(salt), value)
    lines[place - 1 : place + 1] = [line_of("event", event), line_of("opens", opened)]
    return judged(public_again(lines))


def unsigned(log: list[Any]) -> None:
    del log[41 - 1]["data"]["act"]["sig"]


def _log(*signers: SigningKey, policy: Policy | None = None, first: int = 0) -> Judgement:
    """A checkpoint by others than who signed the receipts, or with other proofs."""
    point = proofs(leaves_of(game("classic")), "log", *signers)
    point = point._replace(inclusions=point.inclusions[first:])
    keys = [key.public for key in signers]
    lines = bundle_lines(game("classic"), keys=keys, signer=OPERATOR, proofs=point)
    return judged(list(lines), policy)


def _another_text() -> Judgement:
    lines, text = list(good()), "Nothing to see here.\n"
    signed = Note(text, tuple(signature(text, key) for key in (OPERATOR, WITNESS)))
    edited("checkpoint", 0, lambda line: line.update(note=str(signed)))(lines)
    return judged(lines)


def _stranger() -> Sequence[bytes]:
    """Receipts and checkpoint by a key that nobody has heard of."""
    return bundled(game("classic"), key=STRANGER)


CASES: dict[str, Judged] = {
    "whole: a sound game": partial(judged, good(), POLICY),
    "whole: a game that goes on": lambda: judged(bundled(game("board")[:50])),
    **{f"tampered: {what}": lambda what=what: judged(tampered(what)) for what in TAMPERED},  # type: ignore[misc]
    **{
        f"forged: {what}": lambda what=what: judged(bundled(forged(FORGED[what][0])), POLICY)  # type: ignore[misc]
        for what in FORGED
    },
    **{f"a receipt {what}": partial(_held, what, POLICY) for what in KEPT},
    **{f"a receipt {what}, without a policy": partial(_held, what, None) for what in KEPT},
    **{f"asked for: {what}": partial(_more, what) for what in REQUIRED},
    **{f"trusted: {what}": partial(judged, good(), TRUSTED[what][0]) for what in TRUSTED},
    "trusted: nobody who signed here": lambda: judged(_stranger(), POLICY),
    "a receipt by nobody whom the policy trusts": lambda: judged_with(
        good(), [Receipt(**of_kind(_stranger(), "receipt")[7])], POLICY
    ),
    "a receipt of the game's last event": lambda: judged_with(
        bundled(game("classic")[:40]), [Receipt(**of_kind(good(), "receipt")[-1])]
    ),
    "receipts that fit": lambda: judged_with(
        good(), [Receipt(**receipt) for receipt in of_kind(good(), "receipt")[:7]], POLICY
    ),
    "a receipt by a key of the bundle that the policy does not know": lambda: judged_with(
        _stranger(), [Receipt(**of_kind(_stranger(), "receipt")[7])], POLICY
    ),
    "nobody signs": lambda: judged(bundled(played(replace(PLANS["classic"], signing=()))), POLICY),
    "a signature removed": lambda: judged(bundled(forged(unsigned)), POLICY),
    "asked for: signatures of two seats": lambda: judged(
        bundled(played(replace(PLANS["classic"], signing=()))),
        replace(PLAIN, require=frozenset({"signatures"})),
    ),
    "asked for: a player's secret": lambda: judged(
        bundled(graded("secrets of the server")), replace(PLAYERS, secrets="players")
    ),
    "asked for: signed moves": lambda: judged(
        bundled(graded("one seat signs")), replace(PLAYERS, moves="signed")
    ),
    "asked for: bots that are their programs'": lambda: judged(
        bundled(graded("a bot played by somebody")), replace(PLAYERS, bots="re-decided")
    ),
    "timed out": lambda: judged(bundled(graded("timed out")), PLAYERS),
    "asked for: a log of one event": lambda: judged(
        bundled(game("classic")[:1]), replace(PLAIN, require=frozenset({"checkpoint"}))
    ),
    "the same bundle twice": lambda: _second(good(), good()),
    "a longer story": lambda: _second(bundled(game("classic")[:40]), good()),
    "another story": lambda: _second(
        good(), bundled(played(replace(PLANS["classic"], moves="others")))
    ),
    "another root": lambda: _second(
        good(),
        list(
            bundle_lines(
                game("classic"),
                keys=[OPERATOR.public],
                signer=OPERATOR,
                proofs=proofs(leaves_of(game("classic")), "another log", OPERATOR),
            )
        ),
    ),
    "no checkpoint beside one": lambda: _second(good(), classic_bundle()),
    "a checkpoint beside none": lambda: _second(classic_bundle(), good()),
    "another game beside it": lambda: _second(good(), good("board")),
    "running: for all eyes": lambda: _with("bundle", lambda header: header.pop("seat")),
    "running: for other eyes": lambda: _with("bundle", lambda header: header.update(seat=0)),
    "running: for nobody's eyes": lambda: _with("bundle", lambda header: header.update(seat=3)),
    "running: no event at all": lambda: _with("event", lambda event: event.update(data={})),
    "running: no opening": partial(_no_opening, 50, viewer=1),
    "running: the server's secret": lambda: _with(
        "secret", lambda line: line.update(secret=of_kind(good(), "secret")[0]["secret"])
    ),
    "running: another value": lambda: _with("opens", lambda line: line.update(salt="0" * 32)),
    "running: a stock too large": lambda: _event(
        8, lambda event: event["data"].update(stock=79), end=50
    ),
    "a salt that does not follow from the secret": _salt,
    "no event at all": lambda: _event(0, lambda event: event.update(data={})),
    "no event of this program": lambda: _event(40, lambda event: event.update(type="CardEaten/1")),
    "an event of another game": lambda: _event(40, lambda event: event.update(game=GAME)),
    "an event after the end": _more_events,
    "no opening": partial(_no_opening, 81),
    "in the log: by another key": lambda: _log(STRANGER, policy=PLAIN),
    "in the log: by two keys that the policy does not know": lambda: _log(
        STRANGER, SigningKey(ORIGIN, bytes(32)), policy=PLAIN
    ),
    "in the log: a good signature under another text": _another_text,
    "in the log: by a witness alone": lambda: _log(WITNESS),
    "in the log: the last event alone": lambda: _log(OPERATOR, first=1),
    "in the log: without witnesses": lambda: _log(OPERATOR, policy=POLICY),
}


@cache
def usual() -> set[str]:
    """What is said of a sound game, under the policy and without one."""
    return {check.text for policy in (POLICY, None) for check in judged(good(), policy).checks}


def summary(judgement: Judgement) -> Iterator[str]:
    """What is not right about it, or not as usual."""
    facts = (judgement.conclusion, judgement.status, judgement.ruleset)
    yield f"{', '.join(facts)}, {len(judgement.seats)} seats"
    if judgement.facets:
        yield judgement.headline
    for problem in judgement.problems:
        assert problem.text.startswith(CODES[problem.code].means)
        more = [problem.rule, problem.reject, problem.text.removeprefix(CODES[problem.code].means)]
        yield " ".join(
            [f"{problem.code}: event {problem.seq}, {problem.source}:{problem.line}", *more]
        ).rstrip()
        yield f"  expected {problem.expected}"
        yield f"  recorded {problem.recorded}"
    for check in judgement.checks:
        if check.outcome != "passed" or check.text not in usual():
            yield f"{check.topic} {check.outcome}: {check.text}"
    yield from (f"note: {note}" for note in judgement.notes)


def section(name: str, judgement: Judgement) -> str:
    """A verdict with long numbers cut, of which none is like another."""
    if name.startswith("whole: "):
        lines = msgspec.json.format(msgspec.json.encode(judgement, enc_hook=str)).decode()
    else:
        lines = "\n".join(summary(judgement))
    return re.sub(r"[0-9a-f]{20,}(?:\.\.\.)?|[\w+/]{60,}=*", lambda m: f"{m[0][:8]}..", lines)


@cache
def sections() -> dict[str, str]:
    blocks = GOLDEN.read_text().removesuffix("\n").split("\n\n")
    return dict(block.removeprefix("# ").split("\n", 1) for block in blocks)


def test_the_file_has_every_verdict() -> None:
    if os.environ.get("GOLDEN") == "write":
        written = (f"# {name}\n{section(name, judge())}" for name, judge in CASES.items())
        GOLDEN.write_text("\n\n".join(written) + "\n")
    assert list(sections()) == list(CASES)


@looped("name", CASES)
def test_a_verdict(name: str) -> None:
    judgement = CASES[name]()
    assert section(name, judgement) == sections()[name]
    if place := DUE.get(name.removesuffix(", without a policy")):
        due, exit_code = place
        assert due in [problem.code for problem in judgement.problems]
        assert code_of(judgement) == exit_code
