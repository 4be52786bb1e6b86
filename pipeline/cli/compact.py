"""``barbu compact``: few large files in place of many small ones."""

import typer

from pipeline.cli.output import Json, print_json
from pipeline.cli.run import Folder


def compact(folder: Folder, as_json: Json = False) -> None:
    """Put the files of a complete run together, so that queries open few.

    Rows of neighbouring shards go into one file, up to 32 MiB or 1,000 shards; cells of the
    summary are added up. Reports, sql, verify and resume say the same before and after.
    Worth it from about 1,000 files a table. What is cut off is begun again.

    Example: barbu compact runs/smoke
    """
    from pipeline.compaction import compact as put_together
    from pipeline.store import Run

    run = Run.open(folder)
    found = put_together(run)
    if as_json:
        print_json({"run": run.where} | found._asdict())
        return
    typer.echo(f"{run.where}: {found.before:,} files, {found.bytes_before:,} bytes, are now")
    typer.echo(f"{found.files:,} files, {found.bytes:,} bytes")
