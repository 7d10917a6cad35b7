"""Web pages become text; text becomes readability, then labels, or, searched, baseline runs."""
