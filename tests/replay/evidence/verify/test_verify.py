"""Verification: good bundles pass, and every tampering gets its code and its class."""

from collections.abc import Sequence

import msgspec

from phaseledger.domain.commands import Act, LeaveSeat, VoidGame
from phaseledger.domain.decide import step
from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence.codec import append, decode_event, leaf_hash, new_chain, redact
from phaseledger.domain.evolve import fold
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.formats.bundle.writer import bundle_lines
from tests.support.cases import looped
from tests.support.replay.bundles import PLANS, game, good, of_kind
from tests.support.replay.judgements import judged, outcomes
from tests.support.replay.operator_games import (
    CLOCK,
    OPERATOR,
    ORIGIN,
    bundled,
    whole_commands,
)

# --- good ones ------------------------------------------------------------------------------------


@looped("name", PLANS)
def test_a_game_that_is_over(name: str) -> None:
    judgement = judged(good(name), Policy("p", (OPERATOR.public,), ORIGIN))

    assert (judgement.conclusion, judgement.problems, judgement.notes) == ("sound", (), ())
    results = outcomes(judgement)
    # The plan's bots have another chance than the service's, so their programs move otherwise.
    assert results.pop("bots", "not_checked") == "not_checked"
    assert set(results.values()) == {"passed"}
    assert set(results) == {
        *("chain", "header", "ruleset", "seals", "commitments", "events_alone", "times"),
        *("seed_and_decisions", "agreement", "referee", "signatures", "receipts", "checkpoint"),
    }
    assert [signer.trusted for signer in judgement.signers] == [False, True]


@looped(("name", "viewer"), zip(PLANS, [None, 0, 1, 0], strict=True))
def test_a_game_that_goes_on_is_never_called_sound(name: str, viewer: int | None) -> None:
    stored = game(name)
    for end in (1, 3, len(stored) // 3, len(stored) - 1):
        judgement = judged(bundled(whole_commands(stored, end), viewer=viewer))

        assert (judgement.conclusion, judgement.problems, judgement.seat) == (
            "sound_so_far",
            (),
            viewer,
        )
        assert outcomes(judgement)["seed_and_decisions"] == "not_checked"
        assert "agreement" not in outcomes(judgement)


def broken_off(stored: Sequence[bytes], *before: Act) -> list[bytes]:
    """The events, what is decided after them, and the host's breaking off."""
    events = [decode_event(msgspec.json.decode(record)["type"], record) for record in stored]
    opened = events[0]
    assert isinstance(opened, GameOpened)
    chain = new_chain(opened)
    head = leaf_hash(redact(stored[-1], chain.key, None, opened=False))
    chain, state, made = chain._replace(seq=len(stored), head=head), fold(events), list(stored)
    for number, act in enumerate((*before, Act(VoidGame("nobody has time")))):
        state, decided = step(state, act)
        chain, entries = append(chain, decided, f"{number:064x}", CLOCK + 86_400_000)
        made += [entry.stored for entry in entries]
    return made


@looped("after", range(1, 7))
def test_a_game_broken_off_before_the_deal(after: int) -> None:
    """In the lobby, and while some of the secrets are missing."""
    judgement = judged(bundled(broken_off(game("classic")[:after])))

    assert (judgement.conclusion, judgement.status, judgement.problems) == ("sound", "voided", ())


def test_a_game_broken_off_after_a_seat_was_given_up() -> None:
    """Nobody owes the secret of a seat on which nobody sits."""
    lines = bundled(broken_off(game("classic")[:3], Act(LeaveSeat(), 0)))
    judgement = judged(lines)

    assert [line["by"] for line in of_kind(lines, "secret")] == ["server", "1"]
    assert (judgement.conclusion, judgement.problems) == ("sound", ())


def test_who_vouches_for_each_seat() -> None:
    seats = judged(good()).seats
    keys = [event["data"].get("key", "") for event in of_kind(good(), "event")[1:4]]

    assert [(seat.seat, seat.word, seat.secret_by) for seat in seats] == [
        (0, "repudiable", "seat"), (1, "signed", "server"), (2, "signed", "seat")
    ]  # fmt: skip
    assert [seat.key for seat in seats] == keys == ["", keys[1], keys[2]]
    assert judged(good("express")).seats[1].word == "bot"
    acts = [event["data"]["act"] for event in of_kind(good(), "event") if "act" in event["data"]]
    for seat in seats:
        mine = [act for act in acts if act.get("seat") == seat.seat]
        assert seat.commands == len(mine) - 1


def test_nothing_binds_the_operator_where_nothing_is_signed() -> None:
    judgement = judged(list(bundle_lines(game("classic"))))

    assert judgement.conclusion == "sound"
    assert outcomes(judgement)["receipts"] == outcomes(judgement)["checkpoint"] == "not_checked"
    assert judgement.notes == (
        "Nothing here binds the operator: the bundle has no receipt, no checkpoint.",
    )
