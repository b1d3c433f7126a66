"""What stands on the page that verifies a bundle, whatever it is given, in French."""

from collections.abc import Mapping

PAGE: Mapping[str, str] = {
    "page.title": "Vérifier le paquet d'une partie",
    "page.intro": "Cette page recalcule ce qu'un paquet (`p10-bundle/v1`) affirme : qui s'est "
    "engagé sur quel secret, comment les cartes se trouvent après chaque donne et chaque mélange, "
    "comment les dés sont tombés, la chaîne de hachage, les sceaux et les signatures. Et elle juge "
    "la partie selon les règles : chaque coup, les points et le gagnant. Elle travaille seule, "
    "dans votre navigateur : le fichier reste sur votre machine, et la page ne peut se connecter à "
    "rien.",
    "page.no_script": "Il lui faut JavaScript, qui est désactivé ici.",
    "page.insecure": "Ce navigateur ne donne pas de cryptographie aux pages venues par HTTP "
    "simple. Ouvrez celle-ci depuis un fichier, ou par HTTPS.",
    "page.language": "Langue",
    "page.give": "Le paquet",
    "page.file": "Choisissez le fichier du paquet, ou déposez-le n'importe où sur cette page",
    "page.paste": "Coller plutôt son texte",
    "page.pasted": "Le texte du paquet",
    "page.pasted_name": "le texte collé",
    "page.check": "Vérifier le texte",
    "page.kept": "Les reçus que vous avez conservés, s'il y en a : lignes JSON, à choisir ou à "
    "déposer comme le paquet",
    "page.others": "D'autres que l'exploitant ont gardé ces reçus : vous le savez d'eux, ou c'est "
    "vous",
    "page.sightings": "Les points de contrôle du registre que vous avez conservés, avec leurs "
    "preuves, s'il y en a : lignes JSON",
    "page.policy": "La politique de votre club ou de votre arbitre, s'il y en a une : TOML, à "
    "choisir ou à déposer",
    "page.choose": "Choisir un fichier",
    "page.none_chosen": "aucun fichier choisi",
    "page.kept_given": "Les reçus sont là ; choisissez maintenant le paquet.",
    "page.sightings_given": "Les points de contrôle sont là ; choisissez maintenant le paquet.",
    "page.policy_given": "La politique est là ; choisissez maintenant le paquet.",
    "page.checking": "Vérification de {name} ...",
    "page.progress": "Vérification de {name} : {share}",
    "page.fault": "{name} n'a pas pu être vérifié : {text}",
    "page.subject": "{name} : partie {game}, {status}",
    "page.headline_at": "{headline} (le premier événement faux est l'événement {seq})",
    "page.heard": "{headline}. {meaning}",
    "page.move": "Le fichier dit : {move}.",
    "page.unsigned": "Les signatures n'ont pas été vérifiées : ce navigateur n'a pas Ed25519.",
    "page.keys": "Clés que le fichier nomme",
    "headline.unsound": "PAS valable",
    "headline.unreadable": "Ce n'est pas un paquet qui puisse être vérifié",
    "headline.no_contradiction": "AUCUNE CONTRADICTION",
    "headline.unjudged": "non jugé",
    "headline.unsigned": "{ending}, mais les signatures n'ont PAS été vérifiées",
    "meaning.sound": "L'enregistrement est sans faille, chaque carte et chaque dé découle des "
    "secrets, et cette page a jugé les coups, les points et le gagnant selon les règles.",
    "meaning.open": "La partie n'est pas terminée dans ce paquet, ses cartes ne peuvent donc pas "
    "encore être recalculées.",
    "meaning.lacking": "Rien n'est faux, mais votre politique demande plus que ce qu'il y a dans "
    "ce paquet.",
    "state.failed": "Faux.",
    "state.passed": "Vérifié.",
    "state.skipped": "Non vérifié.",
    "heading.failed": "Ce qui est faux",
    "heading.passed": "Ce qui a été vérifié",
    "heading.skipped": "Ce qui n'a pas été vérifié",
    "row.where": "Où",
    "row.move": "Le fichier dit",
    "row.what": "Quoi",
    "row.rule": "La règle",
    "row.expected": "Attendu",
    "row.recorded": "Enregistré",
    "row.class": "Classe",
    "where.file": "le fichier",
    "where.line": "ligne {line}",
    "column.seat": "Place",
    "column.player": "Joueur",
    "column.points": "Points",
    "column.phase": "Phase suivante",
    "column.won": "Gagné",
    "won.yes": "oui",
    "won.no": "non",
    "result.all_made": "toutes faites",
    "result.won": "{count} manches de « {title} », gagnées par {names}, selon les coups, les "
    "points et le gagnant que cette page a jugés",
    "result.won@one": "{count} manche de « {title} », gagnée par {names}, selon les coups, les "
    "points et le gagnant que cette page a jugés",
    "result.broken_off": "{count} manches de « {title} », partie interrompue, selon les coups et "
    "les points que cette page a jugés",
    "result.broken_off@one": "{count} manche de « {title} », partie interrompue, selon les coups "
    "et les points que cette page a jugés",
    "explain.form": "Ce n'est pas écrit comme doit l'être un p10-bundle/v1, on ne peut donc rien "
    "en conclure.",
    "explain.truncated": "Le fichier finit trop tôt, ou annonce un autre nombre d'événements ou de "
    "lignes qu'il n'en a.",
    "explain.order": "Des lignes ou des événements ne sont pas là où ils doivent être.",
    "explain.chain": "La chaîne de hachage est rompue : cet événement ou le précédent a été "
    "modifié.",
    "explain.seal": "Une partie cachée n'est pas ce qui a été scellé quand l'événement a été "
    "enregistré.",
    "explain.commitment": "Un secret n'est pas celui de l'engagement, ou l'engagement est venu "
    "trop tard.",
    "explain.transcript": "La donne ne découle pas de ces engagements, de ces secrets et de ces "
    "règles.",
    "explain.shuffle": "Ces cartes ne se trouvent pas comme les secrets de cette partie les "
    "mélangent.",
    "explain.draw": "La carte piochée n'est pas celle qui se trouvait là.",
    "explain.cards": "Une carte est enregistrée là où elle ne peut pas avoir été.",
    "explain.rules": "L'événement est contraire aux règles du jeu.",
    "explain.decision": "L'événement n'est pas ce qui découle de la décision enregistrée.",
    "explain.die": "Les dés ne sont pas tombés ainsi : les secrets de cette partie donnent "
    "d'autres valeurs.",
    "explain.first_player": "Les secrets et les règles de cette partie donnent un autre donneur ou "
    "un autre premier joueur.",
    "explain.signature": "Une commande n'est pas signée comme sa place l'avait annoncé.",
    "explain.receipt": "Un reçu ne correspond pas aux événements, ou n'est pas signé avec la clé "
    "de l'exploitant.",
    "explain.checkpoint": "Le point de contrôle n'est pas une note signée avec la clé de "
    "l'exploitant.",
    "explain.inclusion": "L'événement n'est pas dans le registre dont parle le point de contrôle.",
    "explain.key": "Ce n'est ni une clé ni un registre que nomme votre politique.",
    "explain.consistency": "Le registre n'est pas la suite de la taille antérieure que nomme le "
    "fichier, ou que vous avez conservée.",
    "explain.owing": "La partie a été interrompue, et nomme d'autres places que celles qui "
    "devaient une réponse.",
}
