"""What each finding means, blames, proves and advises, in French."""

from collections.abc import Mapping

MEANS: Mapping[str, str] = {
    "gap": "Un événement manque : les numéros en sautent un.",
    "reordered": "Les événements ne sont pas dans l'ordre de leurs numéros.",
    "repeated": "Un numéro d'événement figure une seconde fois.",
    "wrong_game": "Un événement d'une autre partie se trouve parmi ceux de celle-ci.",
    "unknown_topic": "Un événement d'un type que ce programme ne connaît pas ; il n'est jamais "
    "sauté.",
    "unreadable": "Les octets ne sont pas un événement de ce programme.",
    "sealed": "Une partie de l'événement est encore scellée, personne ne peut donc en redécider.",
    "broken_seal": "Une partie ouverte ne correspond pas à son sceau.",
    "not_canonical": "Les octets ne sont pas la forme canonique unique de ce qu'ils disent.",
    "broken_chain": "L'événement ne continue pas la chaîne : lui-même ou celui d'avant a été "
    "modifié.",
    "truncated": "Le registre s'arrête au milieu des événements d'une commande.",
    "after_end": "Un événement suit la fin de la partie.",
    "no_decision": "Un événement ne suit d'aucune décision enregistrée.",
    "illegal_decision": "Les règles refusent la décision enregistrée.",
    "bad_signature": "La place n'a pas signé ce qui est enregistré comme sa décision, ou pas à "
    "cet endroit.",
    "outcome_differs": "En décidant de nouveau à partir de la graine, on obtient un autre "
    "événement.",
    "state_differs": "Les événements ne mènent pas à l'état où menait la décision.",
    "cards_lost": "Les cartes sur la table et dans les mains ne sont pas le jeu complet.",
    "broken_promise": "Un secret ou la donne ne correspond pas à l'engagement pris auparavant.",
    "against_rules": "Le second arbitre, qui n'a que le livre de règles, objecte à l'événement.",
    "command_repeated": "Deux commandes ont le même identifiant, sous lequel le registre n'en "
    "accepte qu'une.",
    "timed_out_early": "Une place a été déclarée en retard avant la fin de son temps, selon "
    "l'horloge de la table et les heures enregistrées.",
    "against_terms": "Un dépassement de temps, la cession d'une place ou ce qui s'ensuit n'a pas "
    "de fondement dans les conditions de la table.",
    "closed_early": "La partie a été interrompue à cause de secrets non révélés, avant la fin du "
    "temps prévu, ou sans qu'aucun ait été fixé.",
    "header_differs": "La première ligne du paquet ne correspond pas à ses événements.",
    "ruleset_differs": "Les règles du paquet ne sont pas celles avec lesquelles la partie a été "
    "ouverte.",
    "secret_differs": "Une ligne sur un secret ne correspond pas aux événements : qui l'a créé, "
    "ce sur quoi on s'était engagé ou ce qui a été révélé.",
    "told_too_early": "Le paquet d'une partie qui n'est pas terminée ouvre plus que ne peut "
    "savoir celui qui regarde.",
    "proofs_disagree": "Les événements mènent à un autre état que la graine et les décisions.",
    "bad_receipt": "La signature d'un reçu n'est pas celle de la clé qu'il nomme.",
    "receipt_differs": "Un vrai reçu du paquet parle d'un autre événement, d'une autre commande "
    "ou d'une autre heure que ce qui figure là.",
    "bad_checkpoint": "Le point de contrôle n'en est pas un, ou une signature dessous est "
    "mauvaise.",
    "wrong_origin": "Le point de contrôle est celui d'un autre registre que celui de la politique.",
    "bad_cosignature": "La signature d'un témoin sous le point de contrôle est mauvaise.",
    "cosigned_before": "Un témoin a vu les événements de la partie dans le registre avant l'heure "
    "à laquelle le dernier aurait eu lieu.",
    "bad_inclusion": "La preuve ne mène pas de l'événement au point de contrôle.",
    "bad_consistency": "La preuve ne montre pas que le registre continue à partir du point de "
    "contrôle conservé.",
    "unknown_key": "C'est signé avec une clé à laquelle aucune politique ne fait confiance.",
    "equivocation": "Il y a deux histoires d'un même événement.",
    "cut_off": "Il y a un vrai reçu ou une vraie preuve d'un événement que le paquet n'a pas.",
    "two_roots": "Deux points de contrôle d'un même registre, avec de bonnes signatures et "
    "preuves, ont la même taille et des racines différentes.",
    "forked_log": "Deux points de contrôle d'un même registre, avec de bonnes signatures et "
    "preuves, ne s'accordent pas sur la place des événements.",
    "log_goes_on": "La partie a été interrompue parce que son registre avait fini avec une "
    "restauration, et ce registre continue.",
    "annulled": "La partie a été interrompue après une restauration, et ce qui y manque était la "
    "fin de la partie, ou un témoin l'a vu.",
    "time_backwards": "Un événement serait plus ancien que le précédent.",
    "time_contradicted": "L'heure d'un événement contredit la propre parole de l'exploitant sur "
    "le moment où une place était là.",
    "seat_key_differs": "Une place n'a pas la clé que la politique nomme pour elle.",
    "receipts_missing": "La politique demande des reçus, et une commande n'en a pas d'une clé "
    "qu'elle connaît.",
    "checkpoint_missing": "La politique demande un point de contrôle, et le paquet n'en a pas.",
    "checkpoint_behind": "La politique demande un point de contrôle, et celui du paquet ne couvre "
    "pas le dernier événement.",
    "witnesses_missing": "Moins de témoins ont contresigné le point de contrôle que la politique "
    "n'en demande.",
    "times_unwitnessed": "La politique demande que les places aient eu leur temps aussi selon "
    "l'horloge d'un témoin, et pour un dépassement personne ne le montre.",
    "not_finished": "La politique demande une partie jouée jusqu'au bout.",
    "signatures_missing": "La politique demande des commandes signées, et pour une place seul "
    "l'exploitant se porte garant : elle n'a pas enregistré de clé, ou serait un robot dont on "
    "n'a pas vu le programme jouer ainsi.",
    "player_secret_missing": "La politique demande un jeu que l'exploitant ne pouvait pas choisir "
    ": le propre secret d'un joueur doit entrer dans la donne. Ici il n'y en a pas, ou personne "
    "ne garantit que la place qui l'a apporté n'est pas celle de l'exploitant, ou la partie n'est "
    "pas terminée.",
    "moves_unsigned": "La politique demande des coups signés avec des clés qu'elle nomme, et pour "
    "ceux d'une place il n'y a que la parole de l'exploitant.",
    "seat_unsigned": "La politique nomme la clé d'une place, et rien dans la partie n'est signé "
    "avec elle : l'exploitant pourrait avoir inscrit lui-même ce joueur et sa clé.",
    "bots_unproven": "La politique demande que les coups des robots soient ceux de leurs "
    "programmes, et pour certains on ne l'a pas vu : l'exploitant a pu jouer à leur place.",
}
"""What each code of a finding means."""
BLAMES: Mapping[str, str] = {
    "gap": "Celui qui a écrit ou transmis ce fichier ; l'exploitant, là où son propre reçu ou "
    "point de contrôle s'en porte garant.",
    "unreadable": "Personne.",
    "broken_seal": "L'exploitant, ou celui qui a écrit ce fichier : à lui seul, il ne dit pas "
    "lequel.",
    "outcome_differs": "Le serveur de l'exploitant, ou celui qui a modifié les événements depuis "
    "; l'exploitant seul, là où son propre reçu ou point de contrôle s'en porte garant.",
    "illegal_decision": "Le serveur de l'exploitant, qui a accepté un coup jamais permis, ou "
    "celui qui l'a modifié depuis ; la place aussi, là où sa signature est bonne.",
    "bad_signature": "Celui qui a écrit l'événement : pas la place, qui ne l'a pas envoyé à cet "
    "endroit et à ce moment.",
    "broken_promise": "Celui qui a fait le secret : la place pour celui qu'elle a apporté, sinon "
    "l'exploitant ; ou celui qui l'a modifié depuis.",
    "against_rules": "Les règles selon lesquelles joue le serveur de l'exploitant, ou le second "
    "arbitre.",
    "timed_out_early": "L'exploitant, selon sa propre horloge.",
    "bad_receipt": "Celui qui a fait le reçu.",
    "bad_checkpoint": "Celui qui a fait le point de contrôle.",
    "wrong_origin": "Celui qui a pris un point de contrôle d'un autre registre.",
    "bad_cosignature": "Celui qui a fait la contresignature.",
    "cosigned_before": "L'horloge de l'exploitant, si celle du témoin était juste.",
    "unknown_key": "Personne, tant que personne ne se porte garant de la clé.",
    "equivocation": "L'exploitant, si les deux histoires ont sa vraie signature ; sinon un des "
    "fichiers a été modifié.",
    "two_roots": "L'exploitant, si la politique nomme la clé ; sans politique, n'importe qui a pu "
    "la créer.",
    "log_goes_on": "L'exploitant, qui n'a pas repris depuis une restauration comme il le dit.",
    "annulled": "L'exploitant, qui doit montrer ce qui a été perdu ; personne d'autre.",
    "time_contradicted": "L'exploitant, par sa propre signature sur le moment où la place était "
    "là.",
    "seat_key_differs": "Personne encore : l'exploitant a pu prendre la place avec une clé à lui, "
    "ou le joueur en a une autre.",
}
"""Whom it blames, by one of the codes that blame the same."""
PROVES: Mapping[str, str] = {
    "gap": "À lui seul, seulement que ce fichier n'est pas ce qui a été joué : celui qui l'a "
    "écrit ou transmis a pu le modifier. Là où un vrai reçu ou un point de contrôle se porte "
    "garant du fichier, c'était l'exploitant.",
    "unreadable": "Rien contre personne.",
    "broken_seal": "La valeur cachée a été modifiée après la publication de l'événement, ou son "
    "sceau était faux dès le début. La chaîne lie les événements ; seuls les sceaux lient les "
    "valeurs ouvertes.",
    "outcome_differs": "Le serveur de l'exploitant a produit ces événements, ou quelqu'un les a "
    "modifiés depuis. Un vrai reçu sur cet événement, ou un point de contrôle sur la partie, "
    "montre que c'était l'exploitant.",
    "illegal_decision": "Le coup enregistré n'a jamais été permis : le serveur de l'exploitant "
    "l'a quand même accepté, ou il a été modifié depuis. La bonne signature d'une place montre "
    "que la place l'a bien envoyé.",
    "bad_signature": "La place qui a enregistré la clé n'a pas envoyé cette commande à cet "
    "endroit et à ce moment ; celui qui a écrit l'événement la lui a prêtée.",
    "against_rules": "Les règles selon lesquelles joue le serveur de l'exploitant ne sont pas ici "
    "celles du livre de règles, ou le second arbitre se trompe : la règle est nommée, on peut "
    "donc la consulter. Décider de nouveau ne peut pas le montrer, puisque cela se fait selon les "
    "mêmes règles.",
    "broken_promise": "Celui qui a fait le secret n'a pas tenu son engagement : la place pour un "
    "secret qu'elle a apporté, sinon l'exploitant ; ou la valeur a été modifiée depuis.",
    "command_repeated": "Le serveur de l'exploitant a accepté deux fois une commande, ou en a mis "
    "une des siennes sous l'identifiant d'une autre ; ou l'identifiant a été modifié depuis. Le "
    "service n'accepte chaque identifiant qu'une fois.",
    "timed_out_early": "Que la place n'a rien à se reprocher, quoi qu'il lui soit arrivé, à elle "
    "ou à la partie, pour son retard : selon la propre horloge de l'exploitant, elle avait encore "
    "le temps de répondre.",
    "against_terms": "Que le serveur de l'exploitant a fait à une place ce que les conditions, "
    "qui figurent dans le premier événement, ne prévoient pas ; ou que les événements ont été "
    "modifiés depuis.",
    "closed_early": "Que les places nommées ne devaient encore rien, selon la propre horloge de "
    "l'exploitant.",
    "told_too_early": "Soit la fin de la partie a été coupée, soit l'exploitant a livré ce qui "
    "était secret.",
    "proofs_disagree": "Que les événements n'ont pas été produits selon ces règles à partir de "
    "ces secrets, bien qu'aucun n'ait pu être désigné.",
    "bad_receipt": "Que ce reçu ne vaut rien : il a été modifié, ou n'a jamais été délivré.",
    "receipt_differs": "Que l'exploitant a signé autre chose que ce que raconte ce fichier : le "
    "fichier a été modifié, ou l'exploitant a modifié la partie.",
    "bad_checkpoint": "Que ce point de contrôle ne vaut rien : il a été modifié, ou n'a jamais "
    "été publié.",
    "wrong_origin": "Rien sur le registre que nomme la politique.",
    "bad_cosignature": "Que le témoin n'a pas vu ce point de contrôle tel qu'il figure ici.",
    "cosigned_before": "Que les événements ont eu lieu plus tôt que ne le disent les heures de "
    "l'exploitant, si l'horloge du témoin était juste : ce qui était dû à ces heures ne l'était "
    "pas encore. Une horloge de l'exploitant qui avançait par erreur a le même effet.",
    "bad_inclusion": "Qu'il n'est pas montré que cet événement est dans le registre : "
    "l'événement, la preuve ou le point de contrôle a été modifié.",
    "bad_consistency": "Qu'il n'est pas montré que le registre n'a qu'une histoire : la preuve ou "
    "un point de contrôle a été modifié, ou l'exploitant a montré deux histoires. À qui la faute, "
    "une autre preuve le dit : un exploitant qui n'en peut donner aucune a dédoublé son registre.",
    "unknown_key": "Rien, tant que personne ne se porte garant de la clé.",
    "equivocation": "Deux vraies signatures de l'exploitant sur des feuilles différentes pour un "
    "même événement prouvent qu'il a raconté deux histoires. Un fichier sans reçus ne prouve rien "
    ": c'est peut-être le fichier qui a été modifié, et lequel, les fichiers seuls ne le disent "
    "pas.",
    "cut_off": "Que la partie a continué : la fin a été coupée par celui qui a fait le fichier, "
    "ou par l'exploitant ; ou bien le fichier est celui d'une partie en cours et a été fait avant.",
    "two_roots": "Que celui qui a la clé tient deux registres et en montre un différent selon les "
    "gens : l'exploitant, si la politique nomme la clé. Sans politique, n'importe qui a pu créer "
    "la clé.",
    "log_goes_on": "Que le serveur de l'exploitant n'a pas repris depuis une restauration comme "
    "il le dit : ce que d'autres ont de la fin de la partie n'a pas été perdu ainsi.",
    "annulled": "Que l'exploitant a signé cette fin, puis une partie sans elle. Que la "
    "restauration soit un accident ou non n'y change rien : ce qui a été signé et vu d'abord "
    "compte.",
    "time_backwards": "Que les heures ont été inventées, ou modifiées depuis : le service ne "
    "recule jamais l'horloge d'une partie.",
    "time_contradicted": "Que l'exploitant a donné à l'événement une autre heure que la sienne : "
    "il a signé le moment où la place avait vu la partie jusqu'à un événement, sans aucun autre "
    "après, et les événements le réfutent.",
    "seat_key_differs": "Que rien ici n'a été signé par la personne que vise la politique : "
    "l'exploitant a pu prendre la place avec une clé à lui, ou le joueur en a une autre.",
}
"""What it proves, by one of the codes that prove the same."""
ADVISES: Mapping[str, str] = {
    "gap": "Redemandez le paquet au service et vérifiez les deux : `phaseledger verify ONE OTHER`.",
    "unknown_topic": "Utilisez la version qui a écrit la partie, ou une plus récente.",
    "sealed": "Demandez le paquet ou l'export après la fin de la partie.",
    "outcome_differs": "Gardez ce fichier et les reçus ; ce sont les preuves. Montrez-les aux "
    "autres places.",
    "against_rules": "Consultez la règle. Si l'objection est juste, gardez le fichier et signalez "
    "la faute.",
    "told_too_early": "Redemandez le paquet au service : si la partie y est terminée, sa fin a "
    "été coupée.",
    "bad_receipt": "Redemandez le reçu : GET /v1/games/{id}/receipts/{seq}.",
    "wrong_origin": "Demandez à l'exploitant, par une autre voie que le service, comment "
    "s'appelle le registre.",
    "cosigned_before": "Demandez au témoin ce qu'il en est de son horloge. Une politique dit dans "
    "`clock_skew` de combien de secondes les deux peuvent différer.",
    "unknown_key": "Demandez à l'exploitant, par une autre voie que le service, ses clés de "
    "vérification ; mettez-les dans la politique si ce sont elles.",
    "cut_off": "Redemandez le paquet au service, et donnez les deux fichiers. Si l'événement y "
    "manque aussi, l'exploitant l'a effacé.",
    "seat_key_differs": "Demandez la clé au joueur, par une autre voie que le service.",
    "receipts_missing": "Demandez le paquet au service : il contient tous les reçus.",
    "checkpoint_missing": "Demandez le paquet au service, quelques secondes après le dernier "
    "événement de la partie.",
    "witnesses_missing": "Redemandez le paquet après que les témoins ont vu le point de contrôle.",
    "times_unwitnessed": "Donnez à `--sightings` un point de contrôle que le témoin a contresigné "
    "une fois la place interrogée, un autre contresigné d'autant plus tard, et les preuves de la "
    "place, dans le registre, de la question et de ce qui a mis fin à l'attente. Qui n'a pas "
    "conservé de points de contrôle alors n'en a pas maintenant : demandez les siens au témoin.",
    "not_finished": "Demandez le paquet après la fin de la partie.",
    "signatures_missing": "On ne peut rien faire pour cette partie : une place enregistre sa clé "
    "quand on s'assied. Les robots rejouent une fois la partie terminée, avec la version du "
    "service qui l'a jouée.",
    "player_secret_missing": "On ne peut rien faire pour cette partie : une place s'engage sur "
    "son secret et enregistre la clé à laquelle on la reconnaît quand on s'assied. Si c'est la "
    "clé d'un joueur, nommez-la dans la politique, sous `players` ou `seats`.",
    "moves_unsigned": "Demandez leurs clés aux joueurs, par une autre voie que le service, et "
    "nommez-les dans la politique, sous `players` ou `seats`. Une place sans clé n'en a pas à "
    "nommer : elle en enregistre une quand on s'assied.",
    "seat_unsigned": "Demandez au joueur, par une autre voie que le service, s'il était assis là. "
    "Qui signe son arrivée, ou une commande quelconque, le prouve.",
    "bots_unproven": "Les robots rejouent une fois la partie terminée : vérifiez-la avec la "
    "version du service qui l'a jouée.",
}
"""What to do, by one of the codes that advise the same."""
GRADES: Mapping[str, str] = {
    "proven": "Un exploitant menteur n'aurait pu changer ni les cartes ni les coups, ni déclarer "
    "une place en retard trop tôt : cela est lié par les secrets et les signatures de joueurs que "
    "la politique nomme, par les programmes des robots et par les horloges de témoins.",
    "attested": "Qui a joué, les cartes et les coups sont liés par des joueurs que la politique "
    "nomme et par les programmes des robots. La fin de la partie, ou qui a dépassé son temps, "
    "n'est que la parole de l'exploitant. La première ligne du verdict dit lequel.",
    "recorded": "L'exploitant est tenu à cette seule histoire, par sa propre signature ou par "
    "d'autres qui l'ont vue, mais une partie n'est que sa parole : il a pu choisir les cartes, "
    "faire des coups ou jouer des robots. La première ligne du verdict dit quoi.",
    "consistent": "Le fichier ne contredit ni lui-même ni les règles, et personne que la "
    "politique nomme ne s'en porte garant. Sans politique, aucune partie n'a de meilleur degré.",
    "none": "Quelque chose est faux, le fichier ne prouve donc rien sur la partie.",
}
"""What each grade says of a game."""
