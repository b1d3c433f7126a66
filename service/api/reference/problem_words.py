"""What the problem pages say around the words of each refusal, by language."""

from collections.abc import Mapping

from phaseledger.domain.explain.languages import Language
from phaseledger.domain.explain.languages.french import spaced

_FRENCH = {
    "title": "Refus",
    "lead": "Tout refus a l'un de ces codes, et son `type` mène à la page du code : la cause, ce "
    "qu'il faut faire, et la règle du jeu qui est derrière.",
    "line": "{code}, statut {status}",
    "cause": "Cause",
    "cure": "Ce qu'il faut faire",
    "rule": "La règle",
    "languages": "Langue",
    "skip": "Aller au contenu",
    "pages": "Pages",
    "/play": "Jouer",
    "/docs": "API",
    "/docs/schemas": "Schémas",
    "/problems": "Refus",
}
PAGE_WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "title": "Problems",
        "lead": "Every refusal has one of these codes, and its `type` leads to the code's page: "
        "cause, cure, and the rule of the game behind it.",
        "line": "{code}, status {status}",
        "cause": "Cause",
        "cure": "Cure",
        "rule": "The rule",
        "languages": "Language",
        "skip": "To the content",
        "pages": "Pages",
        "/play": "Play",
        "/docs": "API",
        "/docs/schemas": "Schemas",
        "/problems": "Problems",
    },
    "de": {
        "title": "Ablehnungen",
        "lead": "Jede Ablehnung hat einen dieser Codes, und ihr `type` führt auf dessen Seite: "
        "Ursache, Abhilfe und die Regel des Spiels, die dahinter steht.",
        "line": "{code}, Status {status}",
        "cause": "Ursache",
        "cure": "Abhilfe",
        "rule": "Die Regel",
        "languages": "Sprache",
        "skip": "Zum Inhalt",
        "pages": "Seiten",
        "/play": "Spielen",
        "/docs": "API",
        "/docs/schemas": "Schemas",
        "/problems": "Ablehnungen",
    },
    "fr": {code: spaced(text) for code, text in _FRENCH.items()},
}
"""The words of the pages, and of the links above them by their addresses."""

LANGUAGE_NAMES: Mapping[Language, str] = {"en": "English", "de": "Deutsch", "fr": "Français"}
