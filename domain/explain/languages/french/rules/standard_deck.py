"""The rules of the game with two standard decks."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "D-01": "Le jeu se joue de 3 à 5 personnes.",
    "D-02": "On joue avec deux jeux de 54 cartes, soit 108 cartes : de 2 à K dans les 4 couleurs, "
    "chacune en deux exemplaires (96 cartes naturelles, 24 par couleur, 8 par hauteur), 8 As et 4 "
    "Jokers.",
    "D-03": "L'ordre des cartes est 2, 3, 4, 5, 6, 7, 8, 9, 10, J (Valet), Q (Dame), K (Roi).",
    "D-04": "Les 8 As servent à remplacer n'importe quelle carte ; un As n'a pas de hauteur "
    "propre.",
    "D-05": "Les 4 Jokers sont les cartes « passe un tour ».",
    "D-06": "Le donneur distribue 10 cartes à chaque joueur, une par une.",
    "D-07": "Le reste des cartes forme la pioche.",
    "D-08": "La première carte de la pioche est retournée et constitue l'amorce de la pile de "
    "défausse.",
    "D-09": "Si la première carte de la défausse est un Joker, il y reste simplement : personne ne "
    "passe son tour.",
    "D-10": "Si la première carte de la défausse est un As, il y reste et peut être pris.",
    "D-11": "Après chaque mène, la distribution passe à gauche.",
    "D-12": "Le joueur à la gauche du donneur commence ; on joue dans le sens des aiguilles d'une "
    "montre.",
    "D-13": "À chaque tour, le joueur tire exactement une carte, soit du sommet de la pioche, soit "
    "du sommet de la pile de défausse.",
    "D-14": "Pour finir son tour, le joueur se défausse d'une carte ou bien dépose un Joker devant "
    "un adversaire.",
    "D-15": "Il n'est pas possible de passer, sauf si on y est obligé par la présence d'un Joker "
    "devant soi.",
    "D-16": "On ne peut déposer un Joker devant quelqu'un qui en est déjà affublé.",
    "D-17": "Un Joker se dépose devant un adversaire, jamais devant soi-même.",
    "D-18": "Un joueur qui a un Joker devant lui passe son tour : ce tour consiste uniquement à "
    "placer ce Joker sous la pile de défausse.",
    "D-19": "Pendant ce tour, le joueur ne tire, ne dépose, n'ajoute et ne défausse rien.",
    "D-20": "Déposer un Joker devant quelqu'un ou le placer sous la pile ne change pas la carte "
    "supérieure de la pile de défausse (si la pile n'est pas vide).",
    "D-21": "Un Joker placé sous une pile de défausse vide en devient la seule carte, donc la "
    "carte supérieure.",
    "D-22": "Un Joker au sommet de la pile de défausse peut être tiré comme toute autre carte.",
    "D-23": "On peut aussi se défausser d'un Joker sur la pile comme de toute autre carte ; il est "
    "alors sans effet.",
    "D-24": "On dépose au plus un Joker devant quelqu'un par tour, car cela termine le tour.",
    "D-25": "Un Joker ne fait jamais partie d'une combinaison.",
    "D-26": "Un Joker peut être joué comme dernière carte (déposé devant un adversaire).",
    "D-27": "Quand un joueur veut piocher et que la pioche est vide, la pile de défausse sauf sa "
    "carte du dessus est mélangée et devient la pioche (avec les Jokers placés dessous).",
    "D-28": "Si aucune carte ne peut être tirée, le tour continue sans tirer.",
    "D-29": "Les Jokers déposés devant des joueurs sont retirés sans effet à la fin de la mène.",
    "D-30": "Un set (paire, brelan, carré, quintuple) est fait de cartes de même hauteur ; les "
    "couleurs sont libres et deux cartes identiques sont permises.",
    "D-31": "Une suite est faite de cartes de hauteurs consécutives ; elle peut être multicolore.",
    "D-32": "Pour les suites, on ne boucle pas du K au 2.",
    "D-33": "La « couleur » de la phase 8 est l'une des quatre couleurs cœur, pique, carreau et "
    "trèfle, non le rouge ou le noir.",
    "D-34": "La première dépose doit satisfaire exactement la liste de la phase ; elle ne comporte "
    "pas de combinaison supplémentaire.",
    "D-35": "Aucune autre combinaison que celles de la phase ne peut être déposée, ni lors de la "
    "première dépose ni à un autre moment.",
    "D-36": "Six cartes de même hauteur peuvent compter comme deux brelans.",
    "D-37": "Sept cartes de même hauteur peuvent compter comme un quintuple et une paire.",
    "D-38": "Huit cartes de même hauteur peuvent compter comme deux carrés, ou comme un quintuple "
    "et un brelan.",
    "D-39": "On peut déposer un groupe de plus de cartes que le minimum (ce qui revient à le "
    "déposer puis à y ajouter dans le même tour).",
    "D-40": "Un joueur dépose au plus une phase par mène.",
    "D-41": "Un As remplace n'importe quelle carte ; la couleur de l'As n'importe pas.",
    "D-42": "Chaque groupe contient au moins une carte naturelle ; des cartes de même hauteur "
    "comptées comme deux combinaisons en demandent une pour chacune.",
    "D-43": "Dans une suite, un As a la hauteur de sa place et ne remplace que de 2 à K (jamais "
    "au-dessous de 2 ni au-dessus de K).",
    "D-44": "Un As déposé ne peut jamais être repris ni échangé par aucun joueur.",
    "D-45": "Aucune carte, pas même un As, ne peut être ajoutée à une suite qui va déjà de 2 à K.",
    "D-46": "On peut ajouter des As sans limite à un set.",
    "D-47": "Seul un joueur qui a posé sa propre phase dans cette mène peut faire des ajouts.",
    "D-48": "Les ajouts se font dans le même tour que la dépose ou au fil de ses tours suivants.",
    "D-49": "On peut compléter toute combinaison déjà posée ; une combinaison posée n'appartient "
    "plus à personne.",
    "D-50": "Un ajout continue une suite, ou met une carte de même hauteur dans un n-uple, ou une "
    "carte de même couleur dans un groupe d'une couleur.",
    "D-51": "La mène se termine quand un joueur n'a plus aucune carte en main.",
    "D-52": "On peut vider sa main en déposant ou en ajoutant, sans dernière défausse.",
    "D-53": "On ne compte que les cartes restant en main (ni les combinaisons posées, ni les "
    "Jokers devant les joueurs) ; le joueur qui a vidé sa main marque 0 point.",
    "D-54": "Les cartes de 2 à 10 valent 5 points de pénalité, J, Q et K 10 points, un Joker 15 "
    "points, un As 20 points.",
    "D-55": "Les pénalités s'additionnent de mène en mène ; en avoir peu est bon.",
    "D-56": "Avant de commencer à jouer, on choisit un des quatre styles de jeu.",
    "D-57": "Complet ordonné : chaque joueur effectue les dix phases dans l'ordre, indépendamment "
    "des autres.",
    "D-58": "Complet ordonné : le premier joueur à terminer la phase 10 gagne ; si deux la "
    "terminent au cours de la même mène, le moins de points gagne.",
    "D-59": "Complet ordonné et complet libre : le nombre de mènes est indéterminé (au moins 10).",
    "D-60": "10 mènes ordonné : à la mène n, tout le monde tente la phase n, réussie ou non ; "
    "exactement 10 mènes.",
    "D-61": "10 mènes ordonné : le moins de points après 10 mènes gagne ; à égalité, celui qui a "
    "réussi le plus de phases.",
    "D-62": "Complet libre : en déposant, le joueur marque n'importe quelle phase qu'il n'a pas "
    "encore marquée pendant les mènes précédentes.",
    "D-63": "Complet libre : le premier à marquer les dix phases gagne ; à égalité dans la même "
    "mène, le moins de points gagne.",
    "D-64": "10 mènes libre : choix de la phase comme en D-62, exactement 10 mènes ; gagnant et "
    "départage comme en D-61.",
    "D-65": "Dans les styles complets, le gagnant est désigné à la fin de la mène, pénalités de "
    "cette mène comprises.",
    "D-66": "Dans un style libre, le joueur nomme la phase en la déposant si les cartes "
    "conviennent à plusieurs phases ouvertes.",
    "D-67": "Si des joueurs sont encore à égalité après tout cela, ils se partagent la victoire.",
}
