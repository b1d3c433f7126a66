"""Modules for a browser joined into one script, style sheets into one style, and both into a page.

There is no build step: the sources beside this module run unchanged. A browser would load each
module by itself; joined they are one request, and a page that needs no server can name the hash of
its script.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from phaseledger.domain.words import LANGUAGES, Language, PageText, message, texts

WEB = Path(__file__).parent
_OWN = (WEB, WEB / "client")
"""The folders of modules; in a checkout `client` is a link to the npm package of `clients/js`."""
STYLES = (
    "tokens.css",
    "base.css",
    "cards.css",
    "parts.css",
    "replay.css",
    "account.css",
    "dispute.css",
)
"""The style sheets of the viewer, in their order."""

_IMPORT = re.compile(r'^import \{([\w$\s,]+)\} from "(\.[^"\n]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|class) ([\w$]+)", re.MULTILINE)
_EXPORTS = re.compile(r"export\s*\{([\w$\s,]+)\};\s*\Z")
_NOTES = re.compile(r"/\*\*.*?\*/|^[ \t]*//[^\n]*\n", re.DOTALL | re.MULTILINE)
"""JSDoc and lines of comment, for readers and for `tsc` only."""
_FOR_READERS = re.compile(
    r"""^[ \t]+ | (?<=[;{,])[ ]+//[ ][^\n`'"]*$ | (?<=\n)\n+ """, re.MULTILINE | re.VERBOSE
)
"""What a script does without: indents, remarks behind a statement, empty lines."""
_TEXT = re.compile(r"""["'`]([a-z][\w.]*)""")
"""The beginning of a text of a script."""
_LATER = re.compile(r'\bimport\("(\.[^"\n]+)"\)')
"""A module that a page loads when it is needed."""
_FORBIDDEN = re.compile(
    r"^(import\b|export (?:default|let|var|\*)).*|\bimport\(.*|.*</script.*", re.MULTILINE
)
_LOADER = """let loading, fails = 0;
function loadedLater(name) {
const address = %s;
const again = fails ? `&again=${fails}` : "";
loading ??= import(address + again).then((file) => file.modules({ %s })).catch((fault) => {
loading = undefined;
fails += 1;
throw Object.assign(fault, { address });
});
return loading.then((modules) => modules[name]);
}
"""
"""The modules that are loaded later, asked for once, and again where that has failed: by another
address, since some browsers keep the failure of the first one.
"""


class UnjoinableScript(ValueError):
    """A module has a form that only a bundler could join, or names a missing file."""


class _Modules(NamedTuple):
    """Sources in the order in which they run, and the name of each one's exports."""

    first: dict[Path, str]
    later: dict[Path, str]
    """What only these import that are imported later."""
    names: dict[Path, str]


def script(
    entry: Path,
    roots: Sequence[Path] = (),
    tables: Mapping[str, object] | None = None,
    later: str = "",
) -> str:
    """A module and all that it imports as one classic script, each in a scope of its own.

    The ``tables`` stand before them as constants, by name.

    A module imports by ``import { a, b as c } from "./x.js";``, a statement a line, and exports by
    ``export function``, ``const`` or ``class``. Imported files must lie in this package or one of
    the ``roots``. ``import("./x.js")`` promises the exports of a module that stands in another
    file: ``later`` is the address of what `later_script` gives; without it no module is imported
    so.

    Raises:
        UnjoinableScript: for any other import or export, a cycle, or a file that is not there.

    """
    modules = _modules(entry, roots)
    scopes = _scopes(modules.first, modules.names, is_split=bool(later))
    constants = (f"const {name} = {_literal(table)};\n" for name, table in (tables or {}).items())
    given = ", ".join(modules.names[path] for path in modules.first)
    loader = _LOADER % (_literal(later), given) if later else ""
    return '"use strict";\n(() => {\n' + "".join([*constants, loader, *scopes]) + "})();\n"


def later_script(
    entry: Path, roots: Sequence[Path] = (), words: Mapping[str, PageText] | None = None
) -> str:
    """The modules of an entry that `script` leaves out, as a module that makes them of the others.

    They bring English ``words`` of their own. Empty where no module is imported later.
    """
    modules = _modules(entry, roots)
    if not modules.later:
        return ""
    given = ", ".join(modules.names[path] for path in modules.first)
    own = ", ".join(modules.names[path] for path in modules.later)
    scopes = "".join(_scopes(modules.later, modules.names, is_split=True))
    if words:
        speaker = modules.names[(WEB / "words.js").resolve()]
        scopes = f'{speaker}.learn("en", {_literal(words)});\n{scopes}'
    result = f"return {{ {given}, {own} }};\n"
    return f"export const modules = ({{ {given} }}) => {{\n{scopes}{result}}};\n"


def words_tables(words: Mapping[Language, Mapping[str, PageText]]) -> dict[str, object]:
    """The tables by which `words.js` speaks these languages."""
    names = {lang: message(lang, "language.name") for lang in LANGUAGES}
    return {"WORDS": words, "LANGUAGE_NAMES": names}


def named_words(code: str, words: Mapping[str, PageText]) -> dict[str, PageText]:
    """The words that a script names: by their keys, or by texts with a dot that begin these."""
    texts = {*_TEXT.findall(code)}
    beginnings = tuple(text for text in texts if "." in text)
    return {key: text for key, text in words.items() if key in texts or key.startswith(beginnings)}


def _modules(entry: Path, roots: Sequence[Path]) -> _Modules:
    folders = [root.resolve() for root in (*_OWN, *roots)]
    first: dict[Path, str] = {}
    _read(entry.resolve(), folders, first, ())
    read = dict(first)
    for path, source in first.items():
        for target in _LATER.findall(_NOTES.sub("", source)):
            _read((path.parent / target).resolve(), folders, read, ())
    names = {path: f"m{number}" for number, path in enumerate(read)}
    later = {path: source for path, source in read.items() if path not in first}
    return _Modules(first, later, names)


def _read(
    path: Path, folders: list[Path], modules: dict[Path, str], above: tuple[Path, ...]
) -> None:
    """Add the module after all its imports."""
    if path in above:
        raise UnjoinableScript(f"{path.name} imports itself through others")
    if path in modules:
        return
    if not any(path.is_relative_to(folder) for folder in folders) or not path.is_file():
        raise UnjoinableScript(f"{above[-1].name if above else path.name}: no module {path.name}")
    source = path.read_text(encoding="utf-8")
    for _, target in _IMPORT.findall(source):
        _read((path.parent / target).resolve(), folders, modules, (*above, path))
    modules[path] = source


def _scopes(sources: Mapping[Path, str], names: Mapping[Path, str], *, is_split: bool) -> list[str]:
    return [_scope(path, text, names, is_split=is_split) for path, text in sources.items()]


def _scope(path: Path, source: str, names: Mapping[Path, str], *, is_split: bool) -> str:
    """The module as a function that is called at once and returns its exports."""

    def bound(match: re.Match[str]) -> str:
        parts = ", ".join(": ".join(part.split(" as ")) for part in _list(match[1]))
        return f"const {{ {parts} }} = {names[(path.parent / match[2]).resolve()]};"

    def loaded(match: re.Match[str]) -> str:
        return f'loadedLater("{names[(path.parent / match[1]).resolve()]}")'

    exports = _EXPORT.findall(source)
    listed = _EXPORTS.search(source)
    if listed:
        pairs = [part.split(" as ") for part in _list(listed[1])]
        exports += [f"{pair[-1]}: {pair[0]}" for pair in pairs]
        source = source[: listed.start()]
    body = _NOTES.sub("", _IMPORT.sub(bound, source))
    if is_split:
        body = _LATER.sub(loaded, body)
    if unknown := _FORBIDDEN.search(body):
        raise UnjoinableScript(f"{path.name}: cannot join {unknown[0].strip()[:80]!r}")
    body = re.sub(r"^export (?=(?:async |function|const|class))", "", body, flags=re.MULTILINE)
    result = ", ".join(exports)
    scope = f"const {names[path]} = (() => {{\n{body}\nreturn {{ {result} }};\n}})();\n"
    return _FOR_READERS.sub("", scope)


def _list(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def styles(*names: str) -> str:
    """Style sheets of `styles/` as one: with pictures, without comments and needless space."""
    css = "".join((WEB / "styles" / name).read_text(encoding="utf-8") for name in names)
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    css = re.sub(r"\s*([{};,])\s*|(?<=:)\s+", r"\1", re.sub(r"\s+", " ", css)).strip()
    return re.sub(r'(?<=url\(")\w+\.svg(?="\))', lambda match: _picture(match[0]), css)


def _picture(name: str) -> str:
    """A picture of `styles/` as an address that holds it."""
    svg = re.sub(r"\s+", " ", (WEB / "styles" / name).read_text(encoding="utf-8"))
    svg = svg.replace("> <", "><").strip().replace('"', "'")
    return "data:image/svg+xml," + quote(svg, safe=" '/:=.,-()")


def offline_page(document: bytes, title: str) -> str:
    """The viewer as one file with its document inside: it loads nothing and sends no request.

    ``document`` is JSON (``p10-viewer/v1``).
    """
    entry = WEB / "viewer.js"
    code = script(entry)
    words = {
        lang: named_words(code, texts(lang, "viewer.", "play.", "analysis.")) for lang in LANGUAGES
    }
    code = script(entry, tables=words_tables(words))
    shell = (WEB / "viewer.html").read_text(encoding="utf-8")
    more = {"title": escape(title), "document": data_block(document)}
    return page(shell, code, styles(*STYLES), images="data:", **more)


def page(shell: str, code: str, style: str, *, images: str = "", **parts: str) -> str:
    """A page as one file: the shell with its script, its style, and what else it has a place for.

    The page's policy names the hashes of script and style, so that nothing else can run.
    """
    filled = {"policy": policy(style, code, images), "style": style, "script": code, **parts}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: filled[match[1]], shell)


def policy(style: str, code: str = "", images: str = "", form: str = "'none'") -> str:
    """The Content-Security-Policy under which nothing is loaded, and only this style and script
    count; ``images`` is where images may come from, ``form`` where a form may lead.
    """
    script_source = f"script-src '{_hash(code)}'; " if code else ""
    image_source = f"img-src {images}; " if images else ""
    return (
        f"default-src 'none'; {script_source}style-src '{_hash(style)}'; {image_source}"
        f"base-uri 'none'; form-action {form}"
    )


def data_block(document: bytes) -> str:
    """JSON as the content of a script element: no text in it can end the element."""
    return document.decode().replace("<", "\\u003c")


def _literal(value: object) -> str:
    """The value as JavaScript that ends no script element."""
    return data_block(msgspec.json.encode(value))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
