"""What house rules are about, and what each value of them means."""

from collections.abc import Mapping

OPTIONS: Mapping[str, str] = {
    # --- what is decided ---
    "option.stock_exhausted": "Was geschieht, wenn vom leeren Nachziehstapel gezogen werden soll.",
    "option.no_card_to_draw": "Was geschieht, wenn kein Stapel eine Karte zum Ziehen hat.",
    "option.wild_min_scope": "Wo mindestens eine natürliche Karte nötig ist: in jeder Gruppe, in "
    "der Phase oder nirgends.",
    "option.wild_on_full_run": "Ob Joker an eine Folge angelegt werden dürfen, die alle zwölf "
    "Werte umfasst.",
    "option.wild_on_full_run@french": "Ob Asse an eine Folge angelegt werden dürfen, die alle "
    "zwölf Werte umfasst.",
    "option.wild_on_full_set": "Ob Joker an einen Satz angelegt werden dürfen, der so groß ist, "
    "wie die Karten es zulassen.",
    "option.wild_on_full_set@french": "Ob Asse an einen Satz angelegt werden dürfen, der so groß "
    "ist, wie die Karten es zulassen.",
    "option.run_wrap": "Ob eine Folge vom höchsten Wert zum niedrigsten weitergeht.",
    "option.wild_placement": "Ob die Reihenfolge der Karten sagt, wo Joker liegen, oder ob sie "
    "zuerst Lücken füllen, dann am oberen und dann am unteren Ende liegen.",
    "option.wild_placement@french": "Ob die Reihenfolge der Karten sagt, wo Asse liegen, oder ob "
    "sie zuerst Lücken füllen, dann am oberen und dann am unteren Ende liegen.",
    "option.going_out": "Ob die letzte Karte abgelegt werden muss.",
    "option.skip_as_last_card": "Ob eine Aussetzkarte die letzte Karte sein darf.",
    "option.skip_repeat": "Wie lange, wer aussetzen musste, vor der nächsten Aussetzkarte sicher "
    "ist.",
    "option.initial_skip": "Was eine Aussetzkarte bewirkt, die als erste Karte der Ablage "
    "aufgedeckt wird.",
    "option.initial_wild": "Was mit einem Joker geschieht, der als erste Karte der Ablage "
    "aufgedeckt wird.",
    "option.initial_wild@french": "Was mit einem Ass geschieht, das als erste Karte der Ablage "
    "aufgedeckt wird.",
    "option.skip_drawable": "Ob eine Aussetzkarte, die oben auf dem Ablagestapel liegt, gezogen "
    "werden darf.",
    "option.skip_plain_discard": "Ob eine Aussetzkarte abgelegt werden darf, ohne dass jemand "
    "aussetzt.",
    "option.skip_survives_round": "Ob ein noch ausstehendes Aussetzen in der nächsten Runde gilt.",
    "option.dealer_rotation": "Wer die nächste Runde gibt.",
    "option.first_player": "Wer in einer Runde beginnt.",
    "option.color_is_suit": "Ob Karten einer Farbe von derselben Spielfarbe sind, oder nur alle "
    "rot oder alle schwarz.",
    "option.lay_oversize": "Ob eine Gruppe mit mehr Karten ausgelegt werden darf, als die Phase "
    "verlangt.",
    "option.players": "Wie viele mitspielen dürfen.",
    "option.express_white_cards": "Ob die drei weißen Karten Joker sind oder weggelassen werden.",
    "option.pairrun_hit": "Was an eine Folge von Paaren angelegt werden darf. Mit none hat eine "
    "Runde, in der nichts anderes ausgelegt wurde, kein Ende: siehe max_turns_per_round.",
    "option.final_tie": "Wie ein Gleichstand an Punkten nach der letzten Phase entschieden wird.",
    "option.final_tie_10rounds": "Wie ein Gleichstand nach einer festen Zahl von Runden "
    "entschieden wird.",
    "option.final_tie_replay": "Wer Karten bekommt, wenn ein Gleichstand ausgespielt wird. "
    "Gewinnen können nur die Gleichen: macht jemand anders Schluss, gewinnt, wer von ihnen die "
    "wenigsten Punkte auf der Hand hat.",
    "option.board_phases": "Die Phasen des Brettspiels.",
    "option.board_track": "Der Rundweg der Aktionsfelder. Auf einem, der zu wenige Karten gibt, "
    "hat eine Runde vielleicht kein Ende: siehe max_turns_per_round.",
    "option.choose_take_by": "Ob die freie Wahl (CHOOSE) zwischen +1, +2 und +3 Karten "
    "unterscheidet oder das nächste dieser Felder nimmt.",
    "option.kept_joker": "Was ein Joker ist, der für die nächste Runde behalten wurde.",
    "option.joker_discard": "Ob ein Joker abgelegt werden darf und von da an eine gewöhnliche "
    "Karte ist.",
    "option.full_color_group": "Mit wie vielen Karten eine Farbgruppe voll ist, sodass zwei Karten "
    "abgelegt werden dürfen.",
    "option.natural_on_full_set": "Ob eine echte Karte an einen Satz angelegt werden darf, den "
    "Joker voll gemacht haben.",
    "option.board_first_starter": "Wer die erste Runde beginnt: der Platz, den der Gastgeber als "
    "Geber nennt (als den jüngsten oder nach Belieben), oder einer, den das Los bestimmt.",
    "option.keep_choice": "Wie Karten für die nächste Runde behalten werden: alle zugleich und "
    "verdeckt, oder ein Platz nach dem anderen und offen.",
    "option.short_supply": "Was eine Aktion tut, die mehr Karten verlangt, als da sind.",
    "option.ask_giver_chooses": "Ob, wer um eine Karte gebeten wird und mehrere hat, unter ihnen "
    "wählt.",
    "option.discard_taken_card": "Ob die Karte, die eben vom Ablagestapel genommen wurde, dorthin "
    "zurück darf.",
    "option.free_phase_named": "Ob eine Phase genannt werden muss, wenn die Karten zu mehreren "
    "passen, oder ob es ohne Angabe die niedrigste davon ist.",
    "option.joker_memory": "Ob, wer einen Joker hat, dessen Vorderseite nach dem Ziehen noch "
    "sieht.",
    "option.max_turns_per_round": "Nach wie vielen Zügen eine Runde abgebrochen wird, in der "
    "niemand Schluss gemacht hat. Wo es AGAIN gibt, gibt es höchstens so viele neue Züge in "
    "Folge.",
    "option.twist_phases": "Die Phasen von Phase 10 Twist.",
    "option.style": "Ob die Phasen der Reihe nach oder beliebig gemacht werden, und ob zehn "
    "Runden oder die letzte Phase das Spiel beenden.",
    "option.variant": "Zehn Runden mit je einer neuen Phase, jede zweite Phase oder weniger "
    "Phasen.",
    # --- the values it takes ---
    "values.players": "die kleinste und die größte Zahl von Spielern, wie in 2-6",
    "values.board_phases": 'eine Liste von zehn Phasen, jede wie in "set(3) + run(3)"',
    "values.board_track": "eine Liste von 32 Feldern im Uhrzeigersinn, jedes eines von JOKER, "
    "TAKE1, TAKE2, TAKE3, SEARCH, ASK, SWAP, AGAIN, EVERY und CHOOSE, der Start mit einem Stern "
    "wie in JOKER*",
    "values.max_turns_per_round": "none oder eine ganze Zahl von 1 bis 100000",
    # --- what each value means ---
    "says.stock_exhausted.reshuffle_all_but_top": "Soll vom leeren Nachziehstapel gezogen werden, "
    "wird der Ablagestapel ohne seine oberste Karte gemischt und zum Nachziehstapel.",
    "says.stock_exhausted.reshuffle_all": "Soll vom leeren Nachziehstapel gezogen werden, wird der "
    "ganze Ablagestapel gemischt und zum Nachziehstapel.",
    "says.stock_exhausted.end_round": "Soll vom leeren Nachziehstapel gezogen werden, endet die "
    "Runde.",
    "says.no_card_to_draw.continue_without_draw": "Kann gar keine Karte gezogen werden, geht der "
    "Zug ohne weiter.",
    "says.no_card_to_draw.end_round": "Kann gar keine Karte gezogen werden, endet die Runde.",
    "says.wild_min_scope.group": "Jede Gruppe braucht mindestens eine natürliche Karte.",
    "says.wild_min_scope.phase": "Eine Phase braucht mindestens eine natürliche Karte, woraus auch "
    "immer ihre Gruppen bestehen.",
    "says.wild_min_scope.none": "Eine Gruppe darf nur aus Jokern bestehen; wofür sie stehen, wird "
    "dann gesagt.",
    "says.wild_min_scope.none@french": "Eine Gruppe darf nur aus Assen bestehen; wofür sie stehen, "
    "wird dann gesagt.",
    "says.wild_on_full_run.true": "An eine Folge, die alle Werte umfasst, dürfen unbegrenzt Joker "
    "angelegt werden.",
    "says.wild_on_full_run.true@french": "An eine Folge, die alle Werte umfasst, dürfen unbegrenzt "
    "Asse angelegt werden.",
    "says.wild_on_full_run.false": "An eine Folge, die alle Werte umfasst, wird nichts angelegt.",
    "says.wild_on_full_set.true": "An einen Satz dürfen unbegrenzt Joker angelegt werden.",
    "says.wild_on_full_set.true@french": "An einen Satz dürfen unbegrenzt Asse angelegt werden.",
    "says.wild_on_full_set.false": "An einen Satz, der so groß ist, wie es Karten eines Wertes "
    "gibt, wird kein Joker angelegt.",
    "says.wild_on_full_set.false@french": "An einen Satz, der so groß ist, wie es Karten eines "
    "Wertes gibt, wird kein Ass angelegt.",
    "says.natural_on_full_set.true": "Eine echte Karte darf an einen Satz angelegt werden, den "
    "Joker voll gemacht haben.",
    "says.natural_on_full_set.false": "An einen Satz, den Joker voll gemacht haben, wird keine "
    "echte Karte angelegt.",
    "says.run_wrap.true": "Eine Folge darf vom höchsten Wert zum niedrigsten weitergehen.",
    "says.run_wrap.false": "Eine Folge geht nie vom höchsten Wert zum niedrigsten weiter.",
    "says.wild_placement.explicit": "Die Reihenfolge, in der die Karten ausgelegt werden, sagt, wo "
    "in einer Folge Joker liegen.",
    "says.wild_placement.explicit@french": "Die Reihenfolge, in der die Karten ausgelegt werden, "
    "sagt, wo in einer Folge Asse liegen.",
    "says.wild_placement.high_then_low": "Joker in einer Folge füllen ihre Lücken, liegen dann am "
    "oberen, dann am unteren Ende, in welcher Reihenfolge die Karten auch genannt werden.",
    "says.wild_placement.high_then_low@french": "Asse in einer Folge füllen ihre Lücken, liegen "
    "dann am oberen, dann am unteren Ende, in welcher Reihenfolge die Karten auch genannt werden.",
    "says.going_out.any": "Die letzte Karte darf auch ausgelegt oder angelegt werden, ohne "
    "Ablegen.",
    "says.going_out.discard_required": "Die letzte Karte muss abgelegt werden: beim Auslegen und "
    "Anlegen bleibt eine übrig.",
    "says.skip_as_last_card.true": "Eine Aussetzkarte darf die letzte Karte sein.",
    "says.skip_as_last_card.false": "Eine Aussetzkarte kann nicht die letzte Karte sein.",
    "says.skip_repeat.until_served": "Wer noch aussetzen muss, kann nicht noch einmal zum "
    "Aussetzen gebracht werden.",
    "says.skip_repeat.until_normal_turn": "Wer aussetzen muss oder eben ausgesetzt hat, kann nicht "
    "noch einmal zum Aussetzen gebracht werden.",
    "says.initial_skip.skip_first_player": "Ist die erste Karte der Ablage eine Aussetzkarte, "
    "setzt der erste Spieler aus.",
    "says.initial_skip.cover": "Ist die erste Karte der Ablage eine Aussetzkarte, wird eine "
    "weitere Karte aufgedeckt und darauf gelegt.",
    "says.initial_skip.return_and_redraw": "Ist die erste Karte der Ablage eine Aussetzkarte, "
    "kommt sie unter den Nachziehstapel, und eine andere wird aufgedeckt.",
    "says.initial_skip.keep": "Ist die erste Karte der Ablage eine Aussetzkarte, bleibt sie "
    "liegen, und niemand setzt aus.",
    "says.initial_wild.drawable": "Ist die erste Karte der Ablage ein Joker, darf er gezogen "
    "werden.",
    "says.initial_wild.drawable@french": "Ist die erste Karte der Ablage ein Ass, darf es gezogen "
    "werden.",
    "says.initial_wild.return_and_redraw": "Ist die erste Karte der Ablage ein Joker, kommt er "
    "unter den Nachziehstapel, und eine andere Karte wird aufgedeckt.",
    "says.initial_wild.return_and_redraw@french": "Ist die erste Karte der Ablage ein Ass, kommt "
    "es unter den Nachziehstapel, und eine andere Karte wird aufgedeckt.",
    "says.skip_drawable.true": "Eine Aussetzkarte, die oben auf dem Ablagestapel liegt, darf "
    "gezogen werden.",
    "says.skip_drawable.false": "Eine Aussetzkarte wird nie vom Ablagestapel gezogen.",
    "says.skip_plain_discard.true": "Eine Aussetzkarte darf auch wie jede Karte abgelegt werden; "
    "dann setzt niemand aus.",
    "says.skip_plain_discard.false": "Eine Aussetzkarte wird nicht abgelegt, ohne dass jemand "
    "aussetzt.",
    "says.skip_plain_discard.only_if_no_target": "Eine Aussetzkarte wird nur dort ohne Wirkung "
    "abgelegt, wo niemand zum Aussetzen gebracht werden kann.",
    "says.skip_survives_round.true": "Wer am Ende der Runde noch aussetzen muss, setzt in der "
    "nächsten aus.",
    "says.skip_survives_round.false": "Wer am Ende der Runde noch aussetzen müsste, dem ist es "
    "erlassen.",
    "says.dealer_rotation.left": "Nach jeder Runde gibt der linke Nachbar.",
    "says.dealer_rotation.fixed": "Es gibt immer derselbe.",
    "says.first_player.left_of_dealer": "Wer links vom Geber sitzt, beginnt.",
    "says.first_player.dealer": "Der Geber beginnt.",
    "says.first_player.random": "Wer beginnt, wird in jeder Runde ausgelost.",
    "says.lay_oversize.true": "Mit der Phase dürfen mehr Karten ausgelegt werden, als sie "
    "verlangt, in ihren eigenen Gruppen.",
    "says.lay_oversize.false": "Eine Phase wird mit genau so vielen Karten ausgelegt, wie sie "
    "verlangt.",
    "says.final_tie.replay": "Sind sie auch darin gleich, spielen sie die letzte Phase noch "
    "einmal: wer Schluss macht, gewinnt; macht niemand Schluss, teilen sie sich den Sieg.",
    "says.final_tie.shared": "Sind sie auch darin gleich, teilen sie sich den Sieg.",
    "says.final_tie.went_out": "Sind sie auch darin gleich, gewinnt, wer von ihnen Schluss gemacht "
    "hat; hat es keiner von ihnen, teilen sie sich den Sieg.",
    "says.final_tie_10rounds.more_phases_then_shared": "Bei gleicher Summe gewinnt, wer mehr "
    "Phasen gemacht hat, sonst wird der Sieg geteilt.",
    "says.final_tie_10rounds.shared": "Bei gleicher Summe wird der Sieg geteilt.",
    "says.final_tie_replay.tied_only": "Im Entscheidungsspiel bekommen nur die Gleichen Karten.",
    "says.final_tie_replay.everybody": "Im Entscheidungsspiel bekommen alle Karten. Gewinnen "
    "können nur die Gleichen: macht jemand anders Schluss, gewinnt, wer von ihnen die wenigsten "
    "Punkte auf der Hand hat, oder sie teilen sich den Sieg.",
    "says.discard_taken_card.true": "Die Karte, die eben vom Ablagestapel genommen wurde, darf "
    "gleich dorthin zurück.",
    "says.discard_taken_card.false": "Die Karte, die eben vom Ablagestapel genommen wurde, kann in "
    "diesem Zug nicht abgelegt werden.",
    "says.free_phase_named.true": "Passen die Karten zu mehreren offenen Phasen, nennt der Spieler "
    "eine davon.",
    "says.free_phase_named.auto_lowest": "Passen die Karten zu mehreren offenen Phasen und keine "
    "wird genannt, gilt die niedrigste.",
    "says.pairrun_hit.whole_pairs": "Eine Folge von Paaren wächst um ganze Paare.",
    "says.pairrun_hit.single_cards": "Eine Folge von Paaren darf um einzelne Karten wachsen; ein "
    "Paar wird zuerst ergänzt.",
    "says.pairrun_hit.none": "An eine Folge von Paaren wird nichts angelegt.",
    "says.color_is_suit.true": "Eine Farbe ist eine der vier Farben Herz, Pik, Karo und Kreuz.",
    "says.color_is_suit.false": "Eine Farbe heißt: alle rot oder alle schwarz.",
    "says.choose_take_by.number": "Die freie Wahl (CHOOSE) unterscheidet TAKE1, TAKE2 und TAKE3.",
    "says.choose_take_by.type": "Die freie Wahl (CHOOSE) wählt TAKE, und das erste freie Feld "
    "davon sagt, wie viele Karten.",
    "says.kept_joker.stays_joker": "Ein Joker, der für die nächste Runde behalten wird, bleibt "
    "Joker.",
    "says.kept_joker.becomes_normal": "Ein Joker, der für die nächste Runde behalten wird, wird "
    "eine gewöhnliche Karte.",
    "says.joker_discard.becomes_normal": "Ein abgelegter Joker liegt offen und ist von da an eine "
    "gewöhnliche Karte.",
    "says.joker_discard.forbidden": "Ein Joker kann nicht abgelegt werden.",
    "says.full_color_group.24": "Eine Farbgruppe ist mit allen 24 Karten ihrer Farbe voll.",
    "says.full_color_group.ignore": "Farbgruppen zählen nicht, wenn alle anderen voll sind.",
    "says.board_first_starter.youngest": "Der Jüngste beginnt die erste Runde: der Platz, den der "
    "Gastgeber nennt.",
    "says.board_first_starter.host": "Der Gastgeber nennt, wer die erste Runde beginnt.",
    "says.board_first_starter.random": "Wer die erste Runde beginnt, wird ausgelost.",
    "says.keep_choice.simultaneous_secret": "Sie wählen zugleich und geheim.",
    "says.keep_choice.seat_order_open": "Sie wählen nacheinander und offen.",
    "says.short_supply.as_many_as_possible": "Eine Aktion, die mehr Karten verlangt, als da sind, "
    "nimmt alle.",
    "says.short_supply.cancel": "Eine Aktion, die mehr Karten verlangt, als da sind, entfällt.",
    "says.ask_giver_chooses.true": "Wer um eine Karte gebeten wird und mehrere hat, wählt, welche "
    "er gibt.",
    "says.ask_giver_chooses.false": "Wer um eine Karte gebeten wird und mehrere hat, gibt die "
    "erste.",
    "says.joker_memory.owner_sees_once": "Wer einen Joker zieht, sieht dessen Vorderseite einmal, "
    "beim Ziehen.",
    "says.joker_memory.owner_sees_always": "Wer einen Joker hat, darf dessen Vorderseite jederzeit "
    "ansehen.",
    "says.variant.none": "Die Phasen werden der Reihe nach gemacht, bis zur letzten.",
    "says.variant.ten_rounds": "Es gibt genau 10 Runden: alle rücken jede Runde zur nächsten Phase "
    "vor, geschafft oder nicht, und die niedrigste Summe gewinnt.",
    "says.variant.even_phases": "Nur die Phasen 2, 4, 6, 8 und 10 werden gespielt.",
    "says.variant.n_phases": "Das Spiel endet mit Phase {count}.",
    "says.twist_phases.classic": "Phase 10 Twist hat die zehn klassischen Phasen.",
    "says.style.complete_ordered": "Jeder macht die zehn Phasen der Reihe nach; wer die zehnte "
    "zuerst beendet, gewinnt.",
    "says.style.ten_rounds_ordered": "In Runde n versuchen alle Phase n, geschafft oder nicht; "
    "nach 10 Runden gewinnen die wenigsten Punkte.",
    "says.style.complete_free": "Wer auslegt, kreuzt eine beliebige Phase an, die noch nicht "
    "angekreuzt ist; wer zuerst alle zehn hat, gewinnt.",
    "says.style.ten_rounds_free": "Wer auslegt, kreuzt eine beliebige Phase an, die noch nicht "
    "angekreuzt ist; nach 10 Runden gewinnen die wenigsten Punkte.",
    "says.express_white_cards.wild": "Die drei weißen Karten sind Joker.",
    "says.express_white_cards.none": "Die drei weißen Karten werden weggelassen.",
}
