"""The command line of the service: serve, worker, play, demo, openapi, admin, witness.

`main` is the entry point of the command `phaseledger`, which has the auditor's commands too. May
import everything; commands are imported when they are called.
"""
