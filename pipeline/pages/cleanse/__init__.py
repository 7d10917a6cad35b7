"""Cleansing: from a web page's bytes to the text a reader would read.

The method decides the readability estimate (Palotti, Zuccon & Hanbury, CIKM 2015), so there are
several (`methods`). A page without text is a fact about the page, not an accident: it gets a
reason.
"""

from pipeline.pages.cleanse.method import METHODS
from pipeline.pages.cleanse.page import clean, decode

__all__ = ["METHODS", "clean", "decode"]
