"""The audit: published results, recomputed under named sets of policies.

`audit.csv` has every published value of the available runs, the value recomputed under the first
set and, if they differ, the first other set that reproduces it; `audit.json` is the summary.
"""
