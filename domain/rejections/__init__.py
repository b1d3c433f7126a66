"""Why the rules refuse a command: the codes, each declared once, and the exception that has one.

`codes.RejectCode` has the declarations, `codes.Rejected` is raised. Its words are messages of
`domain.words`, and it may import nothing else.
"""
