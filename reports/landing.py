"""Where a report's files go: each is put in place whole, and nothing else is touched."""

import os
import secrets
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from engine_ext.errors import UserError
from pipeline.stores import is_uri, store_at
from pipeline.stores.folder import put_file


def inside(run: str, name: str) -> str:
    """A file or folder in that of a run, or in its bucket."""
    return f"{run.rstrip('/')}/{name}" if is_uri(run) else str(Path(run) / name)


def land_file(content: bytes, where: str) -> str:
    """One file under its name; where it is."""
    if is_uri(where):
        store_at(where).beside().put(where.rpartition("/")[2], content)
        return where
    path = Path(where)
    if path.is_dir():
        raise UserError(f"--out: {path} is a folder (want a file name)")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put_file(path, content, str(path))
    except OSError as error:
        raise UserError(f"--out: {path}: cannot be written: {error.strerror}") from error
    return where


def land_folder(files: Mapping[str, bytes], where: str) -> str:
    """Files in a folder: all at once in a new one; over those of the same names in an old one,
    which holds no others, or a reader would take what is left of an older report for this one's.
    In a bucket one after the other: it has no folders.
    """
    if is_uri(where):
        return _land_afar(files, where)
    folder = Path(where)
    try:
        if folder.exists():
            _refuse_strangers(files, folder)
            for name, content in files.items():
                put_file(folder / name, content, str(folder / name))
            return where
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
    return where


def _land_afar(files: Mapping[str, bytes], where: str) -> str:
    store = store_at(where)
    _refuse([*(entry.name for entry in store.entries()), *store.folders()], files, where)
    for name, content in files.items():
        store.put(name, content)
    return where


def _refuse_strangers(files: Mapping[str, bytes], folder: Path) -> None:
    if not folder.is_dir():
        raise UserError(
            f"--out: {folder} is a file, and these are {len(files)} (want a folder, or one of "
            "them with --section)"
        )
    _refuse([path.name for path in folder.iterdir()], files, str(folder))


def _refuse(names: Iterable[str], files: Mapping[str, bytes], where: str) -> None:
    strangers = sorted(name for name in names if name not in files)
    if strangers:
        raise UserError(f"--out: {where} holds {strangers[0]} (want a new or empty folder)")
