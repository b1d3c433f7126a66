"""Verdicts on cards: whether they can be laid or added, and why not."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "check.phase": "Phase {number}",
    "check.the_phase": "Die Phase",
    "check.phase_words": "{phase} ({needs})",
    "check.lay": "{phase} kann ausgelegt werden: {groups}.",
    "check.no_lay": "{phase} kann so nicht ausgelegt werden: {reason}.",
    "check.no_lay_at": "{phase} kann so nicht ausgelegt werden: Gruppe {number}{cards}: {reason}.",
    "check.hit": "Es passt und ergibt {group}.",
    "check.no_hit": "Nummer {number}{cards} kann nicht angelegt werden an {group}: {reason}.",
    "check.copies": "es gibt davon nur {count}",
    "check.no_copy": "eine solche Karte gibt es nicht",
    "check.one_joker": "ein Joker ist eine einzige Karte",
    "check.no_jokers": "in diesem Spiel gibt es keine Joker",
    "check.no_jokers@french": "in diesem Spiel gibt es keine umgedrehten Karten",
    "check.written": "Karten schreibt man wie in {examples}",
    "check.jokers_written": "Joker nennt man so, wie die Hand sie zeigt, etwa J1",
    "check.whole_hand": "{phase} braucht die ganze Hand, und eine Karte muss zum Ablegen bleiben.",
    "check.short": "{phase} kann nicht ausgelegt werden: es fehlen mindestens {count} Karten.",
    "check.short@1": "{phase} kann nicht ausgelegt werden: es fehlt mindestens eine Karte.",
}
