"""What findings and verdicts say, in French."""

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
    "bad_signature": "La place n'a pas signé ce qui est enregistré comme sa décision, ou pas à cet "
    "endroit.",
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
}
"""What each code of a finding means."""
BLAMES: Mapping[str, str] = {
    "gap": "Celui qui a écrit ou transmis ce fichier ; l'exploitant, là où son propre reçu ou "
    "point de contrôle s'en porte garant.",
    "unreadable": "Personne.",
    "broken_seal": "L'exploitant, ou celui qui a écrit ce fichier : à lui seul, il ne dit pas "
    "lequel.",
    "outcome_differs": "Le serveur de l'exploitant, ou celui qui a modifié les événements depuis ; "
    "l'exploitant seul, là où son propre reçu ou point de contrôle s'en porte garant.",
    "illegal_decision": "Le serveur de l'exploitant, qui a accepté un coup jamais permis, ou celui "
    "qui l'a modifié depuis ; la place aussi, là où sa signature est bonne.",
    "bad_signature": "Celui qui a écrit l'événement : pas la place, qui ne l'a pas envoyé à cet "
    "endroit et à ce moment.",
    "broken_promise": "Celui qui a fait le secret : la place pour celui qu'elle a apporté, sinon "
    "l'exploitant ; ou celui qui l'a modifié depuis.",
    "against_rules": "Les règles selon lesquelles joue le serveur de l'exploitant, ou le second "
    "arbitre.",
    "timed_out_early": "L'exploitant, selon sa propre horloge.",
}
"""Whom it blames, by one of the codes that blame the same."""
PROVES: Mapping[str, str] = {
    "gap": "À lui seul, seulement que ce fichier n'est pas ce qui a été joué : celui qui l'a écrit "
    "ou transmis a pu le modifier. Là où un vrai reçu ou un point de contrôle se porte garant du "
    "fichier, c'était l'exploitant.",
    "unreadable": "Rien contre personne.",
    "broken_seal": "La valeur cachée a été modifiée après la publication de l'événement, ou son "
    "sceau était faux dès le début. La chaîne lie les événements ; seuls les sceaux lient les "
    "valeurs ouvertes.",
    "outcome_differs": "Le serveur de l'exploitant a produit ces événements, ou quelqu'un les a "
    "modifiés depuis. Un vrai reçu sur cet événement, ou un point de contrôle sur la partie, "
    "montre que c'était l'exploitant.",
    "illegal_decision": "Le coup enregistré n'a jamais été permis : le serveur de l'exploitant l'a "
    "quand même accepté, ou il a été modifié depuis. La bonne signature d'une place montre que la "
    "place l'a bien envoyé.",
    "bad_signature": "La place qui a enregistré la clé n'a pas envoyé cette commande à cet endroit "
    "et à ce moment ; celui qui a écrit l'événement la lui a prêtée.",
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
    "against_terms": "Que le serveur de l'exploitant a fait à une place ce que les conditions, qui "
    "figurent dans le premier événement, ne prévoient pas ; ou que les événements ont été "
    "modifiés depuis.",
    "closed_early": "Que les places nommées ne devaient encore rien, selon la propre horloge de "
    "l'exploitant.",
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
}
"""What to do, by one of the codes that advise the same."""
GRADES: Mapping[str, str] = {
    "proven": "Un exploitant menteur n'aurait pu changer ni les cartes ni les coups, ni déclarer "
    "une place en retard trop tôt : cela est lié par les secrets et les signatures de joueurs que "
    "la politique nomme, par les programmes des robots et par les horloges de témoins.",
    "attested": "Comme prouvé, sauf pour la fin de la partie ou pour savoir qui a dépassé son "
    "temps, qui ne sont que la parole de l'exploitant. La première ligne du verdict dit lequel.",
    "recorded": "L'exploitant est tenu à cette seule histoire, par sa propre signature ou par "
    "d'autres qui l'ont vue, mais une partie n'est que sa parole : il a pu choisir les cartes, "
    "faire des coups ou jouer des robots. La première ligne du verdict dit quoi.",
    "consistent": "Le fichier ne contredit ni lui-même ni les règles, et personne que la politique "
    "nomme ne s'en porte garant. Sans politique, aucune partie n'a de meilleur degré.",
    "none": "Quelque chose est faux, le fichier ne prouve donc rien sur la partie.",
}
"""What each grade says of a game."""
VERDICTS: Mapping[str, str] = {
    "wrong": "FAUX : ce n'est pas une partie jouée selon ses règles à partir de ses secrets",
    "damaged": "ENDOMMAGÉ : cela ne peut pas être jugé",
    "operator": "NON GARANTI : les preuves de l'exploitant ne tiennent pas",
}
"""The headline of what is not sound, by its conclusion."""
