"""Messages of the command `audit`, in German."""

from collections.abc import Mapping

AUDITS: Mapping[str, str] = {
    "audit.sound": "einwandfrei",
    "audit.unsound": "NICHT EINWANDFREI",
    "audit.no_rules": "keine Spielregeln",
    "audit.events": "{count} gute Ereignisse",
    "audit.events@1": "{count} gutes Ereignis",
    "audit.head": "letzter Hash {head}",
    "audit.games": "Spiele: {count} einwandfrei, {more} nicht einwandfrei.",
    "audit.games_open": "Spiele: {count} einwandfrei (davon ohne Ende: {total}), "
    "{more} nicht einwandfrei.",
    "audit.logs": "Öffentliche Protokolle: {logs}; anderswo aufbewahrte Prüfpunkte: {count}.",
    "audit.archived": "Archivierte Spiele: {count}; ihre Dateien prüft --archive.",
    "audit.archive": "Archivierte Spiele: {count}; ihre Dateien sind unter diesen.",
    "audit.unread": "Dateien, die sich nicht oder nicht bis zum Ende lesen lassen: {count}.",
    "audit.rate": "Ereignisse: {count} in {seconds} s mit {option}: {rate} in der Sekunde.",
}
