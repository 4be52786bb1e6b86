"""Runs in a bucket of an S3 server: written, read, mended, and fought over."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipeline import ledger
from pipeline.catalog import open_catalog
from pipeline.opening import new_manifest
from pipeline.run import RunResult, resume, run
from pipeline.run_file import load_run
from pipeline.store import Run
from pipeline.stores import StoreError, clouds, lease, store_at
from pipeline.stores.bucket import Bucket
from pipeline.verify import verify
from tests.runs import BASE, cut_into, entrants, played, small
from tests.s3 import BUCKET, SECRET, SLOW_S, Asked, Fault, Server, environment
from tests.samples import one_in

RUNS = f"s3://{BUCKET}/runs"
URI = f"{RUNS}/a"
FILE = """
title = "small"
seed = 7
variants = ["barbu_52_doubling"]
blocks = {blocks}
design = "lineups"
entrants = [{{ strategy = "duck.v1" }}, {{ strategy = "random.v1" }}]
lineups = [["duck.v1", "random.v1", "random.v1", "random.v1"]]
"""

COMMAND = [sys.executable, "-c", "import sys; from pipeline.cli import main; sys.exit(main())"]
Barbu = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def one_server() -> Iterator[Server]:
    server = Server()
    with environment(server):
        yield server
    server.end()


@pytest.fixture
def server(one_server: Server) -> Server:
    one_server.empty()
    return one_server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "run.toml"
    path.write_text(FILE.format(blocks=3))
    return path


class TestWholeLife:
    """Every command, on a run in a bucket and on its twin in a folder."""

    @pytest.fixture(scope="class")
    @classmethod
    def life(cls, one_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
        """The twin; what is below is only read."""
        one_server.empty()
        folder = tmp_path_factory.mktemp("twin") / "a"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 2))
            for out in (folder, URI):
                run(small(BASE[3:]), out, workers=2)
        return folder

    @pytest.mark.parametrize(
        "words",
        [
            ("status", "{run}", "--json"),
            ("verify", "{run}", "--replay", "0.5", "--executor", "inline", "--json"),
            ("sql", "{run}", "select * from deals_long order by all", "--json"),
            ("sql", "{run}", "select * exclude (ms) from shards order by all", "--csv"),
            ("sql", "{run}", "show tables"),
            ("replay", "{run}", "--variant", BASE[3], "--block", "1", "--deal", "3"),
            ("resume", "{run}", "--executor", "inline"),
        ],
        ids=lambda words: words[0],
    )
    def test_a_command_says_of_both_the_same(
        self, life: Path, barbu: Barbu, words: tuple[str, ...]
    ) -> None:
        said = []
        for where in (str(life), URI):
            code, out, err = barbu(*(word.format(run=where) for word in words))
            assert code == 0, err
            said.append(out.replace(where, "RUN").splitlines())
        timed = ("quiet_s", "seconds", "games_per_s", "now in")
        plain = [[s for s in lines if not any(t in s for t in timed)] for lines in said]
        assert plain[0] == plain[1]
        assert plain[0]

    def test_its_report_lies_beside_its_tables(self, life: Path, barbu: Barbu) -> None:
        code, out, err = barbu("report", URI, "--section", "league")
        assert (code, out) == (0, f"{URI}/report.html\n"), err
        assert barbu("report", life, "--section", "league")[0] == 0
        assert store_at(URI).get("report.html") == (life / "report.html").read_bytes()

    def test_tables_of_a_report_lie_in_a_folder_of_their_own(
        self, life: Path, barbu: Barbu
    ) -> None:
        words = ("--format", "csv", "--section", "league", "--out", f"{RUNS}/tables")
        code, out, err = barbu("report", URI, *words)
        assert (code, out) == (0, f"{RUNS}/tables\n"), err
        names = [entry.name for entry in store_at(f"{RUNS}/tables").entries()]
        assert "columns.md" in names
        store_at(f"{RUNS}/tables").put("letter.txt", b"dear")
        code, _, err = barbu("report", URI, *words)
        assert (code, err) == (
            2,
            f"error: --out: {RUNS}/tables holds letter.txt (want a new or empty folder)\n",
        )

    def test_records_are_files_here(
        self, life: Path, barbu: Barbu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        code, out, err = barbu("export", URI, "--games", "1", "--variant", BASE[3])
        assert (code, out) == (0, "1 games in a.records\n"), err
        assert len(list((tmp_path / "a.records").iterdir())) == 1

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("run", "smoke", "--out", URI), f"{URI}: holds a run already (barbu resume {URI})"),
            (("run", "smoke", "--out", RUNS), f"{RUNS}: is not empty (want a new folder"),
            (("status", f"{RUNS}/b"), f"{RUNS}/b: no run here (manifest.json is missing)"),
            (("export", URI, "--out", f"{RUNS}/x"), "--out: a URI: records are files on this"),
            (("demo", "--out", f"{RUNS}/x"), "--out: a URI: the demo is for this machine"),
            (("report", URI, "--open"), "--open: what lies in a bucket cannot be shown"),
            (("report", URI, f"{URI}/", "--out", "x.html"), "RUN: the same folder is given twice"),
            (("run", "smoke", "--out", f"s3://k:{SECRET}@x/y"), "s3://...: holds more than a"),
        ],
    )
    def test_what_it_refuses(
        self, life: Path, barbu: Barbu, words: tuple[str, ...], said: str
    ) -> None:
        before = one_line_each(store_at(URI))
        code, out, err = barbu(*words)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {said}"), err
        assert err.count("\n") == 1
        assert SECRET not in err
        assert one_line_each(store_at(URI)) == before


def one_line_each(store: Any) -> list[str]:
    return [str(entry) for entry in store.entries()]


def test_a_secret_is_in_no_file_and_no_line(server: Server, file: Path, barbu: Barbu) -> None:
    said = []
    for words in (
        ("run", file, "--out", URI),
        ("status", URI),
        ("report", URI, "--format", "json", "--section", "league"),
        ("verify", URI),
    ):
        code, *lines = barbu(*words)
        assert code == 0
        said += lines
    server.fault = lambda _: "403"
    code, *lines = barbu("verify", URI)
    assert code == 2
    said += lines
    everything = [*server.contents().values(), *(line.encode() for line in said)]
    assert len(everything) > 15
    for bad in (SECRET, "hunter2", "AKIATEST"):
        assert not [one for one in everything if bad.encode() in one]


def in_pieces(monkeypatch: pytest.MonkeyPatch, out: str | Path, blocks: int) -> RunResult:
    """Play a run whose every block is a shard."""
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))
    return played(small(BASE[3:], blocks=blocks), out)[1]


def test_a_shard_costs_a_request_for_each_file_and_four_more(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/stores.md says."""
    asked = []
    for blocks in (4, 9):
        server.asked.clear()
        in_pieces(monkeypatch, f"{RUNS}/{blocks}", blocks)
        asked.append(Counter(one.method for one in server.asked if ".lease" not in one.key))
    files = len(Run.open(f"{RUNS}/4").receipts()[0].files)
    assert (asked[1]["PUT"] - asked[0]["PUT"]) / 5 == files + 1
    assert (asked[1].total() - asked[0].total()) / 5 <= files + 4
    assert asked[0].total() - 4 * (files + 4) <= 35


def test_a_query_reads_the_columns_that_it_asks_for(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_pieces(monkeypatch, URI, 5)
    monkeypatch.setattr("pipeline.store.HASHED_AFAR_BYTES", 0)
    monkeypatch.setattr("pipeline.stores.arrow.WHOLE_BYTES", 0)
    server.asked.clear()
    with open_catalog(URI) as catalog:
        assert not [one for one in server.asked if "games-" in one.key]
        assert catalog.query("select count(score_0) from games").rows == [(40,)]
    asked = Counter(one.key for one in server.asked if "/" in one.key.removeprefix("runs/a/"))
    # The end of the file, which says where columns lie, and the column.
    assert asked == {f"runs/a/games/games-{n:06d}.parquet": 2 for n in range(5)}
    Bucket.at(URI).remove("games/games-000003.parquet")
    with pytest.raises(StoreError, match=r"games-000003.parquet: missing \(barbu resume plays"):
        open_catalog(URI)


def test_runs_of_a_bucket_are_listed(server: Server, barbu: Barbu, file: Path) -> None:
    assert barbu("run", file, "--out", URI)[0] == 0
    code, out, err = barbu("runs", RUNS, "--json")
    assert code == 0, err
    (told,) = json.loads(out)
    assert (told["run"], told["name"], told["status"]) == (URI, "a", "complete")


def test_a_study_and_its_page_lie_in_a_bucket(server: Server, barbu: Barbu) -> None:
    words = ("study", "value", BASE[3], "--blocks", "2", "--worlds", "2", "--executor", "inline")
    code, out, err = barbu(*words, "--out", URI)
    assert code == 0, err
    assert f"page   {URI}/report.html" in out
    assert store_at(URI).entry("report.html") is not None
    assert barbu("replay", URI, "--step", "1")[0] == 0


FAULTS: tuple[Fault, ...] = ("503", "500", "lost", "slow", "cut", "drop")


@pytest.mark.parametrize("kind", one_in(2, FAULTS))
def test_what_goes_wrong_on_the_way_changes_nothing(
    server: Server, tmp_path: Path, kind: Fault
) -> None:
    config = small(BASE[3:], blocks=2)
    _, clean = played(config, tmp_path / "clean")
    server.asked.clear()
    chance = random.Random(8)
    wrong = []

    def fault(asked: Asked) -> Fault | None:
        if chance.random() > (0.1 if kind == "slow" else 0.2):
            return None
        wrong.append(asked)
        return kind

    server.fault = fault
    with environment(server, patience_s=SLOW_S / 2 if kind == "slow" else 30):
        _, result = played(config, URI)
    server.fault = lambda _: None
    assert result.digest == clean.digest
    assert verify(Run.open(URI)).ok
    assert wrong
    left = {name.partition("/")[2] for name in server.contents()}
    assert "a/.lease" not in left
    assert not [name for name in left if "_receipts" in name]


def test_a_shard_that_cannot_be_written_for_a_while_is_tried_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = 1 + clouds.RETRY["max_retries"]
    deals = [0]

    def fault(asked: Asked) -> Fault | None:
        deals[0] += asked.method == "PUT" and "/deals/" in asked.key
        return "503" if "/deals/" in asked.key and deals[0] <= patience else None

    server.fault = fault
    in_pieces(monkeypatch, URI, 2)
    assert deals[0] == patience + 2
    assert verify(Run.open(URI)).ok


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("403", "cannot be listed: access denied (InvalidAccessKeyId)"),
        ("503", "cannot be listed: the server asks to slow down (SlowDown)"),
        ("500", "cannot be listed: the server answers 500 (InternalError)"),
        ("slow", "cannot be listed: no answer in time"),
        ("cut", "cannot be listed: the connection broke off"),
        ("drop", "cannot be listed: the connection broke off"),
    ],
)
def test_a_server_that_does_not_answer_is_one_line(
    server: Server, file: Path, barbu: Barbu, kind: Fault, said: str
) -> None:
    server.fault = lambda _: kind
    with environment(server, patience_s=SLOW_S / 2 if kind == "slow" else 30):
        assert barbu("run", file, "--out", URI) == (2, "", f"error: {URI}: {said}\n")
    assert len(server.asked) <= 9
    assert server.contents() == {}


def test_no_bucket_and_no_server_are_one_line(server: Server, file: Path, barbu: Barbu) -> None:
    said = "cannot be listed: there is no such bucket (NoSuchBucket)"
    out = "s3://no-such-bucket/run"
    assert barbu("run", file, "--out", out) == (2, "", f"error: {out}: {said}\n")
    with environment(server, {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}):
        code, _, err = barbu("status", URI)
        assert (code, err) == (
            2,
            f"error: {URI}/manifest.json: cannot be read: cannot be reached (is AWS_ENDPOINT_URL "
            "and AWS_REGION right?)\n",
        )
    with environment(server, {"AWS_ALLOW_HTTP": "no"}):
        code, _, err = barbu("status", URI)
        assert (code, err.partition("read: ")[2]) == (
            2,
            "an http:// endpoint is refused (AWS_ALLOW_HTTP=true allows it)\n",
        )


def test_a_file_that_is_cut_or_changed_is_found_and_mended(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, there = in_pieces(monkeypatch, URI, 3), Run.open(URI)
    deals, games = there.files("deals")[0], there.files("games")[1]
    whole = there.store.get(deals)
    server.replace(f"runs/a/{deals}", whole[:-1])
    flipped = bytearray(there.store.get(games))
    flipped[len(flipped) // 2] ^= 1
    server.replace(f"runs/a/{games}", bytes(flipped))
    said = "".join(verify(there).problems)
    assert f"{URI}/{games}: content differs from its receipt (sha256)" in said
    assert f"{URI}/{deals}: {len(whole) - 1} bytes, its receipt says {len(whole)}" in said
    assert resume(URI, executor="inline").digest == result.digest
    assert verify(Run.open(URI)).ok


def test_of_runs_that_begin_at_once_each_has_its_own_number(server: Server) -> None:
    bounds = cut_into(small(BASE[:1]), 1)
    numbers = []

    def begin(seed: int) -> None:
        config = small(BASE[:1], seed=seed)
        names = {entrant.label: entrant.strategy for entrant in config.entrants}
        numbers.append(ledger.begin(store_at(RUNS), new_manifest(config, bounds, names))[0].number)

    together([partial(begin, seed) for seed in range(5)])
    assert sorted(numbers) == [1, 2, 3, 4, 5]


def together(calls: list[Callable[[], Any]]) -> None:
    """Call all of them at the same time."""
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_of_two_that_take_over_from_a_killed_driver_one_does(
    server: Server, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(FILE.format(blocks=400))
    words = ("run", file, "--out", URI, "--executor", "inline")
    killed = subprocess.Popen([*COMMAND, *map(str, words)])
    until(lambda: any("_receipts" in name for name in server.contents()))
    killed.kill()
    killed.wait()
    assert "runs/a/.lease" in server.contents()
    monkeypatch.setattr(lease, "LEASE_S", 1.0)
    monkeypatch.setattr(lease, "RENEW_S", 0.1)
    came: list[object] = []

    def go_on() -> None:
        try:
            came.append(resume(URI, workers=1).digest)
        except StoreError as error:
            came.append(str(error))

    together([go_on, go_on])
    _, alone = played(load_run(str(file)), tmp_path / "alone")
    assert came == [f"{URI}: another process is writing this run", alone.digest]
    assert verify(Run.open(URI)).ok
    assert "runs/a/.lease" not in server.contents()


def until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not there():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("executor", "player"),
    [("local", "lowest.v1"), pytest.param("ray", "duck.v1", marks=pytest.mark.ray)],
)
def test_workers_that_are_processes_write_there_too(
    server: Server, tmp_path: Path, executor: str, player: str
) -> None:
    """They are told the address alone; lowest.v1 is in Python, so it is played by processes."""
    config = small(BASE[3:], entrants=entrants(player, "random.v1"), design="gauntlet", lineups=())
    _, alone = played(config, tmp_path / "alone")
    _, result = played(config, URI, executor=executor, workers=2)
    assert result.digest == alone.digest
    assert verify(Run.open(URI)).ok


def test_ctrl_c_is_heard_while_a_server_is_silent(server: Server) -> None:
    server.fault, server.slow_s = lambda _: "slow", 3.0
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        store_at(URI).get("manifest.json")
    assert time.monotonic() - begun < 2.5


ASKS_AND_ENDS = """
import os, sys
import pipeline.stores.bucket
from pipeline.stores import store_at

children = []
sys.setswitchinterval(5)
for _ in range(16):
    if not (child := os.fork()):
        assert store_at(sys.argv[1]).entry("manifest.json") is None
        break
    children.append(child)
else:
    print([os.waitpid(child, 0)[1] for child in children])
"""


def test_a_process_that_ends_after_an_answer_ends_well(server: Server) -> None:
    """No thread of the client's still wants to be heard then: that would abort the process. The long
    interval makes such a thread wait."""
    assert server.contents() == {}
    command = [sys.executable, "-c", ASKS_AND_ENDS, URI]
    ended = subprocess.run(command, capture_output=True, check=True)
    assert json.loads(ended.stdout) == [0] * 16


class TestCredentials:
    """Whom a bucket's client asks for them."""

    @pytest.fixture
    def home(self, tmp_path: Path) -> Path:
        path = tmp_path / "credentials"
        path.write_text(f"[mine]\naws_access_key_id = AKIAMINE\naws_secret_access_key = {SECRET}\n")
        return path

    def test_a_profile_is_read_by_boto3(self, server: Server, home: Path) -> None:
        files = {"AWS_SHARED_CREDENTIALS_FILE": str(home), "AWS_PROFILE": "mine"}
        with environment(server, files) as patch:
            patch.delenv("AWS_ACCESS_KEY_ID")
            patch.delenv("AWS_SECRET_ACCESS_KEY")
            store_at(URI).put("x", b"1")
            assert store_at(URI).get("x") == b"1"
        with environment(server, files) as patch:
            patch.delenv("AWS_ACCESS_KEY_ID")
            patch.setitem(sys.modules, "boto3", None)
            patch.delitem(sys.modules, "obstore.auth.boto3")
            with pytest.raises(
                StoreError, match=r"AWS_PROFILE: is read by boto3, .*barbu-sim\[aws"
            ):
                store_at(URI)
        with environment(server, files | {"AWS_PROFILE": "nobody"}) as patch:
            patch.delenv("AWS_ACCESS_KEY_ID")
            with pytest.raises(StoreError, match=r"barbu-test: AWS_PROFILE: gives no credentials$"):
                store_at(URI)

    @pytest.mark.parametrize(
        ("uri", "more", "said"),
        [
            ("az://container", {}, "no account (want AZURE_STORAGE_ACCOUNT_NAME set)"),
            (
                "az://container",
                {"AZURE_STORAGE_ACCOUNT_NAME": "me", "AZURE_STORAGE_ACCOUNT_KEY": SECRET},
                "what AZURE_... in the environment says is no use (want AZURE_STORAGE_ACCOUNT_KEY, "
                "AZURE_CLIENT_ID and _SECRET, or a machine with an identity)",
            ),
            (
                "gs://bucket",
                {"GOOGLE_APPLICATION_CREDENTIALS": f"/{SECRET}"},
                "what GOOGLE_... in the environment says is no use (want "
                "GOOGLE_APPLICATION_CREDENTIALS, or a machine with a service account)",
            ),
        ],
    )
    def test_of_google_and_azure_too(
        self, server: Server, barbu: Barbu, uri: str, more: dict[str, str], said: str
    ) -> None:
        with environment(server, more):
            code, _, err = barbu("status", f"{uri}/run")
        assert code == 2
        assert err == f"error: {uri}: {said}\n"
