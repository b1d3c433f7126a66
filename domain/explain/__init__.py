"""The rules in words: referee, checks of melds, what is missing from a phase, sentences for
refusals.

`check.check` and `referee.read_out` are the entries; the verdicts come from the code that plays.
May import all of `domain`.
"""
