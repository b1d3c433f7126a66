"""A refusal is one class, and what is declared twice or unsoundly is refused itself."""

from collections.abc import Iterator

import pytest

from phaseledger.service.refusals import (
    DECLARED,
    Occasion,
    Refusal,
    answer_as,
    outcome_of,
    refusal_of,
)
from tests.support.service.planted_refusals import forgotten


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    with forgotten():
        yield


def bright(**keywords: object) -> type[Refusal]:
    class TooBright(Refusal, **{"code": "too_bright", "status": 409, **keywords}):
        """Nobody sees the cards."""

    return TooBright


def test_what_is_declared_is_known_by_its_code() -> None:
    declared = bright(met=(Occasion.PLAYING,), outcome="dazzled")
    assert DECLARED["too_bright"] is declared
    assert (declared.code, declared.status) == ("too_bright", 409)
    assert (declared.met, declared.outcome) == ({Occasion.PLAYING}, "dazzled")
    module, number = declared.place
    assert (module, number) == (__name__, len(DECLARED) - 1)


@pytest.mark.parametrize(
    ("keywords", "reason"),
    [
        ({"code": "TooBright"}, "'TooBright' is no code"),
        ({"code": "too_bright_"}, "'too_bright_' is no code"),
        ({"status": 200}, "200 is no status"),
        ({"status": 600}, "600 is no status"),
        ({"code": ""}, "no code to which that belongs"),
    ],
)
def test_what_is_unsound_is_not_declared(keywords: dict[str, object], reason: str) -> None:
    before = {**DECLARED}
    with pytest.raises(TypeError, match=reason):
        bright(**keywords)
    assert before == DECLARED


def test_a_code_is_declared_once() -> None:
    bright()
    with pytest.raises(TypeError, match="TooBright has the code too_bright already"):
        bright()


def test_what_goes_out_is_apart_from_what_the_log_says() -> None:
    declared = bright()
    assert (declared().detail, str(declared())) == ("", "too_bright")
    refusal = declared("it is full")
    assert (refusal.detail, str(refusal)) == ("it is full", "too_bright: it is full")
    logged = declared(reason="R7 is on top.")
    assert (logged.detail, str(logged)) == ("", "R7 is on top.")
    assert (refusal.members(), refusal.headers()) == ({}, {})
    refusal.retry_after = 7
    assert refusal.headers() == {"Retry-After": "7"}


def test_what_several_have_in_common_is_no_refusal_itself() -> None:
    class Night(Refusal, outcome="dark"):
        """Something about the night."""

    class TooDark(Night, code="too_dark", status=409):
        """Nobody sees the cards."""

    class MuchTooDark(TooDark):
        """Nobody sees the table."""

    with pytest.raises(TypeError, match="Night has no code"):
        raise Night
    assert DECLARED["too_dark"] is TooDark
    assert (MuchTooDark().code, MuchTooDark().outcome) == ("too_dark", "dark")


def test_a_refusal_may_stand_for_an_exception_of_a_lower_room() -> None:
    class Eclipse(ValueError):
        pass

    class Total(Eclipse):
        pass

    declared = bright(of=Eclipse)
    with pytest.raises(TypeError, match="there is a refusal for Eclipse already"):
        answer_as(Eclipse, lambda _: declared())
    refusal = declared()
    assert refusal_of(refusal) is refusal
    assert type(refusal_of(Eclipse("secret"))) is declared
    assert type(refusal_of(Total())) is declared
    answer = refusal_of(Eclipse("secret"))
    assert answer is not None
    assert "secret" not in str(answer)
    assert outcome_of(Eclipse()) == "failed" == outcome_of(KeyError())
