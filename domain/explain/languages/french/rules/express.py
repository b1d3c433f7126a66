"""The rules of Phase 10 Express."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "X-01": "Le jeu se joue de 2 à 6 joueurs.",
    "X-02": "On joue avec exactement 54 cartes : 48 cartes numérotées, de 1 à 12 en 4 couleurs "
    "(bleu, vert, rouge, jaune), chacune en un exemplaire (12 par couleur, 4 par chiffre), 3 "
    "jokers et 3 cartes Passer.",
    "X-03": "Les trois cartes blanches du contenu sont les jokers.",
    "X-04": "Les deux cartes Référence sont placées à la vue de tous et ne se jouent pas.",
    "X-05": "Chaque joueur reçoit 5 cartes, face cachée.",
    "X-06": "Les cartes restantes, face cachée, constituent la pioche.",
    "X-07": "La première carte de la pioche est retournée et forme la pile de défausse (le talon).",
    "X-08": "Un joueur est choisi pour donner les cartes en premier ; le joueur à la gauche du "
    "donneur commence ; on joue dans le sens des aiguilles d'une montre.",
    "X-09": "Une fois les points inscrits, le joueur à la gauche du donneur devient le nouveau "
    "donneur.",
    "X-10": "Si la première carte de la défausse est un joker, le premier joueur peut le prendre.",
    "X-11": "Si la première carte de la défausse est une carte Passer, le premier joueur passe "
    "automatiquement son tour.",
    "X-12": "Un tour a quatre étapes, dans cet ordre : piger une carte ; poser la phase (si "
    "possible) ; faire des ajouts (si possible) ; se défausser d'une carte.",
    "X-13": "On pige exactement une carte : la première carte de la pioche ou la première carte de "
    "la pile de défausse.",
    "X-14": "Une carte Passer ne peut jamais être pigée dans la pile de défausse.",
    "X-15": "Si la pile de défausse est vide ou si sa première carte est une carte Passer, le "
    "joueur doit piger dans la pioche.",
    "X-16": "Le tour se termine quand le joueur pose une de ses cartes sur la pile de défausse, "
    "face visible, ou joue une carte Passer (X-38).",
    "X-17": "Quand un joueur veut piger et que la pioche est vide, la pile de défausse sauf sa "
    "carte du dessus est mélangée et devient la pioche.",
    "X-18": "Si aucune carte ne peut être pigée, le tour continue sans piger.",
    "X-19": "Un set (une série) est fait de deux cartes ou plus du même chiffre, de n'importe "
    "quelles couleurs.",
    "X-20": "Les deux sets de la phase 2 peuvent être du même chiffre.",
    "X-21": "Une suite est faite de trois cartes ou plus dans l'ordre numérique, de n'importe "
    "quelles couleurs, sauf là où une couleur est demandée.",
    "X-22": "Il n'est pas nécessaire que les cartes de la même couleur se suivent dans l'ordre "
    "numérique.",
    "X-23": "Dans un groupe de cartes impaires (paires), toutes les cartes sont impaires (paires) "
    "; les nombres peuvent se répéter et n'ont pas d'ordre.",
    "X-24": "Les suites (aussi celles de paires, de cartes impaires, de cartes paires ou d'une "
    "couleur) ne continuent pas au-delà de 12.",
    "X-25": "Les phases doivent être réalisées dans l'ordre, de 1 à 10 ; tous commencent à la "
    "phase 1.",
    "X-26": "Un joueur ne peut réaliser qu'une seule phase par manche.",
    "X-27": "Un joueur doit avoir la phase entière en main avant de la poser, face visible, lors "
    "de son tour.",
    "X-28": "Une phase est réussie dès qu'elle est posée ; il n'est pas nécessaire de remporter la "
    "manche.",
    "X-29": "Un joueur qui n'a pas réalisé sa phase tente la même phase lors de la manche "
    "suivante.",
    "X-30": "On peut poser un groupe de plus de cartes que le minimum si les cartes "
    "supplémentaires pouvaient y être ajoutées.",
    "X-31": "On ne peut pas poser de groupe supplémentaire.",
    "X-32": "Un joker remplace une carte numérotée ou une carte de n'importe quelle couleur.",
    "X-33": "On peut utiliser autant de jokers qu'on le souhaite dans une phase, à la seule "
    "condition que la phase contienne au moins une carte numérotée.",
    "X-34": "En phase 2, un set fait seulement de jokers est donc permis si l'autre set a une "
    "carte naturelle ; celui qui pose doit alors nommer son chiffre.",
    "X-35": "Un joker posé n'est jamais retiré de sa phase durant la manche.",
    "X-36": "Dans une suite (de toute sorte), un joker a le nombre de sa place, entre 1 et 12 et, "
    "s'il le faut, pair ou impair comme elle.",
    "X-37": "Aucune carte ne peut être ajoutée à une suite complète en son genre (de 1 à 12 ; "
    "impaire de 1 à 11 ; paire de 2 à 12).",
    "X-38": "On joue une carte Passer en la plaçant devant l'autre joueur choisi au lieu de la "
    "poser sur la pile de défausse.",
    "X-39": "Jouer une carte Passer revient à poser une carte et à terminer son tour.",
    "X-40": "Au tour suivant du joueur visé, la seule action est de poser cette carte Passer sur "
    "la pile de défausse ; puis c'est au joueur suivant.",
    "X-41": "Une carte Passer ne peut pas être jouée contre un joueur ayant déjà une carte Passer "
    "placée devant lui.",
    "X-42": "Une carte Passer ne peut jamais être utilisée pour réaliser une phase (ni comme "
    "ajout).",
    "X-43": "Tant que la carte Passer est devant le joueur, la première carte de la pile de "
    "défausse ne change pas (celui qui l'a jouée n'y a rien posé).",
    "X-44": "Une fois le tour passé, le même joueur peut être visé de nouveau.",
    "X-45": "On ne peut pas poser une carte Passer sur la pile de défausse sans viser personne.",
    "X-46": "Une carte Passer peut être la dernière carte : la placer vide la main et termine la "
    "manche.",
    "X-47": "Avant de faire un ajout, le joueur doit déjà avoir posé sa propre phase (le même tour "
    "suffit : étapes 2 et 3).",
    "X-48": "Un joueur ne peut faire un ajout que lorsque c'est son tour.",
    "X-49": "On peut ajouter autant de cartes que possible, sur plusieurs phases, les siennes ou "
    "celles d'autres joueurs.",
    "X-50": "Chaque ajout doit correspondre parfaitement au groupe : le chiffre dans un set, le "
    "chiffre suivant à une extrémité d'une suite, la couleur dans un groupe d'une couleur.",
    "X-51": "On peut ajouter un joker partout où une carte correspondante pourrait l'être.",
    "X-52": "Un ajout à une suite impaire ou paire est le nombre impair ou pair suivant à une "
    "extrémité.",
    "X-53": "Un ajout à une suite couleur est le nombre suivant à une extrémité, et de cette "
    "couleur.",
    "X-54": "Un ajout à un groupe de cartes impaires ou paires est n'importe quelle carte impaire "
    "ou paire, comme le groupe.",
    "X-55": "Un ajout à une suite de paires est une paire entière du nombre suivant à une "
    "extrémité (deux cartes dans le même tour) ; une seule carte, ou une troisième carte d'une "
    "paire, est interdite.",
    "X-56": "La manche se termine pour tous les joueurs dès que la main d'un joueur est vide.",
    "X-57": "On peut vider sa main par des ajouts seuls, par une dernière défausse, ou en "
    "combinant les deux.",
    "X-58": "Le premier joueur à vider sa main gagne la manche et obtient un score de zéro.",
    "X-59": "Tous les autres marquent des points pour leur main : 5 par carte de 1 à 9, 10 par "
    "carte de 10 à 12, 15 par carte Passer, 25 par joker.",
    "X-60": "On ne compte pas les cartes déjà jouées.",
    "X-61": "Le gagnant de la manche et tous ceux qui ont réussi leur phase passent à la phase "
    "suivante.",
    "X-62": "Toutes les cartes sont rassemblées et mélangées avant une nouvelle manche.",
    "X-63": "Les cartes Passer encore devant des joueurs sont retirées à la fin de la manche.",
    "X-64": "Le premier joueur à avoir réalisé la phase 10 à la fin d'une manche gagne.",
    "X-65": "Si plusieurs réalisent la phase 10 lors de la même manche, le score le moins élevé "
    "gagne.",
    "X-66": "En cas d'égalité, les joueurs à égalité rejouent la phase 10 ; le premier à vider sa "
    "main gagne.",
    "X-67": "Variante 1, « 10 manches » : 10 manches ; tous passent chaque fois à la phase "
    "suivante, réussie ou non ; après 10 manches, le total le plus bas gagne.",
    "X-68": "Variante 1 : à total égal, celui qui a réussi le plus de phases gagne ; sinon, la "
    "victoire est partagée.",
    "X-69": "Variante 2, « N phases » : on décide avant la partie du nombre de phases à réussir ; "
    "la phase N tient lieu de phase 10 ; toutes les autres règles demeurent les mêmes.",
    "X-70": "Chaque carte porte, outre sa couleur, un symbole graphique de sa couleur (pour les "
    "joueurs daltoniens).",
}
