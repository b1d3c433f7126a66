"""A self-contained HTML document: no script, no external resource, and it prints."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #949494;
  --shade: #f0f0f0; --good: #0b5d29; --bad: #a01018; --marked: #ffe28a; --on-marked: #1b1b1b }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --paper: #16181b; --line: #7d7d7d; --shade: #24272c;
    --good: #7be39b; --bad: #ff9a94; --marked: #6b4d00; --on-marked: #fff } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.2rem; margin: 0 } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
h3 { font-size: 1rem; margin: 1rem 0 .25rem }
.verdict { font-size: 1.5rem; line-height: 1.3; font-weight: 600; margin: .5rem 0;
  padding-left: .75rem; border-left: .4rem solid }
.good { color: var(--good) } .bad { color: var(--bad) }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 }
caption { text-align: left; font-weight: 600; padding: .25rem 0 }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left;
  vertical-align: top; overflow-wrap: break-word }
thead th { background: var(--shade) } tbody th { font-weight: 600 }
td.number { text-align: right; font-variant-numeric: tabular-nums }
bdi, pre, code { overflow-wrap: anywhere }
pre, code { font: .875em/1.4 ui-monospace, monospace }
pre { margin: 0; white-space: pre-wrap }
mark { background: var(--marked); color: var(--on-marked) }
summary { cursor: pointer; padding: .25rem 0; font-weight: 600 }
.more { display: block; padding-left: 1.5rem }
.scroll { overflow-x: auto }
@media print {
  :root { --ink: #000; --paper: #fff; --shade: #eee; --good: #0b5d29; --bad: #a01018;
    --marked: #ffe28a; --on-marked: #000 }
  body { max-width: none; padding: 0; font-size: .75rem }
  .verdict { font-size: 1.2rem }
  details::details-content { content-visibility: visible; block-size: auto }
  tr, h2, h3, summary { break-inside: avoid } h2, h3, caption, summary { break-after: avoid } }
"""


def policy(style: str) -> str:
    """The Content-Security-Policy: nothing is loaded or run, and only this style counts."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


POLICY = policy(STYLE)


class Html(str):
    """A text that is markup already. Any other text is escaped on its way into the page."""

    __slots__ = ()


def text(value: object) -> Html:
    """A value as escaped markup; `Html` stays as it is."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def name(value: str) -> Html:
    """A user's text in a ``bdi`` element, so that its direction does not affect its neighbours."""
    return Html(f"<bdi>{text(value)}</bdi>")


def element(tag: str, *content: object, attributes: str = "") -> Html:
    """An HTML element with its content; ``attributes`` are markup, and not escaped."""
    space = " " if attributes else ""
    return Html(f"<{tag}{space}{attributes}>{''.join(map(text, content))}</{tag}>")


def section(key: str, title: str, *content: object) -> Html:
    """A section of the page, labelled by its heading (level 2)."""
    heading = element("h2", title, attributes=f'id="{key}"')
    return element("section", heading, *content, attributes=f'aria-labelledby="{key}"')


def table(caption: object, head: Sequence[object], rows: Iterable[Sequence[object]]) -> Html:
    """A table whose rows begin with their headings; integers are aligned to the right."""
    head_row = element("tr", *(element("th", cell, attributes='scope="col"') for cell in head))
    body = (
        element("tr", element("th", heading, attributes='scope="row"'), *map(_cell, cells))
        for heading, *cells in rows
    )
    parts = [element("caption", caption), element("thead", head_row), element("tbody", *body)]
    markup = element("table", *(part for part in parts if head or part is not parts[1]))
    return element("div", markup, attributes='class="scroll"')


def _cell(value: object) -> Html:
    if isinstance(value, int):
        return element("td", f"{value:,}", attributes='class="number"')
    return element("td", value)


def document(title: str, *content: object, more_style: str = "") -> str:
    """The HTML document with its policy and style, as text."""
    style = STYLE + more_style
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style)}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{element('title', title)}\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(map(text, content))
        + "\n</main>\n</body>\n</html>\n"
    )
