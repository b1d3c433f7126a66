"""The bundle: one file that settles a dispute, and the plain export of events.

`reader` is strict and looks at the form alone, `writer` writes, `lines` says what the lines hold.
May import the rest of `formats`, and `text`.
"""
