"""What each finding means, blames, proves and advises, in German."""

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
    "broken_promise": "Ein Geheimnis oder die Kartenverteilung passt nicht zu dem, worauf man "
    "sich vorher festgelegt hat.",
    "against_rules": "Der zweite Schiedsrichter, der nur das Regelbuch hat, erhebt Einspruch "
    "gegen das Ereignis.",
    "command_repeated": "Zwei Befehle haben dieselbe Kennung, unter der das Protokoll nur einen "
    "Befehl annimmt.",
    "timed_out_early": "Ein Platz galt als überfällig, bevor seine Zeit um war, nach der eigenen "
    "Uhr des Tisches und den aufgezeichneten Zeiten.",
    "against_terms": "Eine Zeitüberschreitung, die Übergabe eines Platzes oder was darauf folgt, "
    "hat in den Bedingungen des Tisches keinen Grund.",
    "closed_early": "Das Spiel wurde wegen nicht aufgedeckter Geheimnisse abgebrochen, bevor die "
    "Zeit dafür um war, oder ohne dass eine gesetzt war.",
    "header_differs": "Die erste Zeile des Bündels passt nicht zu seinen Ereignissen.",
    "ruleset_differs": "Die Spielregeln des Bündels sind nicht die, mit denen das Spiel eröffnet "
    "wurde.",
    "secret_differs": "Eine Zeile über ein Geheimnis passt nicht zu den Ereignissen: wer es "
    "gemacht hat, worauf man sich festgelegt hat oder was aufgedeckt wurde.",
    "told_too_early": "Das Bündel eines Spiels, das nicht zu Ende ist, öffnet mehr, als sein "
    "Betrachter wissen darf.",
    "proofs_disagree": "Die Ereignisse führen zu einem anderen Stand als Startwert und "
    "Entscheidungen.",
    "bad_receipt": "Die Unterschrift einer Quittung ist nicht die des Schlüssels, den sie nennt.",
    "receipt_differs": "Eine echte Quittung des Bündels spricht von einem anderen Ereignis, "
    "Befehl oder Zeitpunkt, als dort steht.",
    "bad_checkpoint": "Der Prüfpunkt ist keiner, oder eine Unterschrift darunter ist ungültig.",
    "wrong_origin": "Der Prüfpunkt ist von einem anderen Protokoll als dem der Vorgabe.",
    "bad_cosignature": "Die Unterschrift eines Zeugen unter dem Prüfpunkt ist ungültig.",
    "cosigned_before": "Ein Zeuge sah die Ereignisse des Spiels im Protokoll vor der Zeit, zu der "
    "das letzte davon geschehen sein soll.",
    "bad_inclusion": "Der Beweis führt nicht vom Ereignis zum Prüfpunkt.",
    "bad_consistency": "Der Beweis zeigt nicht, dass das Protokoll von dem aufbewahrten Prüfpunkt "
    "aus weitergeht.",
    "unknown_key": "Es ist mit einem Schlüssel unterschrieben, dem keine Vorgabe traut.",
    "equivocation": "Von einem Ereignis gibt es zwei Geschichten.",
    "cut_off": "Es gibt eine echte Quittung oder einen echten Beweis für ein Ereignis, das dem "
    "Bündel fehlt.",
    "two_roots": "Zwei Prüfpunkte eines Protokolls, beide mit gültigen Unterschriften und "
    "Beweisen, haben dieselbe Größe und verschiedene Wurzeln.",
    "forked_log": "Zwei Prüfpunkte eines Protokolls, beide mit gültigen Unterschriften und "
    "Beweisen, stimmen nicht darin überein, welches Ereignis wo steht.",
    "log_goes_on": "Das Spiel wurde abgebrochen, weil sein Protokoll mit einer Wiederherstellung "
    "geendet hatte, und dieses Protokoll geht weiter.",
    "annulled": "Das Spiel wurde nach einer Wiederherstellung abgebrochen, und was dabei fehlt, "
    "war das Ende des Spiels, oder ein Zeuge hat es gesehen.",
    "time_backwards": "Ein Ereignis soll älter sein als das davor.",
    "time_contradicted": "Die Zeit eines Ereignisses widerspricht dem eigenen Wort des Betreibers "
    "darüber, wann ein Platz da war.",
    "seat_key_differs": "Ein Platz hat nicht den Schlüssel, den die Vorgabe für ihn nennt.",
    "receipts_missing": "Die Vorgabe verlangt Quittungen, und ein Befehl hat keine von einem "
    "Schlüssel, den sie kennt.",
    "checkpoint_missing": "Die Vorgabe verlangt einen Prüfpunkt, und das Bündel hat keinen.",
    "checkpoint_behind": "Die Vorgabe verlangt einen Prüfpunkt, und der des Bündels umfasst das "
    "letzte Ereignis nicht.",
    "witnesses_missing": "Weniger Zeugen haben den Prüfpunkt gegengezeichnet, als die Vorgabe "
    "verlangt.",
    "times_unwitnessed": "Die Vorgabe verlangt, dass Plätze auch nach der Uhr eines Zeugen ihre "
    "Zeit hatten, und bei einer Zeitüberschreitung zeigt das niemand.",
    "not_finished": "Die Vorgabe verlangt ein Spiel, das zu Ende gespielt wurde.",
    "signatures_missing": "Die Vorgabe verlangt unterschriebene Befehle, und für einen Platz "
    "bürgt nur der Betreiber: er hat keinen Schlüssel hinterlegt, oder er soll ein Bot sein, "
    "dessen Programm nicht so gezogen hat.",
    "player_secret_missing": "Die Vorgabe verlangt Karten, die der Betreiber nicht wählen konnte: "
    "das eigene Geheimnis eines Spielers muss in der Kartenverteilung sein. Hier gibt es keins, "
    "oder niemand bürgt dafür, dass der Platz, der es mitbrachte, nicht der des Betreibers ist, "
    "oder das Spiel ist nicht zu Ende.",
    "moves_unsigned": "Die Vorgabe verlangt Züge, die mit von ihr genannten Schlüsseln "
    "unterschrieben sind, und für die eines Platzes gibt es nur das Wort des Betreibers.",
    "seat_unsigned": "Die Vorgabe nennt den Schlüssel eines Platzes, und nichts im Spiel ist mit "
    "ihm unterschrieben: der Betreiber könnte den Spieler samt Schlüssel selbst eingetragen haben.",
    "bots_unproven": "Die Vorgabe verlangt, dass die Züge von Bots die ihrer Programme sind, und "
    "bei manchen wurde das nicht gesehen: der Betreiber könnte für sie gespielt haben.",
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
    "bad_receipt": "Wer die Quittung gemacht hat.",
    "bad_checkpoint": "Wer den Prüfpunkt gemacht hat.",
    "wrong_origin": "Wer einen Prüfpunkt eines anderen Protokolls genommen hat.",
    "bad_cosignature": "Wer die Gegenzeichnung gemacht hat.",
    "cosigned_before": "Die Uhr des Betreibers, wenn die des Zeugen richtig ging.",
    "unknown_key": "Niemand, solange niemand für den Schlüssel bürgt.",
    "equivocation": "Der Betreiber, wenn beide Geschichten seine echte Unterschrift haben; sonst "
    "wurde eine der Dateien geändert.",
    "two_roots": "Der Betreiber, wenn die Vorgabe den Schlüssel nennt; ohne Vorgabe kann jeder "
    "ihn gemacht haben.",
    "log_goes_on": "Der Betreiber, der nicht so von einer Wiederherstellung aus weitergemacht "
    "hat, wie er sagt.",
    "annulled": "Der Betreiber, der zeigen muss, was verloren ging; sonst niemand.",
    "time_contradicted": "Der Betreiber, durch seine eigene Unterschrift darüber, wann der Platz "
    "da war.",
    "seat_key_differs": "Noch niemand: der Betreiber kann den Platz mit einem eigenen Schlüssel "
    "eingenommen haben, oder der Spieler hat einen anderen.",
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
    "broken_promise": "Wer das Geheimnis machte, hielt sich nicht an die Festlegung: der Platz "
    "bei einem Geheimnis, das er mitbrachte, sonst der Betreiber; oder der Wert wurde seither "
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
    "told_too_early": "Entweder wurde das Ende des Spiels abgeschnitten, oder der Betreiber hat "
    "preisgegeben, was geheim war.",
    "proofs_disagree": "Dass die Ereignisse nicht nach diesen Regeln aus diesen Geheimnissen "
    "gemacht wurden, auch wenn sich kein einzelnes nennen ließ.",
    "bad_receipt": "Dass diese Quittung wertlos ist: sie wurde geändert oder nie ausgestellt.",
    "receipt_differs": "Dass der Betreiber etwas anderes unterschrieben hat, als diese Datei "
    "erzählt: die Datei wurde geändert, oder der Betreiber hat das Spiel geändert.",
    "bad_checkpoint": "Dass dieser Prüfpunkt wertlos ist: er wurde geändert oder nie "
    "veröffentlicht.",
    "wrong_origin": "Nichts über das Protokoll, das die Vorgabe nennt.",
    "bad_cosignature": "Dass der Zeuge diesen Prüfpunkt nicht so gesehen hat, wie er hier steht.",
    "cosigned_before": "Dass die Ereignisse früher geschahen, als die Zeiten des Betreibers "
    "sagen, wenn die Uhr des Zeugen richtig ging: was zu diesen Zeiten fällig war, war es noch "
    "nicht. Eine Uhr des Betreibers, die aus Versehen vorging, sieht genauso aus.",
    "bad_inclusion": "Dass nicht gezeigt ist, dass dieses Ereignis im Protokoll steht: Ereignis, "
    "Beweis oder Prüfpunkt wurde geändert.",
    "bad_consistency": "Dass nicht gezeigt ist, dass das Protokoll nur eine Geschichte hat: der "
    "Beweis oder ein Prüfpunkt wurde geändert, oder der Betreiber hat zwei Geschichten gezeigt. "
    "Wessen Schuld es ist, sagt ein weiterer Beweis: ein Betreiber, der keinen geben kann, hat "
    "sein Protokoll gespalten.",
    "unknown_key": "Nichts, solange niemand für den Schlüssel bürgt.",
    "equivocation": "Zwei echte Unterschriften des Betreibers über verschiedene Blätter für ein "
    "Ereignis beweisen, dass er zwei Geschichten erzählt hat. Eine Datei ohne Quittungen beweist "
    "nichts: dann kann die Datei geändert worden sein, und welche, sagen die Dateien allein nicht.",
    "cut_off": "Dass das Spiel weiterging: das Ende hat abgeschnitten, wer die Datei gemacht hat, "
    "oder der Betreiber; oder die Datei ist von einem Spiel, das noch läuft, und wurde davor "
    "gemacht.",
    "two_roots": "Dass, wer den Schlüssel hat, zwei Protokolle führt und verschiedenen Leuten "
    "verschiedene zeigt: der Betreiber, wenn die Vorgabe den Schlüssel nennt. Ohne Vorgabe kann "
    "jeder den Schlüssel gemacht haben.",
    "log_goes_on": "Dass der Server des Betreibers nicht so von einer Wiederherstellung aus "
    "weitergemacht hat, wie er sagt: was andere vom Ende des Spiels haben, ging nicht so verloren.",
    "annulled": "Dass der Betreiber dieses Ende unterschrieben hat und dann ein Spiel ohne es. Ob "
    "die Wiederherstellung ein Unfall war, ist gleich: was zuerst unterschrieben und gesehen "
    "wurde, gilt.",
    "time_backwards": "Dass die Zeiten erfunden oder seither geändert wurden: der Dienst stellt "
    "die Uhr eines Spiels nie zurück.",
    "time_contradicted": "Dass der Betreiber dem Ereignis eine andere Zeit gab, als es hatte: er "
    "hat unterschrieben, wann der Platz das Spiel bis zu einem Ereignis gesehen hatte und kein "
    "späteres da war, und die Ereignisse widerlegen das.",
    "seat_key_differs": "Dass hier nichts von dem unterschrieben wurde, den die Vorgabe meint: "
    "der Betreiber kann den Platz mit einem eigenen Schlüssel eingenommen haben, oder der Spieler "
    "hat einen anderen.",
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
    "told_too_early": "Hol das Bündel noch einmal vom Dienst: ist das Spiel dort zu Ende, wurde "
    "sein Ende abgeschnitten.",
    "bad_receipt": "Hol die Quittung noch einmal: GET /v1/games/{id}/receipts/{seq}.",
    "wrong_origin": "Frag den Betreiber auf anderem Weg als über den Dienst, wie das Protokoll "
    "heißt.",
    "cosigned_before": "Frag den Zeugen nach seiner Uhr. Eine Vorgabe sagt in `clock_skew`, um "
    "wie viele Sekunden die beiden abweichen dürfen.",
    "unknown_key": "Frag den Betreiber auf anderem Weg als über den Dienst nach den "
    "Prüfschlüsseln; nimm sie in die Vorgabe auf, wenn sie es sind.",
    "cut_off": "Hol das Bündel noch einmal vom Dienst und gib beide Dateien an. Fehlt das "
    "Ereignis auch dort, hat der Betreiber es gelöscht.",
    "seat_key_differs": "Frag den Spieler auf anderem Weg als über den Dienst nach dem Schlüssel.",
    "receipts_missing": "Hol das Bündel vom Dienst: es enthält alle Quittungen.",
    "checkpoint_missing": "Hol das Bündel vom Dienst, einige Sekunden nach dem letzten Ereignis "
    "des Spiels.",
    "witnesses_missing": "Hol das Bündel noch einmal, nachdem die Zeugen den Prüfpunkt gesehen "
    "haben.",
    "times_unwitnessed": "Gib `--sightings` einen Prüfpunkt, den der Zeuge gegengezeichnet hat, "
    "als der Platz gefragt war, einen, den er so viel später gegengezeichnet hat, und Beweise "
    "dafür, wo im Protokoll die Frage steht und was das Warten beendet hat. Wer damals keine "
    "Prüfpunkte aufbewahrt hat, hat jetzt keine: frag den Zeugen nach seinen.",
    "not_finished": "Hol das Bündel nach dem Ende des Spiels.",
    "signatures_missing": "Für dieses Spiel ist nichts zu machen: ein Platz hinterlegt seinen "
    "Schlüssel, wenn sich jemand hinsetzt. Bots müssen noch einmal ziehen, sobald das Spiel zu "
    "Ende ist, mit der Fassung des Dienstes, die es gespielt hat.",
    "player_secret_missing": "Für dieses Spiel ist nichts zu machen: ein Platz legt sich auf sein "
    "Geheimnis fest und hinterlegt den Schlüssel, an dem man ihn erkennt, wenn sich jemand "
    "hinsetzt. Ist es der Schlüssel eines Spielers, nenne ihn in der Vorgabe unter `players` oder "
    "`seats`.",
    "moves_unsigned": "Frag die Spieler auf anderem Weg als über den Dienst nach ihren Schlüsseln "
    "und nenne sie in der Vorgabe unter `players` oder `seats`. Ein Platz ohne Schlüssel hat "
    "keinen zu nennen: er hinterlegt einen, wenn sich jemand hinsetzt.",
    "seat_unsigned": "Frag den Spieler auf anderem Weg als über den Dienst, ob er dort saß. Wer "
    "das Hinsetzen oder irgendeinen Befehl unterschreibt, beweist es.",
    "bots_unproven": "Bots müssen noch einmal ziehen, sobald das Spiel zu Ende ist: prüfe es mit "
    "der Fassung des Dienstes, die es gespielt hat.",
}
"""What to do, by one of the codes that advise the same."""
GRADES: Mapping[str, str] = {
    "proven": "Ein lügender Betreiber hätte weder die Karten noch die Züge ändern noch einen "
    "Platz zu früh für überfällig erklären können: das binden Geheimnisse und Unterschriften von "
    "Spielern, die die Vorgabe nennt, die Programme der Bots und die Uhren von Zeugen.",
    "attested": "Wer spielte, die Karten und die Züge sind durch Spieler gebunden, die die Vorgabe "
    "nennt, und durch die Programme der Bots. Das Ende des Spiels, oder wessen Zeit um war, ist "
    "allein das Wort des Betreibers. Die erste Zeile des Urteils sagt, welches von beiden.",
    "recorded": "Der Betreiber ist an diese eine Geschichte gebunden, durch seine eigene "
    "Unterschrift oder durch andere, die sie gesehen haben; manches daran ist aber allein sein "
    "Wort: er kann die Karten gewählt, Züge gemacht oder Bots gespielt haben. Die erste Zeile des "
    "Urteils sagt, was.",
    "consistent": "Die Datei widerspricht weder sich selbst noch den Regeln, und niemand, den die "
    "Vorgabe nennt, bürgt für sie. Ohne Vorgabe hat kein Spiel eine bessere Stufe.",
    "none": "Etwas ist falsch, also beweist die Datei nichts über das Spiel.",
}
"""What each grade says of a game."""
