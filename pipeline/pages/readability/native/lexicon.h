/* What is known of words: syllables by the dictionary or by rule, and whether Dale and Chall's list has
 * them: `words.syllables` and `words.difficult`, for words of a-z, digits and apostrophes.
 *
 * The dictionary's lines ("asthma AE1 Z M AH0") and the listed words stay where the caller keeps them;
 * here is only where each begins. What was found of a word is remembered in as many places as there are,
 * a newer word taking an older one's: so memory does not grow with the texts.
 */
#ifndef FATHOM_LEXICON_H
#define FATHOM_LEXICON_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rules.h"

enum { WORD_LONGEST = 40, MEMORY_LONGEST = 29, MEMORY_SLOTS = 32768, MOST_ENDINGS = 32, ENDING_LONGEST = 7 };

typedef struct {
    const char *text;
    uint32_t *slots; /* where a word begins, plus 1 */
    uint32_t mask;
    char end; /* what stands behind a word in the text */
} Words;

typedef struct {
    char ending[ENDING_LONGEST + 1], instead[ENDING_LONGEST + 1];
} Ending;

typedef struct {
    char word[MEMORY_LONGEST];
    uint8_t size, said, hard; /* no size: nothing is remembered here */
} Remembered;

typedef struct {
    Words dictionary, easy;
    Ending endings[MOST_ENDINGS];
    int ending_count;
    int most; /* syllables that a word may have */
    Remembered memory[MEMORY_SLOTS];
} Lexicon;

static inline uint32_t word_hash(const char *s, int size) {
    uint32_t hash = 2166136261u;
    for (int i = 0; i < size; i++) hash = (hash ^ (uint8_t)s[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static inline const char *words_find(const Words *words, const char *s, int size) {
    for (uint32_t at = word_hash(s, size) & words->mask; words->slots[at]; at = (at + 1) & words->mask) {
        const char *found = words->text + words->slots[at] - 1;
        /* Behind every word is its end, and in a word of letters there is none: so this stops in time. */
        if (!strncmp(found, s, (size_t)size) && found[size] == words->end) return found;
    }
    return NULL;
}

static inline int is_word_letter(char c) { return (c >= 'a' && c <= 'z') || c == '\''; }

/* Of two lines with one word the lesser counts: it is the first where lines are sorted. */
static int line_less(const char *a, const char *b) {
    for (; *a == *b && *a != '\n' && *a; a++, b++) continue;
    return (*a == '\n' ? 0 : (uint8_t)*a) < (*b == '\n' ? 0 : (uint8_t)*b);
}

/* Find where the words of a text begin, a line each, up to `end`; 0 without memory. The text must have a
 * zero behind it, and less than 4 GB. Words of other letters are never looked for. */
static int words_index(Words *words, const char *text, int64_t size, char end) {
    uint32_t lines = 1, wanted = 64;
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + size - at))); at++) lines++;
    while (wanted < 2 * lines) wanted *= 2;
    *words = (Words){text, calloc(wanted, sizeof *words->slots), wanted - 1, end};
    if (!words->slots) return 0;
    for (const char *line = text, *next; line < text + size; line = next) {
        const char *stop = memchr(line, '\n', (size_t)(text + size - line));
        next = stop ? stop + 1 : text + size;
        int length = 0;
        while (length <= WORD_LONGEST && is_word_letter(line[length])) length++;
        if (!length || length > WORD_LONGEST || line[length] != end) continue;
        uint32_t at = word_hash(line, length) & words->mask;
        while (words->slots[at]) {
            const char *other = text + words->slots[at] - 1;
            if (!strncmp(other, line, (size_t)length) && other[length] == end) break;
            at = (at + 1) & words->mask;
        }
        if (!words->slots[at] || line_less(line, text + words->slots[at] - 1))
            words->slots[at] = (uint32_t)(line - text) + 1;
    }
    return 1;
}

static void lexicon_free(Lexicon *lexicon) {
    free(lexicon->dictionary.slots);
    free(lexicon->easy.slots);
}

static int lexicon_add_ending(Lexicon *lexicon, const char *ending, const char *instead) {
    if (lexicon->ending_count == MOST_ENDINGS) return 0;
    if (!*ending || strlen(ending) > ENDING_LONGEST || strlen(instead) > ENDING_LONGEST) return 0;
    Ending *one = &lexicon->endings[lexicon->ending_count++];
    memcpy(one->ending, ending, strlen(ending) + 1);
    memcpy(one->instead, instead, strlen(instead) + 1);
    return 1;
}

/* Syllables of a word's first pronunciation: each vowel carries a digit; 0 where there is none. */
static int pronounced(const Lexicon *lexicon, const char *s, int size) {
    const char *at = size ? words_find(&lexicon->dictionary, s, size) : NULL;
    int said = 0;
    for (at = at ? at + size : ""; *at && *at != '\n' && *at != '#'; at++) said += *at >= '0' && *at <= '2';
    return said;
}

static int syllables(const Lexicon *lexicon, const char *s, int size) {
    int said = pronounced(lexicon, s, size);
    if (!said && size >= 2 && s[size - 2] == '\'' && s[size - 1] == 's')
        if (!words_find(&lexicon->dictionary, s, size)) said = pronounced(lexicon, s, size -= 2);
    if (said) return said;
    char bare[WORD_LONGEST];
    int length = 0;
    for (int i = 0; i < size; i++)
        if (s[i] != '\'') bare[length++] = s[i];
    return by_rule((Word){bare, length});
}

static int difficult(const Lexicon *lexicon, const char *s, int size) {
    const Words *easy = &lexicon->easy;
    if (size < 2 || words_find(easy, s, size)) return 0;
    for (int i = 0; i < lexicon->ending_count; i++) {
        const Ending *one = &lexicon->endings[i];
        int length = (int)strlen(one->ending), stem = size - length;
        if (stem < 2 || memcmp(s + stem, one->ending, (size_t)length)) continue;
        char made[WORD_LONGEST + ENDING_LONGEST + 1];
        memcpy(made, s, (size_t)stem);
        memcpy(made + stem, one->instead, strlen(one->instead));
        if (words_find(easy, made, stem + (int)strlen(one->instead))) return 0;
        /* stopped, running, bigger: a doubled consonant before the ending */
        if (!*one->instead && one_of(one->ending[0], "ei") && s[stem - 1] == s[stem - 2] &&
            words_find(easy, s, stem - 1))
            return 0;
    }
    return 1;
}

/* What is known of a word of letters and apostrophes in lower case, at most WORD_LONGEST of them. */
static Remembered lexicon_word(Lexicon *lexicon, const char *s, int size) {
    Remembered *place = NULL, found;
    if (size <= MEMORY_LONGEST) {
        place = &lexicon->memory[word_hash(s, size) & (MEMORY_SLOTS - 1)];
        if (place->size == size && !memcmp(place->word, s, (size_t)size)) return *place;
    }
    int said = syllables(lexicon, s, size);
    found.said = (uint8_t)(said < lexicon->most ? said : lexicon->most);
    found.hard = (uint8_t)difficult(lexicon, s, size);
    found.size = (uint8_t)size;
    if (place) {
        memcpy(found.word, s, (size_t)size);
        *place = found;
    }
    return found;
}

#endif
