"""The language of a text: a page that is not in English has no English readability.

Resiliparse's detector on the beginning of the text; the `lang` attribute of pages is unreliable. Of
pieces of 300 characters of real English pages it takes 2 % for another language, of 100 characters
8 %: so a text that is shorter is not asked for. Medical English is near to Latin in its eyes (349
to 353 on a page of long words), while of the real pages in other languages English is a third
farther off: so a language that is nearly as near as the nearest is taken for the one it should be.
"""

BEGINNING = 1000  # characters
SHORTEST = 300
NEARLY = 1.1  # times the distance to the nearest language


def is_in(text: str, language: str) -> bool:
    """Whether the text is in the language, by its code (`en`), or too short or odd to say."""
    from resiliparse.parse.lang import detect_fast

    if len(text) < SHORTEST:
        return True
    beginning = text[:BEGINNING]
    found, nearest = detect_fast(beginning)
    if found in (language, "unknown"):
        return True
    return bool(dict(detect_fast(beginning, n_results=len(known())))[language] <= NEARLY * nearest)


def known() -> frozenset[str]:
    """The codes the detector knows."""
    from resiliparse.parse.lang import supported_langs

    return frozenset(supported_langs())
