"""What checks of a game say, and who vouches for an event, in German."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "topic.chain": "Kette: {text}",
    "topic.header": "Kopfzeile: {text}",
    "topic.ruleset": "Spielregeln: {text}",
    "topic.seals": "Siegel: {text}",
    "topic.commitments": "Festlegungen: {text}",
    "topic.events_alone": "Ereignisse allein: {text}",
    "topic.seed_and_decisions": "Startwert und Entscheidungen: {text}",
    "topic.agreement": "Übereinstimmung: {text}",
    "topic.referee": "Schiedsrichter: {text}",
    "topic.signatures": "Unterschriften: {text}",
    "topic.bots": "Bots: {text}",
    "topic.times": "Zeiten: {text}",
    "topic.receipts": "Quittungen: {text}",
    "topic.held_receipts": "aufbewahrte Quittungen: {text}",
    "topic.checkpoint": "Prüfpunkt: {text}",
    "topic.witnesses": "Zeugen: {text}",
    "chain.breaks": "Die Hashkette reißt bei Ereignis {seq}.",
    "chain.changed": "Die Hashkette reißt bei Ereignis {seq}: Ereignis {changed} wurde geändert, "
    "denn Ereignis {next} folgt auf ein anderes, und auf Ereignis {same}, wie es dasteht, folgt "
    "{after}.",
    "chain.whole": "Die Hashkette läuft durch alle {count} Ereignisse.",
    "chain.whole@one": "Die Hashkette läuft durch das eine Ereignis.",
    "the_first_line": "die erste Zeile",
    "header.bad": "Die erste Zeile passt nicht zu dem, was folgt.",
    "header.good": "Die erste Zeile passt zu dem, was folgt.",
    "ruleset.bad": "Die Spielregeln sind nicht die, mit denen das Spiel eröffnet wurde.",
    "ruleset.good": "Die Spielregeln sind die, mit denen das Spiel eröffnet wurde.",
    "seals.bad": "Ein Siegel von Ereignis {seq} ist falsch.",
    "seals.all": "Alle {count} Siegel sind geöffnet, und jeder Wert passt zu seinem.",
    "seals.all@one": "Das einzige Siegel ist geöffnet, und sein Wert passt dazu.",
    "seals.none": "Es gibt keine Siegel.",
    "seals.some": "{count} von {total} Siegeln sind geöffnet und passen.",
    "seals.some@one": "{count} von {total} Siegeln ist geöffnet und passt.",
    "commitments.bad": "Die Geheimnisse sind nicht die, auf die man sich festgelegt hat.",
    "commitments.good": "{count} von {total} Geheimnissen sind aufgedeckt, jedes wie festgelegt.",
    "commitments.good@one": "{count} von {total} Geheimnissen ist aufgedeckt, wie festgelegt.",
    "fault": "Ereignis {seq}: {fault}.",
    "not_over": "Aus dem Startwert neu entschieden wird ein Spiel erst, wenn es zu Ende ist.",
    "within_command": "Die Ereignisse enden mitten in einem Befehl.",
    "followed": "Verfolgt, soweit sie bekannt sind: die Zahl der Karten stimmt zu jeder Zeit.",
    "folded": "Für sich allein verfolgt, geht nie eine Karte verloren, und jede Festlegung wurde "
    "eingehalten.",
    "replayed": "Allein aus den Geheimnissen und den aufgezeichneten Entscheidungen neu "
    "entschieden, ergeben sich dieselben Ereignisse, Byte für Byte.",
    "agreement.good": "Beide Beweise führen zum selben Stand, bis zur letzten Karte.",
    "agreement.bad": "Die zwei Beweise ergeben nicht ein und dasselbe einwandfreie Spiel.",
    "referee.good": "Noch einmal beurteilt, allein nach dem Regelbuch: kein Ereignis verstößt "
    "gegen die Regeln.",
    "referee.bad": "Ereignis {seq}, {who}: {objection}.",
    "proof.another": "neu entschieden, ergibt sich ein anderes Ereignis",
    "proof.after_end": "es folgt auf das Ende des Spiels oder eröffnet ein weiteres",
    "proof.too_many_cards": "es bewegt mehr Karten, als es gibt",
    "proof.promise": "{subject}: erwartet {expected}, aufgezeichnet {recorded}",
    "proof.unfollowable": "es folgt nicht aus den Ereignissen davor: {error}",
    "proof.cards": "die Karten sind nicht die des Kartenspiels",
    "proof.no_event": "es gibt kein Ereignis",
    "proof.no_opening": "es eröffnet kein Spiel",
    "proof.opening_refused": "die Regeln lehnen die Eröffnung ab: {code}",
    "proof.opening_unread": "die Regeln können die Eröffnung nicht lesen: {error}",
    "proof.not_asked_for": "im Spiel ist {field} nicht das, was bei der Eröffnung verlangt wurde",
    "proof.decision_refused": "die Regeln lehnen die Entscheidung ab: {code}",
    "proof.decision_unread": "die Regeln können die Entscheidung nicht lesen: {error}",
    "proof.must_follow": "es muss ein {type} folgen",
    "proof.no_decision": "es folgt aus keiner Entscheidung",
    "opening.before": "es kommt, bevor das Spiel eröffnet ist",
    "opening.after": "es kommt nach dem Ende",
    "opening.before_deal": "es kommt, bevor die Kartenverteilung feststeht",
    "opening.again": "es eröffnet das Spiel noch einmal",
    "opening.frees": "es macht an einem geschlossenen Tisch einen Platz frei",
    "opening.hands_over": "es übergibt einen Platz, der noch aufdecken muss",
    "opening.sits_late": "es besetzt einen Platz an einem geschlossenen Tisch",
    "opening.sits_twice": "es besetzt einen Platz, der nicht frei ist",
    "opening.other_secret": "es nennt ein anderes Geheimnis als das, auf das Platz {seat} sich "
    "festgelegt hat",
    "opening.seals_again": "es schließt den Tisch noch einmal",
    "opening.seals_early": "es schließt einen Tisch für {total}, an dem sich {count} festgelegt "
    "haben",
    "opening.seals_early@one": "es schließt einen Tisch für {total}, an dem sich {count} "
    "festgelegt hat",
    "opening.not_due": "es deckt ein Geheimnis auf, das nicht erwartet wird",
    "opening.deals_early": "es legt die Kartenverteilung fest, bevor alle Geheimnisse da sind",
    "opening.deals_again": "es legt die Kartenverteilung noch einmal fest",
    "opening.other_deal": "es legt eine andere Kartenverteilung fest als die fällige",
    "opening.reveals_other": "es deckt ein anderes Geheimnis auf als das festgelegte",
    "opening.never_dealt": "es beendet ein Spiel, das nie ausgeteilt wurde",
    "opening.names_others": "es nennt andere Plätze als die, die eine Antwort schuldig sind",
    "signatures.bad": "Ein Befehl ist nicht mit dem Schlüssel seines Platzes unterschrieben.",
    "signatures.none_sent": "Kein Platz mit einem Schlüssel hat einen Befehl gesendet.",
    "signatures.no_key": "Kein Platz hat einen Schlüssel hinterlegt.",
    "signatures.good": "Befehle mit einer gültigen Unterschrift ihres Platzes: {count}.",
    "signatures.sealed": "Befehle mit einer gültigen Unterschrift ihres Platzes: {count}; über "
    "noch Versiegeltes unterschrieben: {total}.",
    "bots.not_asked": "Kein Bot musste noch einmal ziehen, wie verlangt.",
    "bots.later": "Ein Bot muss noch einmal ziehen, sobald sein Spiel zu Ende und einwandfrei ist.",
    "bots.others": "{count} von {total} Zügen, die von Bots sein sollen, sind nicht die der "
    "Programme dieser Fassung: eine andere Fassung, eine Simulation oder jemand anders hat sie "
    "gemacht.",
    "bots.others@one": "{count} von {total} Zügen, die von Bots sein sollen, ist nicht der des "
    "Programms dieser Fassung: eine andere Fassung, eine Simulation oder jemand anders hat ihn "
    "gemacht.",
    "bots.own": "Alle {count} Züge, die von Bots sein sollen, sind die ihrer Programme.",
    "bots.own@one": "Der eine Zug, der von einem Bot sein soll, ist der seines Programms.",
    "bots.none": "Kein Zug soll von einem Bot sein.",
    "times.not_checked": "Die Zeiten werden verglichen, wo die Hashkette ganz ist.",
    "times.bad": "Die eigenen Zeiten des Betreibers widersprechen einander oder den Bedingungen "
    "des Tisches.",
    "times.good": "Nach der Uhr des Betreibers liegt kein Ereignis vor einem früheren und keine "
    "Zeitüberschreitung vor ihrer Zeit.",
    "receipts.bad": "Die Quittungen bürgen nicht für diese Ereignisse.",
    "receipts.none": "Das Bündel hat keine Quittungen.",
    "receipts.good": "{count} von {total} Befehlen haben eine echte Quittung von {signer}.",
    "receipts.good@one": "{count} von {total} Befehlen hat eine echte Quittung von {signer}.",
    "receipts.kept": "{count} aufbewahrte Quittungen passen zu den Ereignissen.",
    "receipts.kept@one": "{count} aufbewahrte Quittung passt zu den Ereignissen.",
    "signer.policy": "einem Schlüssel der Vorgabe",
    "signer.nobody": "einem Schlüssel, für den niemand bürgt",
    "checkpoint.none": "Das Bündel hat keinen Prüfpunkt des Protokolls.",
    "checkpoint.bad": "Der Prüfpunkt bürgt nicht für diese Ereignisse.",
    "checkpoint.good": "Das Protokoll {origin} hat die Ereignisse bis {seq}, unterschrieben von "
    "{signer}.",
    "note.nothing_binds": "Nichts hier bindet den Betreiber: das Bündel hat weder Quittung noch "
    "Prüfpunkt.",
    "note.no_end": "Noch kein Ende: das Spiel geht nach Ereignis {seq} weiter, oder es wurde dort "
    "abgeschnitten.",
    "note.view": "Das ist die Sicht auf ein Spiel, das noch läuft: erzählt wird, soweit ihr "
    "Betrachter es weiß, und nichts wird neu entschieden. `phaseledger verify` prüft ein Bündel "
    "davon.",
    "note.restored": "{count} Quittungen sind von verlorenen Ereignissen: der Betreiber machte "
    "von einer Sicherung aus weiter, sagte es im letzten Ereignis des Spiels und brach es ab.",
    "note.restored@one": "{count} Quittung ist von einem verlorenen Ereignis: der Betreiber "
    "machte von einer Sicherung aus weiter, sagte es im letzten Ereignis des Spiels und brach es "
    "ab.",
    "note.beyond": "{count} Quittungen sind von späteren Ereignissen: diese Datei wurde vor ihnen "
    "gemacht und geht in {path} weiter.",
    "note.beyond@one": "{count} Quittung ist von einem späteren Ereignis: diese Datei wurde vor "
    "ihm gemacht und geht in {path} weiter.",
    "note.same_story": "Sie erzählt dieselbe Geschichte wie {path}, soweit beide gehen.",
    "note.lost": "{count} Ereignisse von {path} sind verloren: der Betreiber machte von einer "
    "Sicherung aus weiter, sagte es in Ereignis {seq} von {other_value} und brach das Spiel ab.",
    "note.lost@one": "{count} Ereignis von {path} ist verloren: der Betreiber machte von einer "
    "Sicherung aus weiter, sagte es in Ereignis {seq} von {other_value} und brach das Spiel ab.",
    "note.by_others": "Nach deinem Wort haben andere als der Betreiber die Quittungen aufbewahrt.",
    "note.early": "Eine Mitunterschrift von {key}, für den niemand bürgt, ist früher datiert als "
    "das neueste Ereignis darunter: mit einer Vorgabe, die den Schlüssel nennt, ist das ein "
    "Befund.",
    "note.strangers": "Quittungen, die etwas anderes erzählen, mit Schlüsseln, für die niemand "
    "bürgt: {count}. Mit einer Vorgabe, die die Schlüssel nennt, ist das ein Befund.",
    "note.counts": "Von den beiden Dateien gilt {path}.",
    "note.shared": "Ein Schlüssel hat diese Plätze, also saß an allen ein Spieler: {value}.",
    "note.history": "Ihr Protokoll hat eine gemeinsame Geschichte mit {count} Prüfpunkten, die "
    "jemand aufbewahrt hat.",
    "note.history@one": "Ihr Protokoll hat eine gemeinsame Geschichte mit einem Prüfpunkt, den "
    "jemand aufbewahrt hat.",
    "note.no_key": "Den Prüfpunkt in {path}:{seq} hat kein Schlüssel unterschrieben, der hier "
    "zählt.",
    "note.no_proof": "Nichts zeigt, ob ihr Protokoll eine gemeinsame Geschichte mit dem Prüfpunkt "
    "in {path}:{seq} hat: ein Konsistenzbeweis von {count} zu {total} Blättern würde es zeigen.",
    "done.decided": "{count} Ereignisse wurden neu entschieden und sind wie aufgezeichnet.",
    "done.decided@one": "{count} Ereignis wurde neu entschieden und ist wie aufgezeichnet.",
    "done.followed": "{count} Ereignisse wurden verfolgt, soweit ihr Betrachter sie kennt.",
    "done.followed@one": "{count} Ereignis wurde verfolgt, soweit sein Betrachter es kennt.",
    "voucher.player": "der Spieler: {ground}",
    "voucher.program": "der Bot: {ground}",
    "voucher.operator": "der Betreiber: {ground}",
    "voucher.witness": "ein Zeuge: {ground}",
    "voucher.later_player": "ein Spieler, später: {ground}",
    "voucher.key": "{ground} (Schlüssel {key}, {trust})",
    "voucher.trusted": "von der Vorgabe genannt",
    "voucher.untrusted": "niemand bürgt dafür",
    "voucher.nobody": "Niemand: wer diese Datei geschrieben hat, könnte es erfunden haben.",
    "ground.signed": "mit dem Schlüssel von {name} auf Platz {seat} unterschrieben",
    "ground.program": "das Programm des Bots macht, noch einmal gefragt, denselben Zug",
    "ground.receipt": "eine Quittung im Bündel",
    "ground.checkpoint": "ein Prüfpunkt des Protokolls {origin} über die Ereignisse bis {seq}",
    "ground.cosignature": "eine Gegenzeichnung: nach seiner eigenen Uhr hat er den Prüfpunkt "
    "spätestens um {time} UTC gesehen",
    "ground.later": "Platz {seat} unterschrieb einen späteren Befehl (Ereignis {seq}) als einen, "
    "der darauf folgt",
    "note.present": "Platz {seat} war da: um {time}, {count} Sekunden nach Ereignis {seq}, hat er "
    "dem Betreiber mit Unterschrift gesagt, dass er dieses gesehen hatte, und ein späteres gab es "
    "nicht.",
    "note.told": "Platz {seat} war da: um {time}, {count} Sekunden nach Ereignis {seq}, hat er dem "
    "Betreiber gesagt, dass er dieses gesehen hatte, und ein späteres gab es nicht.",
    "note.left": "Platz {seat} ging mit Ereignis {seq}, und ein Bot spielt weiter.",
    "note.overdue": "Platz {seat} hatte bei Ereignis {seq} die Zeit überschritten, allein nach "
    "der Uhr des Betreibers: {consequence}.",
    "note.answered": "ein Bot antwortete bis zum nächsten Zug",
    "note.plays_on": "ein Bot spielt weiter",
    "note.broken_off": "das Spiel wurde abgebrochen",
    "proof.promise_nothing": "{subject}: nichts erwartet, aufgezeichnet {hash}",
}
