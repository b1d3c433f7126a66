"""Sign-in: an OpenID Connect issuer says who a person is, and the person is a player from then on.

`sign_in` exchanges an ID token, or the code with which an issuer sends a browser back, for a
session; `store` has the sessions. `issuer` asks the issuer, `id_tokens` judges what it has signed,
`profile` makes a name of it, and `attempt` binds a sign-in to the browser that began it. A session
acts for its own player alone, where `api.auth` accepts it. May import `applications`, `players`
and the packages below them.
"""
