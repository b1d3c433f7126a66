"""Why a file cannot be shown, and where it is damaged, in English."""

from collections.abc import Mapping

FILES: Mapping[str, str] = {
    "file.dispute": "{title} is a dispute file, which holds the files of both sides: `phaseledger "
    "verify` judges them. To see a game, open one of its bundles.",
    "file.version": "{title} is a bundle of the version {version}, and this release reads "
    "{other_version}: use the release that wrote it, or a newer one.",
    "file.other_version": "{title} is of another version than this release reads. {text}",
    "file.nothing_good": "Not even the first event of {title} can be shown: {text}",
    "file.there_is_none": "there is none.",
    "file.no_game": "{title} is no game: it is neither an export nor a bundle of phaseledger. "
    "{text}",
    "file.hidden": "The game in {title} is not over, and its hidden cards are shown to nobody "
    "before it is: only what everybody may see can be shown.",
    "file.hidden_seat": "The game is not over, and {title} does not have what seat {seat} may "
    "know.",
    "file.bytes": "The file has more than {count} MB, and no larger one is read here.",
    "file.events": "The game has more than {count} events, and no longer one is shown here.",
    "file.seconds": "Reading the game took more than {count} seconds, and no more are spent on "
    "one here.",
    "file.memory": "Reading it took more than {count} MB of memory.",
    "file.processor": "Reading it took more than {count} seconds of a processor.",
    "file.unknown_game": "{title} has no game {id}.",
    "line": "{title}:{seq}: {reason}.",
    "file.empty": "{title}: the file is empty; it holds no event.",
    "file.is_empty": "{title}: is empty: its last line must be {end}.",
    "file.no_event": "{title}: there is no event in it.",
    "file.nested": "{title}: a line is nested too deeply to be an event.",
    "line.compressed": "the file is compressed: unpack it first",
    "line.dispute": "this is a dispute file, with the files of both sides: phaseledger verify "
    "reads it",
    "line.receipts": "these are receipts: phaseledger verify reads them, with --receipt beside a "
    "bundle",
    "line.not_utf8": "the line is not UTF-8 text",
    "line.nested": "the line is nested too deeply to be an event",
    "line.deep": "the line is nested too deeply",
    "line.no_event": "the line is no event: {reason}",
    "line.too_long": "the line is longer than {count} bytes",
    "line.last_cut": "the last line is cut: {reason}",
    "line.not_json": "the line is not JSON: {reason}",
    "line.bundle_cut": "the bundle is cut off: its last line must be {end}",
    "line.cut_here": "the bundle is cut off here: its last line must be {end}",
    "line.end": "the line must end with {brace} and one LF",
    "line.within": "the bundle is cut off within this line: it must end with {brace} and one LF",
    "bundle.events": "the bundle says that it has {count} events, but it has {total}",
    "bundle.events@one": "the bundle says that it has {count} event, but it has {total}",
    "bundle.lines": "{count} lines stand before this one, not {total}",
    "bundle.most": "a bundle has at most {count} bytes and {total} lines",
    "bundle.due": "due here is {due}; there is {step}",
    "bundle.due_line": "a line {kinds}",
    "bundle.due_nothing": "nothing more",
    "bundle.something": "something else",
    "bundle.no_object": "the event's data is no object",
    "bundle.receipts": "these are receipts: give them with --receipt, beside a bundle",
    "bundle.stored": "this is a record as it is stored: make a bundle, export --bundle",
    "bundle.none": "this is no bundle: a bundle begins with {begin}",
    "bundle.no_line": "this is no line {kinds}: {reason}",
    "bundle.not_canonical": "the line was changed: it is not canonical JSON (RFC 8785), as it was "
    "written",
    "bundle.opens": "this opens a seal of event {seq}, after event {next}",
    "bundle.no_seal": "event {seq} has no seal for {audience}",
    "bundle.one_more": "here is an event more than the {count} that the first line says",
    "bundle.two": "a bundle has at most two lines 'inclusion'",
    "bundle.order": "the lines {kinds} are not in their order, or one stands there twice",
    "bundle.keys": "the keys must be sorted, none twice",
    "file.reason": "{title}: {fault}.",
    "file.unread": "{title}: cannot be read: {reason}.",
    "report.missing": "game {id}: event {seq} is missing",
    "report.fault": "game {id}, event {seq}: {fault}",
    "report.unfollowable": "game {id}, event {seq} does not follow ({error})",
    "report.cards": "{type} speaks of more cards than there are",
    "report.deck": "the cards dealt are not the deck",
    "report.measure": "a number in it is out of all measure",
}
