"""Everything that the product says to people: messages by key, in every language.

The words are data: a file ``en.po``, ``de.po`` ... for each language, with the same keys and
arguments (docs/how-to/add-a-language.md). `message` says one in a language; a `Phrase` is one that
is still to be said, in the reader's language. May import nothing else of the domain.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, Self, get_args

import msgspec

from phaseledger.domain.words.po import catalogue

Language = Literal["en", "de", "fr"]
"""A language by its ISO 639-1 code."""
LANGUAGES: tuple[Language, ...] = get_args(Language)
PageText = str | Mapping[str, str]
"""A message for a page: a template, or one for each of CLDR's plural categories."""


class Amount(int):
    """A number that is written as the language writes amounts: ``1,273``."""


class Beginning(NamedTuple):
    """The first characters of a text, which are those of the language's own."""

    text: str
    length: int


class Figure(str):
    """A number with its marks as English has them: ``1.250``."""

    __slots__ = ()


def message(lang: Language, key: str, variant: object = "", /, **arguments: object) -> str:
    """The message of that key with the arguments in it.

    ``variant`` or, without one, the argument ``count`` selects the form: the one of the context, or
    the plural of this number.
    """
    template = template_of(lang, key, variant, arguments.get("count"))
    return template.format_map({name: rendered(value, lang) for name, value in arguments.items()})


def template_of(lang: Language, key: str, variant: object = "", count: object = None) -> str:
    """The message of that key, in the form for the variant or the count, with ``{arguments}``."""
    words = catalogue(lang)
    forms = words.texts.get(f"{key}@{variant}")
    if forms is None:
        forms = words.texts[key]
    if isinstance(forms, str):
        return forms
    number = count if variant == "" else variant
    return forms[words.plural(number) if isinstance(number, int) else -1]


def has_message(key: str) -> bool:
    """Whether there is a message of that key."""
    return key in catalogue("en").texts


def rendered(value: object, lang: Language) -> object:
    """A value as the language says it: a phrase, an amount, several; any other is as it is."""
    if isinstance(value, Phrase):
        return message(lang, value.key, value.variant, **value.arguments)
    if isinstance(value, Beginning):
        return spoken(value.text, lang)[: value.length]
    if isinstance(value, tuple):
        return ", ".join(str(rendered(part, lang)) for part in value)
    if isinstance(value, Figure):
        return value.translate(_marks(lang))
    return amount(value, lang) if isinstance(value, Amount) else value


def spoken(text: str, lang: Language) -> str:
    """A phrase in that language; any other text is as it is."""
    return str(rendered(text, lang))


def reason_of(error: BaseException) -> str:
    """The text of an exception: a phrase where one was raised, or a decoder of msgspec did."""
    text = error.args[0] if error.args else ""
    if isinstance(text, Phrase):
        return text
    return refused(str(error)) if isinstance(error, msgspec.MsgspecError) else str(error)


def refused(text: str) -> str:
    """What a decoder of msgspec says, as a phrase of reason and path; any other text as it is."""
    fault, separator, path = text.rpartition(" - at ")
    if separator:
        return Phrase("detail.json.at", fault=_reason(fault), path=path)
    return _reason(text)


def _reason(text: str) -> str:
    for pattern, key in _decoding():
        if match := pattern.fullmatch(text):
            values = match.groupdict()
            if "reason" in values:
                values["reason"] = _reason(values["reason"])
            return Phrase(key, **values)
    return text


@cache
def _decoding() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The messages of msgspec's decoders, as patterns with their keys, the longest first."""
    patterns = {
        f"detail.json.{name}": re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(str(text)))
        for name, text in texts("en", "detail.json.").items()
        if not str(text).startswith("{")
    }
    longest_first = sorted(patterns.items(), key=lambda item: -len(item[1]))
    return tuple((re.compile(pattern, re.DOTALL), key) for key, pattern in longest_first)


class Phrase(str):
    """A message with its arguments. As a text it is English; `spoken` says it in any language.

    Arguments may be phrases themselves.
    """

    __slots__ = ("arguments", "key", "variant")
    key: str
    variant: object
    arguments: Mapping[str, Any]

    def __new__(cls, key: str, variant: object = "", /, **arguments: object) -> Self:
        """Say the message of that key in English; an exception stands for its text."""
        for name, value in arguments.items():
            if isinstance(value, BaseException):
                arguments[name] = reason_of(value)
        phrase = super().__new__(cls, message("en", key, variant, **arguments))
        phrase.key, phrase.variant, phrase.arguments = key, variant, arguments
        return phrase

    def __getnewargs_ex__(self) -> tuple[tuple[str, object], Mapping[str, object]]:
        return (self.key, self.variant), self.arguments


def amount(number: int, lang: Language) -> str:
    """The number as the language writes it."""
    return f"{number:,}".replace(",", message(lang, "number.thousands"))


def decimal(number: float, places: int, lang: Language) -> str:
    """The number with this number of decimal places, as the language writes it."""
    return f"{number:,.{places}f}".translate(_marks(lang))


def _marks(lang: Language) -> dict[int, int]:
    marks = message(lang, "number.thousands") + message(lang, "number.decimal")
    return str.maketrans(",.", marks)


def texts(lang: Language, *prefixes: str) -> dict[str, PageText]:
    """Messages whose keys begin so, by what follows; plurals by CLDR's categories."""
    words = catalogue(lang)
    return {
        key.removeprefix(prefix): forms
        if isinstance(forms, str)
        else dict(zip(words.categories, forms, strict=True))
        for prefix in prefixes
        for key, forms in words.texts.items()
        if key.startswith(prefix)
    }
