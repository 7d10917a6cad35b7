"""Files and tables, whole or not at all; knows nothing of the field."""
