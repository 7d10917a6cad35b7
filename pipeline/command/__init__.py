"""The command `fathom`: parses arguments, calls the library, and prints."""
