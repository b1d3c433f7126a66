"""Imports the whole program, for processes that are forked off the one that has done so."""

from importlib import import_module

from phaseledger.service.runtime.process import collect_seldom

_FOR_SERVICE = ("admin", "demo", "serve")
_FOR_REPLAY = ("audit", "export", "replay", "verify")

import_module("phaseledger.service.app")
for _name in _FOR_SERVICE:
    import_module(f"phaseledger.service.cli.{_name}")
for _name in _FOR_REPLAY:
    import_module(f"phaseledger.replay.cli.{_name}")
collect_seldom()
