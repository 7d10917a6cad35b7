"""A page for each team, to send to its members, with its scores as CSV beside it.

`standing` says where its runs are among all, `against` how they do against the leader, the median
and the baselines, `topics` where they win and lose, `unique` which relevant documents nobody else
found, `files` what is odd in what it handed in; `step` writes. Only facts are found here; the
words are in the template.
"""
