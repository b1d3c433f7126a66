"""The auditor's commands: replay, audit, verify, simulate, report, query, odds, rejudge, rules.

`main.app` has them all. May import everything of `replay`; each starts without the service.
"""
