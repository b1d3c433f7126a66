"""The rules of classic Phase 10, and of Twist as far as they are told."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "C-01": "Das Spiel ist für 2 bis 6 Spieler.",
    "C-02": "Gespielt wird mit genau 108 Karten: 96 Zahlenkarten, 1 bis 12 in 4 Farben (Rot, Blau, "
    "Grün, Gelb), jede zweimal (24 je Farbe, 8 je Wert), 8 Joker und 4 Aussetzkarten.",
    "C-03": "Übersichtskarten gehören nicht zu den Spielkarten.",
    "C-04": "Die aufgedruckte Farbe eines Jokers oder einer Aussetzkarte ist ohne Bedeutung.",
    "C-05": "Jeder Spieler erhält 10 Karten, verdeckt und einzeln ausgeteilt.",
    "C-06": "Die übrigen Karten bilden verdeckt den Nachziehstapel.",
    "C-07": "Die oberste Karte des Nachziehstapels wird aufgedeckt und beginnt den Ablagestapel.",
    "C-08": "Ein Spieler wird zum ersten Geber bestimmt; nach jeder Runde gibt der linke Nachbar.",
    "C-09": "Der Spieler links vom Geber beginnt; gespielt wird im Uhrzeigersinn.",
    "C-10": "Ist die erste Karte der Ablage eine Aussetzkarte, verliert der Spieler links vom "
    "Geber diesen ersten Zug, und der nächste beginnt.",
    "C-11": "Eine Aussetzkarte als erste Karte der Ablage bleibt dort liegen und kann nicht "
    "genommen werden; wer beginnt, muss also vom Nachziehstapel ziehen.",
    "C-12": "Ist die erste Karte der Ablage ein Joker, darf der erste Spieler ihn nehmen.",
    "C-13": "Ein Zug besteht der Reihe nach aus: genau eine Karte ziehen; wenn man will, die Phase "
    "auslegen; wenn man will, Karten anlegen; genau eine Karte ablegen (außer die Hand ist schon "
    "leer).",
    "C-14": "Gezogen wird die oberste Karte des Nachziehstapels oder die oberste Karte des "
    "Ablagestapels und nichts anderes.",
    "C-15": "Eine Aussetzkarte wird nie vom Ablagestapel gezogen.",
    "C-16": "Ist der Ablagestapel leer oder liegt oben eine Aussetzkarte, muss vom Nachziehstapel "
    "gezogen werden.",
    "C-17": "Ein Spieler darf jede Karte seiner Hand ablegen, auch einen Joker und auch die Karte, "
    "die er eben vom Ablagestapel genommen hat.",
    "C-18": "Einen Joker, der oben auf dem Ablagestapel liegt, darf der nächste Spieler ziehen.",
    "C-19": "Will ein Spieler vom leeren Nachziehstapel ziehen, wird der Ablagestapel ohne seine "
    "oberste Karte gemischt und zum Nachziehstapel.",
    "C-20": "Kann gar keine Karte gezogen werden (Nachziehstapel leer, nichts zum Mischen, oberste "
    "Karte der Ablage nicht ziehbar), geht der Zug ohne Ziehen weiter.",
    "C-21": "Jeder Spieler macht die Phasen in der Reihenfolge 1 bis 10, unabhängig von den "
    "anderen; alle beginnen das Spiel mit Phase 1.",
    "C-22": "Ein Spieler legt in einer Runde höchstens eine Phase aus.",
    "C-23": "Eine längere Kombination zählt nie für spätere Phasen (eine in Phase 4 ausgelegte "
    "9er-Folge erfüllt nur Phase 4).",
    "C-24": "Ein Satz besteht aus Karten einer Zahl in beliebigen Farben.",
    "C-25": "Eine Folge besteht aus Karten mit aufeinanderfolgenden Zahlen in beliebigen Farben.",
    "C-26": "Folgen laufen nicht um: nach der 12 kommt keine 1.",
    "C-27": "„Eine Farbe“ heißt: alle Karten von einer Farbe, die Zahlen beliebig und ohne "
    "Reihenfolge.",
    "C-28": "Zwei Sätze einer Phase dürfen dieselbe Zahl haben.",
    "C-29": "Eine Phase wird nur vollständig ausgelegt: die ganze Phase muss auf der Hand sein; "
    "einen Teil auszulegen ist nicht erlaubt.",
    "C-30": "Eine Phase wird offen ausgelegt, im eigenen Zug, nach dem Ziehen und vor dem Ablegen.",
    "C-31": "Mit der Phase dürfen mehr Karten als nötig ausgelegt werden, wenn jede weitere Karte "
    "unmittelbar eine der verlangten Gruppen verlängert.",
    "C-32": "Eine zusätzliche Gruppe darf nicht ausgelegt werden (ein dritter Satz in Phase 1 ist "
    "nicht erlaubt).",
    "C-33": "Die Phase gilt als geschafft, sobald sie ausgelegt ist; Schluss machen muss man dafür "
    "nicht.",
    "C-34": "Karten einer ausgelegten Phase werden nie zurückgenommen oder ausgetauscht.",
    "C-35": "Ein Joker ersetzt jede Zahlenkarte.",
    "C-36": "Ein Joker darf für jede Farbe stehen (Phase 8).",
    "C-37": "Ein Joker kann nicht als Aussetzkarte benutzt werden.",
    "C-38": "Beliebig viele Joker sind erlaubt, mit mindestens einer natürlichen Karte in jeder "
    "Gruppe.",
    "C-39": "In einer Folge hat ein Joker die Zahl seines Platzes; er kann nie unter 1 oder über "
    "12 stehen.",
    "C-40": "Einmal ausgelegt, behält ein Joker Platz und Wert bis zum Ende der Runde und wird nie "
    "ersetzt, verschoben oder genommen.",
    "C-41": "Ein Joker darf an jede Gruppe angelegt werden, die er verlängern kann.",
    "C-42": "An eine Folge, die schon von 1 bis 12 reicht, kann kein Joker (und auch keine andere "
    "Karte) angelegt werden.",
    "C-43": "An einen Satz können unbegrenzt Joker angelegt werden, auch wenn schon alle acht "
    "natürlichen Karten darin liegen.",
    "C-44": "Eine Aussetzkarte wird gespielt, indem man sie am Ende des Zuges ablegt; dann nennt "
    "man den Spieler, der den nächsten Zug verliert.",
    "C-45": "Genannt werden darf jeder andere Spieler, nicht nur der nächste, und nie man selbst.",
    "C-46": "Die Aussetzkarte kommt unmittelbar oben auf den Ablagestapel.",
    "C-47": "Eine gezogene Aussetzkarte darf gleich abgelegt oder für einen späteren Zug behalten "
    "werden.",
    "C-48": "Eine Aussetzkarte wird nie in einer Phase benutzt und nie angelegt.",
    "C-49": "Wer noch aussetzen muss, kann nicht noch einmal genannt werden.",
    "C-50": "Der Zug eines aussetzenden Spielers besteht aus nichts: kein Ziehen, kein Auslegen, "
    "kein Anlegen, kein Ablegen.",
    "C-51": "In einem Zug wird höchstens eine Aussetzkarte gespielt, denn sie ist die abgelegte "
    "Karte dieses Zuges.",
    "C-52": "Wer den Zug ausgesetzt hat, darf sofort wieder genannt werden.",
    "C-53": "Zu zweit trifft eine Aussetzkarte immer den Gegner, und wer sie gespielt hat, ist "
    "wieder am Zug.",
    "C-54": "Eine Aussetzkarte darf die letzte Karte sein: sie abzulegen beendet die Runde.",
    "C-55": "Ein noch ausstehendes Aussetzen ist vergessen, wenn die Runde endet.",
    "C-56": "Anlegen darf ein Spieler erst, wenn er in dieser Runde die eigene Phase ausgelegt "
    "hat; derselbe Zug genügt.",
    "C-57": "Angelegt wird nur im eigenen Zug, nach dem Ziehen und vor dem Ablegen.",
    "C-58": "Beliebig viele Karten dürfen angelegt werden, an eigene Gruppen und an die jedes "
    "Spielers.",
    "C-59": "Nach jedem einzelnen Anlegen muss die Gruppe gültig sein: dieselbe Zahl bei einem "
    "Satz, die nächste Zahl an einem der Enden bei einer Folge, dieselbe Farbe bei einer "
    "Farbgruppe.",
    "C-60": "Durch Anlegen entsteht nie eine neue Gruppe.",
    "C-61": "Die Runde endet sofort für alle, wenn die Hand eines Spielers leer ist.",
    "C-62": "Die Hand kann durch ein letztes Ablegen leer werden oder dadurch, dass die letzte "
    "Karte ausgelegt oder angelegt wird, ohne Ablegen.",
    "C-63": "Wer Schluss macht, bekommt in dieser Runde 0 Punkte.",
    "C-64": "Jeder andere Spieler bekommt Punkte für die Karten auf der Hand: 5 je Zahl von 1 bis "
    "9, 10 je Zahl von 10 bis 12, 15 je Aussetzkarte, 25 je Joker.",
    "C-65": "Es zählen nur Karten auf der Hand, nicht die ausgelegten.",
    "C-66": "Die Punkte werden über die Runden zusammengezählt; wenige sind gut.",
    "C-67": "Wer die Phase ausgelegt hat, geht in der nächsten Runde zur nächsten Phase; die "
    "anderen wiederholen ihre.",
    "C-68": "Für eine neue Runde werden alle Karten eingesammelt und gemischt.",
    "C-69": "Das Spiel endet nach der ersten Runde, in der mindestens ein Spieler Phase 10 "
    "geschafft hat.",
    "C-70": "Haben in dieser Runde mehrere Spieler Phase 10 geschafft, gewinnt, wer insgesamt die "
    "wenigsten Punkte hat (diese Runde eingerechnet).",
    "C-71": "Sind sie auch an Punkten gleich, wiederholen die Gleichen Phase 10; wer zuerst "
    "Schluss macht, gewinnt.",
    "C-72": "Bei der Wiederholung bekommen nur die Gleichen Karten (je 10), alle spielen Phase 10; "
    "die Punkte werden nicht aufgeschrieben.",
    "C-73": "Variante „10 Runden“: genau 10 Runden, alle Spieler gehen in jeder Runde zur nächsten "
    "Phase, geschafft oder nicht; die niedrigste Summe gewinnt.",
    "C-74": "Variante „N Phasen“: vor dem Spiel wird vereinbart, wie viele Phasen zu schaffen "
    "sind; alles andere bleibt gleich.",
    "C-75": "Variante „gerade Phasen“: nur die Phasen 2, 4, 6, 8 und 10 werden gespielt; alles "
    "andere bleibt gleich.",
    "T-01": "Wird als erste Karte der Ablage eine Aussetzkarte aufgedeckt, wird eine weitere Karte "
    "aufgedeckt, die sie bedeckt (und niemand setzt aus).",
    "T-02": "Ist die bedeckende Karte wieder eine Aussetzkarte, wird auch sie bedeckt, bis oben "
    "keine Aussetzkarte liegt.",
    "T-03": "Die bedeckte Aussetzkarte bleibt unten im Ablagestapel und kann nicht gezogen werden, "
    "solange sie bedeckt ist.",
    "T-04": "Bei Twist gibt es drei Ablagestapel; man zieht vom Nachziehstapel oder von einem "
    "davon und legt auf einen beliebigen davon ab.",
    "T-05": "Bei Twist rückt die Figur nach jeder Runde vor: 3 Felder fürs Schlussmachen, 2 für "
    "die geschaffte Phase, sonst 1; verdoppelt bei einer geglückten Twist-Karte, 1 zurück, wenn "
    "sie misslingt.",
    "T-06": "Bei Twist ist die Phase zu machen, auf deren Feld die Figur steht.",
    "T-07": "Bei Twist wird eine Aussetzkarte vor den aussetzenden Spieler gelegt und nach dem "
    "Aussetzen beiseitegelegt.",
    "T-08": "Bei Twist sind die Phasen des Weges die zehn klassischen.",
}
