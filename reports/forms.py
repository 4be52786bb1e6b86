"""Forms and languages that a report may have: all that the command line asks of it."""

from typing import Literal

Format = Literal["html", "pdf", "png", "csv", "parquet", "json", "md"]
Language = Literal["en", "pt", "fr", "ca"]
