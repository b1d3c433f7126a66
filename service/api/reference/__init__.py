"""The reference of the API as pages for people, made of the OpenAPI document.

A page lists the operations; each tag has a page of its own, and so have the schemas. They need no
script and load nothing. May import what `api` may.
"""
