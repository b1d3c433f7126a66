"""Messages of answers to a referee, of questions, and of the command `explain`, in German."""

from collections.abc import Mapping

ANSWERS: Mapping[str, str] = {
    "answer.asked": "gefragt: {question}",
    "answer.nothing": "Nichts davon steht in dieser Datei.",
    "answer.event": "Ereignis {seq}, {time} UTC nach der Uhr des Betreibers, {decider}:",
    "answer.events": "Ereignisse {seq} bis {last}, {time} UTC nach der Uhr des Betreibers, "
    "{decider}:",
    "answer.seat": "entschieden von Platz {seat}{name}",
    "answer.host": "entschieden vom Gastgeber",
    "answer.service": "entschieden vom Dienst",
    "answer.line": "{event}: {text}",
    "answer.voucher": "dafür bürgt {voucher}",
    "answer.nobody": "dafür bürgt niemand",
    "answer.proves": "beweist: {text}",
    "answer.open": "lässt offen: {text}",
    "answer.unfollowed": "{type}, das nicht aus den Ereignissen davor folgt",
    "story.first": "ZWEI GESCHICHTEN von Spiel {game}: {source} und {other}, vom ersten Ereignis "
    "an",
    "story.parting": "ZWEI GESCHICHTEN von Spiel {game}: {source} und {other}, gleich bis "
    "Ereignis {seq}",
    "story.side": "{source} ({count} Ereignisse) hat dort: {event} (Ereignis {seq})",
    "story.side@1": "{source} ({count} Ereignis) hat dort: {event} (Ereignis {seq})",
    "story.unread": "das lässt sich nicht lesen",
    "story.differs": "liest sich in beiden Dateien gleich, ist hier aber anders: {text}",
    "story.receipts": "Quittungen von {kept}: {count} nur für die Geschichte von {source}, {more} "
    "nur für die von {other}, {both} für beide, {neither} für keine",
    "question.event": "Ereignis",
    "question.turn": "Zug",
    "question.round": "Runde",
    "question.seat": "Platz",
    "question.time_out": "Zeitüberschreitung",
    "explain.code": "{code} (Exit-Code {exit_code})",
    "explain.means": "bedeutet:",
    "explain.proves": "beweist:",
    "explain.advice": "zu tun:",
    "explain.grade": "{grade}: {text}",
    "explain.unknown": "Einen Code {code} gibt es nicht: `phaseledger explain` zählt alle auf.",
}
