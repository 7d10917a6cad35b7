"""Cleansing: from a web page's bytes to the text a reader would read.

The method decides the readability estimate (Palotti, Zuccon & Hanbury, CIKM 2015), so there are
several (`methods`). A page without text is a fact about the page, not an accident: it gets a
reason. `guards` keeps out what no parser should see, `pool` bounds the time of what it does see,
and `step` writes what came out. Only what a worker needs is imported here, since each loads it.
"""

from pipeline.pages.cleanse.decoding import decode
from pipeline.pages.cleanse.method import METHODS
from pipeline.pages.cleanse.page import clean

__all__ = ["METHODS", "clean", "decode"]
