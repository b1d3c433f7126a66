"""Webhooks: messages to other people's servers, from registration to delivery.

`registration` is the use case, `delivery` sends what is due, `egress` refuses private
addresses (SSRF). May import `games` and what is below; knows nothing of HTTP's server side.
"""
