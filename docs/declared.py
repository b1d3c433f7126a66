"""What the reference lists, made of the declarations: `<!-- made: NAME -->` in a page is its place.

`python docs/declared.py FOLDER` writes the pages into a copy of this folder, for Sphinx to read.
"""

import ast
import csv
import inspect
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from itertools import groupby, pairwise
from json import dumps, loads
from pathlib import Path
from typing import Any

import msgspec

from phaseledger.domain import commands as c
from phaseledger.domain.deal import seat_commit
from phaseledger.domain.decide import step
from phaseledger.domain.evidence.codec import TOPICS, append, command_id, new_chain
from phaseledger.domain.explain.rulebook import rule_ids, rule_text
from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.terms import Clock, Terms
from phaseledger.domain.words import message
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from phaseledger.service import settings
from phaseledger.service.api.reference.problem_pages import page, problem_lines
from phaseledger.service.api.reference.schema_markup import kind
from phaseledger.service.cli.main import app
from phaseledger.service.games import command_metrics
from phaseledger.service.runtime.metrics import REGISTRY
from phaseledger.service.schemas.notices import ADDRESSES

DOCS = Path(__file__).parent
API = loads((DOCS.parent / "openapi" / "openapi.json").read_text())
SCHEMAS: Mapping[str, Any] = API["components"]["schemas"]
MADE = re.compile(r"<!-- made: (\w+) -->")
ELSEWHERE = re.compile(r"\s+The site has the \w+, made from[^.]*\.")
"""What a page says to its readers in a checkout."""
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")
BOOKS = {
    "C": "Phase 10 (`classic`)",
    "T": "Phase 10 Twist, whose cover rule is an option of `classic`",
    "D": "Two 54-card decks (`standard-deck`)",
    "X": "Phase 10 Express (`express`)",
    "B": "The board game (`board`)",
    "O": "House rules, the options of a table",
}


def table(*head: str, rows: Iterable[Iterable[object]]) -> str:
    """A table of Markdown."""
    lines = (head, ("---",) * len(head), *rows)
    cells = ([" ".join(str(cell).replace("|", "\\|").split()) for cell in row] for row in lines)
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


# --- rules, refusals, settings, metrics, commands -------------------------------------------------


def catalogue() -> Iterator[str]:
    """Every rule by its ID; of house rules the option, its values and each game's own."""
    for letter, title in BOOKS.items():
        yield f"## {title}"
        rules = [rule for rule in rule_ids() if rule.startswith(f"{letter}-")]
        if letter != "O":
            yield table("rule", "text", rows=((rule, rule_text(rule)) for rule in rules))
            continue
        rows = ((parameter.number, *option(name)) for name, parameter in PARAMETERS.items())
        yield table("rule", "option", "values", "default", "what it decides", rows=rows)


def option(name: str) -> tuple[str, str, str, str]:
    """Its name, values, defaults and meaning."""
    values = PARAMETERS[name].values or message("en", f"values.{name}")
    given: dict[str, list[str]] = {}
    for game in GAMES:
        default = getattr(GAMES[game].rules.options, name, None)
        if default is not None:
            given.setdefault(dumps(default), []).append(game)
    usual = max(given, key=lambda value: len(given[value]), default="")
    others = [f"{'; '.join(given[value])}: {value}" for value in given if value != usual]
    return f"`{name}`", values, ", ".join([usual, *others]), message("en", f"option.{name}")


def problems() -> Iterator[str]:
    """Every refusal, by status: what it means, what to do, and the rule behind it."""
    for status, lines in groupby(problem_lines("en").problems, key=lambda line: line.status):
        yield f"## {status}"
        for line in lines:
            about = page(line.code)
            assert about is not None
            yield f"### {line.code}\n\n{about.title}\n\n{about.cause}\n\n**Do:** {about.cure}"
            if about.rule:
                cited = ", ".join(f"`{where.ruleset}` {where.rule}" for where in about.citations)
                yield f"**Rule:** {about.rule} {cited}"


def meanings() -> dict[str, str]:
    """What the source says below each setting."""
    (fields,) = (
        node.body
        for node in ast.parse(inspect.getsource(settings)).body
        if isinstance(node, ast.ClassDef) and node.name == "Settings"
    )
    texts = {}
    for field, text in pairwise(fields):
        match field, text:
            case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str(meaning))):
                texts[name] = meaning.replace("``", "`")
    return texts


def every_setting() -> Iterator[str]:
    """Each setting in the order of the source."""
    texts, rows = meanings(), []
    for field in msgspec.structs.fields(settings.Settings):
        if field.name in settings.NAMES:
            default = msgspec.json.encode(field.default).decode().strip('"')
            words = settings.kinds()[field.name].words
            variable = f"`{settings.PREFIX}{field.name.upper()}`"
            rows.append((variable, f"`{default}`" if default else "", words, texts[field.name]))
    yield table("variable", "default", "value", "what it means", rows=rows)


def addresses() -> Iterator[str]:
    """Each kind of addresses of a player's notices."""
    rows = ((f"`{name}`", kind.about, f"`{kind.example}`") for name, kind in ADDRESSES.items())
    yield table("`kind`", "`url`", "such as", rows=rows)


def metrics() -> Iterator[str]:
    """Each metric of the service's own."""
    assert command_metrics
    found = sorted(REGISTRY.collect(), key=lambda metric: metric.name)
    own = [metric for metric in found if metric.name.startswith("phaseledger")]
    rows = ((f"`{metric.name}`", metric.type, metric.documentation) for metric in own)
    yield table("metric", "type", "what it says", rows=rows)


def command_line() -> Iterator[str]:
    """The help of every command."""
    whole = app.generate_docs(output_format="markdown")
    yield re.sub(r"^# .*\n", "", whole)


# --- the API --------------------------------------------------------------------------------------


def written(schema: Mapping[str, Any]) -> str:
    """What a value is, as the pages of the API say it."""
    markup = re.sub(r'<a href="[^"#]*#(\w+)">\w+</a>', r"[\1](#schema-\1)", kind({**schema}))
    return unescape(re.sub("</?code>", "`", markup))


def operations() -> Iterator[str]:
    """Every operation, by tag."""
    calls = [(m, path, own) for path, item in API["paths"].items() for m, own in item.items()]
    for tag in API["tags"]:
        yield f"## {tag['name']}\n\n{tag['description']}"
        for method, path, own in calls:
            if own["tags"][0] == tag["name"]:
                yield f"### {own['summary'].rstrip('.')}"
                yield f"`{method.upper()} {path}` (`{own['operationId']}`)"
                yield own.get("description", "")
                yield from taken(own)
                yield from answers(own)


def taken(own: Mapping[str, Any]) -> Iterator[str]:
    """What an operation takes."""
    given = own.get("parameters", ())
    rows = ((f"`{p['name']}`", p["in"], written(p["schema"]), p["description"]) for p in given)
    yield table("parameter", "in", "value", "meaning", rows=rows) if given else ""
    for media_type, body in own.get("requestBody", {}).get("content", {}).items():
        yield f"Body: {written(body['schema'])}, as `{media_type}`"
        yield from examples(body)


def answers(own: Mapping[str, Any]) -> Iterator[str]:
    """What it answers, refusals by their codes."""
    for status, answer in own["responses"].items():
        whole = answer
        if "$ref" in answer:
            whole = API["components"]["responses"][answer["$ref"].rpartition("/")[2]]
        if codes := whole.get("x-codes"):
            yield f"{status}: " + " ".join(f"[{code}](problems.md#{code})" for code in codes)
            continue
        yield f"{status}: {whole['description']}"
        for media_type, body in whole.get("content", {}).items():
            yield f"Answer: {written(body['schema'])}, as `{media_type}`"
            yield from examples(body)


def examples(body: Mapping[str, Any]) -> Iterator[str]:
    """Its examples."""
    for example in body.get("examples", {}).values():
        value = example["value"]
        shown = value if isinstance(value, str) else dumps(value, indent=1)
        yield f"```\n{shown.rstrip()}\n```"


def schemas() -> Iterator[str]:
    """Every named schema with its fields."""
    for name, schema in SCHEMAS.items():
        yield f"(schema-{name})=\n**{name}**"
        yield schema.get("description", "").replace("``", "`")
        yield fields(schema) if "properties" in schema else written(schema)


def fields(schema: Mapping[str, Any]) -> str:
    """The fields of an object."""
    must = schema.get("required", ())
    rows = (
        (f"`{name}`", written(field), "yes" if name in must else "", field.get("description", ""))
        for name, field in schema["properties"].items()
    )
    return table("field", "value", "required", "meaning", rows=rows)


# --- events ---------------------------------------------------------------------------------------


def events() -> Iterator[str]:
    """Every event: its fields, and one as it was stored."""
    found = {}
    for line in recorded():
        found.setdefault(loads(line)["type"], line)
    for event, topic in TOPICS.items():
        yield f"## {event.__name__}\n\n{inspect.getdoc(event)}".replace("``", "`")
        yield fields(SCHEMAS[event.__name__])
        yield f"```json\n{found[topic].decode()}\n```"


def recorded() -> Iterator[bytes]:
    """Stored events in which each type occurs: of bots' games, and of a table with trouble."""
    for game in GAMES:
        yield from play(SimulationPlan("events", game, 4), 0).lines
    unlucky = SimulationPlan("events", bots=("random",), options={"discard_taken_card": False})
    yield from play(unlucky, 0).lines
    yield from troubled()


def troubled() -> Iterator[bytes]:
    """A player gets up, another brings a secret and leaves, a guest signs in and is late; void."""
    game, secret, clock = "0190a5d2-7c00-7000-8000-000000000001", "5e" * 32, Clock(seconds=60)
    brought = seat_commit(game, 0, bytes.fromhex(secret))
    state = chain = None
    for seat, command in (
        (None, c.OpenGame(game, "classic", 2, secret="a1" * 32, table=Terms(clock=clock))),
        (0, c.TakeSeat("Ann", secret="b2" * 32)),
        (0, c.LeaveSeat()),
        (0, c.TakeSeat("Cem", commit=brought)),
        (1, c.TakeSeat("Ben", secret="c3" * 32)),
        (None, c.NameSeat(1, f"player-{'b' * 20}")),
        (None, c.Start()),
        (0, c.RevealSecret(secret)),
        (None, c.TimeOut(1)),
        (0, c.LeaveSeat()),
        (None, c.VoidGame("the lights went out")),
    ):
        state, happened = step(state, c.Act(command, seat))
        chain = chain or new_chain(happened[0])
        name = command_id(seat, type(command).__name__)
        chain, entries = append(chain, happened, name, 1_767_225_600_000)
        yield from (entry.stored for entry in entries)


def forgeries() -> Iterator[str]:
    """Every kind of forgery, with what is found; the tests write the file."""
    with (DOCS / "reference" / "forgeries.csv").open(newline="") as file:
        rows = [*csv.reader(file)][1:]
    head = ("kind", "made by", "`verify` alone", "held", "page alone", "held")
    for title, kinds in groupby(rows, key=lambda row: row[0]):
        yield f"## {title}\n\n{table(*head, rows=(row[1:] for row in kinds))}"


# --- pages ----------------------------------------------------------------------------------------

PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "addresses": addresses,
    "catalogue": catalogue,
    "commands": command_line,
    "events": events,
    "forgeries": forgeries,
    "metrics": metrics,
    "operations": operations,
    "problems": problems,
    "schemas": schemas,
    "settings": every_setting,
}


def text_of(page: Path) -> str:
    """A page with its parts made, and without links to what only a checkout has."""

    def linked(link: re.Match[str]) -> str:
        return link[0] if (page.parent / link[2]).resolve().is_relative_to(DOCS) else link[1]

    text = MADE.sub(lambda part: "\n\n".join(filter(None, PARTS[part[1]]())), page.read_text())
    return ELSEWHERE.sub("", LINK.sub(linked, text))


def chapter(folder: Path, name: str) -> tuple[str, str]:
    """A line for each page of a chapter, and all of them in one text."""
    lines, texts = [], []
    for source in sorted((folder / name).glob("*.md")):
        text = source.read_text()
        title, about = re.findall(r"^# (.*)\n+((?:.+\n)+)", text)[0]
        lines.append(f"- [{title}]({name}/{source.name}): {' '.join(about.split())}")
        texts.append(text)
    return "\n".join(lines), "\n".join(texts)


def write_texts(folder: Path) -> None:
    """Write `llms.txt`, a line for each page, and a text for each chapter, which it names."""
    front = (folder / "index.md").read_text().partition("\n|")[0]
    parts = [front.strip()]
    for name in ("tutorials", "how-to", "reference", "explanation"):
        lines, whole = chapter(folder, name)
        (folder / f"{name}.txt").write_text(whole)
        parts.append(f"## {name}\n\nAll of it: [{name}.txt]({name}.txt)\n\n{lines}")
    (folder / "llms.txt").write_text("\n\n".join(parts) + "\n")


def main(folder: Path) -> None:
    """Write the pages into the folder, and beside them what Sphinx needs."""
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("*.py"))
    shutil.copy(DOCS / "conf.py", folder)
    for source in DOCS.rglob("*.md"):
        (folder / source.relative_to(DOCS)).write_text(text_of(source))
    write_texts(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
