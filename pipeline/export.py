"""Games of a run written out as files of records."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from engine_ext.record_game import write_game
from engine_ext.rules.spec import Variant
from engine_ext.rules.toml_file import as_toml
from pipeline.replay import Replayed, Replayer
from pipeline.store import Run
from pipeline.stores import StoreError


def export(
    run: Run, out: Path, variant: str | None, n_games: int, *, load_strategies: bool = False
) -> Iterator[tuple[Path, Replayed]]:
    """Write the first games of each variant (or of one), a file a game; yield what was written.

    Games in which somebody sits whose strategy lies in a file or module are passed over, unless
    ``load_strategies``, which runs their code.

    A variant that is not shipped with the program comes along as a file that the records name.
    Raises ``StoreError`` where ``out`` has something in it.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise StoreError(f"{out}: exists already (want a new folder)")
    names = [v.name for v in run.manifest.config.variants] if variant is None else [variant]
    for name in names:
        replayer = Replayer(run, name, load_strategies=load_strategies)
        out.mkdir(parents=True, exist_ok=True)
        if not replayer.shipped:
            write_variant(out / f"{name}.toml", run.manifest.config.variant(name))
        here = (at for at in replayer.places if not replayer.strangers(*at[:2]))
        for block, table, rotation in islice(here, n_games):
            game = replayer.play(block, table, rotation)
            path = out / f"{name}.block-{block}.table-{table}.rotation-{rotation}.txt"
            path.write_text(write_game(game.records), "utf-8")
            yield path, game


def write_variant(path: Path, variant: Variant) -> None:
    """Write the rules of a variant as a file of its own, without what it extends."""
    path.write_text(as_toml(variant.model_dump(mode="json", exclude_none=True)), "utf-8")
