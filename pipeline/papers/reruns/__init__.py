"""Papers, each declared, with what it printed in a table beside its module."""
