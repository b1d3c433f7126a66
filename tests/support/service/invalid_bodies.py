"""Bodies of `POST /v1/games` that must be refused, and how: body, status, code."""

BODIES = {
    "empty": (b"", 400, "malformed_json"),
    "malformed": (b'{"ruleset": "classic", ', 400, "malformed_json"),
    "trailing": (b'{"ruleset": "classic", "seats": [{"kind": "bot"}]}x', 400, "malformed_json"),
    "invalid UTF-8": (b'{"ruleset": "\xff\xfe", "seats": []}', 400, "malformed_json"),
    "lone surrogate": (rb'{"ruleset": "\ud800", "seats": []}', 400, "malformed_json"),
    "no object": (b"[]", 400, "invalid_body"),
    "null": (b"null", 400, "invalid_body"),
    "wrong types": (b'{"ruleset": 7, "seats": [{"kind": "bot"}]}', 400, "invalid_body"),
    "number as text": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}], "dealer": "0"}',
        400,
        "invalid_body",
    ),
    "beyond int64": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}], "dealer": 99999999999999999999}',
        400,
        "invalid_body",
    ),
    "digits without end": (b'{"dealer": ' + b"9" * 5000 + b"}", 400, "invalid_body"),
    "4,000 digits": (b'{"dealer": ' + b"9" * 4000 + b"}", 400, "invalid_body"),
    "a key twice": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}], "ruleset": "board"}',
        400,
        "duplicate_key",
    ),
    "a key twice inside": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}, {"kind": "bot", "kind": "bot"}]}',
        400,
        "duplicate_key",
    ),
    "a key twice by an escape": (
        rb'{"ruleset": "classic", "seats": [{"kind": "bot"}], "d\u0065aler": 0, "dealer": 1}',
        400,
        "duplicate_key",
    ),
    "a NUL": (b"\x00", 400, "malformed_json"),
    "infinity": (b'{"dealer": 1e999}', 400, "invalid_body"),
    "unknown field": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}], "stake": 1}',
        400,
        "invalid_body",
    ),
    "unknown kind": (b'{"ruleset": "classic", "seats": [{"kind": "cat"}]}', 400, "invalid_body"),
    "no seats": (b'{"ruleset": "classic", "seats": []}', 400, "invalid_body"),
    "NUL in a name": (
        rb'{"ruleset": "classic", "seats": [{"kind": "bot", "name": "a\u0000b"}]}',
        400,
        "invalid_body",
    ),
    "line feed at the end of a name": (
        rb'{"ruleset": "classic", "seats": [{"kind": "bot", "name": "ab\n"}]}',
        400,
        "invalid_body",
    ),
    "NUL in the rule set": (
        rb'{"ruleset": "classic\u0000", "seats": [{"kind": "bot"}]}',
        422,
        "unknown_ruleset",
    ),
    "deep": (b'{"ruleset":' + b"[" * 50_000, 400, "malformed_json"),
    "many lists": (b'{"ruleset":[' + b"[]," * 20_000 + b"1]}", 400, "malformed_json"),
    "deep within an option": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}], "options": {"a": '
        + b"[" * 20_000
        + b"]" * 20_000
        + b"}}",
        400,
        "malformed_json",
    ),
    "unknown option": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}, {"kind": "bot"}], "options": {"a": 1}}',
        422,
        "bad_option",
    ),
    "option out of range": (
        (
            b'{"ruleset": "classic", "seats": [{"kind": "bot"}, {"kind": "bot"}],'
            b' "options": {"max_turns_per_round": -1}}'
        ),
        422,
        "bad_option",
    ),
    "too few seats": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}]}',
        422,
        "seats_out_of_range",
    ),
    "dealer without a seat": (
        b'{"ruleset": "classic", "seats": [{"kind": "bot"}, {"kind": "bot"}], "dealer": 5}',
        422,
        "no_such_seat",
    ),
    "too large": (b" " * 9_000_000, 413, "body_too_large"),
    "a little too large": (b" " * 65_537, 413, "body_too_large"),
}
