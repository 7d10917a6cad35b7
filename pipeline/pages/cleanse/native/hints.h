/* What names suggest: words of class, id and role, and names of elements, each in one group.
 *
 * The words come from the readable table; a name is cut where letters end and where a capital follows
 * a small letter, and a plural s may be missing: "relatedPosts" is "related" and "posts". What an element
 * has or lacks is not what it is: "has-sidebar" and "no-comments" suggest nothing.
 */
#ifndef FATHOM_HINTS_H
#define FATHOM_HINTS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HINT_LONGEST = 16, HINT_SLOTS = 1024, HINT_WORDS = HINT_SLOTS / 2, HINT_GROUPS = 24 };

typedef struct {
    struct {
        uint64_t low, high; /* the word, with zeros behind it */
        uint32_t groups;
    } slots[HINT_SLOTS];
    int words;
} Hints;

static inline uint64_t hint_slot(uint64_t low, uint64_t high) {
    return ((low ^ (high * 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u) >> 54 & (HINT_SLOTS - 1);
}

static inline uint32_t hint_find(const Hints *hints, uint64_t low, uint64_t high) {
    uint64_t at = hint_slot(low, high);
    for (; hints->slots[at].groups; at = (at + 1) & (HINT_SLOTS - 1))
        if (hints->slots[at].low == low && hints->slots[at].high == high)
            return hints->slots[at].groups;
    return 0;
}

/* Add a word of lower-case letters to a group; 0 where there is no room or it is no such word. */
static int hint_add(Hints *hints, const char *word, int64_t size, int group) {
    uint64_t packed[2] = {0, 0};
    if (size < 1 || size > HINT_LONGEST || group < 0 || group >= HINT_GROUPS) return 0;
    if (hints->words >= HINT_WORDS) return 0;
    memcpy(packed, word, (size_t)size);
    uint64_t at = hint_slot(packed[0], packed[1]);
    while (hints->slots[at].groups &&
           (hints->slots[at].low != packed[0] || hints->slots[at].high != packed[1]))
        at = (at + 1) & (HINT_SLOTS - 1);
    hints->words += !hints->slots[at].groups;
    hints->slots[at].low = packed[0];
    hints->slots[at].high = packed[1];
    hints->slots[at].groups |= 1u << group;
    return 1;
}

static inline uint32_t hint_word(const Hints *hints, char *word, int size) {
    uint64_t packed[2];
    uint32_t found;
    if (!size || size > HINT_LONGEST) return 0;
    memset(word + size, 0, (size_t)(HINT_LONGEST - size));
    memcpy(packed, word, sizeof packed);
    found = hint_find(hints, packed[0], packed[1]);
    if (found || size < 3 || word[size - 1] != 's') return found;
    word[size - 1] = 0;
    memcpy(packed, word, sizeof packed);
    return hint_find(hints, packed[0], packed[1]);
}

/* Whether a word says that the rest of its name is what the element has or lacks. */
static inline int hint_is_about(const char *word, int size) {
    return (size == 3 && !memcmp(word, "has", 3)) || (size == 2 && !memcmp(word, "no", 2)) ||
           (size == 4 && !memcmp(word, "with", 4)) || (size == 7 && !memcmp(word, "without", 7));
}

/* The groups of all words in a name or a list of names. */
static uint32_t hint_names(const Hints *hints, const char *s, int64_t size) {
    char word[HINT_LONGEST + 1];
    int length = 0, before = 0, about = 0;
    uint32_t found = 0;
    for (int64_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)s[i];
        int capital = c >= 'A' && c <= 'Z', small = c >= 'a' && c <= 'z';
        if ((capital && before == 'a') || (!capital && !small)) {
            about |= hint_is_about(word, length);
            if (!about) found |= hint_word(hints, word, length);
            length = 0;
            if (c <= ' ') about = 0; /* the next name */
        }
        if (capital || small) {
            if (length < HINT_LONGEST) word[length] = (char)(c | 32);
            length += length <= HINT_LONGEST;
        }
        before = small ? 'a' : capital ? 'A' : 0;
    }
    return about ? found : found | hint_word(hints, word, length);
}

#endif
