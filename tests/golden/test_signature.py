"""The whole engine's play as one number, the same on every processor.

``strategies.txt`` tells which strategy moved in which variant; this number, over rules,
dealing, bets and scoring as well, tells that anything moved at all, and stands in
CHANGELOG.md: a change of it is a change of results, and is written there with its reason.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine_ext import build
from strategies.testing import BASE_VARIANTS
from tests.golden.signature import VARIANTS, signature

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).parent / "signature.txt"


def test_the_engine_plays_as_the_signature_says() -> None:
    found = signature()
    if os.environ.get("UPDATE_GOLDEN"):
        FILE.write_text(found + "\n", "utf-8")
    assert found == FILE.read_text("utf-8").strip(), "results changed: name it in CHANGELOG.md"


def test_the_changelog_names_the_signature_first() -> None:
    named = re.findall(r"[Ss]ignature `([0-9a-f]{16})`", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert named[:1] == [FILE.read_text("utf-8").strip()]


def test_every_base_variant_is_signed() -> None:
    assert set(VARIANTS) == set(BASE_VARIANTS)


@pytest.mark.skipif(build.KERNEL != "v3", reason="this processor runs the baseline only")
def test_the_portable_kernel_has_the_same_signature() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.golden.signature"],
        env=os.environ | {"BARBU_KERNEL": "baseline"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.strip() == FILE.read_text("utf-8").strip()
