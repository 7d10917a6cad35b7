"""What `pipeline` gives on demand, for type checkers and editors."""

from pipeline.api import Scale as Scale
from pipeline.api import agree as agree
from pipeline.api import check as check
from pipeline.api import compare as compare
from pipeline.api import evaluate as evaluate
from pipeline.api import explain as explain
from pipeline.api import fuse as fuse
from pipeline.api import measure as measure
from pipeline.api import pool as pool
