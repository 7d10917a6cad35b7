"""The declared user models; all modules of this folder are imported."""
