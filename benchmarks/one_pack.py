"""What second copies of cards cost where there are none: this checkout without them.

``python benchmarks/one_pack.py FOLDER``: a clone of the checkout's last commit in FOLDER, in
which a set of cards is one word, with everything taken out that a second word needs. Built
there (``python setup.py build_ext --inplace``) it is the OLD of ``benchmarks/race.py``.

Games of one pack are the same there to the last bit. It is no product: whatever shows sets
to Python, and the strategies that slip, still expect two words.
"""

import subprocess
import sys
from pathlib import Path

TAKEN_OUT: dict[str, list[tuple[str, str]]] = {
    "engine_ext/policy.h": [("    uint64_t w[2];", "    uint64_t w[1];")],
    "engine_ext/policy.pxd": [("        uint64_t w[2]", "        uint64_t w[1]")],
    "engine_ext/cards.pxd": [
        (
            "beyond_pack(cardset_t set) { return set.w[1]; }",
            "beyond_pack(cardset_t set) { return 0; }",
        ),
        ("cardset_t set = {{cards, 0}};", "cardset_t set = {{cards}};"),
    ],
    "engine_ext/packing.pxi": [("    both.w[1] = cards >> 64\n", "")],
    "engine_ext/deal.pxd": [("for bit in range(128):", "for bit in range(64):")],
    "strategies/duck_play.pxd": [("return cards.w[0] | cards.w[1]", "return cards.w[0]")],
    "strategies/duck.pyx": [
        ("    answer.w[0] = card & legal.w[0]\n", "    answer.w[0] = card\n"),
        ("    answer.w[1] = 0 if answer.w[0] else card\n", ""),
    ],
    "strategies/duck_learn.pxd": [
        ("for i in range(2): ", "for i in range(1): "),
        (" or j.variant.deck.w[1] != v.deck.w[1]", ""),
    ],
    "strategies/random.pyx": [
        (", second = view->legal.w[1];", ";"),
        (", m = (uint32_t)count(second);", ";"),
        ("stream_below_once(stream, n + m)", "stream_below_once(stream, n)"),
        ("cardset_t card = {{0, 0}};", "cardset_t card = {{0}};"),
        ("        if (k < n)\n            card.w[0]", "        card.w[0]"),
        ("        else\n            card.w[1] = nth_card(second, k - n);\n", ""),
    ],
    "setup.py": [('{"": [], "_wide": ["-DBARBU_WIDE"]}', '{"": []}')],
}
"""By file: what is there, and what is there instead. Each is found exactly once."""
LEFT_OUT = ("strategies/slipping.pyx",)


def without_second_copies(file: str, text: str) -> str:
    """Return a file's text for one pack. AssertionError where this table is out of date."""
    for there, instead in TAKEN_OUT[file]:
        assert text.count(there) == 1, f"{file}: not found once: {there!r}"
        text = text.replace(there, instead)
    return text


def main() -> None:
    """Clone into the folder and take the second words out."""
    folder = Path(sys.argv[1])
    here = Path(__file__).resolve().parent.parent
    subprocess.run(["git", "clone", "-q", str(here), str(folder)], check=True)
    for file in TAKEN_OUT:
        path = folder / file
        path.write_text(without_second_copies(file, path.read_text()))
    for file in LEFT_OUT:
        (folder / file).unlink()


if __name__ == "__main__":
    main()
