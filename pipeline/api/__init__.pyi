"""The names that `pipeline.api` imports on first use, for type checkers and editors."""

from pipeline.api.comparison import Comparison as Comparison
from pipeline.api.evaluating import USUAL as USUAL
from pipeline.api.evaluating import compare as compare
from pipeline.api.evaluating import evaluate as evaluate
from pipeline.api.evaluating import explain as explain
from pipeline.api.explanation import Explanation as Explanation
from pipeline.api.result import Evaluation as Evaluation
from pipeline.api.steps import agree as agree
from pipeline.api.steps import check as check
from pipeline.api.steps import fuse as fuse
from pipeline.api.steps import pool as pool
from pipeline.config.scale import Scale as Scale
from pipeline.measures.cwl.declare import user_model as user_model
from pipeline.measures.declaration import Param as Param
from pipeline.measures.declaration import combination as combination
from pipeline.measures.declaration import measure as measure
