"""Published results as the tools print them, in hand-made files of the campaigns' forms."""

from pathlib import Path

import pytest

from pipeline.audit.published import read
from pipeline.errors import InputError

TREC_EVAL = """\
num_ret               \tqtest.1\t1000
P_10                  \tqtest.1\t0.1000
runid                 \tall\tmy own tag
num_q                 \tall\t66
map                   \tall\t0.2353
"""
UBIRE_2015 = """\
RBP(0.8)\tqtest.1\tX_Run.1.dat\t0.1137
uRBPgr(0.8)\tqtest.1\tX_Run.1.dat\t0.1137
RBP(0.8)\tall      \t0.3824
"""
UBIRE_2016 = "RBP(0.8)\t101\t0.25\nuRBP(0.8)\tall\t0.5\n"
NDEVAL = "runid,topic,ERR-IA@5,MAP-IA\nmy tag,51,0.1,0.25\nmy tag,amean,0.1,0.25\n"
FORMS = {
    "X_Run.1.dat": (TREC_EVAL, "trec_eval", [
        ("num_ret", "qtest.1", "1000"), ("P_10", "qtest.1", "0.1000"), ("num_q", "all", "66"),
        ("map", "all", "0.2353"),
    ]),
    "X_Run.1.dat.ndcg": ("ndcg_cut_5  \tqtest.1\t0.1461\r\n", "trec_eval-graded", [
        ("ndcg_cut_5", "qtest.1", "0.1461"),
    ]),
    "X_Run.1.dat.urbp": (UBIRE_2015, "ubire", [
        ("RBP(0.8)", "qtest.1", "0.1137"), ("uRBPgr(0.8)", "qtest.1", "0.1137"),
        ("RBP(0.8)", "all", "0.3824"),
    ]),
    "X_Run.1.dat.csv": (NDEVAL, "ndeval", [
        ("ERR-IA@5", "51", "0.1"), ("MAP-IA", "51", "0.25"), ("ERR-IA@5", "all", "0.1"),
        ("MAP-IA", "all", "0.25"),
    ]),
    "X_Run1.txt": (UBIRE_2016, "ubire", [("RBP(0.8)", "101", "0.25"), ("uRBP(0.8)", "all", "0.5")]),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_forms(tmp_path: Path, name: str) -> None:
    text, tool, values = FORMS[name]
    (tmp_path / name).write_bytes(text.encode())
    found = read([tmp_path / name])
    run = name.removesuffix(".ndcg").removesuffix(".urbp").removesuffix(".csv")
    assert found.run.names == (run,)
    rows = zip(found.source.number, found.topic.number, found.text.number, strict=True)
    assert [
        (found.source.names[s], found.topic.names[t], found.text.names[v]) for s, t, v in rows
    ] == [(f"{tool} {measure}", topic, value) for measure, topic, value in values]


def test_all_files_of_a_run_are_one_run(tmp_path: Path) -> None:
    for name in list(FORMS)[:3]:
        (tmp_path / name).write_text(FORMS[name][0])
    found = read(sorted(tmp_path.iterdir()))
    assert found.run.names == ("X_Run.1.dat",)
    assert len(found) == 8


BAD = {  # text: line, words of the problem, word of its fix
    "runid,topic,P-IA@5\nx,1\n": (2, ["2 fields", "names 3"], "line"),
    "map all 0.5\nmap 0.5\n": (2, ["2 fields"], "trec_eval -q"),
    "map all 0.5\nmap 1 high\n": (2, ["'high'", "number"], "value"),
    "RBP(0.8)\t1\tother\t0.5\n": (1, ["'other'", "'run'"], "rename the file"),
}


@pytest.mark.parametrize(("text", "expected"), BAD.items())
def test_bad_output(tmp_path: Path, text: str, expected: tuple[int, list[str], str]) -> None:
    path, (line, words, fix) = tmp_path / "run", expected
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read([path])
    (problem,) = error.value.problems
    assert (problem.where, problem.line) == (path, line)
    assert all(word in problem.what for word in words)
    assert fix in problem.fix
