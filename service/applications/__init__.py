"""Applications: the programs of integrators, which act for users of their own.

`application` is what a key of an application stands for, and `store` has the applications, their
keys and the tables that they have opened. A key is a bearer token like a seat's
(`credentials.tokens`), of which only the hash is stored. Operators make and end keys, by
`api.operator.applications`. May import `credentials`, `eventlog`, `refusals` and `runtime`.
"""
