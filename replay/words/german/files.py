"""Why a file cannot be shown, and where it is damaged, in German."""

from collections.abc import Mapping

FILES: Mapping[str, str] = {
    "file.dispute": "{title} ist eine Streitakte mit den Dateien beider Seiten: `phaseledger "
    "verify` beurteilt sie. Um ein Spiel zu sehen, öffne eines ihrer Bündel.",
    "file.version": "{title} ist ein Bündel der Version {version}, und diese Fassung liest "
    "{other_version}: benutze die Fassung, die es geschrieben hat, oder eine neuere.",
    "file.other_version": "{title} ist von einer anderen Version, als diese Fassung liest. {text}",
    "file.nothing_good": "Nicht einmal das erste Ereignis von {title} lässt sich zeigen: {text}",
    "file.there_is_none": "es gibt keins.",
    "file.no_game": "{title} ist kein Spiel: weder ein Export noch ein Bündel von phaseledger. "
    "{text}",
    "file.hidden": "Das Spiel in {title} ist nicht zu Ende, und vorher sieht niemand seine "
    "verdeckten Karten: zeigen lässt sich nur, was alle sehen dürfen.",
    "file.hidden_seat": "Das Spiel ist nicht zu Ende, und {title} enthält nicht, was Platz {seat} "
    "wissen darf.",
    "file.bytes": "Die Datei hat mehr als {count} MB, und größere werden hier nicht gelesen.",
    "file.events": "Das Spiel hat mehr als {count} Ereignisse, und längere werden hier nicht "
    "gezeigt.",
    "file.seconds": "Das Lesen des Spiels dauerte mehr als {count} Sekunden, und mehr werden hier "
    "auf keines verwendet.",
    "file.memory": "Das Lesen brauchte mehr als {count} MB Speicher.",
    "file.processor": "Das Lesen brauchte mehr als {count} Sekunden eines Prozessors.",
    "file.unknown_game": "{title} hat kein Spiel {id}.",
    "line": "{title}:{seq}: {reason}.",
    "file.empty": "{title}: die Datei ist leer; sie enthält kein Ereignis.",
    "file.is_empty": "{title}: ist leer: die letzte Zeile muss {end} sein.",
    "file.no_event": "{title}: darin ist kein Ereignis.",
    "file.nested": "{title}: eine Zeile ist für ein Ereignis zu tief geschachtelt.",
    "line.compressed": "die Datei ist gepackt: entpacke sie zuerst, mit `{code}`",
    "line.utf_16": "die Datei ist Text in UTF-16: speichere sie in UTF-8",
    "line.event_stream": "das sind Server-Sent Events: verlange application/x-ndjson",
    "line.dispute": "das ist eine Streitakte mit den Dateien beider Seiten: phaseledger verify "
    "liest sie",
    "line.receipts": "das sind Quittungen: phaseledger verify liest sie, mit --receipt neben einem "
    "Bündel",
    "line.no_receipt": "die Zeile ist keine Quittung: {reason}",
    "line.no_receipt_file": "das ist keine Datei mit Quittungen: ein Bündel wird ohne Option "
    "angegeben",
    "line.no_sighting": "die Zeile ist weder Prüfpunkt noch Beweis: {reason}",
    "line.other_receipt": "die Quittung ist von einem anderen Spiel: {id}",
    "line.other_proof": "der Beweis ist von einem anderen Spiel: {id}",
    "line.longest_receipt": "eine Quittung hat höchstens {count} Bytes, eine Datei {total} "
    "Quittungen",
    "line.longest_sighting": "eine Sichtung des Protokolls hat höchstens {count} Bytes, eine "
    "Datei {total} Zeilen",
    "kept.no_receipt": "es steht keine Quittung darin",
    "kept.no_sighting": "es stehen weder Prüfpunkt noch Beweis darin",
    "dispute.damaged": "die Streitakte ist beschädigt: {fault}",
    "dispute.more": "auf ihre {count} Teile folgt noch etwas",
    "dispute.more@one": "auf ihren {count} Teil folgt noch etwas",
    "dispute.name": "Teil {seq} heißt wie ein anderer, {field}",
    "dispute.cut_off": "{field} ist abgeschnitten",
    "dispute.changed": "{field} ist nicht, was geschrieben wurde: der SHA-256 ist ein anderer",
    "dispute.not_canonical": "eine Zeile, die sagt, was folgt, ist nicht kanonisches JSON und ein "
    "LF",
    "dispute.no_line": "eine Zeile, die sagt, was folgt, ist keine: {error}",
    "dispute.most": "Eine Streitakte enthält höchstens {count} Dateien.",
    "dispute.largest": "eine Streitakte nimmt höchstens {count} Bytes davon auf",
    "dispute.nested": "{path} ist eine Streitakte, und in einer anderen gibt es keine.",
    "dispute.no_file": "{path} ist keine Datei, und eine Streitakte besteht aus Dateien.",
    "line.not_utf8": "die Zeile ist kein Text in UTF-8",
    "line.nested": "die Zeile ist für ein Ereignis zu tief geschachtelt",
    "line.deep": "die Zeile ist zu tief geschachtelt",
    "line.no_event": "die Zeile ist kein Ereignis: {reason}",
    "line.too_long": "die Zeile ist länger als {count} Bytes",
    "line.last_cut": "die letzte Zeile ist abgeschnitten: {reason}",
    "line.not_json": "die Zeile ist kein JSON: {reason}",
    "line.bundle_cut": "das Bündel ist abgeschnitten: die letzte Zeile muss {end} sein",
    "line.cut_here": "das Bündel ist hier abgeschnitten: die letzte Zeile muss {end} sein",
    "line.end": "die Zeile muss mit {brace} und einem LF enden",
    "line.within": "das Bündel ist in dieser Zeile abgeschnitten: sie muss mit {brace} und einem "
    "LF enden",
    "bundle.events": "das Bündel sagt, es habe {count} Ereignisse, aber es hat {total}",
    "bundle.events@one": "das Bündel sagt, es habe {count} Ereignis, aber es hat {total}",
    "bundle.lines": "vor dieser stehen {count} Zeilen, nicht {total}",
    "bundle.most": "ein Bündel hat höchstens {count} Bytes und {total} Zeilen",
    "bundle.due": "hier muss {due} stehen; da ist {step}",
    "bundle.due_line": "eine Zeile {kinds}",
    "bundle.due_nothing": "nichts mehr",
    "bundle.something": "etwas anderes",
    "bundle.no_object": "die Daten des Ereignisses sind kein Objekt",
    "bundle.receipts": "das sind Quittungen: gib sie mit --receipt neben einem Bündel an",
    "bundle.stored": "das ist ein gespeicherter Eintrag: mach ein Bündel, export --bundle",
    "bundle.mark": "vor dem Bündel steht eine Bytereihenfolge-Marke: gib es unverändert an",
    "bundle.none": "das ist kein Bündel: ein Bündel beginnt mit {begin}",
    "bundle.no_line": "das ist keine Zeile {kinds}: {reason}",
    "bundle.not_canonical": "die Zeile wurde geändert: sie ist kein kanonisches JSON (RFC 8785), "
    "wie sie geschrieben wurde",
    "bundle.opens": "das öffnet ein Siegel von Ereignis {seq} nach Ereignis {next}",
    "bundle.no_seal": "Ereignis {seq} hat kein Siegel für {audience}",
    "bundle.one_more": "hier ist ein Ereignis mehr als die {count}, die die erste Zeile nennt",
    "bundle.two": "ein Bündel hat höchstens zwei Zeilen 'inclusion'",
    "bundle.order": "die Zeilen {kinds} stehen nicht in ihrer Reihenfolge, oder eine steht "
    "zweimal da",
    "bundle.keys": "die Schlüssel müssen sortiert sein, keiner zweimal",
    "file.reason": "{title}: {fault}.",
    "file.unread": "{title}: lässt sich nicht lesen: {reason}.",
    "report.missing": "Spiel {id}: Ereignis {seq} fehlt",
    "report.fault": "Spiel {id}, Ereignis {seq}: {fault}",
    "report.unfollowable": "Spiel {id}, Ereignis {seq} folgt nicht aus denen davor ({error})",
    "report.cards": "{type} spricht von mehr Karten, als es gibt",
    "report.deck": "die ausgeteilten Karten sind nicht die des Kartenspiels",
    "report.measure": "eine Zahl darin liegt außerhalb jedes Maßes",
}
