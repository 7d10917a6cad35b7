"""Pages that were seen to hang a parser, to fool it, or to look like it: name -> bytes, reason.

The reason is that of the methods `blocks` and `main`; "" means that the page has text in spite of
all.
"""

import gzip
import random
from collections.abc import Callable, Mapping

K, M = 1_000, 1_000_000
_noise = random.Random(4).randbytes


HOSTILE: Mapping[str, tuple[Callable[[], bytes], str]] = {
    # those the issue names
    "pdf": (lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + _noise(50 * K), "binary"),
    "gzip": (lambda: gzip.compress(b"<p>Some text.</p>" * K), "binary"),
    "binary": (lambda: _noise(100 * K), "binary"),
    "over 5 MB": (lambda: b"<p>Some words to read.</p>\n" * 200 * K, "too large"),
    "100,000 sibling paragraphs": (lambda: b"<body>" + b"<p>word.</p>" * 100 * K, "too complex"),
    "100,000 nested divs": (
        lambda: b"<div>" * 100 * K + b"deep" + b"</div>" * 100 * K, "too complex"
    ),
    "a megabyte of <": (lambda: b"<" * M, "too complex"),
    "empty": (lambda: b"", "empty"),
    "only white space": (lambda: b" \r\n\t" * K, "empty"),
    "only a script": (lambda: b"<script>" + b"f('Some text.');" * 10 * K + b"</script>", "no text"),
    "xml header": (
        lambda: b'<?xml version="1.0" encoding="utf-16"?><html><body><p>Plain text.', ""
    ),
    # shapes
    "100,000 open paragraphs": (lambda: b"<p>word" * 100 * K, "too complex"),
    "24,000 sibling paragraphs": (lambda: b"<p>A word or two.</p>" * 24 * K, ""),
    "49,000 line breaks": (lambda: b"word<br>" * 49 * K, ""),
    "49,000 open cells": (lambda: b"<table><tr>" + b"<td>word." * 49 * K, ""),
    "20,000 nested divs": (lambda: b"<div>" * 20 * K + b"deep", "too deep"),
    "20,000 nested lists": (lambda: b"<ul><li>" * 20 * K + b"deep", "too deep"),
    "20,000 nested definitions": (lambda: b"<dl><dt>a<dd>" * 15 * K, "too deep"),
    "40,000 nested bold": (lambda: b"<b>" * 40 * K + b"deep", "too deep"),
    "nested tables": (lambda: b"<table><tr><td>" * 10 * K + b"deep", "too deep"),
    "nested forms": (lambda: b"<form><select><option>" * 10 * K + b"x", "too deep"),
    "1,900 nested divs": (lambda: b"<div>" * 1900 + b"<p>Deep but read.</p>", ""),
    "misnested formatting": (lambda: b"<b><i><u><a>" * 400 + b"<p>Deep.</p>" * 40, ""),
    "end tags only": (lambda: b"</div>" * 40 * K + b"<p>Text.</p>", ""),
    "100,000 attributes": (
        lambda: b"<p " + b" ".join(b"a%d=1" % n for n in range(100 * K)) + b">Words.", "timeout"
    ),
    "an attribute of 4 MB": (lambda: b'<p title="' + b"x" * 4 * M + b'">Plain text.', ""),
    "an open attribute": (lambda: b'<p title="' + b"Some words. " * 10 * K, "no text"),
    "an open comment": (lambda: b"<!--" + b"Some words. " * 10 * K, "no text"),
    "40,000 comments": (lambda: b"<!-- a -->" * 40 * K + b"<p>Plain text.</p>", ""),
    "an open script": (lambda: b"<script>" + b"<p>Some words.</p>" * 10 * K, "no text"),
    "an open title": (lambda: b"<title>" + b"Some words. " * 10 * K, "no text"),
    "a word of 4 MB": (lambda: b"<p>" + b"a" * 4 * M, ""),
    "a megabyte of &": (lambda: b"<p>" + b"&" * M, ""),
    "entities": (lambda: b"<p>" + b"&amp;&lt;&#x41;" * 50 * K, ""),
    "null entities": (lambda: b"<p>&#0;&#xD800;&#x110000; Plain text.</p>", ""),
    "null bytes": (lambda: b"<p>Plain\x00 text.</p>", "binary"),
    "plaintext": (lambda: b"<plaintext>" + b"Some words. <p>" * K, ""),
    "a frameset": (lambda: b"<frameset><frame src=a><frame src=b></frameset>", "no text"),
    "only images": (lambda: b"<img src=a alt='A picture.'>" * K, "no text"),
    "cdata": (lambda: b"<![CDATA[ Some words. ]]><p>Plain text.</p>", ""),
    "svg": (lambda: b"<svg>" + b"<path d='M0 0'/>" * K + b"</svg>", "no text"),
    "doctypes": (lambda: b"<!DOCTYPE html>" * 10 * K + b"<p>Plain text.</p>", ""),
    "entity bomb": (
        lambda: b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><p>Plain &b; text.', ""
    ),
    "utf-16": (lambda: "<p>Plain text.</p>".encode("utf-16"), ""),
    "utf-16 without a mark": (lambda: ("<p>Plain text.</p>" * 9).encode("utf-16-le"), "binary"),
    "utf-7": (lambda: b"<meta charset=utf-7>+ADw-p+AD4-Plain caf\xe9 text.", ""),
    "punycode": (lambda: b"<meta charset=punycode><p>" + b"\xe9bc-" * 500 * K, ""),
    "wrong charset": (lambda: b"<meta charset=utf-32><p>Plain caf\xe9 text.", ""),
    "broken utf-8": (lambda: b"<p>Plain \xc3\x28 \xe2\x82 text.</p>", ""),
    "png": (lambda: b"\x89PNG\r\n\x1a\n" + _noise(K), "binary"),
    "zip": (lambda: b"PK\x03\x04" + _noise(K), "binary"),
    "old word file": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + _noise(K), "binary"),
    "postscript": (lambda: b"%!PS-Adobe-3.0\n(Some words) show", "binary"),
    "rtf": (lambda: b"{\\rtf1 Some words.}", "binary"),
    "control characters": (lambda: b"\x01\x02\x03\x04 abc" * K, "binary"),
}  # fmt: skip
