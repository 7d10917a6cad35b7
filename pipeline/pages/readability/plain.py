"""Words as dictionaries write them."""

import unicodedata


def plain(word: str) -> str:
    """A word as dictionaries write it: lower case, straight apostrophes, no accents, no dots."""
    word = word.lower()
    if word.isalpha() and word.isascii():  # nearly always
        return word
    word = word.replace("\u2019", "'").replace(".", "")
    if not word.isascii():  # naïve, oedema written with a ligature
        word = word.replace("œ", "oe").replace("æ", "ae")
        word = "".join(
            c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)
        )
    return word
