"""The campaign file as models, a module per section that steps read: defaults, bounds, docs.

A step takes the model of its section as its settings. `pipeline.campaign` reads a file into them.
"""
