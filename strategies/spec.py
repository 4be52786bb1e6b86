"""What a strategy is called with its parameters: ``slips.v1(of=duck.v1, revoke=0.02)``.

A value is a number, ``true`` or ``false``, a name, or again a strategy with parameters. One
that is put together of parts is spelled ``play=duck.v1, choose=random.v1``.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

MAX_DEPTH = 8
"""Strategies inside one another, at most."""
MAX_DIGITS = 40
"""Of a number, sign and exponent included."""
PARTS = ("play", "choose", "double")
"""What a part of a strategy may be named for, in the order in which it is spelled."""
_TOKEN = re.compile(r"\s*([(),=]|/[^(),=]*[^\s(),=]|[^\s(),=]+)")
"""A sign or a word; only in a path from the root on may there be blanks."""
_IN_PARTS = re.compile(r"\s*\w+\s*=")
"""How a text begins that names parts."""
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


class ParameterError(ValueError):
    """A parameter that a strategy cannot take; one line for its user."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A strategy as it is asked for."""

    base: str
    """A name, ``module:Class`` or ``path/to/file.py:Class``; empty where it is put together."""
    values: "tuple[tuple[str, Value], ...]" = ()
    """Its parameters in the order given, or its parts in that of ``PARTS``."""

    def __str__(self) -> str:
        inside = ", ".join(f"{key}={spelled(value)}" for key, value in self.values)
        return f"{self.base}({inside})" if inside and self.base else self.base or inside


Value = bool | int | float | Spec
AnyValue = TypeVar("AnyValue", bound="Value")
"""A word that is no number is a :class:`Spec` without values."""


@dataclass(frozen=True, slots=True)
class Nested:
    """Default of a parameter that is a strategy."""

    spec: str


Default = bool | int | float | str | Nested


def spelled(value: object) -> str:
    """A value as it stands in a name; equal values are spelled alike.

    >>> spelled(True), spelled(0.50), spelled(3.0), spelled(1e-7)
    ('true', '0.5', '3', '1e-07')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return value.spec if isinstance(value, Nested) else str(value)


def rebased(spec: Spec, to: Callable[[str], str]) -> Spec:
    """The same with other bases, those of the strategies inside too; words are bases as well."""
    values = ((k, rebased(v, to) if isinstance(v, Spec) else v) for k, v in spec.values)
    return Spec(to(spec.base), tuple(values))


def parse(text: str) -> Spec:
    """Take a name with parameters apart, or one put together of parts; a name without a
    closing bracket has no parameters.

    Raises ``ParameterError``.
    """
    if _IN_PARTS.match(text):
        return _Tokens(text).parts()
    if not text.rstrip().endswith(")"):
        return Spec(text)
    tokens = _Tokens(text)
    spec = tokens.spec(0)
    if tokens.left():
        raise tokens.wrong()
    return spec


class _Tokens:
    """The pieces of a text, read from the left."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found = list(_pieces(text))
        self._at = 0

    @property
    def next(self) -> str:
        """The piece that comes next; nothing at the end."""
        return self._found[self._at][0] if self.left() else ""

    def left(self) -> bool:
        return self._at < len(self._found)

    def wrong(self) -> ParameterError:
        rest = self._found[self._at][1] if self.left() else len(self._text)
        near = repr(self._text[rest : rest + 20]) if self.left() else "the end"
        return ParameterError(f"want NAME(key=value, ...), at {near}")

    def sign(self, wanted: str) -> None:
        if self.next != wanted:
            raise self.wrong()
        self._at += 1

    def word(self) -> str:
        word = self.next
        if word in ("", *"(),="):
            raise self.wrong()
        self._at += 1
        return word

    def parts(self) -> Spec:
        """``play=NAME, choose=NAME, double=NAME`` in any order, to the end of the text."""
        found: dict[str, Spec] = {}
        while True:
            part = self.word()
            if part not in PARTS:
                raise ParameterError(f"unknown part {part!r} (want {', '.join(PARTS)})")
            if part in found:
                raise ParameterError(f"{part} is given twice")
            self.sign("=")
            found[part] = self.single(part, lambda: self.spec(0))
            if not self.left():
                break
            self.sign(",")
        if PARTS[0] not in found:
            raise ParameterError("play is missing: it answers what no other part does")
        return Spec("", tuple((part, found[part]) for part in PARTS if part in found))

    def single(self, key: str, read: "Callable[[], AnyValue]") -> "AnyValue":
        """Read a value; strategies are put together at the top alone, never inside others."""
        value = None if self.next == "(" else read()
        if value is None or self.next == "=":
            raise ParameterError(f"{key}: want one strategy, not one put together of parts")
        return value

    def spec(self, depth: int) -> Spec:
        base = self.word()
        if self.next != "(":
            return Spec(base)
        if depth == MAX_DEPTH:
            raise ParameterError(f"more than {MAX_DEPTH} strategies inside one another")
        self.sign("(")
        values: dict[str, Value] = {}
        while self.next != ")":
            if values:
                self.sign(",")
            key = self.word()
            if key in values:
                raise ParameterError(f"{key} is given twice")
            self.sign("=")
            values[key] = self.single(key, lambda: self.value(depth))
        self.sign(")")
        return Spec(base, tuple(values.items()))

    def value(self, depth: int) -> Value:
        spec = self.spec(depth + 1)
        if spec.values:
            return spec
        if spec.base in ("true", "false"):
            return spec.base == "true"
        if len(spec.base) <= MAX_DIGITS and _NUMBER.fullmatch(spec.base):
            whole = spec.base.lstrip("+-").isdigit()
            return int(spec.base) if whole else float(spec.base)
        return spec


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Words and signs with the place where each begins."""
    for found in _TOKEN.finditer(text):
        yield found.group(1), found.start(1)
