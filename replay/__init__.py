"""The independent auditor: replays, checks, exports and simulates games, without the service.

From the top: `cli`; `viewer`; `report` and `verify`; `analysis`, `bundle`, `seat` and `transcript`;
`audit` and `simulate`; `batch` and `columns`; `signing` and `terminal`; `intervals`, `json_patch`,
`records`, `referee`, `text`, `pages` and `words`. Every import runs down this list. It reads the
log with a statement of its own, or a file: an auditor that reads through the code it audits proves
little.
"""
