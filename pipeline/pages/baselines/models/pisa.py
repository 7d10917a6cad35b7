"""PISA's retrieval models. Default parameters are those of PISA and Anserini."""

from pipeline.pages.baselines.model import Model

BM25 = Model(
    name="BM25",
    scorer="bm25",
    title="Okapi BM25, parameters `k1` and `b`",
    citation="Robertson & Zaragoza, 2009",
    reads=("k1", "b"),  # term frequency saturation, length normalisation
    order=1,
)
QLD = Model(
    name="QLD",
    scorer="qld",
    title="query likelihood, Dirichlet smoothing with `mu`",
    citation="Zhai & Lafferty, TOIS 2004",
    reads=("mu",),  # pseudo-count of the collection model
    order=2,
)
DPH = Model(
    name="DPH",
    scorer="dph",
    title="divergence from randomness, hypergeometric, no parameter",
    citation="Amati, Ambrosi, Bianchi, Gaibisso & Gambosi, TREC 2007",
    order=3,
)
PL2 = Model(
    name="PL2",
    scorer="pl2",
    title="divergence from randomness, Poisson, length normalised with `c`",
    citation="Amati & van Rijsbergen, TOIS 2002",
    reads=("c",),  # length normalisation
    order=4,
)
