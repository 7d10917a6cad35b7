"""Cleansing: extract the readable text of a web page from its bytes.

Readability depends on the method (Palotti, Zuccon & Hanbury, CIKM 2015), so there are several.
"""

from pipeline.pages.cleanse.method import METHODS
from pipeline.pages.cleanse.page import clean, decode

__all__ = ["METHODS", "clean", "decode"]
