"""The statistics a reader meets in the report: what each is, and who to cite."""

from pipeline.statistics.correlation.statistics.pairs import tau_b

STATISTICS = (
    (
        "Bounds",
        "A measure's value if every unjudged document of the lists had no gain, and if each had "
        "full gain; what ranks past the end of a list could add is said apart. Measures computed "
        "by ir_measures have none.",
        "Moffat & Zobel, Rank-biased precision, TOIS 27(1), 2008",
    ),
    (
        "Interval of a mean",
        "Student's t over topics, 95 %; the files also have percentile bootstrap intervals.",
        "Sakai, Laboratory Experiments in Information Retrieval, Springer, 2018",
    ),
    (
        "Told apart (≈, ≠)",
        "Randomised Tukey HSD: systems are shuffled within each topic and a difference is compared "
        "with the largest of all, at 5 %. In significance/runs, runs that share a letter are not "
        "told apart.",
        "Carterette, Multiple testing in statistical analysis of systems-based information "
        "retrieval experiments, TOIS 30(1), 2012; Piepho, J. Comput. Graph. Stat. 13(2), 2004",
    ),
    (
        "Paired t test",
        "On the differences by topic, for one pair alone; the effect size is their mean over their "
        "standard deviation (Cohen's d).",
        "Urbano, Lima & Hanjalic, Statistical significance testing in information retrieval, "
        "SIGIR 2019",
    ),
    (
        "Permutation test",
        "Signs of the differences are flipped at random; p = (1 + count) / (flips + 1), corrected "
        "over all pairs by Holm's method.",
        "Smucker, Allan & Carterette, CIKM 2007; Holm, Scand. J. Stat. 6(2), 1979",
    ),
    (tau_b.title, tau_b.meaning, tau_b.citation),
    (
        "Swaps",
        "Pairs of runs that two measures put in opposite order; topics are drawn with replacement "
        "to see how often they do so again.",
        "Efron & Tibshirani, An Introduction to the Bootstrap, 1993",
    ),
    (
        "Pareto front",
        "The runs that no other run beats in one dimension without losing in the other; lines of "
        "equal H are lines of equal harmonic mean of the two means.",
        "Zuccon, Understandability biased evaluation for information retrieval, ECIR 2016; "
        "Palotti, Zuccon & Hanbury, MM: A new framework for multidimensional evaluation of search "
        "engines, CIKM 2018",
    ),
)
