"""What stands on the page that verifies a bundle, whatever it is given, in English."""

from collections.abc import Mapping

PAGE: Mapping[str, str] = {
    "page.title": "Check a game's bundle",
    "page.intro": "This page computes again what a bundle (`p10-bundle/v1`) claims: who committed "
    "to which secret, how every deal and reshuffle lies, how the dice fell, the hash chain, the "
    "seals and the signatures. And it judges the game by the rules: every move, the points and the "
    "winner. It works alone, in your browser: the file stays on your machine, and the page cannot "
    "connect to anything.",
    "page.no_script": "It needs JavaScript, which is switched off here.",
    "page.insecure": "This browser gives no cryptography to pages that come over plain HTTP. Open "
    "this one from a file, or over HTTPS.",
    "page.language": "Language",
    "page.give": "The bundle",
    "page.file": "Choose the bundle's file, or drop it anywhere on this page",
    "page.paste": "Paste its text instead",
    "page.pasted": "The bundle's text",
    "page.pasted_name": "the pasted text",
    "page.check": "Check the text",
    "page.kept": "Receipts that you kept, if any: JSON lines, chosen or dropped like the bundle",
    "page.others": "Others than the operator kept these receipts: you know it from them, or kept "
    "them yourself",
    "page.sightings": "Checkpoints of the log that you kept, with proofs, if any: JSON lines",
    "page.policy": "The policy of your club or referee, if there is one: TOML, chosen or dropped",
    "page.choose": "Choose a file",
    "page.none_chosen": "no file chosen",
    "page.kept_given": "The receipts are at hand; now choose the bundle.",
    "page.sightings_given": "The checkpoints are at hand; now choose the bundle.",
    "page.policy_given": "The policy is at hand; now choose the bundle.",
    "page.checking": "Checking {name} ...",
    "page.progress": "Checking {name}: {share}",
    "page.fault": "{name} could not be checked: {text}",
    "page.subject": "{name}: game {game}, {status}",
    "page.headline_at": "{headline} (the first bad event is event {seq})",
    "page.heard": "{headline}. {meaning}",
    "page.move": "The file says: {move}.",
    "page.unsigned": "Signatures were not checked: this browser has no Ed25519.",
    "page.keys": "Keys that the file names",
    "headline.unsound": "NOT sound",
    "headline.unreadable": "Not a bundle that can be checked",
    "headline.no_contradiction": "NO CONTRADICTION",
    "headline.unjudged": "unjudged",
    "headline.unsigned": "{ending}, but signatures were NOT checked",
    "meaning.sound": "The record is unbroken, every card and every die follows from the secrets, "
    "and this page judged the moves, the points and the winner by the rules.",
    "meaning.open": "The game is not over in this bundle, so its cards cannot be computed yet.",
    "meaning.lacking": "Nothing is wrong, but your policy asks for more than there is in this "
    "bundle.",
    "state.failed": "Failed.",
    "state.passed": "Checked.",
    "state.skipped": "Not checked.",
    "heading.failed": "What failed",
    "heading.passed": "What was checked",
    "heading.skipped": "What was not checked",
    "row.where": "Where",
    "row.move": "The file says",
    "row.what": "What",
    "row.rule": "The rule",
    "row.expected": "Expected",
    "row.recorded": "Recorded",
    "row.class": "Class",
    "where.file": "the file",
    "where.line": "line {line}",
    "column.seat": "Seat",
    "column.player": "Player",
    "column.points": "Points",
    "column.phase": "Next phase",
    "column.won": "Won",
    "won.yes": "yes",
    "won.no": "no",
    "result.all_made": "all made",
    "result.won": "{count} rounds of {title}, won by {names}, as this page judged moves, points "
    "and winner",
    "result.won@one": "{count} round of {title}, won by {names}, as this page judged moves, points "
    "and winner",
    "result.broken_off": "{count} rounds of {title}, broken off, as this page judged moves and "
    "points",
    "result.broken_off@one": "{count} round of {title}, broken off, as this page judged moves and "
    "points",
    "explain.form": "This is not written as a p10-bundle/v1 must be, so nothing can be concluded "
    "from it.",
    "explain.truncated": "The file ends too early, or says another number of events or lines than "
    "it has.",
    "explain.order": "Lines or events do not stand where they must stand.",
    "explain.chain": "The hash chain is broken: this event or the one before it was changed.",
    "explain.seal": "A hidden part is not what was sealed when the event was recorded.",
    "explain.commitment": "A secret is not the one that was committed to, or was not committed to "
    "in time.",
    "explain.transcript": "The deal was not opened from these commitments, secrets and rules.",
    "explain.shuffle": "These cards do not lie as the secrets of this game shuffle them.",
    "explain.draw": "The card that was drawn is not the card that lay there.",
    "explain.cards": "A card is recorded where it cannot have been.",
    "explain.rules": "The event is against the rules of the game.",
    "explain.decision": "The event is not what follows from what is recorded as decided.",
    "explain.die": "The dice did not fall so: the secrets of this game give other values.",
    "explain.first_player": "The secrets and the rules of this game give another dealer or first "
    "player.",
    "explain.signature": "A command is not signed as its seat has announced that it would sign.",
    "explain.receipt": "A receipt does not fit the events, or was not signed by the operator's "
    "key.",
    "explain.checkpoint": "The checkpoint is not a note signed by the operator's key.",
    "explain.inclusion": "The event is not in the log that the checkpoint speaks of.",
    "explain.key": "It is not a key or a log that your policy names.",
    "explain.consistency": "The log does not go on from the earlier size that the file names, or "
    "that you kept.",
    "explain.owing": "The game was broken off, and names other seats than those that owed an "
    "answer.",
}
