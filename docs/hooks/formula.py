"""Formulas as the library declares them, in plain text, set as mathematics (MathML).

Declarations are read in terminals and configs, so their formulas are text: `1/R * sum_k g(k) P@k`.
Every browser sets MathML by itself, which needs no script and no network. No library reads this
mixture of words and signs (AsciiMath takes each letter of a word for a variable), hence this one.

A formula is a row of parts: words stay words, a quotient becomes a fraction. What a sum runs over
decides where a fraction belongs: `sum_k g(k) / log2(k + 1)` divides each summand, since the
divisor has the k of the sum; `sum_i g(i) / retrieved documents` divides the sum.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from html import escape

TOKEN = re.compile(
    r"\s+|\.\.\.|<=|>=|\d+(?:\.\d+)?|[A-Za-z]+@\w+|[A-Za-z]+(?:[-'][A-Za-z]+)*\d*|[^\sA-Za-z\d]"
)
BIG = {"sum": "∑", "prod": "∏"}
FUNCTIONS = {"log", "ln", "exp", "max", "min", "floor", "arctan", "sqrt"}
GREEK = {
    name: unicodedata.lookup(f"GREEK SMALL LETTER {name}")
    for name in ("alpha", "beta", "gamma", "phi", "pi", "sigma")
}
SIGNS = {"<=": "≤", ">=": "≥", "*": "·", "-": "\N{MINUS SIGN}", "...": "…"}
LOOSE = {"=", "<", ">", "<=", ">=", "+", "-", ",", ";", ":"}  # what ends a product
CLOSING = {"(": ")", "[": "]"}
CASES = {"before", "if", "while", "where", "when"}  # words that end one, too
SPACE = '<mspace width="0.35em"/>'


@dataclass
class Part:
    """A piece of a formula: its markup, and what decides how it joins its neighbours."""

    markup: str
    sign: str = ""  # of an operator
    big: str = ""  # the variable of a sum or product
    names: frozenset[str] = field(default_factory=frozenset)  # variables inside
    word: str = ""
    inside: str = ""  # of a pair of brackets
    glued: bool = False  # no space before it


def mathml(text: str) -> str:
    """The formula, a `<math>` element a clause, so that long ones break where a reader would."""
    parts, _ = _row(_tokens(text), "")
    clauses: list[list[Part]] = [[]]
    for part in parts:
        clauses[-1].append(part)
        if part.sign in (",", ";"):
            clauses.append([])
    return " ".join(
        f'<math displaystyle="true"><mrow>{_joined(clause)}</mrow></math>'
        for clause in clauses
        if clause
    )


def _tokens(text: str) -> list[str]:
    return [token if token.strip() else " " for token in TOKEN.findall(text)]


def _row(tokens: list[str], end: str) -> tuple[list[Part], list[str]]:
    """The parts up to a closing bracket; what is behind it."""
    parts: list[Part] = []
    space = False
    while tokens:
        token, tokens = tokens[0], tokens[1:]
        if token == " ":
            space = True
            continue
        if token == end:
            return parts, tokens
        part, tokens = _part(token, tokens)
        part.glued = not space and bool(parts)
        parts.append(part)
        space = False
    if end:
        raise ValueError(f"a bracket is not closed: '{end}' is missing")
    return parts, []


def _part(token: str, tokens: list[str]) -> tuple[Part, list[str]]:
    """One atom with its argument, index and power."""
    if token in BIG and tokens[:1] == ["_"]:
        index, tokens = _operand(tokens[1:])
        variable = next(iter(re.findall(r"<mi>(\w)</mi>", index.markup)), "")
        markup = f"<munder><mo>{BIG[token]}</mo><mrow>{index.markup}</mrow></munder>"
        return Part(markup, big=variable or "?"), tokens
    if token in CLOSING:
        inner, tokens = _row(tokens, CLOSING[token])
        names = frozenset(name for part in inner for name in part.names)
        inside = _joined(inner)
        markup = f"<mrow>{_bracketed(inside, token)}</mrow>"
        return _scripts(Part(markup, names=names, inside=inside), tokens)
    name = re.fullmatch(r"([A-Za-z]+)(\d*)", token)
    if name is None:
        if "@" in token or re.fullmatch(r"[A-Za-z][A-Za-z'-]*\d*", token):
            return Part(f"<mtext>{escape(token)}</mtext>", word=token), tokens
        if token[0].isdigit():
            return _scripts(Part(f"<mn>{token}</mn>"), tokens)
        wide = ' lspace="0" rspace="0.6em"' if token in ",;:" else ""
        return Part(f"<mo{wide}>{escape(SIGNS.get(token, token))}</mo>", sign=token), tokens
    return _named(name[1], name[2], token, tokens)


def _named(letters: str, digits: str, token: str, tokens: list[str]) -> tuple[Part, list[str]]:
    """A variable, a function or a word."""
    if letters == "sqrt" and tokens[:1] == ["("]:
        inner, tokens = _row(tokens[1:], ")")
        return _scripts(Part(f"<msqrt>{_joined(inner)}</msqrt>"), tokens)
    called = tokens[:1] == ["("]
    indexed = tokens[:1] == ["_"]
    if letters == "a" and tokens[:1] == [" "] and tokens[1:2] and len(tokens[1]) > 1:
        return Part("<mtext>a</mtext>", word="a"), tokens  # the article
    if letters in FUNCTIONS and tokens[:1] == [" "]:  # ln s
        return Part(f'<mi mathvariant="normal">{letters}</mi>', word=letters), tokens
    if len(letters) > 1 and letters not in GREEK and letters not in FUNCTIONS:
        if indexed and len(tokens) > 1 and len(tokens[1]) > 1 and tokens[1].isalpha():
            word = f"{token} {tokens[1]}"  # complex_words
            return Part(f"<mtext>{word}</mtext>", word=word), tokens[2:]
        if not called and not indexed and tokens[:1] != ["^"]:
            return Part(f"<mtext>{token}</mtext>", word=token), tokens
    shown = GREEK.get(letters, letters)
    style = ' mathvariant="normal"' if len(shown) > 1 else ""
    markup = f"<mi{style}>{shown}</mi>"
    if digits:
        markup = f"<msub>{markup}<mn>{digits}</mn></msub>"
    part, tokens = _scripts(Part(markup, names=frozenset({letters})), tokens, powers=False)
    if tokens[:1] == ["("]:
        inner, tokens = _row(tokens[1:], ")")
        names = part.names | {name for one in inner for name in one.names}
        argument = f"<mrow>{_bracketed(_joined(inner))}</mrow>"
        part = Part(f"<mrow>{part.markup}{argument}</mrow>", names=frozenset(names))
    return _scripts(part, tokens)


def _bracketed(inner: str, opening: str = "(") -> str:
    """Brackets, as high as the line unless there is something higher in them."""
    high = "" if re.search("<mfrac|<munder|<msqrt", inner) else ' stretchy="false"'
    return f"<mo{high}>{opening}</mo>{inner}<mo{high}>{CLOSING[opening]}</mo>"


def _scripts(part: Part, tokens: list[str], *, powers: bool = True) -> tuple[Part, list[str]]:
    """The index and the power that follow an atom at once."""
    while tokens and (tokens[0] == "_" or (powers and tokens[0] == "^")):
        tag = "msub" if tokens[0] == "_" else "msup"
        script, tokens = _operand(tokens[1:])
        markup = f"<{tag}>{part.markup}<mrow>{script.markup}</mrow></{tag}>"
        part = Part(markup, names=part.names | script.names)
    return part, tokens


def _operand(tokens: list[str]) -> tuple[Part, list[str]]:
    """An index or power: one atom, or a bracket without its signs."""
    if tokens[:1] == ["("]:
        inner, tokens = _row(tokens[1:], ")")
        names = frozenset(name for one in inner for name in one.names)
        return Part(_joined(inner), names=names), tokens
    token, tokens = tokens[0], tokens[1:]
    if re.fullmatch(r"[A-Za-z]+\d*", token):
        part = Part(f"<mi>{escape(token)}</mi>", names=frozenset({token}))
        if tokens[:1] == ["("]:  # w(d), in M_d^w(d)
            inner, tokens = _row(tokens[1:], ")")
            part = Part(f"{part.markup}{_bracketed(_joined(inner))}", names=part.names)
        return part, tokens
    return Part(f"<mn>{escape(token)}</mn>"), tokens


def _joined(parts: list[Part]) -> str:
    """Parts in a row, quotients as fractions, words with their spaces."""
    parts = _tight(parts)
    made: list[str] = []
    product: list[Part] = []
    for part in parts:
        if part.sign in LOOSE or part.word in CASES:
            space = SPACE if part.word and product else ""
            made += [_product(product), space, part.markup, SPACE if part.word else ""]
            product = []
        else:
            product.append(part)
    return "".join([*made, _product(product)])


def _tight(parts: list[Part]) -> list[Part]:
    """Quotients written without spaces, `1/R`, bind closest."""
    done: list[Part] = []
    waiting = list(parts)
    while waiting:
        part = waiting.pop(0)
        if part.sign == "/" and part.glued and done and waiting and waiting[0].glued:
            done[-1] = _fraction([done[-1]], [waiting.pop(0)])
        else:
            done.append(part)
    return done


def _product(parts: list[Part]) -> str:
    """One product: of a quotient in it, what stands above and below the line."""
    at = next((i for i, part in enumerate(parts) if part.sign == "/"), None)
    if at is None:
        return _plain(parts)
    above, below = parts[:at], parts[at + 1 :]
    if not above or not below:
        return _plain(parts)
    star = next((i for i, part in enumerate(below) if part.sign == "*"), len(below))
    below, behind = below[:star], below[star:]
    before: list[Part] = []
    big = next((i for i, part in enumerate(above) if part.big), None)
    if big is not None and not below[0].big and above[big + 1 :]:
        inside = {name for part in below for name in part.names}
        if above[big].big in inside:
            before, above = above[: big + 1], above[big + 1 :]
    return _plain(before) + _fraction(above, below).markup + _product(behind)


def _fraction(above: list[Part], below: list[Part]) -> Part:
    names = frozenset(name for part in (*above, *below) for name in part.names)
    top, bottom = (_product([_bare(part, some) for part in some]) for some in (above, below))
    return Part(f"<mfrac><mrow>{top}</mrow><mrow>{bottom}</mrow></mfrac>", names=names)


def _bare(part: Part, among: list[Part]) -> Part:
    """A bracket that is all there is above or below a line needs no signs."""
    if len(among) > 1 or not part.inside:
        return part
    return Part(f"<mrow>{part.inside}</mrow>", names=part.names)


def _plain(parts: list[Part]) -> str:
    """Words that follow each other are one text; a word keeps its distance from a sign."""
    made = ""
    for place, part in enumerate(parts):
        before = parts[place - 1] if place else None
        apart = part.word or (before and before.word) or "<mtext>" in part.inside
        if before is not None and not part.glued and apart:
            made += SPACE
        made += part.markup
    return made
