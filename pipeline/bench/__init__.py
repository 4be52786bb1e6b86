"""Speed as a share of a bare C loop, both measured in one run on one core."""

from pipeline.bench.details import sections
from pipeline.bench.measure import Figures, measure
from pipeline.bench.report import as_json, as_table

__all__ = ["Figures", "as_json", "as_table", "measure", "sections"]
