"""trec_eval's lesser measures, written slowly and obviously from their definitions."""

import math
from collections.abc import Callable

from tests.small import Case

E = 1e-5


def hits(case: Case, k: int | None = None) -> list[bool]:
    return [bool(n) for n in case.labels[:k]]


def relevant(case: Case) -> int:
    return sum(n >= 1 for n in case.judged)


def share(above: float, below: float) -> float:
    return above / below if below else 0.0


def multiple(case: Case, mult: float) -> float:
    cut = int(mult * relevant(case) + 0.9)
    return share(sum(hits(case, cut)), cut)


def interpolated(case: Case, recall: float, rounds: str) -> float:
    exact = recall * relevant(case)
    wanted = int(exact + 0.9) if rounds == "up" else math.floor(exact + 0.5)
    sums = [sum(hits(case, k)) for k in range(1, len(case.labels) + 1)]
    return max((n / k for k, n in enumerate(sums, 1) if n >= wanted), default=0.0)


def eleven(case: Case, rounds: str) -> float:
    return sum(interpolated(case, n / 10, rounds) for n in range(11)) / 11


def inferred(case: Case) -> float:
    total, found, missed = 0.0, 0, 0
    for rank, label in enumerate(case.labels, 1):
        if label:
            if rank == 1:
                total += 1
            else:
                inside = (found + missed) / (rank - 1)
                chance = (found + E) / (found + missed + 2 * E)
                total += 1 / rank + (rank - 1) / rank * inside * chance
            found += 1
        elif label == 0:
            missed += 1
    return share(total, relevant(case))


def binary_g(case: Case) -> float:
    total, missed = 0.0, 0
    for hit in hits(case):
        if hit:
            total += 1 / math.log2(2 + missed)
        else:
            missed += 1
    return share(total, relevant(case))


def best(case: Case) -> list[int]:
    return sorted((n for n in case.judged if n), reverse=True)


def graded_g(case: Case) -> float:
    total, cost, gained = 0.0, 0.0, 0.0
    ideal = best(case)
    for rank, label in enumerate(case.labels):
        gain = label or 0
        gained += gain
        cost += max(ideal[rank] if rank < len(ideal) else 0, 1)
        if gain:
            total += gain / math.log2(2 + cost - gained)
    return share(total, sum(ideal))


def dcg(gains: list[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg_at(case: Case, k: int) -> float:
    return share(dcg([n or 0 for n in case.labels[:k]]), dcg(best(case)[:k]))


def ndcg_rel(case: Case) -> float:
    ideal = best(case)
    found = [k for k, hit in enumerate(hits(case), 1) if hit]
    whole = share(dcg([n or 0 for n in case.labels]), dcg(ideal))
    total = sum(ndcg_at(case, k) for k in found) + (len(ideal) - len(found)) * whole
    return share(total, len(ideal))


def r_ndcg(case: Case) -> float:
    ideal = best(case)
    if not ideal:
        return 0.0
    falls = [k for k in range(1, len(ideal) + 1) if (ideal[k:] or [0])[0] < ideal[k - 1]]
    points = [ndcg_at(case, k) for k in falls]
    if len(case.labels) > len(ideal) + 1:
        points.append(share(dcg([n or 0 for n in case.labels]), dcg(ideal)))
    return sum(points) / len(points)


def utility(case: Case, a: float, b: float, c: float, d: float, n: int) -> float:
    if not case.labels:
        return 0.0
    found, r, held = sum(hits(case)), relevant(case), len(case.labels)
    return a * found + b * (held - found) + c * (r - found) + d * (n + found - held - r)


def yaap(case: Case) -> float:
    ranks = [k for k, hit in enumerate(hits(case), 1) if hit]
    total = sum(n / k for n, k in enumerate(ranks, 1))
    return math.log((1 + total) / (1 + relevant(case) - total))


def topic_rbp(case: Case, p: float) -> float:
    top = max([1, *case.judged])
    return (1 - p) * sum(p**at * (n or 0) / top for at, n in enumerate(case.labels))


def residual(case: Case, p: float) -> float:
    open_ = [at for at, n in enumerate(case.labels) if n is None]
    return p ** len(case.labels) + (1 - p) * sum(p**at for at in open_) if open_ else 0.0


def bpref(case: Case) -> float:
    r, n = relevant(case), case.judged.count(0)
    total, above = 0.0, 0
    for label in case.labels:
        if label:
            total += 1 - min(above, r) / min(r, n) if above else 1
        elif label == 0:
            above += 1
    return share(total, r)


TREC: dict[str, Callable[[Case], float]] = {
    "RelP@1": lambda c: share(sum(hits(c, 1)), min(1, relevant(c))),
    "RelP@3": lambda c: share(sum(hits(c, 3)), min(3, relevant(c))),
    "SetRelP": lambda c: share(sum(hits(c)), min(len(c.labels), relevant(c))),
    "SetMAP": lambda c: share(sum(hits(c)) ** 2, len(c.labels) * relevant(c)),
    "RprecMult(mult=0.5)": lambda c: multiple(c, 0.5),
    "RprecMult(mult=2)": lambda c: multiple(c, 2),
    "IPrec(recall=0.3, rounds=nearest)": lambda c: interpolated(c, 0.3, "nearest"),
    "IPrec11": lambda c: eleven(c, "up"),
    "IPrec11(rounds=nearest)": lambda c: eleven(c, "nearest"),
    "InfAP": inferred,
    "BinG": binary_g,
    "GradedG": graded_g,
    "nDCGrel": ndcg_rel,
    "RnDCG": r_ndcg,
    "Utility": lambda c: utility(c, 1, -1, 0, 0, 0),
    "Utility(hit=2, noise=-1, miss=-3, rest=0.1, collection=50)": lambda c: utility(
        c, 2, -1, -3, 0.1, 50
    ),
    "YAAP": yaap,
    "TopicRBP": lambda c: topic_rbp(c, 0.9),
    "TopicRBP(p=0.5)": lambda c: topic_rbp(c, 0.5),
    "RBPresidual(p=0.5)": lambda c: residual(c, 0.5),
    "GMBpref": bpref,
    "IDCG": lambda c: dcg(best(c)),
    "IDCG@2": lambda c: dcg(best(c)[:2]),
    "NumNonrelRet": lambda c: c.labels.count(0),
    "UnjudgedShare@3": lambda c: c.labels[:3].count(None) / 3,
}
# What a topic without documents scores where that is no constant: R = 2 with labels 1, 2 and 0.
UNANSWERED = {
    "NumRel": 2.0,
    "IDCG": 2 + 1 / math.log2(3),
    "IDCG@2": 2 + 1 / math.log2(3),
    "YAAP": math.log(1 / 3),
    "CrossEntropy": math.log(2),  # of no list half a chance is said
    "CrossEntropy@2": math.log(2),
}
