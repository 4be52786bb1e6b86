"""Deals as text: a position, what is played from it, and what the rules have to say there.

``docs/records.md`` tells the grammar. A :class:`Record` holds names as people say them;
:mod:`engine_ext.record_play` plays it by the engine.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine_ext.batch import Rules
from engine_ext.cards import Pack
from engine_ext.errors import RuleError
from engine_ext.record_position import Position
from engine_ext.record_setup import position_of
from engine_ext.record_steps import Check, Point, Script, read_acts
from engine_ext.record_text import (
    CHECKS,
    OFTEN,
    SETUP,
    STEPS,
    Line,
    RecordError,
    UnreadableError,
    split,
)
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant

__all__ = ["Check", "Point", "Position", "Record", "RecordError", "Script", "parse", "read_record"]


@dataclass(frozen=True, slots=True)
class Record:
    """One deal or a part of it."""

    source: str
    """The rule or the table it comes from; may be empty."""
    variant_name: str
    options: tuple[str, ...]
    """Changes of the variant, each a line of TOML: ``contracts.trumps.void_duty = "free"``."""
    position: Position
    script: Script
    checks: tuple[Check, ...] = ()
    file: str = field(default="record", compare=False)
    variant: Variant = field(compare=False, kw_only=True)
    """The rules meant, options included."""


def read_record(file: Path) -> Record:
    """Read a record; raises ``RecordError``."""
    return parse(text_of(file), str(file), file.parent)


def text_of(file: Path) -> str:
    """Return what stands in a file; raises ``UnreadableError`` where it is no text."""
    try:
        # Some editors put a mark of three bytes before the text.
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise UnreadableError(_unreadable(file, error)) from error


def _unreadable(file: Path, error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"{file}: byte {error.start}: not UTF-8 text"
    strerror = error.strerror if isinstance(error, OSError) else None
    return f"{file}: {(strerror or str(error)).lower()}"


def parse(
    text: str,
    file: str = "record",
    folder: Path = Path(),
    *,
    variant: Variant | None = None,
) -> Record:
    """Read a record from its text.

    ``file`` stands in the errors; a variant given by its path counts from ``folder``.
    ``variant`` is taken instead of the one that the text names. Raises ``RecordError``.
    """
    return of_lines(list(split(text, file)), file, folder, variant=variant)


def of_lines(lines: list[Line], file: str, folder: Path, *, variant: Variant | None) -> Record:
    """Return the record that lines say; see :func:`parse`."""
    setup, acts = apart(lines)
    name, options = _only(setup, "variant", file).text, setup.get("option", [])
    if variant is None:
        variant = variant_of(_only(setup, "variant", file), options, folder)
    rules, pack = Rules(variant), Pack(variant.deck)
    position = position_of(setup, acts, rules, pack, file)
    script, checks = read_acts(acts, position, rules, pack)
    source = setup["source"][0].text if "source" in setup else ""
    return Record(
        source=source,
        variant_name=name,
        options=tuple(line.text for line in options),
        position=position,
        script=script,
        checks=checks,
        file=file,
        variant=variant,
    )


def apart(lines: list[Line]) -> tuple[dict[str, list[Line]], list[Line]]:
    """Return the setup by keyword, and the steps and checks in order."""
    setup: dict[str, list[Line]] = {}
    acts: list[Line] = []
    for line in lines:
        if line.word not in SETUP or (acts and line.word in CHECKS):
            assert line.word in STEPS + CHECKS
            acts.append(line)
            continue
        if acts:
            raise line.wrong(f"{line.word} belongs before line {acts[0].number} ({acts[0].word})")
        if line.word in setup and line.word not in OFTEN:
            raise line.wrong(f"{line.word} stands in line {setup[line.word][0].number} already")
        setup.setdefault(line.word, []).append(line)
    return setup, acts


def _only(setup: dict[str, list[Line]], word: str, file: str) -> Line:
    if word not in setup:
        raise RecordError(
            f"{file}: no line says the {word} (e.g. variant barbu_52_doubling; barbu rules list "
            "shows all)"
        )
    return setup[word][0]


def variant_of(line: Line, options: Sequence[Line], folder: Path) -> Variant:
    """Return the variant named, with its options laid over it like a file that extends it."""
    name = line.one("barbu_52_doubling")
    if not name.isprintable():
        raise line.wrong("variant: a name must be printable")
    if "/" in name or name.endswith(".toml"):
        name = str((folder / name).resolve())
    try:
        variant = load_variant(name)
    except RuleError as error:
        raise line.wrong(f"variant: {error}") from error
    if not options:
        return variant
    try:
        return _with_options(name, options)
    except RuleError as error:
        # Of options that belong together each alone may be wrong, so the first line that is
        # wrong alone need not be at fault: the last of those up to which all are.
        wrong = options[-1]
        for n in range(len(options) - 1, 0, -1):
            try:
                _with_options(name, options[:n])
            except RuleError as shorter:
                if str(shorter) != str(error):
                    break
                wrong = options[n - 1]
            else:
                break
        raise wrong.wrong(f"option: {error}") from error


def _with_options(name: str, options: Sequence[Line]) -> Variant:
    """Return the variant with options laid over it; raises ``RuleError`` without a file's name."""
    text = "\n".join(option.text for option in options)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "options.toml"
        # Readings tell why the document is read so; another reading has its own why.
        head = f"extends = {_quoted(name)}\nreadings = []\n"
        file.write_text(f"{head}{text}\n", "utf-8")
        try:
            return load_variant(file)
        except RuleError as error:
            raise RuleError(str(error).replace(f"{file}: ", "")) from error


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
