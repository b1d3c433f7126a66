"""What a request says, read strictly: parameters, headers, entity tags, language, body, address.

`parameters` refuses what an operation does not have, `json_body` decodes bodies, `headers` declares
what operations share, `client_address` says for whom a proxy speaks, and `invalid_parameters` makes
refusals of the framework's errors. May import `api.errors` and the rooms below `api`.
"""
