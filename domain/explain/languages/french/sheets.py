"""Rule sets as a referee reads them out."""

from collections.abc import Mapping

SHEETS: Mapping[str, str] = {
    "sheet.title.deal": "La donne",
    "sheet.title.turn": "Le tour",
    "sheet.title.groups": "Phases et groupes",
    "sheet.title.wilds": "Jokers",
    "sheet.title.skips": "Cartes Passer",
    "sheet.title.round_end": "La fin d'une manche",
    "sheet.title.game_end": "La fin de la partie",
    "sheet.title.wilds@french": "Les As",
    "sheet.title.skips@french": "Les jokers, qui font passer un tour",
    "sheet.title.ring": "Le parcours, dans le sens des aiguilles d'une montre depuis le départ",
    "sheet.players": "{least} à {most} joueurs.",
    "sheet.hand": "Chaque joueur reçoit {hand} cartes au début.",
    "sheet.turned_up": "La carte suivante est retournée : c'est la pile de défausse.",
    "sheet.laid_open": "{laid} autres sont posées face visible et forment la pile de défausse, "
    "dont on ne voit que celle du dessus.",
    "sheet.stock": "Le reste forme la pioche.",
    "sheet.ender_s_left": "Ensuite, le joueur à la gauche de celui qui a terminé la manche "
    "commence la suivante.",
    "sheet.draw": "D'abord, on tire une carte : celle du dessus de la pioche ou de la pile de "
    "défausse.",
    "sheet.dice": "D'abord, on lance les dés. Avancez votre pion dans le sens des aiguilles d'une "
    "montre de la valeur de l'un d'eux ou, après un double, d'un dé ou des deux ; les cases "
    "occupées par d'autres pions ne comptent pas.",
    "sheet.action": "Effectuez l'action de la case où arrive le pion.",
    "sheet.lay": "Vous pouvez alors poser votre phase, en entier, et une seule par manche.",
    "sheet.hit": "Une fois qu'elle est posée, vous pouvez ajouter des cartes à n'importe quel "
    "groupe sur la table, le vôtre ou celui d'un autre, dans ce tour et dans les suivants.",
    "sheet.no_further_group": "On ne pose jamais d'autre groupe.",
    "sheet.discard": "Pour finir, on se défausse d'une carte.",
    "sheet.discards_when_full": "Quand tous les groupes sur la table sont complets, un joueur qui "
    "a posé peut se défausser de {discards} cartes.",
    "sheet.in_order": "Tout le monde fait les phases dans l'ordre, en s'y reprenant autant de fois "
    "qu'il le faut.",
    "sheet.by_round": "À chaque manche, tout le monde tente la phase de la manche, puis passe à la "
    "suivante, réussie ou non.",
    "sheet.free": "On peut poser n'importe quelle phase que l'on n'a pas encore réalisée.",
    "sheet.marker": "Le marqueur montre votre phase : celui qui a terminé la manche avance, "
    "qu'il ait posé ou non, de deux phases, les autres qui ont posé d'une, et le reste ne bouge "
    "pas.",
    "sheet.wild": "Un joker remplace n'importe quelle carte numérotée.",
    "sheet.wild@french": "Un As remplace n'importe quelle carte, chiffre ou figure.",
    "sheet.joker": "Un joker remplace n'importe quelle carte numérotée.",
    "sheet.wild_in_run": "Dans une suite, il a la valeur de sa place ; une fois posé, il y reste "
    "et ne remplace rien d'autre.",
    "sheet.skip_in_group": "Une carte Passer n'est jamais dans un groupe.",
    "sheet.skip_discarded": "On joue une carte Passer en s'en défaussant : désignez un autre "
    "joueur, qui perd son prochain tour.",
    "sheet.skip_in_front": "On joue une carte Passer au lieu de se défausser : posez-la devant un "
    "autre joueur, qui perd son prochain tour.",
    "sheet.skip_to_top": "Ce tour ne sert qu'à mettre la carte Passer au-dessus de la pile de "
    "défausse.",
    "sheet.skip_to_bottom": "Ce tour ne sert qu'à mettre la carte Passer sous la pile de défausse.",
    "sheet.ends_empty": "La manche se termine aussitôt pour tous quand un joueur a vidé sa main.",
    "sheet.ends_discarded": "La manche se termine aussitôt pour tous quand un joueur se défausse "
    "de sa dernière carte.",
    "sheet.points": "Tous les autres comptent les points des cartes qui leur restent en main ; "
    "moins il y en a, mieux c'est.",
    "sheet.no_points": "Les cartes qui restent en main ne coûtent rien.",
    "sheet.keep": "Un joueur qui n'a pas posé peut conserver jusqu'à {kept} cartes et reçoit le "
    "reste.",
    "sheet.last_phase": "La partie se termine avec la manche où un joueur réalise la dernière "
    "phase ; de ceux qui l'ont réalisée, celui qui a le moins de points gagne.",
    "sheet.rounds": "La partie se termine après {rounds} manches ; le moins de points gagne.",
    "sheet.laurel": "Le premier marqueur à dépasser la dernière phase gagne aussitôt, en comptant "
    "à partir de celui qui a terminé la manche (ou l'a commencée, si personne ne l'a "
    "terminée), dans le sens des aiguilles d'une montre.",
    "sheet.max_turns": "La manche est interrompue après {count} tours.",
    "sheet.cards": "Cartes : {count}",
    "sheet.phases": "Phases : {count}",
    "sheet.house_rules": "Règles de la maison (--option nom=valeur)",
    "sheet.row.cards": "{count} cartes",
    "sheet.row.copies": "{count} de chaque",
    "sheet.row.points": "{count} points",
    "sheet.takes": "Valeurs possibles : {values}.",
    "sheet.no_ruleset": "Le jeu {name} n'existe pas ; il y a {names}.",
    "sheet.no_game": "Les règles de la maison ne font pas un jeu : {reason}.",
    "sheet.senseless": "Cela ne peut pas être demandé : {reason}.",
    "sheet.legal": "permis",
    "sheet.illegal": "interdit",
    "sheet.left": "en main",
    "sheet.nothing": "rien",
    "sheet.ways": "façons de la poser : {count}",
    "sheet.many_ways": "façons de la poser : {count} ou plus",
    "sheet.has": "en main {cards}",
    "sheet.lacks": "il en manque {count}, par exemple {example}",
    "sheet.complete": "complet",
    "action_says.JOKER": "piocher la première carte, la regarder et la tenir retournée : c'est un "
    "joker, dont tous les autres voient le recto",
    "action_says.TAKE1": "prendre une carte, de la pioche ou de la pile de défausse",
    "action_says.TAKE2": "prendre deux cartes, chacune de la pioche ou de la pile de défausse",
    "action_says.TAKE3": "prendre trois cartes, chacune de la pioche ou de la pile de défausse",
    "action_says.SEARCH": "prendre n'importe quelle carte dans la pile de défausse, sans que les "
    "autres la voient",
    "action_says.SWAP": "se défausser d'une à quatre cartes et en piocher une de plus",
    "action_says.AGAIN": "prendre une carte, poser ou ajouter si l'on veut, se défausser et "
    "commencer un tour entièrement nouveau",
    "action_says.EVERY": "tout le monde pioche une carte",
    "action_says.ASK": "demander un nombre aux autres, chacun son tour ; le premier qui a une "
    "telle carte la donne et en pioche une autre, et si personne n'en a, c'est vous qui piochez",
    "action_says.CHOOSE": "aller sur la première case libre d'une autre action et l'effectuer",
}
