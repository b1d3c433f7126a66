"""Rule sets as a referee reads them out."""

from collections.abc import Mapping

SHEETS: Mapping[str, str] = {
    "sheet.title.deal": "Das Geben",
    "sheet.title.turn": "Der Zug",
    "sheet.title.groups": "Phasen und Gruppen",
    "sheet.title.wilds": "Joker",
    "sheet.title.skips": "Aussetzkarten",
    "sheet.title.round_end": "Das Ende einer Runde",
    "sheet.title.game_end": "Das Ende des Spiels",
    "sheet.title.wilds@french": "Asse als Joker",
    "sheet.title.skips@french": "Joker, die Aussetzkarten",
    "sheet.title.ring": "Der Rundweg, im Uhrzeigersinn vom Start an",
    "sheet.players": "{least} bis {most} Spieler.",
    "sheet.hand": "Jeder bekommt zu Beginn {hand} Karten.",
    "sheet.turned_up": "Die nächste Karte wird aufgedeckt: der Ablagestapel.",
    "sheet.laid_open": "Weitere {laid} werden offen als Ablagestapel hingelegt, sodass nur die "
    "oberste zu sehen ist.",
    "sheet.stock": "Der Rest ist der Nachziehstapel.",
    "sheet.ender_s_left": "Danach beginnt jede Runde, wer links von dem sitzt, der die vorige "
    "beendet hat.",
    "sheet.draw": "Zuerst wird eine Karte gezogen: die oberste vom Nachziehstapel oder vom "
    "Ablagestapel.",
    "sheet.dice": "Zuerst wird gewürfelt. Zieh deine Figur im Uhrzeigersinn um die Augen eines "
    "Würfels weiter, nach einem Pasch um die eines oder beider; Felder, auf denen andere Figuren "
    "stehen, zählen nicht mit.",
    "sheet.action": "Führe die Aktion des Feldes aus, auf das die Figur kommt.",
    "sheet.lay": "Dann darfst du deine Phase auslegen, vollständig, und nur eine in jeder Runde.",
    "sheet.hit": "Hast du sie ausgelegt, darfst du Karten an jede Gruppe auf dem Tisch anlegen, "
    "deine eigene oder die eines anderen, in diesem Zug und in späteren.",
    "sheet.no_further_group": "Eine weitere Gruppe wird nie ausgelegt.",
    "sheet.discard": "Zuletzt wird eine Karte abgelegt.",
    "sheet.discards_when_full": "Sind alle Gruppen auf dem Tisch voll, darf, wer ausgelegt hat, "
    "{discards} Karten ablegen.",
    "sheet.in_order": "Alle machen die Phasen der Reihe nach, jede mit so vielen Versuchen, wie es "
    "braucht.",
    "sheet.by_round": "In jeder Runde versuchen alle deren Phase und rücken dann vor, geschafft "
    "oder nicht.",
    "sheet.free": "Wer auslegt, darf eine beliebige Phase auslegen, die er noch nicht gemacht hat.",
    "sheet.marker": "Der Spielstein zeigt deine Phase: wer die Runde beendet hat, rückt, "
    "ausgelegt oder nicht, zwei Phasen vor, wer sonst ausgelegt hat, eine, und die übrigen "
    "bleiben stehen.",
    "sheet.wild": "Ein Joker steht für jede Zahlenkarte.",
    "sheet.wild@french": "Ein Ass steht für jede Zahlen- und Bildkarte.",
    "sheet.joker": "Ein Joker steht für jede Zahlenkarte.",
    "sheet.wild_in_run": "In einer Folge hat er den Wert seines Platzes; liegt er einmal, bleibt "
    "er dort und steht für nichts anderes.",
    "sheet.wild_in_run@french": "In einer Folge hat es den Wert seines Platzes; liegt es einmal, "
    "bleibt es dort und steht für nichts anderes.",
    "sheet.skip_in_group": "Eine Aussetzkarte liegt nie in einer Gruppe.",
    "sheet.skip_discarded": "Eine Aussetzkarte wird gespielt, indem man sie ablegt: nenne einen "
    "anderen Spieler, der dann seinen nächsten Zug aussetzt.",
    "sheet.skip_in_front": "Eine Aussetzkarte wird gespielt, statt abzulegen: leg sie vor einen "
    "anderen Spieler, der dann seinen nächsten Zug aussetzt.",
    "sheet.skip_to_top": "In diesem Zug legt er nur die Aussetzkarte oben auf den Ablagestapel.",
    "sheet.skip_to_bottom": "In diesem Zug legt er nur die Aussetzkarte unter den Ablagestapel.",
    "sheet.ends_empty": "Die Runde endet für alle sofort, wenn jemand keine Karte mehr hat.",
    "sheet.ends_discarded": "Die Runde endet für alle sofort, wenn jemand seine letzte Karte "
    "ablegt.",
    "sheet.points": "Alle anderen bekommen Punkte für die Karten, die sie noch haben; wenige sind "
    "gut.",
    "sheet.no_points": "Karten, die auf der Hand bleiben, kosten nichts.",
    "sheet.keep": "Wer nicht ausgelegt hat, darf bis zu {kept} Karten behalten und bekommt die "
    "übrigen neu.",
    "sheet.last_phase": "Das Spiel endet mit der Runde, in der jemand die letzte Phase schafft; "
    "von denen, die sie geschafft haben, gewinnt, wer die wenigsten Punkte hat.",
    "sheet.rounds": "Das Spiel endet nach {rounds} Runden; die wenigsten Punkte gewinnen.",
    "sheet.laurel": "Wessen Spielstein zuerst über die letzte Phase hinauskommt, gewinnt sofort; "
    "gezählt wird von dem an, der die Runde beendet hat (oder begonnen, wenn keiner sie "
    "beendet hat), und weiter im Uhrzeigersinn.",
    "sheet.max_turns": "Nach {count} Zügen wird die Runde abgebrochen.",
    "sheet.cards": "Karten: {count}",
    "sheet.phases": "Phasen: {count}",
    "sheet.house_rules": "Hausregeln (--option Name=Wert)",
    "sheet.row.cards": "{count} Karten",
    "sheet.row.copies": "je {count}",
    "sheet.row.points": "{count} Punkte",
    "sheet.takes": "Erlaubt ist {values}.",
    "sheet.no_ruleset": "Die Spielart {name} gibt es nicht; es gibt {names}.",
    "sheet.no_game": "Die Hausregeln ergeben kein Spiel: {reason}.",
    "sheet.senseless": "Das lässt sich nicht fragen: {reason}.",
    "sheet.legal": "zulässig",
    "sheet.illegal": "unzulässig",
    "sheet.left": "Hand",
    "sheet.nothing": "nichts",
    "sheet.ways": "Möglichkeiten, sie auszulegen: {count}",
    "sheet.many_ways": "Möglichkeiten, sie auszulegen: {count} oder mehr",
    "sheet.has": "vorhanden {cards}",
    "sheet.lacks": "es fehlen {count}, etwa {example}",
    "sheet.complete": "vollständig",
    "action_says.JOKER": "die oberste Karte des Nachziehstapels ziehen, ansehen und verkehrt herum "
    "halten: sie ist ein Joker, dessen Vorderseite alle anderen sehen",
    "action_says.TAKE1": "eine Karte nehmen, vom Nachziehstapel oder vom Ablagestapel",
    "action_says.TAKE2": "zwei Karten nehmen, jede vom Nachziehstapel oder vom Ablagestapel",
    "action_says.TAKE3": "drei Karten nehmen, jede vom Nachziehstapel oder vom Ablagestapel",
    "action_says.SEARCH": "eine beliebige Karte aus dem Ablagestapel nehmen, ohne dass die anderen "
    "sie sehen",
    "action_says.SWAP": "ein bis vier Karten ablegen und eine mehr vom Nachziehstapel ziehen",
    "action_says.AGAIN": "eine Karte nehmen, nach Belieben auslegen oder anlegen, ablegen und "
    "einen ganz neuen Zug beginnen",
    "action_says.EVERY": "alle ziehen eine Karte vom Nachziehstapel",
    "action_says.ASK": "die anderen der Reihe nach um eine Zahl bitten; wer als Erster so eine "
    "Karte hat, gibt sie ab und zieht eine neue, und hat niemand eine, ziehst du",
    "action_says.CHOOSE": "auf das nächste freie Feld einer anderen Aktion gehen und sie ausführen",
}
