"""Tampering that takes more than a line: test_verdict_texts.py has the others."""

import msgspec

from phaseledger.domain.evidence.codec import seal
from tests.support.replay.bundles import content_of, game, good, of_kind
from tests.support.replay.judgements import code_of, judged, outcomes
from tests.support.replay.operator_games import bundled
from tests.support.replay.tampered_bundles import (
    line_of,
    public_again,
    unsealed,
)


def test_a_salt_that_does_not_follow_from_the_secret() -> None:
    """Whoever may choose salts could look for two values with one seal."""
    lines, salt = list(good()), "ab" * 16
    place = [n for n, line in enumerate(lines) if line.startswith(b'{"opens"')][-1]
    opened = content_of(lines[place])
    opened["salt"] = salt
    lines[place] = line_of("opens", opened)
    event = content_of(lines[place - 1])
    value = msgspec.json.encode(opened["value"], order="sorted")
    event["sealed"][opened["audience"]] = seal(bytes.fromhex(salt), value)
    lines[place - 1] = line_of("event", event)
    judgement = judged(public_again(lines))

    assert outcomes(judgement)["chain"] == "passed"
    assert judgement.problems[0].code == "broken_seal"
    assert judgement.problems[0].recorded == f"salt {salt}"
    assert outcomes(judgement)["seed_and_decisions"] == "failed"


def test_a_running_game_that_tells_too_much() -> None:
    running = bundled(game("classic")[:50], viewer=1)
    secret = of_kind(good(), "secret")[0]["secret"]
    for lines in (
        unsealed(running, "bundle", lambda header: header.pop("seat")),
        unsealed(running, "bundle", lambda header: header.update(seat=0)),
        unsealed(running, "secret", lambda line: line.update(secret=secret)),
    ):
        judgement = judged(lines)

        assert {problem.code for problem in judgement.problems} == {"told_too_early"}
        assert (code_of(judgement), judgement.conclusion) == (1, "wrong")


def test_a_running_game_with_an_event_that_does_not_follow() -> None:
    running = bundled(game("classic")[:50])
    place = next(n for n, x in enumerate(running) if b'"RoundDealt/1"' in x)
    event = content_of(running[place])
    event["data"]["stock"] += 1
    judgement = judged(
        public_again([*running[:place], line_of("event", event), *running[place + 1 :]])
    )

    assert "state_differs" in {problem.code for problem in judgement.problems}
    assert outcomes(judgement)["events_alone"] == "failed"
