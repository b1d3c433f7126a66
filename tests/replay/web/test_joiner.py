"""Modules joined into one script: what is joined runs as it did, and what cannot be is refused."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from phaseledger.replay.web.joiner import (
    STYLES,
    WEB,
    UnjoinableScript,
    later_script,
    named_words,
    script,
    styles,
)


def joined(folder: Path, files: Mapping[str, str], entry: str = "main.js") -> str:
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source)
    return script(folder / entry, [folder])


def test_a_module_comes_after_what_it_imports_and_comes_once(tmp_path: Path) -> None:
    code = joined(
        tmp_path,
        {
            "main.js": 'import { a } from "./a.js";\nimport { b as c } from "./b/b.js";\na(c);\n',
            "a.js": 'import { b } from "./b/b.js";\nexport function a() { return b; }\n',
            "b/b.js": "export const b = 1;\n",
        },
    )
    assert re.findall(r"const (m\d) = ", code) == ["m0", "m1", "m2"]
    assert "const { b: c } = m0;" in code
    assert "return { b };" in code
    assert "export" not in code


def test_what_is_imported_later_stands_in_a_script_of_its_own(tmp_path: Path) -> None:
    """With what nobody else imports, and with the others' exports given to it."""
    joined(
        tmp_path,
        {
            "main.js": 'import { a } from "./a.js";\na(async () => (await import("./b.js")).b);\n',
            "a.js": "export function a() {}\n",
            "b.js": (
                'import { a } from "./a.js";\nimport { c } from "./c.js";\nexport const b = a;\n'
            ),
            "c.js": "export const c = 1;\n",
        },
        "a.js",
    )
    entry, roots = tmp_path / "main.js", [tmp_path]
    first, more = script(entry, roots, later="./more.js"), later_script(entry, roots)
    assert re.findall(r"const (m\d) = ", first) == ["m0", "m1"]
    assert '(await loadedLater("m3")).b' in first
    assert 'const address = "./more.js";' in first
    assert re.findall(r"const (m\d) = ", more) == ["m2", "m3"]
    assert more.startswith("export const modules = ({ m0, m1 }) => {")
    assert later_script(tmp_path / "b.js", roots) == ""


def test_exports_in_a_list_keep_their_names(tmp_path: Path) -> None:
    code = joined(
        tmp_path,
        {"main.js": 'import { h } from "./lib.js";\nh();\n', "lib.js": "var a=1;export{a as h};\n"},
    )
    assert "return { h: a };" in code


def test_what_is_written_for_readers_stays_out_of_the_script(tmp_path: Path) -> None:
    code = joined(tmp_path, {"main.js": '/** @type {import("./x.js").X} */\nconst a = 1;\n'})
    assert "import" not in code


def test_a_page_has_the_words_that_its_script_names() -> None:
    """By whole keys, and by how those begin that it puts together."""
    words = {"one": "1", "other": "2", "a.b": "3", "a.c.d": "4", "ab": "5", "b.c": "6"}
    named = named_words("t('one'); t(`a.${kind}`); t(b ? \"b.c\" : `${c}`);", words)
    assert named == {"one": "1", "a.b": "3", "a.c.d": "4", "b.c": "6"}


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let a = 1;",
        'export * from "./a.js";',
        'import a from "./a.js";',
        'import * as a from "./a.js";',
        'const a = import("./a.js");',
        'const a = "</script>";',
    ],
)
def test_what_only_a_bundler_could_join_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.js").write_text("export const a = 1;\n")
    with pytest.raises(UnjoinableScript, match=r"main\.js: cannot join"):
        joined(tmp_path, {"main.js": line + "\n"})


def test_a_cycle_is_refused(tmp_path: Path) -> None:
    files = {
        "main.js": 'import { a } from "./a.js";\n',
        "a.js": 'import { b } from "./b.js";\nexport const a = 1;\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = 1;\n',
    }
    with pytest.raises(UnjoinableScript, match="imports itself"):
        joined(tmp_path, files)


def test_a_file_outside_the_given_folders_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_text("export const a = 1;\n")
    with pytest.raises(UnjoinableScript, match=r"main\.js: no module secret\.js"):
        joined(tmp_path / "web", {"main.js": 'import { a } from "../secret.js";\n'})


def test_modules_of_several_folders_are_joined(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/a.js").write_text("export const a = 1;\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/main.js").write_text('import { a } from "../shared/a.js";\n')
    roots = [tmp_path / "own", tmp_path / "shared"]
    assert "const { a } = m0;" in script(tmp_path / "own/main.js", roots)


def test_every_page_can_be_joined() -> None:
    entries = [WEB / "viewer.js", *WEB.glob("*/main.js")]
    joined_modules = "".join(script(entry, later="./later.js") for entry in entries)
    assert all(later_script(entry) == "" for entry in entries if "table" not in entry.parts)
    assert joined_modules.count('"use strict";') == len(entries) == 6


def test_styles_come_one_after_the_other_without_their_comments() -> None:
    sheet = styles(*STYLES)
    assert sheet.index("--ground:") < sheet.index(".card{")
    assert "/*" not in sheet


def test_only_the_tokens_name_a_colour_of_text_or_ground() -> None:
    colour = re.compile(
        r"(?<![\w&-])(color|background|background-color):\s*#[0-9a-f]{3,8}", re.IGNORECASE
    )
    named = {
        name: colour.findall((WEB / "styles" / name).read_text())
        for name in STYLES
        if name != "tokens.css"
    }
    assert {name: hits for name, hits in named.items() if hits} == {}


def test_the_picture_of_cards_has_the_colours_and_the_shape_of_each_suit() -> None:
    """What it cannot take from the tokens and the shapes is written there a second time."""
    tokens, cards = (
        (WEB / "styles" / "tokens.css").read_text(),
        re.sub(r"\n\s*", "", (WEB / "styles" / "cards.svg").read_text()),
    )
    shapes = re.sub(r'"\n\s*\+ "', "", (WEB / "parts/shapes.js").read_text())
    shapes = shapes.partition("const SIGNS")[0]
    suits = dict(re.findall(r"--suit-(\w+): #([0-9a-f]{6})", tokens))
    tints = dict(re.findall(r"--tint-(\w+): #([0-9a-f]{6})", tokens))
    paths = dict(re.findall(r'^  (\w+): "([^"]+)",$', shapes, re.MULTILINE))
    assert [*suits] == [*tints] == [*paths]
    assert dict(re.findall(r'<path id="(\w+)" d="([^"]+)"/>', cards)) == paths
    columns = re.findall(r"<g transform=.*?</g>", cards)
    for column, (suit, colour) in zip(columns, suits.items(), strict=True):
        assert set(re.findall(r"#([0-9a-f]{6})", column)) == {colour, tints[suit]}
        assert column.count(f'href="#{suit}"') == 3
