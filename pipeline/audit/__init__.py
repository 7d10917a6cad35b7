"""The audit: published results, recomputed under named sets of policies.

`audit.csv` has every published value of the available runs, the value recomputed under the first
set and, if they differ, the first other set that reproduces the published value. `audit.json` is
the summary for the report. `published` reads the files, `names` translates the measures of other
tools, `policies` rereads the runs under each set of `sets.yaml`, `step` compares and writes.
"""
