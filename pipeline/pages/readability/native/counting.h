/* Counting a text in UTF-8: words piece by piece, and sentences; the rules are those of `counting.py`.
 *
 * What characters beyond ASCII are is asked of the caller, who has the tables. A piece between two spaces
 * that holds a letter or digit beyond ASCII, or a very long word, is not counted here but handed back.
 */
#ifndef FATHOM_COUNTING_H
#define FATHOM_COUNTING_H

#include "lexicon.h"

enum Kind { SPACE = 1, LETTER = 2, DIGIT = 4, LOWER = 8 }; /* a LETTER is a letter or a digit */
enum Role { NO_END = 0, BEFORE_DIGIT = 1, BEFORE_LOWER = 2, NEVER_ENDS = 3 }; /* of abbreviations */
enum { MOST_ABBREVIATIONS = 128, ABBREVIATION_LONGEST = 7, LOOK_BACK = 7 };

typedef struct {
    char name[ABBREVIATION_LONGEST + 1];
    uint8_t size, role;
} Abbreviation;

typedef struct {
    Lexicon lexicon;
    Abbreviation abbreviations[MOST_ABBREVIATIONS];
    int abbreviation_count;
    uint8_t ascii[128];
    uint8_t (*kind)(uint32_t character, const void *tables); /* Kinds of what is not ASCII */
    const void *tables;
} Counter;

typedef struct {
    int64_t words, sentences, syllables, complex_words, characters, difficult_words;
} Counted;

/* A piece that is handed back. */
typedef int (*HandBack)(void *to, const char *piece, int64_t size);

typedef struct {
    uint32_t character; /* 0 at the end */
    int size;
} Read;

static inline Read read_at(const char *s, int64_t at, int64_t size) {
    const uint8_t *u = (const uint8_t *)s + at;
    int64_t left = size - at;
    if (left < 1) return (Read){0, 0};
    if (u[0] < 0x80) return (Read){u[0], 1};
    if (u[0] < 0xe0) return left < 2 ? (Read){0xfffd, 1} : (Read){(u[0] & 31u) << 6 | (u[1] & 63u), 2};
    if (u[0] < 0xf0)
        return left < 3 ? (Read){0xfffd, 1}
                        : (Read){(u[0] & 15u) << 12 | (u[1] & 63u) << 6 | (u[2] & 63u), 3};
    return left < 4 ? (Read){0xfffd, 1}
                    : (Read){(u[0] & 7u) << 18 | (u[1] & 63u) << 12 | (u[2] & 63u) << 6 | (u[3] & 63u), 4};
}

static inline uint8_t kind_of(const Counter *counter, uint32_t c) {
    return c < 128 ? counter->ascii[c] : counter->kind(c, counter->tables);
}

/* Where the character before `at` begins. */
static inline int64_t before(const char *s, int64_t at) {
    for (at--; at > 0 && ((uint8_t)s[at] & 0xc0) == 0x80; at--) continue;
    return at;
}

static inline int is_digit(char c) { return c >= '0' && c <= '9'; }

static inline int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Whether a dot or comma belongs to a number or an abbreviation: 3.5, 1,500; e.g., U.S.A. up to the last. */
static int is_inside(const char *s, int64_t at, int64_t from, int64_t to) {
    char last = at > from ? s[at - 1] : 0, next = at + 1 < to ? s[at + 1] : 0;
    if (is_digit(last)) return is_digit(next);
    if (s[at] != '.' || !is_letter(last) || !is_letter(next) || at + 2 >= to || s[at + 2] != '.') return 0;
    char first = at - 1 > from ? s[at - 2] : 0; /* no letter beyond ASCII: such a piece is handed back */
    return !is_letter(first) && !is_digit(first) && first != '_';
}

static inline int is_apostrophe(uint32_t c) { return c == '\'' || c == 0x2019; }

static void add_word(Counter *counter, const char *word, int size, int has_digit, Counted *sum) {
    Remembered found = {.said = 1};
    if (!has_digit) found = lexicon_word(&counter->lexicon, word, size);
    sum->words++;
    sum->syllables += found.said;
    sum->complex_words += found.said > 2;
    sum->difficult_words += found.hard;
    for (int i = 0; i < size; i++) sum->characters += word[i] != '\'';
}

/* Add the words between two spaces; 0 where they are to be handed back. */
static int add_piece(Counter *counter, const char *s, int64_t from, int64_t to, Counted *sum) {
    Counted own = *sum;
    char word[WORD_LONGEST];
    int size = 0, has_digit = 0;
    for (int64_t at = from; at < to;) {
        Read one = read_at(s, at, to);
        char c = one.character < 128 ? (char)one.character : 0;
        if (!c && kind_of(counter, one.character) & LETTER) return 0;
        char next = at + one.size < to ? s[at + one.size] : 0;
        int joins = size && is_apostrophe(one.character) && (is_letter(next) || is_digit(next));
        if (is_letter(c) || is_digit(c) || joins) {
            if (size == WORD_LONGEST) return 0;
            has_digit |= is_digit(c);
            word[size++] = joins ? '\'' : (char)(is_letter(c) ? c | 32 : c);
        } else if (size && !((c == '.' || c == ',') && is_inside(s, at, from, to))) {
            add_word(counter, word, size, has_digit, &own);
            size = has_digit = 0;
        }
        at += one.size;
    }
    if (size) add_word(counter, word, size, has_digit, &own);
    *sum = own;
    return 1;
}

/* Add the words of a text; 0 where a piece could not be handed back. */
static int add_words(Counter *counter, const char *s, int64_t size, Counted *sum, HandBack hand, void *to) {
    int64_t from = 0;
    for (int64_t at = 0; at <= size;) {
        Read one = read_at(s, at, size);
        if (one.size && !(kind_of(counter, one.character) & SPACE)) {
            at += one.size;
            continue;
        }
        if (at > from && !add_piece(counter, s, from, at, sum) && !hand(to, s + from, at - from)) return 0;
        from = at += one.size ? one.size : 1;
    }
    return 1;
}

static inline int is_break(uint32_t c) {
    return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

static inline int is_end(uint32_t c) { return c == '.' || c == '!' || c == '?' || c == 0x2026; }

static inline int is_closing(uint32_t c) {
    return c == '"' || c == '\'' || c == ')' || c == ']' || c == 0x201d || c == 0x2019 || c == 0xbb;
}

static inline int is_opening(uint32_t c) {
    return c == '(' || c == '[' || c == '{' || c == '"' || c == '\'' || c == 0x201c || c == 0x2018;
}

/* What an abbreviation is before its full stop; letters with dots between them are one, too. */
static int role_of(const Counter *counter, const char *s, int64_t size) {
    if (!size) return NO_END;
    for (int i = 0; i < counter->abbreviation_count; i++) {
        const Abbreviation *one = &counter->abbreviations[i];
        if (one->size == size && !memcmp(one->name, s, (size_t)size)) return one->role;
    }
    if (size < 3 || size % 2 == 0) return NO_END;
    for (int64_t i = 0; i < size; i++)
        if (i % 2 ? s[i] != '.' : !is_letter(s[i])) return NO_END;
    return BEFORE_LOWER;
}

/* Whether the full stop at `at` belongs to an abbreviation that does not end the sentence. */
static int is_abbreviation(const Counter *counter, const char *s, int64_t at, int64_t size) {
    int64_t from = at, to = at, place = at;
    for (int i = 0; i < LOOK_BACK && place > 0; i++) { /* the last stretch without a space */
        int64_t last = before(s, place);
        if (kind_of(counter, read_at(s, last, at).character) & SPACE) {
            if (from < to) break;
            to = from = last;
        } else {
            from = last;
        }
        place = last;
    }
    for (Read one; from < to && is_opening((one = read_at(s, from, to)).character);) from += one.size;
    int role = role_of(counter, s + from, to - from);
    if (role == NO_END) return 0;
    Read one = {0, 0};
    for (place = at + 1; place < size; place += one.size) {
        one = read_at(s, place, size);
        if (one.character == '\n') return 0; /* which ends it anyway */
        if (!(kind_of(counter, one.character) & SPACE)) break;
    }
    if (place == at + 1 || place >= size) return 0;
    if (role == NEVER_ENDS) return 1;
    if (to - from == 2 && at >= 5 && !memcmp(s + from, "al", 2) && !memcmp(s + at - 5, "et al", 5)) return 1;
    return (kind_of(counter, one.character) & (role == BEFORE_DIGIT ? DIGIT : LOWER)) != 0;
}

static int64_t sentences(const Counter *counter, const char *s, int64_t size) {
    int64_t found = 0;
    int has_word = 0;
    for (int64_t at = 0; at < size;) {
        Read one = read_at(s, at, size);
        int64_t behind = at + one.size;
        if (!is_break(one.character)) {
            if (!is_end(one.character)) {
                has_word |= kind_of(counter, one.character) & LETTER;
                at = behind;
                continue;
            }
            Read next;
            while (is_end((next = read_at(s, behind, size)).character)) behind += next.size;
            int64_t ends = behind;
            while (is_closing((next = read_at(s, behind, size)).character)) behind += next.size;
            int dot = one.character == '.' && behind == at + 1;
            if (next.size && !(kind_of(counter, next.character) & SPACE)) {
                /* A full stop before a capital, where pages lost the space: "Wednesday.The" */
                int stuck = dot && at > 0 && s[at - 1] >= 'a' && s[at - 1] <= 'z' && at + 2 < size &&
                            s[at + 1] >= 'A' && s[at + 1] <= 'Z' && s[at + 2] >= 'a' && s[at + 2] <= 'z';
                if (!stuck) {
                    at = ends;
                    continue;
                }
            } else if (dot && is_abbreviation(counter, s, at, size)) {
                at = behind;
                continue;
            }
        }
        found += has_word != 0;
        has_word = 0;
        at = behind;
    }
    return found + (has_word != 0);
}

static int counter_add_abbreviation(Counter *counter, const char *name, int64_t size, int role) {
    if (counter->abbreviation_count == MOST_ABBREVIATIONS) return 0;
    if (size < 1 || size > ABBREVIATION_LONGEST || role <= NO_END || role > NEVER_ENDS) return 0;
    Abbreviation *one = &counter->abbreviations[counter->abbreviation_count++];
    memcpy(one->name, name, (size_t)size);
    one->size = (uint8_t)size;
    one->role = (uint8_t)role;
    return 1;
}

#endif
