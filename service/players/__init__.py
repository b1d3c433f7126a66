"""Players: the users of applications, as far as the service knows them.

The log, and all that is made of it, has a pseudonym for each; the name that people read stands in
one table (`store`), from which it can be erased, and `retention` erases those whom no table has had
for long. May import `schemas` and the packages below it.
"""
