"""What nodes say of themselves, and what is done with those that say something else."""

import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest

from engine_ext.batch import StopFlag
from engine_ext.errors import UserError
from pipeline import executors
from pipeline.config import Entrant
from pipeline.executors import Lost, handshake
from pipeline.executors import ray as module
from pipeline.executors.handshake import Asked, asked_of, broken, code_id, differing, say
from pipeline.executors.joining import checked
from pipeline.executors.ray import Cluster
from pipeline.executors.shipping import unpack
from pipeline.plan import Shard
from pipeline.store import Run
from pipeline.stores import StoreError
from tests.runs import entrants, played, small

BOT = """
from strategies import register

@register("bot.v1")
class Bot:
    def play(self, view):
        return {card}
"""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Run:
    config = small(("king_ru_fixed14",), blocks=1)
    return played(config, tmp_path_factory.mktemp("handshake") / "run")[0]


def test_two_processes_of_one_installation_say_the_same(there: Run) -> None:
    here = say(asked_of(there), "driver")
    assert set(here) == {
        *("barbu-sim", "numpy", "polars", "code", "rules of king_ru_fixed14"),
        *("strategy duck.v1", "strategy random.v1", f"run at {there.store.where}"),
    }
    assert differing(here, say(asked_of(there), "node")) == []
    assert not list(there.folder.glob(".handshake*"))


def test_of_another_release_that_alone_is_told() -> None:
    here = {"barbu-sim": "0.2.0", "numpy": "2.4", "code": "a"}
    found = differing(here, {"barbu-sim": "0.1.0", "numpy": "2.4", "code": "b"})
    assert found == ["barbu-sim: 0.1.0 there, 0.2.0 here"]
    assert differing(here, here | {"code": "b"}) == ["code: b there, a here"]
    assert differing({"code": "a"}, {}) == ["code: not told there, a here"]


def test_a_changed_source_is_another_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "mine"
    (home / "inner").mkdir(parents=True)
    (home / "inner" / "a.py").write_text("x = 1\n")
    packages = (SimpleNamespace(__name__="mine", __path__=[str(home)]),)
    monkeypatch.setattr(handshake, "CODE", packages)
    first = code_id()
    assert code_id() == first
    (home / "inner" / "a.py").write_text("x = 2\n")
    second = code_id()
    (home / "inner" / "a.py").rename(home / "inner" / "b.py")
    third = code_id()
    monkeypatch.setattr(handshake, "build_info", lambda: {"source": "other"})
    assert len({first, second, third, code_id()}) == 4


def test_a_strategy_of_the_same_name_in_another_file_is_told(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    who = (Entrant(strategy=f"{bot}:Bot", name="he"), *entrants("random.v1"))
    config = small(("king_ru_fixed14",), entrants=who, lineups=(), design="gauntlet")
    asked = Asked(config.model_dump_json(), None, "")
    bot.write_text(BOT.format(card="view.legal & -view.legal"))
    here = say(asked, "driver")
    assert here["strategy he"].startswith("bot.v1 (bot.py: sha256 ")
    bot.write_text(BOT.format(card="0"))
    (line,) = differing(here, say(asked, "node"))
    assert line.startswith("strategy he: bot.v1 (bot.py: sha256 ")
    bot.unlink()
    (line,) = differing(here, say(asked, "node"))
    assert f"cannot be had (strategy '{bot}:Bot': there is no file {bot})" in line


def test_a_run_that_is_not_seen_or_is_another_is_told(there: Run, tmp_path: Path) -> None:
    asked = asked_of(there)
    assert asked.where is not None
    here = say(asked, "driver")
    elsewhere = there.folder.rename(tmp_path / "away")
    try:
        (line,) = differing(here, say(asked, "node"))
    finally:
        elsewhere.rename(there.folder)
    assert line == f"run at {there.where}: not seen there, {there.manifest.run} here"


def test_terms_are_held_against_a_process_once(there: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, calls = asked_of(there), []
    here = say(asked, "driver")

    def counted(*words: Any) -> dict[str, str]:
        calls.append(words)
        return say(*words)

    monkeypatch.setattr(handshake, "say", counted)
    good = pickle.dumps((asked, here))
    assert broken(good, "node") == broken(good, "node") == []
    assert len(calls) == 1
    bad = pickle.dumps((asked, here | {"numpy": "0"}))
    assert len(broken(bad, "node")) == len(broken(bad, "node")) == 1
    assert len(calls) == 3


@pytest.mark.parametrize(
    "address", ["local", "auto", "10.0.0.1:6379", "ray://head:10001", "[::1]:1"]
)
def test_an_address_of_a_cluster(address: str) -> None:
    assert checked(address, "--address") == address


@pytest.mark.parametrize("address", ["http://head:8265", "head", "head:", "ray://head", "a b:1"])
def test_no_address_of_a_cluster(address: str) -> None:
    with pytest.raises(UserError, match=r"--address: .* is no address of a Ray cluster \(want "):
        checked(address, "--address")


def test_options_of_a_cluster_are_for_a_cluster() -> None:
    assert executors.choose("ray", None, "auto", ["a.whl"]) == "ray"
    with pytest.raises(UserError, match="--address: is for --executor ray, not local"):
        executors.choose("local", None, "auto")
    with pytest.raises(UserError, match="--ship: is for --executor ray, not inline"):
        executors.choose("inline", None, None, ["a.whl"])
    assert executors.choose("ray", 20_000) == "ray"
    with pytest.raises(UserError, match="--workers: 20000 "):
        executors.choose("local", 20_000)


def test_a_wheel_is_unpacked_and_others_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "a-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as packed:
        packed.writestr("a/__init__.py", "")
        packed.writestr("a-1.dist-info/METADATA", "Name: a")
    found = unpack([str(wheel)], tmp_path / "there")
    assert [Path(path).name for path in found] == ["a", "a-1.dist-info"]
    (tmp_path / "b.whl").write_text("no zip")
    with ZipFile(tmp_path / "c.whl", "w") as packed:
        packed.writestr("c.so", "")
    for name, why in (
        ("b.whl", "is no wheel (not a zip file)"),
        ("c.whl", "c.so: want packages or .py files in it"),
        ("d.whl", "cannot be read: no such file or directory"),
        ("e.zip", "is no wheel (want one that `pip wheel` made)"),
    ):
        with pytest.raises(UserError) as refused:
            unpack([str(tmp_path / name)], tmp_path / name.upper())
        assert str(refused.value) == f"--ship: {tmp_path / name}: {why}"


class Task(NamedTuple):
    where: str
    shard: Shard


def play(task: Task, stop: StopFlag) -> str | None:
    raise AssertionError("nobody plays here")


def piece(number: int) -> Task:
    return Task("run", Shard(number, "v", number, 1, 0, 1, True))


class WorkerCrashedError(Exception):
    pass


class RayTaskError(Exception):
    def __init__(self, cause: Exception) -> None:
        self.cause = cause


class FakeRay:
    """Answers at once with what ``answers`` has, by node asked for."""

    exceptions = SimpleNamespace(
        RayTaskError=RayTaskError, RayError=Exception, RuntimeEnvSetupError=KeyError
    )

    def __init__(self, cpus: dict[str, float]) -> None:
        self.cpus = cpus
        self.answers: list[Any] = []
        self.sent: list[dict[str, Any]] = []
        self.asked = 0

    def nodes(self) -> list[dict[str, Any]]:
        self.asked += 1
        return [
            {"NodeID": node, "NodeManagerHostname": node, "Alive": True, "Resources": {"CPU": cpu}}
            for node, cpu in self.cpus.items()
        ]

    def put(self, value: object) -> object:
        return value

    def remote(self, **options: Any) -> Any:
        return lambda _: self.bound(options)

    def bound(self, options: dict[str, Any]) -> Any:
        def submit(*_: object) -> int:
            self.sent.append(options)
            return len(self.sent) - 1

        return SimpleNamespace(
            remote=submit, options=lambda **more: self.bound(options | more), **options
        )

    def wait(self, refs: list[int], *, num_returns: int, timeout: float | None) -> Any:
        there = [ref for ref in refs if ref < len(self.answers)][:num_returns]
        return there, [ref for ref in refs if ref not in there]

    def get(self, ref: int) -> Any:
        answer = self.answers[ref]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    ray = FakeRay({"a": 2, "b": 4, "head": 0})
    session = SimpleNamespace(ray=ray, own=True, n_hands=1)  # it has met its nodes
    monkeypatch.setattr(module, "joined", lambda *_: session)
    return ray


def cluster(there: Run) -> Cluster[Task, str]:
    return Cluster(play, None, asked_of(there))


def test_what_comes_to_nothing_is_lost_with_its_cause(there: Run, fake: FakeRay) -> None:
    hands = cluster(there)
    mistake = ZeroDivisionError("ours")
    failures = (WorkerCrashedError("long\nstory"), RayTaskError(StoreError("full")))
    fake.answers = [*failures, (None, "done"), RayTaskError(mistake), OSError("two\nlines")]
    for number in range(5):
        hands.submit(piece(number))
    assert hands.completed(0.0) == Lost(0, "worker died")
    assert hands.completed(0.0) == Lost(1, "full", store=True)
    assert hands.completed(0.0) == "done"
    with pytest.raises(ZeroDivisionError, match="ours"):
        hands.completed(0.0)
    assert hands.completed(0.0) == Lost(4, "two lines")
    assert all(sent["max_retries"] == 0 for sent in fake.sent)
    hands.submit(piece(5))
    assert hands.completed(0.0) is None


def test_what_a_node_refuses_goes_elsewhere(
    there: Run, fake: FakeRay, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = cluster(there)
    fake.answers = [(("b", "host", ["numpy: 1 there, 2 here"]), None)]
    hands.submit(piece(0))
    assert hands.completed(0.0) is None
    assert fake.sent[1]["label_selector"] == {"ray.io/node-id": "!in(b)"}
    assert capsys.readouterr().err == "left out: node host (b): numpy: 1 there, 2 here\n"
    fake.answers += [(None, "done")]
    assert hands.completed(0.0) == "done"
    fake.answers += [(("a", "other", ["code: x there, y here"]), None)]
    hands.submit(piece(1))
    with pytest.raises(UserError, match=r"node host \(b\): numpy.*; node other \(a\): code"):
        hands.completed(0.0)


def test_the_window_follows_the_cluster_and_is_seldom_asked(
    there: Run, fake: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    hands = cluster(there)
    assert [hands.window for _ in range(1000)] == [18] * 1000
    assert fake.asked == 1
    fake.cpus["c"] = 100
    clock.now += module.AGAIN_S
    assert hands.window == 3 * 106


def test_nodes_that_differ_are_all_named_before_anything_is_played(
    there: Run, fake: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SimpleNamespace(ray=fake, own=True, n_hands=0)
    monkeypatch.setattr(module, "joined", lambda *_: session)
    affinity = "ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy"
    monkeypatch.setattr(affinity, lambda node, soft: (node, soft))
    fake.answers = [(("a", "one", ["polars: 1 there, 2 here"]), None), (None, None)]
    with pytest.raises(UserError, match=r"^node one \(a\): polars: 1 there, 2 here$"):
        cluster(there)
    assert len(fake.sent) == 2  # the head has no processor
    assert [sent["scheduling_strategy"] for sent in fake.sent] == [("a", False), ("b", False)]
    assert all(sent["num_cpus"] == 0 for sent in fake.sent)


def test_a_cluster_that_gets_no_processor_is_refused(
    there: Run, fake: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SimpleNamespace(ray=fake, own=False, n_hands=0)
    monkeypatch.setattr(module, "joined", lambda *_: session)
    fake.cpus = {"head": 0}
    with pytest.raises(UserError, match=r"the Ray cluster has no CPU \(waited 900 s for one\)"):
        cluster(there)
