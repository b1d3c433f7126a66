"""The rules of Phase 10 Express."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "X-01": "Das Spiel ist für 2 bis 6 Spieler.",
    "X-02": "Gespielt wird mit genau 54 Karten: 48 Zahlenkarten, 1 bis 12 in 4 Farben (Blau, Grün, "
    "Rot, Gelb), jede einmal (12 je Farbe, 4 je Wert), 3 Joker und 3 Aussetzkarten.",
    "X-03": "Die drei weißen Karten der Inhaltsliste sind die Joker.",
    "X-04": "Die beiden Übersichtskarten werden hingelegt, und es wird nicht mit ihnen gespielt.",
    "X-05": "Jeder Spieler erhält 5 Karten, verdeckt ausgeteilt.",
    "X-06": "Die übrigen Karten bilden verdeckt den Nachziehstapel.",
    "X-07": "Die oberste Karte des Nachziehstapels wird aufgedeckt und beginnt den Ablagestapel.",
    "X-08": "Ein Spieler wird zum ersten Geber bestimmt; der Spieler links vom Geber beginnt; "
    "gespielt wird im Uhrzeigersinn.",
    "X-09": "Nach der Wertung ist der Spieler links vom Geber der neue Geber.",
    "X-10": "Ist die erste Karte der Ablage ein Joker, darf der erste Spieler ihn nehmen.",
    "X-11": "Ist die erste Karte der Ablage eine Aussetzkarte, setzt der erste Spieler von selbst "
    "aus.",
    "X-12": "Ein Zug hat vier Schritte in dieser Reihenfolge: ziehen; die Phase auslegen "
    "(freiwillig); anlegen (freiwillig); ablegen.",
    "X-13": "Gezogen wird genau eine Karte: die oberste des Nachziehstapels oder die oberste des "
    "Ablagestapels.",
    "X-14": "Eine Aussetzkarte wird nie vom Ablagestapel gezogen.",
    "X-15": "Ist der Ablagestapel leer oder liegt oben eine Aussetzkarte, muss vom Nachziehstapel "
    "gezogen werden.",
    "X-16": "Der Zug endet damit, dass eine Karte offen abgelegt wird, oder mit einer gespielten "
    "Aussetzkarte (X-38).",
    "X-17": "Will ein Spieler vom leeren Nachziehstapel ziehen, wird der Ablagestapel ohne seine "
    "oberste Karte gemischt und zum Nachziehstapel.",
    "X-18": "Kann gar keine Karte gezogen werden, geht der Zug ohne Ziehen weiter.",
    "X-19": "Ein Satz besteht aus zwei oder mehr Karten einer Zahl in beliebigen Farben.",
    "X-20": "Die beiden Sätze von Phase 2 dürfen dieselbe Zahl haben.",
    "X-21": "Eine Folge besteht aus drei oder mehr Karten in der Reihenfolge der Zahlen, in "
    "beliebigen Farben, außer wo eine Farbe verlangt ist.",
    "X-22": "Karten einer Farbe müssen nicht in der Reihenfolge der Zahlen sein.",
    "X-23": "In einer Gruppe ungerader (gerader) Karten sind alle Karten ungerade (gerade); Zahlen "
    "dürfen mehrfach vorkommen und brauchen keine Reihenfolge.",
    "X-24": "Folgen (auch solche aus Paaren, ungeraden, geraden Zahlen oder einer Farbe) gehen "
    "nicht über die 12 hinaus weiter.",
    "X-25": "Die Phasen werden in der Reihenfolge 1 bis 10 gemacht; alle beginnen mit Phase 1.",
    "X-26": "Ein Spieler macht in einer Runde höchstens eine Phase.",
    "X-27": "Die ganze Phase muss auf der Hand sein, bevor sie ausgelegt wird, offen und im "
    "eigenen Zug.",
    "X-28": "Die Phase ist geschafft, sobald sie ausgelegt ist; die Runde muss man dafür nicht "
    "gewinnen.",
    "X-29": "Wer die Phase nicht geschafft hat, versucht in der nächsten Runde dieselbe.",
    "X-30": "Eine Gruppe darf mit mehr Karten als nötig ausgelegt werden, wenn die weiteren Karten "
    "an sie angelegt werden dürften.",
    "X-31": "Eine zusätzliche Gruppe darf nicht ausgelegt werden.",
    "X-32": "Ein Joker ersetzt jede Zahlenkarte oder eine Karte jeder Farbe.",
    "X-33": "In einer Phase sind beliebig viele Joker erlaubt, unter der einzigen Bedingung, dass "
    "die Phase mindestens eine Zahlenkarte enthält.",
    "X-34": "In Phase 2 ist also ein Satz nur aus Jokern erlaubt, wenn der andere Satz eine "
    "natürliche Karte hat; wer auslegt, muss dann seine Zahl nennen.",
    "X-35": "Ein ausgelegter Joker wird in dieser Runde nie aus seiner Phase genommen.",
    "X-36": "In einer Folge (jeder Art) hat ein Joker die Zahl seines Platzes, zwischen 1 und 12 "
    "und, wo es darauf ankommt, gerade oder ungerade wie sie.",
    "X-37": "An eine Folge, die in ihrer Art voll ist, kann keine Karte angelegt werden (1 bis 12; "
    "ungerade 1 bis 11; gerade 2 bis 12).",
    "X-38": "Eine Aussetzkarte wird gespielt, indem man sie vor den gewählten anderen Spieler legt "
    "statt auf den Ablagestapel.",
    "X-39": "Eine Aussetzkarte zu spielen gilt als Ablegen und beendet den Zug.",
    "X-40": "Im nächsten Zug des Getroffenen ist das Einzige, was er tut, diese Aussetzkarte oben "
    "auf den Ablagestapel zu legen; dann ist der nächste Spieler am Zug.",
    "X-41": "Eine Aussetzkarte kann nicht gegen einen Spieler gespielt werden, vor dem schon eine "
    "liegt.",
    "X-42": "Eine Aussetzkarte wird nie in einer Phase benutzt (und nie angelegt).",
    "X-43": "Solange die Aussetzkarte vor dem Spieler liegt, ist die oberste Karte des "
    "Ablagestapels unverändert (wer sie gespielt hat, hat nichts abgelegt).",
    "X-44": "Nach dem Aussetzen darf derselbe Spieler wieder getroffen werden.",
    "X-45": "Eine Aussetzkarte kann nicht auf den Stapel abgelegt werden, ohne jemanden zu "
    "treffen.",
    "X-46": "Eine Aussetzkarte darf die letzte Karte sein: sie vor jemanden zu legen leert die "
    "Hand und beendet die Runde.",
    "X-47": "Anlegen darf ein Spieler erst, wenn er die eigene Phase ausgelegt hat (derselbe Zug "
    "genügt: Schritte 2 und 3).",
    "X-48": "Angelegt wird nur im eigenen Zug.",
    "X-49": "Beliebig viele Karten dürfen angelegt werden, an mehrere Phasen, eigene oder die "
    "anderer Spieler.",
    "X-50": "Was angelegt wird, muss genau zur Gruppe passen: die Zahl bei einem Satz, die nächste "
    "Zahl an einem Ende bei einer Folge, die Farbe bei einer Farbgruppe.",
    "X-51": "Ein Joker darf überall angelegt werden, wo eine passende Karte es dürfte.",
    "X-52": "An eine ungerade oder gerade Folge wird die nächste ungerade oder gerade Zahl an "
    "einem Ende angelegt.",
    "X-53": "An eine einfarbige Folge wird die nächste Zahl an einem Ende angelegt, und zwar in "
    "dieser Farbe.",
    "X-54": "An eine Gruppe ungerader oder gerader Karten wird jede ungerade oder gerade Karte "
    "angelegt, wie es die Gruppe ist.",
    "X-55": "An eine Folge von Paaren wird ein ganzes Paar der nächsten Zahl an einem Ende "
    "angelegt (zwei Karten im selben Zug); eine einzelne Karte oder eine dritte Karte eines "
    "Paares ist nicht erlaubt.",
    "X-56": "Die Runde endet für alle, sobald die Hand eines Spielers leer ist.",
    "X-57": "Die Hand darf durch Anlegen allein leer werden, durch ein letztes Ablegen oder durch "
    "beides.",
    "X-58": "Wer zuerst Schluss macht, gewinnt die Runde und bekommt 0 Punkte.",
    "X-59": "Alle anderen bekommen Punkte für ihre Hand: 5 je Zahl von 1 bis 9, 10 je Zahl von 10 "
    "bis 12, 15 je Aussetzkarte, 25 je Joker.",
    "X-60": "Schon gespielte Karten zählen nicht.",
    "X-61": "Der Gewinner der Runde und alle, die die Phase geschafft haben, gehen zur nächsten "
    "Phase.",
    "X-62": "Vor einer neuen Runde werden alle Karten eingesammelt und gemischt.",
    "X-63": "Aussetzkarten, die noch vor Spielern liegen, werden am Ende der Runde weggenommen.",
    "X-64": "Wer am Ende einer Runde als Erster Phase 10 geschafft hat, gewinnt.",
    "X-65": "Haben mehrere Phase 10 in derselben Runde geschafft, gewinnen die wenigsten Punkte.",
    "X-66": "Sind sie immer noch gleich, wiederholen die Gleichen Phase 10; wer zuerst die Hand "
    "leert, gewinnt.",
    "X-67": "Variante 1, „10 Runden“: 10 Runden; alle rücken in jeder Runde vor, geschafft oder "
    "nicht; nach 10 Runden gewinnt die niedrigste Summe.",
    "X-68": "Variante 1: bei gleicher Summe gewinnt, wer mehr Phasen gemacht hat, sonst wird der "
    "Sieg geteilt.",
    "X-69": "Variante 2, „N Phasen“: vor dem Spiel wird vereinbart, wie viele Phasen zu machen "
    "sind; Phase N tritt an die Stelle von Phase 10; alles andere bleibt gleich.",
    "X-70": "Jede Karte zeigt neben ihrer Farbe ein Zeichen für ihre Farbe (für farbenblinde "
    "Spieler).",
}
