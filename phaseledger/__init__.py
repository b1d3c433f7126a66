"""An event-sourced game service for the Phase 10 card-game family.

For users: `phaseledger.client` has what a program at a table needs, `phaseledger.verify` settles a
game from its bundle, `phaseledger.audit` audits stored events. The rooms of the house are
`phaseledger.domain` (the rules), `phaseledger.projections` (views of the events),
`phaseledger.replay` (replay, audit, simulation) and `phaseledger.service` (the server); in the
source tree they are folders beside this one, which it links to.
"""

__version__ = "0.2.0"
