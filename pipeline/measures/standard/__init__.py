"""The measures, each declared in a module of its own; all modules here are found."""
