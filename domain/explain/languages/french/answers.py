"""Messages of answers to a referee, of questions, and of the command `explain`, in French."""

from collections.abc import Mapping

ANSWERS: Mapping[str, str] = {
    "answer.asked": "demandé : {question}",
    "answer.nothing": "Il n'y a rien de cela dans ce fichier.",
    "answer.event": "événement {seq}, {time} UTC selon l'horloge de l'exploitant, {decider} :",
    "answer.events": "événements {seq} à {last}, {time} UTC selon l'horloge de l'exploitant, "
    "{decider} :",
    "answer.seat": "décision de la place {seat}{name}",
    "answer.host": "décision de l'hôte",
    "answer.service": "décision du service",
    "answer.line": "{event} : {text}",
    "answer.voucher": "s'en porte garant {voucher}",
    "answer.nobody": "personne ne s'en porte garant",
    "answer.proves": "prouve : {text}",
    "answer.open": "laisse ouvert : {text}",
    "answer.unfollowed": "{type}, qui ne découle pas des événements précédents",
    "story.first": "DEUX HISTOIRES de la partie {game} : {source} et {other}, dès le premier "
    "événement",
    "story.parting": "DEUX HISTOIRES de la partie {game} : {source} et {other}, les mêmes jusqu'à "
    "l'événement {seq}",
    "story.side": "{source} ({count} événements) a là : {event} (événement {seq})",
    "story.side@1": "{source} ({count} événement) a là : {event} (événement {seq})",
    "story.unread": "cela ne peut pas être lu",
    "story.differs": "se lit de même dans les deux fichiers, mais diffère ici : {text}",
    "story.receipts": "reçus de {kept} : {count} pour la seule histoire de {source}, {more} pour "
    "celle de {other} seule, {both} pour les deux, {neither} pour aucune",
    "question.event": "événement",
    "question.turn": "tour",
    "question.round": "manche",
    "question.seat": "place",
    "question.time_out": "dépassement",
    "explain.code": "{code} (code de sortie {exit_code})",
    "explain.means": "signifie :",
    "explain.proves": "prouve :",
    "explain.advice": "à faire :",
    "explain.grade": "{grade} : {text}",
    "explain.unknown": "Il n'y a pas de code {code} : `phaseledger explain` les énumère tous.",
}
