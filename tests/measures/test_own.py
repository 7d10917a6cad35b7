"""Measures and user models declared outside the library: in a notebook, in a file."""

from pathlib import Path

import numpy as np
import pytest

from pipeline import evaluate, measure
from pipeline.campaign import campaigns, resolve
from pipeline.errors import InputError
from pipeline.gains.gains import View
from pipeline.measures import REGISTRY, parse
from pipeline.measures.own import load
from pipeline.storage.arrays import Floats
from pipeline.workflow.code import Graph
from pipeline.workflow.plan import CampaignPlan

QRELS = {"1": {"a": 1, "b": 0, "c": 2}}
RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}
FILE = '''
"""Own measures."""

import numpy as np

from pipeline import measure
from pipeline.api import Param, user_model


@measure("Last", title="Gain of the last document", formula="g(n)", citation="mine",
         params={"times": Param(1.0, low=0)}, rises=False)
def last(view, *, times):
    return times * view.gain[np.arange(len(view.length)), view.length - 1]


@user_model("Twice", title="Looks at two documents", formula="1, 0", citation="mine")
def twice(seen):
    return (seen.rank < 2).astype(float)
'''


def declared(factor: float) -> object:
    """As a notebook's cell does, each time it is run."""

    @measure("Tenth", title="A tenth", formula="0.1", citation="mine", rises=False)
    def tenth(view: View) -> Floats:
        return np.full(len(view.length), factor)

    return tenth


def test_a_decorated_function_is_a_measure_at_once_and_again() -> None:
    function = declared(0.1)
    assert evaluate(QRELS, RUN, [function]).values("Tenth").tolist() == [[0.1]]
    declared(0.2)  # the cell again, with another body
    assert evaluate(QRELS, RUN, "Tenth").values("Tenth").tolist() == [[0.2]]
    with pytest.raises(InputError, match="the function tenth is not declared"):
        evaluate(QRELS, RUN, [function])
    REGISTRY.remove("Tenth")


def test_no_name_of_the_library_is_taken() -> None:
    with pytest.raises(InputError, match="there is a measure 'AP' already; choose another name"):
        measure("AP", title="", formula="", citation="")(lambda view: view.length)
    assert parse("AP", dimensions=["t"]).modules[0].startswith("pipeline.")


def test_a_file_declares_measures_and_user_models(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    wanted = ["Last", "Last(times=3)", "Twice", "ETU(Twice)", "uLast(by=u)"]
    found = evaluate(
        {"t": QRELS, "u": {"1": {"c": 1}}}, RUN, wanted, measures_from=[tmp_path / "mine.py"]
    )
    assert found.to_dict()["run"]["1"] == {
        "Last(times=1)": 1.0,
        "Last(times=3)": 3.0,
        "Twice": pytest.approx(0.25),  # gains 1/2 and 0, over two documents
        "ETU(Twice)": pytest.approx(0.5),
        "uLast(times=1, by=u)": 1.0,
    }
    (tmp_path / "mine.py").write_text(FILE.replace("times * view", "2 * times * view"))
    again = evaluate(QRELS, RUN, "Last", measures_from=[tmp_path / "mine.py"])
    assert again.values().tolist() == [[2.0]]


BROKEN = {
    "syntax": ("def f(:\n", "line 1: SyntaxError"),
    "name": ("x = 1\nnothing\n", "line 2: NameError: name 'nothing' is not defined"),
    "taken": (FILE.replace('"Last"', '"RBP"'), "there is a measure 'RBP' already"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_one_sentence(tmp_path: Path, what: str) -> None:
    content, sentence = BROKEN[what]
    (tmp_path / "mine.py").write_text(content)
    with pytest.raises(InputError) as told:
        load(tmp_path / "mine.py")
    assert str(told.value).startswith(str(tmp_path / "mine.py"))
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)
    with pytest.raises(InputError, match=r"nowhere\.py: cannot be read"):
        load(tmp_path / "nowhere.py")


def config(**changes: object) -> dict[str, object]:
    labels = {"labels": "q", "scale": [0, 2], "threshold": 1}
    one = {"runs": {"files": "r"}, "dimensions": {"topicality": labels}, "measures": ["AP"]}
    return {"campaigns": {"mine": one | changes}}


def test_a_campaign_takes_them_as_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is listed for the jobs that compute its measures, and for no others."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FILE)
    Path("q").write_text("1 0 a 1\n")
    Path("r").write_text("1 Q0 a 1 1 t\n")
    given = config(measures=["AP", "Last", "Twice"], measures_from=["mine.py"])
    (one,) = campaigns(given).values()
    scripts = Path(__file__).resolve().parents[2] / "scripts"
    plan = CampaignPlan(one, resolve(one), Graph(), scripts)
    assert plan.own_measures("AP") == []
    assert plan.own_measures("Last_times=1") == plan.own_measures("Twice") == ["mine.py"]

    def listed(script: str, slug: str | None) -> bool:
        path, modules = scripts / f"{script}.py", plan.modules(slug)
        with_file = Graph().digest(path, measures=modules, own=plan.own_measures(slug))
        return with_file != Graph().digest(path, measures=modules)

    assert listed("evaluate", "Twice")
    assert listed("report", None)
    assert not listed("evaluate", "AP")
    assert not listed("rank", None)
    assert not listed("correlate", None)


def test_a_config_names_the_file_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("nothing\n")
    with pytest.raises(InputError) as told:
        campaigns(config(measures_from=["mine.py", "no.py"]))
    assert "campaigns.mine.measures_from[0]: mine.py, line 1: NameError" in str(told.value)
    assert "campaigns.mine.measures_from[1]: no.py: cannot be read" in str(told.value)
