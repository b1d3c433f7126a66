"""What the checks of the page that verifies say of a bundle, in English."""

from collections.abc import Mapping

CHECKS: Mapping[str, str] = {
    "title.chain": "Hash chain",
    "title.events": "Events",
    "title.times": "Times",
    "title.commands": "Commands",
    "title.commitments": "Commitments",
    "title.transcript": "Transcript",
    "title.seals": "Seals",
    "title.cards": "Cards and dice",
    "title.referee": "Rules",
    "title.signed_commands": "Signed commands",
    "title.keys": "Keys",
    "title.receipts": "Receipts",
    "title.kept": "Receipts that you kept",
    "title.log": "Public log",
    "title.sightings": "Sightings of the log that you kept",
    "title.policy": "Policy",
    "number.deals": "{count} deals",
    "number.deals@one": "{count} deal",
    "number.reshuffles": "{count} reshuffles",
    "number.reshuffles@one": "{count} reshuffle",
    "number.cards": "{count} cards",
    "number.cards@one": "{count} card",
    "number.leaves": "{count} leaves",
    "number.leaves@one": "{count} leaf",
    "number.witnesses": "{count} witnesses",
    "number.witnesses@one": "{count} witness",
    "checked.failed": "{title}: {text}",
    "checked.rests_on": "{title}: not checked, since what it rests on is not sound: {other}.",
    "checked.form": "Form: {count} events of game {game}; every line is canonical JSON and stands "
    "in its place.",
    "checked.form@one": "Form: {count} event of game {game}; every line is canonical JSON and "
    "stands in its place.",
    "checked.form_failed": "Form: {text}.",
    "checked.events": "Events: every one holds what its type has, and nothing else.",
    "checked.chain": "Hash chain: {count} events. Its head is {hash}.",
    "checked.chain@one": "Hash chain: {count} event. Its head is {hash}.",
    "checked.commands": "Commands: {count} decisions, and every event belongs to one.",
    "checked.commands@one": "Commands: {count} decision, and every event belongs to one.",
    "checked.times": "Times: by the operator's clock no event is before another one, no time-out "
    "before its time.",
    "checked.commitments": "Commitments: the server's secret and {count} seat secrets are what was "
    "committed to, and nobody revealed before everybody had committed.",
    "checked.commitments@one": "Commitments: the server's secret and {count} seat secret are what "
    "was committed to, and nobody revealed before everybody had committed.",
    "checked.unrevealed": "{count} seats never revealed.",
    "checked.unrevealed@one": "{count} seat never revealed.",
    "checked.commitments_so_far": "Commitments: {count} of {total} revealed so far, each as "
    "committed to. The server's secret is revealed when the game is over.",
    "checked.transcript": "Transcript: the deal follows from these commitments, these secrets and "
    "the rule set {ruleset}.",
    "checked.not_dealt": "Transcript: no cards were dealt.",
    "checked.transcript_hidden": "Transcript: some secrets are still hidden, so it cannot be "
    "computed yet.",
    "checked.seals": "Seals: {count} opened parts match what was sealed.",
    "checked.seals@one": "Seals: {count} opened part matches what was sealed.",
    "checked.seals_salted": "Seals: {count} opened parts match what was sealed, each with the salt "
    "that follows from the server's secret.",
    "checked.seals_salted@one": "Seals: {count} opened part matches what was sealed, with the salt "
    "that follows from the server's secret.",
    "checked.no_seals": "Seals: none is opened in this bundle.",
    "checked.closed_seals": "{count} seals still closed.",
    "checked.closed_seals@one": "{count} seal still closed.",
    "checked.cards": "Cards: {deals} and {reshuffles} lie as the secrets shuffle them: hands, "
    "discards and stock; {draws} drawn from where they lay; {moved} put down or kept by seats that "
    "held them.",
    "checked.cards_later": "Cards and dice: they can be computed once the server's secret is "
    "revealed, at the end of the game.",
    "checked.cards_secret": "Cards and dice: not checked, since the server's secret is not the one "
    "committed to.",
    "checked.dice": "Dice: {count} dice fell as the secrets throw them.",
    "checked.dice@one": "Dice: {count} die fell as the secrets throw it.",
    "checked.no_dice": "Dice: none were thrown.",
    "checked.lots": "First players: {count} drawn by lot, as the secrets draw them; the dealers "
    "follow the rule set.",
    "checked.lots@one": "First players: {count} drawn by lot, as the secrets draw it; the dealers "
    "follow the rule set.",
    "checked.no_lots": "First players: none drawn by lot; the dealers follow the rule set.",
    "checked.rules": "Rules: every move, all points, the phases and the winner are as the rule "
    "book has them.",
    "checked.rules_later": "Rules: moves, points and winner are judged once the game is over.",
    "checked.rules_until": "Rules: no event before event {seq} is against them, but that one is "
    "not sound.",
    "checked.signed": "Signed commands: {count} commands, by the keys that the seats had "
    "registered.",
    "checked.signed@one": "Signed commands: {count} command, by the key that the seat had "
    "registered.",
    "checked.unsigned": "Signed commands: there are none to check.",
    "checked.signed_unchecked": "Signed commands: {count} commands, NOT checked: this browser has "
    "no Ed25519.",
    "checked.signed_unchecked@one": "Signed commands: {count} command, NOT checked: this browser "
    "has no Ed25519.",
    "checked.sealed_signatures": "{count} signatures still sealed.",
    "checked.sealed_signatures@one": "{count} signature still sealed.",
    "checked.stood_in": "{count} answers by bots in place of seats that were away.",
    "checked.stood_in@one": "{count} answer by a bot in place of a seat that was away.",
    "checked.mute": "Seats that sign nothing: {seats}. What such a seat did was authenticated by "
    "its token: the operator could have written it, and the seat can deny it.",
    "checked.no_mute": "Seats that sign nothing: none. What such a seat did would be authenticated "
    "by its token: the operator could have written it, and the seat could deny it.",
    "checked.keys": "Keys: the first line names {count} keys, all in use.",
    "checked.keys@one": "Keys: the first line names {count} key, which is in use.",
    "checked.no_keys": "Keys: nothing in this bundle is signed by the operator.",
    "checked.receipts": "Receipts: {count} receipts for these events, signed by the keys in the "
    "first line.",
    "checked.receipts@one": "Receipts: {count} receipt for these events, signed by a key in the "
    "first line.",
    "checked.no_receipts": "Receipts: there are none, so the operator vouches for nothing here.",
    "checked.receipts_unchecked": "Receipts: {count} receipts for these events; their signatures "
    "were NOT checked: this browser has no Ed25519.",
    "checked.receipts_unchecked@one": "Receipts: {count} receipt for these events; its signature "
    "was NOT checked: this browser has no Ed25519.",
    "checked.kept": "Receipts that you kept: {count} fit the events.",
    "checked.kept@one": "Receipts that you kept: {count} fits the events.",
    "checked.no_kept": "Receipts that you kept: none were given.",
    "checked.kept_unchecked": "Receipts that you kept: {count} fit the events; signatures NOT "
    "checked: this browser has no Ed25519.",
    "checked.kept_unchecked@one": "Receipts that you kept: {count} fits the events; signature NOT "
    "checked: this browser has no Ed25519.",
    "checked.kept_lost": "{count} are of events that were lost, as the game's last event says.",
    "checked.kept_lost@one": "{count} is of an event that was lost, as the game's last event says.",
    "checked.log": 'Public log: events 1 to {seq} of {total} stand in the log "{origin}" of '
    "{leaves}.",
    "checked.log_cosigned": 'Public log: events 1 to {seq} of {total} stand in the log "{origin}" '
    "of {leaves}, cosigned by {witnesses}.",
    "checked.log_unchecked": 'Public log: events 1 to {seq} of {total} stand in the log "{origin}" '
    "of {leaves}, but the checkpoint's signature was NOT checked: this browser has no Ed25519.",
    "checked.no_log": "Public log: there is no checkpoint, so nothing ties the game to a log.",
    "checked.sightings": "Sightings of the log that you kept: the log is of one history with "
    "{count} checkpoints.",
    "checked.sightings@one": "Sightings of the log that you kept: the log is of one history with "
    "{count} checkpoint.",
    "checked.no_sightings": "Sightings of the log that you kept: none were given.",
    "checked.no_checkpoint": "Sightings of the log that you kept: the bundle has no checkpoint to "
    "hold them against.",
    "checked.sighting_key": "That in line {line} is signed by no key that counts here.",
    "checked.sighting_open": "Nothing shows whether that in line {line} is of one history with the "
    "log.",
    "checked.policy": "Policy: whoever signed for the operator signed by one of its keys.",
    "checked.no_policy": "Policy: none was given, so nobody vouches for any key.",
    "checked.lacks": "Your policy asks for {expected}; there is {recorded} ({code}).",
    "never.bots": "Whether bots moved as their programs do: `phaseledger verify` makes them move "
    "again.",
    "never.keys": "Without a policy, whose keys the file names: compare them with those that you "
    "were given some other way.",
    "never.times": "Times, beyond that they do not contradict one another or the table's terms: "
    "they are the operator's word.",
    "never.looked": "Whether the operator looked at hidden cards during the game: no file can show "
    "that.",
}
