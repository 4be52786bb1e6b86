"""Reports: what a run says, in words, tables and drawings, on one page."""
