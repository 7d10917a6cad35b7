"""Cleansing: extract the readable text of a web page from its bytes.

Readability estimates depend on the method (Palotti, Zuccon & Hanbury, CIKM 2015), so there are
several (`methods`). A page without text gets a reason.
"""

from pipeline.pages.cleanse.method import METHODS
from pipeline.pages.cleanse.page import clean, decode

__all__ = ["METHODS", "clean", "decode"]
