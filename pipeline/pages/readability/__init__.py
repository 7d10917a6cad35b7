"""Readability: count a text once, then every index from the same counts.

`counting` has the rules of what a word and a sentence is, `words` the syllables; `indices` has one
declared function an index, `engines` who counts; `step` measures the pages, `merging` joins shards.
"""
