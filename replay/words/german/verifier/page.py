"""What stands on the page that verifies a bundle, whatever it is given, in German."""

from collections.abc import Mapping

PAGE: Mapping[str, str] = {
    "page.title": "Das Bündel eines Spiels prüfen",
    "page.intro": "Diese Seite rechnet nach, was ein Bündel (`p10-bundle/v1`) behauptet: wer sich "
    "auf welches Geheimnis festgelegt hat, wie beim Geben und bei jedem Mischen die Karten liegen, "
    "wie die Würfel fielen, die Hashkette, die Siegel und die Unterschriften. Und sie beurteilt "
    "das Spiel nach den Regeln: jeden Zug, die Punkte und wer gewonnen hat. Sie arbeitet allein, "
    "in deinem Browser: die Datei bleibt auf deinem Rechner, und die Seite kann sich mit nichts "
    "verbinden.",
    "page.no_script": "Sie braucht JavaScript, und das ist hier abgeschaltet.",
    "page.insecure": "Dieser Browser gibt Seiten, die über einfaches HTTP kommen, keine "
    "Kryptografie. Öffne diese aus einer Datei oder über HTTPS.",
    "page.language": "Sprache",
    "page.give": "Das Bündel",
    "page.file": "Wähle die Datei des Bündels, oder zieh sie auf diese Seite",
    "page.paste": "Stattdessen den Text einfügen",
    "page.pasted": "Der Text des Bündels",
    "page.pasted_name": "der eingefügte Text",
    "page.check": "Text prüfen",
    "page.kept": "Quittungen, die du aufbewahrt hast, falls es welche gibt: JSON-Zeilen, gewählt "
    "oder hergezogen wie das Bündel",
    "page.others": "Andere als der Betreiber haben diese Quittungen aufbewahrt: du weißt es von "
    "ihnen oder hast es selbst getan",
    "page.sightings": "Prüfpunkte des Protokolls, die du aufbewahrt hast, mit Beweisen, falls es "
    "welche gibt: JSON-Zeilen",
    "page.policy": "Die Vorgabe deines Vereins oder Schiedsrichters, falls es eine gibt: TOML, "
    "gewählt oder hergezogen",
    "page.choose": "Datei wählen",
    "page.none_chosen": "keine Datei gewählt",
    "page.kept_given": "Die Quittungen sind da; wähle jetzt das Bündel.",
    "page.sightings_given": "Die Prüfpunkte sind da; wähle jetzt das Bündel.",
    "page.policy_given": "Die Vorgabe ist da; wähle jetzt das Bündel.",
    "page.checking": "Prüfe {name} ...",
    "page.progress": "Prüfe {name}: {share}",
    "page.fault": "{name} konnte nicht geprüft werden: {text}",
    "page.subject": "{name}: Spiel {game}, {status}",
    "page.headline_at": "{headline} (das erste falsche Ereignis ist Ereignis {seq})",
    "page.heard": "{headline}. {meaning}",
    "page.move": "Die Datei sagt: {move}.",
    "page.unsigned": "Unterschriften wurden nicht geprüft: dieser Browser hat kein Ed25519.",
    "page.keys": "Schlüssel, die die Datei nennt",
    "headline.unsound": "NICHT einwandfrei",
    "headline.unreadable": "Kein Bündel, das sich prüfen lässt",
    "headline.no_contradiction": "KEIN WIDERSPRUCH",
    "headline.unjudged": "nicht beurteilt",
    "headline.unsigned": "{ending}, aber Unterschriften wurden NICHT geprüft",
    "meaning.sound": "Die Aufzeichnung ist lückenlos, jede Karte und jeder Würfel folgt aus den "
    "Geheimnissen, und diese Seite hat die Züge, die Punkte und den Gewinner nach den Regeln "
    "beurteilt.",
    "meaning.open": "Das Spiel ist in diesem Bündel nicht zu Ende, also lassen sich seine Karten "
    "noch nicht nachrechnen.",
    "meaning.lacking": "Nichts ist falsch, aber deine Vorgabe verlangt mehr, als in diesem Bündel "
    "steht.",
    "state.failed": "Falsch.",
    "state.passed": "Geprüft.",
    "state.skipped": "Nicht geprüft.",
    "heading.failed": "Was falsch ist",
    "heading.passed": "Was geprüft wurde",
    "heading.skipped": "Was nicht geprüft wurde",
    "row.where": "Wo",
    "row.move": "Die Datei sagt",
    "row.what": "Was",
    "row.rule": "Die Regel",
    "row.expected": "Erwartet",
    "row.recorded": "Aufgezeichnet",
    "row.class": "Klasse",
    "where.file": "die Datei",
    "where.line": "Zeile {line}",
    "column.seat": "Platz",
    "column.player": "Spieler",
    "column.points": "Punkte",
    "column.phase": "Nächste Phase",
    "column.won": "Gewonnen",
    "won.yes": "ja",
    "won.no": "nein",
    "result.all_made": "alle geschafft",
    "result.won": "{count} Runden „{title}“, gewonnen von {names}; Züge, Punkte und Gewinner hat "
    "diese Seite beurteilt",
    "result.won@one": "{count} Runde „{title}“, gewonnen von {names}; Züge, Punkte und Gewinner "
    "hat diese Seite beurteilt",
    "result.broken_off": "{count} Runden „{title}“, abgebrochen; Züge und Punkte hat diese Seite "
    "beurteilt",
    "result.broken_off@one": "{count} Runde „{title}“, abgebrochen; Züge und Punkte hat diese "
    "Seite beurteilt",
    "explain.form": "Das ist nicht so geschrieben, wie ein p10-bundle/v1 es sein muss, also lässt "
    "sich nichts daraus schließen.",
    "explain.truncated": "Die Datei endet zu früh, oder sie nennt eine andere Zahl von Ereignissen "
    "oder Zeilen, als sie hat.",
    "explain.order": "Zeilen oder Ereignisse stehen nicht da, wo sie stehen müssen.",
    "explain.chain": "Die Hashkette ist gerissen: dieses Ereignis oder das davor wurde geändert.",
    "explain.seal": "Ein verborgener Teil ist nicht, was versiegelt wurde, als das Ereignis "
    "aufgezeichnet wurde.",
    "explain.commitment": "Ein Geheimnis ist nicht das, auf das man sich festgelegt hat, oder die "
    "Festlegung kam zu spät.",
    "explain.transcript": "Die Kartenverteilung folgt nicht aus diesen Festlegungen, Geheimnissen "
    "und Regeln.",
    "explain.shuffle": "Diese Karten liegen nicht so, wie die Geheimnisse dieses Spiels sie "
    "mischen.",
    "explain.draw": "Die gezogene Karte ist nicht die, die dort lag.",
    "explain.cards": "Eine Karte steht dort, wo sie nicht gewesen sein kann.",
    "explain.rules": "Das Ereignis verstößt gegen die Regeln des Spiels.",
    "explain.decision": "Das Ereignis ist nicht das, was aus der aufgezeichneten Entscheidung "
    "folgt.",
    "explain.die": "So fielen die Würfel nicht: die Geheimnisse dieses Spiels ergeben andere "
    "Werte.",
    "explain.first_player": "Die Geheimnisse und die Regeln dieses Spiels ergeben einen anderen "
    "Geber oder Anfang.",
    "explain.signature": "Ein Befehl ist nicht so unterschrieben, wie sein Platz es angekündigt "
    "hat.",
    "explain.receipt": "Eine Quittung passt nicht zu den Ereignissen oder ist nicht mit dem "
    "Schlüssel des Betreibers unterschrieben.",
    "explain.checkpoint": "Der Prüfpunkt ist keine Notiz, die mit dem Schlüssel des Betreibers "
    "unterschrieben ist.",
    "explain.inclusion": "Das Ereignis steht nicht in dem Protokoll, von dem der Prüfpunkt "
    "spricht.",
    "explain.key": "Das ist kein Schlüssel und kein Protokoll, das deine Vorgabe nennt.",
    "explain.consistency": "Das Protokoll ist nicht die Fortsetzung der früheren Größe, die die "
    "Datei nennt oder die du aufbewahrt hast.",
    "explain.owing": "Das Spiel wurde abgebrochen und nennt andere Plätze als die, die eine "
    "Antwort schuldig waren.",
}
