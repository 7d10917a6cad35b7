"""The benchmarks: that they still run, and that what they print is kept."""

import csv
import sys
from dataclasses import fields
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import history, timing
from tests.report.conftest import campaign, html  # noqa: F401
from tests.report.test_browser import NEEDED, chromium, report  # noqa: F401

PRINTED = """
clef2013: 42 runs to P@10, AP per topic
  pytrec_eval                                      10.81 s  (10.70-11.23)     2.05 x Fathom, from run files
  Fathom, from run files                            5.27 s  (5.11-5.30)     1.00 x Fathom, from run files
  trectools, by the run                           12.345 s                       98 x Fathom
  ranx                                        not installed; `make bench` installs it

cost of one more (clef2013)
  all runs                 42 runs     3.10 ms a run
"""  # noqa: E501


def rows(printed: str) -> list[history.Row]:
    lines = printed.splitlines(keepends=True)
    return list(history.rows(lines, benchmark="engine", commit="abc", day=date(2026, 11, 17)))


def test_printed_ratios_become_rows() -> None:
    found = rows(PRINTED)
    assert [(row.contender, row.seconds, row.base, row.ratio) for row in found] == [
        ("pytrec_eval", 10.81, "Fathom, from run files", 2.05),
        ("Fathom, from run files", 5.27, "Fathom, from run files", 1.0),
        ("trectools, by the run", 12.345, "Fathom", 98.0),
    ]
    assert {row.compared for row in found} == {"clef2013: 42 runs to P@10, AP per topic"}
    assert {(row.date, row.commit, row.benchmark) for row in found} == {
        ("2026-11-17", "abc", "engine")
    }


def test_what_show_prints_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    long = "a contender with a name that is longer than its column"
    seconds = {"ours": [1.0, 2.0, 4.0], long: [10.0, 10.0, 10.0]}
    timing.show("title, with: marks", seconds, base="ours")
    found = rows(capsys.readouterr().out)
    assert [(r.compared, r.contender, r.seconds, r.base, r.ratio) for r in found] == [
        ("title, with: marks", "ours", 2.0, "ours", 1.0),
        ("title, with: marks", long, 10.0, "ours", 5.0),
    ]


def test_later_rows_join_the_table(tmp_path: Path) -> None:
    table = tmp_path / "history.csv"
    assert history.append(rows(PRINTED), to=table) == 3
    assert history.append(rows(PRINTED)[:1], to=table) == 1
    header, *kept = csv.reader(table.open(newline="", encoding="utf-8"))
    assert header == [field.name for field in fields(history.Row)]
    assert len(kept) == 4
    assert kept[0] == kept[3]


def test_the_table_that_is_kept_can_be_read() -> None:
    header, *kept = csv.reader(history.HISTORY.open(newline="", encoding="utf-8"))
    assert header == [field.name for field in fields(history.Row)]
    for row in kept:
        assert len(row) == len(header)
        date.fromisoformat(row[0])
        assert float(row[-1]) > 0


def test_another_checkout_is_run_by_its_own_python_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks/__main__.py").write_text(
        "import sys\n"
        "print('pages to text')\n"
        "print(f'  {sys.argv[1]} of it  2.00 s  (1.00-3.00)   0.50 x the floor')\n"
    )
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    table = tmp_path / "history.csv"
    monkeypatch.setattr(history, "HISTORY", table)
    history.run("engine", checkout=tmp_path, record=True)
    [row] = csv.DictReader(table.open(newline="", encoding="utf-8"))
    assert (row["benchmark"], row["compared"]) == ("engine", "pages to text")
    assert (row["contender"], row["base"], row["ratio"]) == ("engine of it", "the floor", "0.5")
    assert row["date"] == date.today().isoformat()


@pytest.mark.parametrize("name", command.ALL)
def test_every_benchmark_can_be_imported(name: str) -> None:
    assert callable(import_module(f"benchmarks.{name}").main)


def test_the_way_of_a_page_still_exists() -> None:
    from benchmarks import pages

    page = b"<html><body><p>An apple a day keeps the doctor away.</p></body></html>"
    contenders = pages.contenders([page])
    assert len(contenders) == 7
    for call in contenders.values():
        call()


def test_the_generated_collection_can_be_written(tmp_path: Path) -> None:
    from benchmarks import collection
    from pipeline.errors import Problem
    from pipeline.pages.collection import read

    size = collection.write(tmp_path / "pages", 2 * collection.BOX)
    notes: list[Problem] = []
    found = dict(read(sorted((tmp_path / "pages").iterdir()), notes=notes))
    assert len(found) == 2 * collection.BOX
    assert sum(map(len, found.values())) == pytest.approx(size, rel=0.01)
    assert notes == []


def test_other_extractors_are_still_there(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import collection

    collection.extractors(40)  # some of them in another encoding
    assert capsys.readouterr().out.count("pages/s") == 4


def test_ours_and_a_loop_over_pairs_test_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import statistics

    monkeypatch.setattr(statistics, "B", 2000)
    values = statistics.scores(4, 20)
    loop, all_at_once = statistics.loop_over_pairs(values), statistics.all_pairs(values)
    assert np.asarray(all_at_once).tolist() == pytest.approx(loop, abs=0.05)
    assert statistics.null_rates(2).keys() == {"permutation, a pair", "Tukey HSD, any pair"}


def test_a_plain_loop_simulates_the_same_systems() -> None:
    from benchmarks import simulation

    loop, ours = simulation.loop(4000), simulation.all_at_once(4000)
    assert ours == pytest.approx(loop, abs=0.012)  # three standard errors of both
    assert ours["uRBP"] < ours["H"] < ours["RBP"]


@pytest.mark.browser
@NEEDED
def test_what_is_timed_on_a_page_can_still_be_done(
    chromium: Any,  # noqa: F811
    report: Path,  # noqa: F811
) -> None:
    from benchmarks import page

    tab, paint = page.opened(chromium, report)
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    assert paint > 0
    page.drawn(tab)
    seconds = dict(page.acted(tab, rounds=1))
    tab.context.close()
    assert set(seconds) == set(page.ACTIONS)
    assert all(one > 0 for mine in seconds.values() for one in mine)
    assert wrong == []


def test_peers_test_the_pairs_that_ours_does() -> None:
    from benchmarks import significance, statistics

    measures = {name: statistics.scores(2, 12, seed=seed) for seed, name in enumerate("ab")}
    ours = [found.pairs["p_permutation"][0] for found in significance.tested(measures).values()]
    assert max(ours) - min(ours) > 0.05  # so that one measure's p is not taken for the other's
    for test in (statistics.numpy_pair, statistics.scipy_pair):
        theirs = significance.by_pairs(measures, test, sample=2)
        assert theirs == pytest.approx(ours, abs=0.02)
