"""Correlations between measures."""

from typing import Annotated

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Number, Section, Seed, Unique, Whole

Statistics = Annotated[tuple[Annotated[StrictStr, Choice("statistic")], ...], Unique]


class Correlations(Section):
    """Which statistics compare two measures' rankings, their settings, and the bootstrap's."""

    statistics: Statistics = Field(
        (
            *("tau_b", "tau_ap", "tau_a", "tau_ap_b", "spearman", "pearson"),
            *("rbo_a", "rbo_b", "rbo_w", "top_overlap", "ubire_overlap"),
        ),
        min_length=1,
    )
    """Kendall's `tau_b` and `tau_a`; AP correlation `tau_ap` (Yilmaz et al. 2008; ties averaged)
    and `tau_ap_b` (Urbano & Marrero 2017); `spearman`; `pearson` of the scores; rank-biased overlap
    `rbo_a`, `rbo_b`, `rbo_w` (Corsi & Urbano 2024); `top_overlap`; `ubire_overlap`, the mean
    overlap of the two top-i sets, which ubire prints as tau_AP and which is higher."""
    persistence: Number = Field(0.9, ge=0.01, le=0.9999)
    """Persistence p of rank-biased overlap."""
    depth: Whole = Field(10, ge=1)
    """Depth of `top_overlap`, in runs."""
    samples: Whole = Field(1000, ge=0)
    """Sets of topics drawn with replacement for the 95 % intervals of each statistic; 0 for
    none."""
    seed: Seed = 1
    """Seed of the draws; the same seed gives the same intervals."""
