"""The event store: its port, PostgreSQL, group commit, migrations.

`protocols` says what a store is, `postgres` is the one there is (tests have one in memory), and
`group_commit` writes the commands in flight in one commit. May import `refusals` and `runtime`, and
the codec of `domain`.

A command and its events have a name for each stage of their way:

============  ======================  ============================================================
name          declared in             what it is
============  ======================  ============================================================
``Act``       domain.commands         a command and the seat that gives it; part of the first event
``Decision``  service.games.game      an act under the id by which the log will know it
``Entry``     domain.evidence.codec   an event encoded and chained, ready to be stored
``Row``       service.eventlog.rows   an event as the log stores it: version, topic, bytes, leaf
``Notice``    eventlog.rows           word of a stored event: its position in the log, and its row
``Record``    domain.evidence.codec   a stored event decoded again
============  ======================  ============================================================
"""
