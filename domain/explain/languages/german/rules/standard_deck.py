"""The rules of the game with two standard decks."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "D-01": "Das Spiel ist für 3 bis 5 Spieler.",
    "D-02": "Gespielt wird mit zwei Kartenspielen zu 54 Karten, also 108 Karten: 2 bis K in 4 "
    "Farben, jede zweimal (96 natürliche Karten, 24 je Farbe, 8 je Wert), 8 Asse und 4 Joker.",
    "D-03": "Die Reihenfolge der Werte ist 2, 3, 4, 5, 6, 7, 8, 9, 10, J (Bube), Q (Dame), K "
    "(König).",
    "D-04": "Die 8 Asse ersetzen andere Karten; ein Ass hat keinen eigenen Wert.",
    "D-05": "Die 4 Joker sind die Aussetzkarten.",
    "D-06": "Jeder Spieler erhält 10 Karten, einzeln ausgeteilt.",
    "D-07": "Die übrigen Karten sind der Nachziehstapel.",
    "D-08": "Die erste Karte des Nachziehstapels wird aufgedeckt und beginnt den Ablagestapel.",
    "D-09": "Ist die erste Karte der Ablage ein Joker, bleibt er einfach liegen: niemand setzt "
    "aus.",
    "D-10": "Ist die erste Karte der Ablage ein Ass, bleibt es liegen und darf gezogen werden.",
    "D-11": "Nach jeder Runde gibt der linke Nachbar.",
    "D-12": "Der Spieler links vom Geber beginnt; gespielt wird im Uhrzeigersinn.",
    "D-13": "In jedem Zug zieht der Spieler genau eine Karte: die oberste des Nachziehstapels oder "
    "die oberste des Ablagestapels.",
    "D-14": "Um den Zug zu beenden, legt der Spieler entweder eine Karte ab oder legt einen Joker "
    "vor einen Gegner.",
    "D-15": "Man darf nicht passen, außer wenn ein vor einem liegender Joker dazu zwingt.",
    "D-16": "Ein Joker kann nicht vor einen Spieler gelegt werden, der schon einen hat.",
    "D-17": "Ein Joker trifft einen Gegner, nie einen selbst.",
    "D-18": "Wer einen Joker vor sich hat, verliert den Zug: der Zug besteht nur daraus, diesen "
    "Joker unter den Ablagestapel zu legen.",
    "D-19": "In diesem Zug wird weder gezogen noch ausgelegt, angelegt oder abgelegt.",
    "D-20": "Einen Joker vor jemanden oder unter den Stapel zu legen lässt die oberste Karte des "
    "Ablagestapels unverändert (wenn der Stapel nicht leer ist).",
    "D-21": "Ein Joker, der unter einen leeren Ablagestapel kommt, ist dessen einzige und oberste "
    "Karte.",
    "D-22": "Ein Joker oben auf dem Ablagestapel darf wie jede Karte gezogen werden.",
    "D-23": "Ein Joker darf auch wie jede Karte auf den Stapel abgelegt werden; dann ist er ohne "
    "Wirkung.",
    "D-24": "In einem Zug wird höchstens ein Joker vor jemanden gelegt, denn damit endet der Zug.",
    "D-25": "Ein Joker ist nie Teil einer Kombination.",
    "D-26": "Ein Joker darf die letzte gespielte Karte sein (vor einen Gegner gelegt).",
    "D-27": "Will ein Spieler vom leeren Nachziehstapel ziehen, wird der Ablagestapel ohne seine "
    "oberste Karte gemischt und zum Nachziehstapel (mit den Jokern, die darunter lagen).",
    "D-28": "Kann gar keine Karte gezogen werden, geht der Zug ohne Ziehen weiter.",
    "D-29": "Joker, die vor Spielern liegen, werden am Ende der Runde ohne Wirkung weggenommen.",
    "D-30": "Ein Satz (Zwilling, Drilling, Vierling, Fünfling) besteht aus Karten eines Wertes; "
    "die Farben sind frei, und zwei gleiche Karten sind erlaubt.",
    "D-31": "Eine Folge besteht aus Karten mit aufeinanderfolgenden Werten in beliebigen Farben.",
    "D-32": "Folgen laufen nicht von K zu 2 um.",
    "D-33": "„Farbe“ in Phase 8 heißt eine der vier Farben Herz, Pik, Karo und Kreuz, nicht Rot "
    "oder Schwarz.",
    "D-34": "Das erste Auslegen muss genau die Liste der Phase erfüllen; es enthält keine "
    "zusätzliche Kombination.",
    "D-35": "Keine andere Kombination als die der Phase darf ausgelegt werden, weder dabei noch "
    "später.",
    "D-36": "Sechs Karten eines Wertes dürfen als zwei Drillinge zählen.",
    "D-37": "Sieben Karten eines Wertes dürfen als Fünfling und Zwilling zählen.",
    "D-38": "Acht Karten eines Wertes dürfen als zwei Vierlinge zählen oder als Fünfling und "
    "Drilling.",
    "D-39": "Eine Gruppe darf mit mehr Karten als nötig ausgelegt werden (das ist dasselbe wie im "
    "selben Zug auslegen und dann anlegen).",
    "D-40": "Ein Spieler legt in einer Runde höchstens eine Phase aus.",
    "D-41": "Ein Ass ersetzt jede Karte, welche Farbe es auch hat.",
    "D-42": "Jede Gruppe enthält mindestens eine natürliche Karte; zählen gleiche Karten als zwei "
    "Sätze, braucht jeder davon eine natürliche.",
    "D-43": "In einer Folge hat ein Ass den Wert seines Platzes und steht nur für 2 bis K (nie "
    "unter 2 oder über K).",
    "D-44": "Ein ausgelegtes Ass wird von niemandem zurückgenommen oder ausgetauscht.",
    "D-45": "An eine Folge, die schon von 2 bis K reicht, kann keine Karte angelegt werden, auch "
    "kein Ass.",
    "D-46": "An einen Satz können unbegrenzt Asse angelegt werden.",
    "D-47": "Anlegen darf nur, wer in dieser Runde die eigene Phase ausgelegt hat.",
    "D-48": "Angelegt werden darf im Zug des Auslegens und in späteren eigenen Zügen.",
    "D-49": "Angelegt werden darf an jede ausgelegte Kombination; eine ausgelegte Kombination "
    "gehört niemandem.",
    "D-50": "Angelegt wird die nächste Karte an eine Folge, eine Karte desselben Wertes an einen "
    "Satz oder eine Karte derselben Farbe an eine Farbgruppe.",
    "D-51": "Die Runde endet, wenn ein Spieler keine Karte mehr auf der Hand hat.",
    "D-52": "Die Hand darf durch Auslegen oder Anlegen leer werden, ohne ein letztes Ablegen.",
    "D-53": "Gezählt werden nur Karten, die auf der Hand geblieben sind (weder ausgelegte Karten "
    "noch Joker, die vor Spielern liegen); wer die Hand geleert hat, bekommt 0 Punkte.",
    "D-54": "Eine Karte kostet 5 Punkte von 2 bis 10; 10 bei J, Q und K; 15 ein Joker; 20 ein Ass.",
    "D-55": "Die Strafpunkte werden über die Runden zusammengezählt; wenige sind gut.",
    "D-56": "Vor dem Spiel wird eine der vier Spielarten gewählt.",
    "D-57": "Vollständig geordnet: jeder Spieler macht die zehn Phasen der Reihe nach, unabhängig "
    "von den anderen.",
    "D-58": "Vollständig geordnet: wer Phase 10 zuerst beendet, gewinnt; beenden sie zwei in "
    "derselben Runde, gewinnen die wenigeren Punkte.",
    "D-59": "Vollständig geordnet und vollständig frei: die Zahl der Runden steht nicht fest "
    "(mindestens 10).",
    "D-60": "10 Runden geordnet: in Runde n versuchen alle Phase n, mit Erfolg oder ohne; genau 10 "
    "Runden.",
    "D-61": "10 Runden geordnet: nach 10 Runden gewinnen die wenigsten Punkte; bei Gleichstand, "
    "wer mehr Phasen gemacht hat.",
    "D-62": "Vollständig frei: beim Auslegen kreuzt der Spieler eine beliebige Phase an, die er in "
    "früheren Runden noch nicht angekreuzt hat.",
    "D-63": "Vollständig frei: wer zuerst alle zehn Phasen angekreuzt hat, gewinnt; bei "
    "Gleichstand in derselben Runde gewinnen die wenigeren Punkte.",
    "D-64": "10 Runden frei: Wahl der Phase wie in D-62, genau 10 Runden; Sieger und Gleichstand "
    "wie in D-61.",
    "D-65": "In den vollständigen Spielarten wird der Sieger am Ende der Runde ermittelt, deren "
    "Strafpunkte mitzählen.",
    "D-66": "In einer freien Spielart nennt der Spieler beim Auslegen die Phase, wenn die Karten "
    "zu mehreren offenen Phasen passen.",
    "D-67": "Sind Spieler auch nach alledem noch gleich, teilen sie sich den Sieg.",
}
