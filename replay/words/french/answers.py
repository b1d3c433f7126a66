"""What a referee asks, who vouches for it, and where two stories part, in French."""

from collections.abc import Mapping

ANSWERS: Mapping[str, str] = {
    "ground.kept_receipt": "un reçu conservé ({path}:{seq})",
    "ground.kept_presence": "une présence conservée ({path}:{seq})",
    "proves.key": "Celui qui a cette clé a donné exactement cette commande, à cet endroit de la "
    "partie et en connaissant tous les événements précédents.",
    "proves.player": "La politique dit à qui est la clé : ce joueur ne peut pas nier le coup.",
    "proves.program": "Personne n'a choisi ce coup : le programme d'un robot le fait d'après ce "
    "que sa place pouvait voir.",
    "proves.operator": "L'exploitant a signé que cela s'est passé, ici et ainsi : il y est tenu.",
    "proves.witness": "Cela n'a pas été changé depuis que le témoin a vu le registre.",
    "proves.later": "Celui qui a signé plus tard avait vu la même histoire jusqu'ici.",
    "proves.decided": "Ce qui en a suivi (cartes, tours, points) est ce que donnent les règles et "
    "les secrets : cela a été redécidé.",
    "proves.waited": "Selon l'horloge de l'exploitant, la place {seat} était interrogée depuis "
    "{count} secondes (depuis l'événement {seq}) ; la table en donne {total}, délai de grâce "
    "compris.",
    "proves.waited@one": "Selon l'horloge de l'exploitant, la place {seat} était interrogée "
    "depuis {count} seconde (depuis l'événement {seq}) ; la table en donne {total}, délai de "
    "grâce compris.",
    "proves.witnessed": "Autant de témoins que la politique en demande l'ont vu selon leurs "
    "propres horloges.",
    "proves.present": "{text} ({path}:{seq})",
    "proves.contradicted": "L'exploitant se contredit : il a signé ({path}:{k}) que la place "
    "{seat} était là à {time} UTC et que l'événement {seq} était le plus récent, mais il date "
    "l'événement {next} du {value} UTC.",
    "open.code": "{code} : {text} `phaseledger explain {id}` dit ce que cela prouve.",
    "open.wrong": "Autre chose est faux dans ce fichier : ce dont aucune clé ne se porte garante "
    "peut être inventé.",
    "open.made_up": "Que cela s'est passé du tout : celui qui a écrit ce fichier a pu l'inventer.",
    "open.no_policy": "Que l'exploitant y est tenu : aucune politique ne nomme cette clé, celui "
    "qui a écrit ce fichier a donc pu la faire.",
    "open.unsigned": "Que l'exploitant y est tenu : il n'en a rien signé dans ce fichier.",
    "open.lost": "Que la question est arrivée au joueur, ou qu'aucune réponse ne s'est perdue en "
    "chemin : le reçu d'une réponse le montrerait.",
    "open.joined": "Qui s'est assis : cela n'est pas signé, l'exploitant pourrait donc l'avoir "
    "inscrit lui-même.",
    "open.ordered": "Qui l'a ordonné : ni l'hôte ni le service ne signe ses commandes.",
    "open.whose_key": "À qui est la clé : aucune politique ne la nomme (`seats` ou `players`), "
    "celle de {name}, à la place {seat}, peut donc être à l'exploitant lui-même.",
    "open.sealed": "Si la signature est bonne : elle porte sur ce qui est scellé jusqu'à la fin "
    "de la partie.",
    "open.bad": "Que la place l'a envoyé : la signature n'est pas celle de la clé de cette place.",
    "open.stood_in": "Que {name}, à la place {seat}, l'a fait : un robot aurait répondu à sa "
    "place.",
    "open.denied": "Que {name}, à la place {seat}, l'a fait : la place n'a rien signé, "
    "l'exploitant a donc pu l'écrire, et le joueur peut le nier.",
    "open.bot": "Qu'un robot l'a fait : on n'a pas vu son programme faire le même coup.",
    "story.no_policy": "Sans --policy personne ne se porte garant des clés, cela ne montre donc "
    "pas de qui est l'histoire.",
    "story.both": "L'exploitant a signé les deux : il a raconté deux histoires, et chaque fichier "
    "le prouve.",
    "story.signed": "L'exploitant a signé l'histoire de {path}, et pas l'autre.",
    "story.neither": "L'exploitant n'a signé ni l'une ni l'autre, autant que ces fichiers le "
    "montrent.",
    "question.about": 'Demandez par exemple "tour 17", "Bob tour 17", "place 1 manche 2", '
    '"événement 69" ou "dépassements".',
    "question.nobody": "{path} : personne du nom de {name} n'était à cette table, mais {names}. "
    "{text}",
    "question.name": "{path} : {name} est un joueur ici. Demandez un joueur par son nom entre "
    "guillemets, un événement par --event.",
    "question.nothing": "{path} : rien dans cette partie n'est {name}. Elle a ceci : {text}, "
    "{others}, {subject} ; les tours se comptent sur toute la partie.",
    "question.turns": "tours 1 à {count}",
    "question.turns@one": "tour 1",
    "question.rounds": "manches 1 à {count}",
    "question.rounds@one": "manche 1",
    "question.no_events": "pas d'événements",
    "question.no_turns": "pas de tours",
    "question.no_rounds": "pas de manches",
}
