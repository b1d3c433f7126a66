"""The imperative shell: HTTP, storage, bots at the table."""
