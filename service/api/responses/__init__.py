"""What operations answer with: bodies that several of them share, and responses that go on.

`commands` makes the body after a command or a joining, `events` and `exports` the parts of long
answers, `streaming` sends them as fast as they are read. May import `api.dependencies`,
`api.requests` and the rooms below `api`.
"""
