"""The one exception a user may meet: their own mistake, said in one sentence."""


class InputError(Exception):
    """Something the user gave is wrong; the message names file, line, value and the fix."""
