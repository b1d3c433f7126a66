"""The report in English."""

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    # --- the page ---
    "page": "phaseledger report: {count} games",
    "page@1": "phaseledger report: {count} game",
    "title": "Report on {count} finished games of {sources}",
    "title@1": "Report on {count} finished game of {sources}",
    "store": "the store",
    "sources": "{names} and {count} more files",
    "sources@1": "{names} and {count} more file",
    "left_out": "Left out: {reasons}.",
    "left_out.broken off": "{count} broken off",
    "left_out.damaged": "{count} damaged",
    "left_out.not over": "{count} not over",
    "left_out.of further rule sets": "{count} of further rule sets",
    "left_out.repeated": "{count} repeated",
    "left_out.too long": "{count} too long",
    "damaged": "Damaged: {fault}",
    "caution": "Intervals hold the true value in 95 of 100 cases, if the games are independent of "
    "one another; where there is none, there are too few games for it. Of many shares, one in "
    "twenty lies outside by luck alone. Nothing here says that the games are genuine: that is what "
    "phaseledger audit is for.",
    "chapter": "{title}, {seats} seats: {count} games",
    "chapter@1": "{title}, {seats} seats: {count} game",
    "chapter.short": "{title}, {seats} seats",
    "rules": "Rule set {id}.",
    "rules.house": "Rule set {id}, with {options}.",
    # --- what the command says beside the page ---
    "told": "Games: {games} in {file}, {left_out} left out.",
    "told.reasons": "Games: {games} in {file}, {left_out} left out ({reasons}).",
    "told.page": "the page",
    "no_game": "There is no finished game to report on (none at all).",
    "no_game.reasons": "There is no finished game to report on ({reasons}).",
    # --- values ---
    "interval": "95 %",
    "range": "{low} to {high}",
    "and_then": "{first}; {then}",
    "seat": "seat {seat}",
    "seat.wins": "Seat {seat}",
    "person": "person",
    "person.wins": "A person",
    "phase": "phase {phase}",
    "figures": "{title}, in figures",
    # --- the opening ---
    "headline.sure": "{player} won {share} of its games; chance is {chance}.",
    "headline.open": "{player} won {share} of its games; chance is {chance}: by these games that "
    "may be luck.",
    "headline.nobody": "Nobody won more often than chance explains.",
    "headline.several": "Won more often than chance explains: {players}.",
    "headline.several@1": "Won more often than chance explains: {players}.",
    "headline.player": "{player} ({chapter})",
    "glance": "At a glance",
    "glance.chapter": "rule set and seats",
    "glance.best": "wins most",
    "glance.chance": "beside chance",
    "glance.turns": "turns",
    "glance.more": "above",
    "glance.less": "below",
    "glance.open": "may be luck",
    "outstanding": "What stands out",
    "outstanding.more": "{player} won {share} of its games ({interval}), more than chance, "
    "{chance}.",
    "outstanding.less": "{player} won {share} of its games ({interval}), less than chance, "
    "{chance}.",
    "outstanding.ends": "{share} of the rounds ended with nobody going out.",
    "outstanding.hardest": "Phase {phase} ({needs}) is the hardest: of the rounds with it {share} "
    "made it ({interval}); of those with phase {easiest}, {most}.",
    # --- who wins ---
    "games": "games",
    "share": "share",
    "won": "won",
    "bot": "bot",
    "wins": "Games won",
    "wins.seat": "Wins by seat",
    "wins.seat.head": "seat",
    "wins.seat.words": "Games won by those a seat sat in; a shared win counts as its part. The "
    "line is chance, {chance}. Intervals are Wilson's.",
    "wins.bot": "Wins by bot",
    "wins.bot.head": "bot",
    "wins.bot.words": "Games won by those a bot sat in; a shared win counts as its part. The line "
    "is chance, {chance}. Intervals are Wilson's.",
    # --- how long ---
    "rounds": "Rounds to finish",
    "rounds.unit": "rounds of a game",
    "rounds.words": "How many games had so many rounds of a game.",
    "rounds.counted": "games",
    "turns": "Turns to finish",
    "turns.unit": "turns of a game, lost ones included",
    "turns.words": "How many games had so many turns of a game, lost ones included.",
    "turns.counted": "games",
    "round turns": "Length of a round",
    "round turns.unit": "turns of a round, lost ones included",
    "round turns.words": "How many rounds had so many turns of a round, lost ones included.",
    "round turns.counted": "rounds",
    "mean": "mean",
    "least_tenth": "10 % have at most",
    "half": "half have at most",
    "most_tenth": "90 % have at most",
    "most": "most",
    "ended": "How rounds ended",
    "ended.rounds": "rounds",
    "ended.by going out": "rounds ended by going out",
    "ended.otherwise": "rounds ended otherwise",
    # --- phases ---
    "made": "Phases made by turn",
    "made.words": "Of all rounds in which a seat could lay the phase, in how many of 100 it had "
    "done so by the end of its own first, second ... turn of the round. Rounds that ended before "
    "count as not made; lost turns do not count as turns.",
    "made.table": "Phases made",
    "made.phase": "phase",
    "made.needs": "asks for",
    "made.rounds": "rounds",
    "made.by_turn": "by turn {turn}",
    "made.at_all": "at all",
    "points": "Points by phase",
    "points.none": "No points are counted in this game.",
    "points.words": "Mean points of a seat in a round, by the phase that it laid or, where it laid "
    "none, that it had to lay. Intervals are over games.",
    "points.table": "Points in a round",
    "points.rounds": "rounds of a seat",
    "points.laid": "when laid",
    "points.not": "when not laid",
    # --- the discard pile ---
    "taking": "Taking from the discard pile",
    "taking.nearer": "card brought the phase nearer",
    "taking.soon": "phase laid within {turns} more own turns",
    "taking.score": "points at the end of the round",
    "taking.draws": "draws counted",
    "taking.words": "What followed a card from the discard pile less what followed one from the "
    "stock, by seats that had their phase still to lay, compared at equal distance from it. It "
    "says what went together: whoever takes a card has seen that it fits, so it is no effect of "
    "taking as such. Intervals are over games.",
    "taking.table": "What followed a draw",
    "taking.discard": "from the discard pile",
    "taking.stock": "from the stock",
    "taking.difference": "difference at equal distance",
    # --- luck and play ---
    "luck": "Luck: wins by the quality of the cards received",
    "luck.words": "Luck is how many cards nearer to its phases a seat was brought by the cards "
    "that chance gave it in a game, less the mean: of hands dealt anew for a dealt hand, of all "
    "cards of the stock for a card drawn. It is 0 on average, however somebody plays.",
    "luck.table": "Wins by luck",
    "luck.cards": "luck, cards",
    "luck.games": "games of a seat",
    "luck.won": "share won",
    "play": "Play: wins beyond luck",
    "play.words": "Share of games won, less the share that all seats with the same luck won: what "
    "is left is put down to play. Intervals are over games.",
    "play.table": "Luck and play",
    "play.luck": "luck, cards a game",
    "play.expected": "won by all with its luck",
    "play.difference": "difference",
    # --- the odds of a dealt hand ---
    "odds": "Phases in a dealt hand",
    "odds.words": "The chance that {cards} dealt cards already hold the phase: the exact one, all "
    "hands counted (diamond), and how many of {count} hands dealt in these games did (dot, with "
    "Wilson's interval). The axis is logarithmic.",
    "odds.table": "Odds of a dealt hand",
    "odds.exactly": "exactly",
    "odds.uncounted": "not counted",
    "odds.drawn": "{count} hands drawn",
    "odds.dealt": "hands of these games",
    # --- timelines ---
    "timeline": "Game {game}",
    "timeline.words": "Turns from left to right, rounds in bands with their numbers on top. A dot: "
    "the phase of that number was laid. A diamond: who went out. A stroke: a turn lost. A star: "
    "won.",
    "timeline.table": "Phases laid and points, round by round",
    "timeline.round": "round",
    "timeline.turns": "turns",
    "timeline.span": "{first} to {last}",
    "timeline.points": "{points}, in all {total}",
    "timeline.out": "went out",
}
