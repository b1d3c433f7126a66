"""One declaration is enough: it is answered, counted, listed and described."""

import asyncio
from collections.abc import Iterator

import httpx2
import msgspec
import pytest
from prometheus_client import CollectorRegistry

from phaseledger.service.api.openapi.document import describe
from phaseledger.service.api.reference.problem_pages import page, problem_lines
from phaseledger.service.app import create_app, in_memory, routes
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.games import command_metrics
from phaseledger.service.refusals import Occasion, Refusal
from phaseledger.service.runtime.metrics import COMMANDS, PROBLEMS, REGISTRY
from phaseledger.service.schemas.problem import Problem
from tests.support.openapi_operations import codes_of, operations
from tests.support.service.api_tables import BOT
from tests.support.service.planted_refusals import forgotten, worded
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


def counted(registry: CollectorRegistry, name: str, **labels: str) -> float:
    return registry.get_sample_value(name, labels) or 0


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
    labels = {"type": "open_game", "outcome": "dazzled"}
    problems = counted(REGISTRY, "phaseledger_problems_total", code="too_bright")
    commands = counted(REGISTRY, "phaseledger_commands_total", **labels)
    answer = answer_to(planted(detail) if detail else Eclipse("the card is R7"))
    problem = msgspec.json.decode(answer.content, type=Problem)
    assert answer.status_code == problem.status == 409
    assert (problem.code, problem.type) == ("too_bright", "/problems/too_bright")
    assert problem.title == TITLE
    assert problem.detail == (f"{TITLE[:-1]}: {detail}." if detail else TITLE)
    assert counted(REGISTRY, "phaseledger_problems_total", code="too_bright") == problems + 1
    assert counted(REGISTRY, "phaseledger_commands_total", **labels) == commands + 1


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
