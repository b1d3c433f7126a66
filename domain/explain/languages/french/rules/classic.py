"""The rules of classic Phase 10, and of Twist as far as they are told."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "C-01": "Le jeu se joue de 2 à 6 joueurs.",
    "C-02": "On joue avec exactement 108 cartes : 96 cartes numérotées, de 1 à 12 en 4 couleurs "
    "(rouge, bleu, vert, jaune), chacune en deux exemplaires (24 par couleur, 8 par nombre), 8 "
    "jokers et 4 cartes Passer.",
    "C-03": "Les cartes Référence ne font pas partie des cartes à jouer.",
    "C-04": "La couleur imprimée sur un joker ou une carte Passer est sans effet.",
    "C-05": "Chaque joueur reçoit 10 cartes, face cachée, une à la fois.",
    "C-06": "Les cartes restantes, face cachée, forment la pioche.",
    "C-07": "La première carte de la pioche est retournée et commence la pile de défausse.",
    "C-08": "Un joueur est choisi comme premier donneur ; après chaque manche, la distribution "
    "tourne vers la gauche.",
    "C-09": "La personne à gauche du donneur commence ; on joue dans le sens des aiguilles d'une "
    "montre.",
    "C-10": "Si la première carte de la défausse est une carte Passer, le joueur à la gauche "
    "immédiate du donneur perd ce premier tour et le suivant commence.",
    "C-11": "Une carte Passer retournée au début reste sur la pile de défausse et ne peut pas être "
    "prise ; celui qui commence doit donc piocher.",
    "C-12": "Si la première carte de la défausse est un joker, le premier joueur peut le prendre.",
    "C-13": "Un tour se compose, dans l'ordre, de ceci : tirer exactement une carte ; poser la "
    "phase, si on le veut ; faire des ajouts, si on le veut ; se défausser d'exactement une carte "
    "(sauf si la main est déjà vide).",
    "C-14": "La carte tirée est la première carte de la pioche ou la carte supérieure de la pile "
    "de défausse, et rien d'autre.",
    "C-15": "Une carte Passer n'est jamais ramassée dans la défausse.",
    "C-16": "Si la pile de défausse est vide ou si sa carte supérieure est une carte Passer, le "
    "joueur doit piocher.",
    "C-17": "Un joueur peut se défausser de n'importe quelle carte de sa main, même d'un joker et "
    "même de la carte qu'il vient de prendre de la pile de défausse.",
    "C-18": "Un joker au sommet de la pile de défausse peut être pris par le joueur suivant.",
    "C-19": "Quand un joueur veut piocher et que la pioche est vide, la pile de défausse sauf sa "
    "carte du dessus est mélangée et devient la pioche.",
    "C-20": "Si aucune carte ne peut être tirée (pioche vide, rien à mélanger, carte supérieure de "
    "la défausse interdite), le tour continue sans tirer.",
    "C-21": "Chaque joueur fait les phases dans l'ordre, de 1 à 10, indépendamment des autres ; "
    "tous commencent la partie à la phase 1.",
    "C-22": "Un joueur pose au plus une phase par manche.",
    "C-23": "Une combinaison plus longue ne compte jamais pour des phases suivantes (une suite de "
    "9 posée en phase 4 ne réalise que la phase 4).",
    "C-24": "Un set est fait de cartes d'un même nombre, de n'importe quelles couleurs.",
    "C-25": "Une suite est faite de cartes dont les nombres se suivent, de n'importe quelles "
    "couleurs.",
    "C-26": "Les suites ne bouclent pas : 12 n'est pas suivi de 1.",
    "C-27": "« Cartes d'une couleur » veut dire que toutes sont de la même couleur, quels que "
    "soient leurs nombres et sans ordre.",
    "C-28": "Deux sets d'une même phase peuvent être du même nombre.",
    "C-29": "Une phase n'est posée que complète : on doit avoir toute la phase en main ; il est "
    "interdit d'en poser une partie.",
    "C-30": "Une phase est posée face visible, pendant son propre tour, après avoir tiré une carte "
    "et avant de se défausser.",
    "C-31": "On peut poser avec la phase plus de cartes que le minimum si chaque carte "
    "supplémentaire s'ajoute directement à l'un des groupes demandés.",
    "C-32": "On ne peut pas poser de groupe supplémentaire (un troisième set en phase 1 est "
    "interdit).",
    "C-33": "La phase est acquise dès qu'elle est posée ; il n'est pas nécessaire de gagner la "
    "manche.",
    "C-34": "Les cartes d'une phase posée ne sont jamais reprises ni échangées.",
    "C-35": "Un joker remplace n'importe quelle carte numérotée.",
    "C-36": "Un joker peut être utilisé comme n'importe quelle couleur (phase 8).",
    "C-37": "Un joker ne peut pas être utilisé comme une carte Passer.",
    "C-38": "On peut utiliser autant de jokers qu'on veut, avec au moins une carte naturelle dans "
    "chaque groupe.",
    "C-39": "Dans une suite, un joker a le nombre de sa place ; il ne peut jamais être au-dessous "
    "de 1 ni au-dessus de 12.",
    "C-40": "Une fois posé, un joker garde sa place et sa valeur jusqu'à la fin de la manche et "
    "n'est jamais remplacé, déplacé ni repris.",
    "C-41": "Un joker peut être ajouté à tout groupe qu'il peut prolonger.",
    "C-42": "Aucun joker (ni aucune autre carte) ne peut être ajouté à une suite qui va déjà de 1 "
    "à 12.",
    "C-43": "On peut ajouter des jokers sans limite à un set, même si les huit cartes naturelles y "
    "sont toutes.",
    "C-44": "On joue une carte Passer en s'en défaussant à la fin de son tour ; on désigne alors "
    "le joueur qui perd son tour suivant.",
    "C-45": "On peut désigner n'importe quel autre joueur, pas seulement le suivant, et jamais "
    "soi-même.",
    "C-46": "La carte Passer va directement sur la pile de défausse.",
    "C-47": "On peut se défausser immédiatement d'une carte Passer que l'on a piochée, ou la "
    "garder pour un tour ultérieur.",
    "C-48": "Une carte Passer n'est jamais utilisée dans une phase ni comme ajout.",
    "C-49": "Un joueur qui doit encore passer son tour ne peut pas être désigné de nouveau.",
    "C-50": "Le tour d'un joueur qui passe n'est fait de rien : ni tirer, ni poser, ni ajouter, ni "
    "se défausser.",
    "C-51": "On joue au plus une carte Passer par tour, puisqu'elle est la défausse de ce tour.",
    "C-52": "Une fois le tour perdu, le joueur peut de nouveau être désigné aussitôt.",
    "C-53": "À deux joueurs, une carte Passer touche toujours l'adversaire, et celui qui l'a jouée "
    "joue le tour suivant.",
    "C-54": "Une carte Passer peut être la dernière carte : s'en défausser termine la manche.",
    "C-55": "Un tour encore à passer est oublié quand la manche se termine.",
    "C-56": "Un joueur ne peut faire d'ajouts qu'après avoir posé sa propre phase dans cette "
    "manche ; le même tour suffit.",
    "C-57": "On ne fait d'ajouts que pendant son propre tour, après avoir tiré une carte et avant "
    "de se défausser.",
    "C-58": "On peut ajouter autant de cartes qu'on veut, à ses propres groupes et à ceux de "
    "n'importe quel joueur.",
    "C-59": "Après chaque ajout, le groupe doit être valable : le même nombre dans un set, le "
    "nombre suivant à l'une des extrémités d'une suite, la même couleur dans un groupe d'une "
    "couleur.",
    "C-60": "Un ajout ne crée jamais un nouveau groupe.",
    "C-61": "La manche se termine aussitôt pour tous quand la main d'un joueur est vide.",
    "C-62": "On peut vider sa main par une dernière défausse, ou en posant ou en ajoutant sa "
    "dernière carte sans se défausser.",
    "C-63": "Le joueur qui vide sa main marque 0 point pour la manche.",
    "C-64": "Tous les autres marquent des points pour les cartes en main : 5 par nombre de 1 à 9, "
    "10 par nombre de 10 à 12, 15 par carte Passer, 25 par joker.",
    "C-65": "Seules comptent les cartes en main, non les cartes posées.",
    "C-66": "Les points s'additionnent de manche en manche ; en avoir peu est bon.",
    "C-67": "Tout joueur qui a posé sa phase passe à la phase suivante dans la manche suivante ; "
    "les autres refont la leur.",
    "C-68": "Pour une nouvelle manche, toutes les cartes sont rassemblées et mélangées.",
    "C-69": "La partie se termine après la première manche où au moins un joueur a réalisé la "
    "phase 10.",
    "C-70": "Si plusieurs joueurs ont réalisé la phase 10 dans cette manche, celui qui a le moins "
    "de points au total (cette manche comprise) gagne.",
    "C-71": "S'ils sont aussi à égalité de points, les joueurs à égalité rejouent la phase 10 ; le "
    "premier à vider sa main gagne.",
    "C-72": "Pour rejouer, seuls les joueurs à égalité reçoivent des cartes (10 chacun), tous à la "
    "phase 10 ; les points n'en sont pas inscrits.",
    "C-73": "Variante « 10 manches » : exactement 10 manches, tous passent chaque fois à la phase "
    "suivante, réussie ou non ; le total le plus bas gagne.",
    "C-74": "Variante « N phases » : on convient avant la partie du nombre de phases à réaliser ; "
    "tout le reste demeure.",
    "C-75": "Variante « phases paires » : on ne joue que les phases 2, 4, 6, 8 et 10 ; tout le "
    "reste demeure.",
    "T-01": "Si une carte Passer est retournée comme première carte de la défausse, une autre "
    "carte est retournée pour la couvrir (et personne ne passe son tour).",
    "T-02": "Si la carte qui couvre est encore une carte Passer, elle est couverte à son tour, "
    "jusqu'à ce qu'une autre carte soit au-dessus.",
    "T-03": "La carte Passer couverte reste dans la pile de défausse, dessous, et ne peut pas être "
    "prise tant qu'elle est couverte.",
    "T-04": "Dans Twist, il y a trois piles de défausse ; on tire de la pioche ou de l'une d'elles "
    "et on se défausse sur n'importe laquelle.",
    "T-05": "Dans Twist, le pion avance après chaque manche : 3 cases pour avoir vidé sa main, 2 "
    "pour la phase réalisée, sinon 1 ; le double avec une carte Twist réussie, 1 en arrière si "
    "elle échoue.",
    "T-06": "Dans Twist, la phase à réaliser est celle de la case où se trouve le pion.",
    "T-07": "Dans Twist, une carte Passer est placée devant le joueur qui passe son tour, puis "
    "mise de côté.",
    "T-08": "Dans Twist, les phases du parcours sont les dix phases classiques.",
}
