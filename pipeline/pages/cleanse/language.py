"""The language of a text: a page that is not in English has no English readability.

Resiliparse's detector on the beginning of the text; the `lang` attribute of pages is unreliable. Of
the 131 real pages at hand it finds the 8 that are not in English and no other; of pieces of 300
characters of the English ones it takes 2 % for another language, of 100 characters 8 %: so a text
that is shorter is not asked for.
"""

BEGINNING = 1000  # characters
SHORTEST = 300


def is_in(text: str, language: str) -> bool:
    """Whether the text is in the language, by its code (`en`), or too short or odd to say."""
    from resiliparse.parse.lang import detect_fast

    if len(text) < SHORTEST:
        return True
    found, _ = detect_fast(text[:BEGINNING])
    return found in (language, "unknown")


def known() -> frozenset[str]:
    """The codes the detector knows."""
    from resiliparse.parse.lang import supported_langs

    return frozenset(supported_langs())
