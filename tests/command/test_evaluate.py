"""evaluate, compare and explain through a real process; and the three ways in, byte for byte."""

import csv
import gzip
import io
import json
import os
import pty
import subprocess
import sys
from inspect import signature
from pathlib import Path
from typing import get_args

import click
import pyarrow.parquet as pq
import pytest
import yaml

from pipeline import compare, evaluate, explain
from pipeline.api import USUAL
from pipeline.command.main import fathom as fathom_group
from pipeline.command.main import main
from pipeline.config.campaign import Policies
from pipeline.config.dimensions import Labelled
from pipeline.config.policies import CHOICES, SharedPolicies
from pipeline.errors import InputError
from pipeline.labels.qrels import read_qrels
from pipeline.measures import parse
from pipeline.runs.reader import RunPolicies, RunReader
from pipeline.sources.generators.demo import demo
from tests.builders import Judged, campaign
from tests.command.process import FATHOM, fathom, good, refused
from tests.workflow.snake import ROOT, Project

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 d 1\n2 0 e 0\n"
READ = "1 0 a 1\n1 0 b 3\n1 0 c 3\n2 0 d 0\n2 0 e 2\n"
RUNS = {
    "one.run": "1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n1 Q0 c 3 7 x\n2 Q0 e 1 5 x\n2 Q0 d 2 4 x\n",
    "two.run": "1 Q0 b 1 9 x\n1 Q0 u 2 8 x\n1 Q0 a 3 7 x\n2 Q0 d 1 5 x\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("files")
    for name, text in {"q.txt": QRELS, "read.txt": READ, **RUNS}.items():
        (place / name).write_text(text)
    (place / "three.run.gz").write_bytes(gzip.compress(RUNS["one.run"].encode()))
    return place


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_figures_by_hand(folder: Path) -> None:
    text = good("evaluate", "--qrels", "q.txt", "-m", "AP", "-m", "P@2", "-f", "csv", "*.run",
                cwd=folder)  # fmt: skip
    one, two = rows(text)
    # one: topic 1 relevant at 1 and 3, topic 2 at 2; two: topic 1 at 3 of 2 relevant, topic 2 at 1
    assert (one["run"], float(one["AP"])) == ("one.run", ((1 + 2 / 3) / 2 + 1 / 2) / 2)
    assert (two["run"], float(two["AP"])) == ("two.run", ((1 / 3) / 2 + 1) / 2)
    assert (float(one["P@2"]), float(two["P@2"])) == (0.5, 0.25)


def test_a_table_has_four_decimals_and_no_colours_in_a_pipe(folder: Path) -> None:
    done = fathom("evaluate", "--qrels", "q.txt", "one.run", "-m", "AP", cwd=folder)
    assert done.stdout.decode() == "run          AP\none.run  0.6667\n"
    assert done.stderr.decode() == (
        "fathom: topicality: labels 0, 1, 2; assumed scale 0 to 2, high is better, threshold 1; "
        "write FILE:SCALE to change it\n"
    )


def test_stdin_gzip_and_further_dimensions(folder: Path) -> None:
    text = good(
        "evaluate", "--qrels", "q.txt:0..2,high,threshold=1", "three.run.gz", "-",
        "-l", "understandability=read.txt:0..3,high,threshold=2", "-f", "json",
        "-m", "uRBP(p=0.5)", "-m", "RBP(p=0.5)", cwd=folder, stdin=RUNS["one.run"].encode(),
    )  # fmt: skip
    packed, piped = json.loads(text)
    assert (packed.pop("run"), piped.pop("run")) == ("three.run", "stdin")
    assert packed == piped
    # RBP: .5 (1 + 1/4) and .5 * 1/2; with understandability only c of topic 1 is left
    assert packed["RBP(p=0.5)"] == pytest.approx((0.625 + 0.25) / 2)
    assert packed["uRBP(p=0.5)"] == pytest.approx((0.125 + 0) / 2)


def test_topics_bounds_and_files_of_every_format(folder: Path) -> None:
    (folder / "two").mkdir(exist_ok=True)
    base = ("evaluate", "--qrels", "q.txt", "two.run", "-m", "RBP(p=0.5)", "-q")
    good(*base, "-o", "scores.parquet", cwd=folder)
    table = pq.read_table(folder / "scores.parquet").to_pydict()
    assert list(table) == ["run", "topic", "measure", "value", "lower", "upper"]
    assert table["value"] == [0.125, 0.5]
    assert table["upper"] == [0.125 + 0.25 + 0.125, 1.0]  # u, and what lies behind the lists
    for ending, wanted in (("tex", r"\begin{tabular}{llr}"), ("md", "| run | topic | RBP")):
        good(*base, "-o", f"scores.{ending}", cwd=folder)
        assert wanted in (folder / f"scores.{ending}").read_text()
    wide = rows(good("evaluate", "--qrels", "q.txt", "two.run", "-m", "RBP(p=0.5)", "--bounds",
                     "-f", "csv", cwd=folder))  # fmt: skip
    assert list(wide[0]) == ["run", "RBP(p=0.5)", "RBP(p=0.5) lower", "RBP(p=0.5) upper"]


def test_what_is_delegated_has_no_bounds(folder: Path) -> None:
    base = ("evaluate", "--qrels", "q.txt", "two.run", "-m", "infAP")
    (row,) = rows(good(*base, "--bounds", "-f", "csv", cwd=folder))
    assert float(row["infAP"]) >= 0
    assert (row["infAP lower"], row["infAP upper"]) == ("", "")
    good(*base, "-q", "-o", "delegated.parquet", cwd=folder)
    table = pq.read_table(folder / "delegated.parquet")
    assert table["lower"].null_count == table["upper"].null_count == len(table)


def test_there_is_nothing_to_keep_before_a_run(tmp_path: Path) -> None:
    told = refused("keep", "first", "demo", cwd=tmp_path)
    assert told.count("\n") == 1
    assert "results/demo" in told


def test_compare_says_what_the_tests_say(folder: Path) -> None:
    done = good("compare", "--qrels", "q.txt", "-m", "AP", "one.run", "two.run", "--html",
                "page.html", cwd=folder)  # fmt: skip
    assert "one.run minus two.run: better on 1 topics, worse on 1" in done
    assert "●" in done
    page = (folder / "page.html").read_text()
    assert "http" not in page
    assert page.count("<rect") == 2
    (pair,) = rows(good("compare", "--qrels", "q.txt", "-m", "AP", "one.run", "two.run", "-f",
                        "csv", cwd=folder))  # fmt: skip
    assert float(pair["difference"]) == pytest.approx(2 / 3 - 7 / 12)
    from scipy.stats import ttest_rel

    found = ttest_rel([5 / 6, 1 / 2], [1 / 6, 1])
    assert float(pair["p_t"]) == pytest.approx(found.pvalue, abs=1e-12)


def test_explain_adds_up(folder: Path) -> None:
    text = good("explain", "--qrels", "q.txt", "one.run", "--topic", "1", "-m", "RBP(p=0.5)",
                "--against", "two.run", "-f", "csv", cwd=folder)  # fmt: skip
    found = rows(text)
    assert [(row["document"], row["topicality"]) for row in found] == [
        ("a", "2"), ("b", "0"), ("c", "1"),
    ]  # fmt: skip
    assert [float(row["contribution"]) for row in found] == [0.5, 0, 0.125]
    assert [row["against_rank"] for row in found] == ["3", "1", ""]
    said = good("explain", "--qrels", "q.txt", "one.run", "-t", "1", "-m", "P@2", cwd=folder)
    assert said.startswith("one.run, topic 1: P@2 = 0.5000\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["evaluate", "--qrels", "q.txt", "one.run", "-m", "nDGC"], "'nDCG'?"),
        (["evaluate", "--qrels", "no.txt", "one.run"], "no.txt: there is no such label file"),
        (["evaluate", "--qrels", "q.txt", "no.run"], "no.run: there is no such run file"),
        (["evaluate", "--qrels", "one.run", "one.run"], "one.run, line 1: 6 fields"),
        (["evaluate", "--qrels", "q.txt", "q.txt"], "q.txt, line 1: 4 fields"),
        (["evaluate", "--qrels", "q.txt", "one.run", "-o", "x.xyz"], "x.xyz: the extension '.xyz'"),
        (["evaluate", "--qrels", "q.txt", "one.run", "-o", "no/x.csv"], "no/x.csv: "),
        (
            ["explain", "--qrels", "q.txt", "one.run", "-t", "7", "-m", "AP"],
            "--topic: there is",
        ),
        (["compare", "--qrels", "q.txt", "one.run"], "RUNS: 'one.run' is the only run"),
    ],
)
def test_what_is_wrong_is_a_sentence(
    folder: Path,
    arguments: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    assert main(arguments) == 1
    out, err = capfd.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if "assumed" not in line]
    assert len(lines) == 1, err
    assert lines[0].startswith("fathom: ")
    assert told in lines[0]


def test_a_broken_run_by_a_process(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("1 Q0 a 1 nine x\n")
    told = refused("evaluate", "--qrels", "q.txt", tmp_path / "bad", cwd=folder)
    assert f"{tmp_path}/bad, line 1: the score 'nine'" in told


def test_what_comes_by_pipe_is_called_so(folder: Path) -> None:
    done = fathom("evaluate", "--qrels", "q.txt", "-", cwd=folder, stdin=b"1 Q0 a 1 x t\n")
    assert done.returncode == 1
    assert b"fathom: standard input, line 1: the score 'x' is not a number" in done.stderr


def test_runs_of_one_name_go_by_their_paths(folder: Path) -> None:
    (folder / "other").mkdir(exist_ok=True)
    (folder / "other/one.run").write_text(RUNS["two.run"])
    text = good("evaluate", "--qrels", "q.txt", "one.run", "other/one.run", "two.run", "-m", "AP",
                "-f", "csv", cwd=folder)  # fmt: skip
    assert [row["run"] for row in rows(text)] == ["one.run", "other/one.run", "two.run"]


def test_on_a_terminal_it_is_a_drawn_table(folder: Path) -> None:
    """Through a terminal of its own."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [FATHOM, "evaluate", "--qrels", "q.txt", "one.run", "-m", "AP"],
        cwd=folder, stdout=theirs, stderr=subprocess.PIPE, check=False,
        env={"TERM": "xterm-256color", "LANG": "C.UTF-8"},
    )  # fmt: skip
    os.close(theirs)
    drawn = os.read(ours, 10_000).decode()
    os.close(ours)
    assert done.returncode == 0
    assert "│ one.run │ 0.6667 │" in drawn
    assert "\x1b[" in drawn


def test_trec_eval_gets_its_arguments_as_they_are(folder: Path) -> None:
    text = good("trec_eval", "-m", "map", "-m", "P.2", "-q", "q.txt", "one.run", cwd=folder)
    assert text == (
        "map                   \t1\t0.8333\nP_2                   \t1\t0.5000\n"
        "map                   \t2\t0.5000\nP_2                   \t2\t0.5000\n"
        "map                   \tall\t0.6667\nP_2                   \tall\t0.5000\n"
    )
    piped = good("trec_eval", "-m", "map", "q.txt", "-", cwd=folder, stdin=RUNS["one.run"].encode())
    assert piped == "map                   \tall\t0.6667\n"
    assert "no such" not in refused("trec_eval", "-m", "nothing", "q.txt", "one.run", cwd=folder)
    assert "Usage: fathom trec_eval" in good("trec_eval", "--help")


def test_a_pipe_never_loads_rich(folder: Path) -> None:
    code = (
        "import sys; from pipeline.command.main import main; "
        "main(['evaluate', '--qrels', 'q.txt', 'one.run']); "
        "sys.exit('rich' in sys.modules or 'pandas' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0


def test_a_pipe_whose_topics_come_back_is_read_once(folder: Path) -> None:
    """Such a run is not read straight, and what came by a pipe cannot be read again."""
    lines = RUNS["one.run"].splitlines(keepends=True)
    mixed = "".join([*lines[::2], *lines[1::2]]).encode()
    piped = good("evaluate", "--qrels", "q.txt", "-m", "P@2", "-", cwd=folder, stdin=mixed)
    (folder / "mixed.run").write_bytes(mixed)
    file = good("evaluate", "--qrels", "q.txt", "-m", "P@2", "mixed.run", cwd=folder)
    assert piped.replace("stdin", "mixed.run").split() == file.split()


SCALES = {
    "topicality": "0..2,threshold=1",
    "understandability": "0..3,threshold=2,gains=0:0+1:0.4+2:0.8+3:1",
}


def test_usual_measures_and_graded_urbp_by_campaign_command_and_function(tmp_path: Path) -> None:
    """The demo's runs and labels, under the scales of the demo's config and the text for them."""
    demo(tmp_path / "data", seed=2016)
    runs = {path.name: path.read_bytes() for path in (tmp_path / "data/runs").iterdir()}
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    files, judged = {}, {}
    for name in SCALES:
        files[name] = tmp_path / f"data/labels/{name}.qrels"
        lines = read_qrels(files[name])
        by_topic: dict[str, dict[str, float]] = {}
        for topic, document, label in zip(lines.topic, lines.document, lines.label, strict=True):
            by_topic.setdefault(topic, {})[document] = float(label)
        keys = Labelled(**config["campaigns"]["demo"]["dimensions"][name])
        judged[name] = Judged(by_topic, keys.reading.scale)
    data = campaign(tmp_path / "campaign", runs, judged).read()
    measures = [*USUAL, "uRBP(p=0.8)", "uRBPgr(p=0.8)"]
    paths = sorted(map(str, (tmp_path / "data/runs").iterdir()))
    by_function = evaluate(files, paths, measures, scales=SCALES)
    by_command = rows(good(
        "evaluate", "--qrels", f"{files['topicality']}:{SCALES['topicality']}",
        "-l", f"understandability={files['understandability']}:{SCALES['understandability']}",
        *(word for name in measures for word in ("-m", name)), "-f", "csv", *paths,
    ))  # fmt: skip
    assert len(by_command) == len(by_function.runs) == len(data.runs) == 14
    for name in measures:
        measure = parse(name, dimensions=list(SCALES))
        scores = measure.overall(measure.value(data), data, end="value").tolist()
        by_campaign = dict(zip(data.runs, map(repr, scores), strict=True))
        function_scores = map(repr, by_function.overall(name).tolist())
        assert by_campaign == dict(zip(by_function.runs, function_scores, strict=True))
        assert by_campaign == {row["run"]: row[name] for row in by_command}


def test_trec_eval_with_the_policies_of_evaluate(folder: Path) -> None:
    """As the help of `fathom trec_eval` says: -c, -M 1000 and --float32."""
    run = "1 Q0 b 1 1.00000001 x\n1 Q0 a 2 1.0 x\n" + "".join(
        f"1 Q0 n{n} {n} {-n} x\n" for n in range(3, 1001)
    )
    (folder / "deep.run").write_text(f"{run}1 Q0 c 1001 -1001 x\n")  # topic 2 is left out
    ours = float(rows(good("evaluate", "--qrels", "q.txt", "-m", "AP", "-f", "csv", "deep.run",
                           cwd=folder))[0]["AP"])  # fmt: skip
    assert ours == (1 / 2) / 2 / 2  # a after b, a tie of 32-bit floats; c beyond the depth
    same, theirs = (
        good("trec_eval", "-m", "map", *flags, "q.txt", "deep.run", cwd=folder).split()[-1]
        for flags in (("-c", "-M", "1000", "--float32"), ())
    )
    assert same == f"{ours:.4f}"
    assert theirs == f"{(1 / 2 + 2 / 1001) / 2:.4f}"


def test_a_fix_is_in_the_syntax_of_the_caller(folder: Path) -> None:
    lines = {"duplicates": "1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n", "bad_scores": "1 Q0 a 1 nan x\n"}
    for (policy, text), value in zip(lines.items(), ("first", "last"), strict=True):
        (folder / "bad").write_text(text)
        option = f"--{policy.replace('_', '-')} {value}"
        assert option in refused("evaluate", "--qrels", "q.txt", "bad", cwd=folder)
        assert f"'fathom evaluate {option}'" in refused("trec_eval", "q.txt", "bad", code=2,
                                                        cwd=folder)  # fmt: skip
        good("evaluate", "--qrels", "q.txt", "bad", *option.split(), cwd=folder)
        for command in ("fuse", "pool"):  # which have no such option
            told = refused(command, "one.run", "bad", cwd=folder)
            assert "policies" not in told
            assert option not in told
        with pytest.raises(InputError) as caught:
            evaluate(folder / "q.txt", folder / "bad")
        assert f"{policy}='{value}'" in caught.value.problems[0].fix
        with pytest.raises(InputError) as caught:
            RunReader(RunPolicies()).read(folder / "bad")
        assert f"policies.{policy} to '{value}'" in caught.value.problems[0].fix


def test_policies_have_one_name_and_default() -> None:
    model = {name: field.default for name, field in Policies.model_fields.items()}
    command = fathom_group.get_command(click.Context(fathom_group), "evaluate")
    assert command is not None
    options = {param.name: param for param in command.params}
    for name in SharedPolicies._fields:
        for function in (evaluate, compare, explain):
            assert signature(function).parameters[name].default == model[name]
        assert options[name].default == model[name]
        if name in CHOICES:
            annotation = Policies.model_fields[name].annotation
            assert CHOICES[name] == get_args(annotation)
            kind = options[name].type
            assert isinstance(kind, click.Choice)
            assert tuple(kind.choices) == CHOICES[name]


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ("0-3", ("scale of understandability: '0-3'", "write 0..3")),
        ("0..3,hihg", ("'hihg'",)),
        ("hihg", ("'hihg'",)),
        ("0..3,gains=0:0+3:1", ("gains: ", "label 1, 2")),
        ("0..3,gains=0:0+1:2+2:2+3:3", ("gains: is 2",)),
        ("0..3,gains=0:0+1:1+2:0.5+3:1", ("gains: ", "label 1 more than label 2")),
        ("gains=0:0+x:1", ("'x'",)),
        ("0..2", ("label 3", "0 to 2")),
    ],
)
def test_scales_that_are_refused(folder: Path, scale: str, words: tuple[str, ...]) -> None:
    labels = f"understandability=read.txt:{scale}"
    told = refused("evaluate", "--qrels", "q.txt", "-l", labels, "one.run", cwd=folder)
    for word in words:
        assert word in told


def test_missing_labels_of_understandability(folder: Path) -> None:
    told = refused("evaluate", "--qrels", "q.txt", "one.run", "-m", "uRBP", cwd=folder)
    assert "'uRBP': there are no labels of understandability" in told
    assert "--labels understandability=FILE" in told
    with pytest.raises(InputError) as caught:
        evaluate(folder / "q.txt", folder / "one.run", "uRBP")
    assert "'understandability': ..." in caught.value.problems[0].fix


@pytest.mark.workflow
def test_three_ways_in_give_the_same_bytes(demo: Project, tmp_path: Path) -> None:
    """The demo's figures by the campaign, the command and the function: equal to the last digit."""
    made = demo.folder / "results/demo"
    data = made / "sources/demo"
    measures = ["RBP(p=0.8)", "uRBP(p=0.8)", "uRBPgr(p=0.8)", "P@10", "AP", "RR", "nDCG@10",
                "H(RBP(p=0.8), topicality=1, understandability=1)"]  # fmt: skip
    labels = {
        "topicality": data / "labels/topicality.qrels",
        "understandability": data / "labels/understandability.qrels",
    }
    runs = sorted(map(str, (data / "runs").iterdir()))
    said = [
        "--qrels", f"{labels['topicality']}:{SCALES['topicality']}",
        "-l", f"understandability={labels['understandability']}:{SCALES['understandability']}",
    ]  # fmt: skip
    chosen = [word for one in measures for word in ("-m", one)]
    by_campaign = {row["run"]: row for row in rows((made / "means.csv").read_text())}
    by_command = {
        row["run"]: row for row in rows(good("evaluate", *said, *chosen, "-f", "csv", *runs))
    }
    found = evaluate(labels, runs, measures, scales=SCALES)
    by_function = {
        run: {name: repr(float(found.overall(name)[place])) for name in measures}
        for place, run in enumerate(found.runs)
    }
    assert len(by_campaign) - 1 == len(by_command) == len(by_function) == 14  # but a baseline
    for run in by_function:
        row = by_campaign[run]
        for name in measures:
            assert row[name] == by_command[run][name] == by_function[run][name], (run, name)

    good("evaluate", *said, *chosen, "-q", "-o", tmp_path / "all.parquet", *runs)
    piece = pq.read_table(tmp_path / "all.parquet").to_pylist()
    ours = {(row["run"], row["topic"], row["measure"]): row for row in piece}
    counted = 0
    for path in (made / "scores").glob("*.parquet"):
        for row in pq.read_table(path).to_pylist():
            mine = ours.get((row["run"], row["topic"], row["measure"]))
            if mine is not None:
                assert row["value"] == mine["value"]
                # The campaign's lists are longer by the baseline's, and numpy's product of a
                # longer row may round the last bit of a bound otherwise.
                for end in ("lower", "upper"):
                    assert row[end] == pytest.approx(mine[end], rel=1e-14, abs=1e-15)
                counted += 1
    assert counted == 14 * 24 * len(measures)

    # The campaign prints six digits of what the command has in full, and has a baseline besides;
    # what is said of a pair alone does not depend on the other runs.
    alone = ("difference", "lower", "upper", "effect", "p_t")
    campaign = {
        (row["run_a"], row["run_b"]): row
        for row in rows((made / "significance/AP.csv").read_text())
    }
    compared = rows(good("compare", *said, "-m", "AP", "-f", "csv", *runs))
    assert len(compared) == 14 * 13 / 2
    for ours_ in compared:
        theirs = campaign[ours_["run_a"], ours_["run_b"]]
        printed = {name: f"{float(ours_[name]) + 0.0:.6g}" for name in alone}
        assert printed == {name: theirs[name] for name in alone}


def test_every_broken_run_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "first.run").write_text("1 Q0 a 1 nine x\n")
    (tmp_path / "second.run").write_text("1 Q0 a 1\n")
    told = refused("evaluate", "--qrels", str(folder / "q.txt"), str(folder / "one.run"),
                   "first.run", "second.run", cwd=tmp_path)  # fmt: skip
    assert "first.run, line 1: " in told
    assert "second.run, line 1: " in told
