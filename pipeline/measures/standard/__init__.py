"""The declared measures; all modules of this folder are imported."""
