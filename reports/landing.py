"""Where a report's files go: each is put in place whole, and nothing else is touched."""

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from engine_ext.errors import UserError
from pipeline.stores.folder import put_file


def land_file(content: bytes, path: Path) -> Path:
    """One file under its name; where it is."""
    if path.is_dir():
        raise UserError(f"--out: {path} is a folder (want a file name)")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put_file(path, content, str(path))
    except OSError as error:
        raise UserError(f"--out: {path}: cannot be written: {error.strerror}") from error
    return path


def land_folder(files: Mapping[str, bytes], folder: Path) -> Path:
    """Files in a folder: all at once in a new one; over those of the same names in an old one,
    which holds no others, or a reader would take what is left of an older report for this one's.
    """
    try:
        if folder.exists():
            _refuse_strangers(files, folder)
            for name, content in files.items():
                put_file(folder / name, content, str(folder / name))
            return folder
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = folder.with_name(f".{folder.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
        try:
            part.mkdir()
            for name, content in files.items():
                put_file(part / name, content, str(folder / name))
            part.rename(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise UserError(f"--out: {folder}: cannot be written: {error.strerror}") from error
    return folder


def _refuse_strangers(files: Mapping[str, bytes], folder: Path) -> None:
    if not folder.is_dir():
        raise UserError(
            f"--out: {folder} is a file, and these are {len(files)} (want a folder, or one of "
            "them with --section)"
        )
    strangers = sorted(path.name for path in folder.iterdir() if path.name not in files)
    if strangers:
        raise UserError(f"--out: {folder} holds {strangers[0]} (want a new or empty folder)")
