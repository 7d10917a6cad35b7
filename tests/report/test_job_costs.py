"""What jobs cost: sums, the longest chain and the page, worked by hand."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.report import job_costs
from pipeline.report.job_costs import Command, Planned
from tests.report.test_browser import NEEDED, chromium, drawn  # noqa: F401

HEAD = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"
# ingest 0 (2 s) ─┬─> rankings (1 s) ─> gains a (4 s) ─┬─> report (3 s)
# ingest 1 (3 s) ─┘          └───────> gains b (2 s) ─┘
JOBS: dict[str, tuple[float, float, list[str]]] = {
    "ingest 0": (2, 100, []),
    "ingest 1": (3, 120, []),
    "rankings": (1, 80, ["ingest 0", "ingest 1"]),
    "gains a": (4, 50, ["rankings"]),
    "gains b": (2, 700, ["rankings"]),
    "report": (3, 90, ["gains a", "gains b"]),
}


@pytest.fixture
def planned(tmp_path: Path) -> list[Planned]:
    made = []
    for name, (seconds, megabytes, after) in JOBS.items():
        path = tmp_path / "benchmarks" / f"{name}.tsv"
        path.parent.mkdir(exist_ok=True)
        row = f"{seconds}\t0:00:0{seconds}\t{megabytes}\t0\t0\t0\t0\t0\t0\t{seconds / 2}\n"
        path.write_text(HEAD + row)
        rule = name.split()[0]
        made.append(Planned(name, rule, f"What <{rule}> does.", path, tuple(after), True))
    return made


def test_the_longest_chain_goes_through_what_takes_longest(planned: list[Planned]) -> None:
    costs, without = job_costs.read(planned)
    assert without == ()
    assert [job.name for job in costs.chain] == ["ingest 1", "rankings", "gains a", "report"]
    assert (costs.chain_seconds, costs.seconds, costs.cpu) == (11, 15, 7.5)
    assert (costs.largest.name, costs.largest.memory) == ("gains b", 700 * 2**20)
    shown = [(one.rule, one.jobs, one.seconds, one.longest, one.chain) for one in costs.rules]
    assert shown == [
        ("gains", 2, 6, 4, 4), ("ingest", 2, 5, 3, 3), ("report", 1, 3, 3, 3),
        ("rankings", 1, 1, 1, 1),
    ]  # fmt: skip


def test_what_the_process_itself_counted_goes_before_samples(planned: list[Planned]) -> None:
    """Of a job too short for Snakemake to look at, its file has the shell's memory, or NA."""
    planned[0].benchmark.write_text(HEAD + "0.4\t0:00:00\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n")
    own = planned[0].benchmark.with_suffix(".json")
    own.write_text(json.dumps({"cpu": 0.3, "memory": 2_000_000_000}))
    costs, _ = job_costs.read(planned)
    assert costs.largest.name == "ingest 0"
    assert (costs.jobs[0].seconds, costs.jobs[0].cpu, costs.jobs[0].memory) == (0.4, 0.3, 2e9)


def test_jobs_without_a_benchmark_are_said(planned: list[Planned], tmp_path: Path) -> None:
    page = tmp_path / "costs.html"
    command = Command(seconds=9.25, cores=2)
    job_costs.write(planned, title="<b>", command=command, out=page)
    whole = " ".join(page.read_text().split())
    assert "6 jobs of 4 rules took 15.0 s one after the other, 7.5 s of processor time" in whole
    assert "The last command made all of them in 9.2 s on 2 cores." in whole
    assert "no benchmark file" not in whole
    assert "<strong>11.0 s</strong> in 4 jobs that wait for one another" in whole
    assert "<strong>734.0 MB</strong> in <bdi>gains b</bdi>" in whole
    assert "<h1>&lt;b&gt;</h1>" in whole
    assert "What &lt;gains&gt; does." in whole

    planned[3].benchmark.unlink()
    again = [*planned[:5], Planned("report", "report", "", planned[5].benchmark, (), False)]
    command = Command(seconds=9.25, cores=None, campaigns=3)
    job_costs.write(again, title="t", command=command, out=page)
    part = " ".join(page.read_text().split())
    assert "made 5 of them (the others are as they were made before) in 9.2 s, with 2 other" in part
    assert "1 job has left no benchmark file and is not counted." in part
    for job in planned:
        job.benchmark.unlink(missing_ok=True)
    page.unlink()
    job_costs.write(planned, title="t", command=command, out=page)
    assert not page.exists()


def test_the_charts_are_as_vega_lite_has_them(planned: list[Planned]) -> None:
    """Written by hand, so that the page needs no Altair; Altair's schema has nothing against it."""
    import altair as alt

    costs, _ = job_costs.read(planned)
    many = [
        job_costs.RuleCost(
            rule=f"r{n}", what="", jobs=1, seconds=50 - n, longest=1, cpu=1, memory=1e6 * n, chain=0
        )
        for n in range(40)
    ]
    for rules, bars in ((costs.rules, 4), (many, 20)):
        for spec in (job_costs.time_chart(rules), job_costs.memory_chart(rules)):
            assert alt.LayerChart.from_dict(spec).to_dict()["layer"]
            assert alt.SCHEMA_URL.startswith(spec["$schema"].removesuffix(".json"))
            assert len(spec["datasets"]["rules"]) == bars
    last = job_costs.time_chart(many)["datasets"]["rules"][-1]
    assert last == {"rule": "the other 21", "jobs": 21, "seconds": sum(range(11, 32)), "chain": 0}


@NEEDED
@pytest.mark.browser
@pytest.mark.parametrize(("width", "theme"), [(1300, "dark"), (400, "light")])
def test_in_a_browser(
    planned: list[Planned],
    tmp_path: Path,
    chromium: Any,  # noqa: F811
    width: int,
    theme: str,
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = tmp_path / "costs.html"
    job_costs.write(planned, title="t", command=Command(seconds=1, cores=1), out=page)
    context = chromium.new_context(
        offline=True, viewport={"width": width, "height": 900}, color_scheme=theme, bypass_csp=True
    )
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda said: complaints.append(said.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(page.as_uri())
    assert drawn(tab, "time").locator(".mark-rect.role-mark path").count() == 8
    assert drawn(tab, "memory").locator(".mark-rect.role-mark path").count() == 4
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    tab.locator("#rules thead button", has_text="Memory").click()
    assert tab.locator("#rules tbody tr").first.locator("th").text_content() == "gains"
    found = Axe().run(tab).response["violations"]
    context.close()
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
    assert complaints == []


@NEEDED
@pytest.mark.browser
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_its_charts_are_taken_along(
    planned: list[Planned],
    tmp_path: Path,
    chromium: Any,  # noqa: F811
    theme: str,
) -> None:
    """As those of the report: data and pictures; the PDF is drawn in the browser, with letters."""
    import pikepdf

    page = tmp_path / "costs.html"
    odd = replace(planned[5], rule="re(po)\\rt")
    job_costs.write([*planned[:5], odd], title="t", command=Command(seconds=1, cores=1), out=page)
    context = chromium.new_context(offline=True, color_scheme=theme)
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda said: complaints.append(said.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(page.as_uri())
    for name, bars in (("time", 8), ("memory", 4)):
        drawn(tab, name)
        menu = tab.locator(f'[data-chart="{name}"] + details.take')
        menu.locator("summary").press("Enter")
        assert menu.locator("button").all_text_contents() == ["Copy", "CSV", "SVG", "PNG", "PDF"]
        made = {}
        for kind, begins in (("CSV", b"rule,"), ("SVG", b"<svg"), ("PNG", b"\x89PNG")):
            made[kind] = taken(tab, menu, kind, tmp_path / f"{name}.{kind.lower()}")
            assert made[kind].startswith(begins)
        taken(tab, menu, "PDF", tmp_path / f"{name}.pdf")
        with pikepdf.open(tmp_path / f"{name}.pdf") as found:
            (sheet,) = found.pages
            written = [
                bytes(operands[0]).decode("latin-1")
                for operands, operator in pikepdf.parse_content_stream(sheet)
                if str(operator) == "Tj"
            ]
            filled = [str(o) for _, o in pikepdf.parse_content_stream(sheet)].count("f")
            box = [float(side) for side in sheet.mediabox]
        assert f'width="{box[2]:.0f}" height="{box[3]:.0f}"' in made["SVG"].decode()
        assert {"gains", "ingest", "rankings", "re(po)\\rt"} <= set(written)
        assert filled >= bars + 1  # and the ground
    context.close()
    assert complaints == []


def taken(tab: Any, menu: Any, kind: str, out: Path) -> bytes:
    """What a button of the menu saves."""
    with tab.expect_download() as found:
        menu.get_by_role("button", name=kind, exact=True).press("Enter")
    found.value.save_as(out)
    return out.read_bytes()
