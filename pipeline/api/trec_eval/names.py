"""trec_eval's options and measures: what it prints for each, and which of our measures that is.

`measures.csv` holds facts of trec_eval 10 (its README, help and test outputs): the order of the
measures, their default parameters, which are whole numbers, which are printed for topics, and the
sets they are in.
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
    """What was asked for."""

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
    nine: bool = False  # --float32

    @property
    def rounds(self) -> str:
        """How a recall point becomes a number of documents."""
        return "up" if self.nine else "nearest"


class Row(NamedTuple):
    """A row of the table: a measure of trec_eval, and ours."""

    name: str
    form: str  # of its parameters
    ours: str  # '' for what is not a measure
    whole: str
    topics: str
    default: str
    sets: str


@dataclass(frozen=True)
class Printed:
    """One line of the output: its name, and our measure, if it is one."""

    name: str
    text: str = ""
    whole: bool = False
    topics: bool = True  # whether it is printed for each topic
    summary: bool = True
    gains: tuple[tuple[int, float], ...] = ()  # labels that gain otherwise than they say
    size: int = 0  # of a relstring


def _refuse(row: Row, given: str, what: str, fix: str = "correct it") -> NoReturn:
    raise InputError(Problem(f"-m {row.name}.{given}", what, fix))


def _none(row: Row, given: str, options: Options) -> Iterator[Printed]:
    if given and row.ours:
        _refuse(row, given, f"{row.name} takes no parameters", "leave them out")
    yield Printed(row.name, row.ours, whole=row.whole == "yes", topics=row.topics != "no")


def _cutoffs(row: Row, given: str, options: Options) -> Iterator[Printed]:
    """One line per cutoff, in ascending order."""
    for cut in _once(row, given, map(int, _numbers(row, given))):
        if cut < 1:
            _refuse(row, given, "a cutoff must be 1 or more")
        yield Printed(f"{row.name}_{cut}", f"{row.ours}@{cut}")


def _points(row: Row, given: str, options: Options) -> Iterator[Printed]:
    """One line per point, in ascending order, shown with two digits."""
    for point in _once(row, given, _numbers(row, given)):
        text = row.ours.format(point=_shown(point), rounds=options.rounds)
        yield Printed(f"{row.name}_{point:3.2f}", text)


def _eleven(row: Row, given: str, options: Options) -> Iterator[Printed]:
    rounds = f"rounds={options.rounds}"
    points = (f"IPrec(recall={_shown(p)}, {rounds})" for p in _numbers(row, given) if given)
    yield Printed(_with(row, given), "+".join(points) or f"IPrec11({rounds})")


def _utility(row: Row, given: str, options: Options) -> Iterator[Printed]:
    worth = [_shown(value) for value in _numbers(row, given)]
    if len(worth) != 4:
        _refuse(row, given, f"{row.name} takes four numbers", "write them like 1,-1,0,0")
    text = "Utility(hit={}, noise={}, miss={}, rest={}, collection={})"
    yield Printed(_with(row, given), text.format(*worth, options.collection))


def _set_f(row: Row, given: str, options: Options) -> Iterator[Printed]:
    x = _numbers(row, given)[0]
    if x <= 0:
        _refuse(row, given, "the weight of recall must be above 0")
    yield Printed(_with(row, given), f"SetF(beta={_shown(x**0.5)})")


def _relstring(row: Row, given: str, options: Options) -> Iterator[Printed]:
    size = max(int(_numbers(row, given)[0]), 0)
    yield Printed(_with(row, given), summary=False, size=size)


def _gains(row: Row, given: str, options: Options) -> Iterator[Printed]:
    """A measure of graded labels: `-m ndcg.1=3,2=9` gives labels other gains."""
    pairs = _pairs(row, given)
    for key, value in pairs:
        if not key.lstrip("+").isdecimal() or value < 0:
            what = f"'{key}' must be a label with a gain of 0 or more"
            _refuse(row, given, what, "write it like 1=3,2=9")
    gains = tuple((int(key), value) for key, value in pairs)
    yield Printed(_with(row, given), row.ours, gains=gains)


def _persistence(row: Row, given: str, options: Options) -> Iterator[Printed]:
    pairs = dict(_pairs(row, given))
    p = pairs.pop("p", 0.9)
    if pairs or not 0 < p < 1:
        what = f"{row.name} takes a persistence above 0 and below 1 here, as {row.name}.p=0.8"
        _refuse(row, given, what, "for other gains change the labels")
    yield Printed(_with(row, given), f"{row.ours}(p={_shown(p)})")


FORMS = {
    "none": _none, "cutoffs": _cutoffs, "points": _points, "eleven": _eleven, "utility": _utility,
    "set_F": _set_f, "relstring": _relstring, "gains": _gains, "persistence": _persistence,
}  # fmt: skip
MEASURES = {
    fields[0]: Row(*fields)
    for fields in islice(sheets.lines(Path(__file__).with_name("measures.csv")), 1, None)
}
SETS = {
    chosen: tuple(name for name, row in MEASURES.items() if chosen in row.sets.split())
    for chosen in ("official", "set", "all_trec")
}
OTHER_FORMS = ("all_prefs", "prefs", "qrels_jg")


def printed(wanted: Sequence[str], options: Options) -> list[Printed]:
    """The lines that options -m ask for, in trec_eval's order."""
    parameters: dict[str, str] = {}
    chosen: set[str] = set()
    for text in wanted:
        name, dot, given = text.partition(".")
        if name in OTHER_FORMS or name.startswith("prefs_") or name.endswith("_avgjg"):
            what = "measures of preferences and of judgement groups are not computed here"
            raise InputError(Problem(f"-m {text}", what, "use trec_eval itself for those"))
        if name not in SETS and name not in MEASURES:
            from difflib import get_close_matches

            near = get_close_matches(name, [*MEASURES, *SETS], n=1, cutoff=0.0)[0]
            what = f"trec_eval has no measure '{name}'"
            raise InputError(Problem(f"-m {text}", what, f"did you mean '{near}'?"))
        if dot and not given:
            what = "there is nothing behind the dot"
            raise InputError(Problem(f"-m {text}", what, "give parameters there"))
        if given:
            parameters.setdefault(name, given)
        chosen |= set(SETS.get(name, (name,)))
    return [
        line
        for name, row in MEASURES.items()
        if name in chosen
        for line in FORMS[row.form](row, parameters.get(name, ""), options)
    ]


def _with(row: Row, given: str) -> str:
    return f"{row.name}_{given}" if given else row.name


def _numbers(row: Row, given: str) -> list[float]:
    found = [number(one) for one in (given or row.default).split(",")]
    if given and any(value != value for value in found):
        _refuse(row, given, "parameters are numbers with commas between them")
    return found


def _pairs(row: Row, given: str) -> list[tuple[str, float]]:
    pairs = [one.partition("=") for one in given.split(",") if given]
    values = [(key, number(value)) for key, _, value in pairs]
    if any(not key or value != value for key, value in values):
        _refuse(row, given, "parameters are pairs with commas between them, as 1=3,2=9")
    return values


def _once(row: Row, given: str, values: Iterable[float]) -> list[float]:
    ordered = sorted(values)
    if len(set(ordered)) < len(ordered):
        _refuse(row, given, "a parameter is given twice", "leave one out")
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
SHORT = "o" + "".join(
    f"{o[1]}{':' * long.endswith('=')}" for o, long in LONG.items() if o[1] != "-"
)
FLAGS = {
    "-q": ("topics", True), "-c": ("complete", True), "-n": ("summary", False),
    "-J": ("judged", True), "--float32": ("nine", True),
}  # fmt: skip
WHOLE = {"-l": "level", "-M": "depth", "-N": "collection"}
HELP = Path(__file__).with_name("help.txt").read_text("utf-8").rstrip("\n")
USAGE = HELP.partition("\n")[0]


class Stop(Exception):
    """Nothing is evaluated: what to say instead, where, and the exit code."""

    def __init__(self, said: str, *, code: int, error: bool) -> None:
        super().__init__(said)
        self.said, self.code, self.error = said, code, error


def parse(argv: Sequence[str]) -> Options:
    """Read the options; `Stop` for those that only print something."""
    try:
        found, files = getopt.gnu_getopt(list(argv), SHORT, list(LONG.values()))
    except getopt.GetoptError as error:
        raise Stop(f"trec_eval: {error.msg}\n{USAGE}", code=1, error=True) from None
    short = {f"--{long.rstrip('=')}": option for option, long in LONG.items()}
    given: dict[str, object] = {}
    chosen = [(short.get(option, option), value) for option, value in found]
    measures = tuple(value for option, value in chosen if option == "-m")
    for option, value in chosen:
        if option == "-v":
            raise Stop("trec_eval version 10.0, as Fathom follows it", code=0, error=True)
        if option in FLAGS:
            given |= dict([FLAGS[option]])
        elif option in WHOLE:
            given[WHOLE[option]] = _whole(option, value)
        elif option not in ("-h", "-m"):
            _refuse_option(option, value)
    if any(option == "-h" for option, _ in chosen):
        raise Stop(_help(measures), code=0, error=False)
    if len(files) < 2:
        raise Stop(USAGE, code=1, error=True)
    if measures:
        given["measures"] = measures
    return Options(qrels=files[0], runs=tuple(files[1:]), **given)  # type: ignore[arg-type]


def _whole(option: str, value: str) -> int:
    try:
        return max(int(value), 0 if option != "-l" else int(value))
    except ValueError:
        problem = Problem(f"{option} {value}", "is not a whole number", "correct it")
        raise InputError(problem) from None


def _refuse_option(option: str, value: str) -> None:
    """Refuse what only trec_eval itself does; its default formats and -o are nothing to refuse."""
    if option == "-o" or (option, value) in (("-R", "qrels"), ("-T", "trec_results")):
        return
    what = {
        "-R": f"judgements in the form '{value}' (preferences, judgement groups)",
        "-T": f"runs in the form '{value}'",
        "-Z": "z-scores",
        "-D": "messages for debugging",
    }[option]
    fix = "leave the option out"
    raise InputError(Problem(f"{option} {value}", f"{what} are left to trec_eval itself", fix))


def _help(measures: Sequence[str]) -> str:
    lines = [HELP]
    if measures:
        from pipeline.measures import REGISTRY

        lines.append("")
        for line in printed(measures, Options(qrels="", runs=())):
            ours = line.text.partition("(")[0].partition("@")[0]
            title = REGISTRY[ours].title if ours in REGISTRY else line.name
            lines.append(f"  {line.name:<22}  {title}{f' ({line.text})' if line.text else ''}")
    return "\n".join(lines)
