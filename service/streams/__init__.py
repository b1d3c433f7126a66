"""Event streams: the watchers of a game, and the frames sent to them.

`hub` has all open streams, `feed` encodes the frames of one game, `remote_commits` follows the
commits of other processes. May import `games` and the packages below it; knows nothing of HTTP.
"""
