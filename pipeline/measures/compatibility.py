"""Compatibility with an ideal ranking (Clarke, Vtyurina & Smucker, TOIS 2021), of many lists.

ir_measures computes it a list at a time, by a set at each depth: 2 ms a list, which made the
re-scorings of reusability most of a campaign. Our own gives its values, which the tests hold it to.
"""

import numpy as np

from pipeline.storage.arrays import Floats, Ints

CELLS = 500_000  # ranks at once


def compatibility(
    codes: Ints, length: Ints, judged: Ints, *, labels: Ints, p: float, normalize: bool
) -> Floats:
    """[list]: rank-biased overlap with the ideal that is nearest to the list.

    `codes` [list, rank] are levels, `judged` [list, level] how many documents of a list's topic
    have each, `labels` what each level is worth. The ideal has the documents with a label above 0
    by label; among equals those that the list has come first, in its order.
    """
    rows = max(1, CELLS // max(1, codes.shape[1]))
    parts = [slice(start, start + rows) for start in range(0, len(codes), rows)]
    found = [
        _compared(codes[part], length[part], judged[part], labels, p=p, normalize=normalize)
        for part in parts
    ]
    return np.concatenate([np.empty(0), *found])


def _compared(
    codes: Ints, length: Ints, judged: Ints, labels: Ints, *, p: float, normalize: bool
) -> Floats:
    ideal = judged[:, labels > 0].sum(axis=1)
    depth = np.maximum(length, ideal)
    ranks = np.arange(codes.shape[1])
    last = int(depth.max(initial=0))
    weights = p ** np.arange(last)
    total = np.concatenate(([0.0], np.cumsum(weights)))
    # A document in both top sets from depth d on adds p^(i-1) / i for every i from d to the end.
    shared = np.concatenate(([0.0], np.cumsum(weights / np.arange(1, last + 1))))
    score, before = np.zeros(len(codes)), np.zeros(len(codes), np.int64)
    for label in sorted({int(label) for label in labels if label > 0}, reverse=True):
        levels = np.flatnonzero(labels == label)
        here = np.isin(codes, levels) & (ranks < length[:, None])
        there = judged[:, levels].sum(axis=1)
        nth = np.cumsum(here, axis=1) - 1
        row, rank = np.nonzero(here & (nth < there[:, None]))
        both = np.maximum(rank, before[row] + nth[row, rank])
        score += np.bincount(row, shared[depth[row]] - shared[both], minlength=len(codes))
        before += there
    best = total[ideal] + ideal * (shared[depth] - shared[ideal]) if normalize else total[depth]
    return np.where((best > 0) & (length > 0), score / np.where(best > 0, best, 1.0), 0.0)
