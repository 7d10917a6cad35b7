"""The shipped campaigns from a mirror in the original layout: the figures of the data in place."""

from pathlib import Path

import pytest

from pipeline.sources.missing import missing_of
from tests.real.layout import mirror
from tests.workflow.snake import Project

pytestmark = [pytest.mark.real, pytest.mark.workflow, pytest.mark.slow]

CONFIGS = Path(__file__).parent / "configs"
LACKING = {
    "clef2013": ["runs/* (42 of 48)"],
    "clef2015": ["runs/english-runs/*.dat (68 of 110)"],
    "clef2016": [],
}


@pytest.fixture(scope="module")
def mirrored(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mirror(data, tmp_path_factory.mktemp("mirror"))


@pytest.mark.parametrize("name", LACKING)
def test_same_figures(data: Path, mirrored: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "shared").symlink_to(data.parent)
    wanted = ["means.csv", "topics.tsv", *(["audit.csv"] if name != "clef2016" else [])]
    targets = [f"results/{name}/{file}" for file in wanted]
    here, public = (Project.copy(tmp_path / which) for which in ("here", "public"))
    here.run("--configfile", str(CONFIGS / f"{name}.yaml"), "--", *targets)
    env = {
        "FATHOM_MIRROR": str(mirrored), "FATHOM_CACHE": str(tmp_path / "cache"),
        "https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9",
    }  # fmt: skip
    config = f"config/campaigns/{name}.yaml"
    done = public.snakemake("--configfile", config, "--", *targets, env=env)
    assert done.returncode == 0, done.stderr[-4000:]
    for target in targets:
        lines = [(one.folder / target).read_text().splitlines() for one in (here, public)]
        assert sorted(lines[0]) == sorted(lines[1]), target
        assert len(lines[0]) > 10
    source = public.folder / "results" / name / "sources/clef"
    assert missing_of(source) == LACKING[name]
    assert all(f"the mirror lacks files: {one}" in done.stderr for one in LACKING[name])
    # What was made from the mirror is what the net would give: nothing to do again without it.
    again = public.snakemake("--dry-run", "--configfile", config, "--", *targets)
    assert "Nothing to be done" in again.stdout + again.stderr
