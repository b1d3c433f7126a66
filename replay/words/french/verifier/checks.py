"""What the checks of the page that verifies say of a bundle, in French."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "title.chain": "Chaîne de hachage",
    "title.events": "Événements",
    "title.times": "Heures",
    "title.commands": "Commandes",
    "title.commitments": "Engagements",
    "title.transcript": "Transcription",
    "title.seals": "Sceaux",
    "title.cards": "Cartes et dés",
    "title.referee": "Règles",
    "title.signed_commands": "Commandes signées",
    "title.keys": "Clés",
    "title.receipts": "Reçus",
    "title.kept": "Reçus que vous avez conservés",
    "title.log": "Registre public",
    "title.sightings": "Points de contrôle que vous avez conservés",
    "title.policy": "Politique",
    "number.deals": "{count} donnes",
    "number.deals@one": "{count} donne",
    "number.reshuffles": "{count} mélanges",
    "number.reshuffles@one": "{count} mélange",
    "number.cards": "{count} cartes",
    "number.cards@one": "{count} carte",
    "number.leaves": "{count} feuilles",
    "number.leaves@one": "{count} feuille",
    "number.witnesses": "{count} témoins",
    "number.witnesses@one": "{count} témoin",
    "checked.failed": "{title} : {text}",
    "checked.rests_on": "{title} : non vérifié, car ce qui en est la base n'est pas valable : "
    "{other}.",
    "checked.form": "Forme : {count} événements de la partie {game} ; chaque ligne est du JSON "
    "canonique et se trouve à sa place.",
    "checked.form@one": "Forme : {count} événement de la partie {game} ; chaque ligne est du JSON "
    "canonique et se trouve à sa place.",
    "checked.form_failed": "Forme : {text}.",
    "checked.events": "Événements : chacun contient ce que demande son type, et rien d'autre.",
    "checked.chain": "Chaîne de hachage : {count} événements. Son dernier hachage est {hash}.",
    "checked.chain@one": "Chaîne de hachage : {count} événement. Son dernier hachage est {hash}.",
    "checked.commands": "Commandes : {count} décisions, et chaque événement appartient à l'une "
    "d'elles.",
    "checked.commands@one": "Commandes : {count} décision, et chaque événement lui appartient.",
    "checked.times": "Heures : selon l'horloge de l'exploitant, aucun événement ne porte une heure "
    "antérieure à celle d'un précédent, aucun dépassement de temps n'arrive avant son heure.",
    "checked.commitments": "Engagements : le secret du serveur et {count} secrets de places sont "
    "ceux des engagements, et personne n'a révélé le sien avant que tous se soient engagés.",
    "checked.commitments@one": "Engagements : le secret du serveur et {count} secret de place sont "
    "ceux des engagements, et personne n'a révélé le sien avant que tous se soient engagés.",
    "checked.unrevealed": "{count} places n'ont jamais révélé le leur.",
    "checked.unrevealed@one": "{count} place n'a jamais révélé le sien.",
    "checked.commitments_so_far": "Engagements : secrets révélés jusqu'ici : {count} sur {total}, "
    "chacun conforme à son engagement. Le secret du serveur est révélé quand la partie est "
    "terminée.",
    "checked.transcript": "Transcription : la donne découle de ces engagements, de ces secrets et "
    "des règles {ruleset}.",
    "checked.not_dealt": "Transcription : aucune carte n'a été distribuée.",
    "checked.transcript_hidden": "Transcription : certains secrets sont encore cachés, elle ne "
    "peut donc pas encore être recalculée.",
    "checked.seals": "Sceaux : {count} parties ouvertes correspondent à ce qui a été scellé.",
    "checked.seals@one": "Sceaux : {count} partie ouverte correspond à ce qui a été scellé.",
    "checked.seals_salted": "Sceaux : {count} parties ouvertes correspondent à ce qui a été "
    "scellé, chacune avec le sel qui découle du secret du serveur.",
    "checked.seals_salted@one": "Sceaux : {count} partie ouverte correspond à ce qui a été scellé, "
    "avec le sel qui découle du secret du serveur.",
    "checked.no_seals": "Sceaux : aucun n'est ouvert dans ce paquet.",
    "checked.closed_seals": "Encore fermés : {count} sceaux.",
    "checked.closed_seals@one": "Encore fermé : {count} sceau.",
    "checked.cards": "Cartes : après {deals} et {reshuffles}, elles se trouvent comme les secrets "
    "les mélangent : mains, défausse et pioche. Prises là où elles étaient : {draws} ; posées ou "
    "conservées par des places qui les avaient : {moved}.",
    "checked.cards_later": "Cartes et dés : ils pourront être recalculés une fois le secret du "
    "serveur révélé, à la fin de la partie.",
    "checked.cards_secret": "Cartes et dés : non vérifié, car le secret du serveur n'est pas celui "
    "de l'engagement.",
    "checked.dice": "Dés : {count} dés sont tombés comme les secrets les lancent.",
    "checked.dice@one": "Dés : {count} dé est tombé comme les secrets le lancent.",
    "checked.no_dice": "Dés : aucun n'a été lancé.",
    "checked.lots": "Premiers joueurs : {count} tirés au sort, comme les secrets les tirent ; les "
    "donneurs suivent les règles.",
    "checked.lots@one": "Premiers joueurs : {count} tiré au sort, comme les secrets le tirent ; "
    "les donneurs suivent les règles.",
    "checked.no_lots": "Premiers joueurs : aucun tiré au sort ; les donneurs suivent les règles.",
    "checked.rules": "Règles : chaque coup, tous les points, les phases et le gagnant sont "
    "conformes au livre de règles.",
    "checked.rules_later": "Règles : les coups, les points et le gagnant sont jugés une fois la "
    "partie terminée.",
    "checked.rules_until": "Règles : aucun événement avant l'événement {seq} ne leur est "
    "contraire, mais celui-ci n'est pas valable.",
    "checked.signed": "Commandes signées : {count} commandes, avec les clés que les places avaient "
    "enregistrées.",
    "checked.signed@one": "Commandes signées : {count} commande, avec la clé que la place avait "
    "enregistrée.",
    "checked.unsigned": "Commandes signées : il n'y en a aucune à vérifier.",
    "checked.signed_unchecked": "Commandes signées : {count} commandes, NON vérifiées : ce "
    "navigateur n'a pas Ed25519.",
    "checked.signed_unchecked@one": "Commandes signées : {count} commande, NON vérifiée : ce "
    "navigateur n'a pas Ed25519.",
    "checked.sealed_signatures": "Encore scellées : {count} signatures.",
    "checked.sealed_signatures@one": "Encore scellée : {count} signature.",
    "checked.stood_in": "{count} réponses ont été données par des robots à la place de joueurs "
    "absents.",
    "checked.stood_in@one": "{count} réponse a été donnée par un robot à la place d'un joueur "
    "absent.",
    "checked.mute": "Places qui ne signent rien : {seats}. Ce qu'a fait une telle place était "
    "authentifié par son jeton : l'exploitant aurait pu l'écrire, et la place peut le nier.",
    "checked.no_mute": "Places qui ne signent rien : aucune. Ce que ferait une telle place serait "
    "authentifié par son jeton : l'exploitant aurait pu l'écrire, et la place pourrait le nier.",
    "checked.keys": "Clés : la première ligne en nomme {count}, et toutes servent.",
    "checked.keys@one": "Clés : la première ligne en nomme {count}, et elle sert.",
    "checked.no_keys": "Clés : dans ce paquet, l'exploitant n'a rien signé.",
    "checked.receipts": "Reçus : {count} reçus pour ces événements, signés avec les clés de la "
    "première ligne.",
    "checked.receipts@one": "Reçus : {count} reçu pour ces événements, signé avec une clé de la "
    "première ligne.",
    "checked.no_receipts": "Reçus : il n'y en a aucun, l'exploitant ne se porte donc garant de "
    "rien ici.",
    "checked.receipts_unchecked": "Reçus : {count} reçus pour ces événements ; leurs signatures "
    "n'ont PAS été vérifiées : ce navigateur n'a pas Ed25519.",
    "checked.receipts_unchecked@one": "Reçus : {count} reçu pour ces événements ; sa signature n'a "
    "PAS été vérifiée : ce navigateur n'a pas Ed25519.",
    "checked.kept": "Reçus que vous avez conservés : {count} correspondent aux événements.",
    "checked.kept@one": "Reçus que vous avez conservés : {count} correspond aux événements.",
    "checked.no_kept": "Reçus que vous avez conservés : vous n'en avez donné aucun.",
    "checked.kept_unchecked": "Reçus que vous avez conservés : {count} correspondent aux "
    "événements ; leurs signatures n'ont PAS été vérifiées : ce navigateur n'a pas Ed25519.",
    "checked.kept_unchecked@one": "Reçus que vous avez conservés : {count} correspond aux "
    "événements ; sa signature n'a PAS été vérifiée : ce navigateur n'a pas Ed25519.",
    "checked.kept_lost": "{count} portent sur des événements perdus, comme le dit le dernier "
    "événement de la partie.",
    "checked.kept_lost@one": "{count} porte sur un événement perdu, comme le dit le dernier "
    "événement de la partie.",
    "checked.log": "Registre public : les événements 1 à {seq} sur {total} se trouvent dans le "
    "registre « {origin} » de {leaves}.",
    "checked.log_cosigned": "Registre public : les événements 1 à {seq} sur {total} se trouvent "
    "dans le registre « {origin} » de {leaves}, contresigné par {witnesses}.",
    "checked.log_unchecked": "Registre public : les événements 1 à {seq} sur {total} se trouvent "
    "dans le registre « {origin} » de {leaves}, mais la signature du point de contrôle n'a PAS été "
    "vérifiée : ce navigateur n'a pas Ed25519.",
    "checked.no_log": "Registre public : il n'y a pas de point de contrôle, rien ne rattache donc "
    "la partie à un registre.",
    "checked.sightings": "Points de contrôle que vous avez conservés : le registre a la même "
    "histoire que {count} d'entre eux.",
    "checked.sightings@one": "Points de contrôle que vous avez conservés : le registre a la même "
    "histoire que {count} d'entre eux.",
    "checked.no_sightings": "Points de contrôle que vous avez conservés : vous n'en avez donné "
    "aucun.",
    "checked.no_checkpoint": "Points de contrôle que vous avez conservés : le paquet n'en a aucun "
    "auquel les comparer.",
    "checked.sighting_key": "Celui de la ligne {line} n'est signé par aucune clé qui compte ici.",
    "checked.sighting_open": "Rien ne montre si celui de la ligne {line} a la même histoire que le "
    "registre.",
    "checked.policy": "Politique : qui a signé pour l'exploitant l'a fait avec une des clés "
    "qu'elle nomme.",
    "checked.no_policy": "Politique : vous n'en avez donné aucune, personne ne se porte donc "
    "garant d'aucune clé.",
    "checked.lacks": "Votre politique demande : {expected} ; il y a : {recorded} ({code}).",
    "never.bots": "Si les robots ont joué comme le font leurs programmes : `phaseledger verify` "
    "les fait rejouer.",
    "never.keys": "Sans politique, à qui sont les clés que nomme le fichier : comparez-les à "
    "celles que vous avez reçues par une autre voie.",
    "never.times": "Les heures, sauf qu'elles ne se contredisent pas et ne contredisent pas les "
    "conditions de la table : elles sont la parole de l'exploitant.",
    "never.looked": "Si l'exploitant a regardé des cartes cachées pendant la partie : aucun "
    "fichier ne peut le montrer.",
}
