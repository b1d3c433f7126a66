"""The verdict on a game in lines of text, in German."""

from collections.abc import Mapping

VERDICTS: Mapping[str, str] = {
    "verdict.game": "{source}: Spiel {game}, {ruleset}, {status}{view}",
    "verdict.view": ", wie Platz {seat} es sehen darf",
    "verdict.no_rules": "unbekannte Regeln",
    "verdict.finished": "zu Ende",
    "verdict.voided": "abgebrochen",
    "verdict.unfinished": "nicht zu Ende",
    "verdict.events": "{count} Ereignisse, letzter Hash {head}",
    "verdict.events@1": "{count} Ereignis, letzter Hash {head}",
    "verdict.owing": "noch schuldig: {seats}",
    "verdict.owing_unsigned": "laut Betreiber noch schuldig: {seats}; nichts zeigt, dass dort "
    "jemand saß",
    "verdict.blamed": "ohne Grund beschuldigt: {seats}",
    "verdict.grade": "{grade}: {text}",
    "verdict.finding": "{code}{rule}: {place}: {text}",
    "verdict.finding_of_event": "{code}{rule}: {event}, {place}: {text}",
    "verdict.event": "Ereignis {seq}",
    "verdict.event_at_table": "{event} (Ereignis {seq})",
    "verdict.more": "und {count} weitere dieser Art{last}",
    "verdict.more@1": "und {count} weiterer dieser Art{last}",
    "verdict.upto": ", bis Ereignis {seq}",
    "verdict.checked": "geprüft:",
    "verdict.passed": "gut",
    "verdict.failed": "FALSCH",
    "verdict.seats": "Plätze:",
    "verdict.seat": "{seat} {name}: Befehle: {count}, {word}{stood_in}; {secret}",
    "verdict.signed": "unterschrieben (Schlüssel {key}, {trust})",
    "verdict.unsigned": "Schlüssel hinterlegt ({key}, {trust}), aber nichts mit ihm "
    "unterschrieben: der Betreiber könnte beides eingetragen haben",
    "verdict.repudiable": "angemeldet, abstreitbar",
    "verdict.bot": "angeblich ein Bot: der Betreiber könnte für ihn gespielt haben",
    "verdict.program": "ein Bot, dessen Programm dieselben Züge macht",
    "verdict.stood_in": "; davon von einem Bot an seiner Stelle: {count}",
    "verdict.own_secret": "eigenes Geheimnis",
    "verdict.claimed_secret": "angeblich eigenes Geheimnis",
    "verdict.made_secret": "Geheimnis vom Server",
    "verdict.key": "Schlüssel {key}: {trust}",
    "verdict.trusted": "die Vorgabe nennt ihn",
    "verdict.untrusted": "niemand bürgt für ihn",
    "verdict.note": "Anmerkung: {text}",
    "verdict.unvouched": "Ohne --policy bürgt niemand für die Schlüssel: wer einen Schlüssel "
    "macht, kann solche Unterschriften machen.",
    "verdict.unreadable": "Eine Datei, die sich nicht lesen lässt, klärt nichts, für keine Seite: "
    "verlange sie noch einmal. Von einem beschädigten Bündel zeigt `phaseledger replay DATEI "
    "--at N` den Tisch, so weit es gut ist.",
}
