"""Why the rules refuse a command: the codes, each declared once, and the exception that has one.

`codes.RejectCode` has the declarations, `rejected.Rejected` is raised. Its words in languages other
than English are in ``explain/languages``. May import the standard library alone.
"""
