"""trec_eval's measures: what it prints for each, in its order, and which of ours that is.

Facts of trec_eval 10 (its README, help and test outputs): the order of the measures, their default
parameters, which are whole numbers, which are printed for topics, and how parameters are shown.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NoReturn

from pipeline.errors import InputError, Problem
from pipeline.storage.text import number

CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(n / 10 for n in range(11))
FIFTHS = tuple(n / 5 for n in range(1, 11))


@dataclass(frozen=True)
class Asked:
    """What the options say that measures depend on."""

    nearest: bool  # recall points rounded as trec_eval 10 does
    collection: int  # -N


@dataclass(frozen=True)
class Printed:
    """One line of the output: its name, and our measure (or what is no measure: `word`)."""

    name: str
    text: str = ""
    word: str = ""  # runid, num_q, relstring
    whole: bool = False
    topics: bool = True  # whether it is printed for each topic
    summary: bool = True
    gains: tuple[tuple[int, float], ...] = ()  # labels that gain otherwise than they say
    size: int = 0  # of a relstring


Make = Callable[[str, str, Asked], Iterator[Printed]]  # of a name and its parameters


def _refuse(name: str, given: str, what: str, fix: str = "correct it") -> NoReturn:
    raise InputError(Problem(f"-m {name}.{given}", what, fix))


def _plain(
    name: str, given: str, asked: Asked, *, ours: str, whole: bool = False, topics: bool = True
) -> Iterator[Printed]:
    """A measure without parameters."""
    if given:
        _refuse(name, given, f"{name} takes no parameters", "leave them out")
    yield Printed(name, ours, whole=whole, topics=topics)


def _word(name: str, given: str, asked: Asked, *, whole: bool = False) -> Iterator[Printed]:
    yield Printed(name, word=name, topics=False, whole=whole)


def _cutoffs(
    name: str, given: str, asked: Asked, *, ours: str, default: Sequence[int] = CUTS
) -> Iterator[Printed]:
    """One line per cutoff, in ascending order."""
    cuts = [int(one) for one in _numbers(name, given)] if given else list(default)
    if min(cuts) < 1:
        _refuse(name, given, "a cutoff must be 1 or more")
    for cut in _once(name, given, cuts):
        yield Printed(f"{name}_{cut}", f"{ours}@{cut}")


def _points(
    name: str, given: str, asked: Asked, *, ours: str, default: Sequence[float], rounds: bool
) -> Iterator[Printed]:
    """One line per point, in ascending order, shown with two digits."""
    points = _numbers(name, given) if given else list(default)
    more = ", rounds=nearest" if rounds and asked.nearest else ""
    for point in _once(name, given, points):
        yield Printed(f"{name}_{point:3.2f}", ours.format(_shown(point)) + more + ")")


def _eleven(name: str, given: str, asked: Asked) -> Iterator[Printed]:
    more = "rounds=nearest" if asked.nearest else "rounds=up"
    if not given:
        yield Printed(name, f"IPrec11({more})")
        return
    points = "+".join(f"IPrec(recall={_shown(p)}, {more})" for p in _numbers(name, given))
    yield Printed(f"{name}_{given}", points)


def _utility(name: str, given: str, asked: Asked) -> Iterator[Printed]:
    worth = _numbers(name, given) if given else [1.0, -1.0, 0.0, 0.0]
    if len(worth) != 4:
        _refuse(name, given, f"{name} takes four numbers", "write them like 1,-1,0,0")
    keys = zip(("hit", "noise", "miss", "rest"), worth, strict=True)
    inside = ", ".join(f"{key}={_shown(value)}" for key, value in keys)
    yield Printed(_with(name, given), f"Utility({inside}, collection={asked.collection})")


def _set_f(name: str, given: str, asked: Asked) -> Iterator[Printed]:
    x = _numbers(name, given)[0] if given else 1.0
    if x <= 0:
        _refuse(name, given, "the weight of recall must be above 0")
    yield Printed(_with(name, given), f"SetF(beta={_shown(x**0.5)})")


def _relstring(name: str, given: str, asked: Asked) -> Iterator[Printed]:
    size = int(_numbers(name, given)[0]) if given else 10
    yield Printed(_with(name, given), word=name, summary=False, size=max(size, 0))


def _pairs(name: str, given: str, asked: Asked, *, ours: str) -> Iterator[Printed]:
    """A measure of graded labels: `-m ndcg.1=3,2=9` gives labels other gains."""
    pairs = _named(name, given) if given else []
    for key, value in pairs:
        if not key.lstrip("+").isdecimal() or value < 0:
            what = f"'{key}' must be a label with a gain of 0 or more"
            _refuse(name, given, what, "write it like 1=3,2=9")
    gains = tuple((int(key), value) for key, value in pairs)
    yield Printed(_with(name, given), ours, gains=gains)


def _persistence(name: str, given: str, asked: Asked, *, ours: str) -> Iterator[Printed]:
    pairs = dict(_named(name, given)) if given else {}
    p = pairs.pop("p", 0.9)
    if pairs or not 0 < p < 1:
        what = f"{name} takes a persistence above 0 and below 1 here, as {name}.p=0.8"
        _refuse(name, given, what, "for other gains change the labels")
    yield Printed(_with(name, given), f"{ours}(p={_shown(p)})")


def _with(name: str, given: str) -> str:
    return f"{name}_{given}" if given else name


# In the order in which trec_eval prints them.
MEASURES: dict[str, Make] = {
    "runid": _word,
    "num_q": partial(_word, whole=True),
    "num_ret": partial(_plain, ours="NumRet", whole=True),
    "num_rel": partial(_plain, ours="NumRel", whole=True),
    "num_rel_ret": partial(_plain, ours="NumRelRet", whole=True),
    "map": partial(_plain, ours="AP"),
    "gm_map": partial(_plain, ours="GMAP", topics=False),
    "Rprec": partial(_plain, ours="Rprec"),
    "bpref": partial(_plain, ours="Bpref"),
    "recip_rank": partial(_plain, ours="RR"),
    "iprec_at_recall": partial(_points, ours="IPrec(recall={}", default=TENTHS, rounds=True),
    "P": partial(_cutoffs, ours="P"),
    "relstring": _relstring,
    "recall": partial(_cutoffs, ours="R"),
    "infAP": partial(_plain, ours="InfAP"),
    "gm_bpref": partial(_plain, ours="GMBpref", topics=False),
    "Rprec_mult": partial(_points, ours="RprecMult(mult={}", default=FIFTHS, rounds=False),
    "utility": _utility,
    "11pt_avg": _eleven,
    "binG": partial(_plain, ours="BinG"),
    "G": partial(_pairs, ours="GradedG"),
    "dcg": partial(_pairs, ours="DCG"),
    "ideal_dcg": partial(_pairs, ours="IDCG"),
    "ndcg": partial(_pairs, ours="nDCG"),
    "ndcg_rel": partial(_pairs, ours="nDCGrel"),
    "Rndcg": partial(_pairs, ours="RnDCG"),
    "ndcg_cut": partial(_cutoffs, ours="nDCG"),
    "map_cut": partial(_cutoffs, ours="AP"),
    "relative_P": partial(_cutoffs, ours="RelP"),
    "success": partial(_cutoffs, ours="Success", default=(1, 5, 10)),
    "set_P": partial(_plain, ours="SetP"),
    "set_relative_P": partial(_plain, ours="SetRelP"),
    "set_recall": partial(_plain, ours="SetR"),
    "set_map": partial(_plain, ours="SetMAP"),
    "set_F": _set_f,
    "num_nonrel_judged_ret": partial(_plain, ours="NumNonrelRet", whole=True),
    "yaap": partial(_plain, ours="YAAP"),
    "rbp": partial(_persistence, ours="TopicRBP"),
    "rbp_resid": partial(_persistence, ours="RBPresidual"),
    "unj": partial(_cutoffs, ours="UnjudgedShare", default=(5, 10, 20)),
}
OFFICIAL = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref"),
    *("recip_rank", "iprec_at_recall", "P"),
)
SETS = {
    "official": OFFICIAL,
    "set": (
        *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility"),
        *("set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    ),
    "all_trec": tuple(name for name in MEASURES if name not in ("dcg", "ideal_dcg", "yaap")),
}
OTHER_FORMS = ("all_prefs", "prefs", "qrels_jg")


def printed(wanted: Sequence[str], asked: Asked) -> list[Printed]:
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
        for name, make in MEASURES.items()
        if name in chosen
        for line in make(name, parameters.get(name, ""), asked)
    ]


def _numbers(name: str, given: str) -> list[float]:
    found = [number(one) for one in given.split(",")]
    if any(value != value for value in found):
        _refuse(name, given, "parameters are numbers with commas between them")
    return found


def _named(name: str, given: str) -> list[tuple[str, float]]:
    pairs = [one.partition("=") for one in given.split(",")]
    values = [(key, number(value)) for key, _, value in pairs]
    if any(not key or value != value for key, value in values):
        _refuse(name, given, "parameters are pairs with commas between them, as 1=3,2=9")
    return values


def _once(name: str, given: str, values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    if len(set(ordered)) < len(ordered):
        _refuse(name, given, "a parameter is given twice", "leave one out")
    return ordered


def _shown(value: float) -> str:
    return repr(int(value)) if float(value).is_integer() else repr(float(value))
