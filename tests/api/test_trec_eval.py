"""trec_eval's drop-in: its text to the letter, its options, and what it refuses."""

import io
import math
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from pipeline.api.trec_eval import main
from pipeline.api.trec_eval.names import MEASURES, SETS
from tests.command.process import process

QRELS = """# judgements
301 0 a 1
301 0 b 0
301 0 c 2
301 0 d -1
302 0 e 1
302 0 f 1
31 0 g 1
"""
# 301: a relevant, x not in the pool, b nonrelevant, d in the pool but not judged, c relevant
RUN = """# a comment
301 Q0 a 1 9 first
301 Q0 x 2 8 first
301 Q0 b 3 7 first

301 Q0 d 4 6 first
301 Q0 c 5 5 first
302 Q0 y 1 2 first
302 Q0 e 2 1 LAST
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "r").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def called(*argv: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(argv)
    return code, out.getvalue(), err.getvalue()


def lines(*argv: str) -> dict[tuple[str, str], str]:
    code, out, err = called(*argv)
    assert (code, err) == (0, "")
    return {(m.strip(), t): v for m, t, v in (line.split("\t") for line in out.splitlines())}


def test_official_to_the_letter(folder: Path) -> None:
    """AP of 301: (1/1 + 2/5) / 2 = 0.7; of 302: (1/2) / 2 = 0.25."""
    code, out, _ = called("q", "r")
    assert code == 0
    assert out == "".join(
        f"{name:<22}\tall\t{value}\n"
        for name, value in [
            ("runid", "LAST"),
            ("num_q", "2"),
            ("num_ret", "7"),
            ("num_rel", "4"),
            ("num_rel_ret", "3"),
            ("map", "0.4750"),
            ("gm_map", f"{math.sqrt(0.7 * 0.25):.4f}"),
            ("Rprec", "0.5000"),
            ("bpref", "0.5000"),  # 301: 1 and 1 - 1/1, over 2; 302: 1 over 2
            ("recip_rank", "0.7500"),
            ("iprec_at_recall_0.00", "0.7500"),
            ("iprec_at_recall_0.10", "0.7500"),
            ("iprec_at_recall_0.20", "0.7500"),
            ("iprec_at_recall_0.30", "0.7500"),
            ("iprec_at_recall_0.40", "0.7500"),
            ("iprec_at_recall_0.50", "0.7500"),
            ("iprec_at_recall_0.60", "0.7500"),  # the nearest to 1.2 documents is 1
            ("iprec_at_recall_0.70", "0.7500"),
            ("iprec_at_recall_0.80", "0.2000"),  # 2 of 301 at rank 5; 302 has found but one
            ("iprec_at_recall_0.90", "0.2000"),
            ("iprec_at_recall_1.00", "0.2000"),
            ("P_5", "0.3000"),
            ("P_10", "0.1500"),
            ("P_15", "0.1000"),
            ("P_20", "0.0750"),
            ("P_30", "0.0500"),
            ("P_100", "0.0150"),
            ("P_200", "0.0075"),
            ("P_500", "0.0030"),
            ("P_1000", "0.0015"),
        ]
    )


def test_topics_in_the_order_of_their_bytes_then_all(folder: Path) -> None:
    _, out, _ = called("-q", "-c", "-m", "map", "-m", "num_rel", "-mrelstring.3", "q", "r")
    assert out == (
        "num_rel               \t301\t2\nmap                   \t301\t0.7000\n"
        "relstring_3           \t301\t'1-0'\n"
        "num_rel               \t302\t2\nmap                   \t302\t0.2500\n"
        "relstring_3           \t302\t'-1'\n"
        "num_rel               \t31\t1\nmap                   \t31\t0.0000\n"
        "relstring_3           \t31\t''\n"
        "num_rel               \tall\t5\nmap                   \tall\t0.3167\n"
    )


def test_relstring_tells_pooled_from_unpooled(folder: Path) -> None:
    assert lines("-q", "-n", "-m", "relstring", "q", "r")["relstring", "301"] == "'1-0.2'"


def test_infap_counts_what_is_pooled_and_not_judged(folder: Path) -> None:
    """At rank 5: above are 4, of the pool 3 (a, b, d); judged 2, relevant 1."""
    chance = (1 + 1e-5) / (2 + 2e-5)
    expected = (1 + 1 / 5 + 4 / 5 * 3 / 4 * chance) / 2
    found = lines("-q", "-m", "infAP", "q", "r")["infAP", "301"]
    assert found == f"{expected:.4f}" != f"{(1 + 1 / 5 + 4 / 5 * 2 / 4 * chance) / 2:.4f}"


def test_what_pytrec_eval_has_not(folder: Path) -> None:
    """yaap, rbp, rbp_resid and unj worked by hand on topic 301: 1, -, 0, ., 2 of best label 2."""
    found = lines("-q", "-m", "yaap", "-m", "rbp", "-m", "rbp_resid", "-m", "unj", "q", "r")
    assert found["yaap", "301"] == f"{math.log((1 + 1.4) / (1 + 2 - 1.4)):.4f}"
    assert found["rbp", "301"] == f"{0.1 * (0.5 + 0.9**4):.4f}"
    assert found["rbp_resid", "301"] == f"{0.9**5 + 0.1 * (0.9 + 0.9**3):.4f}"
    assert found["unj_5", "301"] == "0.4000"
    assert found["unj_20", "301"] == "0.1000"
    assert (
        lines("-q", "-m", "rbp.p=0.5", "q", "r")["rbp_p=0.5", "301"]
        == f"{0.5 * (0.5 + 1 / 16):.4f}"
    )
    missing = lines("-q", "-c", "-m", "yaap", "-m", "rbp_resid", "-m", "unj.5", "q", "r")
    assert missing["yaap", "31"] == f"{math.log(1 / 2):.4f}"
    assert (missing["rbp_resid", "31"], missing["unj_5", "31"]) == ("0.0000", "0.0000")


def test_parameters_as_its_own_tests_give_them(folder: Path) -> None:
    argv = (
        "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 "
        "-m Rprec_mult.5.0,0.2,0.35 -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 "
        "-mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 q r"
    )
    _, out, err = called(*argv.split())
    names = [line.split("\t")[0] for line in out.splitlines() if "\t301\t" in line]
    assert err == ""
    assert names == [f"{name:<22}" for name in (
        "iprec_at_recall_0.10", "iprec_at_recall_0.20", "iprec_at_recall_0.25",
        "iprec_at_recall_0.50", "iprec_at_recall_0.75", "P_3", "P_5", "P_7", "recall_20",
        "recall_2000", "Rprec_mult_0.20", "Rprec_mult_0.35", "Rprec_mult_5.00", "utility_2,-1,0,0",
        "11pt_avg_.25,.5,.75", "ndcg_1=3,2=9,4=4.5", "ndcg_cut_10", "ndcg_cut_20", "ndcg_cut_23",
        "success_2", "success_5", "success_20",
    )]  # fmt: skip
    found = lines(*argv.split())
    assert found["utility_2,-1,0,0", "301"] == "1.0000"
    dcg, ideal = 3 + 9 / math.log2(6), 9 + 3 / math.log2(3)
    assert found["ndcg_1=3,2=9,4=4.5", "301"] == f"{dcg / ideal:.4f}"
    assert found["ndcg_cut_10", "301"] == f"{(1 + 2 / math.log2(6)) / (2 + 1 / math.log2(3)):.4f}"
    # recall .25, .5, .75 of 2 documents: the nearest to 0.5 is 1, to 1.5 is 2
    assert found["11pt_avg_.25,.5,.75", "301"] == f"{(1 + 1 + 2 / 5) / 3:.4f}"


def test_level_depth_and_judged_only(folder: Path) -> None:
    assert lines("-l2", "-q", "-m", "map", "q", "r")["map", "301"] == "0.2000"
    assert lines("-M", "3", "-q", "-m", "num_ret", "q", "r")["num_ret", "301"] == "3"
    judged = lines("-J", "-q", "-m", "map", "-m", "relstring", "-m", "num_ret", "q", "r")
    assert judged["relstring", "301"] == "'102'"
    assert judged["map", "301"] == f"{(1 + 2 / 3) / 2:.4f}"
    assert judged["num_ret", "301"] == "3"
    assert lines("-N100", "-m", "utility.0,0,0,1", "q", "r")["utility_0,0,0,1", "all"] == "96.0000"
    assert (
        lines("-m", "set_F.2", "q", "r")["set_F_2", "all"]
        == f"{((2 + 1) * 0.4 * 1 / (2 * 0.4 + 1) + 3 * 0.5 * 0.5 / (2 * 0.5 + 0.5)) / 2:.4f}"
    )


def test_sixty_four_bits_unless_told(tmp_path: Path) -> None:
    """Two scores that are one as 32-bit floats: then the document id decides."""
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1.00000001 t\n1 Q0 b 2 1.0 t\n")
    argv = ("-m", "recip_rank", str(tmp_path / "q"), str(tmp_path / "r"))
    assert lines(*argv)["recip_rank", "all"] == "1.0000"
    assert lines("--float32", *argv)["recip_rank", "all"] == "0.5000"


def test_nine_rounds_recall_points_up(folder: Path) -> None:
    argv = ("-m", "iprec_at_recall.0.6", "q", "r")
    assert lines(*argv)["iprec_at_recall_0.60", "all"] == "0.7500"
    assert lines("--float32", *argv)["iprec_at_recall_0.60", "all"] == "0.2000"


def test_several_runs_and_standard_input(folder: Path) -> None:
    (folder / "other").write_text(RUN.replace("LAST", "other"))
    one = called("-q", "-m", "map", "-m", "runid", "q", "r")[1]
    two = called("-q", "-m", "map", "-m", "runid", "q", "other")[1]
    both = called("-q", "-m", "map", "-m", "runid", "q", "r", "other")
    assert both == (0, one + two, "")
    argv = ("trec_eval", "-q", "-m", "map", "-m", "runid", "q", "-")
    loose = RUN.replace(" 1 9 first", " Q 9 first and more")
    for text in (RUN, loose):
        assert process(*argv, stdin=text.encode(), cwd=folder).stdout.decode() == one
    broken = process(*argv, stdin=b"301 Q0\n", cwd=folder)
    assert broken.stderr.startswith(b"trec_eval: -, line 1: 2 fields where a run line has 6")


def test_more_is_a_run_to_trec_eval(folder: Path) -> None:
    """Neither the rank nor a seventh field is read; with nothing else odd the figures are equal."""
    (folder / "loose").write_text(RUN.replace(" 1 9 first", " Q 9 first and more"))
    assert called("-q", "q", "loose") == called("-q", "q", "r")


def test_all_names_print_in_its_order(folder: Path) -> None:
    _, out, _ = called("-m", "all_trec", "-m", "yaap", "-m", "dcg", "-m", "ideal_dcg", "q", "r")
    seen = [line.split("\t")[0].strip() for line in out.splitlines()]
    assert len(seen) == 30 + 9 + 2 + 10 + 2 + 2 + 2 + 3 + 27 + 3 + 5 + 1 + 1 + 2 + 3
    known = [name for name in MEASURES if name != "relstring"]
    rest = iter(seen)
    for name in known:  # each comes, in the order of the table
        assert any(one == name or one.startswith(f"{name}_") for one in rest), name
    assert set(SETS["set"]) <= set(MEASURES)


REFUSED = {
    "-m nothing q r": (1, "trec_eval: -m nothing: trec_eval has no measure 'nothing'"),
    "-m P.5,5 q r": (1, "a parameter occurs twice"),
    "-m P.0 q r": (1, "a cutoff must be 1 or more"),
    "-m P. q r": (1, "no parameters after the dot"),
    "-m ndcg.a=1 q r": (1, "must be a label with a gain"),
    "-m map.3 q r": (1, "map takes no parameters"),
    "-m all_prefs -R prefs q r": (1, "judgements in the form 'prefs'"),
    "-m qrels_jg q r": (1, "judgement groups; use trec_eval"),
    "-R qrels_prefs q r": (1, "'qrels_prefs'"),
    "-Z z q r": (1, "does not support z-scores"),
    "-l x q r": (1, "whole number"),
    "-k q r": (1, "option -k not recognized\nUsage: "),
    "q": (1, "Usage: fathom trec_eval"),
    "q nosuch": (2, "nosuch: cannot be read"),
    "nosuch r": (2, "nosuch: cannot be read"),
    "q broken": (2, "broken, line 1: 2 fields where a run line has 6"),
    "q twice": (2, "use 'fathom evaluate --duplicates first'"),
    "q strange": (7, "strange: no topic has both results and judgements"),
}


@pytest.mark.parametrize("argv", REFUSED)
def test_refused_with_a_sentence(folder: Path, argv: str) -> None:
    (folder / "broken").write_text("301 Q0\n")
    (folder / "twice").write_text("301 Q0 a 1 2 t\n301 Q0 a 2 1 t\n")
    (folder / "strange").write_text("7 Q0 a 1 2 t\n")
    code, out, err = called(*argv.split())
    assert (code, out) == (REFUSED[argv][0], "")
    assert REFUSED[argv][1] in err


def test_help_and_version(folder: Path) -> None:
    code, out, _ = called("-h", "-m", "all_trec")
    assert code == 0
    assert "Average precision (AP)" in out
    assert called("-v")[0] == 0
    assert "10" in called("--version")[2]
    assert "--float32" in called("--help")[1]
    assert sys.stdout is not None
