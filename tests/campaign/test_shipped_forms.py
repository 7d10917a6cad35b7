"""What the shipped campaigns declare, on hand-made files in the forms and places of the real ones.

Each snippet has the element names, separators and ids of the public files; the words are ours. The
workflow is not asked here (tests/workflow/test_shipped.py does): this is what the declarations say.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from pipeline.audit.published import read as read_published
from pipeline.campaign import Campaign, campaigns
from pipeline.intake.check import inspect
from pipeline.intake.inputs import find_inputs
from pipeline.labels.tables import tabulate
from pipeline.labels.topics import read as read_topics
from pipeline.runs.reader import run_name
from pipeline.runs.teams import is_unaffiliated, teams_of
from pipeline.sources.paths import expand
from pipeline.sources.take import matching

CONFIGS = Path(__file__).parents[2] / "config/campaigns"


def run(*topics: str, documents: str = "a b c", first: int = 1, tab: bool = False) -> str:
    """A run of these documents for each topic; ranks begin at 0 or 1."""
    lines = [
        (topic, "Q0", document, str(rank), f"{9 - rank}.5", "tag")
        for topic in topics
        for rank, document in enumerate(documents.split(), start=first)
    ]
    return "".join(("\t" if tab else " ").join(line) + "\n" for line in lines)


def qrels(topic: str, *values: int, documents: str = "a b c", tab: bool = False) -> str:
    mark = "\t" if tab else " "
    pairs = zip(documents.split(), values, strict=True)
    return "".join(mark.join((topic, "0", d, str(v))) + "\n" for d, v in pairs)


def trec_eval(topic: str, **values: str) -> str:
    """Figures as trec_eval -q prints them: names padded, tabs between."""
    return "".join(
        f"{name:22}\t{where}\t{value}\n"
        for name, value in values.items()
        for where in (topic, "all")
    )


class Form(NamedTuple):
    """A config, the files of its source, and what they must come to."""

    config: str
    files: Mapping[str, str]
    topics: Mapping[str, str]
    gains: Mapping[str, list[float]]  # by dimension: of a, b and c
    binary: Mapping[str, list[float]]
    teams: Mapping[str, str]
    published: tuple[str, ...] = ()


ASSESSED = "assessments/Final assessment/CLEF2018_{}_20180914.txt"
NAN = float("nan")
T2016 = {
    "eng_queries/queries2016.xml":
        '<queries>\n<query>\n\t<id>101001</id>\n\t<title>hernia "mesh"</title>\n</query>\n'
        "<query>\n\t<id>101002</id>\n\t<title>hernia risk</title>\n</query>\n</queries>\n",
    "qrels/task1.qrels": qrels("101001", 0, 1, 2), "qrels/task2.qrels": qrels("101", 0, 1, 2),
    "qrels/task1.qunder": qrels("101001", 0, 40, 95), "qrels/task2.qunder": qrels("101", 0, 40, 95),
    "qrels/task1.qtrust": qrels("101001", 0, 50, 100),
    "qrels/task2.qtrust": qrels("101", 0, 50, 100),
    "runs_t1/ecnu_EN_Run1.txt": run("101001", tab=True), "runs_t2/CUNI_EN_Run1.txt": run("101"),
}  # fmt: skip
GRADED = {"topicality": [0, 0.5, 1]}
PAPER = {"understandability": [1, 0.6, 0.05], "trustworthiness": [0, 0.5, 1]}
UBIRE = {"understandability": [0, 0.4, 0.95], "trustworthiness": [0, 0.5, 1]}
FORMS = {
    "clef2013": Form(
        "clef2013",
        {
            "runs/MEDINFO.1.3.noadd": run("qtest1"),
            "runs/teamAEHRC.5.3": run("qtest1", documents="c b a"),
            "qrels/qrels.clef2013ehealth.1-50-test.graded.final.20062013.txt":
                qrels("qtest1", 1, 2, 3),
            "queries/queries.clef2013ehealth.1-50.test.xml":
                '<?xml version="1.0" encoding="UTF-8"?>\n<queries>\n<query>\n<id>qtest1</id>\n'
                "<discharge_summary>x.txt</discharge_summary>\n<title>Thyroid & cuts</title>\n"
                "<desc>What is it</desc>\n<narr>n</narr>\n</query>\n</queries>\n",
            "evaluation/MEDINFO/evals/MEDINFO.1.3.noadd": trec_eval("qtest1", P_5="0.4000"),
            "evaluation/MEDINFO/evals/MEDINFO.1.3.noadd.ndcg":
                trec_eval("qtest1", ndcg_cut_5="0.7000"),
        },
        topics={"qtest1": "Thyroid & cuts"},
        gains={"topicality": [1 / 3, 2 / 3, 1]}, binary={"topicality": [0, 1, 1]},
        teams={"MEDINFO.1.3.noadd": "MEDINFO", "teamAEHRC.5.3": "teamAEHRC"},
        published=("trec_eval P_5", "trec_eval-graded ndcg_cut_5"),
    ),
    "clef2014": Form(
        "clef2014",
        {
            "runs/CUNI_EN_RUN.5.dat": run("qtest2014.1"),
            "runs/miracl_en_run.1.dat": run("qtest2014.1", documents="c a"),
            "qrels/qrels.clef2014.test.graded.txt": qrels("qtest2014.1", 1, 2, 3),
            "qrels/qrels.clef2014.test.bin.txt": qrels("qtest2014.1", 0, 1, 1),
            "queries/queries.clef2014ehealth.1-50.test.en.xml":
                "<topics>\n<topic>\n<id>qtest2014.1</id>\n<discharge_summary>x</discharge_summary>\n"
                "<title>Coronary artery disease</title>\n<desc>d</desc>\n<profile>p</profile>\n"
                "<narr>n</narr>\n</topic>\n</topics>\n",
            "evaluation/evals_html/CUNI_EN_RUN/evals/CUNI_EN_RUN.5.dat":
                trec_eval("qtest2014.1", bpref="0.1000", num_rel="2") + "runid \tall\tCUNI\n",
            "evaluation/evals_html/CUNI_EN_RUN/evals/CUNI_EN_RUN.5.dat.ndcg":
                trec_eval("qtest2014.1", ndcg_cut_5="0.7000"),
        },
        topics={"qtest2014.1": "Coronary artery disease"},
        gains={"topicality": [1 / 3, 2 / 3, 1]}, binary={"topicality": [0, 1, 1]},
        teams={"CUNI_EN_RUN.5.dat": "CUNI", "miracl_en_run.1.dat": "miracl"},
        published=("trec_eval bpref", "trec_eval num_rel", "trec_eval-graded ndcg_cut_5"),
    ),
    "clef2015": Form(
        "clef2015",
        {
            "runs/english-runs/CUNI_EN_Run.1.dat": run("qtest.1", first=0),
            "runs/english-runs/baseline_run.1.dat": run("qtest.1", documents="b a c"),
            "runs/english-runs/ECNU_EN_Run.3.dat":
                run("qtest.1", "qtest.62", documents="c").replace("\n", "\r\n"),
            "qrels/qrels.eng.clef2015.qtest.graded.txt": qrels("qtest.1", 0, 1, 2, tab=True),
            "qrels/qread.eng.clef2015.qtest.graded.txt": qrels("qtest.1", 1, 2, 3, tab=True),
            "queries/EN/clef2015.test.queries-EN.txt":
                "<topics>\n\t<top>\n\t\t<num>clef2015.test.1</num>\n\t\t<query>red marks + legs"
                "</query>\n\t</top>\n</topics>\n",
            "evaluation/evals_html/CUNI/evals/CUNI_EN_Run.1.dat":
                trec_eval("qtest.1", P_10="0.2000"),
            "evaluation/evals_html/CUNI/evals/CUNI_EN_Run.1.dat.ndcg":
                trec_eval("qtest.1", ndcg_cut_10="0.2000"),
            "evaluation/evals_html/CUNI/evals/CUNI_EN_Run.1.dat.urbp":
                "RBP(0.8)\tqtest.1\tCUNI_EN_Run.1.dat\t0.2880\nuRBP(0.8)\tall\t0.2000\n",
        },
        topics={"qtest.1": "red marks + legs"},
        gains={**GRADED, "understandability": [0.4, 0.8, 1]},
        binary={"topicality": [0, 1, 1], "understandability": [0, 1, 1]},
        teams={"CUNI_EN_Run.1.dat": "CUNI", "ECNU_EN_Run.3.dat": "ECNU", "baseline_run.1.dat": ""},
        published=("trec_eval P_10", "trec_eval-graded ndcg_cut_10", "ubire RBP(0.8)",
                   "ubire uRBP(0.8)"),
    ),
    "clef2016": Form(
        "clef2016", T2016, {"101": 'hernia "mesh"'}, {**GRADED, **PAPER},
        {"topicality": [0, 1, 1], "understandability": [1, 1, 0], "trustworthiness": [0, 1, 1]},
        {"CUNI_EN_Run1.txt": "CUNI"},
    ),
    "clef2016-ubire": Form(
        "clef2016", T2016, {"101": 'hernia "mesh"'}, {**GRADED, **UBIRE},
        {"topicality": [0, 1, 1], "understandability": [0, 0, 1], "trustworthiness": [0, 1, 1]},
        {"CUNI_EN_Run1.txt": "CUNI"},
    ),
    "clef2016-task1": Form(
        "clef2016", T2016, {"101001": 'hernia "mesh"', "101002": "hernia risk"},
        {**GRADED, **PAPER},
        {"topicality": [0, 1, 1], "understandability": [1, 1, 0], "trustworthiness": [0, 1, 1]},
        {"ecnu_EN_Run1.txt": "ecnu"},
    ),
    "clef2016-task1-ubire": Form(
        "clef2016", T2016, {"101001": 'hernia "mesh"', "101002": "hernia risk"},
        {**GRADED, **UBIRE},
        {"topicality": [0, 1, 1], "understandability": [0, 0, 1], "trustworthiness": [0, 1, 1]},
        {"ecnu_EN_Run1.txt": "ecnu"},
    ),
    "clef2018": Form(
        "clef2018",
        {
            "runs/CUNI/IRTask1/CUNI_en.run1": run("200001"),
            "runs/CUNI/IRTask4/CUNI_cs.run1": "of another task\n",
            "runs/CUNI/info.txt": "no run\n",
            "runs/SINAI/IRTask1/SINAI_Run1_google+cTakes.result": run("200001", documents="c b"),
            "runs/baselines/IRTask1/terrier_BM25_cli.out": run("200001", documents="b a c"),
            ASSESSED.format("qrel"): qrels("200001", 0, 1, 2),
            ASSESSED.format("qread"): qrels("200001", 0, 5, 10),
            ASSESSED.format("qtrust"): qrels("200001", 10, 4, 1),
            "clef2018_queries_task1_task4.txt":
                "<queries>\n\t<query>\n\t\t<id> 200001 </id>\n"
                "\t\t<en> fullness with hiccups </en>\n\t\t<fr> hoquet </fr>\n"
                "\t\t<de> schluckauf </de>\n\t</query>\n</queries>\n",
        },
        topics={"200001": "fullness with hiccups"},
        gains={**GRADED, "understandability": [0, 0.5, 1], "trustworthiness": [1, 0.4, 0.1]},
        binary={"topicality": [0, 1, 1], "understandability": [0, 1, 1],
                "trustworthiness": [1, 0, 0]},
        teams={"CUNI_en.run1": "CUNI", "SINAI_Run1_google+cTakes.result": "SINAI",
               "terrier_BM25_cli.out": "baselines"},
    ),
    "chs2021": Form(
        "chs2021",
        {
            "runs/baselines/terrier_BM25.res": run("1"),
            "assessments/qrels.txt": qrels("1", 0, 1, 2),
            "assessments/qreadability.txt": qrels("1", 2, 1, 0),
            "assessments/qcredibility.txt": qrels("1", 3, 2, 0),
            "topics/topics.txt":
                "<topics>\n<topic>\n<id>1</id>\n<query>best treatment</query>\n"
                "<narrative>n</narrative>\n</topic>\n</topics>\n",
        },
        topics={"1": "best treatment"},
        gains={**GRADED, "understandability": [1, 0.5, 0], "credibility": [NAN, 1, 0]},
        binary={"topicality": [0, 1, 1], "understandability": [1, 1, 0],
                "credibility": [NAN, 1, 0]},
        teams={"terrier_BM25.res": ""},
    ),
}  # fmt: skip


def shipped(name: str) -> Campaign:
    config = yaml.safe_load((CONFIGS / f"{FORMS[name].config}.yaml").read_text())
    return campaigns(config)[name]


@pytest.fixture(params=FORMS)
def made(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Campaign, Form, Path]:
    """A campaign, its form, and the folder of its sources with what its paths name, and no more."""
    campaign, form = shipped(request.param), FORMS[request.param]
    wanted = matching(form.files, list(campaign.sources["clef"].settings["paths"]))
    for path in {name for found in wanted.values() for name in found}:
        file = tmp_path / "clef" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(form.files[path].encode())
    return campaign, form, tmp_path


def test_every_path_of_the_source_names_something(made: tuple[Campaign, Form, Path]) -> None:
    campaign, form, _ = made
    found = matching(form.files, list(campaign.sources["clef"].settings["paths"]))
    assert all(found.values()), found


def test_topics(made: tuple[Campaign, Form, Path]) -> None:
    campaign, form, sources = made
    given = campaign.topics
    assert given is not None
    (path,) = expand([given.file], sources=sources)
    found = read_topics(path, rename=given.id, query=given.query)
    assert found == form.topics


def test_labels(made: tuple[Campaign, Form, Path]) -> None:
    campaign, form, sources = made
    for name, one in campaign.labels.items():
        table = tabulate(
            expand(one.files, sources=sources), scale=one.scale, key=one.key, conflict=one.conflict
        )
        assert table["document"].to_pylist() == ["a", "b", "c"]
        for kind, expected in (("gain", form.gains), ("binary", form.binary)):
            assert table[kind].to_pylist() == pytest.approx(expected[name], nan_ok=True), name
    assert list(campaign.labels) == list(form.gains)


def test_runs_and_teams(made: tuple[Campaign, Form, Path]) -> None:
    campaign, form, sources = made
    files = {run_name(path): str(path) for path in expand(campaign.runs.files, sources=sources)}
    assert teams_of(files, given=campaign.runs.team) == form.teams


def test_published_figures(made: tuple[Campaign, Form, Path]) -> None:
    campaign, form, sources = made
    if campaign.audit is None:
        assert form.published == ()
        return
    found = read_published(expand(campaign.audit.published, sources=sources))
    assert found.source.names == form.published
    assert set(found.run.names) <= set(form.teams)


def test_the_desk_has_nothing_against_them(made: tuple[Campaign, Form, Path]) -> None:
    """But for what real campaigns have: a topic nobody judged, runs without one or a team."""
    campaign, form, sources = made
    own, others = campaign.labels, campaign.further_labels
    inputs, missing = find_inputs(
        runs=campaign.runs.files, form=campaign.runs.format, team=campaign.runs.team, labels=own,
        further=others, topics=campaign.topics, people=campaign.people, sources=sources,
        **campaign.check_policies,
    )  # fmt: skip
    assert missing == []
    found = inspect(inputs)
    odd = {one.what for one in found if one.severity == "warning"}
    assert [one for one in found if one.severity == "error"] == []
    teamless = "finds no team in this name"
    assert any(one.endswith(teamless) for one in odd) == (
        campaign.runs.team is not None
        and any(
            not team and not is_unaffiliated(campaign.runs.team, run)
            for run, team in form.teams.items()
        )
    )
    assert {one for one in odd if not one.endswith(teamless)} <= {"1 unknown topics: 'qtest.62'"}


def test_which_end_of_2018_is_better_is_declared_once() -> None:
    text = (CONFIGS / "clef2018.yaml").read_text()
    assert text.count("better: &better high") == 1
    turned = yaml.safe_load(text.replace("&better high", "&better low"))
    campaign = campaigns(turned)["clef2018"]
    sides = {name: one.scale.better for name, one in campaign.labels.items()}
    assert sides == {"topicality": "high", "understandability": "low", "trustworthiness": "low"}
