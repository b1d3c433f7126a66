"""One declaration is enough: it is answered, counted, listed and described."""

import asyncio
from collections.abc import Iterator

import httpx2
import pytest

from phaseledger.service.api.openapi.document import describe
from phaseledger.service.api.reference.problem_pages import page, problem_lines
from phaseledger.service.app import create_app, in_memory, routes
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.games import command_metrics
from phaseledger.service.refusals import Occasion, Refusal
from phaseledger.service.runtime.metrics import COMMANDS, PROBLEMS, REGISTRY
from tests.support.openapi_operations import codes_of, operations
from tests.support.service.api_tables import BOT
from tests.support.service.planted_refusals import forgotten, worded
from tests.support.service.problems import problem
from tests.support.service.refusal_words import missing_words
from tests.support.service.server import FREE

TITLE = "The moon is too bright."


class Eclipse(Exception):
    """What a lower room raises."""


@pytest.fixture
def planted() -> Iterator[type[Refusal]]:
    with forgotten(), worded("refused.too_bright", TITLE):

        class TooBright(
            Refusal,
            code="too_bright",
            status=409,
            met=(Occasion.FILLING,),
            outcome="dazzled",
            of=Eclipse,
        ):
            """Nobody sees the cards."""

        yield TooBright

    COMMANDS.remove_by_labels({"outcome": "dazzled"})
    PROBLEMS.remove_by_labels({"code": TooBright.code})
    command_metrics._counter.cache_clear()


def answer_to(error: Exception) -> httpx2.Response:
    """What an application answers whose log raises the error."""

    class Raising(MemoryStore):
        async def append(self, game: object, rows: object, prev: object = None) -> None:
            raise error

    async def ask() -> httpx2.Response:
        store = Raising()
        app = create_app(in_memory(store), FREE)
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            return await client.post("/games", json={"ruleset": "classic", "seats": [BOT, BOT]})

    return asyncio.run(ask())


@pytest.mark.parametrize("detail", ["it is full", ""])
def test_it_is_answered_and_counted(planted: type[Refusal], detail: str) -> None:
    def counts() -> list[float]:
        labels = {"type": "open_game", "outcome": "dazzled"}
        series = ("problems", {"code": "too_bright"}), ("commands", labels)
        return [
            REGISTRY.get_sample_value(f"phaseledger_{name}_total", by) or 0 for name, by in series
        ]

    before = counts()
    answer = answer_to(planted(detail) if detail else Eclipse("the card is R7"))
    shown = problem(answer, 409, "too_bright")
    assert shown.title == TITLE
    assert shown.detail == (f"{TITLE[:-1]}: {detail}." if detail else TITLE)
    assert counts() == [number + 1 for number in before]


def test_it_is_listed_and_its_text_asked_for(planted: type[Refusal]) -> None:
    (line,) = [line for line in problem_lines().problems if line.code == planted.code]
    assert (line.status, line.title) == (409, TITLE)
    shown = page("too_bright")
    assert shown is not None
    assert (shown.title, shown.cause) == (TITLE, "")
    asked = ["problems.too_bright.cause, en", "problems.too_bright.cure, en"]
    lacks = [words.partition(": ")[2] for words in missing_words()]
    assert {*asked} <= {*lacks}, "the contract asks for its text"


def test_the_operations_of_its_occasions_tell_of_it(planted: type[Refusal]) -> None:
    names = {
        name
        for name, operation in operations(describe(routes(in_memory(), FREE))).items()
        for status, answer in operation.answers.items()
        if status == "409" and "too_bright" in codes_of(answer)
    }
    assert names == {"fillSeats"}
