"""The API's types for the modules of the pages: TypeScript of the schemas that they read."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.node import node_modules

ROOT = Path(__file__).parents[2]
OPENAPI = ROOT / "openapi" / "openapi.json"
DECLARATIONS = (
    ROOT / "replay" / "web" / "types.d.ts",
    ROOT / "replay" / "web" / "play" / "types.d.ts",
    *sorted((ROOT / "clients" / "js" / "src").glob("*.js")),
)
"""What the modules import; the names of schemas in them say which are generated."""
GENERATED = ROOT / "clients" / "js" / "src" / "schemas.d.ts"
_NAMED = re.compile(
    r'(?:im|ex)port type \{([^}]*)\} from "[^"]*/schemas"|import\("[^"]*/schemas\.js"\)\.(\w+)'
)
_REFERENCE = "#/components/schemas/"


def generated_types(folder: Path) -> str:
    """What openapi-typescript makes of these schemas and of all that they refer to."""
    description = json.loads(OPENAPI.read_text("utf-8"))
    schemas = description["components"]["schemas"]
    kept = _with_references(_named(), schemas)
    reduced = {
        "openapi": description["openapi"],
        "info": description["info"],
        "paths": {},
        "components": {"schemas": {name: schemas[name] for name in sorted(kept)}},
    }
    source, target = folder / "openapi.json", folder / "schemas.d.ts"
    source.write_text(json.dumps(reduced), "utf-8")
    program = node_modules() / ".bin" / "openapi-typescript"
    shape = ("--root-types", "--root-types-no-schema-prefix")
    command = [program, source, "--output", target, *shape]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return target.read_text("utf-8")


def _named() -> set[str]:
    texts = (path.read_text("utf-8") for path in DECLARATIONS)
    matches = (match for text in texts for match in _NAMED.finditer(text))
    lists = (match[1] or match[2] for match in matches)
    return {entry.split(" as ")[0].strip() for names in lists for entry in names.split(",")} - {""}


def _with_references(names: set[str], schemas: dict[str, Any]) -> set[str]:
    kept, due = set[str](), set(names)
    while due:
        name = due.pop()
        kept.add(name)
        due |= set(_references(schemas[name])) - kept
    return kept


def _references(node: object) -> Iterator[str]:
    """Names of the schemas that a part of the description refers to."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value.removeprefix(_REFERENCE)
            else:
                yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)
