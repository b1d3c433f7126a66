"""The checker of histories: it accepts a sound one, and finds each thing that may be wrong."""

import re
from collections.abc import Callable

import pytest

from phaseledger.projections.store import CURRENT
from phaseledger.replay.formats.signing.notes import Checkpoint
from phaseledger.replay.formats.signing.receipts import Receipted
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.game import Answer, apply_rows
from tests.simulation.faults import Allowed
from tests.simulation.history import Acknowledged, History, Violation
from tests.simulation.simulation import Options, simulated, steady_memory
from tests.simulation.tables import LogRow


@pytest.fixture
def history() -> History:
    """That of a sound run."""
    with steady_memory():
        outcome, simulation = simulated(8, Options(allowed=Allowed(go_back=False)))
    assert not outcome.violation
    return simulation.history


def longest(history: History) -> list[LogRow]:
    return max(history.tables.games.values(), key=len)


def replace_row(history: History, at: int, **changes: object) -> None:
    rows = longest(history)
    old, rows[at] = rows[at], rows[at]._replace(**changes)
    log = history.tables.log
    log[log.index(old)] = rows[at]


def hole(history: History) -> None:
    del longest(history)[5]


def broken_chain(history: History) -> None:
    replace_row(history, 5, leaf=bytes(32))


def doubled(history: History) -> None:
    """The last command has the id of an earlier one."""
    rows = longest(history)
    first, last = (re.search(rb'"cmd":"(\w+)"', rows[at].state) for at in (0, -1))
    assert first
    assert last
    cmd = last.group(1)
    for at, row in enumerate(list(rows)):
        if cmd in row.state:
            replace_row(history, at, state=row.state.replace(cmd, first.group(1)))


def lost(history: History) -> None:
    newest = max(history.acknowledged.values(), key=lambda answer: answer.version)
    rows = history.tables.games[newest.game]
    del rows[newest.version - 1 :]


def refused_and_stored(history: History) -> None:
    first = next(iter(history.acknowledged.values()))
    history.refused.add((first.game, first.cmd))


def other_version(history: History) -> None:
    key, first = next(iter(history.acknowledged.items()))
    history.acknowledged[key] = first._replace(version=first.version + 1)


def other_head(history: History) -> None:
    key, first = next(iter(history.acknowledged.items()))
    history.acknowledged[key] = first._replace(head="0" * 64)


def view_too_new(history: History) -> None:
    history.tables.tracked[CURRENT.name] = history.tables.log[-3].position


def missing_view(history: History) -> None:
    history.tables.views["views"].popitem()


def set_aside(history: History) -> None:
    game = longest(history)[0].game
    history.tables.views["aside"][(game,)] = (game, 1, "event 1 is missing", 0.0, "", "")


def another_time(history: History) -> None:
    """The last event says that it happened before it was possible."""
    history._server.stored_at[longest(history)[-1].position] += 3_600.0


def wrong_root(history: History) -> None:
    size = max(history.checkpoints)
    history.checkpoints[size] = bytes(32)


def lost_leaf(history: History) -> None:
    history.checkpoints[len(history.tables.log) + 1] = bytes(32)


DAMAGES: dict[Callable[[History], None], str] = {
    hole: "where 6 should be|does not have it there",
    broken_chain: "does not go on at version 7",
    doubled: "twice",
    lost: "does not have it there|is not that of the log",
    refused_and_stored: "which was refused",
    other_version: "does not have it there",
    other_head: "another head",
    view_too_new: "is not that of the log",
    missing_view: "the view 'views'",
    set_aside: "a sound game is set aside",
    another_time: "-3600.. s off the ledger's time",
    wrong_root: "is not over those of the log",
    lost_leaf: "a checkpoint covers",
}


def test_a_sound_history_is_accepted(history: History) -> None:
    history.check()


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found(history: History, damage: Callable[[History], None]) -> None:
    damage(history)

    with pytest.raises(Violation, match=DAMAGES[damage]):
        history.check()


def answer_of(answered: Acknowledged, history: History) -> Answer:
    rows = history.tables.games[answered.game][: answered.version]
    now, _ = apply_rows(None, [Row(*row[2:]) for row in rows])
    return Answer(
        game=answered.game,
        version=answered.version,
        state=now.state,
        stored=answered.stored,
        key=now.chain.key,
        seat=None,
        head=answered.head,
        receipted=Receipted(str(answered.game), answered.version, answered.head, "", 0),
        signature=answered.signature,
    )


def test_a_second_root_for_a_size_is_found(history: History) -> None:
    size = max(history.checkpoints)

    with pytest.raises(Violation, match="two roots"):
        history.publish(Checkpoint("simulated-ledger", size, bytes(32)))


def test_what_is_gone_with_a_database_that_went_back_is_asked_of_nobody(history: History) -> None:
    newest = max(history.acknowledged.values(), key=lambda answer: answer.version)
    del history.tables.games[newest.game][newest.version - 1 :]

    history.go_back()

    assert not history.has(newest.game, newest.cmd)
    assert history.lost > 0
    assert history.begin(newest.game).floor < newest.version
