"""What house rules are about, and what each value of them means."""

from collections.abc import Mapping

OPTIONS: Mapping[str, str] = {
    # --- what is decided ---
    "option.stock_exhausted": "Ce qui arrive quand on doit piocher et que la pioche est vide.",
    "option.no_card_to_draw": "Ce qui arrive quand aucune pile ne donne de carte à tirer.",
    "option.wild_min_scope": "Où il faut au moins une carte naturelle : dans chaque groupe, dans "
    "la phase ou nulle part.",
    "option.wild_on_full_run": "Si l'on peut ajouter des jokers à une suite qui couvre les douze "
    "valeurs.",
    "option.wild_on_full_run@french": "Si l'on peut ajouter des As à une suite qui couvre les "
    "douze hauteurs.",
    "option.wild_on_full_set": "Si l'on peut ajouter des jokers à un set aussi grand que le jeu "
    "de cartes le permet.",
    "option.wild_on_full_set@french": "Si l'on peut ajouter des As à un set aussi grand que le jeu "
    "de cartes le permet.",
    "option.run_wrap": "Si une suite continue de la valeur la plus haute à la plus basse.",
    "option.wild_placement": "Si l'ordre des cartes dit où sont les jokers, ou si ceux-ci "
    "comblent les trous, puis vont à la fin, puis au début.",
    "option.wild_placement@french": "Si l'ordre des cartes dit où sont les As, ou si ceux-ci "
    "comblent les trous, puis vont à la fin, puis au début.",
    "option.going_out": "Si l'on doit se défausser de la dernière carte.",
    "option.skip_as_last_card": "Si une carte Passer peut être la dernière carte.",
    "option.skip_repeat": "Combien de temps un joueur qui passe son tour est à l'abri de la carte "
    "Passer suivante.",
    "option.initial_skip": "L'effet d'une carte Passer retournée comme première carte de la "
    "défausse.",
    "option.initial_wild": "Ce qui arrive à un joker retourné comme première carte de la défausse.",
    "option.initial_wild@french": "Ce qui arrive à un As retourné comme première carte de la "
    "défausse.",
    "option.skip_drawable": "Si une carte Passer au sommet de la pile de défausse peut être prise.",
    "option.skip_plain_discard": "Si l'on peut se défausser d'une carte Passer sans faire passer "
    "le tour de personne.",
    "option.skip_survives_round": "Si un tour encore à passer est passé dans la manche suivante.",
    "option.dealer_rotation": "Qui donne à la manche suivante.",
    "option.first_player": "Qui joue en premier dans une manche.",
    "option.color_is_suit": "Si des cartes d'une même couleur sont toutes de pique, de cœur, de "
    "carreau ou de trèfle, ou seulement toutes rouges ou toutes noires.",
    "option.lay_oversize": "Si l'on peut poser un groupe de plus de cartes que la phase n'en "
    "demande.",
    "option.players": "Combien de personnes peuvent jouer.",
    "option.express_white_cards": "Si les trois cartes blanches sont des jokers ou sont mises de "
    "côté.",
    "option.pairrun_hit": "Ce que l'on peut ajouter à une suite de paires. Avec none, une manche "
    "où rien d'autre n'a été posé est sans fin : voir max_turns_per_round.",
    "option.final_tie": "Comment une égalité de points après la dernière phase est départagée.",
    "option.final_tie_10rounds": "Comment une égalité après un nombre fixe de manches est "
    "départagée.",
    "option.final_tie_replay": "Qui reçoit des cartes quand on rejoue pour départager. Seuls les "
    "joueurs à égalité peuvent gagner : si un autre vide sa main, c'est celui d'entre eux qui a le "
    "moins de points en main.",
    "option.board_phases": "Les phases du jeu de plateau.",
    "option.board_track": "Le parcours des cases Action. Sur un parcours qui donne trop peu de "
    "cartes, une manche peut être sans fin : voir max_turns_per_round.",
    "option.choose_take_by": "Si la case Au choix (CHOOSE) distingue +1, +2 et +3 cartes, ou prend "
    "la plus proche de ces cases.",
    "option.kept_joker": "Ce que devient un joker conservé pour la manche suivante.",
    "option.joker_discard": "Si l'on peut se défausser d'un joker, qui devient une carte "
    "ordinaire.",
    "option.full_color_group": "Avec combien de cartes un groupe d'une même couleur est complet, "
    "de sorte que l'on peut se défausser de deux cartes.",
    "option.natural_on_full_set": "Si l'on peut ajouter une vraie carte à un set que des jokers "
    "ont complété.",
    "option.board_first_starter": "Qui commence la première manche : la place que l'hôte désigne "
    "comme donneur (la plus jeune personne, ou à son gré), ou une place tirée au sort.",
    "option.keep_choice": "Comment on conserve des cartes pour la manche suivante : tous à la fois "
    "et en secret, ou une place après l'autre et à découvert.",
    "option.short_supply": "Ce que fait une action qui demande plus de cartes qu'il n'y en a.",
    "option.ask_giver_chooses": "Si le joueur à qui l'on demande une carte choisit parmi "
    "plusieurs.",
    "option.discard_taken_card": "Si la carte que l'on vient de prendre de la pile de défausse "
    "peut y retourner.",
    "option.free_phase_named": "S'il faut nommer la phase quand les cartes conviennent à "
    "plusieurs, ou si c'est la plus basse quand on n'en nomme aucune.",
    "option.joker_memory": "Si le propriétaire d'un joker en voit encore le recto après l'avoir "
    "pioché.",
    "option.max_turns_per_round": "Après combien de tours une manche est interrompue sans que "
    "personne ait vidé sa main. Là où il y a AGAIN, on ne rejoue pas plus de fois de suite.",
    "option.twist_phases": "Les phases de Phase 10 Twist.",
    "option.style": "Si les phases se font dans l'ordre ou librement, et si la partie finit après "
    "dix mènes ou avec la dernière phase.",
    "option.variant": "Dix manches avec chaque fois une nouvelle phase, une phase sur deux, ou "
    "moins de phases.",
    # --- the values it takes ---
    "values.players": "le plus petit et le plus grand nombre de joueurs, comme dans 2-6",
    "values.board_phases": 'une liste de dix phases, chacune comme dans "set(3) + run(3)"',
    "values.board_track": "une liste de 32 cases dans le sens des aiguilles d'une montre, chacune "
    "parmi JOKER, TAKE1, TAKE2, TAKE3, SEARCH, ASK, SWAP, AGAIN, EVERY et CHOOSE, le départ marqué "
    "d'une étoile comme dans JOKER*",
    "values.max_turns_per_round": "none ou un nombre entier de 1 à 100000",
    # --- what each value means ---
    "says.stock_exhausted.reshuffle_all_but_top": "Quand on doit piocher et que la pioche est "
    "vide, la pile de défausse sauf sa carte du dessus est mélangée et devient la pioche.",
    "says.stock_exhausted.reshuffle_all": "Quand on doit piocher et que la pioche est vide, toute "
    "la pile de défausse est mélangée et devient la pioche.",
    "says.stock_exhausted.end_round": "Quand on doit piocher et que la pioche est vide, la manche "
    "se termine.",
    "says.no_card_to_draw.continue_without_draw": "Si aucune carte ne peut être tirée, le tour "
    "continue sans.",
    "says.no_card_to_draw.end_round": "Si aucune carte ne peut être tirée, la manche se termine.",
    "says.wild_min_scope.group": "Chaque groupe a besoin d'au moins une carte naturelle.",
    "says.wild_min_scope.phase": "Une phase a besoin d'au moins une carte naturelle, de quoi que "
    "soient faits ses groupes.",
    "says.wild_min_scope.none": "Un groupe peut n'être fait que de jokers ; on dit alors ce qu'ils "
    "remplacent.",
    "says.wild_min_scope.none@french": "Un groupe peut n'être fait que d'As ; on dit alors ce "
    "qu'ils remplacent.",
    "says.wild_on_full_run.true": "On peut ajouter des jokers sans limite à une suite qui couvre "
    "toutes les valeurs.",
    "says.wild_on_full_run.true@french": "On peut ajouter des As sans limite à une suite qui "
    "couvre toutes les hauteurs.",
    "says.wild_on_full_run.false": "On n'ajoute rien à une suite qui couvre toutes les valeurs.",
    "says.wild_on_full_set.true": "On peut ajouter des jokers sans limite à un set.",
    "says.wild_on_full_set.true@french": "On peut ajouter des As sans limite à un set.",
    "says.wild_on_full_set.false": "On n'ajoute pas de joker à un set aussi grand que le jeu a de "
    "cartes d'une valeur.",
    "says.wild_on_full_set.false@french": "On n'ajoute pas d'As à un set aussi grand que le jeu a "
    "de cartes d'une hauteur.",
    "says.natural_on_full_set.true": "On peut ajouter une vraie carte à un set que des jokers ont "
    "complété.",
    "says.natural_on_full_set.false": "On n'ajoute pas de vraie carte à un set que des jokers ont "
    "complété.",
    "says.run_wrap.true": "Une suite peut continuer de la valeur la plus haute à la plus basse.",
    "says.run_wrap.false": "Une suite ne continue jamais de la valeur la plus haute à la plus "
    "basse.",
    "says.wild_placement.explicit": "L'ordre dans lequel les cartes sont posées dit où sont les "
    "jokers d'une suite.",
    "says.wild_placement.explicit@french": "L'ordre dans lequel les cartes sont posées dit où sont "
    "les As d'une suite.",
    "says.wild_placement.high_then_low": "Les jokers d'une suite comblent ses trous, puis vont à "
    "la fin, puis au début, quel que soit l'ordre dans lequel les cartes sont nommées.",
    "says.wild_placement.high_then_low@french": "Les As d'une suite comblent ses trous, puis vont "
    "à la fin, puis au début, quel que soit l'ordre dans lequel les cartes sont nommées.",
    "says.going_out.any": "On peut vider sa main en posant ou en ajoutant sa dernière carte, sans "
    "se défausser.",
    "says.going_out.discard_required": "On doit se défausser de sa dernière carte : en posant et "
    "en ajoutant, on en garde une.",
    "says.skip_as_last_card.true": "Une carte Passer peut être la dernière carte.",
    "says.skip_as_last_card.false": "Une carte Passer ne peut pas être la dernière carte.",
    "says.skip_repeat.until_served": "Un joueur qui doit encore passer son tour ne peut pas être "
    "visé de nouveau.",
    "says.skip_repeat.until_normal_turn": "Un joueur qui doit passer son tour, ou qui vient de le "
    "passer, ne peut pas être visé de nouveau.",
    "says.initial_skip.skip_first_player": "Si la première carte de la défausse est une carte "
    "Passer, le premier joueur passe son tour.",
    "says.initial_skip.cover": "Si la première carte de la défausse est une carte Passer, une "
    "autre carte est retournée pour la couvrir.",
    "says.initial_skip.return_and_redraw": "Si la première carte de la défausse est une carte "
    "Passer, elle va sous la pioche et une autre carte est retournée.",
    "says.initial_skip.keep": "Si la première carte de la défausse est une carte Passer, elle y "
    "reste et personne ne passe son tour.",
    "says.initial_wild.drawable": "Si la première carte de la défausse est un joker, on peut le "
    "prendre.",
    "says.initial_wild.drawable@french": "Si la première carte de la défausse est un As, on peut "
    "le prendre.",
    "says.initial_wild.return_and_redraw": "Si la première carte de la défausse est un joker, il "
    "va sous la pioche et une autre carte est retournée.",
    "says.initial_wild.return_and_redraw@french": "Si la première carte de la défausse est un As, "
    "il va sous la pioche et une autre carte est retournée.",
    "says.skip_drawable.true": "Une carte Passer au sommet de la pile de défausse peut être prise.",
    "says.skip_drawable.false": "Une carte Passer n'est jamais prise de la pile de défausse.",
    "says.skip_plain_discard.true": "On peut aussi se défausser d'une carte Passer comme de toute "
    "autre carte ; personne ne passe alors son tour.",
    "says.skip_plain_discard.false": "On ne se défausse pas d'une carte Passer sans faire passer "
    "le tour de quelqu'un.",
    "says.skip_plain_discard.only_if_no_target": "On se défausse d'une carte Passer sans effet "
    "seulement là où personne ne peut être visé.",
    "says.skip_survives_round.true": "Un tour encore à passer à la fin de la manche est passé dans "
    "la suivante.",
    "says.skip_survives_round.false": "Un tour encore à passer à la fin de la manche est oublié.",
    "says.dealer_rotation.left": "Après chaque manche, le joueur à la gauche du donneur devient le "
    "nouveau donneur.",
    "says.dealer_rotation.fixed": "Le donneur reste le même.",
    "says.first_player.left_of_dealer": "Le joueur à la gauche du donneur commence.",
    "says.first_player.dealer": "Le donneur commence.",
    "says.first_player.random": "Le joueur qui commence est tiré au sort à chaque manche.",
    "says.lay_oversize.true": "On peut poser avec la phase plus de cartes qu'elle n'en demande, "
    "dans ses propres groupes.",
    "says.lay_oversize.false": "On pose une phase avec exactement autant de cartes qu'elle en "
    "demande.",
    "says.final_tie.replay": "S'ils sont encore à égalité, ils rejouent la dernière phase : le "
    "premier à vider sa main gagne ; si personne n'y arrive, ils se partagent la victoire.",
    "says.final_tie.shared": "S'ils sont encore à égalité, ils se partagent la victoire.",
    "says.final_tie.went_out": "S'ils sont encore à égalité, celui d'entre eux qui a vidé sa main "
    "gagne ; si aucun d'eux ne l'a fait, ils se partagent la victoire.",
    "says.final_tie_10rounds.more_phases_then_shared": "À total égal, celui qui a réussi le plus "
    "de phases gagne ; sinon, la victoire est partagée.",
    "says.final_tie_10rounds.shared": "À total égal, la victoire est partagée.",
    "says.final_tie_replay.tied_only": "Seuls les joueurs à égalité reçoivent des cartes pour "
    "rejouer.",
    "says.final_tie_replay.everybody": "Tout le monde reçoit des cartes pour rejouer. Seuls les "
    "joueurs à égalité peuvent gagner : si un autre vide sa main, c'est celui d'entre eux qui a le "
    "moins de points en main, ou ils se partagent la victoire.",
    "says.discard_taken_card.true": "La carte que l'on vient de prendre de la pile de défausse "
    "peut y retourner aussitôt.",
    "says.discard_taken_card.false": "On ne peut pas se défausser dans ce tour de la carte que "
    "l'on vient de prendre de la pile de défausse.",
    "says.free_phase_named.true": "Si les cartes conviennent à plusieurs phases ouvertes, le "
    "joueur en nomme une.",
    "says.free_phase_named.auto_lowest": "Si les cartes conviennent à plusieurs phases ouvertes et "
    "qu'aucune n'est nommée, c'est la plus basse.",
    "says.pairrun_hit.whole_pairs": "Une suite de paires s'allonge par paires entières.",
    "says.pairrun_hit.single_cards": "Une suite de paires peut s'allonger carte par carte, une "
    "paire étant d'abord complétée.",
    "says.pairrun_hit.none": "On n'ajoute rien à une suite de paires.",
    "says.color_is_suit.true": "Une même couleur, c'est cœur, pique, carreau ou trèfle.",
    "says.color_is_suit.false": "Une même couleur, c'est tout rouge ou tout noir.",
    "says.choose_take_by.number": "Au choix (CHOOSE) distingue TAKE1, TAKE2 et TAKE3.",
    "says.choose_take_by.type": "Au choix (CHOOSE) désigne TAKE, et la première case libre de ce "
    "genre dit combien de cartes.",
    "says.kept_joker.stays_joker": "Un joker conservé pour la manche suivante reste un joker.",
    "says.kept_joker.becomes_normal": "Un joker conservé pour la manche suivante devient une carte "
    "ordinaire.",
    "says.joker_discard.becomes_normal": "Un joker défaussé est posé face visible et devient une "
    "carte ordinaire.",
    "says.joker_discard.forbidden": "On ne peut pas se défausser d'un joker.",
    "says.full_color_group.24": "Un groupe d'une même couleur est complet avec les 24 cartes de "
    "sa couleur.",
    "says.full_color_group.ignore": "Les groupes d'une même couleur ne comptent pas quand tous les "
    "autres sont complets.",
    "says.board_first_starter.youngest": "La plus jeune personne commence la première manche : la "
    "place que l'hôte désigne.",
    "says.board_first_starter.host": "L'hôte désigne qui commence la première manche.",
    "says.board_first_starter.random": "Qui commence la première manche est tiré au sort.",
    "says.keep_choice.simultaneous_secret": "Ils choisissent en même temps et en secret.",
    "says.keep_choice.seat_order_open": "Ils choisissent l'un après l'autre et à découvert.",
    "says.short_supply.as_many_as_possible": "Une action qui demande plus de cartes qu'il n'y en a "
    "les prend toutes.",
    "says.short_supply.cancel": "Une action qui demande plus de cartes qu'il n'y en a est annulée.",
    "says.ask_giver_chooses.true": "Le joueur à qui l'on demande une carte et qui en a plusieurs "
    "choisit laquelle donner.",
    "says.ask_giver_chooses.false": "Le joueur à qui l'on demande une carte et qui en a plusieurs "
    "donne la première.",
    "says.joker_memory.owner_sees_once": "Le propriétaire d'un joker en voit le recto une seule "
    "fois, en le piochant.",
    "says.joker_memory.owner_sees_always": "Le propriétaire d'un joker peut en regarder le recto à "
    "tout moment.",
    "says.variant.none": "Les phases se font l'une après l'autre, jusqu'à la dernière.",
    "says.variant.ten_rounds": "On joue exactement 10 manches : tous passent chaque fois à la "
    "phase suivante, réussie ou non, et le total le plus bas gagne.",
    "says.variant.even_phases": "On ne joue que les phases 2, 4, 6, 8 et 10.",
    "says.variant.n_phases": "La partie finit avec la phase {count}.",
    "says.twist_phases.classic": "Phase 10 Twist a les dix phases classiques.",
    "says.style.complete_ordered": "Complet ordonné : chacun fait les dix phases dans l'ordre ; le "
    "premier à terminer la dixième gagne.",
    "says.style.ten_rounds_ordered": "10 mènes ordonné : à la mène n, tout le monde tente la phase "
    "n, réussie ou non ; après 10 mènes, le moins de points gagne.",
    "says.style.complete_free": "Complet libre : en posant, on marque n'importe quelle phase pas "
    "encore marquée ; le premier à marquer les dix gagne.",
    "says.style.ten_rounds_free": "10 mènes libre : en posant, on marque n'importe quelle phase "
    "pas encore marquée ; après 10 mènes, le moins de points gagne.",
    "says.express_white_cards.wild": "Les trois cartes blanches sont des jokers.",
    "says.express_white_cards.none": "Les trois cartes blanches sont mises de côté.",
}
