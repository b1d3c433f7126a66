"""Game events as rows of tables, and the tables as Parquet files.

`schema` names tables and columns, `rows` fills them, `parquet` writes files. May
import `formats` and `terminal`.
"""
