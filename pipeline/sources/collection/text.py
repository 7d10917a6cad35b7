"""Prose of a planned FOG: sentence length and share of long words rise together with it.

The words are real and the sentences are not: only what a readability index counts is planned.
"""

from pathlib import Path
from random import Random

_HERE = Path(__file__).parent
PLAIN = (_HERE / "plain.txt").read_text("utf-8").split()  # one or two syllables
LONG = (_HERE / "long.txt").read_text("utf-8").split()  # three or more
SENTENCES = 14


def prose(fog: float, *, random: Random) -> str:
    """Sentences of about this FOG, .4 (words a sentence + percent of long words)."""
    half = max(fog, 3.0) / 0.8  # words a sentence, and percent of long words
    sentences = []
    owed = 0.0  # long words that the sentences so far are short of
    for _ in range(SENTENCES):
        length = max(3, round(half * random.uniform(0.8, 1.2)))
        owed += length * half / 100
        long = min(length, int(owed))
        owed -= long
        words = random.choices(PLAIN, k=length - long) + random.choices(LONG, k=long)
        random.shuffle(words)
        sentences.append(" ".join(words).capitalize() + ".")
    return " ".join(sentences)
