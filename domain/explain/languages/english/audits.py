"""Messages of the command `audit`."""

from collections.abc import Mapping

AUDITS: Mapping[str, str] = {
    "audit.sound": "sound",
    "audit.unsound": "NOT SOUND",
    "audit.no_rules": "no rule set",
    "audit.events": "{count} good events",
    "audit.events@1": "{count} good event",
    "audit.head": "head {head}",
    "audit.games": "Games: {count} sound, {more} not sound.",
    "audit.games_open": "Games: {count} sound ({total} of them without an end), {more} not sound.",
    "audit.logs": "Public logs: {logs}, with {count} checkpoints kept elsewhere.",
    "audit.logs@1": "Public logs: {logs}, with {count} checkpoint kept elsewhere.",
    "audit.archived": "Archived games: {count}, whose files --archive audits.",
    "audit.archive": "Archived games: {count}, whose files are among these.",
    "audit.unread": "Files that cannot be read, or not to their end: {count}.",
    "audit.rate": "Events: {count} in {seconds} s with {option}: {rate} a second.",
}
