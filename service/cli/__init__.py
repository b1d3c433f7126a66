"""The command line of the service: serve, worker, migrate, admin, keys, witness, demo.

`main` is the entry point of the command `phaseledger`, which has the auditor's commands too. May
import everything; commands are imported when they are called.
"""
