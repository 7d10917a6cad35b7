"""The audit: published results, recomputed under named policies.

`audit.csv` has every published value of the available runs beside ours under the first set of
policies, and, where they differ, the first other set that gives the published one. `audit.json` is
the summary the report shows. The package: `published` reads the files, `names` translates other
tools' measures, `policies` reads the runs again as each set of `sets.yaml` says, `step` compares,
counts and writes.
"""
