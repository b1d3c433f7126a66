"""What the page finds where an event is not what its decision leads to: the same as `verify`."""

from collections.abc import Callable

import msgspec

from tests.support.browser import Verifier, codes
from tests.support.cases import looped
from tests.support.replay.bundle_variety import bundle, stored
from tests.support.replay.judgements import judged
from tests.support.replay.log_edits import Tree, encode, rechained
from tests.support.replay.operator_forgeries import linked
from tests.support.replay.operator_games import bundled
from tests.support.replay.tampering_tools import apart, events, written
from tests.support.replay.tampering_tools import judged as judged_file

Change = Callable[[Tree], object]


def changed(**facts: object) -> Change:
    """The event says other facts."""
    return lambda data: data.update(facts)


def decided(**arguments: object) -> Change:
    """The command has other arguments."""
    return lambda data: data["act"]["command"].update(arguments)


def both(**arguments: object) -> Change:
    """The event and its command, so that they agree."""
    return lambda data: (data.update(arguments), decided(**arguments)(data))


def by_another(data: Tree) -> None:
    """Another seat's command."""
    data["act"]["seat"] = 1 - data["act"]["seat"]


def asks(**facts: object) -> Change:
    """The game waits for somebody else, or for something else."""
    return lambda data: data["asks"][0].update(facts)


def rules(**facts: object) -> Change:
    """A rule set that is not quite the game's own."""
    return lambda data: data["ruleset"].update(facts)


CHANGES: dict[str, tuple[str, str, Change]] = {
    "a name of another": ("small", "SeatTaken", changed(name="Eve")),
    "a name with what nobody sees": ("small", "SeatTaken", both(name="An\u200bn")),
    "a name that begins with a blank": ("small", "SeatTaken", both(name="\u3000Ann")),
    "a name of blanks": ("small", "SeatTaken", both(name="\u00a0\u2003")),
    "a bot that nobody asked for": ("small", "SeatTaken", changed(bot="expert")),
    "a key of a bot": ("small", "SeatTaken", both(key="a" * 64)),
    "another game's name": ("small", "GameOpened", rules(id="classic@2")),
    "another title": ("small", "GameOpened", rules(title="Phase 11")),
    "another dealer": ("small", "GameOpened", changed(dealer=1)),
    "terms that nobody set": ("small", "GameOpened", changed(table={"spectators": "none"})),
    "time for secrets that nobody brought": ("small", "TableSealed", changed(reveal_seconds=9)),
    "a card of another pile": ("small", "CardDrawn", decided(source="discard")),
    "a discard by another": ("small", "CardDiscarded", by_another),
    "a draw by another": ("small", "CardDrawn", by_another),
    "another skipped than named": ("express", "SkipPlaced", decided(target=0)),
    "a pass by a draw": ("small", "CardDiscarded", changed(act={"command": {"type": "pass"}})),
    "a reason of another": ("voided", "GameVoided", changed(reason="fire")),
    "waiting for another": ("small", "TurnBegan", asks(seat=0)),
    "waiting for another answer": ("small", "TurnBegan", asks(kind="play")),
    "waiting for nobody": ("board", "PawnMoved", changed(asks=[])),
    "waiting for nobody to give": ("board", "CardAsked", changed(asks=[])),
    "waiting for fewer cards": ("board", "RoundEnded", asks(number=4)),
    "waiting for another secret": ("voided", "TableSealed", asks(seat=1)),
}


MISSHAPEN: dict[str, tuple[str, str, Change]] = {
    "a number for yes": ("small", "PhaseLaid", changed(credited=1)),
    "an end that there is not": ("small", "CardsHit", changed(end="left")),
    "a text for a number": ("small", "TurnBegan", changed(turn="1")),
    "a seat for a number": ("small", "TurnBegan", asks(number="")),
    "a target that is none": ("small", "CardDiscarded", decided(target=16)),
    "an action that there is not": ("board", "PawnMoved", changed(action="NONE")),
    "an option that there is not": ("small", "GameOpened", lambda data: data["ruleset"].update(
        options={"cheating": True, **data["ruleset"].get("options", {})})),
    "a house rule of no kind": ("small", "GameOpened", decided(options={"variant": {}})),
}  # fmt: skip
"""Facts that no log can hold."""


def with_change(game: str, kind: str, change: Change) -> tuple[list[bytes], int]:
    """The bundle of a game with the first event changed that the change fits, and its number."""
    trees = [msgspec.json.decode(row) for row in stored(game)]
    for tree in trees:
        if tree["type"] != f"{kind}/1":
            continue
        before = encode(tree)
        try:
            change(tree["data"])
        except (KeyError, IndexError):
            continue
        if encode(tree) != before:
            return bundled([encode(record) for record in rechained(trees)]), tree["seq"]
    raise AssertionError(f"{game} has no such {kind}")


@looped("what", CHANGES)
def test_an_event_that_does_not_follow(page: Verifier, what: str) -> None:
    lines, seq = with_change(*CHANGES[what])
    answer, judgement = page.verify(b"".join(lines)), judged(lines)
    assert min(problem.seq for problem in judgement.problems if problem.seq) == seq
    assert answer["grade"] == judgement.grade == "none"
    finding = answer["findings"][0]
    # Whom the game waits for is seen once the whole command has been.
    assert finding["seq"] >= seq if what.startswith("waiting") else finding["seq"] == seq
    assert "decision" in codes(answer)


@looped("what", MISSHAPEN)
def test_a_fact_of_another_shape(page: Verifier, what: str) -> None:
    game, kind, change = MISSHAPEN[what]
    parts = apart(bundle(game))
    chosen = events(parts, kind)[0]
    change(chosen["data"])
    made = written(linked(parts))
    findings = page.verify(made)["findings"]
    assert ("form", chosen["seq"]) in [(finding["code"], finding["seq"]) for finding in findings]
    assert not judged_file(made)[0]
