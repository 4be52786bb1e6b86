"""Compiles the C file against the installed engine's policy.h."""

from setuptools import Extension, setup

from engine_ext import include_dir

setup(
    ext_modules=[
        Extension(
            "barbu_tall._tall",
            ["barbu_tall/tall.c"],
            include_dirs=[include_dir()],
            extra_compile_args=["-O2", "-ffp-contract=off"],  # every machine chooses alike
        )
    ]
)
