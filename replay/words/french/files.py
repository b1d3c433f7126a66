"""Why a file cannot be shown, and where it is damaged, in French."""

from collections.abc import Mapping

FILES: Mapping[str, str] = {
    "file.dispute": "{title} est un dossier de litige, avec les fichiers des deux parties : "
    "`phaseledger verify` les juge. Pour voir une partie, ouvrez un de ses paquets.",
    "file.version": "{title} est un paquet de la version {version}, et cette version-ci lit "
    "{other_version} : utilisez celle qui l'a écrit, ou une plus récente.",
    "file.other_version": "{title} est d'une autre version que celle que lit celle-ci. {text}",
    "file.nothing_good": "Même le premier événement de {title} ne peut être montré : {text}",
    "file.there_is_none": "il n'y en a aucun.",
    "file.no_game": "{title} n'est pas une partie : ni un export ni un paquet de phaseledger. "
    "{text}",
    "file.hidden": "La partie dans {title} n'est pas terminée, et personne ne voit ses cartes "
    "cachées avant la fin : seul ce que tout le monde peut voir peut être montré.",
    "file.hidden_seat": "La partie n'est pas terminée, et {title} n'a pas ce que la place {seat} "
    "peut savoir.",
    "file.bytes": "Le fichier fait plus de {count} Mo, et aucun plus grand n'est lu ici.",
    "file.events": "La partie a plus de {count} événements, et aucune plus longue n'est montrée "
    "ici.",
    "file.seconds": "La lecture de la partie a pris plus de {count} secondes, et pas davantage "
    "n'y est consacré ici.",
    "file.memory": "La lecture a demandé plus de {count} Mo de mémoire.",
    "file.processor": "La lecture a demandé plus de {count} secondes de processeur.",
    "file.unknown_game": "{title} n'a pas de partie {id}.",
    "line": "{title}:{seq} : {reason}.",
    "file.empty": "{title} : le fichier est vide ; il ne contient aucun événement.",
    "file.is_empty": "{title} : est vide : sa dernière ligne doit être {end}.",
    "file.no_event": "{title} : il n'y a aucun événement dedans.",
    "file.nested": "{title} : une ligne est trop profondément imbriquée pour être un événement.",
    "line.compressed": "le fichier est compressé : décompressez-le d'abord",
    "line.dispute": "c'est un dossier de litige, avec les fichiers des deux parties : phaseledger "
    "verify le lit",
    "line.receipts": "ce sont des reçus : phaseledger verify les lit, avec --receipt à côté d'un "
    "paquet",
    "line.not_utf8": "la ligne n'est pas du texte UTF-8",
    "line.nested": "la ligne est trop profondément imbriquée pour être un événement",
    "line.deep": "la ligne est trop profondément imbriquée",
    "line.no_event": "la ligne n'est pas un événement : {reason}",
    "line.too_long": "la ligne fait plus de {count} octets",
    "line.last_cut": "la dernière ligne est coupée : {reason}",
    "line.not_json": "la ligne n'est pas du JSON : {reason}",
    "line.bundle_cut": "le paquet est coupé : sa dernière ligne doit être {end}",
    "line.cut_here": "le paquet est coupé ici : sa dernière ligne doit être {end}",
    "line.end": "la ligne doit finir par {brace} et un LF",
    "line.within": "le paquet est coupé dans cette ligne : elle doit finir par {brace} et un LF",
    "bundle.events": "le paquet dit avoir {count} événements, mais il en a {total}",
    "bundle.events@one": "le paquet dit avoir {count} événement, mais il en a {total}",
    "bundle.lines": "{count} lignes précèdent celle-ci, non {total}",
    "bundle.most": "un paquet a au plus {count} octets et {total} lignes",
    "bundle.due": "il faut ici {due} ; il y a {step}",
    "bundle.due_line": "une ligne {kinds}",
    "bundle.due_nothing": "rien de plus",
    "bundle.something": "autre chose",
    "bundle.no_object": "les données de l'événement ne sont pas un objet",
    "bundle.receipts": "ce sont des reçus : donnez-les avec --receipt, à côté d'un paquet",
    "bundle.stored": "c'est un enregistrement brut : faites-en un paquet, export --bundle",
    "bundle.none": "ce n'est pas un paquet : un paquet commence par {begin}",
    "bundle.no_line": "ce n'est pas une ligne {kinds} : {reason}",
    "bundle.not_canonical": "la ligne a été modifiée : ce n'est pas du JSON canonique (RFC 8785), "
    "comme elle a été écrite",
    "bundle.opens": "ceci ouvre un sceau de l'événement {seq}, après l'événement {next}",
    "bundle.no_seal": "l'événement {seq} n'a pas de sceau pour {audience}",
    "bundle.one_more": "il y a ici un événement de plus que les {count} annoncés à la première "
    "ligne",
    "bundle.two": "un paquet a au plus deux lignes 'inclusion'",
    "bundle.order": "les lignes {kinds} ne sont pas dans leur ordre, ou l'une y figure deux fois",
    "bundle.keys": "les clés doivent être triées, aucune deux fois",
    "file.reason": "{title} : {fault}.",
    "file.unread": "{title} : illisible : {reason}.",
    "report.missing": "partie {id} : l'événement {seq} manque",
    "report.fault": "partie {id}, événement {seq} : {fault}",
    "report.unfollowable": "partie {id}, l'événement {seq} ne découle pas des précédents ({error})",
    "report.cards": "{type} parle de plus de cartes qu'il n'y en a",
    "report.deck": "les cartes distribuées ne sont pas celles du jeu",
    "report.measure": "un nombre y est hors de toute mesure",
}
