"""User models, each the chance that a user understands a page, declared."""
