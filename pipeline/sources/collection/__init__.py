"""A generated collection: pages of a planned readability, for documents whose own are lost."""
