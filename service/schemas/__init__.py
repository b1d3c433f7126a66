"""The bodies of requests and answers, shared by the API and its client.

Structs that msgspec reads and writes; their docstrings and `Meta` are the API's documentation. May
import `domain`, and the published forms of `replay`.
"""
