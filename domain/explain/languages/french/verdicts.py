"""The verdict on a game in lines of text, in French."""

from collections.abc import Mapping

VERDICTS: Mapping[str, str] = {
    "verdict.game": "{source} : partie {game}, {ruleset}, {status}{view}",
    "verdict.view": ", comme la place {seat} peut la voir",
    "verdict.no_rules": "règles inconnues",
    "verdict.finished": "terminée",
    "verdict.voided": "interrompue",
    "verdict.unfinished": "pas terminée",
    "verdict.events": "{count} événements, dernier hachage {head}",
    "verdict.events@1": "{count} événement, dernier hachage {head}",
    "verdict.owing": "encore dû par : {seats}",
    "verdict.owing_unsigned": "dû, selon l'exploitant, par {seats} : rien ne montre que quelqu'un "
    "y était assis",
    "verdict.blamed": "accusés sans raison : {seats}",
    "verdict.grade": "{grade} : {text}",
    "verdict.finding": "{code}{rule} : {place} : {text}",
    "verdict.finding_of_event": "{code}{rule} : {event}, {place} : {text}",
    "verdict.event": "événement {seq}",
    "verdict.event_at_table": "{event} (événement {seq})",
    "verdict.more": "et {count} autres de ce genre{last}",
    "verdict.more@1": "et {count} autre de ce genre{last}",
    "verdict.upto": ", jusqu'à l'événement {seq}",
    "verdict.checked": "vérifié :",
    "verdict.passed": "bon",
    "verdict.failed": "FAUX",
    "verdict.seats": "places :",
    "verdict.seat": "{seat} {name} : commandes : {count}, {word}{stood_in} ; {secret}",
    "verdict.signed": "signées (clé {key}, {trust})",
    "verdict.unsigned": "clé inscrite (clé {key}, {trust}), mais rien n'est signé avec elle : "
    "l'exploitant pourrait avoir inscrit les deux",
    "verdict.repudiable": "authentifiées, contestables",
    "verdict.bot": "un robot, dit-on : l'exploitant pourrait avoir joué pour lui",
    "verdict.program": "un robot, dont le programme fait les mêmes coups",
    "verdict.stood_in": " ; dont envoyées par un robot à sa place : {count}",
    "verdict.own_secret": "son propre secret",
    "verdict.claimed_secret": "un secret qu'elle aurait apporté, dit-on",
    "verdict.made_secret": "un secret fait par le serveur",
    "verdict.key": "clé {key} : {trust}",
    "verdict.trusted": "la politique la nomme",
    "verdict.untrusted": "personne ne s'en porte garant",
    "verdict.note": "note : {text}",
    "verdict.unvouched": "Sans --policy personne ne se porte garant des clés : quiconque fait une "
    "clé peut faire de telles signatures.",
    "verdict.unreadable": "Un fichier illisible ne règle rien, pour aucune des parties : "
    "redemandez-le. D'un paquet abîmé, `phaseledger replay FICHIER --at N` montre la table jusqu'"
    "où il est bon.",
}
