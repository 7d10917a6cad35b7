"""A user's mistake: file, line, value, fix."""


class InputError(Exception):
    """Something the user gave is wrong; the message names file, line, value and the fix."""
