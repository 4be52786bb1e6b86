"""The parameters of a registered strategy: what it takes, what it was given, its full name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from strategies.spec import Default, Nested, ParameterError, Spec, Value, parse, spelled


@dataclass(frozen=True, slots=True)
class Parameters:
    """Names and defaults, in the order in which they are shown."""

    name: str
    """Of the strategy, without parameters."""
    defaults: Mapping[str, Default]

    def given(self, asked: Spec, make: Callable[[str], object]) -> dict[str, object]:
        """Every parameter as the strategy's class takes it; ``make`` makes strategies.

        Raises ``ParameterError``.
        """
        for key, _ in asked.values:
            if key not in self.defaults:
                known = ", ".join(self.defaults)
                hint = f"has: {known}" if known else f"{asked.base} takes none"
                raise ParameterError(f"unknown parameter {key!r} ({hint})")
        values = dict(asked.values)
        return {
            key: _typed(key, values.get(key), default, make)
            for key, default in self.defaults.items()
        }

    def full_name(self, given: Mapping[str, object]) -> str:
        """The name with the parameters that differ from their defaults."""
        told = [
            f"{key}={spelled(given[key])}"
            for key, default in self.defaults.items()
            if spelled(given[key]) != spelled(default)
        ]
        return f"{self.name}({', '.join(told)})" if told else self.name

    def told(self, full_name: str) -> tuple[str, ...]:
        """Every parameter as it is in a full name, ``key=value``."""
        values = dict(parse(full_name).values)
        return tuple(
            f"{key}={spelled(values.get(key, default))}" for key, default in self.defaults.items()
        )


def _typed(
    key: str, value: Value | None, default: Default, make: Callable[[str], object]
) -> object:
    """A parameter's value, or its default, if it is of the kind of the default."""
    if isinstance(default, Nested):
        if value is not None and not isinstance(value, Spec):
            raise ParameterError(f"{key}: {spelled(value)}, want a strategy ({default.spec})")
        return make(default.spec if value is None else str(value))
    if value is None:
        return default
    if isinstance(default, bool):
        kind, fits = "true or false", isinstance(value, bool)
    elif isinstance(default, int):
        kind, fits = "a whole number", isinstance(value, int) and not isinstance(value, bool)
    elif isinstance(default, float):
        kind, fits = "a number", isinstance(value, int | float) and not isinstance(value, bool)
    else:
        kind, fits = "a word", isinstance(value, Spec) and not value.values
    if not fits:
        raise ParameterError(f"{key}: {spelled(value)}, want {kind}, e.g. {spelled(default)}")
    if isinstance(value, Spec):
        return value.base
    return float(value) if isinstance(default, float) else value
