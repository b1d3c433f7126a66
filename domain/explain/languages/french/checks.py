"""Verdicts on cards: whether they can be laid or added, and why not."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "reason.unknown_card": "{card} n'est pas une carte de ce jeu ; {written}",
    "reason.cards_needed": "aucune carte n'est nommée",
    "reason.not_in_hand": "{card}, c'est plus que ce que l'on peut avoir en main : {held}",
    "reason.wrong_group_count": "la phase n'a pas d'autre groupe",
    "reason.incomplete_phase": "une phase est posée en entier, et il manque ici quelque chose",
    "reason.oversize": "il y a plus de cartes que la phase n'en demande",
    "reason.skip_in_group": "{card} est une carte Passer, et une carte Passer ne va jamais dans un "
    "groupe",
    "reason.needs_natural": "des jokers seuls ne suffisent pas, il faut une carte naturelle",
    "reason.needs_natural@french": "des As seuls ne suffisent pas, il faut une carte naturelle",
    "reason.not_one_rank": "les cartes d'un set ont la même valeur, et {card} en a une autre",
    "reason.not_one_colour": "les cartes y sont d'une même {suit}, et {card} est d'une autre",
    "reason.not_one_parity": "les nombres y sont tous impairs ou tous pairs, comme le dit la phase",
    "reason.not_consecutive": "les cartes d'une suite se suivent, et {card} rompt la suite",
    "reason.run_wraps": "une suite ne continue pas de la carte la plus haute à la plus basse, "
    "comme ici avec {card}",
    "reason.off_the_end": "la suite irait au-delà de {lowest} ou de {highest}, où elle finit",
    "reason.value_needed": "des jokers seuls ne montrent pas ce qu'ils remplacent, il faut donc le "
    "dire",
    "reason.value_needed@french": "des As seuls ne montrent pas ce qu'ils remplacent, il faut donc "
    "le dire",
    "reason.value_mismatch": "les cartes ne s'accordent pas avec la valeur annoncée",
    "reason.full_run": "la suite est complète et ne prend plus aucune carte",
    "reason.full_set": "le set est complet et ne prend plus {card}",
    "reason.end_needed": "{card} va aux deux extrémités, il faut donc dire le début ou la fin",
    "reason.does_not_fit": "{card} n'y va pas",
    "reason.whole_rows_only": "une suite de paires s'allonge par paires entières",
    "reason.no_pair_hits": "dans ce jeu, on n'ajoute rien à une suite de paires",
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
