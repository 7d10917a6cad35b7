"""Papers, each declared in a module, with a CSV of its printed figures beside it."""
