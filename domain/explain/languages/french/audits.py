"""Messages of the command `audit`, in French."""

from collections.abc import Mapping

AUDITS: Mapping[str, str] = {
    "audit.sound": "valable",
    "audit.unsound": "NON VALABLE",
    "audit.no_rules": "sans règles",
    "audit.events": "{count} bons événements",
    "audit.head": "dernier hachage {head}",
    "audit.games": "Parties : {count} valables, {more} non valables.",
    "audit.games_open": "Parties : {count} valables (dont sans fin : {total}), "
    "{more} non valables.",
    "audit.logs": "Registres publics : {logs} ; points de contrôle conservés ailleurs : {count}.",
    "audit.archived": "Parties archivées : {count} ; --archive vérifie leurs fichiers.",
    "audit.archive": "Parties archivées : {count} ; leurs fichiers sont parmi ceux-ci.",
    "audit.unread": "Fichiers illisibles, ou pas jusqu'à la fin : {count}.",
    "audit.rate": "Événements : {count} en {seconds} s avec {option} : {rate} par seconde.",
}
