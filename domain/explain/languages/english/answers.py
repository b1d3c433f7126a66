"""Messages of answers to a referee, of questions, and of the command `explain`."""

from collections.abc import Mapping

ANSWERS: Mapping[str, str] = {
    "answer.asked": "asked: {question}",
    "answer.nothing": "There is nothing of that in this file.",
    "answer.event": "event {seq}, {time} UTC by the operator's clock, {decider}:",
    "answer.events": "events {seq} to {last}, {time} UTC by the operator's clock, {decider}:",
    "answer.seat": "decided by seat {seat}{name}",
    "answer.host": "decided by the host",
    "answer.service": "decided by the service",
    "answer.line": "{event}: {text}",
    "answer.voucher": "vouched for by {voucher}",
    "answer.nobody": "vouched for by nobody",
    "answer.proves": "proves: {text}",
    "answer.open": "leaves open: {text}",
    "answer.unfollowed": "{type}, which does not follow from the events before",
    "story.first": "TWO STORIES of game {game}: {source} and {other}, from the first event on",
    "story.parting": "TWO STORIES of game {game}: {source} and {other}, the same up to event {seq}",
    "story.side": "{source} ({count} events) has there: {event} (event {seq})",
    "story.side@1": "{source} ({count} event) has there: {event} (event {seq})",
    "story.unread": "it cannot be read",
    "story.differs": "reads alike in both files, but differs here: {text}",
    "story.receipts": "receipts of {kept}: {count} for the story of {source} alone, {more} for "
    "that of {other} alone, {both} for both, {neither} for neither",
    "question.event": "event",
    "question.turn": "turn",
    "question.round": "round",
    "question.seat": "seat",
    "question.time_out": "time-out",
    "explain.code": "{code} (exit code {exit_code})",
    "explain.means": "means:",
    "explain.proves": "proves:",
    "explain.advice": "do:",
    "explain.grade": "{grade}: {text}",
    "explain.unknown": "There is no code {code}: `phaseledger explain` lists all.",
}
