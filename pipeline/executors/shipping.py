"""Wheels for the nodes of a cluster, sent as the folders that are in them.

Ray's own way with a wheel installs it by pip on every node, with all that it depends on, from a
package index; and knows it by its file's name, so that a rebuilt one of the same version is not
sent. Folders are known by their content and need nothing but what the nodes have.
"""

from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from engine_ext.errors import UserError


def unpack(wheels: Sequence[str], folder: Path) -> list[str]:
    """Unpack wheels below an empty folder; the packages that were in them, with their metadata.

    Raises a ``UserError`` for what is no wheel.
    """
    found: list[str] = []
    for i, wheel in enumerate(wheels):
        home = folder / str(i)
        if not wheel.endswith(".whl"):
            raise UserError(f"--ship: {wheel}: is no wheel (want one that `pip wheel` made)")
        try:
            with ZipFile(wheel) as packed:
                packed.extractall(home)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise UserError(f"--ship: {wheel}: cannot be read: {why}") from error
        except BadZipFile as error:
            raise UserError(f"--ship: {wheel}: is no wheel (not a zip file)") from error
        for path in sorted(home.iterdir()):
            if not path.is_dir() and path.suffix != ".py":
                raise UserError(f"--ship: {wheel}: {path.name}: want packages or .py files in it")
            found.append(str(path))
    return found
