"""Compiles the Cython modules, each twice: for any x86-64 and for x86-64-v3; those that
hold sets of cards once more for two packs.

``engine_ext/build.py`` picks one at import; the first two give the same results. With
``BARBU_CHECKED=1`` bounds checks and C asserts are compiled in.
"""

import multiprocessing
import os
import platform
from hashlib import sha256
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CHECKED = os.environ.get("BARBU_CHECKED", "0") != "0"
EXTRA = os.environ.get("BARBU_CFLAGS", "").split()  # e.g. -fsanitize=address
FOLDERS = ("engine_ext", "strategies")
FLAGS = [
    "-O3",
    "-g0",
    "-std=gnu11",
    "-ffp-contract=off",  # and no fast-math: every machine chooses alike
    # A trick's state stays in registers only if all its steps are inlined.
    "-DCYTHON_INLINE=inline __attribute__((always_inline))",
    "-fno-inline-functions-called-once",  # what is rare stays out of line
    "-Wno-unused-function",
    "-Wno-maybe-uninitialized",  # arrays that are read as far as they were filled
]
KERNELS = {"": [], "_wide": ["-DBARBU_WIDE"]}
WIDE = ("kernel", "pypolicy", "betting", "choosing", "searching")  # as engine_ext/build.py has it
# BARBU_KERNELS=baseline leaves the second kernel out: half the time, for quick edits.
BOTH = os.environ.get("BARBU_KERNELS", "both") != "baseline"
if BOTH and platform.machine() in ("x86_64", "AMD64"):
    KERNELS["_v3"] = ["-march=x86-64-v3"]
SOURCES = sorted(
    p
    for folder in FOLDERS
    for end in ("pyx", "pxd", "pxi", "h")
    for p in Path(folder).glob(f"*.{end}")
)


def source_id() -> str:
    """What is compiled, as 16 digits that ``engine_ext.machine`` tells: kernels share them."""
    found = sha256()
    for path in (Path("setup.py"), *SOURCES):
        found.update(f"{path.as_posix()}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def depends(path: Path) -> list[Path]:
    """What a module is compiled again for, beside what Cython sees."""
    if path.stem == "machine":
        return SOURCES  # it tells source_id()
    return [path for path in SOURCES if path.suffix == ".h"]


# Processes that translate to C; only forked ones do not run this file once more.
TRANSLATORS = (os.cpu_count() or 1) if multiprocessing.get_start_method() == "fork" else 0


def extensions(suffix: str, flags: list[str]) -> list[Extension]:
    """One extension for each .pyx, named with the kernel's suffix and translated to C
    in a folder of the kernel's own, since the names differ."""
    sources = [path for path in SOURCES if path.suffix == ".pyx"]
    if suffix == "_wide":
        sources = [path for path in sources if path.stem in WIDE]
    found = cythonize(
        [
            Extension(
                ".".join(path.with_suffix("").parts) + suffix,
                [str(path)],
                include_dirs=["engine_ext"],
                depends=["setup.py", *map(str, depends(path))],
            )
            for path in sources
        ],
        nthreads=TRANSLATORS,
        build_dir=f"build/cython{suffix}{'_checked' if CHECKED else ''}",
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    )
    for extension in found:
        # Set afterwards: Cython would hand the first kernel's flags on to the second.
        extension.extra_compile_args = [
            *FLAGS,
            *flags,
            f'-DBARBU_KERNEL="{suffix.strip("_") or "baseline"}"',
            f"-DBARBU_CHECKED={int(CHECKED)}",
            *([f'-DBARBU_SOURCE="{source_id()}"'] if ".machine" in extension.name else []),
            *(["-UNDEBUG"] if CHECKED else []),
            *EXTRA,
        ]
        extension.extra_link_args = EXTRA
    return found


class ParallelBuild(build_ext):
    """Two compilers at a time unless told otherwise."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1


setup(
    cmdclass={"build_ext": ParallelBuild},
    ext_modules=[e for suffix, flags in KERNELS.items() for e in extensions(suffix, flags)],
)
