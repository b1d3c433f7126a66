"""The rules of the board game."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "B-01": "Le jeu se joue de 2 à 6 joueurs.",
    "B-02": "On joue avec exactement 96 cartes Nombre : de 1 à 12 dans chacune des 4 couleurs, en "
    "2 exemplaires.",
    "B-03": "Il n'y a ni cartes joker ni cartes Passer ; les jokers ne viennent que de cartes "
    "Nombre retournées (B-29).",
    "B-04": "Le plateau a un parcours circulaire de 32 cases Action de 8 types, et une piste de 10 "
    "cases Phase suivies de la case d'arrivée avec la couronne de laurier.",
    "B-05": "Chaque joueur a un pion (parcours) et un compteur (piste des phases) ; il y a deux "
    "dés à six faces.",
    "B-06": "Tous les pions commencent sur la grande case Action bleue avec des étoiles.",
    "B-07": "Tous les compteurs commencent sur la phase 1.",
    "B-08": "Chaque joueur reçoit 10 cartes une par une et ne les montre pas aux autres.",
    "B-09": "Cinq autres cartes sont placées face visible pour former la pile de défausse, de "
    "manière à ce qu'on ne voie que la carte supérieure.",
    "B-10": "Les cartes restantes, face cachée, forment la pioche.",
    "B-11": "Le plus jeune joueur entame la première manche.",
    "B-12": "On joue à tour de rôle dans le sens des aiguilles d'une montre.",
    "B-13": "Si l'âge n'est pas connu, l'hôte désigne celui qui entame la première manche.",
    "B-14": "Un coup a trois étapes : (1) lancer les dés, déplacer son pion et effectuer l'action, "
    "obligatoire ; (2) poser sa phase et faire des ajouts, facultatif ; (3) se défausser, "
    "obligatoire.",
    "B-15": "Le joueur lance les deux dés, choisit l'un d'eux et déplace son pion d'autant de "
    "cases dans le sens des aiguilles d'une montre (jamais de la somme de deux dés différents).",
    "B-16": "Avec un double, le joueur peut avancer de la valeur d'un dé ou du double de cette "
    "valeur.",
    "B-17": "Les cases occupées par d'autres pions sont sautées sans être comptées : le pion "
    "arrive sur la n-ième case libre.",
    "B-18": "Une case porte donc un pion au plus, sauf la case de départ avant que les pions "
    "l'aient quittée.",
    "B-19": "La case atteinte indique l'action, qui doit être effectuée avant l'étape 2.",
    "B-20": "L'ordre et le nombre des types d'action sur les 32 cases sont ceux du parcours "
    "habituel : +1 carte cinq fois, +2 cartes cinq fois, +3 cartes trois fois ; Joker, Fouille, "
    "Demande, Échange et Rejoue trois fois chacun ; Tous piochent et Au choix deux fois chacun.",
    "B-21": "+1, +2, +3 cartes : le joueur est obligé d'ajouter à sa main exactement autant de "
    "cartes qu'indiqué, chacune du dessus de la pioche ou de la défausse.",
    "B-22": "+1, +2, +3 cartes : on choisit la pile de chaque carte après avoir vu la précédente.",
    "B-23": "Fouille : le joueur regarde toute la pile de défausse et ajoute une carte de son "
    "choix à sa main, sans la montrer à ses adversaires.",
    "B-24": "Fouille : la pile est remise en place sans que l'ordre des cartes change.",
    "B-25": "Échange, première moitié : le joueur se défausse de 1 à 4 cartes de sa main ; les "
    "autres ne voient que celle du dessus.",
    "B-26": "Échange, seconde moitié : le joueur pioche une carte de plus que le nombre de cartes "
    "défaussées.",
    "B-27": "Rejoue : le joueur prend la première carte de la pioche ou de la défausse, fait s'il "
    "le veut l'étape 2, se défausse d'une carte, puis rejoue un coup complet (étapes 1 à 3).",
    "B-28": "Rejoue : si le pion tombe de nouveau sur Rejoue, le joueur peut de nouveau rejouer, "
    "sans limite. Si la manche se termine dès la première partie, le second coup est perdu.",
    "B-29": "Joker : le joueur pioche la carte supérieure de la pioche, la regarde brièvement puis "
    "l'ajoute à sa main en la retournant ; cette carte est un joker.",
    "B-30": "Visibilité du joker : son propriétaire n'en voit que le verso, tous les autres voient "
    "le recto d'un joker en main.",
    "B-31": "Tous piochent : le joueur prend la carte supérieure de la pioche, puis chacun des "
    "autres en fait de même à son tour.",
    "B-32": "Demande : le joueur nomme une valeur entre 1 et 12 (jamais une couleur) et la demande "
    "aux autres l'un après l'autre, en partant vers la gauche ou la droite, à son choix.",
    "B-33": "Demande : le premier joueur qui possède cette valeur est obligé d'en donner une carte "
    "; la demande s'arrête là.",
    "B-34": "Demande : celui qui donne reçoit immédiatement en remplacement la carte supérieure de "
    "la pioche, qu'il le veuille ou non ; c'est une carte ordinaire, même s'il a donné un joker.",
    "B-35": "Demande : si personne ne possède la valeur, le joueur qui a demandé prend la carte "
    "supérieure de la pioche.",
    "B-36": "Demande : un joker dont le recto est la valeur demandée doit être donné si son "
    "propriétaire n'a pas d'autre carte de cette valeur ; s'il en a une autre, le joker n'est pas "
    "donné.",
    "B-37": "Demande : celui qui a plusieurs cartes ordinaires qui conviennent choisit laquelle "
    "donner.",
    "B-38": "Demande : un joker reçu ainsi est remis dans le bon sens : pour son nouveau "
    "propriétaire, c'est une carte Nombre ordinaire.",
    "B-39": "Au choix : le joueur choisit n'importe quel autre type d'action, déplace son pion "
    "dans le sens des aiguilles d'une montre sur la première case libre de ce type et effectue "
    "cette action.",
    "B-40": "Au choix : une action dont toutes les cases sont occupées ne peut pas être choisie.",
    "B-41": "Au choix ne peut pas désigner Au choix.",
    "B-42": "Au choix d'une case +cartes nomme le nombre : +1, +2 et +3 sont des choix distincts, "
    "chacun avec sa première case libre.",
    "B-43": "On ne prend de cartes que par les actions (il n'y a pas d'étape à part pour piocher).",
    "B-44": "Les phases font appel à trois types de combinaisons (cartes de même couleur, suites, "
    "sets), parfois mélangées.",
    "B-45": "Cartes de même couleur : la valeur des cartes est sans importance.",
    "B-46": "Une suite est composée de 3 cartes ou plus de valeurs consécutives, de n'importe "
    "quelles couleurs.",
    "B-47": "Il n'y a pas de lien entre 12 et 1.",
    "B-48": "Un set est composé de cartes de même valeur, de n'importe quelles couleurs.",
    "B-49": "Plusieurs sets d'une même phase peuvent avoir la même valeur.",
    "B-50": "À l'étape 2, un joueur peut poser la phase indiquée par son compteur, complète et "
    "face visible, de sa main ; il est interdit de n'en poser qu'une partie.",
    "B-51": "On peut poser sa phase quelle que soit l'action effectuée à l'étape 1.",
    "B-52": "On peut poser directement plus de cartes que le minimum.",
    "B-53": "Après avoir posé sa phase, un joueur peut à l'étape 2 ajouter une ou plusieurs cartes "
    "qui conviennent aux phases posées par lui ou par les autres, aussi dans le même tour.",
    "B-54": "Avant d'avoir posé sa phase, on ne peut ajouter de carte nulle part.",
    "B-55": "Les cartes ajoutées doivent compléter des combinaisons déjà posées ; il est interdit "
    "d'en créer de nouvelles.",
    "B-56": "Un joker remplace n'importe quel nombre ou n'importe quelle couleur, dans toutes les "
    "phases.",
    "B-57": "Un joker posé n'est jamais échangé contre la carte qu'il remplace.",
    "B-58": "Chaque partie (combinaison) d'une phase contient au moins une vraie carte.",
    "B-59": "Dans une suite, un joker est placé de manière à ce que sa valeur soit claire ; cette "
    "valeur est alors fixée.",
    "B-60": "On peut ajouter des jokers sans limite à un set « complet » ou à une suite « complète "
    "».",
    "B-61": "Un set est complet avec les huit cartes de sa valeur, une suite quand elle va de 1 à "
    "12, avec ou sans jokers.",
    "B-62": "On peut encore ajouter une vraie carte de la valeur à un set que des jokers ont "
    "complété.",
    "B-63": "Si toutes les combinaisons posées jusque-là sont complètes, tout joueur qui a posé sa "
    "phase peut se défausser de 2 cartes (dans n'importe quel ordre) au lieu d'1 à la fin de son "
    "tour.",
    "B-64": "Pour B-63, un groupe d'une même couleur n'est complet qu'avec 24 cartes (donc en "
    "pratique jamais).",
    "B-65": "On peut se défausser d'un joker ; il est posé face visible et devient une carte "
    "Nombre ordinaire.",
    "B-66": "Qu'il ait posé sa phase ou non, un joueur est obligé de se défausser d'une carte, "
    "face visible, à l'étape 3 ; c'est alors à son voisin de gauche (exception : Rejoue).",
    "B-67": "L'étape 2 ne peut donc jamais vider la main : poser ou ajouter sans garder de carte "
    "pour l'étape 3 est interdit.",
    "B-68": "La manche se termine quand un joueur se défausse de sa dernière carte à l'étape 3, "
    "même dans le tour où il a posé sa phase.",
    "B-69": "Se défausser de ses dernières cartes par l'action Échange ne termine pas la manche.",
    "B-70": "Le joueur qui a terminé la manche avance son compteur de 2 cases (il saute une "
    "phase).",
    "B-71": "Chaque autre joueur qui a posé sa phase avance son compteur d'1 case et se défausse "
    "de toutes ses cartes.",
    "B-72": "Ceux qui n'ont pas posé leur phase restent à cette phase et peuvent conserver jusqu'à "
    "5 cartes ; ils se défaussent des autres.",
    "B-73": "Les cartes en main ne valent aucun point.",
    "B-74": "Les compteurs avancent dans cet ordre : le joueur qui a terminé la manche, puis les "
    "autres dans le sens des aiguilles d'une montre à partir de son voisin de gauche.",
    "B-75": "Le premier joueur qui atteint dans cet ordre la case avec la couronne de laurier "
    "gagne ; la partie est immédiatement terminée.",
    "B-76": "Depuis la phase 9, une avance de 2 atteint la case au laurier ; depuis la phase 10, "
    "les pas en trop sont perdus.",
    "B-77": "Toutes les cartes sauf celles conservées sont remélangées.",
    "B-78": "Les cartes sont distribuées une par une jusqu'à ce que chacun en ait 10.",
    "B-79": "On forme une nouvelle pile de défausse de 5 cartes et une nouvelle pioche.",
    "B-80": "Les pions restent à leur place.",
    "B-81": "Le voisin de gauche de celui qui a terminé la manche précédente entame la suivante.",
    "B-82": "Un joker conservé reste un joker.",
    "B-83": "Tous les joueurs concernés choisissent en secret et en même temps les cartes qu'ils "
    "conservent ; seul leur nombre est connu.",
    "B-84": "Quand une carte doit venir de la pioche et qu'elle est vide, la pile de défausse sauf "
    "sa carte du dessus est mélangée et devient la pioche.",
    "B-85": "Si une action demande plus de cartes qu'il n'y en a, on en prend autant que possible, "
    "à tour de rôle.",
}
