"""Coverage-guided fuzzing of the readers: records, score sheets, variant files.

Not a test that pytest collects: it runs until it is stopped, and needs ``atheris``
(`make fuzz`). Whatever the bytes say, a reader answers with what it read or with one line; an
exception of another kind, a hang or two answers to one text end the run with the input kept.
"""

import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import atheris

with atheris.instrument_imports(
    include=["engine_ext.record", "engine_ext.sheet", "engine_ext.score", "engine_ext.rules"]
):
    from engine_ext import record as reading
    from engine_ext.errors import RuleError
    from engine_ext.rules.load import load_variant
    from engine_ext.rules.resolve import resolve
    from engine_ext.rules.totals import check
    from engine_ext.score import score_text

ROOT = Path(__file__).parents[2]
POSITIONS = ROOT / "tests" / "golden" / "positions"
HEAD = "variant barbu_52_doubling\n"


def one_line(text: str | None) -> None:
    """See that a problem is one printable line."""
    assert text is None or text.isprintable(), text


def record(text: str) -> None:
    """Play a text as a record; twice, for the answer must be the same."""
    first, second = score_text(text, folder=POSITIONS), score_text(text, folder=POSITIONS)
    one_line(first.problem)
    assert first == second


def sheet(text: str) -> None:
    """Reckon a text as a sheet: side bets of players cancel out."""
    found = score_text(f"{HEAD}players North East South West\n{text}")
    one_line(found.problem)
    for deal in found.deals:
        assert sum(deal.side) == 0, deal


def variant(text: str) -> None:
    """Load a text as a variant file; what loads can be played."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "fuzz.toml"
        path.write_text(text, "utf-8")
        try:
            loaded = load_variant(path)
        except RuleError as error:
            one_line(str(error))
            return
        assert check(loaded).ok
        numbers = resolve(loaded)
        assert numbers.deck.bit_count() == numbers.hand_size * numbers.seats


READERS: dict[str, Callable[[str], None]] = {"record": record, "sheet": sheet, "variant": variant}


def seeds(name: str, folder: Path) -> None:
    """Write good texts to begin with."""
    files = {
        "record": POSITIONS.glob("*.txt"),
        "sheet": (ROOT / "tests" / "fuzz").glob("*.sheet"),
        "variant": (ROOT / "configs" / "rules").glob("*.toml"),
    }
    for path in files[name]:
        (folder / path.name).write_bytes(path.read_bytes())


def main() -> None:
    """Fuzz the reader named first; what follows are options of libFuzzer."""
    name, *options = sys.argv[1:]
    reader = READERS[name]
    # Shipped variants are read once: texts of deals are what is tried here.
    reading.load_variant = cache(load_variant)  # type: ignore[attr-defined]

    def one(data: bytes) -> None:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return
        reader(text)

    with tempfile.TemporaryDirectory() as corpus:
        seeds(name, Path(corpus))
        atheris.Setup([sys.argv[0], "-timeout=20", *options, corpus], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
