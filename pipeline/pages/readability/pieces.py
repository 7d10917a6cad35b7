"""The words of pieces between two spaces, in Python, each piece mostly from memory.

What is known of a word is asked of a function: so the compiled counter, which hands back the pieces
with letters beyond ASCII, can be asked for their words once they are written without accents.
"""

import re
from collections.abc import Callable, Iterable

Known = Callable[[str], tuple[int, bool]]  # syllables of a word, and whether it is difficult

# Each expression starts with a plain set of characters, which the regex engine skips to fast.
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
# Dots and commas inside a word: 3.5, 1,500; e.g., U.S.A. up to their last dot.
_INSIDE = re.compile(r"[.,](?:(?<=\d.)(?=\d)|(?<=\b[^\W\d_]\.)(?=[^\W\d_]\.))")
_AROUND = ".,;:!?()\"'\u201c\u201d\u2018\u2019"  # what may stand before and behind a word
_CACHE_LIMIT = 200_000
_LONGEST = 40  # letters of what is worth remembering
_BITS = 40  # for the sum of each count over a text: more than any text has
_MASK = (1 << _BITS) - 1


class _Remembered(dict[str, int]):
    """What a function says of short strings, remembered up to a bound."""

    def __init__(self, function: Callable[[str], int]) -> None:
        self._function = function

    def __missing__(self, given: str) -> int:
        found = self._function(given)
        if len(given) <= _LONGEST:
            if len(self) >= _CACHE_LIMIT:
                self.clear()
            self[given] = found
        return found


class Pieces:
    """Counts the words of pieces, by what is `known` of each."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self.words, self.pieces = _Remembered(self._word), _Remembered(self._piece)

    def add_up(self, pieces: Iterable[str]) -> tuple[int, int, int, int, int]:
        """Words, syllables, complex words, characters and difficult words of pieces.

        No word goes across a space, so each piece between two is counted by itself; and one sum
        adds all five counts.
        """
        total = sum(map(self.pieces.__getitem__, pieces))
        words, said, complex_words, letters, hard = (
            total >> shift & _MASK for shift in range(0, 5 * _BITS, _BITS)
        )
        return words, said, complex_words, letters, hard

    def _word(self, word: str) -> int:
        """The counts of one word side by side: words, syllables, complex, characters, difficult."""
        said, difficult = self._known(word)
        letters = len(word) - word.count("'") - word.count("\u2019")
        hard = difficult << _BITS
        return (((hard | letters) << _BITS | (said > 2)) << _BITS | said) << _BITS | 1

    def _piece(self, piece: str) -> int:
        """The counts of what stands between two spaces, its words added up."""
        core = piece.strip(_AROUND)
        if core.isascii() and core.isalpha():  # nearly always
            return self.words[core.lower()]
        return sum(map(self.words.__getitem__, words_of(piece)))


def words_of(text: str) -> list[str]:
    """The words of a text."""
    found: list[str] = _WORD.findall(_INSIDE.sub("", text).replace("_", " "))
    return found
