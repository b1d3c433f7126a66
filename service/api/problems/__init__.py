"""Every refusal as an answer: a problem document (RFC 9457) in the caller's language.

`details` makes it of the refusal's declaration, or of any other exception. May import `api.errors`,
`api.requests`, and the rooms below `api` for what they declare.
"""
