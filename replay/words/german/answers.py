"""What a referee asks, who vouches for it, and where two stories part, in German."""

from collections.abc import Mapping

ANSWERS: Mapping[str, str] = {
    "ground.kept_receipt": "eine aufbewahrte Quittung ({path}:{seq})",
    "ground.kept_presence": "eine aufbewahrte Anwesenheit ({path}:{seq})",
    "proves.key": "Wer diesen Schlüssel hat, gab genau diesen Befehl, an dieser Stelle des Spiels "
    "und in Kenntnis aller Ereignisse davor.",
    "proves.player": "Die Vorgabe sagt, wessen Schlüssel es ist: dieser Spieler kann den Zug "
    "nicht abstreiten.",
    "proves.program": "Niemand hat diesen Zug gewählt: das Programm eines Bots macht ihn aus dem, "
    "was sein Platz sehen konnte.",
    "proves.operator": "Der Betreiber hat unterschrieben, dass es hier und so geschah: daran ist "
    "er gebunden.",
    "proves.witness": "Es wurde nicht geändert, seit der Zeuge das Protokoll gesehen hat.",
    "proves.later": "Wer später unterschrieb, hatte bis hierher dieselbe Geschichte gesehen.",
    "proves.decided": "Was daraus folgte (Karten, Züge, Punkte), ergibt sich aus den Regeln und "
    "den Geheimnissen: es wurde neu entschieden.",
    "proves.waited": "Nach der Uhr des Betreibers war Platz {seat} seit {count} Sekunden gefragt "
    "(seit Ereignis {seq}); der Tisch gibt {total}, mit Nachfrist.",
    "proves.witnessed": "So viele Zeugen, wie die Vorgabe verlangt, haben das nach ihren eigenen "
    "Uhren gesehen.",
    "proves.present": "{text} ({path}:{seq})",
    "proves.contradicted": "Der Betreiber widerspricht sich: er unterschrieb ({path}:{k}), dass "
    "Platz {seat} um {time} UTC da war und Ereignis {seq} das neueste, datiert aber Ereignis "
    "{next} auf {value} UTC.",
    "open.code": "{code}: {text} `phaseledger explain {id}` sagt, was das beweist.",
    "open.wrong": "Etwas anderes in dieser Datei ist falsch: wofür kein Schlüssel bürgt, das kann "
    "erfunden sein.",
    "open.made_up": "Dass es überhaupt geschah: wer diese Datei geschrieben hat, könnte es "
    "erfunden haben.",
    "open.no_policy": "Dass der Betreiber daran gebunden ist: keine Vorgabe nennt diesen "
    "Schlüssel, also könnte ihn gemacht haben, wer diese Datei geschrieben hat.",
    "open.unsigned": "Dass der Betreiber daran gebunden ist: in dieser Datei hat er nichts davon "
    "unterschrieben.",
    "open.lost": "Dass die Frage den Spieler erreichte, oder dass keine Antwort unterwegs "
    "verloren ging: das würde die Quittung einer Antwort zeigen.",
    "open.joined": "Wer sich hinsetzte: das ist nicht unterschrieben, also könnte der Betreiber "
    "den Spieler selbst eingetragen haben.",
    "open.ordered": "Wer es befahl: weder der Gastgeber noch der Dienst unterschreibt seine "
    "Befehle.",
    "open.whose_key": "Wessen Schlüssel es ist: keine Vorgabe nennt ihn (`seats` oder `players`), "
    "also kann der von {name} auf Platz {seat} dem Betreiber selbst gehören.",
    "open.sealed": "Ob die Unterschrift gültig ist: sie geht über etwas, das bis zum Ende des "
    "Spiels versiegelt ist.",
    "open.bad": "Dass der Platz es gesendet hat: die Unterschrift ist nicht die des Schlüssels "
    "dieses Platzes.",
    "open.stood_in": "Dass {name} auf Platz {seat} es getan hat: an seiner Stelle soll ein Bot "
    "geantwortet haben.",
    "open.denied": "Dass {name} auf Platz {seat} es getan hat: der Platz hat nichts "
    "unterschrieben, also könnte es der Betreiber geschrieben haben, und der Spieler kann es "
    "abstreiten.",
    "open.bot": "Dass ein Bot es getan hat: sein Programm machte nicht sichtbar denselben Zug.",
    "story.no_policy": "Ohne --policy bürgt niemand für die Schlüssel, also zeigt das nicht, "
    "wessen Geschichte es ist.",
    "story.both": "Der Betreiber hat beide unterschrieben: er hat zwei Geschichten erzählt, und "
    "jede der Dateien beweist es.",
    "story.signed": "Der Betreiber hat die Geschichte von {path} unterschrieben, und die andere "
    "nicht.",
    "story.neither": "Der Betreiber hat keine von beiden unterschrieben, soweit diese Dateien es "
    "zeigen.",
    "question.about": 'Frage nach etwas wie "Zug 17", "Bob Zug 17", "Platz 1 Runde 2", "Ereignis '
    '69" oder "Zeitüberschreitungen".',
    "question.nobody": "{path}: an diesem Tisch saß niemand namens {name}, sondern {names}. {text}",
    "question.name": "{path}: {name} ist hier ein Spieler. Frag nach einem Spieler mit dem Namen "
    "in Anführungszeichen, nach einem Ereignis mit --event.",
    "question.nothing": "{path}: nichts in diesem Spiel ist {name}. Es hat {text}, {others}, "
    "{subject}; Züge zählen durch das ganze Spiel.",
    "question.turns": "Züge 1 bis {count}",
    "question.turns@one": "Zug 1",
    "question.rounds": "Runden 1 bis {count}",
    "question.rounds@one": "Runde 1",
    "question.no_events": "keine Ereignisse",
    "question.no_turns": "keine Züge",
    "question.no_rounds": "keine Runden",
}
