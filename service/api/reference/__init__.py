"""The reference of the API as pages for people, made of the OpenAPI document and of refusals.

A page lists the operations; each tag has a page of its own, and so have the schemas, and the code
of each refusal. They need no script and load nothing. May import `api.openapi`, `api.problems`, and
the rooms below `api`.
"""
