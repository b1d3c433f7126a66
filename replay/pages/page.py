"""A self-contained HTML document: no script, no external resource, and it prints."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape, unescape

from phaseledger.domain.words import Language, amount
from phaseledger.replay.pages.look import MARK, STYLE
from phaseledger.replay.web.joiner import policy

POLICY = policy(STYLE)


def policy_of(html: str) -> str:
    """The policy that a page of ours names in its head, for an HTTP header beside it."""
    _, _, rest = html.partition('http-equiv="Content-Security-Policy" content="')
    return rest.partition('"')[0]


class Html(str):
    """A text that is markup already. Any other text is escaped on its way into the page."""

    __slots__ = ()


def text(value: object) -> Html:
    """A value as escaped markup; `Html` stays as it is."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def sentence(template: str, values: Mapping[str, object]) -> Html:
    """A template of plain text with values in it, of which `Html` stays markup."""
    markup = escape(template, quote=False)
    return Html(markup.format_map({key: text(value) for key, value in values.items()}))


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


def table(
    caption: object,
    head: Sequence[object],
    rows: Iterable[Sequence[object]],
    lang: Language = "en",
) -> Html:
    """A table whose rows begin with their headings; integers are aligned to the right, and written
    as the language does.
    """
    rows = list(rows)
    numeric = [isinstance(cell, int) for cell in (rows[0] if rows else head)]
    head_row = element("tr", *map(_column, head, numeric))
    body = (
        element(
            "tr",
            element("th", heading, attributes='scope="row"'),
            *(_cell(value, lang) for value in cells),
        )
        for heading, *cells in rows
    )
    parts = [element("caption", caption), element("thead", head_row), element("tbody", *body)]
    markup = element("table", *(part for part in parts if head or part is not parts[1]))
    return scrolled(caption, markup)


def _column(title: object, is_numeric: bool) -> Html:
    if not title:  # above the headings of rows
        return element("td")
    return element("th", title, attributes=f'scope="col"{" class=number" * is_numeric}')


def scrolled(label: object, content: Html) -> Html:
    """What scrolls sideways where it is too wide: also by the keyboard (WCAG 2.1.1)."""
    words = unescape(re.sub("<[^>]*>", "", label)) if isinstance(label, Html) else str(label)
    return element(
        "div",
        content,
        attributes=f'class="scroll" tabindex="0" role="group" aria-label="{escape(words)}"',
    )


def _cell(value: object, lang: Language) -> Html:
    if isinstance(value, int):
        return element("td", amount(value, lang), attributes='class="number"')
    return element("td", value)


def bar(
    links: Iterable[tuple[str, str]] = (),
    here: str = "",
    home: str = "",
    skip: str = "To the content",
    label: str = "Pages",
) -> Html:
    """The bar above a page: the product's name, and links, each its address and words.

    ``here`` is the address of the page itself, ``home`` where the name leads to; ``skip`` and
    ``label`` are the words for going past the links, and of the links.
    """
    brand = Html(f"{MARK}<span>phaseledger</span>")
    home_link = f'class="brand" href="{escape(home)}"'
    parts = [
        element("a", brand, attributes=home_link)
        if home
        else element("span", brand, attributes='class="brand"')
    ]
    items = [
        element(
            "li",
            element(
                "a",
                words,
                attributes=f'href="{escape(to)}"{" aria-current=page" * (to == here)}',
            ),
        )
        for to, words in links
    ]
    if items:
        past = element("a", skip, attributes='class="skip" href="#main"')
        labelled = f'aria-label="{escape(label)}"'
        navigation = element("nav", element("ul", *items), attributes=labelled)
        return Html(past + element("header", element("div", *parts, navigation), attributes=_BAR))
    return element("header", element("div", *parts), attributes=_BAR)


_BAR = 'class="top"'


def document(
    title: str,
    *content: object,
    more_style: str = "",
    above: Html | None = None,
    lang: str = "en",
    form: str = "'none'",
) -> str:
    """The HTML document with its policy and style, as text; ``above`` is its bar, ``form`` where
    its forms may lead.
    """
    style = STYLE + more_style
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style, form=form)}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{element('title', title)}\n<style>{style}</style>\n</head>\n<body>\n"
        f"{bar() if above is None else above}\n<main{' id=main' * (above is not None)}>\n"
        + "\n".join(map(text, content))
        + "\n</main>\n</body>\n</html>\n"
    )
