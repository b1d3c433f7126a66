"""The report in French."""

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    # --- the page ---
    "page": "phaseledger report : {count} parties",
    "page@1": "phaseledger report : {count} partie",
    "title": "Rapport sur {count} parties terminées, de {sources}",
    "title@1": "Rapport sur {count} partie terminée, de {sources}",
    "store": "la base",
    "sources": "{names} et {count} autres fichiers",
    "sources@1": "{names} et {count} autre fichier",
    "left_out": "Laissées de côté : {reasons}.",
    "left_out.broken off": "{count} interrompues",
    "left_out.broken off@1": "{count} interrompue",
    "left_out.damaged": "{count} endommagées",
    "left_out.damaged@1": "{count} endommagée",
    "left_out.not over": "{count} pas terminées",
    "left_out.not over@1": "{count} pas terminée",
    "left_out.of further rule sets": "{count} selon d'autres règles",
    "left_out.repeated": "{count} répétées",
    "left_out.repeated@1": "{count} répétée",
    "left_out.too long": "{count} trop longues",
    "left_out.too long@1": "{count} trop longue",
    "damaged": "Endommagée : {fault}",
    "caution": "Les intervalles contiennent la vraie valeur dans 95 cas sur 100, si les parties "
    "sont indépendantes les unes des autres ; là où il n'y en a pas, il y a trop peu de parties. "
    "Sur beaucoup de parts, une sur vingt tombe en dehors par le seul hasard. Rien ici ne dit que "
    "les parties sont authentiques : c'est à cela que sert phaseledger audit.",
    "chapter": "{title}, {seats} places : {count} parties",
    "chapter@1": "{title}, {seats} places : {count} partie",
    "chapter.short": "{title}, {seats} places",
    "rules": "Jeu {id}.",
    "rules.house": "Jeu {id}, avec {options}.",
    # --- what the command says beside the page ---
    "told": "Parties : {games} dans {file}, {left_out} laissées de côté.",
    "told.reasons": "Parties : {games} dans {file}, {left_out} laissées de côté ({reasons}).",
    "told.page": "la page",
    "no_game": "Il n'y a aucune partie terminée pour un rapport (aucune du tout).",
    "no_game.reasons": "Il n'y a aucune partie terminée pour un rapport ({reasons}).",
    # --- values ---
    "interval": "95 %",
    "range": "{low} à {high}",
    "and_then": "{first} ; {then}",
    "seat": "place\N{NO-BREAK SPACE}{seat}",
    "seat.wins": "La place {seat}",
    "person": "humain",
    "person.wins": "Un humain",
    "phase": "phase {phase}",
    "figures": "{title}, en chiffres",
    # --- the opening ---
    "headline.sure": "{player} a gagné {share} de ses parties ; le hasard en donnerait {chance}.",
    "headline.open": "{player} a gagné {share} de ses parties ; le hasard en donnerait {chance} : "
    "d'après ces parties, ce peut être de la chance.",
    "headline.nobody": "Personne n'a gagné plus souvent que le hasard ne l'explique.",
    "headline.several": "Ont gagné plus souvent que le hasard ne l'explique : {players}.",
    "headline.several@1": "A gagné plus souvent que le hasard ne l'explique : {players}.",
    "headline.player": "{player} ({chapter})",
    "glance": "En un coup d'œil",
    "glance.chapter": "jeu et places",
    "glance.best": "gagne le plus",
    "glance.chance": "face au hasard",
    "glance.turns": "tours",
    "glance.more": "au-dessus",
    "glance.less": "au-dessous",
    "glance.open": "peut-être la chance",
    "outstanding": "Ce qui ressort",
    "outstanding.more": "{player} a gagné {share} de ses parties ({interval}), plus que le hasard, "
    "{chance}.",
    "outstanding.less": "{player} a gagné {share} de ses parties ({interval}), moins que le "
    "hasard, {chance}.",
    "outstanding.ends": "{share} des manches se sont terminées sans que personne ait vidé sa main.",
    "outstanding.hardest": "La phase {phase} ({needs}) est la plus difficile : elle a été réussie "
    "dans {share} de ses manches ({interval}) ; la phase {easiest}, dans {most} des siennes.",
    # --- who wins ---
    "games": "parties",
    "share": "part",
    "won": "gagné",
    "bot": "robot",
    "wins": "Parties gagnées",
    "wins.seat": "Victoires par place",
    "wins.seat.head": "place",
    "wins.seat.words": "Parties gagnées parmi celles où la place a joué ; une victoire partagée "
    "compte pour sa part. La ligne est le hasard, {chance}. Les intervalles sont ceux de Wilson.",
    "wins.bot": "Victoires par robot",
    "wins.bot.head": "robot",
    "wins.bot.words": "Parties gagnées parmi celles où le robot a joué ; une victoire partagée "
    "compte pour sa part. La ligne est le hasard, {chance}. Les intervalles sont ceux de Wilson.",
    # --- how long ---
    "rounds": "Manches jusqu'à la fin",
    "rounds.unit": "manches d'une partie",
    "rounds.words": "Combien de parties ont eu tant de manches.",
    "rounds.counted": "parties",
    "turns": "Tours jusqu'à la fin",
    "turns.unit": "tours d'une partie, tours perdus compris",
    "turns.words": "Combien de parties ont eu tant de tours, tours perdus compris.",
    "turns.counted": "parties",
    "round turns": "Durée d'une manche",
    "round turns.unit": "tours d'une manche, tours perdus compris",
    "round turns.words": "Combien de manches ont eu tant de tours, tours perdus compris.",
    "round turns.counted": "manches",
    "mean": "moyenne",
    "least_tenth": "10 % ont au plus",
    "half": "la moitié a au plus",
    "most_tenth": "90 % ont au plus",
    "most": "maximum",
    "ended": "Comment les manches se sont terminées",
    "ended.rounds": "manches",
    "ended.by going out": "un joueur a vidé sa main",
    "ended.otherwise": "autrement",
    # --- phases ---
    "made": "Phases réussies au fil des tours",
    "made.words": "De toutes les manches où une place pouvait poser la phase, dans combien sur 100 "
    "elle l'avait fait à la fin de son premier, deuxième... tour de la manche. Les manches "
    "terminées avant comptent comme non réussies ; les tours perdus ne comptent pas comme tours.",
    "made.table": "Phases réussies",
    "made.phase": "phase",
    "made.needs": "demande",
    "made.rounds": "manches",
    "made.by_turn": "au tour {turn}",
    "made.at_all": "en tout",
    "points": "Points par phase",
    "points.none": "Aucun point n'est compté dans ce jeu.",
    "points.words": "Points moyens d'une place dans une manche, selon la phase qu'elle a posée ou, "
    "si elle n'en a posé aucune, celle qu'elle devait poser. Les intervalles portent sur les "
    "parties.",
    "points.table": "Points d'une manche",
    "points.rounds": "manches d'une place",
    "points.laid": "phase posée",
    "points.not": "phase non posée",
    # --- the discard pile ---
    "taking": "Prendre dans la défausse",
    "taking.nearer": "la carte rapproche de la phase",
    "taking.soon": "phase posée en {turns} tours de plus",
    "taking.score": "points à la fin de la manche",
    "taking.draws": "cartes comptées",
    "taking.words": "Ce qui a suivi une carte de la défausse, moins ce qui a suivi une carte de la "
    "pioche, pour les places qui avaient encore leur phase à poser, comparé à distance égale de "
    "celle-ci. Cela dit ce qui va ensemble : qui prend une carte a vu qu'elle convient, ce n'est "
    "donc pas un effet de la prise elle-même. Les intervalles portent sur les parties.",
    "taking.table": "Ce qui a suivi une carte prise",
    "taking.discard": "de la défausse",
    "taking.stock": "de la pioche",
    "taking.difference": "différence à distance égale",
    # --- luck and play ---
    "luck": "Chance : victoires selon la qualité des cartes reçues",
    "luck.words": "La chance est le nombre de cartes dont celles que le hasard a données à une "
    "place dans une partie l'ont rapprochée de ses phases, moins la moyenne : celle de mains "
    "redistribuées pour une main distribuée, celle de toutes les cartes de la pioche pour une "
    "carte piochée. Elle est de 0 en moyenne, quelle que soit la façon de jouer.",
    "luck.table": "Victoires selon la chance",
    "luck.cards": "chance, cartes",
    "luck.games": "parties d'une place",
    "luck.won": "part gagnée",
    "play": "Jeu : victoires au-delà de la chance",
    "play.words": "Part des parties gagnées, moins la part que toutes les places de même chance "
    "ont gagnée : ce qui reste est attribué au jeu. Les intervalles portent sur les parties.",
    "play.table": "Chance et jeu",
    "play.luck": "chance, cartes par partie",
    "play.expected": "gagné par tous ceux de même chance",
    "play.difference": "différence",
    # --- the odds of a dealt hand ---
    "odds": "Phases dans une main distribuée",
    "odds.words": "La probabilité que {cards} cartes distribuées contiennent déjà la phase : "
    "l'exacte, toutes les mains comptées (losange), et combien de {count} mains distribuées dans "
    "ces parties la contenaient (point, avec l'intervalle de Wilson). L'axe est logarithmique.",
    "odds.table": "Probabilités d'une main distribuée",
    "odds.exactly": "exactement",
    "odds.uncounted": "pas comptée",
    "odds.drawn": "{count} mains tirées",
    "odds.dealt": "mains de ces parties",
    # --- timelines ---
    "timeline": "Partie {game}",
    "timeline.words": "Les tours de gauche à droite, les manches en bandes avec leur numéro "
    "au-dessus. Un point : la phase de ce numéro a été posée. Un losange : qui a vidé sa main. Un "
    "trait : un tour perdu. Une étoile : gagné.",
    "timeline.table": "Phases posées et points, manche par manche",
    "timeline.round": "manche",
    "timeline.turns": "tours",
    "timeline.span": "{first} à {last}",
    "timeline.points": "{points}, en tout {total}",
    "timeline.out": "main vidée",
}
