"""The interface to the rules: inputs, settings and keys of the steps."""
