"""Whatever the user gets wrong or a disk does: one line, the right exit code, nothing lost."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from pipeline.executors.scratch import Scratch
from pipeline.store import Run, put_receipt
from tests.runs import played, restate, small
from tests.samples import one_in, slowly
from tests.started import started

BARBU = [sys.executable, "-c", "import sys; from pipeline.cli import main; sys.exit(main())"]

RUN = """
title = "t"
seed = 7
variants = ["barbu_king_br"]
blocks = 2
design = "gauntlet"
entrants = [{ strategy = "duck.v1" }, { strategy = "random.v1" }]
"""

BOTS = """
import os, sys
from pathlib import Path

class Low:
    def __repr__(self):
        return f"{type(self).__name__.lower()}.v1"

    def play(self, view):
        return view.lowest()

class Loud(Low):
    def play(self, view):
        print("from Python")
        os.write(1, b"from below\\n")
        return view.lowest()

class Leaves(Low):
    def play(self, view):
        sys.exit("enough\\nof it")

class Moves(Low):
    def play(self, view):
        os.chdir("/")
        return view.lowest()

class Unmade(Low):
    def __init__(self):
        raise RuntimeError("not today")

class Nameless(Low):
    def __repr__(self):
        raise RuntimeError("no name")
"""

Barbu = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of one shard."""
    folder = tmp_path_factory.mktemp("base") / "run"
    played(small(("barbu_52_doubling",)), folder)
    return folder


@pytest.fixture
def there(base: Path, tmp_path: Path) -> Path:
    """A copy of it that may be damaged."""
    return shutil.copytree(base, tmp_path / "run with ü")


def refused(barbu: Barbu, *words: str | Path) -> str:
    """What the command says of a mistake: one line, exit code 2, nothing on stdout."""
    code, out, err = barbu(*words)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    return err


def content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seed = 7", "seed = " + "9" * 5000, "not a TOML file: Exceeds the limit"),
        ("seed = 7", f"seed = {2**64}", "seed: "),
        ("seed = 7", "seed = -1", "seed: "),
        ('"t"', "[" * 9000 + "]" * 9000, "not a TOML file: nested too deeply"),
        ('"t"', '"a\\nb"', "title: must be printable and on one line"),
        ('"t"', '"\\u001b[31mred"', "title: must be printable"),
        ('"t"', '" "', "title: must be printable"),
        ("blocks = 2", "blocks = 0", "blocks: "),
        ("blocks = 2", "blocks = 1_000_000_000_000", "blocks: 1000000000000 make about"),
        ('["barbu_king_br"]', "7", "variants: must be a list, not 7"),
        ('["barbu_king_br"]', '["nope"]', "variants[0]: nope: no variant of this name"),
        ('["barbu_king_br"]', f'["{"x" * 300}.toml"]', "variants[0]: "),
        ('["barbu_king_br"]', '["a/b"]', "variants[0]: "),
        ('["barbu_king_br"]', '["."]', "variants[0]: "),
        ('"random.v1"', '"nope.v1"', "run.toml: entrants[1].strategy: unknown strategy 'nope.v1'"),
        ('"random.v1"', '"a\\u0000.py:X"', "entrants[1].strategy: must be printable"),
        ('"random.v1"', f'"{"a" * 3000}.py:X"', "entrants[1].strategy: "),
        ('"random.v1"', '"duck.v1", name = "a\\nb"', "entrants[1].name: must be printable"),
        (
            '{ strategy = "random.v1" }',
            '"random.v1"',
            "entrants[1]: must be a table, as in { strategy = \"random.v1\" }, not 'random.v1'",
        ),
    ],
)
def test_a_run_file_that_is_wrong_is_named_with_its_key(
    old: str, new: str, said: str, tmp_path: Path, barbu: Barbu
) -> None:
    assert old in RUN
    (tmp_path / "run.toml").write_text(RUN.replace(old, new))
    assert said in refused(barbu, "run", tmp_path / "run.toml", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_value_of_any_length_makes_a_short_line(tmp_path: Path, barbu: Barbu) -> None:
    (tmp_path / "run.toml").write_text(RUN.replace("seed = 7", f'seed = "{"x" * 10**6}"'))
    assert len(refused(barbu, "plan", tmp_path / "run.toml")) < 500


def test_names_with_commas_quotes_and_sql_come_through(tmp_path: Path, barbu: Barbu) -> None:
    name = "a,b\"c'; drop table games; -- \N{WHITE CHESS QUEEN} <b>"
    text = RUN.replace('"duck.v1"', f'"duck.v1", name = {json.dumps(name, ensure_ascii=False)}')
    (tmp_path / "run.toml").write_text(text)
    assert barbu("run", tmp_path / "run.toml", "--out", tmp_path / "out")[0] == 0
    query = "select distinct entrant from deals_long where entrant != 'random.v1'"
    code, out, _ = barbu("sql", tmp_path / "out", query, "--json")
    assert (code, json.loads(out)) == (0, [{"entrant": name}])
    assert barbu("report", tmp_path / "out")[0] == 0


@pytest.mark.parametrize("workers", ["0", "-3", "99999999999999999999"])
def test_no_machine_has_so_many_workers(workers: str, tmp_path: Path, barbu: Barbu) -> None:
    said = refused(barbu, "run", "smoke", "--out", tmp_path / "out", "--workers", workers)
    assert f"--workers: {workers} (want 1 to 1000)" in said


@pytest.mark.parametrize("out", ["file/below", "x" * 300, "/proc/out"])
def test_a_folder_that_cannot_be_made_is_named(out: str, tmp_path: Path, barbu: Barbu) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "run.toml").write_text(RUN)
    assert out[:50] in refused(barbu, "run", tmp_path / "run.toml", "--out", tmp_path / out)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def (", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise RuntimeError('one\\ntwo')", "RuntimeError: one"),
        ("open('/nowhere')", "FileNotFoundError"),
        ("assert 0", "AssertionError"),
        ("import sys; sys.exit(0)", "SystemExit"),
        (BOTS, "has no 'X'"),
        (BOTS + "\nX = Unmade", "RuntimeError: not today"),
        (BOTS + "\nX = Nameless", "RuntimeError: no name"),
    ],
)
def test_a_strategy_that_breaks_before_it_plays_is_named(
    source: str, said: str, tmp_path: Path, barbu: Barbu
) -> None:
    (tmp_path / "bot.py").write_text(source)
    (tmp_path / "run.toml").write_text(RUN.replace("random.v1", "bot.py:X"))
    line = refused(barbu, "run", tmp_path / "run.toml", "--out", tmp_path / "out")
    assert "run.toml: entrants[1].strategy: strategy '" in line
    assert said in line
    assert not (tmp_path / "out").exists()
    assert said in refused(barbu, "strategies", "show", f"{tmp_path / 'bot.py'}:X")


def test_what_strategies_print_stays_out_of_the_answer(tmp_path: Path, barbu: Barbu) -> None:
    (tmp_path / "bot.py").write_text("print('at import')\n" + BOTS)
    (tmp_path / "run.toml").write_text(RUN.replace("random.v1", "bot.py:Loud"))
    code, out, err = barbu("plan", tmp_path / "run.toml", "--json")
    assert (code, json.loads(out)["title"]) == (0, "t")
    for line in ("at import\n", "from below\n"):
        assert line in err
    words = ("run", tmp_path / "run.toml", "--out", tmp_path / "out", "--json")
    code, out, err = barbu(*words, "--workers", "1")
    assert (code, json.loads(out)["fouls"]) == (0, 0)
    assert "from below\n" in err
    assert "bot.py:Loud printed" in err
    assert err.count("from Python") == 1  # with the name: not each time


def test_a_strategy_that_calls_exit_commits_fouls(tmp_path: Path, barbu: Barbu) -> None:
    (tmp_path / "bot.py").write_text(BOTS)
    (tmp_path / "run.toml").write_text(RUN.replace("random.v1", "bot.py:Leaves"))
    words = ("run", tmp_path / "run.toml", "--out", tmp_path / "out", "--executor", "inline")
    code, out, err = barbu(*words)
    assert code == 0
    assert "8 games" in out
    assert "SystemExit: enough\\nof it\n" in err


def test_a_strategy_that_changes_the_directory_moves_no_run(
    tmp_path: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(BOTS)
    (tmp_path / "run.toml").write_text(RUN.replace("random.v1", "bot.py:Moves"))
    monkeypatch.chdir(tmp_path)
    assert barbu("run", "run.toml", "--out", "out", "--executor", "inline")[0] == 0
    assert barbu("verify", tmp_path / "out")[0] == 0


def _edit(**changes: object) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / "manifest.json"
        said = json.loads(path.read_text())
        for name, value in changes.items():
            *above, key = name.split("__")
            place = said
            for step in above:
                place = place[step]
            place[key] = value
        path.write_text(json.dumps(said))

    return edit


MANIFESTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda run: (run / "manifest.json").write_bytes(b""), "damaged: not JSON"),
    "junk": (lambda run: (run / "manifest.json").write_bytes(os.urandom(99)), "damaged: not JSON"),
    "no object": (lambda run: (run / "manifest.json").write_text("[]"), "damaged: must be a table"),
    "gone": (lambda run: (run / "manifest.json").unlink(), "no run here"),
    "old": (
        lambda run: (run / "manifest.json").write_text('{"schema_version": 0, "was": "else"}'),
        "schema_version: 0 (this version reads",
    ),
    "newer": (
        lambda run: (run / "manifest.json").write_text(
            '{"schema_version": 99, "versions": {"barbu-sim": "7.0"}}'
        ),
        "schema_version: 99, written by barbu-sim 7.0 (this version reads up to",
    ),
    "newer, in other words": (
        lambda run: (run / "manifest.json").write_text('{"schema_version": 99, "versions": 3}'),
        "schema_version: 99, written by a newer barbu-sim",
    ),
    "seed": (_edit(config__seed=8), "damaged: run: does not follow from the config"),
    "name": (_edit(config__title="other"), "damaged: run: does not follow from the config"),
    "rules": (_edit(config__blocks=4), "damaged: run: does not follow from the config"),
    "no bounds": (_edit(bounds={}), "damaged: bounds: want those of barbu_52_doubling"),
    "bounds 0": (
        _edit(bounds={"barbu_52_doubling": {"blocks": 0, "parts": 1}}),
        "damaged: bounds.barbu_52_doubling.blocks: ",
    ),
    "bounds 1": (
        _edit(bounds={"barbu_52_doubling": {"blocks": 1, "parts": 1}}),
        "damaged: shards: does not follow",
    ),
    "versions": (_edit(versions={}), "damaged: versions: barbu-sim is missing"),
    "slots": (_edit(slots=[]), "damaged: slots: does not follow"),
    "games": (_edit(games=1), "damaged: games: does not follow"),
    "no digest": (_edit(digest=None), "damaged: digest: missing"),
    "digest": (_edit(digest="0" * 64), "digest: 0000"),
}


@pytest.mark.parametrize("case", one_in(3, MANIFESTS))
def test_a_damaged_manifest_is_named_and_nothing_is_written(
    case: str, there: Path, tmp_path: Path, barbu: Barbu
) -> None:
    damage, said = MANIFESTS[case]
    damage(there)
    before = content(there)
    reads = (
        ("report", there, "--out", tmp_path / "page.html"),
        ("sql", there, "select 1"),
    )
    for words in reads:
        line = refused(barbu, *words)
        assert said in line
        assert str(there) in line
    assert not (tmp_path / "page.html").exists()
    assert content(there) == before
    # Only a digest that nobody holds against the games can be read at all.
    code, out, _ = barbu("verify", there)
    assert (code, "NOT whole" in out) == (1, True) if case == "digest" else (2, False)
    assert refused(barbu, "resume", there)
    changed = {k for k, v in content(there).items() if before.get(k) != v}
    assert changed == ({"manifest.json"} if case == "digest" else set())


def _flip(path: Path, at: int) -> None:
    whole = bytearray(path.read_bytes())
    whole[at] ^= 0xFF
    path.write_bytes(whole)


TABLE = "games/games-000000.parquet"
FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "gone": (lambda run: (run / TABLE).unlink(), f"{TABLE}: missing"),
    "cut off": (lambda run: os.truncate(run / TABLE, 100), f"{TABLE}: 100 bytes, its receipt"),
    "turned": (lambda run: _flip(run / TABLE, 200), f"{TABLE}: content differs"),
    "another": (
        lambda run: shutil.copy(run / "deals/deals-000000.parquet", run / TABLE),
        f"{TABLE}: ",
    ),
    "sums": (
        lambda run: _flip(run / "summary/summary-000000.parquet", 300),
        "summary-000000.parquet: content differs",
    ),
}


@pytest.mark.parametrize("case", one_in(2, FILES))
def test_a_damaged_table_is_named_and_played_again(
    case: str, there: Path, tmp_path: Path, barbu: Barbu
) -> None:
    whole = content(there)
    damage, said = FILES[case]
    damage(there)
    for words in (("report", there, "--out", tmp_path / "p.html"), ("sql", there, "select 1")):
        assert said in refused(barbu, *words)
    code, out, _ = barbu("verify", there, "--json")
    assert code == 1
    (problem,) = json.loads(out)["problems"]
    assert said in problem
    assert barbu("resume", there, "--executor", "inline")[0] == 0
    mended = content(there)
    assert {k for k in whole if mended[k] != whole[k]} <= {"manifest.json", "shards.parquet"}
    assert barbu("verify", there)[0] == 0


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SHARDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut off": (lambda run: os.truncate(run / "shards.parquet", 50), "cannot be read"),
    "another": (lambda run: shutil.copy(run / TABLE, run / "shards.parquet"), "missing"),
    "a folder": (
        lambda run: _make_folder(run / "shards.parquet"),
        "cannot be read",
    ),
}


@pytest.mark.parametrize("case", SHARDS)
def test_damaged_receipts_of_a_complete_run_are_named(case: str, there: Path, barbu: Barbu) -> None:
    damage, said = SHARDS[case]
    damage(there)
    before = content(there)
    for words in (("report", there), ("sql", there, "select 1"), ("resume", there)):
        line = refused(barbu, *words)
        assert "shards.parquet: " in line
        assert said in line
    code, out, _ = barbu("verify", there, "--json")
    assert code == 1
    assert "shards.parquet" in json.loads(out)["problems"][0]
    assert content(there) == before


def test_a_complete_run_without_its_receipts_is_not_read_as_empty(
    there: Path, barbu: Barbu
) -> None:
    (there / "shards.parquet").unlink()
    for words in (("report", there), ("sql", there, "select 1")):
        assert "1 of 1 receipts are missing" in refused(barbu, *words)
    assert barbu("verify", there)[0] == 1
    assert barbu("resume", there, "--executor", "inline")[0] == 0
    assert barbu("verify", there)[0] == 0


RECEIPT: dict[str, tuple[dict[str, object], str]] = {
    "another run": ({"run": "q"}, "damaged: run: belongs to run q"),
    "another shard": ({"shard": 99}, "damaged: shard: 99"),
    "another variant": ({"variant": "q"}, "damaged: variant: q"),
    "games": ({"games": 10**6}, "damaged: games: 1000000, the run's shard 0 has 24"),
    "no number": ({"fouls": -5}, "damaged: fouls: "),
    "no digest": ({"digest": "q"}, "damaged: digest: "),
    "no files": ({"files": {}}, "damaged: files: deals, games, summary missing"),
    "files elsewhere": (
        {"files": {"../../q": {"rows": 1, "bytes": 1, "sha256": "0" * 64}}},
        "damaged: files",
    ),
}


@pytest.mark.parametrize("case", one_in(3, RECEIPT))
def test_a_damaged_receipt_of_an_unfinished_run_is_named(
    case: str, there: Path, barbu: Barbu
) -> None:
    changes, said = RECEIPT[case]
    run = Run.open(there)
    put_receipt(run.store, run.receipts()[0])
    run.with_manifest(status="interrupted", digest=None)
    (there / "shards.parquet").unlink()
    path = there / "_receipts" / "000000.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    before = content(there)
    for words in (("report", there), ("sql", there, "select 1"), ("resume", there)):
        line = refused(barbu, *words)
        assert "_receipts/000000.json: " in line
        assert said in line
    assert barbu("verify", there)[0] == 1
    assert content(there) == before


def test_a_run_that_comes_to_another_digest_than_it_did_is_not_finished(
    there: Path, barbu: Barbu
) -> None:
    run = Run.open(there)
    receipts = dict(run.receipts())
    receipts[0] = receipts[0].model_copy(update={"digest": "1" * 64})
    restate(run, receipts)
    assert "digest: was " in refused(barbu, "resume", there)
    assert Run.open(there).manifest.digest == run.manifest.digest


def test_explaining_a_copy_does_not_write_into_the_run(there: Path, barbu: Barbu) -> None:
    before = content(there)
    into = f"COPY (SELECT 1) TO '{there / TABLE}' (USE_TMP_FILE false)"
    for explain in ("EXPLAIN ANALYZE", "explain", "EXPLAIN (ANALYZE)", "EXPLAIN /* */ ANALYZE"):
        refused(barbu, "sql", there, f"{explain} {into}")
    change = "WITH x AS (DELETE FROM variants RETURNING *) SELECT * FROM x"
    assert "read-only" in refused(barbu, "sql", there, change)
    assert content(there) == before
    assert barbu("sql", there, "EXPLAIN ANALYZE SELECT count(*) FROM games")[0] == 0


def test_numbers_that_json_has_not_are_null_and_no_column_is_lost(base: Path, barbu: Barbu) -> None:
    query = "select 'nan'::double as a, 1 as a, ['inf'::double] as b"
    code, out, _ = barbu("sql", base, query, "--json")
    assert (code, json.loads(out)) == (0, [{"a": None, "a_2": 1, "b": [None]}])


def test_a_value_with_ends_of_line_and_escapes_stays_in_its_cell(base: Path, barbu: Barbu) -> None:
    code, out, _ = barbu("sql", base, "select e'a\\nb\\x1b[31m' as \"c\nd\"")
    assert code == 0
    assert out.splitlines() == ["c\\nd", "-" * 12, "a\\nb\\x1b[31m"]


def test_a_query_that_is_no_text_is_refused(base: Path) -> None:
    asked = subprocess.run(
        [*BARBU, "sql", base, "-"], input=b"\xff", capture_output=True, check=False
    )
    assert (asked.returncode, asked.stderr) == (2, b"error: query: not UTF-8 text\n")


@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", slowly(">&-"), slowly("2>&-")])
def test_closed_standard_streams_hurt_nothing(tmp_path: Path, barbu: Barbu, closed: str) -> None:
    (tmp_path / "bot.py").write_text(BOTS)
    (tmp_path / "run.toml").write_text(RUN.replace("random.v1", "bot.py:Loud"))
    words = " ".join(f"'{word}'" for word in BARBU)
    command = f"{words} run run.toml --out run --executor inline {closed}"
    env = os.environ | {"PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(command, shell=True, cwd=tmp_path, check=False, env=env)
    assert done.returncode == 0
    assert barbu("verify", tmp_path / "run")[0] == 0


def test_a_full_disk_behind_stdout_is_one_line(base: Path) -> None:
    with Path("/dev/full").open("w") as full:
        asked = subprocess.run(
            [*BARBU, "sql", base, "select 1"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert asked.returncode == 2
    assert "error: no space left on device" in asked.stderr
    assert "Traceback" not in asked.stderr


def test_a_driver_that_was_killed_leaves_a_folder_for_the_next_to_remove(tmp_path: Path) -> None:
    script = "import time\nfrom pipeline.executors.scratch import Scratch\ns = Scratch()\n"
    script += "print(s.folder, flush=True)\ntime.sleep(60)"
    with started([sys.executable, "-c", script], stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        left = Path(driver.stdout.readline().decode().strip())
        second = Scratch()
        assert left.is_dir()  # its driver lives
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    third = Scratch()
    assert not left.exists()
    assert second.folder.is_dir()
    for one in (second, third):
        one.remove()
        assert not one.folder.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path, barbu: Barbu) -> None:
    (tmp_path / "run.toml").write_text(RUN)
    tmp_path.chmod(0o500)
    said = refused(barbu, "run", tmp_path / "run.toml", "--out", tmp_path / "out")
    assert "out: cannot be made: permission denied" in said


def test_a_full_disk_ends_the_run_with_a_line_and_nothing_half_written(
    tmp_path: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def full(fd: int) -> None:
        if "deals-" in os.readlink(f"/proc/self/fd/{fd}"):
            raise OSError(28, "No space left on device")
        real(fd)

    (tmp_path / "run.toml").write_text(RUN)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        line = refused(barbu, "run", tmp_path / "run.toml", "--out", tmp_path / "out")
    assert "deals-000000.parquet: cannot be written: no space left on device" in line
    assert not list((tmp_path / "out").rglob("*.tmp"))
    assert Run.open(tmp_path / "out").manifest.status == "failed"
    assert barbu("resume", tmp_path / "out", "--executor", "inline")[0] == 0
    assert barbu("verify", tmp_path / "out")[0] == 0


def test_ctrl_c_ends_a_long_query_at_once(base: Path) -> None:
    query = "select count(*) from range(100000000) a, range(100000000) b"
    with started([*BARBU, "sql", base, query], stderr=subprocess.PIPE) as asked:
        time.sleep(2)
        asked.send_signal(signal.SIGINT)
        _, err = asked.communicate(timeout=60)
    assert (asked.returncode, err) == (130, b"")
