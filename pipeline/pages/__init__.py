"""Web pages become text, text becomes readability, readability becomes labels."""
