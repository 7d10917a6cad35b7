"""Whole numbers as text for a page: small ones take one byte (LEB128), the bytes are base64.

Our own few lines, because no library of ours writes them for a whole array at once.
"""

import base64

import numpy as np

from pipeline.storage.arrays import Ints


def varints(values: Ints) -> bytes:
    """Numbers from 0 up, seven bits a byte, the lowest first; the last byte is below 128.

    >>> varints(np.array([1, 127, 128, 300])).hex(" ")
    '01 7f 80 01 ac 02'
    """
    left = np.asarray(values, np.int64)
    if len(left) and left.min() < 0:
        raise ValueError("varints are of numbers from 0 up")
    size = np.ones(len(left), np.int64)
    for bits in range(7, 63, 7):
        size += left >> bits > 0
    found = np.zeros(int(size.sum()), np.uint8)
    start = np.cumsum(size) - size
    for place in range(int(size.max(initial=0))):
        here = size > place
        part = left[here] >> 7 * place & 127
        found[start[here] + place] = part + 128 * (size[here] > place + 1)
    return found.tobytes()


def text(data: bytes) -> str:
    """Bytes as a page carries them."""
    return base64.b64encode(data).decode("ascii")
