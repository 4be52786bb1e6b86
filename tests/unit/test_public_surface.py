"""A change of what the packages offer is seen in review."""

from pathlib import Path

from tests.surface import surface

HELD = Path(__file__).parents[1] / "public_surface.txt"


def test_the_public_surface_is_what_was_agreed() -> None:
    assert surface() == HELD.read_text(), (
        "changed on purpose? .venv/bin/python -m tests.surface > tests/public_surface.txt"
    )
