"""What findings and verdicts say, in German."""

from collections.abc import Mapping

MEANS: Mapping[str, str] = {
    "gap": "Ein Ereignis fehlt: die Nummern lassen eine aus.",
    "reordered": "Die Ereignisse stehen nicht in der Reihenfolge ihrer Nummern.",
    "repeated": "Eine Ereignisnummer steht ein zweites Mal da.",
    "wrong_game": "Ein Ereignis eines anderen Spiels steht zwischen denen dieses Spiels.",
    "unknown_topic": "Ein Ereignis einer Art, die dieses Programm nicht kennt; es wird nie "
    "übergangen.",
    "unreadable": "Die Bytes sind kein Ereignis dieses Programms.",
    "sealed": "Ein Teil des Ereignisses ist noch versiegelt, also kann niemand es neu entscheiden.",
    "broken_seal": "Ein geöffneter Teil passt nicht zu seinem Siegel.",
    "not_canonical": "Die Bytes sind nicht die eine vorgeschriebene Form dessen, was sie sagen.",
    "broken_chain": "Das Ereignis setzt die Kette nicht fort: es selbst oder das davor wurde "
    "geändert.",
    "truncated": "Das Protokoll bricht mitten in den Ereignissen eines Befehls ab.",
    "after_end": "Ein Ereignis folgt auf das Ende des Spiels.",
    "no_decision": "Ein Ereignis folgt aus keiner aufgezeichneten Entscheidung.",
    "illegal_decision": "Die Regeln lehnen die aufgezeichnete Entscheidung ab.",
    "bad_signature": "Der Platz hat das, was als seine Entscheidung aufgezeichnet ist, nicht "
    "unterschrieben, oder nicht an dieser Stelle.",
    "outcome_differs": "Noch einmal aus dem Startwert entschieden, ergibt sich ein anderes "
    "Ereignis.",
    "state_differs": "Die Ereignisse führen nicht zu dem Stand, zu dem die Entscheidung führte.",
    "cards_lost": "Die Karten auf dem Tisch und in den Händen sind nicht das vollständige Spiel.",
    "broken_promise": "Ein Geheimnis oder die Kartenverteilung passt nicht zu dem, worauf man sich "
    "vorher festgelegt hat.",
    "against_rules": "Der zweite Schiedsrichter, der nur das Regelbuch hat, erhebt Einspruch gegen "
    "das Ereignis.",
    "command_repeated": "Zwei Befehle haben dieselbe Kennung, unter der das Protokoll nur einen "
    "Befehl annimmt.",
    "timed_out_early": "Ein Platz galt als überfällig, bevor seine Zeit um war, nach der eigenen "
    "Uhr des Tisches und den aufgezeichneten Zeiten.",
    "against_terms": "Eine Zeitüberschreitung, die Übergabe eines Platzes oder was darauf folgt, "
    "hat in den Bedingungen des Tisches keinen Grund.",
    "closed_early": "Das Spiel wurde wegen nicht aufgedeckter Geheimnisse abgebrochen, bevor die "
    "Zeit dafür um war, oder ohne dass eine gesetzt war.",
}
"""What each code of a finding means."""
BLAMES: Mapping[str, str] = {
    "gap": "Wer diese Datei geschrieben oder weitergegeben hat; der Betreiber, wo seine eigene "
    "Quittung oder sein Prüfpunkt für sie bürgt.",
    "unreadable": "Niemand.",
    "broken_seal": "Der Betreiber oder wer diese Datei geschrieben hat: von sich aus sagt sie "
    "nicht, wer.",
    "outcome_differs": "Der Server des Betreibers oder wer die Ereignisse seither geändert hat; "
    "der Betreiber allein, wo seine eigene Quittung oder sein Prüfpunkt für sie bürgt.",
    "illegal_decision": "Der Server des Betreibers, der einen nie erlaubten Zug annahm, oder wer "
    "ihn seither geändert hat; auch der Platz, wo seine Unterschrift gültig ist.",
    "bad_signature": "Wer das Ereignis geschrieben hat: nicht der Platz, der es dort und da nicht "
    "gesendet hat.",
    "broken_promise": "Wer das Geheimnis gemacht hat: der Platz für eines, das er mitbrachte, "
    "sonst der Betreiber; oder wer es seither geändert hat.",
    "against_rules": "Die Regeln, nach denen der Server des Betreibers spielt, oder der zweite "
    "Schiedsrichter.",
    "timed_out_early": "Der Betreiber, nach seiner eigenen Uhr.",
}
"""Whom it blames, by one of the codes that blame the same."""
PROVES: Mapping[str, str] = {
    "gap": "Von sich aus nur, dass diese Datei nicht das ist, was gespielt wurde: wer sie "
    "geschrieben oder weitergegeben hat, kann sie geändert haben. Wo eine echte Quittung oder ein "
    "Prüfpunkt für die Datei bürgt, war es der Betreiber.",
    "unreadable": "Nichts gegen irgendjemanden.",
    "broken_seal": "Der verborgene Wert wurde geändert, nachdem das Ereignis veröffentlicht war, "
    "oder sein Siegel war von Anfang an falsch. Die Kette bindet die Ereignisse; nur die Siegel "
    "binden die geöffneten Werte.",
    "outcome_differs": "Der Server des Betreibers hat diese Ereignisse gemacht, oder jemand hat "
    "sie seither geändert. Eine echte Quittung über dieses Ereignis oder ein Prüfpunkt über das "
    "Spiel zeigt, dass es der Betreiber war.",
    "illegal_decision": "Der aufgezeichnete Zug war nie erlaubt: der Server des Betreibers nahm "
    "ihn trotzdem an, oder er wurde seither geändert. Die gültige Unterschrift eines Platzes "
    "zeigt, dass der Platz ihn gesendet hat.",
    "bad_signature": "Der Platz, der den Schlüssel hinterlegt hat, hat diesen Befehl dort und da "
    "nicht gesendet; wer das Ereignis schrieb, hat ihn ihm in den Mund gelegt.",
    "against_rules": "Die Regeln, nach denen der Server des Betreibers spielt, sind an dieser "
    "Stelle nicht die des Regelbuchs, oder der zweite Schiedsrichter irrt: die Regel ist genannt "
    "und lässt sich nachlesen. Noch einmal zu entscheiden kann es nicht zeigen, denn das "
    "geschieht nach denselben Regeln.",
    "broken_promise": "Wer das Geheimnis machte, hielt sich nicht an die Festlegung: der Platz bei "
    "einem Geheimnis, das er mitbrachte, sonst der Betreiber; oder der Wert wurde seither "
    "geändert.",
    "command_repeated": "Der Server des Betreibers hat einen Befehl zweimal angenommen oder einen "
    "eigenen unter die Kennung eines anderen gestellt; oder die Kennung wurde seither geändert. "
    "Der Dienst nimmt jede Kennung einmal an.",
    "timed_out_early": "Dass dem Platz, und was immer ihm oder dem Spiel wegen der Verspätung "
    "widerfuhr, nichts vorzuwerfen ist: nach der eigenen Uhr des Betreibers hatte er noch Zeit zu "
    "antworten.",
    "against_terms": "Dass der Server des Betreibers einem Platz etwas angetan hat, was die "
    "Bedingungen, die im ersten Ereignis stehen, nicht vorsehen; oder dass die Ereignisse seither "
    "geändert wurden.",
    "closed_early": "Dass die genannten Plätze nach der eigenen Uhr des Betreibers noch nichts "
    "schuldig waren.",
}
"""What it proves, by one of the codes that prove the same."""
ADVISES: Mapping[str, str] = {
    "gap": "Hol das Bündel noch einmal vom Dienst und prüfe beide: `phaseledger verify ONE OTHER`.",
    "unknown_topic": "Benutze die Fassung, die das Spiel geschrieben hat, oder eine neuere.",
    "sealed": "Hol das Bündel oder den Export nach dem Ende des Spiels.",
    "outcome_differs": "Bewahre diese Datei und die Quittungen auf; sie sind der Beweis. Zeig sie "
    "den anderen Plätzen.",
    "against_rules": "Schlag die Regel nach. Ist der Einspruch richtig, bewahre die Datei auf und "
    "melde den Fehler.",
}
"""What to do, by one of the codes that advise the same."""
GRADES: Mapping[str, str] = {
    "proven": "Ein lügender Betreiber hätte weder die Karten noch die Züge ändern noch einen Platz "
    "zu früh für überfällig erklären können: das binden Geheimnisse und Unterschriften von "
    "Spielern, die die Vorgabe nennt, die Programme der Bots und die Uhren von Zeugen.",
    "attested": "Wie bewiesen, bis auf das Ende des Spiels oder wessen Zeit um war: das ist allein "
    "das Wort des Betreibers. Die erste Zeile des Urteils sagt, welches von beiden.",
    "recorded": "Der Betreiber ist an diese eine Geschichte gebunden, durch seine eigene "
    "Unterschrift oder durch andere, die sie gesehen haben; manches daran ist aber allein sein "
    "Wort: er kann die Karten gewählt, Züge gemacht oder Bots gespielt haben. Die erste Zeile des "
    "Urteils sagt, was.",
    "consistent": "Die Datei widerspricht weder sich selbst noch den Regeln, und niemand, den die "
    "Vorgabe nennt, bürgt für sie. Ohne Vorgabe hat kein Spiel eine bessere Stufe.",
    "none": "Etwas ist falsch, also beweist die Datei nichts über das Spiel.",
}
"""What each grade says of a game."""
VERDICTS: Mapping[str, str] = {
    "wrong": "FALSCH: das ist kein Spiel, das nach seinen Regeln aus seinen Geheimnissen gespielt "
    "wurde",
    "damaged": "BESCHÄDIGT: das kann nicht beurteilt werden",
    "operator": "NICHT VERBÜRGT: die Beweise des Betreibers halten nicht",
}
"""The headline of what is not sound, by its conclusion."""
