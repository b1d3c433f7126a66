"""The report in German."""

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    # --- the page ---
    "page": "phaseledger report: {count} Spiele",
    "page@1": "phaseledger report: {count} Spiel",
    "title": "Bericht über {count} beendete Spiele aus {sources}",
    "title@1": "Bericht über {count} beendetes Spiel aus {sources}",
    "store": "dem Speicher",
    "sources": "{names} und {count} weiteren Dateien",
    "sources@1": "{names} und {count} weiteren Datei",
    "left_out": "Nicht mitgezählt: {reasons}.",
    "left_out.broken off": "{count} abgebrochen",
    "left_out.damaged": "{count} beschädigt",
    "left_out.not over": "{count} nicht zu Ende",
    "left_out.of further rule sets": "{count} nach weiteren Regeln",
    "left_out.repeated": "{count} doppelt",
    "left_out.too long": "{count} zu lang",
    "damaged": "Beschädigt: {fault}",
    "caution": "Intervalle enthalten den wahren Wert in 95 von 100 Fällen, wenn die Spiele "
    "voneinander unabhängig sind; wo keins steht, sind es dafür zu wenige Spiele. Von vielen "
    "Anteilen liegt jeder zwanzigste durch bloßen Zufall außerhalb. Nichts hier sagt, dass die "
    "Spiele echt sind: dafür gibt es phaseledger audit.",
    "chapter": "{title}, {seats} Plätze: {count} Spiele",
    "chapter@1": "{title}, {seats} Plätze: {count} Spiel",
    "chapter.short": "{title}, {seats} Plätze",
    "rules": "Spielart {id}.",
    "rules.house": "Spielart {id}, mit {options}.",
    # --- what the command says beside the page ---
    "told": "Spiele: {games} in {file}, {left_out} nicht mitgezählt.",
    "told.reasons": "Spiele: {games} in {file}, {left_out} nicht mitgezählt ({reasons}).",
    "told.page": "der Seite",
    "no_game": "Es gibt kein beendetes Spiel für einen Bericht (gar keins).",
    "no_game.reasons": "Es gibt kein beendetes Spiel für einen Bericht ({reasons}).",
    # --- values ---
    "interval": "95 %",
    "range": "{low} bis {high}",
    "and_then": "{first}; {then}",
    "seat": "Platz\N{NO-BREAK SPACE}{seat}",
    "seat.wins": "Platz {seat}",
    "person": "Mensch",
    "person.wins": "Ein Mensch",
    "phase": "Phase {phase}",
    "figures": "{title}, in Zahlen",
    # --- the opening ---
    "headline.sure": "{player} gewann {share} seiner Spiele; der Zufall gäbe {chance}.",
    "headline.open": "{player} gewann {share} seiner Spiele; der Zufall gäbe {chance}: nach diesen "
    "Spielen kann das Glück sein.",
    "headline.nobody": "Niemand gewann öfter, als der Zufall erklärt.",
    "headline.several": "Öfter, als der Zufall erklärt, gewannen {players}.",
    "headline.several@1": "Öfter, als der Zufall erklärt, gewann {players}.",
    "headline.player": "{player} ({chapter})",
    "glance": "Auf einen Blick",
    "glance.chapter": "Spielart und Plätze",
    "glance.best": "gewinnt am meisten",
    "glance.chance": "gegenüber dem Zufall",
    "glance.turns": "Züge",
    "glance.more": "darüber",
    "glance.less": "darunter",
    "glance.open": "kann Glück sein",
    "outstanding": "Was auffällt",
    "outstanding.more": "{player} gewann {share} seiner Spiele ({interval}), mehr als der Zufall "
    "gäbe, {chance}.",
    "outstanding.less": "{player} gewann {share} seiner Spiele ({interval}), weniger als der "
    "Zufall gäbe, {chance}.",
    "outstanding.ends": "{share} der Runden endeten, ohne dass jemand Schluss machte.",
    "outstanding.hardest": "Phase {phase} ({needs}) ist die schwerste: in {share} der Runden mit "
    "ihr wurde sie geschafft ({interval}); Phase {easiest} in {most} der ihren.",
    # --- who wins ---
    "games": "Spiele",
    "share": "Anteil",
    "won": "gewonnen",
    "bot": "Bot",
    "wins": "Gewonnene Spiele",
    "wins.seat": "Siege nach Platz",
    "wins.seat.head": "Platz",
    "wins.seat.words": "Gewonnene Spiele unter denen, an denen der Platz teilnahm; ein geteilter "
    "Sieg zählt anteilig. Die Linie ist der Zufall, {chance}. Die Intervalle sind die von Wilson.",
    "wins.bot": "Siege nach Bot",
    "wins.bot.head": "Bot",
    "wins.bot.words": "Gewonnene Spiele unter denen, an denen der Bot teilnahm; ein geteilter Sieg "
    "zählt anteilig. Die Linie ist der Zufall, {chance}. Die Intervalle sind die von Wilson.",
    # --- how long ---
    "rounds": "Runden bis zum Ende",
    "rounds.unit": "Runden eines Spiels",
    "rounds.words": "Wie viele Spiele so viele Runden hatten.",
    "rounds.counted": "Spiele",
    "turns": "Züge bis zum Ende",
    "turns.unit": "Züge eines Spiels, mit den verlorenen",
    "turns.words": "Wie viele Spiele so viele Züge hatten, die verlorenen mitgezählt.",
    "turns.counted": "Spiele",
    "round turns": "Länge einer Runde",
    "round turns.unit": "Züge einer Runde, mit den verlorenen",
    "round turns.words": "Wie viele Runden so viele Züge hatten, die verlorenen mitgezählt.",
    "round turns.counted": "Runden",
    "mean": "Mittel",
    "least_tenth": "10 % haben höchstens",
    "half": "die Hälfte hat höchstens",
    "most_tenth": "90 % haben höchstens",
    "most": "größter Wert",
    "ended": "Wie Runden endeten",
    "ended.rounds": "Runden",
    "ended.by going out": "jemand machte Schluss",
    "ended.otherwise": "anders beendet",
    # --- phases ---
    "made": "Phasen nach Zügen",
    "made.words": "In wie vielen von 100 Runden, in denen ein Platz die Phase auslegen konnte, er "
    "es bis zum Ende seines eigenen ersten, zweiten ... Zuges der Runde getan hatte. Runden, die "
    "vorher endeten, zählen als nicht geschafft; verlorene Züge zählen nicht als Züge.",
    "made.table": "Geschaffte Phasen",
    "made.phase": "Phase",
    "made.needs": "verlangt",
    "made.rounds": "Runden",
    "made.by_turn": "bis Zug {turn}",
    "made.at_all": "überhaupt",
    "points": "Punkte nach Phase",
    "points.none": "In diesem Spiel werden keine Punkte gezählt.",
    "points.words": "Mittlere Punkte eines Platzes in einer Runde, nach der Phase, die er auslegte "
    "oder, wo er keine auslegte, auszulegen hatte. Die Intervalle gehen über die Spiele.",
    "points.table": "Punkte in einer Runde",
    "points.rounds": "Runden eines Platzes",
    "points.laid": "wenn ausgelegt",
    "points.not": "wenn nicht ausgelegt",
    # --- the discard pile ---
    "taking": "Vom Ablagestapel nehmen",
    "taking.nearer": "Karte brachte der Phase näher",
    "taking.soon": "Phase lag binnen {turns} weiteren Zügen",
    "taking.score": "Punkte am Ende der Runde",
    "taking.draws": "gezählte Karten",
    "taking.words": "Was auf eine Karte vom Ablagestapel folgte, weniger was auf eine vom "
    "Nachziehstapel folgte, bei Plätzen, die ihre Phase noch auszulegen hatten, verglichen bei "
    "gleichem Abstand von ihr. Es sagt, was zusammen vorkam: wer eine Karte nimmt, hat gesehen, "
    "dass sie passt; eine Wirkung des Nehmens selbst ist es also nicht. Die Intervalle gehen über "
    "die Spiele.",
    "taking.table": "Was auf das Ziehen folgte",
    "taking.discard": "vom Ablage\N{SOFT HYPHEN}stapel",
    "taking.stock": "vom Nachzieh\N{SOFT HYPHEN}stapel",
    "taking.difference": "Unter\N{SOFT HYPHEN}schied bei gleichem Abstand",
    # --- luck and play ---
    "luck": "Glück: Siege nach der Güte der erhaltenen Karten",
    "luck.words": "Glück ist, um wie viele Karten die, die der Zufall einem Platz in einem Spiel "
    "gab, ihn seinen Phasen näher brachten, weniger das Mittel: für ausgeteilte Karten das neu "
    "ausgeteilter, für eine gezogene das aller Karten des Nachziehstapels. Es ist im Mittel 0, wie "
    "auch immer jemand spielt.",
    "luck.table": "Siege nach Glück",
    "luck.cards": "Glück, Karten",
    "luck.games": "Spiele eines Platzes",
    "luck.won": "Anteil gewonnen",
    "play": "Spielweise: Siege über das Glück hinaus",
    "play.words": "Anteil der gewonnenen Spiele, weniger der Anteil, den alle Plätze mit demselben "
    "Glück gewannen: was bleibt, wird der Spielweise zugerechnet. Die Intervalle gehen über die "
    "Spiele.",
    "play.table": "Glück und Spielweise",
    "play.luck": "Glück, Karten je Spiel",
    "play.expected": "gewonnen von allen mit diesem Glück",
    "play.difference": "Unterschied",
    # --- the odds of a dealt hand ---
    "odds": "Phasen in ausgeteilten Karten",
    "odds.words": "Die Wahrscheinlichkeit, dass {cards} ausgeteilte Karten die Phase schon "
    "enthalten: die genaue, bei der alles ausgezählt ist (Raute), und bei wie vielen von {count} "
    "in diesen Spielen ausgeteilten Blättern es so war (Punkt, mit dem Intervall von Wilson). Die "
    "Achse ist logarithmisch.",
    "odds.table": "Wahrscheinlichkeiten ausgeteilter Karten",
    "odds.exactly": "genau",
    "odds.uncounted": "nicht ausgezählt",
    "odds.drawn": "{count} gezogene Blätter",
    "odds.dealt": "Blätter dieser Spiele",
    # --- timelines ---
    "timeline": "Spiel {game}",
    "timeline.words": "Züge von links nach rechts, Runden als Streifen mit ihrer Nummer darüber. "
    "Ein Punkt: die Phase dieser Nummer wurde ausgelegt. Eine Raute: wer Schluss machte. Ein "
    "Strich: ein verlorener Zug. Ein Stern: gewonnen.",
    "timeline.table": "Ausgelegte Phasen und Punkte, Runde für Runde",
    "timeline.round": "Runde",
    "timeline.turns": "Züge",
    "timeline.span": "{first} bis {last}",
    "timeline.points": "{points}, zusammen {total}",
    "timeline.out": "machte Schluss",
}
