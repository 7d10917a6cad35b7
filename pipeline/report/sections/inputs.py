"""What was odd in the inputs, and the files themselves with their checksums."""

from pipeline.report.results import Results
from pipeline.report.section import Content, section


@section("inputs", place=190, template="inputs.html.j2", title="Inputs")
def inputs(results: Results) -> Content:
    """The checks of the runs and the list of input files."""
    return Content({"checks": results.checks, "files": results.provenance.inputs})
