"""Whose a tuning's folder is."""

from pathlib import Path

import pytest

from pipeline.stores import Store, StoreError, store_at
from pipeline.tuning import keeping
from pipeline.tuning.keeping import BEGUN, is_tuning, kept
from pipeline.tuning.tuning_file import Tuning, load_tuning
from tests.tuning_files import SCALES, written


@pytest.fixture
def tuning(tmp_path: Path) -> Tuning:
    return load_tuning(written(tmp_path))


def begun(out: Path, tuning: Tuning) -> Store:
    with kept(str(out), tuning) as store:
        return store


def test_a_new_folder_becomes_the_tunings_own(tmp_path: Path, tuning: Tuning) -> None:
    out = tmp_path / "deep" / "out"
    assert not is_tuning(store_at(out))
    begun(out, tuning)
    before = (out / BEGUN).read_bytes()
    begun(out, tuning)
    assert is_tuning(store_at(out))
    assert (out / BEGUN).read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("seed = 5", "seed = 6", "seed"),
        ("values = [41]", "values = [30]", "knobs"),
        ('base = "barbu_king_br"', 'base = "barbu_king_br_honour"', "base"),
    ],
)
def test_another_tuning_is_refused_by_its_key(
    tmp_path: Path, tuning: Tuning, old: str, new: str, key: str
) -> None:
    out = tmp_path / "out"
    begun(out, tuning)
    before = (out / BEGUN).read_bytes()
    assert old in SCALES
    other = load_tuning(written(tmp_path, SCALES.replace(old, new)))
    with pytest.raises(StoreError, match=rf"holds another tuning: {key} is not that"):
        begun(out, other)
    assert (out / BEGUN).read_bytes() == before


def test_the_same_name_of_other_rules_is_another_tuning(tmp_path: Path) -> None:
    text = SCALES.replace('"barbu_king_br"', '"own.toml"')
    own = tmp_path / "own.toml"
    own.write_text('extends = "barbu_king_br"\ntitle = "Own"\nsource = "us"\n')
    begun(tmp_path / "out", load_tuning(written(tmp_path, text)))
    own.write_text('extends = "barbu_king_br_honour"\ntitle = "Own"\nsource = "us"\n')
    with pytest.raises(StoreError, match=r"base \(its rules\)"):
        begun(tmp_path / "out", load_tuning(written(tmp_path, text)))


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, tuning: Tuning) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    with pytest.raises(StoreError, match="is not empty"):
        begun(tmp_path / "full", tuning)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter.txt"]


def test_two_at_once_are_refused(tmp_path: Path, tuning: Tuning) -> None:
    out = str(tmp_path / "out")
    with kept(out, tuning), pytest.raises(StoreError, match="another process"), kept(out, tuning):
        pass


def test_another_version_does_not_go_on(
    tmp_path: Path, tuning: Tuning, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(tmp_path / "out", tuning)
    here = keeping.versions()
    assert set(here) == {"barbu-sim", "optuna", "SALib"}
    monkeypatch.setattr(keeping, "versions", lambda: here | {"optuna": "9.9"})
    with pytest.raises(StoreError, match=r"begun with optuna 5\..* this is 9\.9"):
        begun(tmp_path / "out", tuning)


def test_a_damaged_file_is_named(tmp_path: Path, tuning: Tuning) -> None:
    begun(tmp_path / "out", tuning)
    (tmp_path / "out" / BEGUN).write_text("{")
    with pytest.raises(StoreError, match=r"begun\.json: damaged: not JSON"):
        begun(tmp_path / "out", tuning)
