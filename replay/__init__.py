"""The independent auditor: replays, checks, exports and simulates games, without the service.

From the top: `cli`; `viewer`; `evidence` beside `laboratory`; `transcript`; `batch`; `terminal`;
`formats`; `pages`; `text` and `web`. Every import runs down this list. It reads the log with a
statement of its own, or a file: an auditor that reads through the code it audits proves little.
"""
