"""What every part of the schema is made of: frozen records, names, points."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Points = Annotated[int, Field(ge=-100_000, le=100_000)]
"""Points in the document's sign."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
"""A contract's or variant's name in files and tables: lower case, digits, _."""
Text = Annotated[str, StringConstraints(min_length=1)]


class Frozen(BaseModel):
    """Base of every record: immutable, no unknown keys, field docs kept."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, strict=False
    )


class ContractBase(Frozen):
    """What every contract says."""

    title: Text
    """Name in English, for reports: ``No hearts``."""
    local: Text | None = None
    """Name in the document's own language."""
    tone: Literal["negative", "positive", "mixed"]
    """Whether taking is bad, good or both; doubling rules ask for it."""
    source: Text
    """Where the rule stands: a rule number of the dossier or a page."""
    total: Points | None = None
    """What all hands of the table must add up to; checked at load."""
