"""trec_eval's measures: what it prints for each, in its order, and which of ours that is.

Facts of trec_eval 10 (its README, help and test outputs): the order of the measures, their default
parameters, which are whole numbers, which are printed for topics, and how parameters are shown.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.errors import InputError
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


Make = Callable[[str, Asked], Iterator[Printed]]


def _plain(ours: str, *, whole: bool = False, topics: bool = True) -> Callable[[str], Make]:
    """A measure without parameters."""

    def of(name: str) -> Make:
        def make(given: str, asked: Asked) -> Iterator[Printed]:
            if given:
                raise InputError(f"-m {name}.{given}: {name} takes no parameters; leave them out")
            yield Printed(name, ours, whole=whole, topics=topics)

        return make

    return of


def _word(*, topics: bool, whole: bool = False) -> Callable[[str], Make]:
    def of(name: str) -> Make:
        def make(given: str, asked: Asked) -> Iterator[Printed]:
            yield Printed(name, word=name, topics=topics, whole=whole)

        return make

    return of


def _cutoffs(ours: str, default: Sequence[int]) -> Callable[[str], Make]:
    """A line a cutoff, in ascending order."""

    def of(name: str) -> Make:
        def make(given: str, asked: Asked) -> Iterator[Printed]:
            cuts = [int(one) for one in _numbers(name, given)] if given else list(default)
            if min(cuts) < 1:
                raise InputError(f"-m {name}.{given}: a cutoff must be 1 or more; correct it")
            for cut in _once(name, given, cuts):
                yield Printed(f"{name}_{cut}", f"{ours}@{cut}")

        return make

    return of


def _points(ours: str, default: Sequence[float], rounds: bool) -> Callable[[str], Make]:
    """A line a point, in ascending order, shown with two digits."""

    def of(name: str) -> Make:
        def make(given: str, asked: Asked) -> Iterator[Printed]:
            points = _numbers(name, given) if given else list(default)
            more = ", rounds=nearest" if rounds and asked.nearest else ""
            for point in _once(name, given, points):
                yield Printed(f"{name}_{point:3.2f}", ours.format(_shown(point)) + more + ")")

        return make

    return of


def _eleven(name: str) -> Make:
    def make(given: str, asked: Asked) -> Iterator[Printed]:
        more = "rounds=nearest" if asked.nearest else "rounds=up"
        if not given:
            yield Printed(name, f"IPrec11({more})")
            return
        points = "+".join(f"IPrec(recall={_shown(p)}, {more})" for p in _numbers(name, given))
        yield Printed(f"{name}_{given}", points)

    return make


def _utility(name: str) -> Make:
    def make(given: str, asked: Asked) -> Iterator[Printed]:
        worth = _numbers(name, given) if given else [1.0, -1.0, 0.0, 0.0]
        if len(worth) != 4:
            raise InputError(f"-m {name}.{given}: {name} takes four numbers, as 1,-1,0,0")
        keys = zip(("hit", "noise", "miss", "rest"), worth, strict=True)
        inside = ", ".join(f"{key}={_shown(value)}" for key, value in keys)
        yield Printed(
            f"{name}_{given}" if given else name,
            f"Utility({inside}, collection={asked.collection})",
        )

    return make


def _set_f(name: str) -> Make:
    def make(given: str, asked: Asked) -> Iterator[Printed]:
        x = _numbers(name, given)[0] if given else 1.0
        if x <= 0:
            raise InputError(f"-m {name}.{given}: the weight of recall must be above 0")
        yield Printed(f"{name}_{given}" if given else name, f"SetF(beta={_shown(x**0.5)})")

    return make


def _relstring(name: str) -> Make:
    def make(given: str, asked: Asked) -> Iterator[Printed]:
        size = int(_numbers(name, given)[0]) if given else 10
        shown = f"{name}_{given}" if given else name
        yield Printed(shown, word=name, summary=False, size=max(size, 0))

    return make


def _pairs(ours: str) -> Callable[[str], Make]:
    """A measure of graded labels: `-m ndcg.1=3,2=9` gives labels other gains."""

    def of(name: str) -> Make:
        def make(given: str, asked: Asked) -> Iterator[Printed]:
            if not given:
                yield Printed(name, ours)
                return
            pairs = _named(name, given)
            wrong = [key for key, value in pairs if not key.lstrip("+").isdecimal() or value < 0]
            if wrong:
                raise InputError(
                    f"-m {name}.{given}: '{wrong[0]}' must be a label with a gain of 0 or more, "
                    "as in 1=3,2=9"
                )
            gains = tuple((int(key), value) for key, value in pairs)
            yield Printed(f"{name}_{given}", ours, gains=gains)

        return make

    return of


def _persistence(ours: str) -> Callable[[str], Make]:
    def of(name: str) -> Make:
        def make(given: str, asked: Asked) -> Iterator[Printed]:
            pairs = dict(_named(name, given)) if given else {}
            p = pairs.pop("p", 0.9)
            if pairs or not 0 < p < 1:
                raise InputError(
                    f"-m {name}.{given}: {name} takes a persistence above 0 and below 1 here, as "
                    f"{name}.p=0.8; for other gains change the labels"
                )
            yield Printed(f"{name}_{given}" if given else name, f"{ours}(p={_shown(p)})")

        return make

    return of


# In the order in which trec_eval prints them.
MEASURES: dict[str, Make] = {
    name: kind(name)
    for name, kind in {
        "runid": _word(topics=False),
        "num_q": _word(topics=False, whole=True),
        "num_ret": _plain("NumRet", whole=True),
        "num_rel": _plain("NumRel", whole=True),
        "num_rel_ret": _plain("NumRelRet", whole=True),
        "map": _plain("AP"),
        "gm_map": _plain("GMAP", topics=False),
        "Rprec": _plain("Rprec"),
        "bpref": _plain("Bpref"),
        "recip_rank": _plain("RR"),
        "iprec_at_recall": _points("IPrec(recall={}", TENTHS, True),
        "P": _cutoffs("P", CUTS),
        "relstring": _relstring,
        "recall": _cutoffs("R", CUTS),
        "infAP": _plain("InfAP"),
        "gm_bpref": _plain("GMBpref", topics=False),
        "Rprec_mult": _points("RprecMult(mult={}", FIFTHS, False),
        "utility": _utility,
        "11pt_avg": _eleven,
        "binG": _plain("BinG"),
        "G": _pairs("GradedG"),
        "dcg": _pairs("DCG"),
        "ideal_dcg": _pairs("IDCG"),
        "ndcg": _pairs("nDCG"),
        "ndcg_rel": _pairs("nDCGrel"),
        "Rndcg": _pairs("RnDCG"),
        "ndcg_cut": _cutoffs("nDCG", CUTS),
        "map_cut": _cutoffs("AP", CUTS),
        "relative_P": _cutoffs("RelP", CUTS),
        "success": _cutoffs("Success", (1, 5, 10)),
        "set_P": _plain("SetP"),
        "set_relative_P": _plain("SetRelP"),
        "set_recall": _plain("SetR"),
        "set_map": _plain("SetMAP"),
        "set_F": _set_f,
        "num_nonrel_judged_ret": _plain("NumNonrelRet", whole=True),
        "yaap": _plain("YAAP"),
        "rbp": _persistence("TopicRBP"),
        "rbp_resid": _persistence("RBPresidual"),
        "unj": _cutoffs("UnjudgedShare", (5, 10, 20)),
    }.items()
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
            raise InputError(
                f"-m {text}: measures of preferences and of judgement groups are not computed "
                "here; use trec_eval itself for those"
            )
        if name not in SETS and name not in MEASURES:
            from difflib import get_close_matches

            near = get_close_matches(name, [*MEASURES, *SETS], n=1, cutoff=0.0)[0]
            raise InputError(
                f"-m {text}: trec_eval has no measure '{name}'; did you mean '{near}'?"
            )
        if dot and not given:
            raise InputError(f"-m {text}: there is nothing behind the dot; give parameters there")
        if given:
            parameters.setdefault(name, given)
        chosen |= set(SETS.get(name, (name,)))
    return [
        line
        for name, make in MEASURES.items()
        if name in chosen
        for line in make(parameters.get(name, ""), asked)
    ]


def _numbers(name: str, given: str) -> list[float]:
    found = [number(one) for one in given.split(",")]
    if any(value != value for value in found):
        raise InputError(f"-m {name}.{given}: parameters are numbers with commas between them")
    return found


def _named(name: str, given: str) -> list[tuple[str, float]]:
    pairs = [one.partition("=") for one in given.split(",")]
    values = [(key, number(value)) for key, _, value in pairs]
    if any(not key or value != value for key, value in values):
        raise InputError(f"-m {name}.{given}: parameters are pairs with commas, as 1=3,2=9")
    return values


def _once(name: str, given: str, values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    if len(set(ordered)) < len(ordered):
        raise InputError(f"-m {name}.{given}: a parameter is given twice; leave one out")
    return ordered


def _shown(value: float) -> str:
    return repr(int(value)) if float(value).is_integer() else repr(float(value))
