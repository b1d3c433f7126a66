"""What checks of a game say, and who vouches for an event, in French."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "topic.chain": "chaîne : {text}",
    "topic.header": "en-tête : {text}",
    "topic.ruleset": "règles : {text}",
    "topic.seals": "sceaux : {text}",
    "topic.commitments": "engagements : {text}",
    "topic.events_alone": "événements seuls : {text}",
    "topic.seed_and_decisions": "graine et décisions : {text}",
    "topic.agreement": "accord : {text}",
    "topic.referee": "arbitre : {text}",
    "topic.signatures": "signatures : {text}",
    "topic.bots": "robots : {text}",
    "topic.times": "heures : {text}",
    "topic.receipts": "reçus : {text}",
    "topic.held_receipts": "reçus conservés : {text}",
    "topic.checkpoint": "point de contrôle : {text}",
    "topic.witnesses": "témoins : {text}",
    "chain.breaks": "La chaîne de hachage se rompt à l'événement {seq}.",
    "chain.changed": "La chaîne de hachage se rompt à l'événement {seq} : l'événement {changed} a "
    "été modifié, puisque l'événement {next} en suit un autre, et que {after} suit l'événement "
    "{same} tel qu'il est.",
    "chain.whole": "La chaîne de hachage passe par les {count} événements.",
    "chain.whole@one": "La chaîne de hachage passe par l'unique événement.",
    "the_first_line": "la première ligne",
    "header.bad": "La première ligne ne correspond pas à ce qui suit.",
    "header.good": "La première ligne correspond à ce qui suit.",
    "ruleset.bad": "Les règles ne sont pas celles avec lesquelles la partie a été ouverte.",
    "ruleset.good": "Les règles sont celles avec lesquelles la partie a été ouverte.",
    "seals.bad": "Un sceau de l'événement {seq} est faux.",
    "seals.all": "Les {count} sceaux sont tous ouverts, et chaque valeur correspond au sien.",
    "seals.all@one": "Le seul sceau est ouvert, et sa valeur y correspond.",
    "seals.none": "Il n'y a pas de sceaux.",
    "seals.some": "{count} sceaux sur {total} sont ouverts, et ils correspondent.",
    "seals.some@one": "{count} sceau sur {total} est ouvert, et il correspond.",
    "commitments.bad": "Les secrets ne sont pas ceux sur lesquels on s'était engagé.",
    "commitments.good": "{count} secrets sur {total} sont révélés, chacun conforme à son "
    "engagement.",
    "commitments.good@one": "{count} secret sur {total} est révélé, conforme à son engagement.",
    "fault": "Événement {seq} : {fault}.",
    "not_over": "Une partie est redécidée à partir de sa graine une fois qu'elle est terminée.",
    "within_command": "Les événements s'arrêtent au milieu d'une commande.",
    "followed": "Suivis aussi loin qu'ils sont connus : le nombre de cartes est toujours juste.",
    "folded": "Suivis seuls, aucune carte ne se perd jamais, et chaque engagement a été tenu.",
    "replayed": "Redécidés à partir des seuls secrets et décisions enregistrées, ils donnent les "
    "mêmes événements, octet pour octet.",
    "agreement.good": "Les deux preuves mènent au même état, jusqu'à la dernière carte.",
    "agreement.bad": "Les deux preuves ne s'accordent pas sur une même partie valable.",
    "referee.good": "Jugée une fois de plus, d'après le seul livre de règles : aucun événement "
    "n'est contraire aux règles.",
    "referee.bad": "Événement {seq}, {who} : {objection}.",
    "proof.another": "en redécidant, on obtient un autre événement",
    "proof.after_end": "il suit la fin de la partie, ou en ouvre une autre",
    "proof.too_many_cards": "il déplace plus de cartes qu'il n'y en a",
    "proof.promise": "{subject} : attendu {expected}, enregistré {recorded}",
    "proof.unfollowable": "il ne découle pas des événements précédents : {error}",
    "proof.cards": "les cartes ne sont pas celles du jeu",
    "proof.no_event": "il n'y a aucun événement",
    "proof.no_opening": "il n'ouvre pas de partie",
    "proof.opening_refused": "les règles refusent l'ouverture : {code}",
    "proof.opening_unread": "les règles ne peuvent pas lire l'ouverture : {error}",
    "proof.not_asked_for": "le champ {field} de la partie n'est pas celui demandé à l'ouverture",
    "proof.decision_refused": "les règles refusent la décision : {code}",
    "proof.decision_unread": "les règles ne peuvent pas lire la décision : {error}",
    "proof.must_follow": "un {type} doit suivre",
    "proof.no_decision": "il ne découle d'aucune décision",
    "opening.before": "il vient avant l'ouverture de la partie",
    "opening.after": "il vient après la fin",
    "opening.before_deal": "il vient avant que la donne soit fixée",
    "opening.again": "il ouvre la partie une seconde fois",
    "opening.frees": "il libère une place d'une table fermée",
    "opening.hands_over": "il cède une place qui doit encore révéler son secret",
    "opening.sits_late": "il occupe une place à une table fermée",
    "opening.sits_twice": "il occupe une place qui n'est pas libre",
    "opening.other_secret": "il donne un autre secret que celui sur lequel la place {seat} s'est "
    "engagée",
    "opening.seals_again": "il ferme la table une seconde fois",
    "opening.seals_early": "il ferme une table de {total} où {count} se sont engagés",
    "opening.seals_early@one": "il ferme une table de {total} où {count} s'est engagé",
    "opening.not_due": "il révèle un secret qui n'est pas attendu",
    "opening.deals_early": "il fixe la donne avant que tous les secrets soient là",
    "opening.deals_again": "il fixe la donne une seconde fois",
    "opening.other_deal": "il fixe une autre donne que celle qui est due",
    "opening.reveals_other": "il révèle un autre secret que celui de l'engagement",
    "opening.never_dealt": "il termine une partie jamais distribuée",
    "opening.names_others": "il nomme d'autres places que celles qui doivent une réponse",
    "signatures.bad": "Une commande n'est pas signée avec la clé de sa place.",
    "signatures.none_sent": "Aucune place ayant une clé n'a envoyé de commande.",
    "signatures.no_key": "Aucune place n'a enregistré de clé.",
    "signatures.good": "Commandes portant une bonne signature de leur place : {count}.",
    "signatures.sealed": "Commandes portant une bonne signature de leur place : {count} ; signées "
    "sur ce qui est scellé : {total}.",
    "bots.not_asked": "Aucun robot n'a rejoué, comme demandé.",
    "bots.later": "Un robot rejoue une fois que sa partie est terminée et valable.",
    "bots.others": "{count} coups sur {total} attribués à des robots ne sont pas ceux des "
    "programmes de cette version : une autre version, une simulation ou quelqu'un d'autre les a "
    "joués.",
    "bots.others@one": "{count} coup sur {total} attribués à des robots n'est pas celui du "
    "programme de cette version : une autre version, une simulation ou quelqu'un d'autre l'a joué.",
    "bots.own": "Les {count} coups attribués à des robots sont bien ceux de leurs programmes.",
    "bots.own@one": "L'unique coup attribué à un robot est bien celui de son programme.",
    "bots.none": "Aucun coup n'est attribué à un robot.",
    "times.not_checked": "Les heures sont comparées là où la chaîne de hachage est entière.",
    "times.bad": "Les propres heures de l'exploitant se contredisent, ou contredisent les "
    "conditions de la table.",
    "times.good": "Selon l'horloge de l'exploitant, aucun événement n'en précède un antérieur, "
    "aucun dépassement n'arrive avant son heure.",
    "receipts.bad": "Les reçus ne se portent pas garants de ces événements.",
    "receipts.none": "Le paquet n'a pas de reçus.",
    "receipts.good": "{count} commandes sur {total} ont un vrai reçu signé par {signer}.",
    "receipts.good@one": "{count} commande sur {total} a un vrai reçu signé par {signer}.",
    "receipts.kept": "{count} reçus conservés correspondent aux événements.",
    "receipts.kept@one": "{count} reçu conservé correspond aux événements.",
    "signer.policy": "une clé de la politique",
    "signer.nobody": "une clé dont personne ne se porte garant",
    "checkpoint.none": "Le paquet n'a pas de point de contrôle du registre.",
    "checkpoint.bad": "Le point de contrôle ne se porte pas garant de ces événements.",
    "checkpoint.good": "Le registre {origin} a les événements jusqu'au {seq}, signés par {signer}.",
    "note.nothing_binds": "Rien ici ne lie l'exploitant : le paquet n'a ni reçu ni point de "
    "contrôle.",
    "note.no_end": "Pas encore de fin : la partie continue après l'événement {seq}, ou a été "
    "coupée là.",
    "note.view": "C'est la vue d'une partie en cours : elle est racontée aussi loin que le sait "
    "celui qui regarde, et rien n'est redécidé. `phaseledger verify` en vérifie un paquet.",
    "note.restored": "{count} reçus portent sur des événements perdus : l'exploitant a repris "
    "depuis une sauvegarde, l'a dit dans le dernier événement de la partie et l'a interrompue.",
    "note.restored@one": "{count} reçu porte sur un événement perdu : l'exploitant a repris "
    "depuis une sauvegarde, l'a dit dans le dernier événement de la partie et l'a interrompue.",
    "note.beyond": "{count} reçus portent sur des événements plus récents : ce fichier a été fait "
    "avant eux, et continue dans {path}.",
    "note.beyond@one": "{count} reçu porte sur un événement plus récent : ce fichier a été fait "
    "avant lui, et continue dans {path}.",
    "note.same_story": "Il raconte la même histoire que {path}, aussi loin que vont les deux.",
    "note.lost": "{count} événements de {path} sont perdus : l'exploitant a repris depuis une "
    "sauvegarde, l'a dit dans l'événement {seq} de {other_value} et a interrompu la partie.",
    "note.lost@one": "{count} événement de {path} est perdu : l'exploitant a repris depuis une "
    "sauvegarde, l'a dit dans l'événement {seq} de {other_value} et a interrompu la partie.",
    "note.by_others": "Selon vous, d'autres que l'exploitant ont gardé les reçus.",
    "note.early": "Une cosignature de {key}, dont personne ne se porte garant, a une heure "
    "antérieure à celle du dernier événement qu'elle couvre : une politique qui nomme la clé en "
    "fait un constat.",
    "note.strangers": "Reçus qui racontent une autre histoire, avec des clés dont personne ne se "
    "porte garant : {count}. Une politique qui nomme les clés en fait un constat.",
    "note.counts": "Des deux fichiers, c'est {path} qui compte.",
    "note.shared": "Une seule clé a ces places, donc un seul joueur y était : {value}.",
    "note.history": "Son registre a une même histoire avec {count} points de contrôle que "
    "quelqu'un a conservés.",
    "note.history@one": "Son registre a une même histoire avec un point de contrôle que quelqu'un "
    "a conservé.",
    "note.no_key": "Le point de contrôle de {path}:{seq} n'est signé par aucune clé qui compte "
    "ici.",
    "note.no_proof": "Rien ne montre si son registre a une même histoire avec le point de "
    "contrôle de {path}:{seq} : une preuve de cohérence de {count} à {total} feuilles le "
    "montrerait.",
    "done.decided": "{count} événements ont été redécidés et sont tels qu'enregistrés.",
    "done.decided@one": "{count} événement a été redécidé et est tel qu'enregistré.",
    "done.followed": "{count} événements ont été suivis, aussi loin que les connaît celui qui "
    "regarde.",
    "done.followed@one": "{count} événement a été suivi, aussi loin que le connaît celui qui "
    "regarde.",
    "voucher.player": "le joueur : {ground}",
    "voucher.program": "le robot : {ground}",
    "voucher.operator": "l'exploitant : {ground}",
    "voucher.witness": "un témoin : {ground}",
    "voucher.later_player": "un joueur, plus tard : {ground}",
    "voucher.key": "{ground} (clé {key}, {trust})",
    "voucher.trusted": "nommée par la politique",
    "voucher.untrusted": "personne ne s'en porte garant",
    "voucher.nobody": "Personne : celui qui a écrit ce fichier a pu l'inventer.",
    "ground.signed": "signé avec la clé de {name}, à la place {seat}",
    "ground.program": "le programme du robot, rejoué, fait le même coup",
    "ground.receipt": "un reçu dans le paquet",
    "ground.checkpoint": "un point de contrôle du registre {origin} sur les événements jusqu'au "
    "{seq}",
    "ground.cosignature": "une contresignature : selon sa propre horloge, il a vu ce point de "
    "contrôle au plus tard à {time} UTC",
    "ground.later": "la place {seat} a signé une commande ultérieure (événement {seq}) comme "
    "suite de celle-ci",
    "note.present": "La place {seat} était là : à {time}, {count} secondes après l'événement "
    "{seq}, elle a signé à l'exploitant qu'elle l'avait vu, et il n'y en avait pas de plus récent.",
    "note.told": "La place {seat} était là : à {time}, {count} secondes après l'événement {seq}, "
    "elle a dit à l'exploitant qu'elle l'avait vu, et il n'y en avait pas de plus récent.",
    "note.left": "La place {seat} est partie à l'événement {seq}, et un robot continue.",
    "note.overdue": "La place {seat} avait dépassé son temps à l'événement {seq}, selon la seule "
    "horloge de l'exploitant : {consequence}.",
    "note.answered": "un robot a répondu jusqu'à son prochain tour",
    "note.plays_on": "un robot continue",
    "note.broken_off": "la partie a été interrompue",
    "proof.promise_nothing": "{subject} : rien d'attendu, enregistré {hash}",
}
