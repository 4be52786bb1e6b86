"""The mutator: which changes a line has, and that a text with all of them still is one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.change import Mutant, changes
from tests.mutation.faults import FAULTS, Fault, as_mutant, planted
from tests.mutation.run import key_of, without_difference
from tests.mutation.source import logical_lines, played_lines
from tests.mutation.tree import all_mutants
from tests.mutation.weave import changed, versions, woven

SMALL = '''\
"""Nothing but what is needed to look at."""

from libc.stdint cimport uint8_t


cdef inline int told(int a, int b,
                     bint c) noexcept nogil:
    """A sum in brackets (and a word): not code."""
    cdef int found = a + 1, other
    cdef const int* there = &a
    if c and a < b:
        return <uint8_t>(b & ~a)   # a cast is no comparison
    elif not c:
        found += -a
    for other in range(1, b):
        found = (other if other > a
                 else b) << 2
        told(found, other, True)
    while found != 7:
        break
    return found


cdef object spoken(a):
    return a + 1
'''


def made(line: str, file: str = "a.pxd") -> list[str]:
    (only,) = logical_lines(file, line + "\n")
    return [f"{change.what}: {changed(only, change)}" for change in changes(only)]


def mutants() -> list[Mutant]:
    found: list[Mutant] = []
    for line in played_lines("small.pyx", SMALL):
        found += [Mutant(len(found) + n, line, c) for n, c in enumerate(changes(line), 1)]
    return found


def test_a_condition_is_compared_otherwise_and_never_and_always_true() -> None:
    assert made("if a <= b and not c:") == [
        "<= to <: if a < b and not c:",
        "and to or: if a <= b or not c:",
        "not dropped: if a <= b and not not c:",
        "never: if MUTANT < 0:",
        "always: if MUTANT >= 0:",
    ]


def test_a_statement_has_other_operators_and_numbers_and_is_left_out() -> None:
    assert made("x[1] += <int>y << 1") == [
        "1 to 2: x[2] += <int>y << 1",
        "1 to 0: x[0] += <int>y << 1",
        "+= to -=: x[1] -= <int>y << 1",
        "<< to >>: x[1] += <int>y >> 1",
        "1 to 2 (2): x[1] += <int>y << 2",
        "1 to 0 (2): x[1] += <int>y << 0",
        "dropped: pass",
    ]


def test_addresses_signs_and_casts_are_no_operators() -> None:
    assert made("return <uint8_t>f(&a, -b)") == []


def test_only_code_that_plays_is_changed() -> None:
    lines = {mutant.line.text for mutant in mutants()}
    assert "return a + 1" not in lines
    assert "cdef int found = a + 1, other" in lines
    assert not any("brackets" in line for line in lines)


def test_every_version_of_a_line_stands_in_the_text_once() -> None:
    everything = mutants()
    text = woven("small.pyx", SMALL, everything)
    for mutant in everything:
        assert (
            text.count(f"MUTANT == {mutant.number}:")
            + text.count(f"MUTANT == {mutant.number} else")
            == 1
        )


def test_a_text_with_all_its_versions_compiles(tmp_path: Path) -> None:
    file = tmp_path / "small.pyx"
    file.write_text(woven("small.pyx", SMALL, mutants()))
    done = subprocess.run(
        [sys.executable, "-m", "cython", "-3", str(file)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_a_statement_of_c_chooses_its_version() -> None:
    (line,) = played_lines("a.h", "    k0 += 3ull;\n    for (;;) k1 = 0;\n")
    found = [Mutant(n, line, change) for n, change in enumerate(changes(line), 1)]
    assert versions(line, found) == [
        "if (MUTANT == 1) { k0 -= 3ull; } else",
        "if (MUTANT == 2) { ; } else",
        "k0 += 3ull;",
    ]


def test_no_two_mutants_have_one_number_and_the_faults_have_others() -> None:
    numbers = [mutant.number for mutant in [*all_mutants(), *planted()]]
    assert len(set(numbers)) == len(numbers)


def test_a_fault_whose_line_is_not_there_is_refused() -> None:
    gone = Fault("", "tricks.pxd", "return what_never_stood_there", "return 0")
    with pytest.raises(ValueError, match=r"tricks.pxd has 0 lines .*never_stood.* \(want 1\)"):
        as_mutant(0, gone)


def test_twenty_faults_at_least_are_planted() -> None:
    assert len({fault.what for fault in FAULTS}) == len(FAULTS) >= 20


def test_every_mutant_said_to_make_no_difference_is_one() -> None:
    there = {key_of(mutant) for mutant in all_mutants()}
    gone = set(without_difference()) - there
    assert not gone
