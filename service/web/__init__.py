"""The pages below `/play`: lobby, waiting room, table; their scripts and styles as they are sent.

Each page has a folder of scripts. The parts that draw stand in `replay.viewer.web`, where the
viewer without a server has them too. `assets` joins, hashes and compresses what is sent,
`api.routes.play` sends it. May import `runtime`, the languages of `domain`, and of `replay` the
viewer.
"""
