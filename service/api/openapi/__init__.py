"""The OpenAPI document of the API.

`document` makes it, from what the framework knows of the routes, the schemas of the structs and the
problems that operations declare. May import `api.limits`, `api.problems`, and the rooms below
`api`.
"""
