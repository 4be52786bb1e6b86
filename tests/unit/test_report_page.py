"""The page of a run: whole, quiet, the same every time, and true to the sign."""

import re
from pathlib import Path

import polars as pl
import pytest
from plotly.offline import get_plotlyjs

from pipeline.cli import main
from pipeline.store import Run, put_table
from pipeline.stores import store_at
from reports.build import build
from reports.commands import write as write_report
from reports.glossary import words_of
from reports.reading import opened
from reports.sections.league import League
from tests.unit.invented import config, restate, write

VARIANTS = ("barbu_52_doubling", "barbu_king_br")


def _page(folder: Path) -> str:
    with opened(folder) as run:
        return build(run)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write(folder, config(VARIANTS, blocks=16), lift=60)
    return folder


@pytest.fixture(scope="module")
def page(run: Path) -> str:
    return _page(run)


@pytest.fixture(scope="module")
def own(page: str) -> str:
    """The page without plotly.js."""
    return page.replace(get_plotlyjs(), "")


def test_plotly_js_stands_in_it_once_and_the_page_is_light(page: str, own: str) -> None:
    assert page.count(get_plotlyjs()) == 1
    assert len(page.encode()) < 6_000_000
    assert len(own) < 600_000


def test_it_asks_nothing_of_the_network(own: str) -> None:
    assert not re.findall(r"""(?:src|href)=["'](?!#)[^"']*""", own)
    assert not re.findall(r"https?://(?!www\.w3\.org)", own)
    assert '"modeBarButtonsToRemove": ["sendChartToCloud"' in own


def test_the_same_run_gives_the_same_bytes_however_it_was_cut(
    page: str, run: Path, tmp_path: Path
) -> None:
    assert _page(run) == page
    # The invented results depend on the shards, so turn the files and not the cut.
    there = Run.open(run)
    for path in run.rglob("*"):
        if path.is_file():
            (tmp_path / path.relative_to(run)).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path.relative_to(run)).write_bytes(path.read_bytes())
    first, second = (there.read("summary", shard) for shard in (0, 1))
    put_table(store_at(tmp_path), "summary", 1, first.with_columns(shard=pl.lit(1, pl.UInt32)), {})
    put_table(store_at(tmp_path), "summary", 0, second.with_columns(shard=pl.lit(0, pl.UInt32)), {})
    games = there.read("games", 0).reverse()
    put_table(store_at(tmp_path), "games", 0, games, {})
    restate(tmp_path)
    assert _page(tmp_path) == page


def test_every_drawing_has_an_id_a_caption_and_its_data_in_a_table(own: str) -> None:
    ids = re.findall(r'<div id="([^"]+)" class="plotly-graph-div"', own)
    assert len(ids) == len(set(ids)) >= 10
    assert own.count("<figcaption>") == own.count("<figure>") == len(ids)
    anchors = re.findall(r' id="([^"]+)"', own)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', own)) <= set(anchors)
    assert '<html lang="en">' in own
    assert own.count("<table>") == own.count("<caption>")
    assert 'scope="col"' in own
    assert 'scope="row"' in own


def test_the_head_says_how_to_replay_it(own: str) -> None:
    for text in ("ab" * 32, "barbu verify RUN", "barbu run FILE", ">7<", "0.1.0"):
        assert text in own


def test_what_has_nothing_to_say_is_one_line_and_not_in_the_contents(own: str) -> None:
    contents, rest = own.split("</nav>")
    assert "barbu_king_br-doubling" not in own
    assert 'href="#barbu_52_doubling-doubling"' in contents
    said = "\N{LEFT DOUBLE QUOTATION MARK}Doubling\N{RIGHT DOUBLE QUOTATION MARK} is left out"
    assert f"{said}: these rules have no doubling." in rest
    assert 'class="missing"' not in rest.split('id="barbu_king_br"')[0]


def test_words_and_signs_are_explained(own: str) -> None:
    words = own.split("Words and signs of this page")[1].split("</details>", maxsplit=1)[0]
    for word in ("ranks possible", "seat-game", "settlement", "Benjamini-Hochberg", "dossier"):
        assert word in words


def test_an_unfinished_run_says_how_much_is_missing(tmp_path: Path) -> None:
    write(tmp_path, config(("barbu_fr_reussite",), blocks=4), shards=0)
    shown = _page(tmp_path)
    assert "This run is not finished: 4 blocks of 4 and 16 games of 16 are missing." in shown


def test_doubles_are_told_entrant_by_entrant_and_pooled_in_a_fold_only(own: str) -> None:
    part = own.split('<section id="barbu_52_doubling-doubling" ')[1].split(
        "</section>", maxsplit=1
    )[0]
    finding = part.split('<p class="finding">')[1].split("</p>")[0]
    assert [line.split(" made ")[0] for line in finding.split("\n")] == ["anna", "bert"]
    pooled = part.index("<summary>All entrants pooled, who may double differently")
    assert pooled > part.rindex("<figure>")
    assert ">all</th>" not in part[:pooled]
    assert "anna" not in part[pooled:]


def test_columns_in_words_begin_at_the_left_and_figures_end_at_the_right(own: str) -> None:
    pair = own.split("<caption>Differences of pairs, on the same blocks")[1].split(
        "</table>", maxsplit=1
    )[0]
    assert re.search(r'<th scope="row">[^<]* less [^<]*</th><td>[^<]*</td><td>', pair)
    assert re.search(r'<td class="said">(told apart|identical|not told apart)</td>', pair)
    roles = own.split("<summary>By entrant, contract and role")[1].split("</table>", maxsplit=1)[0]
    assert '<th scope="col" class="said">role</th>' in roles
    assert '<td class="said">1st after</td><td>' in roles


def test_no_line_begins_with_a_per_cent_sign(own: str) -> None:
    for part in re.findall(r"<(?:p|li|figcaption)[^>]*>([^<]*)<", own):
        assert not re.search(r"\d %", part)
    assert "\N{NO-BREAK SPACE}%" in own


def test_line_ups_tell_the_better_entrant_first(tmp_path: Path) -> None:
    write(tmp_path, config(VARIANTS[:1], blocks=8), lift=-60)
    with opened(tmp_path) as reading:
        tables = League().compute(reading, VARIANTS[0])
    order = tables["standings"]["entrant"].to_list()
    assert order == ["bert", "anna"]
    assert tables["lineups"].height
    for _, one in tables["lineups"].group_by("lineup", maintain_order=True):
        assert one["entrant"].to_list() == order


def test_counts_have_their_thousands_apart(own: str) -> None:
    cells = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", own)
    assert not [cell for cell in cells if re.fullmatch(r"\d{4,}", cell)]
    assert any("\N{NARROW NO-BREAK SPACE}" in cell for cell in cells)


def test_own_less_the_others_is_more_than_own_less_the_mean(run: Path) -> None:
    with opened(run) as reading:
        tables = League().compute(reading, VARIANTS[0])
        listings = League().render(tables, reading.rules(VARIANTS[0])).listings
    both = next(one for one in listings if "the others alone" in one.caption)
    points = tables["standings"]["points_value"]
    for row, value in zip(both.rows, points, strict=True):
        assert float(row[3].replace("\N{MINUS SIGN}", "-")) == pytest.approx(value * 4 / 3, abs=0.6)


def test_the_page_names_no_place_and_no_time(own: str, run: Path) -> None:
    assert str(run) not in own
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", own)


def test_lowest_wins_is_shown_in_the_documents_sign(own: str) -> None:
    # The first entrant has 60 inside points a game more than its cards gave.
    high, low = re.findall(r"anna is first with (\S+) .*?mean( \(lower is better here\))?,", own)
    assert high[0].startswith("+")
    assert high[1] == ""
    assert low[0].startswith("\N{MINUS SIGN}")
    assert low[1] != ""


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_surely_better_entrant_cannot_be_second(run: Path, variant: str) -> None:
    with opened(run) as reading:
        standings = League().compute(reading, variant)["standings"]
    ranks = standings.select("entrant", "best", "worst").rows()
    assert ranks == [("anna", 1, 1), ("bert", 2, 2)]


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    nasty = "</script><img src=x onerror=alert(1)>"
    named = config(("barbu_fr_reussite",), (nasty, "b&b"), 4)
    write(tmp_path, named.model_copy(update={"title": f"</title>{nasty}"}))
    shown = _page(tmp_path).replace(get_plotlyjs(), "")
    assert "<img" not in shown
    assert shown.count("</script>") == shown.count("<script")
    assert shown.count("</title>") == 1
    assert "b&amp;b" in shown


def test_equal_entrants_are_not_told_apart(tmp_path: Path) -> None:
    write(tmp_path, config(("barbu_fr_reussite",), blocks=8))
    shown = _page(tmp_path)
    assert "no two entrants can be told apart yet" in shown
    assert "not surely better than every other entrant" in shown


def test_the_command_writes_beside_the_run_or_where_it_is_told(
    run: Path, page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(run)]) == 0
    assert capsys.readouterr().out.strip() == str(run / "report.html")
    assert (run / "report.html").read_text() == page
    assert write_report(run, tmp_path / "new" / "a.html").read_text() == page


def test_contracts_are_named_in_the_readers_language(run: Path, own: str, tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    assert main(["report", str(run), "--out", str(out), "--language", "ca"]) == 0
    told = out.read_text().replace(get_plotlyjs(), "")
    assert "Sense el rei de cors" in told
    assert "barbu report RUN --language ca" in told
    assert "No king of hearts" not in told
    assert "No king of hearts" in own
    assert "Sense el rei de cors" not in own


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("{run}", "--language", "de"), "'en', 'pt', 'fr', 'ca'"),
        (("{tmp}/none",), "none"),
        (("{run}", "--out", "{tmp}"), "is a folder"),
    ],
)
def test_the_users_mistakes_end_with_2_and_one_line(
    run: Path,
    tmp_path: Path,
    words: tuple[str, ...],
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["report", *(w.format(run=run, tmp=tmp_path) for w in words)]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1


def test_only_the_words_of_a_page_are_explained() -> None:
    said = words_of("<p>Mean of <b>Worlds</b>, Hotelling&#x27;s test</p>")
    assert [word for word, _ in said] == ["worlds", "Hotelling's test"]
