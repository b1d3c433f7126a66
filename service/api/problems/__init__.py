"""Every refusal as an answer: a problem document (RFC 9457) in the caller's language.

`details` makes it of the refusal's declaration, or of any other exception; `wording` has its words
in the languages besides English, `texts` what the page of its code says. May import `api.errors`,
`api.requests`, and the rooms below `api` for what they declare.
"""
