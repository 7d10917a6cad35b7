"""The options and measures of trec_eval, and the measures of Fathom that they correspond to.

`measures.csv` holds facts about trec_eval 10 (from its README, help and test outputs): the order of
the measures, their default parameters, which are whole numbers, which are printed per topic, and
their sets.
"""

import getopt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple, NoReturn

from pipeline.errors import InputError, Problem
from pipeline.storage import sheets
from pipeline.storage.text import number


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a call."""

    qrels: str
    runs: tuple[str, ...]
    measures: tuple[str, ...] = ("official",)
    topics: bool = False  # -q
    complete: bool = False  # -c
    summary: bool = True  # not -n
    level: int = 1  # -l
    depth: int = 0  # -M; 0 is all
    judged: bool = False  # -J
    collection: int = 0  # -N
    float32: bool = False  # --float32

    @property
    def rounds(self) -> str:
        """How a recall point is rounded to a number of documents."""
        return "up" if self.float32 else "nearest"


class MeasureRow(NamedTuple):
    """A row of the table: a measure of trec_eval, and that of Fathom."""

    name: str
    form: str  # of its parameters
    measure: str  # Fathom's measure; '' if there is none
    whole: str
    topics: str
    default: str
    sets: str


@dataclass(frozen=True)
class OutputLine:
    """One line of the output: its name, and Fathom's measure, if it is one."""

    name: str
    text: str = ""
    whole: bool = False
    topics: bool = True  # whether it is printed for each topic
    summary: bool = True
    gains: tuple[tuple[int, float], ...] = ()  # gains of labels that differ from the label
    size: int = 0  # of a relstring


def _refuse(row: MeasureRow, params: str, what: str, fix: str = "correct it") -> NoReturn:
    raise InputError(Problem(f"-m {row.name}.{params}", what, fix))


def _none(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    if params and row.measure:
        _refuse(row, params, f"{row.name} takes no parameters", "remove them")
    yield OutputLine(row.name, row.measure, whole=row.whole == "yes", topics=row.topics != "no")


def _cutoffs(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    for cut in _sort_distinct(row, params, map(int, _numbers(row, params))):
        if cut < 1:
            _refuse(row, params, "a cutoff must be 1 or more")
        yield OutputLine(f"{row.name}_{cut}", f"{row.measure}@{cut}")


def _points(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    """One line per point, in ascending order, named with two decimals."""
    for point in _sort_distinct(row, params, _numbers(row, params)):
        text = row.measure.format(point=_shown(point), rounds=options.rounds)
        yield OutputLine(f"{row.name}_{point:3.2f}", text)


def _eleven(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    rounds = f"rounds={options.rounds}"
    points = (f"IPrec(recall={_shown(p)}, {rounds})" for p in _numbers(row, params) if params)
    yield OutputLine(_with(row, params), "+".join(points) or f"IPrec11({rounds})")


def _utility(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    worth = [_shown(value) for value in _numbers(row, params)]
    if len(worth) != 4:
        _refuse(row, params, f"{row.name} takes four numbers", "write them like 1,-1,0,0")
    text = "Utility(hit={}, noise={}, miss={}, rest={}, collection={})"
    yield OutputLine(_with(row, params), text.format(*worth, options.collection))


def _set_f(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    x = _numbers(row, params)[0]
    if x <= 0:
        _refuse(row, params, "the weight of recall must be above 0")
    yield OutputLine(_with(row, params), f"SetF(beta={_shown(x**0.5)})")


def _relstring(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    yield OutputLine(_with(row, params), summary=False, size=max(int(_numbers(row, params)[0]), 0))


def _gains(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    """A measure of graded labels; `-m ndcg.1=3,2=9` sets the gains of labels."""
    pairs = _pairs(row, params)
    for key, value in pairs:
        if not key.lstrip("+").isdecimal() or value < 0:
            what = f"'{key}' must be a label with a gain of 0 or more"
            _refuse(row, params, what, "write it like 1=3,2=9")
    gains = tuple((int(key), value) for key, value in pairs)
    yield OutputLine(_with(row, params), row.measure, gains=gains)


def _persistence(row: MeasureRow, params: str, options: Options) -> Iterator[OutputLine]:
    pairs = dict(_pairs(row, params))
    p = pairs.pop("p", 0.9)
    if pairs or not 0 < p < 1:
        what = f"{row.name} takes a persistence above 0 and below 1, for example {row.name}.p=0.8"
        _refuse(row, params, what, "to set gains, change the labels")
    yield OutputLine(_with(row, params), f"{row.measure}(p={_shown(p)})")


FORMS = {
    "none": _none, "cutoffs": _cutoffs, "points": _points, "eleven": _eleven, "utility": _utility,
    "set_F": _set_f, "relstring": _relstring, "gains": _gains, "persistence": _persistence,
}  # fmt: skip
MEASURES = {
    fields[0]: MeasureRow(*fields)
    for fields in islice(sheets.lines(Path(__file__).with_name("measures.csv")), 1, None)
}
SETS = {
    set_name: tuple(name for name, row in MEASURES.items() if set_name in row.sets.split())
    for set_name in ("official", "set", "all_trec")
}
OTHER_FORMS = ("all_prefs", "prefs", "qrels_jg")


def output_lines(measures: Sequence[str], options: Options) -> list[OutputLine]:
    """The lines for the values of -m, in trec_eval's order."""
    parameters: dict[str, str] = {}
    names: set[str] = set()
    for text in measures:
        name, dot, values = text.partition(".")
        if name in OTHER_FORMS or name.startswith("prefs_") or name.endswith("_avgjg"):
            what = "Fathom does not compute measures of preferences and judgement groups"
            raise InputError(Problem(f"-m {text}", what, "use trec_eval for these"))
        if name not in SETS and name not in MEASURES:
            from difflib import get_close_matches

            near = get_close_matches(name, [*MEASURES, *SETS], n=1, cutoff=0.0)[0]
            what = f"trec_eval has no measure '{name}'"
            raise InputError(Problem(f"-m {text}", what, f"did you mean '{near}'?"))
        if dot and not values:
            what = "there are no parameters after the dot"
            raise InputError(Problem(f"-m {text}", what, "add them, or remove the dot"))
        if values:
            parameters.setdefault(name, values)
        names |= set(SETS.get(name, (name,)))
    return [
        line
        for name, row in MEASURES.items()
        if name in names
        for line in FORMS[row.form](row, parameters.get(name, ""), options)
    ]


def _with(row: MeasureRow, params: str) -> str:
    return f"{row.name}_{params}" if params else row.name


def _numbers(row: MeasureRow, params: str) -> list[float]:
    values = [number(text) for text in (params or row.default).split(",")]
    if params and any(value != value for value in values):
        _refuse(row, params, "the parameters must be numbers separated by commas")
    return values


def _pairs(row: MeasureRow, params: str) -> list[tuple[str, float]]:
    pairs = [pair.partition("=") for pair in params.split(",") if params]
    values = [(key, number(value)) for key, _, value in pairs]
    if any(not key or value != value for key, value in values):
        _refuse(row, params, "the parameters must be pairs separated by commas, like 1=3,2=9")
    return values


def _sort_distinct(row: MeasureRow, params: str, values: Iterable[float]) -> list[float]:
    ordered = sorted(values)
    if len(set(ordered)) < len(ordered):
        _refuse(row, params, "a parameter occurs twice", "remove one")
    return ordered


def _shown(value: float) -> str:
    return repr(int(value)) if float(value).is_integer() else repr(float(value))


# ---- options --------------------------------------------------------------------------------

# trec_eval's own long names; those with = take a value.
LONG = {
    "-h": "help", "-v": "version", "-q": "query_eval_wanted", "-m": "measure=",
    "-c": "complete_rel_info_wanted", "-l": "level_for_rel=", "-n": "nosummary",
    "-D": "Debug_level=", "-J": "Judged_docs_only", "-N": "Number_docs_in_coll=",
    "-M": "Max_retrieved_per_topic=", "-R": "Rel_info_format=", "-T": "Results_format=",
    "-Z": "Zscore=", "--float32": "float32",
}  # fmt: skip
SHORT = "o" + "".join(o[1] + ":" * long.endswith("=") for o, long in LONG.items() if o[1] != "-")
FLAGS = {
    "-q": ("topics", True), "-c": ("complete", True), "-n": ("summary", False),
    "-J": ("judged", True), "--float32": ("float32", True),
}  # fmt: skip
WHOLE = {"-l": "level", "-M": "depth", "-N": "collection"}
HELP = Path(__file__).with_name("help.txt").read_text("utf-8").rstrip("\n")
USAGE = HELP.partition("\n")[0]


class Stop(Exception):
    """End without evaluation: the text to print, whether as an error, and the exit code."""

    def __init__(self, text: str, *, code: int, error: bool) -> None:
        super().__init__(text)
        self.text, self.code, self.error = text, code, error


def parse(argv: Sequence[str]) -> Options:
    """Read the options; `Stop` for those that only print something."""
    try:
        pairs, files = getopt.gnu_getopt(list(argv), SHORT, list(LONG.values()))
    except getopt.GetoptError as error:
        raise Stop(f"trec_eval: {error.msg}\n{USAGE}", code=1, error=True) from None
    short = {f"--{long.rstrip('=')}": option for option, long in LONG.items()}
    fields: dict[str, object] = {}
    options = [(short.get(option, option), value) for option, value in pairs]
    measures = tuple(value for option, value in options if option == "-m")
    for option, value in options:
        if option == "-v":
            raise Stop("trec_eval version 10.0, as Fathom follows it", code=0, error=True)
        if option in FLAGS:
            fields |= dict([FLAGS[option]])
        elif option in WHOLE:
            fields[WHOLE[option]] = _whole(option, value)
        elif option not in ("-h", "-m"):
            _refuse_option(option, value)
    if any(option == "-h" for option, _ in options):
        raise Stop(_help(measures), code=0, error=False)
    if len(files) < 2:
        raise Stop(USAGE, code=1, error=True)
    if measures:
        fields["measures"] = measures
    return Options(qrels=files[0], runs=tuple(files[1:]), **fields)  # type: ignore[arg-type]


def _whole(option: str, value: str) -> int:
    try:
        return int(value) if option == "-l" else max(int(value), 0)
    except ValueError:
        problem = Problem(f"{option} {value}", "is not a whole number", "correct it")
        raise InputError(problem) from None


def _refuse_option(option: str, value: str) -> None:
    """Refuse options that only trec_eval supports; its default formats and -o are accepted."""
    if option == "-o" or (option, value) in (("-R", "qrels"), ("-T", "trec_results")):
        return
    what = {
        "-R": f"judgements in the form '{value}' (preferences, judgement groups)",
        "-T": f"runs in the form '{value}'",
        "-Z": "z-scores",
        "-D": "debugging messages",
    }[option]
    fix = "remove the option, or use trec_eval"
    raise InputError(Problem(f"{option} {value}", f"Fathom does not support {what}", fix))


def _help(measures: Sequence[str]) -> str:
    lines = [HELP]
    if measures:
        from pipeline.measures import REGISTRY

        lines.append("")
        for line in output_lines(measures, Options(qrels="", runs=())):
            name = line.text.partition("(")[0].partition("@")[0]
            title = REGISTRY[name].title if name in REGISTRY else line.name
            lines.append(f"  {line.name:<22}  {title}{f' ({line.text})' if line.text else ''}")
    return "\n".join(lines)
