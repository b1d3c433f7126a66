"""Tables of what is said about files and games, in English, German and French.

`english`, `german` and `french` have the same tables with the same keys and arguments: texts by
code, of checks, findings and files that cannot be read. They hold texts alone, and import nothing
else than one another's parts.
"""
