"""What the checks of the page that verifies say of a bundle, in German."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "title.chain": "Hashkette",
    "title.events": "Ereignisse",
    "title.times": "Zeiten",
    "title.commands": "Befehle",
    "title.commitments": "Festlegungen",
    "title.transcript": "Niederschrift",
    "title.seals": "Siegel",
    "title.cards": "Karten und Würfel",
    "title.referee": "Regeln",
    "title.signed_commands": "Unterschriebene Befehle",
    "title.keys": "Schlüssel",
    "title.receipts": "Quittungen",
    "title.kept": "Quittungen, die du aufbewahrt hast",
    "title.log": "Öffentliches Protokoll",
    "title.sightings": "Prüfpunkte, die du aufbewahrt hast",
    "title.policy": "Vorgabe",
    "number.deals": "{count} Verteilungen",
    "number.deals@one": "{count} Verteilung",
    "number.reshuffles": "{count} Neumischungen",
    "number.reshuffles@one": "{count} Neumischung",
    "number.cards": "{count} Karten",
    "number.cards@one": "{count} Karte",
    "number.leaves": "{count} Blättern",
    "number.leaves@one": "{count} Blatt",
    "number.witnesses": "{count} Zeugen",
    "number.witnesses@one": "{count} Zeugen",
    "checked.failed": "{title}: {text}",
    "checked.rests_on": "{title}: nicht geprüft, denn worauf das beruht, ist nicht in Ordnung: "
    "{other}.",
    "checked.form": "Form: {count} Ereignisse des Spiels {game}; jede Zeile ist kanonisches JSON "
    "und steht an ihrer Stelle.",
    "checked.form@one": "Form: {count} Ereignis des Spiels {game}; jede Zeile ist kanonisches JSON "
    "und steht an ihrer Stelle.",
    "checked.form_failed": "Form: {text}.",
    "checked.events": "Ereignisse: jedes enthält, was zu seiner Art gehört, und sonst nichts.",
    "checked.chain": "Hashkette: {count} Ereignisse. Ihr letzter Hash ist {hash}.",
    "checked.chain@one": "Hashkette: {count} Ereignis. Ihr letzter Hash ist {hash}.",
    "checked.commands": "Befehle: {count} Entscheidungen, und jedes Ereignis gehört zu einer.",
    "checked.commands@one": "Befehle: {count} Entscheidung, und jedes Ereignis gehört dazu.",
    "checked.times": "Zeiten: nach der Uhr des Betreibers liegt kein Ereignis vor einem früheren "
    "und keine Zeitüberschreitung vor ihrer Zeit.",
    "checked.commitments": "Festlegungen: das Geheimnis des Servers und {count} Geheimnisse von "
    "Plätzen sind die festgelegten, und niemand hat aufgedeckt, bevor alle sich festgelegt hatten.",
    "checked.commitments@one": "Festlegungen: das Geheimnis des Servers und {count} Geheimnis "
    "eines Platzes sind die festgelegten, und niemand hat aufgedeckt, bevor alle sich festgelegt "
    "hatten.",
    "checked.unrevealed": "{count} Plätze haben nie aufgedeckt.",
    "checked.unrevealed@one": "{count} Platz hat nie aufgedeckt.",
    "checked.commitments_so_far": "Festlegungen: bisher aufgedeckte Geheimnisse: {count} von "
    "{total}, jedes wie festgelegt. Das Geheimnis des Servers wird aufgedeckt, wenn das Spiel zu "
    "Ende ist.",
    "checked.transcript": "Niederschrift: die Kartenverteilung folgt aus diesen Festlegungen, "
    "diesen Geheimnissen und den Spielregeln {ruleset}.",
    "checked.not_dealt": "Niederschrift: es wurden keine Karten ausgeteilt.",
    "checked.transcript_hidden": "Niederschrift: einige Geheimnisse sind noch verborgen, also "
    "lässt sie sich noch nicht nachrechnen.",
    "checked.seals": "Siegel: {count} geöffnete Teile passen zu dem, was versiegelt wurde.",
    "checked.seals@one": "Siegel: {count} geöffneter Teil passt zu dem, was versiegelt wurde.",
    "checked.seals_salted": "Siegel: {count} geöffnete Teile passen zu dem, was versiegelt wurde, "
    "jeder mit dem Salz, das aus dem Geheimnis des Servers folgt.",
    "checked.seals_salted@one": "Siegel: {count} geöffneter Teil passt zu dem, was versiegelt "
    "wurde, mit dem Salz, das aus dem Geheimnis des Servers folgt.",
    "checked.no_seals": "Siegel: in diesem Bündel ist keins geöffnet.",
    "checked.closed_seals": "Noch geschlossen: {count} Siegel.",
    "checked.closed_seals@one": "Noch geschlossen: {count} Siegel.",
    "checked.cards": "Karten: nach {deals} und {reshuffles} liegen sie so, wie die Geheimnisse sie "
    "mischen: Hände, Ablage und Nachziehstapel. Von dort gezogen, wo sie lagen: {draws}; abgelegt "
    "oder behalten von Plätzen, die sie hatten: {moved}.",
    "checked.cards_later": "Karten und Würfel: sie lassen sich nachrechnen, sobald am Ende des "
    "Spiels das Geheimnis des Servers aufgedeckt ist.",
    "checked.cards_secret": "Karten und Würfel: nicht geprüft, denn das Geheimnis des Servers ist "
    "nicht das festgelegte.",
    "checked.dice": "Würfel: {count} Würfel fielen, wie die Geheimnisse sie werfen.",
    "checked.dice@one": "Würfel: {count} Würfel fiel, wie die Geheimnisse ihn werfen.",
    "checked.no_dice": "Würfel: es wurde nicht gewürfelt.",
    "checked.lots": "Wer beginnt: {count} Mal ausgelost, wie die Geheimnisse es ergeben; die Geber "
    "folgen den Spielregeln.",
    "checked.lots@one": "Wer beginnt: {count} Mal ausgelost, wie die Geheimnisse es ergeben; die "
    "Geber folgen den Spielregeln.",
    "checked.no_lots": "Wer beginnt: nie ausgelost; die Geber folgen den Spielregeln.",
    "checked.rules": "Regeln: jeder Zug, alle Punkte, die Phasen und der Gewinner sind, wie das "
    "Regelbuch es will.",
    "checked.rules_later": "Regeln: Züge, Punkte und Gewinner werden beurteilt, sobald das Spiel "
    "zu Ende ist.",
    "checked.rules_until": "Regeln: kein Ereignis vor Ereignis {seq} verstößt dagegen, aber dieses "
    "ist nicht in Ordnung.",
    "checked.signed": "Unterschriebene Befehle: {count} Befehle, mit den Schlüsseln, die die "
    "Plätze hinterlegt hatten.",
    "checked.signed@one": "Unterschriebene Befehle: {count} Befehl, mit dem Schlüssel, den der "
    "Platz hinterlegt hatte.",
    "checked.unsigned": "Unterschriebene Befehle: es gibt keine zu prüfen.",
    "checked.signed_unchecked": "Unterschriebene Befehle: {count} Befehle, NICHT geprüft: dieser "
    "Browser hat kein Ed25519.",
    "checked.signed_unchecked@one": "Unterschriebene Befehle: {count} Befehl, NICHT geprüft: "
    "dieser Browser hat kein Ed25519.",
    "checked.sealed_signatures": "Noch versiegelt: {count} Unterschriften.",
    "checked.sealed_signatures@one": "Noch versiegelt: {count} Unterschrift.",
    "checked.stood_in": "{count} Antworten gaben Bots anstelle von Plätzen, die nicht da waren.",
    "checked.stood_in@one": "{count} Antwort gab ein Bot anstelle eines Platzes, der nicht da war.",
    "checked.mute": "Plätze, die nichts unterschreiben: {seats}. Was so ein Platz tat, wurde durch "
    "sein Token angemeldet: der Betreiber könnte es geschrieben haben, und der Platz kann es "
    "abstreiten.",
    "checked.no_mute": "Plätze, die nichts unterschreiben: keine. Was so ein Platz täte, würde "
    "durch sein Token angemeldet: der Betreiber könnte es geschrieben haben, und der Platz könnte "
    "es abstreiten.",
    "checked.keys": "Schlüssel: die erste Zeile nennt {count} Schlüssel, und alle werden "
    "gebraucht.",
    "checked.keys@one": "Schlüssel: die erste Zeile nennt {count} Schlüssel, und er wird "
    "gebraucht.",
    "checked.no_keys": "Schlüssel: in diesem Bündel hat der Betreiber nichts unterschrieben.",
    "checked.receipts": "Quittungen: {count} Quittungen für diese Ereignisse, unterschrieben mit "
    "den Schlüsseln der ersten Zeile.",
    "checked.receipts@one": "Quittungen: {count} Quittung für diese Ereignisse, unterschrieben mit "
    "einem Schlüssel der ersten Zeile.",
    "checked.no_receipts": "Quittungen: es gibt keine, also bürgt der Betreiber hier für nichts.",
    "checked.receipts_unchecked": "Quittungen: {count} Quittungen für diese Ereignisse; ihre "
    "Unterschriften wurden NICHT geprüft: dieser Browser hat kein Ed25519.",
    "checked.receipts_unchecked@one": "Quittungen: {count} Quittung für diese Ereignisse; ihre "
    "Unterschrift wurde NICHT geprüft: dieser Browser hat kein Ed25519.",
    "checked.kept": "Quittungen, die du aufbewahrt hast: {count} passen zu den Ereignissen.",
    "checked.kept@one": "Quittungen, die du aufbewahrt hast: {count} passt zu den Ereignissen.",
    "checked.no_kept": "Quittungen, die du aufbewahrt hast: du hast keine angegeben.",
    "checked.kept_unchecked": "Quittungen, die du aufbewahrt hast: {count} passen zu den "
    "Ereignissen; die Unterschriften wurden NICHT geprüft: dieser Browser hat kein Ed25519.",
    "checked.kept_unchecked@one": "Quittungen, die du aufbewahrt hast: {count} passt zu den "
    "Ereignissen; die Unterschrift wurde NICHT geprüft: dieser Browser hat kein Ed25519.",
    "checked.kept_lost": "{count} sind von Ereignissen, die verloren gingen, wie das letzte "
    "Ereignis des Spiels sagt.",
    "checked.kept_lost@one": "{count} ist von einem Ereignis, das verloren ging, wie das letzte "
    "Ereignis des Spiels sagt.",
    "checked.log": "Öffentliches Protokoll: die Ereignisse 1 bis {seq} von {total} stehen im "
    "Protokoll „{origin}“ mit {leaves}.",
    "checked.log_cosigned": "Öffentliches Protokoll: die Ereignisse 1 bis {seq} von {total} stehen "
    "im Protokoll „{origin}“ mit {leaves}, gegengezeichnet von {witnesses}.",
    "checked.log_unchecked": "Öffentliches Protokoll: die Ereignisse 1 bis {seq} von {total} "
    "stehen im Protokoll „{origin}“ mit {leaves}, aber die Unterschrift des Prüfpunkts wurde NICHT "
    "geprüft: dieser Browser hat kein Ed25519.",
    "checked.no_log": "Öffentliches Protokoll: es gibt keinen Prüfpunkt, also bindet nichts das "
    "Spiel an ein Protokoll.",
    "checked.sightings": "Prüfpunkte, die du aufbewahrt hast: das Protokoll hat dieselbe "
    "Geschichte wie {count} davon.",
    "checked.sightings@one": "Prüfpunkte, die du aufbewahrt hast: das Protokoll hat dieselbe "
    "Geschichte wie {count} davon.",
    "checked.no_sightings": "Prüfpunkte, die du aufbewahrt hast: du hast keine angegeben.",
    "checked.no_checkpoint": "Prüfpunkte, die du aufbewahrt hast: das Bündel hat keinen, an den "
    "sie sich halten ließen.",
    "checked.sighting_key": "Den in Zeile {line} hat kein Schlüssel unterschrieben, der hier "
    "zählt.",
    "checked.sighting_open": "Nichts zeigt, ob der in Zeile {line} dieselbe Geschichte hat wie das "
    "Protokoll.",
    "checked.policy": "Vorgabe: wer für den Betreiber unterschrieb, tat es mit einem der "
    "Schlüssel, die sie nennt.",
    "checked.no_policy": "Vorgabe: du hast keine angegeben, also bürgt niemand für irgendeinen "
    "Schlüssel.",
    "checked.lacks": "Deine Vorgabe verlangt: {expected}; vorhanden: {recorded} ({code}).",
    "never.bots": "Ob die Bots zogen, wie ihre Programme es tun: `phaseledger verify` lässt sie "
    "noch einmal ziehen.",
    "never.keys": "Ohne Vorgabe: wem die Schlüssel gehören, die die Datei nennt. Vergleiche sie "
    "mit denen, die du auf anderem Weg bekommen hast.",
    "never.times": "Die Zeiten, außer dass sie weder einander noch den Bedingungen des Tisches "
    "widersprechen: sie sind das Wort des Betreibers.",
    "never.looked": "Ob der Betreiber während des Spiels verdeckte Karten angesehen hat: das kann "
    "keine Datei zeigen.",
}
