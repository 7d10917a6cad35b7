"""The campaign file as models, one module per section: defaults, bounds, choices and their docs.

A step takes the model of its section as its settings. `pipeline.campaign` reads a file into them.
"""
