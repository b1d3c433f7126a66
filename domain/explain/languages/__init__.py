"""Message catalogues in English, German and French: templates by code, with arguments.

Each language is a package with one table, in parts. A message may have further forms in a language
that needs them: ``dealt.cards@1`` is the form of ``dealt.cards`` for the variant 1. What a message
is about never depends on the language: codes and arguments are the same in all (a test compares).
`message` is the entry. May import `domain` but for `bots` and `rollouts`; tables hold texts alone.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from phaseledger.domain.explain.languages import english, french, german

Language = Literal["en", "de", "fr"]
"""A language by its ISO 639-1 code."""
LANGUAGES: tuple[Language, ...] = get_args(Language)

MESSAGES: Mapping[Language, Mapping[str, str]] = {
    "en": english.MESSAGES,
    "de": german.MESSAGES,
    "fr": french.MESSAGES,
}
"""Every message of each language, by its code."""


def message(lang: Language, code: str, variant: object = "", /, **values: object) -> str:
    """The message of that code with the values in it, in the form for the variant if it has one."""
    messages = MESSAGES[lang]
    template = messages.get(f"{code}@{variant}")
    return (messages[code] if template is None else template).format(**values)


def has_message(code: str) -> bool:
    """Whether there is a message of that code."""
    return code in MESSAGES["en"]
