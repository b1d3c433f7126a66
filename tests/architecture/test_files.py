"""What no file of the project may say, and how long it may be."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]

UNSPEAKABLE = {
    "a path of one machine": r"(?<![\w.])/([w]ork|[r]oot|tmp/[v]env|[h]ome/\w+)(?![\w-])",
    "a package registry": r"\b([p]ypi\.org|[p]ythonhosted|[n]pmjs|[d]eb\.debian\.org)",
    "an index to install from": r"--(extra-)?[i]ndex-url|\b[i]ndex_url",
}


def leaks(text: str) -> list[str]:
    """What the text says that holds on one machine only."""
    return [what for what, pattern in UNSPEAKABLE.items() if re.search(pattern, text)]


def project_files() -> list[Path]:
    """Tracked files and those about to be."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]


def test_no_file_depends_on_one_machine() -> None:
    leaked = {path: leaks(path.read_text(errors="replace")) for path in project_files()}
    assert {path: what for path, what in leaked.items() if what} == {}
    assert len(leaks("cd /" + "work/main; pip install --" + "index-url=x")) == 2


LONGEST = 350
LONGER = {
    "domain/events.py": "one class for each event",
    "domain/evolve.py": "one function for each event",
    "domain/groups/melds.py": "the seven kinds of group over two algorithms with parts in common",
    "examples/verifying/game.py": "a game's events, read by a stranger from the pages alone",
    "projections/sql.py": "every migration of the views, and every statement on them",
    "service/client/operations.py": "one call for each operation",
    "service/eventlog/migrations.py": "every migration of the log, none of which is ever edited",
    "service/readmodels/follower.py": "following and rebuilding share what becomes of a batch",
    "service/settings.py": "one field for each setting, with what it takes and means",
    "tests/domain/test_resolve.py": "every option with its values, and what makes no game",
    "tests/replay/cli/test_main.py": "what all commands have in common, tried with each",
    "tests/support/screens.py": "every screen of the product, and the way to it",
    "tests/service/client/test_client.py": "every way in which a client is used or answered",
    "tests/service/eventlog/test_group_commit.py": "the writer under every fault it plants",
}


def length(source: str) -> int:
    """The lines of a module but for its imports, which the formatter breaks as it likes."""
    nodes = ast.walk(ast.parse(source))
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    lines = sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in imports)
    return len(source.splitlines()) - lines


def test_a_long_file_has_a_reason() -> None:
    sizes = {
        path.relative_to(ROOT).as_posix(): length(text)
        for path in project_files()
        if path.suffix == ".py" and (text := path.read_text()).count("\n") > LONGEST
    }
    assert {file for file, lines in sizes.items() if lines > LONGEST} == set(LONGER)


WIDEST = 110
WRITTEN_BY_TOOLS = {"vendor", "schemas.d.ts"}


def scripts_and_styles() -> list[Path]:
    """What a browser runs and reads, and its types, but for what is not written here."""
    files = [path for path in project_files() if path.suffix in {".js", ".ts", ".css"}]
    return [path for path in files if WRITTEN_BY_TOOLS.isdisjoint(path.parts)]


def test_no_script_of_ours_is_long() -> None:
    files = scripts_and_styles()
    assert [path for path in files if path.read_text().count("\n") > LONGEST] == []


def test_no_line_of_a_script_or_style_is_wide() -> None:
    wide = [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in scripts_and_styles()
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > WIDEST
    ]
    assert wide == []
