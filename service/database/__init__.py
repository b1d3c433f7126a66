"""The database: an embedded or external server, with our tables in it.

`embedded` starts, shares, watches and stops the embedded PostgreSQL, `setup` makes the tables and
grants the rights, `connections` compares what the service needs with what the server allows.
May import the packages whose tables it makes.
"""
