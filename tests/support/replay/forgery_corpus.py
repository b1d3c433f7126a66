"""A corpus of forgeries, each of a kind of its own, which both verifiers have to judge alike.

By who could make them: a holder of the file changes lines of it, an operator has all secrets and
keys of its own, so that it seals, chains and signs anew, and a player has receipts to hold up.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from phaseledger.domain.commands import Command, TakeSeat
from phaseledger.domain.events import Event
from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.codec import append, command_id, new_chain
from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.formats.signing import receipts
from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.replay.formats.signing.commands import sign as sign_command
from phaseledger.replay.formats.signing.ed25519 import P
from phaseledger.replay.formats.signing.presences import SLACK, Presence
from phaseledger.replay.formats.signing.receipts import Receipt
from phaseledger.replay.laboratory.simulate.game import play
from tests.support.chance import chooser
from tests.support.replay import bundle_variety, clocked_games, growing_logs, presences
from tests.support.replay.bundle_lines import Made, made
from tests.support.replay.bundle_mutations import NAMES, POLICY, STORIES, Tampered
from tests.support.replay.bundle_mutations import mutation as bundle_mutation
from tests.support.replay.bundles import good
from tests.support.replay.event_mutations import CHANGEABLE, mutations
from tests.support.replay.graded_games import ABSENT, played
from tests.support.replay.line_mutation_table import LINES
from tests.support.replay.noncanonical_bundles import MISSPELT
from tests.support.replay.operator_forgeries import FORGERIES
from tests.support.replay.operator_games import (
    CLOCK,
    STRANGER,
    Plan,
    Table,
    bundled,
    plan,
)
from tests.support.replay.option_pairs import plans
from tests.support.replay.policy_cases import issued, shared
from tests.support.replay.refereed_games import events_of_game
from tests.support.replay.signed_game import signed_game
from tests.support.replay.tampering_tools import tampered

Forger = Literal["a holder of the file", "a stranger", "the operator", "a player"]
_PLAYS = 36
"""Twice as many as there are kinds of games: those of a kind are 18 apart."""


class Forgery(NamedTuple):
    """A bundle that is not genuine, or a receipt that is not."""

    kind: str
    forger: Forger
    lines: tuple[bytes, ...]
    held: tuple[Receipt | Presence, ...] = ()
    """Receipts and presences that are held up beside the bundle."""
    policy: Policy = POLICY


@cache
def game(number: int) -> Made:
    """A short game, one of many kinds."""
    return made(plan(number, "tampered", longest=30))


def mutated(name: str) -> Tampered:
    """The mutation of that name, of the first game that has something to change."""
    start = NAMES.index(name)
    for turn in range(_PLAYS):
        number = (start + turn) % _PLAYS
        other = (number + _PLAYS // 2) % _PLAYS
        tried = bundle_mutation(name, game(number), game(other), chooser(name.encode(), turn))
        if tried:
            return tried
    raise AssertionError(f"no game has anything to change for {name}")


def changed_lines() -> Iterator[Forgery]:
    """Lines changed, and lines spelt otherwise, by somebody who can sign nothing."""
    for name in LINES:
        yield Forgery(name, "a holder of the file", tuple(mutated(name).lines))
    whole = bundle_variety.bundle("small")
    for name, spelling in MISSPELT.items():
        if name not in _SPELT_BEFORE:
            changed = tampered(whole, spelling, 0)
            assert changed
            lines = changed.splitlines(keepends=True)
            yield Forgery(f"spelling: {name}", "a holder of the file", tuple(lines))


_SPELT_BEFORE = frozenset({"a key twice", "white space", "a null", "a wrong number of lines"})
"""Ways of spelling that are among the changes of lines, too."""


def written_anew() -> Iterator[Forgery]:
    """Facts changed by an operator, or under its name by a stranger, who signs all of it again."""
    for name in NAMES:
        kind, _, by = name.partition(" / ")
        if by:
            forger: Forger = "a stranger" if by == "stranger" else "the operator"
            yield Forgery(kind, forger, tuple(mutated(name).lines), mutated(name).held)
    for story in STORIES:
        tried = mutated(story.__name__)
        yield Forgery(tried.name, "the operator", tuple(tried.lines), tried.held)


def sealed_anew() -> Iterator[Forgery]:
    """The opening, the deal and the seals changed by an operator, who keeps no receipts."""
    games = ("returned", "small", "reshuffled", "board", "signed", "covered", "voided")
    for name, forgery in FORGERIES.items():
        bundles = (tampered(bundle_variety.bundle(game), forgery, 0) for game in games)
        lines = next(filter(None, bundles)).splitlines(keepends=True)
        yield Forgery(f"sealed anew: {name}", "the operator", tuple(lines))


def against_the_clock() -> Iterator[Forgery]:
    """Time-outs, hand-overs and voids that the terms of the table do not provide for."""
    tables: dict[str, Callable[[], clocked_games.Table]] = dict(clocked_games.RUNNING)
    tables |= {name: void for name, (void, _) in clocked_games.VOIDED.items()}
    for then in clocked_games.THENS:
        clock = replace(clocked_games.MONTH, then=then)
        tables[f"timed out after a millisecond ({then})"] = lambda clock=clock: (
            clocked_games.timed_out(clock, 1)
        )
    for name, table in tables.items():
        lines = bundled(clocked_games.stored(table()))
        yield Forgery(f"clock: {name}", "the operator", tuple(lines))


def against_the_rules() -> Iterator[Forgery]:
    """Every kind of event changed against the rules of play, as a lying table writes it."""
    met = set[str]()
    for ruleset, number in [(name, number) for name in GAMES for number in CHANGEABLE[name]]:
        _, setup = next(plans(ruleset, "changes", number))
        events = events_of_game(play(setup, number).lines)
        for mutation, _, changed in mutations(events, number):
            if mutation.name not in met:
                met.add(mutation.name)
                lines = bundled(chained(changed))
                yield Forgery(f"play: {mutation.name}", "the operator", tuple(lines))


def chained(events: Sequence[Event]) -> list[bytes]:
    """The events as a log stores them, in commands that begin where somebody acts."""
    chain, stored = new_chain(events[0]), list[bytes]()
    starts = [*(n for n, event in enumerate(events) if event.act is not None), len(events)]
    for number, (start, end) in enumerate(pairwise(starts)):
        cmd = command_id(None, f"key {number}")
        chain, entries = append(chain, events[start:end], cmd, CLOCK + 2_000 * number)
        stored += [entry.stored for entry in entries]
    return stored


def with_unusable_keys() -> Iterator[Forgery]:
    """A seat's key for which one signature fits every command, in each of its spellings."""
    base, scalar = 4 * pow(5, -1, P) % P, (1).to_bytes(32, "little")
    forged = (base.to_bytes(32, "little") + scalar).hex()
    for y in (1, P + 1):
        for sign in (0, 1):
            key = (y | sign << 255).to_bytes(32, "little").hex()
            lines = bundled([entry.stored for entry in signed_game(key, forged)])
            yield Forgery(f"key: {key[:4]}..{key[-2:]}", "the operator", tuple(lines))


def held_up() -> Iterator[Forgery]:
    """Receipts that a player made up, beside a genuine bundle."""
    lines, genuine = tuple(good()), issued()
    facts = (getattr(genuine, name) for name in receipts.Receipted._fields)
    own = receipts.issue(receipts.Receipted(*facts), STRANGER)
    made_up = {
        "with another time": replace(genuine, at=genuine.at - 60_000),
        "of another event": replace(genuine, seq=genuine.seq + 1),
        "with another leaf": replace(genuine, leaf="ab" * 32),
        "of another command": replace(genuine, command="ab" * 32),
        "signed by a key of its own": own,
        "signed by a key of its own, said to be the operator's": replace(own, key=genuine.key),
    }
    for kind, receipt in made_up.items():
        yield Forgery(f"receipt {kind}", "a player", lines, (receipt,))
    of_tree = b'{"receipt":%s}\n' % msgspec.json.encode(shared(), order="sorted")
    place = next(n for n, line in enumerate(lines) if f'"seq":{genuine.seq},"sig"'.encode() in line)
    yield Forgery(
        "receipt of format 2 in the bundle",
        "a holder of the file",
        (*lines[:place], of_tree, *lines[place + 1 :]),
    )


def presences_made_up() -> Iterator[Forgery]:
    """Presences that nobody gave, and one that convicts an operator of a wrong time."""
    events = presences.EVENTS
    seat: int = presences.LATE["data"]["seat"]
    genuine = presences.present()
    made_up: dict[str, tuple[Forger, Presence]] = {
        "with another time": ("a player", replace(genuine, at=genuine.at + 1)),
        "of another seat": ("a player", replace(genuine, seat=1 - seat)),
        "of another event": ("a player", replace(genuine, seq=genuine.seq - 1)),
        "with another leaf": ("a player", replace(genuine, leaf="ab" * 32)),
        "of an event that never was": ("a player", replace(genuine, seq=len(events) + 1)),
        "with the signature left out": ("a player", replace(genuine, signature="")),
        "confirmed by a key of its own": ("a player", presences.present(key=STRANGER)),
        "confirmed by a key of its own, said to be the operator's": (
            "a player", replace(presences.present(key=STRANGER), key=genuine.key),
        ),
        "signed by another seat, and confirmed": (
            "the operator", presences.present(by=1 - seat),
        ),
        "confirmed, of another story": ("the operator", presences.present(leaf="ab" * 32)),
        "confirmed, of an end that was cut off": (
            "the operator", presences.present(seq=len(events) + 1, leaf="ab" * 32),
        ),
        "before which the time-out was dated back": (
            "the operator", presences.present(at=presences.LATE["at"] + SLACK + 1),
        ),
        "after which the question was dated ahead": (
            "the operator",
            presences.present(at=events[presences.OUT - 1]["at"] - SLACK - 1),
        ),
    }  # fmt: skip
    for kind, (forger, presence) in made_up.items():
        yield Forgery(f"presence {kind}", forger, presences.LINES, (presence,))


def of_another_history() -> Iterator[Forgery]:
    """Consistency lines of a bundle that do not lead from its log's earlier sizes to its own."""
    right = growing_logs.EARLIER[2]
    size, second = growing_logs.OWN, right.second
    root = merkle.root_of(growing_logs.FORK[: right.first]).hex()
    steps = merkle.consistency(right.first, size, growing_logs.nodes_of(growing_logs.FORK))
    fork = replace(right, root=root, path=tuple(step.hex() for step in steps))
    changed = {
        "another root of the earlier size": replace(right, root="0" * 64),
        "another earlier size": replace(right, first=right.first + 1),
        "an earlier size beyond its log's": replace(right, first=second + 1),
        "nothing as the earlier size": replace(right, first=0),
        "another size than the checkpoint's": replace(right, second=second + 1),
        "a step changed": replace(right, path=(*right.path[:-1], "0" * 64)),
        "a step left out": replace(right, path=right.path[:-1]),
        "a step too many": replace(right, path=(*right.path, "0" * 64)),
        "no step": replace(right, path=()),
        "a fork of the log": fork,
    }
    for kind, proof in changed.items():
        lines = growing_logs.bundle(earlier=[proof])
        yield Forgery(f"consistency: {kind}", "the operator", tuple(lines))
    twice = growing_logs.bundle(earlier=[right, replace(fork, first=right.first)])
    yield Forgery("consistency: two roots of one size", "the operator", tuple(twice))


def players_who_were_not_there() -> Iterator[Forgery]:
    """A player entered by the operator with the name and the key of somebody who never was there,
    and the signature of joining made up, too (F1).
    """
    key = public_key(Table(ABSENT).key(1))
    policy = replace(POLICY, players=frozenset([key]), seats={1: key}, moves="signed")
    yield Forgery("never there", "the operator", bundled(played(Table(ABSENT))), policy=policy)
    for kind, change in _JOININGS.items():
        lines = bundled(played(_Entered(replace(ABSENT, joining=(1,)), change)))
        yield Forgery(f"never there: {kind}", "the operator", lines, policy=policy)


_Place = tuple[bytes, str, int, str, int]
"""What a command is signed with and for: key, game, seat, head, version."""
_JOININGS: dict[str, Callable[[_Place], _Place]] = {
    "joining signed by another key": lambda place: (bytes(32), *place[1:]),
    "joining signed for another game": lambda place: (place[0], "another", *place[2:]),
    "joining signed for another seat": lambda place: (*place[:2], 0, *place[3:]),
    "joining signed for an earlier place": lambda place: (*place[:4], place[4] - 1),
}


class _Entered(Table):
    """A table at which the operator makes up the signature of joining."""

    def __init__(self, plan: Plan, change: Callable[[_Place], _Place]) -> None:
        super().__init__(plan)
        self._change = change

    def signature(self, command: Command, seat: int | None) -> str:
        if not isinstance(command, TakeSeat) or seat is None:
            return super().signature(command, seat)
        place = (self.key(seat), self.plan.game, seat, self.chain.head, self.chain.seq)
        return sign_command(*self._change(place), command)


CORPUS: dict[str, Callable[[], Iterator[Forgery]]] = {
    "Lines changed": changed_lines,
    "Written anew": written_anew,
    "Sealed anew": sealed_anew,
    "Against the clock": against_the_clock,
    "Against the rules": against_the_rules,
    "Keys of small order": with_unusable_keys,
    "Players who were not there": players_who_were_not_there,
    "Receipts made up": held_up,
    "Presences made up": presences_made_up,
    "Another history of the log": of_another_history,
}
"""All kinds, by the title of their table in docs/reference/forgeries.md."""
