"""What a referee asks, who vouches for it, and where two stories part, in English."""

from collections.abc import Mapping

ANSWERS: Mapping[str, str] = {
    "ground.kept_receipt": "a receipt that was kept ({path}:{seq})",
    "ground.kept_presence": "a presence that was kept ({path}:{seq})",
    "proves.key": "Whoever has that key gave this very command, at this place of the game and "
    "knowing all events before it.",
    "proves.player": "The policy says whose key it is: that player cannot deny the move.",
    "proves.program": "Nobody chose this move: a bot's program makes it from what its seat could "
    "see.",
    "proves.operator": "The operator has signed that it happened, here and so: it is held to that.",
    "proves.witness": "It has not been changed since the witness saw the log.",
    "proves.later": "Whoever signed later had seen the same story up to here.",
    "proves.decided": "What followed from it (cards, turns, points) is what the rules and the "
    "secrets give: it was decided again.",
    "proves.waited": "By the operator's clock seat {seat} had been asked for {count} seconds "
    "(since event {seq}); the table gives {total}, grace included.",
    "proves.witnessed": "As many witnesses as the policy asks for have seen that by their own "
    "clocks.",
    "proves.present": "{text} ({path}:{seq})",
    "proves.contradicted": "The operator contradicts itself: it signed ({path}:{k}) that seat "
    "{seat} was there at {time} UTC and event {seq} the newest, but dates event {next} {value} "
    "UTC.",
    "open.code": "{code}: {text} `phaseledger explain {id}` says what that proves.",
    "open.wrong": "Something else in this file is wrong: what no key vouches for may be made up.",
    "open.made_up": "That it happened at all: whoever wrote this file could have made it up.",
    "open.no_policy": "That the operator is held to it: no policy names that key, so whoever "
    "wrote this file could have made it.",
    "open.unsigned": "That the operator is held to it: it has signed nothing of it in this file.",
    "open.lost": "That the question reached the player, or that no answer was lost on its way: a "
    "receipt of an answer would show that.",
    "open.joined": "Who sat down: joining is not signed, so the operator could have entered them.",
    "open.ordered": "Who ordered it: neither the host nor the service signs its commands.",
    "open.whose_key": "Whose key it is: no policy names it (`seats` or `players`), so that of "
    "{name} of seat {seat} may be the operator's own.",
    "open.sealed": "Whether the signature is good: it is over what is sealed until the game is "
    "over.",
    "open.bad": "That the seat sent it: the signature is not that of the seat's key.",
    "open.stood_in": "That {name} of seat {seat} made it: a bot is said to have answered in its "
    "place.",
    "open.denied": "That {name} of seat {seat} made it: the seat signed nothing, so the operator "
    "could have written it, and the player may deny it.",
    "open.bot": "That a bot made it: its program was not seen to make the same move.",
    "story.no_policy": "Nobody vouches for the keys without --policy, so this does not show whose "
    "story it is.",
    "story.both": "The operator has signed both: it has told two stories, and each file proves it.",
    "story.signed": "The operator has signed the story of {path}, and not the other one.",
    "story.neither": "The operator has signed neither, as far as these files show.",
    "question.about": 'Ask about something such as "turn 17", "Bob turn 17", "seat 1 round 2", '
    '"event 69" or "time-outs".',
    "question.nobody": "{path}: nobody called {name} sat at this table, but {names}. {text}",
    "question.name": "{path}: {name} is a player here. Ask about a player by the name in quotation "
    "marks, about an event by --event.",
    "question.nothing": "{path}: nothing in this game is {name}. It has {text}, {others}, "
    "{subject}; turns are counted through the whole game.",
    "question.turns": "turns 1 to {count}",
    "question.turns@one": "turn 1",
    "question.rounds": "rounds 1 to {count}",
    "question.rounds@one": "round 1",
    "question.no_events": "no events",
    "question.no_turns": "no turns",
    "question.no_rounds": "no rounds",
}
