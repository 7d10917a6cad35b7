"""Web pages: text extraction, readability, estimated labels, and baseline runs over the text."""
