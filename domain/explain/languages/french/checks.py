"""Verdicts on cards: whether they can be laid or added, and why not."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "check.phase": "La phase {number}",
    "check.the_phase": "La phase",
    "check.phase_words": "{phase} ({needs})",
    "check.lay": "{phase} peut être posée : {groups}.",
    "check.no_lay": "{phase} ne peut pas être posée ainsi : {reason}.",
    "check.no_lay_at": "{phase} ne peut pas être posée ainsi : groupe {number}{cards} : {reason}.",
    "check.hit": "Cela va, et donne {group}.",
    "check.no_hit": "L'ajout {number}{cards} est impossible sur {group} : {reason}.",
    "check.copies": "il n'y en a que {count}",
    "check.no_copy": "il n'y a pas de telle carte",
    "check.one_joker": "un joker est une seule carte",
    "check.no_jokers": "ce jeu n'a pas de jokers",
    "check.no_jokers@french": "ce jeu n'a pas de cartes retournées",
    "check.written": "les cartes s'écrivent comme dans {examples}",
    "check.jokers_written": "nommez vos jokers comme votre main les montre, par exemple J1",
    "check.whole_hand": "{phase} demande toute la main, et il doit rester une carte pour la "
    "défausse.",
    "check.short": "{phase} ne peut pas être posée : il manque au moins {count} cartes.",
    "check.short@1": "{phase} ne peut pas être posée : il manque au moins une carte.",
}
