"""The pages below `/play`: lobby, waiting room, table; their scripts and styles as they are sent.

Their sources stand in `replay.web`. `assets` joins, hashes and compresses what is sent,
`api.routes.play` sends it. May import `runtime`, the languages of `domain`, and `replay.web`.
"""
