"""The user models of readability."""
