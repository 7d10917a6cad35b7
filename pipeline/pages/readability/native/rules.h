/* Syllables by spelling, for words that the dictionary lacks: `words.by_rule`, expression by expression.
 *
 * A word is lower-case letters a-z. Every match of the expressions is one letter with conditions on what
 * is before and behind it, so their number is the number of letters where one of them holds.
 */
#ifndef FATHOM_RULES_H
#define FATHOM_RULES_H

#include <stdint.h>
#include <string.h>

typedef struct {
    const char *s;
    int size;
} Word;

static inline int one_of(char c, const char *set) { return c && strchr(set, c) != NULL; }

/* The letter at a place; 0 outside the word, which is no letter of any set. */
static inline char letter(Word w, int at) { return at >= 0 && at < w.size ? w.s[at] : 0; }

static inline int is_vowel(Word w, int at) { return one_of(letter(w, at), "aeiouy"); }

static inline int is_consonant(Word w, int at) { return letter(w, at) && !is_vowel(w, at); }

/* Whether the word goes on with `text` at a place. */
static inline int goes_on(Word w, int at, const char *text) {
    int size = (int)strlen(text);
    return at + size <= w.size && !memcmp(w.s + at, text, (size_t)size);
}

/* Whether the word goes on with `text` and ends there. */
static inline int ends(Word w, int at, const char *text) {
    return at + (int)strlen(text) == w.size && goes_on(w, at, text);
}

static int is_silent(Word w, int at) {
    static const char *const ENDINGS[] = {"ful", "less", "ly", "ment", "ness"};
    if (w.s[at] != 'e') return 0;
    int after_one = is_vowel(w, at - 2) && is_consonant(w, at - 1);
    int after_two = is_vowel(w, at - 3) && is_consonant(w, at - 2) && is_consonant(w, at - 1);
    if ((after_one || after_two) && (ends(w, at, "e") || ends(w, at, "es"))) return 1;
    if (letter(w, at - 1) && !one_of(letter(w, at - 1), "aeiouytd") && ends(w, at, "ed")) return 1;
    for (int i = 0; after_one && i < 5; i++) {
        int behind = at + 1 + (int)strlen(ENDINGS[i]);
        if (goes_on(w, at + 1, ENDINGS[i]) &&
            (behind == w.size || ends(w, behind, "s") || ends(w, behind, "ly")))
            return 1;
    }
    return 0;
}

/* Whether the e at the word's end is pronounced: bandages, muscle, fibre. */
static int is_sounded(Word w) {
    int n = w.size;
    if (n >= 3 && ends(w, n - 2, "es") &&
        (one_of(letter(w, n - 3), "cgsxz") || (n >= 4 && w.s[n - 3] == 'h' && one_of(w.s[n - 4], "sc"))))
        return 1;
    int at = one_of(letter(w, n - 1), "ds") ? n - 3 : n - 2; /* of le or re */
    if (at < 1) return 0;
    return (goes_on(w, at, "le") && !one_of(w.s[at - 1], "aeiouylr")) ||
           (goes_on(w, at, "re") && !one_of(w.s[at - 1], "aeiou"));
}

static int is_apart_i(Word w, int at) {
    char next = letter(w, at + 1);
    if (!one_of(letter(w, at - 1), "cgstx") &&
        (one_of(next, "aou") || (next == 'e' && one_of(letter(w, at + 2), "nst"))))
        return 1;
    if (letter(w, at - 1) == 'x' && next == 'a') return 1;
    int behind = goes_on(w, at + 1, "ae") && one_of(letter(w, at + 3), "bcdprt") ? at + 3 : at + 2;
    if (next == 'a' && (one_of(letter(w, behind), "bcdprt") ||
                        (letter(w, at + 2) == 's' && one_of(letter(w, at + 3), "ei"))))
        return 1;
    return goes_on(w, at + 1, "ography") || goes_on(w, at + 1, "ology") || goes_on(w, at + 1, "ing");
}

static int is_apart_e(Word w, int at) {
    if (goes_on(w, at + 1, "um") || goes_on(w, at + 1, "us") || ends(w, at + 1, "al")) return 1;
    if (letter(w, at + 1) == 'o' && !ends(w, at + 2, "us") && !ends(w, at + 2, "n") &&
        !ends(w, at + 2, "ns") && letter(w, at + 2) != 'u')
        return 1;
    if (at >= 2 && goes_on(w, at - 2, "creat")) return 1;
    return letter(w, at - 1) == 'o' && letter(w, at + 1) == 'a';
}

static int is_apart_o(Word w, int at) {
    char next = letter(w, at + 1), then = letter(w, at + 2);
    if (next == 'e' && one_of(then, "ns") && letter(w, at + 3) == 't') return 1;
    if ((next == 'e' || next == 'i') && goes_on(w, at + 2, "ng")) return 1;
    if (next == 'a' && then == 'g') return 1;
    if (letter(w, at - 1) == 'c' && next == 'o' && one_of(then, "pr") &&
        (one_of(letter(w, at + 3), "ei") ||
         (letter(w, at + 3) == 'd' && one_of(letter(w, at + 4), "ei"))))
        return 1;
    return at >= 2 && goes_on(w, at - 2, "troi");
}

/* Whether a letter begins a syllable of its own beside another vowel, or makes one (spasm). */
static int is_apart(Word w, int at) {
    char next = letter(w, at + 1);
    switch (w.s[at]) {
    case 'i': return is_apart_i(w, at);
    case 'e': return is_apart_e(w, at);
    case 'o': return is_apart_o(w, at);
    case 'u':
        return (!one_of(letter(w, at - 1), "qg") && one_of(next, "ao")) || goes_on(w, at + 1, "ing");
    case 'y': return at >= 1 && !one_of(w.s[at - 1], "aeiou") && one_of(next, "aeiou");
    case 's': return is_vowel(w, at - 1) && (ends(w, at + 1, "m") || ends(w, at + 1, "ms"));
    default: return 0;
    }
}

static int by_rule(Word w) {
    int groups = 0, silent = 0;
    for (int at = 0; at < w.size; at++) {
        groups += is_vowel(w, at) && !is_vowel(w, at - 1);
        groups += is_apart(w, at);
        silent += is_silent(w, at);
    }
    if (!is_sounded(w)) groups -= silent;
    return groups > 1 ? groups : 1;
}

#endif
