"""Notices: messages to people who are away from their table, each of them asked for.

`subscriptions` has who wants them, `notices` says when one is due and what it says, `web_push`
brings it to a browser. They stand in the outbox of `webhooks`, which sends them. May import
`webhooks`, `games` and what is below; knows nothing of HTTP's server side.
"""
