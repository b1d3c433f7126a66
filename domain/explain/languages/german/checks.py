"""Verdicts on cards: whether they can be laid or added, and why not."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "reason.unknown_card": "{card} ist keine Karte dieses Spiels; {written}",
    "reason.cards_needed": "es ist keine Karte genannt",
    "reason.not_in_hand": "{card} ist mehr, als jemand auf der Hand haben kann: {held}",
    "reason.wrong_group_count": "die Phase hat keine weitere Gruppe",
    "reason.incomplete_phase": "eine Phase wird vollständig ausgelegt, und hier fehlt etwas",
    "reason.oversize": "es sind mehr Karten, als die Phase verlangt",
    "reason.skip_in_group": "{card} ist eine Aussetzkarte, und eine solche liegt nie in einer "
    "Gruppe",
    "reason.needs_natural": "Joker allein genügen nicht, eine natürliche Karte ist nötig",
    "reason.needs_natural@french": "Asse allein genügen nicht, eine natürliche Karte ist nötig",
    "reason.not_one_rank": "die Karten eines Satzes haben denselben Wert, und {card} hat einen "
    "anderen",
    "reason.not_one_colour": "die Karten haben dort eine {suit}, und {card} hat eine andere",
    "reason.not_one_parity": "die Zahlen dort sind alle ungerade oder alle gerade, wie die Phase "
    "sagt",
    "reason.not_consecutive": "die Karten einer Folge schließen aneinander an, und {card} passt "
    "nicht in die Reihe",
    "reason.run_wraps": "eine Folge geht nicht von der höchsten Karte zur niedrigsten weiter, wie "
    "hier zu {card}",
    "reason.off_the_end": "die Folge ginge über {lowest} oder {highest} hinaus, wo sie endet",
    "reason.value_needed": "Joker allein zeigen nicht, wofür sie stehen, also muss es gesagt "
    "werden",
    "reason.value_needed@french": "Asse allein zeigen nicht, wofür sie stehen, also muss es gesagt "
    "werden",
    "reason.value_mismatch": "die Karten passen nicht zu dem Wert, der gesagt ist",
    "reason.full_run": "die Folge ist voll und nimmt keine weitere Karte auf",
    "reason.full_set": "der Satz ist voll und nimmt {card} nicht mehr auf",
    "reason.end_needed": "{card} passt an beide Enden, also muss gesagt sein, ob unten oder oben",
    "reason.does_not_fit": "{card} passt dort nicht",
    "reason.whole_rows_only": "eine Folge von Paaren wächst um ganze Paare",
    "reason.no_pair_hits": "in diesem Spiel wird an eine Folge von Paaren nichts angelegt",
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
