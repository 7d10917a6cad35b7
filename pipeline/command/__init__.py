"""The command `fathom`: it parses and prints; what it does is done by the rooms above."""
