"""Messages of a verdict printed as text: labels and lines around the texts of the checks."""

from collections.abc import Mapping

VERDICTS: Mapping[str, str] = {
    "verdict.game": "{source}: game {game}, {ruleset}, {status}{view}",
    "verdict.view": ", as seat {seat} may see it",
    "verdict.no_rules": "unknown rules",
    "verdict.finished": "finished",
    "verdict.voided": "voided",
    "verdict.unfinished": "unfinished",
    "verdict.events": "{count} events, head {head}",
    "verdict.events@1": "{count} event, head {head}",
    "verdict.owing": "still owed by: {seats}",
    "verdict.owing_unsigned": "owed, as the operator says, by {seats}: nothing shows that anybody "
    "sat there",
    "verdict.blamed": "blamed without ground: {seats}",
    "verdict.grade": "{grade}: {text}",
    "verdict.finding": "{code}{rule}: {place}: {text}",
    "verdict.finding_of_event": "{code}{rule}: {event}, {place}: {text}",
    "verdict.event": "event {seq}",
    "verdict.event_at_table": "{event} (event {seq})",
    "verdict.more": "and {count} more like this{last}",
    "verdict.upto": ", up to event {seq}",
    "verdict.checked": "checked:",
    "verdict.passed": "ok",
    "verdict.failed": "FAILED",
    "verdict.seats": "seats:",
    "verdict.seat": "{seat} {name}: {count} commands, {word}{stood_in}; {secret}",
    "verdict.seat@1": "{seat} {name}: {count} command, {word}{stood_in}; {secret}",
    "verdict.signed": "signed (key {key}, {trust})",
    "verdict.unsigned": "registered a key (key {key}, {trust}) and signed nothing by it: the "
    "operator could have entered both",
    "verdict.repudiable": "authenticated, repudiable",
    "verdict.bot": "said to be a bot: the operator could have played it",
    "verdict.program": "a bot, whose program makes the same moves",
    "verdict.stood_in": "; a bot sent {count} in its place",
    "verdict.own_secret": "its own secret",
    "verdict.claimed_secret": "a secret that it is said to have brought",
    "verdict.made_secret": "a secret made by the server",
    "verdict.key": "key {key}: {trust}",
    "verdict.trusted": "named by the policy",
    "verdict.untrusted": "nobody vouches for it",
    "verdict.note": "note: {text}",
    "verdict.unvouched": "Without --policy nobody vouches for the keys: whoever makes a key can "
    "make such signatures.",
    "verdict.unreadable": "A file that cannot be read settles nothing, for either side: ask for it "
    "again. Of a damaged bundle `phaseledger replay FILE --at N` shows the table as far as it is "
    "good.",
}
