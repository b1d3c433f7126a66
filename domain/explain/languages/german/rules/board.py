"""The rules of the board game."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "B-01": "Das Spiel ist für 2 bis 6 Spieler.",
    "B-02": "Gespielt wird mit genau 96 Zahlenkarten: 1 bis 12 in 4 Farben, jede zweimal.",
    "B-03": "Es gibt keine Joker- und keine Aussetzkarten; Joker entstehen nur aus umgedrehten "
    "Zahlenkarten (B-29).",
    "B-04": "Der Spielplan hat einen geschlossenen Rundweg aus 32 Aktionsfeldern von 8 Arten und "
    "eine Phasenleiste aus 10 Phasenfeldern, auf die ein Zielfeld mit dem Lorbeerkranz folgt.",
    "B-05": "Jeder Spieler hat eine Spielfigur (Rundweg) und einen Phasenstein (Phasenleiste); es "
    "gibt zwei sechsseitige Würfel.",
    "B-06": "Alle Spielfiguren beginnen auf dem großen blauen Aktionsfeld mit Sternen.",
    "B-07": "Alle Phasensteine beginnen auf Phase 1.",
    "B-08": "Jeder Spieler erhält 10 Karten, einzeln ausgeteilt, und hält sie geheim.",
    "B-09": "Fünf weitere Karten werden offen als Ablagestapel hingelegt, sodass nur die oberste "
    "zu sehen ist.",
    "B-10": "Die übrigen Karten bilden verdeckt den Nachziehstapel.",
    "B-11": "Der jüngste Spieler beginnt die erste Runde.",
    "B-12": "Gespielt wird im Uhrzeigersinn.",
    "B-13": "Ist das Alter nicht bekannt, nennt der Gastgeber, wer die erste Runde beginnt.",
    "B-14": "Ein Zug hat drei Schritte: (1) würfeln, ziehen und Aktion, das ist Pflicht; (2) die "
    "Phase auslegen und anlegen, das ist freiwillig; (3) ablegen, das ist Pflicht.",
    "B-15": "Der Spieler wirft beide Würfel, wählt einen davon und zieht seine Figur um dessen "
    "Augenzahl im Uhrzeigersinn (nie um die Summe zweier verschiedener Würfel).",
    "B-16": "Bei einem Pasch darf der Spieler um die Augenzahl eines Würfels oder um das Doppelte "
    "ziehen.",
    "B-17": "Felder, auf denen andere Figuren stehen, werden übersprungen und nicht gezählt: die "
    "Figur landet auf dem n-ten freien Feld.",
    "B-18": "Auf einem Feld steht also höchstens eine Figur, außer auf dem Startfeld, bevor die "
    "Figuren es verlassen haben.",
    "B-19": "Das erreichte Feld bestimmt die Aktion; sie muss vor Schritt 2 ausgeführt werden.",
    "B-20": "Reihenfolge und Anzahl der Aktionsarten auf den 32 Feldern sind die des üblichen "
    "Rundwegs: +1 Karte fünfmal, +2 Karten fünfmal, +3 Karten dreimal; Joker, Suchen, Fragen, "
    "Tauschen und Noch einmal je dreimal; Alle ziehen und Freie Wahl je zweimal.",
    "B-21": "+1, +2, +3 Karten: der Spieler muss genau so viele Karten nehmen, wie angegeben, jede "
    "von oben vom Nachziehstapel oder vom Ablagestapel.",
    "B-22": "+1, +2, +3 Karten: von welchem Stapel die nächste Karte kommt, wird erst gewählt, "
    "nachdem die vorige angesehen ist.",
    "B-23": "Suchen: der Spieler sieht den ganzen Ablagestapel durch und nimmt eine Karte seiner "
    "Wahl auf die Hand, ungesehen von den anderen.",
    "B-24": "Suchen: der Stapel kommt in unveränderter Reihenfolge zurück.",
    "B-25": "Tauschen, erste Hälfte: der Spieler legt 1 bis 4 Karten der Hand ab; die anderen "
    "sehen nur die oberste.",
    "B-26": "Tauschen, zweite Hälfte: der Spieler zieht vom Nachziehstapel eine Karte mehr, als er "
    "abgelegt hat.",
    "B-27": "Noch einmal: der Spieler nimmt die oberste Karte des Nachzieh- oder des "
    "Ablagestapels, darf Schritt 2 ausführen, legt eine Karte ab und spielt dann einen "
    "vollständigen neuen Zug (Schritte 1 bis 3).",
    "B-28": "Noch einmal: landet die Figur im neuen Zug wieder auf Noch einmal, gibt es noch einen "
    "neuen Zug, unbegrenzt. Endet die Runde im ersten Teil, entfällt der neue Zug.",
    "B-29": "Joker: der Spieler zieht die oberste Karte des Nachziehstapels, sieht sie kurz an und "
    "steckt sie verkehrt herum in die Hand; diese Karte ist ein Joker.",
    "B-30": "Sichtbarkeit des Jokers: sein Besitzer sieht nur die Rückseite, alle anderen Spieler "
    "sehen die Vorderseite eines Jokers auf der Hand.",
    "B-31": "Alle ziehen: der Spieler zieht die oberste Karte des Nachziehstapels, dann zieht "
    "jeder andere Spieler der Reihe nach auch eine.",
    "B-32": "Fragen: der Spieler nennt einen Wert von 1 bis 12 (nie eine Farbe) und fragt die "
    "anderen nacheinander, nach links oder nach rechts, wie er will.",
    "B-33": "Fragen: der erste Spieler, der diesen Wert hat, muss eine solche Karte hergeben; "
    "damit endet das Fragen.",
    "B-34": "Fragen: wer eine Karte hergibt, erhält sofort die oberste Karte des Nachziehstapels "
    "als Ersatz, ob er will oder nicht; der Ersatz ist eine gewöhnliche Karte, auch wenn ein "
    "Joker hergegeben wurde.",
    "B-35": "Fragen: hat niemand den Wert, zieht der Fragende die oberste Karte des "
    "Nachziehstapels.",
    "B-36": "Fragen: ein Joker, dessen Vorderseite den gefragten Wert zeigt, muss hergegeben "
    "werden, wenn sein Besitzer keine andere Karte dieses Wertes hat; hat er eine andere, wird "
    "der Joker nicht hergegeben.",
    "B-37": "Fragen: wer mehrere passende gewöhnliche Karten hat, wählt, welche er hergibt.",
    "B-38": "Fragen: ein so erhaltener Joker wird richtig herum gedreht: für seinen neuen Besitzer "
    "ist er eine gewöhnliche Zahlenkarte.",
    "B-39": "Freie Wahl: der Spieler wählt eine beliebige andere Aktionsart, zieht seine Figur im "
    "Uhrzeigersinn auf deren erstes freies Feld und führt diese Aktion aus.",
    "B-40": "Freie Wahl: eine Aktion, deren Felder alle besetzt sind, kann nicht gewählt werden.",
    "B-41": "Freie Wahl kann nicht Freie Wahl wählen.",
    "B-42": "Freie Wahl von +Karten nennt die Zahl: +1, +2 und +3 sind eigene Möglichkeiten, jede "
    "mit ihrem eigenen ersten freien Feld.",
    "B-43": "Karten werden nur durch Aktionen gezogen (einen eigenen Schritt zum Ziehen gibt es "
    "nicht).",
    "B-44": "Die Phasen verwenden drei Arten von Kombinationen (eine Farbe, Folgen, Sätze), teils "
    "gemischt.",
    "B-45": "Eine Farbe: auf die Werte kommt es nicht an.",
    "B-46": "Eine Folge besteht aus 3 oder mehr Karten mit aufeinanderfolgenden Werten in "
    "beliebigen Farben.",
    "B-47": "Zwischen 12 und 1 gibt es keine Verbindung.",
    "B-48": "Ein Satz besteht aus Karten eines Wertes in beliebigen Farben.",
    "B-49": "Mehrere Sätze einer Phase dürfen denselben Wert haben.",
    "B-50": "In Schritt 2 darf ein Spieler die Phase, die sein Phasenstein zeigt, vollständig und "
    "offen von der Hand auslegen; einen Teil auszulegen ist verboten.",
    "B-51": "Ausgelegt werden darf, welche Aktion in Schritt 1 auch ausgeführt wurde.",
    "B-52": "Mehr Karten als nötig dürfen unmittelbar mit ausgelegt werden.",
    "B-53": "Nach dem Auslegen der eigenen Phase darf ein Spieler in Schritt 2 eine oder mehrere "
    "passende Karten an eigene oder fremde ausgelegte Phasen anlegen, auch im selben Zug.",
    "B-54": "Vor dem Auslegen der eigenen Phase darf nirgends eine Karte angelegt werden.",
    "B-55": "Angelegte Karten müssen ausgelegte Kombinationen verlängern; neue Kombinationen sind "
    "verboten.",
    "B-56": "Ein Joker ersetzt jede Zahl oder jede Farbe, in jeder Phase.",
    "B-57": "Ein ausgelegter Joker wird nie gegen die Karte ausgetauscht, für die er steht.",
    "B-58": "Jeder Teil einer Phase (jede Kombination) enthält mindestens eine echte Karte.",
    "B-59": "In einer Folge liegt ein Joker so, dass sein Wert klar ist; dieser Wert steht dann "
    "fest.",
    "B-60": "Joker dürfen unbegrenzt an einen „vollen“ Satz oder eine „volle“ Folge angelegt "
    "werden.",
    "B-61": "Ein Satz ist mit allen acht Karten seines Wertes voll, eine Folge, wenn sie von 1 bis "
    "12 reicht, beide mit oder ohne Joker.",
    "B-62": "An einen Satz, den Joker voll gemacht haben, darf noch eine echte Karte des Wertes "
    "angelegt werden.",
    "B-63": "Ist jede bisher ausgelegte Kombination voll, darf jeder Spieler, der die eigene Phase "
    "ausgelegt hat, am Ende des Zuges 2 Karten (in beliebiger Reihenfolge) statt 1 ablegen.",
    "B-64": "Für B-63 gilt eine Farbgruppe erst mit 24 Karten als voll (praktisch also nie).",
    "B-65": "Ein Joker darf abgelegt werden; er liegt dann offen und ist von da an eine "
    "gewöhnliche Zahlenkarte.",
    "B-66": "Ob ausgelegt oder nicht, ein Spieler muss in Schritt 3 eine Karte offen ablegen; dann "
    "ist der linke Nachbar am Zug (Ausnahme: Noch einmal).",
    "B-67": "Schritt 2 darf die Hand deshalb nie leeren: ein Auslegen oder Anlegen, das keine "
    "Karte für Schritt 3 lässt, ist nicht erlaubt.",
    "B-68": "Die Runde endet, wenn ein Spieler in Schritt 3 die letzte Karte ablegt, auch im Zug "
    "des Auslegens.",
    "B-69": "Die letzten Karten bei der Aktion Tauschen abzulegen beendet die Runde nicht.",
    "B-70": "Wer die Runde beendet hat, rückt seinen Phasenstein um 2 vor (eine Phase wird "
    "übersprungen).",
    "B-71": "Jeder andere Spieler, der die Phase ausgelegt hat, rückt seinen Phasenstein um 1 vor "
    "und gibt alle Karten ab.",
    "B-72": "Wer nicht ausgelegt hat, bleibt auf seiner Phase und darf bis zu 5 Karten behalten; "
    "die anderen Karten gibt er ab.",
    "B-73": "Für Karten auf der Hand gibt es keine Punkte.",
    "B-74": "Die Phasensteine rücken in dieser Reihenfolge vor: wer die Runde beendet hat, dann "
    "die anderen im Uhrzeigersinn von dessen linkem Nachbarn an.",
    "B-75": "Wer in dieser Reihenfolge zuerst das Lorbeerfeld erreicht, gewinnt; das Spiel endet "
    "sofort.",
    "B-76": "Von Phase 9 aus erreicht ein Vorrücken um 2 das Lorbeerfeld; von Phase 10 aus "
    "verfallen überzählige Schritte.",
    "B-77": "Alle Karten außer den behaltenen werden neu gemischt.",
    "B-78": "Karten werden einzeln ausgeteilt, bis jeder 10 hat.",
    "B-79": "Ein neuer Ablagestapel aus 5 Karten und ein neuer Nachziehstapel werden gebildet.",
    "B-80": "Die Spielfiguren bleiben, wo sie sind.",
    "B-81": "Der linke Nachbar dessen, der die vorige Runde beendet hat, beginnt.",
    "B-82": "Ein behaltener Joker bleibt ein Joker.",
    "B-83": "Welche Karten sie behalten, wählen alle Betroffenen geheim und zur selben Zeit; "
    "bekannt wird nur, wie viele es sind.",
    "B-84": "Soll eine Karte vom leeren Nachziehstapel kommen, wird der Ablagestapel ohne seine "
    "oberste Karte gemischt und zum Nachziehstapel.",
    "B-85": "Verlangt eine Aktion mehr Karten, als es gibt, werden so viele wie möglich genommen, "
    "der Reihe nach.",
}
