/* Character references: the names of HTML 4 and numbers, as Python's html.unescape reads them.
 *
 * The table is made from Python's html.entities; a test holds the two equal. Of the names that only
 * HTML 5 has hardly one is seen in prose; they stay as they are.
 */
#ifndef FATHOM_ENTITIES_H
#define FATHOM_ENTITIES_H

#include <stdint.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t size;
    uint16_t code;
} ENTITIES[] = {
    {"AElig", 5, 0xc6}, {"Aacute", 6, 0xc1}, {"Acirc", 5, 0xc2}, {"Agrave", 6, 0xc0},
    {"Alpha", 5, 0x391}, {"Aring", 5, 0xc5}, {"Atilde", 6, 0xc3}, {"Auml", 4, 0xc4},
    {"Beta", 4, 0x392}, {"Ccedil", 6, 0xc7}, {"Chi", 3, 0x3a7}, {"Dagger", 6, 0x2021},
    {"Delta", 5, 0x394}, {"ETH", 3, 0xd0}, {"Eacute", 6, 0xc9}, {"Ecirc", 5, 0xca},
    {"Egrave", 6, 0xc8}, {"Epsilon", 7, 0x395}, {"Eta", 3, 0x397}, {"Euml", 4, 0xcb},
    {"Gamma", 5, 0x393}, {"Iacute", 6, 0xcd}, {"Icirc", 5, 0xce}, {"Igrave", 6, 0xcc},
    {"Iota", 4, 0x399}, {"Iuml", 4, 0xcf}, {"Kappa", 5, 0x39a}, {"Lambda", 6, 0x39b},
    {"Mu", 2, 0x39c}, {"Ntilde", 6, 0xd1}, {"Nu", 2, 0x39d}, {"OElig", 5, 0x152},
    {"Oacute", 6, 0xd3}, {"Ocirc", 5, 0xd4}, {"Ograve", 6, 0xd2}, {"Omega", 5, 0x3a9},
    {"Omicron", 7, 0x39f}, {"Oslash", 6, 0xd8}, {"Otilde", 6, 0xd5}, {"Ouml", 4, 0xd6},
    {"Phi", 3, 0x3a6}, {"Pi", 2, 0x3a0}, {"Prime", 5, 0x2033}, {"Psi", 3, 0x3a8},
    {"Rho", 3, 0x3a1}, {"Scaron", 6, 0x160}, {"Sigma", 5, 0x3a3}, {"THORN", 5, 0xde},
    {"Tau", 3, 0x3a4}, {"Theta", 5, 0x398}, {"Uacute", 6, 0xda}, {"Ucirc", 5, 0xdb},
    {"Ugrave", 6, 0xd9}, {"Upsilon", 7, 0x3a5}, {"Uuml", 4, 0xdc}, {"Xi", 2, 0x39e},
    {"Yacute", 6, 0xdd}, {"Yuml", 4, 0x178}, {"Zeta", 4, 0x396}, {"aacute", 6, 0xe1},
    {"acirc", 5, 0xe2}, {"acute", 5, 0xb4}, {"aelig", 5, 0xe6}, {"agrave", 6, 0xe0},
    {"alefsym", 7, 0x2135}, {"alpha", 5, 0x3b1}, {"amp", 3, 0x26}, {"and", 3, 0x2227},
    {"ang", 3, 0x2220}, {"aring", 5, 0xe5}, {"asymp", 5, 0x2248}, {"atilde", 6, 0xe3},
    {"auml", 4, 0xe4}, {"bdquo", 5, 0x201e}, {"beta", 4, 0x3b2}, {"brvbar", 6, 0xa6},
    {"bull", 4, 0x2022}, {"cap", 3, 0x2229}, {"ccedil", 6, 0xe7}, {"cedil", 5, 0xb8},
    {"cent", 4, 0xa2}, {"chi", 3, 0x3c7}, {"circ", 4, 0x2c6}, {"clubs", 5, 0x2663},
    {"cong", 4, 0x2245}, {"copy", 4, 0xa9}, {"crarr", 5, 0x21b5}, {"cup", 3, 0x222a},
    {"curren", 6, 0xa4}, {"dArr", 4, 0x21d3}, {"dagger", 6, 0x2020}, {"darr", 4, 0x2193},
    {"deg", 3, 0xb0}, {"delta", 5, 0x3b4}, {"diams", 5, 0x2666}, {"divide", 6, 0xf7},
    {"eacute", 6, 0xe9}, {"ecirc", 5, 0xea}, {"egrave", 6, 0xe8}, {"empty", 5, 0x2205},
    {"emsp", 4, 0x2003}, {"ensp", 4, 0x2002}, {"epsilon", 7, 0x3b5}, {"equiv", 5, 0x2261},
    {"eta", 3, 0x3b7}, {"eth", 3, 0xf0}, {"euml", 4, 0xeb}, {"euro", 4, 0x20ac},
    {"exist", 5, 0x2203}, {"fnof", 4, 0x192}, {"forall", 6, 0x2200}, {"frac12", 6, 0xbd},
    {"frac14", 6, 0xbc}, {"frac34", 6, 0xbe}, {"frasl", 5, 0x2044}, {"gamma", 5, 0x3b3},
    {"ge", 2, 0x2265}, {"gt", 2, 0x3e}, {"hArr", 4, 0x21d4}, {"harr", 4, 0x2194},
    {"hearts", 6, 0x2665}, {"hellip", 6, 0x2026}, {"iacute", 6, 0xed}, {"icirc", 5, 0xee},
    {"iexcl", 5, 0xa1}, {"igrave", 6, 0xec}, {"image", 5, 0x2111}, {"infin", 5, 0x221e},
    {"int", 3, 0x222b}, {"iota", 4, 0x3b9}, {"iquest", 6, 0xbf}, {"isin", 4, 0x2208},
    {"iuml", 4, 0xef}, {"kappa", 5, 0x3ba}, {"lArr", 4, 0x21d0}, {"lambda", 6, 0x3bb},
    {"lang", 4, 0x27e8}, {"laquo", 5, 0xab}, {"larr", 4, 0x2190}, {"lceil", 5, 0x2308},
    {"ldquo", 5, 0x201c}, {"le", 2, 0x2264}, {"lfloor", 6, 0x230a}, {"lowast", 6, 0x2217},
    {"loz", 3, 0x25ca}, {"lrm", 3, 0x200e}, {"lsaquo", 6, 0x2039}, {"lsquo", 5, 0x2018},
    {"lt", 2, 0x3c}, {"macr", 4, 0xaf}, {"mdash", 5, 0x2014}, {"micro", 5, 0xb5},
    {"middot", 6, 0xb7}, {"minus", 5, 0x2212}, {"mu", 2, 0x3bc}, {"nabla", 5, 0x2207},
    {"nbsp", 4, 0xa0}, {"ndash", 5, 0x2013}, {"ne", 2, 0x2260}, {"ni", 2, 0x220b},
    {"not", 3, 0xac}, {"notin", 5, 0x2209}, {"nsub", 4, 0x2284}, {"ntilde", 6, 0xf1},
    {"nu", 2, 0x3bd}, {"oacute", 6, 0xf3}, {"ocirc", 5, 0xf4}, {"oelig", 5, 0x153},
    {"ograve", 6, 0xf2}, {"oline", 5, 0x203e}, {"omega", 5, 0x3c9}, {"omicron", 7, 0x3bf},
    {"oplus", 5, 0x2295}, {"or", 2, 0x2228}, {"ordf", 4, 0xaa}, {"ordm", 4, 0xba},
    {"oslash", 6, 0xf8}, {"otilde", 6, 0xf5}, {"otimes", 6, 0x2297}, {"ouml", 4, 0xf6},
    {"para", 4, 0xb6}, {"part", 4, 0x2202}, {"permil", 6, 0x2030}, {"perp", 4, 0x22a5},
    {"phi", 3, 0x3c6}, {"pi", 2, 0x3c0}, {"piv", 3, 0x3d6}, {"plusmn", 6, 0xb1},
    {"pound", 5, 0xa3}, {"prime", 5, 0x2032}, {"prod", 4, 0x220f}, {"prop", 4, 0x221d},
    {"psi", 3, 0x3c8}, {"quot", 4, 0x22}, {"rArr", 4, 0x21d2}, {"radic", 5, 0x221a},
    {"rang", 4, 0x27e9}, {"raquo", 5, 0xbb}, {"rarr", 4, 0x2192}, {"rceil", 5, 0x2309},
    {"rdquo", 5, 0x201d}, {"real", 4, 0x211c}, {"reg", 3, 0xae}, {"rfloor", 6, 0x230b},
    {"rho", 3, 0x3c1}, {"rlm", 3, 0x200f}, {"rsaquo", 6, 0x203a}, {"rsquo", 5, 0x2019},
    {"sbquo", 5, 0x201a}, {"scaron", 6, 0x161}, {"sdot", 4, 0x22c5}, {"sect", 4, 0xa7},
    {"shy", 3, 0xad}, {"sigma", 5, 0x3c3}, {"sigmaf", 6, 0x3c2}, {"sim", 3, 0x223c},
    {"spades", 6, 0x2660}, {"sub", 3, 0x2282}, {"sube", 4, 0x2286}, {"sum", 3, 0x2211},
    {"sup", 3, 0x2283}, {"sup1", 4, 0xb9}, {"sup2", 4, 0xb2}, {"sup3", 4, 0xb3},
    {"supe", 4, 0x2287}, {"szlig", 5, 0xdf}, {"tau", 3, 0x3c4}, {"there4", 6, 0x2234},
    {"theta", 5, 0x3b8}, {"thetasym", 8, 0x3d1}, {"thinsp", 6, 0x2009}, {"thorn", 5, 0xfe},
    {"tilde", 5, 0x2dc}, {"times", 5, 0xd7}, {"trade", 5, 0x2122}, {"uArr", 4, 0x21d1},
    {"uacute", 6, 0xfa}, {"uarr", 4, 0x2191}, {"ucirc", 5, 0xfb}, {"ugrave", 6, 0xf9},
    {"uml", 3, 0xa8}, {"upsih", 5, 0x3d2}, {"upsilon", 7, 0x3c5}, {"uuml", 4, 0xfc},
    {"weierp", 6, 0x2118}, {"xi", 2, 0x3be}, {"yacute", 6, 0xfd}, {"yen", 3, 0xa5},
    {"yuml", 4, 0xff}, {"zeta", 4, 0x3b6}, {"zwj", 3, 0x200d}, {"zwnj", 4, 0x200c},
};

enum { ENTITY_LONGEST = 8 };

/* What numbers from 0x80 to 0x9f mean, which are written where cp1252 is meant. */
static const uint16_t ENTITY_CP1252[32] = {
    0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160,
    0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178,
};

static uint32_t entity_named(const char *name, int64_t size) {
    int64_t low = 0, high = sizeof ENTITIES / sizeof *ENTITIES;
    while (low < high) {
        int64_t middle = (low + high) / 2, theirs = ENTITIES[middle].size;
        int order = memcmp(name, ENTITIES[middle].name, (size_t)(size < theirs ? size : theirs));
        if (!order && size == theirs) return ENTITIES[middle].code;
        if (order < 0 || (!order && size < theirs)) high = middle;
        else low = middle + 1;
    }
    return 0;
}

static inline int entity_letter(unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The character that a reference after `&` stands for, and how many bytes it takes; 0 if none. A
 * number that is no character gives U+FFFD; a control character becomes U+200B, which nobody sees.
 * No character is longer than what it is written as. */
static uint32_t entity(const char *s, const char *end, int64_t *took) {
    const char *at = s;
    uint32_t code = 0;
    if (at < end && *at == '#') {
        int hex = ++at < end && (*at == 'x' || *at == 'X');
        at += hex;
        const char *digits = at;
        for (; at < end; at++) {
            uint32_t digit = (unsigned char)*at, lower = digit | 32;
            if (digit >= '0' && digit <= '9') digit -= '0';
            else if (hex && lower >= 'a' && lower <= 'f') digit = lower - 'a' + 10;
            else break;
            if (code < 0x110000) code = code * (hex ? 16 : 10) + digit;
        }
        if (at == digits) return 0;
        if (at < end && *at == ';') at++;
        *took = at - s;
        if (code >= 0x80 && code < 0xa0) return ENTITY_CP1252[code - 0x80];
        if (!code || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0xfffd;
        if (code == 9 || code == 10 || code == 12 || code == 13) return ' ';
        return code < 32 || code == 0x7f ? 0x200b : code;
    }
    int64_t size = 0;
    while (size <= ENTITY_LONGEST && at + size < end && entity_letter((unsigned char)at[size])) size++;
    if (at + size < end && at[size] == ';' && (code = entity_named(at, size))) {
        *took = size + 1;
        return code;
    }
    /* Of the oldest names, those of Latin-1, a beginning is enough: "&nbspword", "&copy 2001". */
    for (int64_t most = size; most > 1; most--) {
        code = entity_named(at, most);
        if (code && code < 0x100) {
            *took = most;
            return code;
        }
    }
    return 0;
}

#endif
