"""Messages of the command `audit`, in French."""

from collections.abc import Mapping

AUDITS: Mapping[str, str] = {
    "audit.sound": "valable",
    "audit.unsound": "NON VALABLE",
    "audit.no_rules": "sans règles",
    "audit.events": "{count} bons événements",
    "audit.events@0": "{count} bon événement",
    "audit.events@1": "{count} bon événement",
    "audit.head": "dernier hachage {head}",
    "audit.games": "Parties valables : {count} ; non valables : {more}.",
    "audit.games_open": "Parties valables : {count} (dont sans fin : {total}) ; non valables : "
    "{more}.",
    "audit.logs": "Registres publics : {logs} ; points de contrôle conservés ailleurs : {count}.",
    "audit.archived": "Parties archivées : {count} ; --archive vérifie leurs fichiers.",
    "audit.archive": "Parties archivées : {count} ; leurs fichiers sont parmi ceux-ci.",
    "audit.unread": "Fichiers illisibles, ou pas jusqu'à la fin : {count}.",
    "audit.rate": "Événements : {count} en {seconds} s avec {option} : {rate} par seconde.",
}
