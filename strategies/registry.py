"""Strategies by name: registered here, offered by other packages, or in a file.

A name carries a version, ``duck.v1``; whoever changes one single play gives it the
next one. :func:`create` also takes ``module:Class`` and ``path/to/file.py:Class``, each
with parameters if it has any: ``slips.v1(of=duck.v1, revoke=0.02)``; and parts by name:
``play=duck.v1, choose=random.v1``.
"""

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from os.path import isfile, realpath
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from engine_ext.batch import check_capsule
from engine_ext.errors import UserError
from strategies.decisions import QUESTIONS, Strategy, is_strategy
from strategies.mistakes import BROKEN, classes_in, told
from strategies.parameters import Parameters
from strategies.parts import put_together
from strategies.spec import Default, ParameterError, Spec, parse

GROUP = "barbu.strategies"
"""Entry points of this group are strategies too: ``"mine.v1" = "package.module:Class"``."""

NAME = re.compile(r"[a-z][a-z0-9_]*\.v[1-9][0-9]*")
"""What a name looks like: ``duck.v1``."""

Maker = Callable[..., Any]
"""A strategy's class: called with its parameters by name it gives the strategy."""
AnyMaker = TypeVar("AnyMaker", bound=Maker)

_MAKERS: dict[str, Maker] = {}
_PARAMETERS: dict[str, Parameters] = {}
_FILES: dict[Path, ModuleType] = {}


class StrategyError(UserError):
    """A strategy that cannot be had: unknown, broken or none at all."""


def register(name: str, **parameters: Default) -> Callable[[AnyMaker], AnyMaker]:
    """Register the decorated class under ``name``; show its objects by that name.

    ``parameters`` are those that its ``__init__`` takes by name, with their defaults, which
    also say what they are: a number, true or false, a word, or ``Nested("duck.v1")`` for a
    strategy. Those that differ from the default become part of an object's name, which is set
    as its ``full_name``; the defaults are part of the version.

    Raises ``StrategyError`` for a name without a version or one that is taken. The same class
    may come twice, by its file's path and as a module.
    """
    if not NAME.fullmatch(name):
        raise StrategyError(f"{name!r} is no name for a strategy (want e.g. 'duck.v1')")

    def keep(maker: AnyMaker) -> AnyMaker:
        if name in _MAKERS and _origin(_MAKERS[name]) != _origin(maker):
            origins = (_origin(_MAKERS[name]), _origin(maker))
            both = " and ".join(f"{what} of {file}" for file, what in origins)
            raise StrategyError(f"{name}: registered twice, by {both}")
        if getattr(maker, "__repr__", None) is object.__repr__:
            # The name is all that tells strategies apart in results.
            setattr(maker, "__repr__", lambda self: getattr(self, "full_name", name))  # noqa: B010
        _MAKERS[name] = maker
        _PARAMETERS[name] = Parameters(name, parameters)
        return maker

    return keep


def names() -> list[str]:
    """Every name that :func:`create` knows, sorted; other packages' included."""
    return sorted(_known())


def create(spec: str) -> Strategy:
    """Return a new strategy: a name, ``module:Class`` or ``path/to/file.py:Class``, each with
    parameters or without; or several of these as parts, ``play=..., choose=..., double=...``.

    Its ``repr`` is its name. Raises ``StrategyError`` if there is none, if its module
    cannot be imported, if it does not have these parameters, or if it answers none of the
    five questions.
    """
    try:
        asked = parse(spec)
        if asked.base or not asked.values:
            return _made(asked, *found_by(asked.base))
        return put_together({part: create(str(named)) for part, named in asked.values})
    except ParameterError as error:
        raise StrategyError(f"strategy {spec!r}: {error}") from error


def found_by(spec: str) -> tuple[Maker, str | None]:
    """The class meant, and the name that its objects must have if that is known.

    ``spec`` is without parameters; errors as :func:`create`.
    """
    known = _known()
    if spec in known:
        found = known[spec]
        return _loaded(found) if isinstance(found, EntryPoint) else found, spec
    where, colon, attribute = spec.rpartition(":")
    if spec.endswith((".py", ".py:")):
        raise StrategyError(f"strategy {spec!r}: {_classless(Path(spec.removesuffix(':')))}")
    if not colon or not where or not attribute:
        raise StrategyError(
            f"unknown strategy {spec!r} (known: {', '.join(sorted(known))}; "
            "or module:Class, or path/to/file.py:Class)"
        )
    module = _file(Path(where), spec) if where.endswith(".py") else _module(where, spec)
    maker = getattr(module, attribute, None)
    if maker is None:
        there = f" ({classes_in(Path(where))})" if where.endswith(".py") else ""
        raise StrategyError(f"strategy {spec!r}: {where} has no {attribute!r}{there}")
    if not isinstance(maker, type):
        raise StrategyError(f"strategy {spec!r}: {attribute} is no class")
    return maker, None


def parameters_of(name: str) -> Parameters:
    """The parameters of a registered strategy, by its name or full name."""
    base = parse(name).base
    return _PARAMETERS.get(base, Parameters(base, {}))


def _known() -> dict[str, Maker | EntryPoint]:
    """Each class by name, others' not yet loaded. A name registered here wins."""
    import_module("strategies.builtin")
    return {**_offered(), **_MAKERS}


@cache
def _offered() -> dict[str, EntryPoint]:
    """What other packages offer. Reading it means reading every package's metadata."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _loaded(entry: EntryPoint) -> Maker:
    if not NAME.fullmatch(entry.name):
        raise StrategyError(f"{entry.name!r} of {entry.value}: no version (want e.g. 'mine.v1')")
    try:
        maker: Maker = entry.load()
    except BROKEN as error:
        line = told(error, __file__)
        raise StrategyError(f"{entry.name} of {entry.value}: {line}") from error
    return maker


def _module(name: str, spec: str) -> ModuleType:
    try:
        return import_module(name)
    except BROKEN as error:
        raise StrategyError(f"strategy {spec!r}: {told(error, __file__)}") from error


def _file(path: Path, spec: str) -> ModuleType:
    """Import a file, once in a process: a second time would register its names twice."""
    if not isfile(path):  # also where the name is too long or has a NUL
        raise StrategyError(f"strategy {spec!r}: there is no file {path}")
    path = path.resolve()
    if path not in _FILES:
        place = spec_from_file_location(f"_strategy_file_{len(_FILES)}_{path.stem}", path)
        assert place is not None, path
        assert place.loader is not None, path
        # Before it runs, as Python does: dataclasses look their module up.
        module = sys.modules[place.name] = module_from_spec(place)
        try:
            place.loader.exec_module(module)
        except BROKEN as error:
            del sys.modules[place.name]
            raise StrategyError(f"strategy {spec!r}: {told(error, __file__)}") from error
        _FILES[path] = module
    return _FILES[path]


def _made(asked: Spec, maker: Maker, name: str | None) -> Strategy:
    """The strategy itself, checked: it answers something and is shown by its name."""
    spec = str(asked)
    if not is_strategy(maker):
        raise StrategyError(
            f"strategy {spec!r}: {getattr(maker, '__name__', maker)} answers no question "
            f"(want some of {', '.join(QUESTIONS)}, or a capsule)"
        )
    registered = name or next((n for n, m in _MAKERS.items() if _origin(m) == _origin(maker)), None)
    parameters = parameters_of(registered or asked.base)
    try:
        given = parameters.given(asked, create)
        strategy: Strategy = maker(**given)
        if parameters.defaults:
            full_name = parameters.full_name(given)
            setattr(strategy, "full_name", full_name)  # noqa: B010
            name = full_name if name else None
        shown = repr(strategy)
    except (ParameterError, StrategyError) as error:
        raise StrategyError(f"strategy {spec!r}: {error}") from error
    except BROKEN as error:
        how = "with these" if asked.values else "without"
        raise StrategyError(
            f"strategy {spec!r}: not made {how} arguments: {told(error, __file__)}"
        ) from error
    if hasattr(strategy, "capsule"):
        try:
            check_capsule(strategy.capsule)
        except ValueError as error:
            raise StrategyError(f"strategy {spec!r}: {error}") from error
    if shown != name if name is not None else not NAME.fullmatch(parse(shown).base):
        wanted = repr(name) if name is not None else "a name like 'mine.v1'"
        raise StrategyError(
            f"strategy {spec!r}: its repr is {shown!r}, want {wanted} "
            "(decorate the class with strategies.register)"
        )
    return strategy


def _origin(maker: Maker) -> tuple[str, str]:
    """The file of a class and its name there: the same however the file was imported."""
    module = sys.modules.get(maker.__module__)
    file = getattr(module, "__file__", None)
    return realpath(file) if file else maker.__module__, getattr(maker, "__qualname__", "?")


def _classless(path: Path) -> str:
    """What to say of a file without a class."""
    if not isfile(path):
        return f"there is no file {path}"
    try:
        found = classes_in(path)
    except SyntaxError as error:
        return told(error, __file__)
    return f'add ":ClassName" ({found})'
