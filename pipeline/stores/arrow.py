"""Parquet files of a store as Arrow reads them: only the bytes of the columns that are asked for.

DuckDB has no reader for buckets without an extension from the network. It takes a dataset of
Arrow's instead, tells it columns and filters, and knows nothing of where the files lie: address,
credentials and patience are those of the store.
"""

import io
from collections.abc import Mapping, Sequence
from typing import NoReturn

import pyarrow as pa
from pyarrow import dataset, fs

from pipeline.stores import Store

WHOLE_BYTES = 2**20
"""Up to here a file is read at once: another request takes longer than the bytes."""


def parquet_files(store: Store, sizes: Mapping[str, int], schema: pa.Schema) -> dataset.Dataset:
    """Files of these names and sizes in bytes as one table; columns that a file lacks are null,
    and those that the ``schema`` does not know are left out."""
    files = fs.PyFileSystem(_Files(store, sizes))
    kind = dataset.ParquetFileFormat()
    pieces = [kind.make_fragment(name, filesystem=files) for name in sizes]
    return dataset.FileSystemDataset(pieces, schema, kind, files)


class _Part(io.RawIOBase):
    """A file that is read in parts."""

    def __init__(self, store: Store, name: str, size: int) -> None:
        self._store, self._name, self._size = store, name, size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence] + offset
        return self._at

    def read(self, size: int = -1) -> bytes:
        n = self._size - self._at if size < 0 else min(size, self._size - self._at)
        found = self._store.part(self._name, self._at, n) if n > 0 else b""
        self._at += len(found)
        return found


class _Files(fs.FileSystemHandler):
    """A store as Arrow asks for it; nothing is written through it."""

    def __init__(self, store: Store, sizes: Mapping[str, int]) -> None:
        self._store, self._sizes = store, sizes

    def open_input_file(self, path: str) -> pa.NativeFile:
        size = self._sizes[path]
        if size <= WHOLE_BYTES:
            return pa.BufferReader(self._store.get(path))
        return pa.PythonFile(_Part(self._store, path, size), "r")

    def open_input_stream(self, path: str) -> pa.NativeFile:
        return self.open_input_file(path)

    def get_file_info(self, paths: Sequence[str]) -> list[fs.FileInfo]:
        return [fs.FileInfo(path, fs.FileType.File, size=self._sizes[path]) for path in paths]

    def get_file_info_selector(self, selector: fs.FileSelector) -> NoReturn:
        raise AssertionError("every file is named")

    def get_type_name(self) -> str:
        return "barbu"

    def normalize_path(self, path: str) -> str:
        return path

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__

    def _nothing(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("nothing is written")

    copy_file = create_dir = delete_dir = delete_dir_contents = delete_file = _nothing
    delete_root_dir_contents = move = open_append_stream = open_output_stream = _nothing
