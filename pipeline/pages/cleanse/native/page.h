/* One pass over a page's markup: its blocks of text, and the elements around them.
 *
 * No tree is built. What is open is a stack of bounded depth; an element is one row of a table, after
 * its parent; a block is one row, with its text in one buffer that is no longer than the page. So time
 * and memory are linear in the page, whatever it is, and nothing is shared between two pages.
 */
#ifndef FATHOM_PAGE_H
#define FATHOM_PAGE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "entities.h"
#include "hints.h"
#include "tags.h"

enum { DEEPEST = 4096, LOOK_BACK = 256, PAGE_LARGEST = 1 << 30, CHAIN = 4 };

typedef struct {
    int32_t parent;    /* -1 of the first, the body */
    int32_t line;      /* the element that breaks the line: itself, or one above it */
    uint8_t tag;
    uint16_t depth;
    uint32_t hints;    /* groups its own names are in */
    uint32_t kind;     /* a hash of its tag and class */
} Element;

enum { ENDS_OPEN, ENDS_STOP, ENDS_COLON };
enum { WORD = 1, LINKED = 2 };

typedef struct {
    int32_t element;
    int32_t start, end; /* of its text */
    int32_t words, linked, commas;
    uint32_t hash;      /* of its text */
    uint8_t ends;
} Block;

typedef struct {
    uint8_t tag;
    uint16_t flags;
    int32_t element;
} Open;

typedef struct {
    const Hints *hints;
    const uint32_t *tag_hints;
    uint32_t hidden; /* the groups of the word "hidden" */
    char *text;
    int32_t size;
    Block *blocks;
    int32_t block_count, block_room;
    Element *elements;
    int32_t element_count, element_room;
    Open *open;
    int32_t depth;
    int32_t links, unseen; /* how many such elements are open */
    /* the block that is being read */
    Block now;
    int32_t first, last; /* the elements of its first and last word */
    int space, word; /* what is pending: a space; a WORD, or one that is LINKED */
    int32_t chain;                           /* links in a row, with no word between them */
    int32_t chain_size, chain_words, chain_linked; /* what was read before the second of them */
    int no_memory;
} Page;

static void page_free(Page *page) {
    free(page->text);
    free(page->blocks);
    free(page->elements);
    free(page->open);
}

/* Room for one more row of a table. */
static int page_grow(void **table, int32_t count, int32_t *room, size_t each) {
    if (count < *room) return 1;
    int32_t more = *room ? *room * 2 : 256;
    void *to = realloc(*table, (size_t)more * each);
    if (!to) return 0;
    *table = to;
    *room = more;
    return 1;
}

static void page_new_block(Page *page) {
    memset(&page->now, 0, sizeof page->now);
    page->now.start = page->size;
    page->now.hash = 2166136261u;
    page->first = page->last = -1;
    page->space = page->word = 0;
    page->chain = 0;
}

static void page_end_word(Page *page) {
    if (page->word) {
        page->now.words++;
        page->now.linked += page->word == LINKED;
        if (page->word != LINKED) page->chain = 0;
        page->last = page->open[page->depth - 1].element;
        if (page->first < 0) page->first = page->last;
    }
    page->word = 0;
}

/* A line ends: what was read since the last one is a block, if there is a word in it. */
static void page_break(Page *page) {
    page_end_word(page);
    if (page->size == page->now.start) {
        page->space = 0;
        return;
    }
    if (!page->now.words) { /* only signs, a bullet or a dash */
        page->size = page->now.start;
        page_new_block(page);
        return;
    }
    if (!page_grow((void **)&page->blocks, page->block_count, &page->block_room, sizeof(Block))) {
        page->no_memory = 1;
        return;
    }
    page->now.end = page->size;
    page->now.element =
        page->first == page->last ? page->first : page->elements[page->first].line;
    page->blocks[page->block_count++] = page->now;
    page->text[page->size++] = '\n';
    page_new_block(page);
}

/* Links in a row are a list, not a part of the sentence they stand in: all but the first are cut. */
static void page_cut_chain(Page *page) {
    page->size = page->chain_size;
    page->now.words = page->chain_words;
    page->now.linked = page->chain_linked;
    page->chain = 1;
    page->space = 1;
}

static void page_link(Page *page) {
    page->links++;
    if (++page->chain == 2) {
        page_end_word(page);
        page->chain_size = page->size;
        page->chain_words = page->now.words;
        page->chain_linked = page->now.linked;
    }
}

static inline void page_put(Page *page, const char *bytes, int count) {
    if (page->chain >= CHAIN && !page->links) page_cut_chain(page);
    if (page->space && page->size > page->now.start) page->text[page->size++] = ' ';
    page->space = 0;
    for (int i = 0; i < count; i++) {
        page->text[page->size++] = bytes[i];
        page->now.hash = (page->now.hash ^ (unsigned char)bytes[i]) * 16777619u;
    }
}

static inline void page_space(Page *page) {
    page_end_word(page);
    page->space = 1;
}

static int page_is_space(uint32_t code) {
    return code == ' ' || (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x1f) ||
           code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
           code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

/* One character that is no space of ASCII, with its bytes as they are to be written. */
static inline void page_character(Page *page, uint32_t code, const char *bytes, int count) {
    if (code >= 0x80) {
        if (page_is_space(code)) {
            page_space(page);
            return;
        }
        if (code == 0x200b || code == 0xfeff) return;
    }
    page_put(page, bytes, count);
    if ((code >= '0' && code <= '9') || ((code | 32) >= 'a' && (code | 32) <= 'z')) {
        page->word = page->links ? LINKED : page->word ? page->word : WORD;
        page->now.ends = ENDS_OPEN;
        return;
    }
    switch (code) {
    case '.': case '!': case '?': case 0x2026: case 0x3002: case 0xff01: case 0xff1f: case 0x964:
        page->now.ends = ENDS_STOP;
        break;
    case ':': case 0xff1a:
        page->now.ends = ENDS_COLON;
        break;
    case '"': case '\'': case ')': case ']': case 0x201d: case 0x2019: case 0xbb:
        break; /* what may close a sentence behind its stop */
    case ',': case 0x3001: case 0xff0c:
        page->now.commas++;
        page->now.ends = ENDS_OPEN;
        break;
    default:
        if (code >= 0xc0 && !(code >= 0x2010 && code <= 0x2bff))
            page->word = page->links ? LINKED : page->word ? page->word : WORD;
        page->now.ends = ENDS_OPEN;
    }
}

static int page_encode(uint32_t code, char *to) {
    if (code < 0x80) return to[0] = (char)code, 1;
    if (code < 0x800) return to[0] = (char)(0xc0 | code >> 6), to[1] = (char)(0x80 | (code & 63)), 2;
    if (code < 0x10000) {
        to[0] = (char)(0xe0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 63));
        to[2] = (char)(0x80 | (code & 63));
        return 3;
    }
    to[0] = (char)(0xf0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 63));
    to[2] = (char)(0x80 | (code >> 6 & 63));
    to[3] = (char)(0x80 | (code & 63));
    return 4;
}

/* A character of UTF-8 and its size; a byte that begins none stands for U+FFFD. */
static inline int page_decode(const char *s, const char *end, uint32_t *code) {
    unsigned char c = (unsigned char)*s;
    int size = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (!size || end - s < size) return *code = 0xfffd, 1;
    *code = c & (0xff >> (size + 1));
    for (int i = 1; i < size; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80) return *code = 0xfffd, 1;
        *code = *code << 6 | ((unsigned char)s[i] & 63);
    }
    if ((size == 3 && (*code < 0x800 || (*code >= 0xd800 && *code < 0xe000))) ||
        (size == 4 && (*code < 0x10000 || *code > 0x10ffff)))
        return *code = 0xfffd, 1;
    return size;
}

static void page_text(Page *page, const char *s, const char *end) {
    if (page->unseen) return;
    while (s < end) {
        unsigned char c = (unsigned char)*s;
        uint32_t code = c;
        char bytes[4];
        if (c <= ' ') {
            page_space(page);
            s++;
        } else if (c == '&') {
            int64_t took = 0;
            code = entity(s + 1, end, &took);
            if (!code) code = '&', took = 0;
            s += took + 1;
            if (code == ' ') page_space(page);
            else page_character(page, code, bytes, page_encode(code, bytes));
        } else if (c < 0x80) {
            page_character(page, code, s, 1);
            s++;
        } else {
            int size = page_decode(s, end, &code);
            if (code == 0xfffd && size == 1) s++; /* no UTF-8: the caller sees to it that none is */
            else page_character(page, code, s, size), s += size;
        }
    }
}

/* Elements: what is opened and closed. */

static void page_pop_to(Page *page, int32_t depth) { /* leaves `depth` of them open */
    while (page->depth > depth) {
        Open *top = &page->open[--page->depth];
        page->links -= (top->flags & LINK) != 0;
        page->unseen -= (top->flags & UNSEEN) != 0;
    }
}

/* The innermost open element with this tag, not beyond one that is `stop`; 0 if there is none. */
static int32_t page_find(const Page *page, int tag, int stop) {
    int32_t least = page->depth > LOOK_BACK ? page->depth - LOOK_BACK : 1;
    for (int32_t at = page->depth - 1; at >= least; at--) {
        if (page->open[at].tag == tag) return at;
        if (page->open[at].flags & stop) return 0;
    }
    return 0;
}

/* End what a new element ends by its coming: a paragraph, an item, a cell. */
static void page_imply(Page *page, int tag, int flags) {
    static const uint8_t ENDS[TAG_COUNT][2] = {
        [TAG_DT] = {TAG_DT, TAG_DD}, [TAG_DD] = {TAG_DT, TAG_DD}, [TAG_LI] = {TAG_LI, TAG_LI},
        [TAG_OPTION] = {TAG_OPTION, TAG_OPTION}, [TAG_A] = {TAG_A, TAG_A},
    };
    int32_t at;
    if (flags & BLOCK && (at = page_find(page, TAG_P, SCOPE))) page_pop_to(page, at);
    if (ENDS[tag][0])
        for (int i = 0; i < 2; i++)
            if ((at = page_find(page, ENDS[tag][i], tag == TAG_A ? SCOPE : SCOPE | LIST)))
                page_pop_to(page, at);
    if (flags & PART) {
        /* Up to the row, or the table, that is open; a cell does not end what it is nested in. */
        int32_t least = page->depth > LOOK_BACK ? page->depth - LOOK_BACK : 1;
        for (at = page->depth - 1; at >= least; at--) {
            int open = page->open[at].tag;
            if (page->open[at].flags & GRID) break;
            if ((tag == TAG_TD || tag == TAG_TH) && open == TAG_TR) break;
        }
        if (at >= least) page_pop_to(page, at + 1);
    }
}

static void page_start(Page *page, int tag, int link, uint32_t hints, uint32_t kind) {
    int flags = TAG_ROWS[tag].flags | link;
    if (flags & BLOCK) page_break(page);
    else if (flags & UNSEEN) page_space(page);
    if (flags & ROOT) return;
    if (page->unseen) { /* HTML begins again where a drawing or a choice was left open */
        int top = page->open[page->depth - 1].tag;
        int32_t at = 0;
        if (flags & BLOCK && tag != TAG_OPTION && tag != TAG_HR)
            for (at = page->depth - 1; at > 0 && !(page->open[at].flags & FOREIGN); at--)
                if (page->open[at].tag == TAG_SELECT || page->depth - at > LOOK_BACK) break;
        if (at > 0 && (page->open[at].flags & FOREIGN || page->open[at].tag == TAG_SELECT))
            page_pop_to(page, at);
        else if (tag == TAG_SELECT && top == TAG_SELECT) page_pop_to(page, page->depth - 1);
    }
    if (flags & VOID) {
        if (tag == TAG_IMG) page_space(page);
        return;
    }
    page_imply(page, tag, flags);
    if (page->depth >= DEEPEST) return;
    Open *top = &page->open[page->depth - 1];
    int32_t element = top->element;
    if (flags & BLOCK || hints) {
        if (!page_grow((void **)&page->elements, page->element_count, &page->element_room,
                       sizeof(Element))) {
            page->no_memory = 1;
            return;
        }
        const Element *parent = &page->elements[element];
        page->elements[page->element_count] = (Element){
            .parent = element,
            .line = flags & BLOCK ? page->element_count : parent->line,
            .tag = (uint8_t)tag,
            .depth = (uint16_t)(parent->depth + 1),
            .hints = hints,
            .kind = kind,
        };
        element = page->element_count++;
    }
    page->open[page->depth++] =
        (Open){.tag = (uint8_t)tag, .flags = (uint16_t)flags, .element = element};
    if (link) page_link(page);
    page->unseen += (flags & UNSEEN) != 0;
}

static void page_end(Page *page, int tag) {
    int flags = TAG_ROWS[tag].flags;
    if (flags & BLOCK || tag == TAG_BR) page_break(page);
    if (flags & (ROOT | VOID)) return;
    /* A part of a table stays within it, other blocks and links in their cell, words in their block. */
    int stop = flags & (GRID | UNSEEN)         ? 0
               : flags & PART                  ? GRID
               : flags & BLOCK || tag == TAG_A ? SCOPE
                                               : BLOCK;
    int32_t at = page_find(page, tag, stop);
    if (at) page_pop_to(page, at);
}

/* Markup: names, attributes, and what is none of both. */

static inline int page_blank(char c) { return c == ' ' || (c >= 9 && c <= 13); }

/* The attributes up to the end of the tag; returns where the tag ends, NULL if it never does. */
static const char *page_attributes(const Page *page, const char *s, const char *end, int tag,
                                   uint32_t *hints, uint32_t *kind, int *link) {
    int read = !(TAG_ROWS[tag].flags & (VOID | ROOT | PLAIN | RAW));
    while (1) {
        while (s < end && (page_blank(*s) || *s == '/')) s++;
        if (s >= end) return NULL;
        if (*s == '>') return s + 1;
        const char *name = s, *value = NULL;
        int64_t name_size, size = 0;
        s++; /* an = here is part of the name */
        while (s < end && !page_blank(*s) && *s != '=' && *s != '>' && *s != '/') s++;
        name_size = s - name;
        while (s < end && page_blank(*s)) s++;
        if (s < end && *s == '=') {
            s++;
            while (s < end && page_blank(*s)) s++;
            if (s >= end) return NULL;
            if (*s == '"' || *s == '\'') {
                value = s + 1;
                s = memchr(value, *s, (size_t)(end - value));
                if (!s) return NULL;
                size = s - value;
                s++;
            } else {
                value = s;
                while (s < end && !page_blank(*s) && *s != '>') s++;
                size = s - value;
            }
        }
        if (!read || name_size > 11 || name_size < 2) continue;
        char lower[12];
        for (int64_t i = 0; i < name_size; i++) lower[i] = (char)(name[i] | 32);
        lower[name_size] = 0;
        if (tag == TAG_A && !strcmp(lower, "href")) *link = LINK;
        else if (!strcmp(lower, "class")) {
            for (int64_t i = 0; i < size; i++) *kind = (*kind ^ (unsigned char)value[i]) * 16777619u;
            *hints |= hint_names(page->hints, value, size);
        } else if (!strcmp(lower, "id") || !strcmp(lower, "role") || !strcmp(lower, "itemprop")) {
            *hints |= hint_names(page->hints, value, size);
        } else if (!strcmp(lower, "hidden") ||
                   (!strcmp(lower, "aria-hidden") && size == 4 && !memcmp(value, "true", 4))) {
            *hints |= page->hidden;
        } else if (!strcmp(lower, "style")) {
            for (int64_t i = 0; i + 12 <= size; i++)
                if (!memcmp(value + i, "display:none", 12) ||
                    (i + 13 <= size && !memcmp(value + i, "display: none", 13)))
                    *hints |= page->hidden;
        }
    }
}

/* Where the end tag of a raw element begins, or the end of the page. */
static const char *page_raw_end(const char *s, const char *end, int tag) {
    int64_t size = TAG_ROWS[tag].size;
    while ((s = memchr(s, '<', (size_t)(end - s)))) {
        if (end - s < size + 2) return end;
        if (s[1] == '/') {
            int64_t i = 0;
            while (i < size && (s[2 + i] | 32) == TAG_ROWS[tag].name[i]) i++;
            if (i == size && (end - s == size + 2 || !entity_letter((unsigned char)s[2 + size])))
                return s;
        }
        s++;
    }
    return end;
}

/* Behind a comment, a declaration or an instruction, which begins at `s` with `<!`, `<?` or `</`. */
static const char *page_skip(const char *s, const char *end) {
    if (end - s >= 4 && !memcmp(s, "<!--", 4)) {
        s += 4;
        if (s < end && *s == '>') return s + 1;
        if (end - s >= 2 && !memcmp(s, "->", 2)) return s + 2;
        while ((s = memchr(s, '-', (size_t)(end - s)))) {
            if (end - s >= 3 && s[1] == '-' && s[2] == '>') return s + 3;
            if (end - s >= 4 && s[1] == '-' && s[2] == '!' && s[3] == '>') return s + 4;
            s++;
        }
        return end;
    }
    s = memchr(s, '>', (size_t)(end - s));
    return s ? s + 1 : end;
}

static inline int page_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

/* One tag at `s`, which begins with `<` or `</` and a letter; returns what is behind it. */
static const char *page_tag(Page *page, const char *s, const char *end) {
    int ends = s[1] == '/';
    const char *at = s + 1 + ends;
    char name[TAG_LONGEST + 1];
    int64_t size = 0;
    for (; at < end && !page_blank(*at) && *at != '>' && *at != '/'; at++, size++)
        if (size <= TAG_LONGEST) name[size < TAG_LONGEST ? size : TAG_LONGEST] = (char)(*at | 32);
    int tag = tag_of(name, size);
    uint32_t hints = 0, kind = 2166136261u ^ (uint32_t)tag;
    int link = 0;
    if (ends) {
        at = memchr(at, '>', (size_t)(end - at));
        page_end(page, tag);
        return at ? at + 1 : end;
    }
    at = page_attributes(page, at, end, tag, &hints, &kind, &link);
    if (!at) return end; /* a tag that never ends shows nothing of what it swallows */
    int flags = TAG_ROWS[tag].flags;
    if (flags & RAW) {
        page_space(page);
        at = page_raw_end(at, end, tag);
        at = memchr(at, '>', (size_t)(end - at));
        return at ? at + 1 : end;
    }
    page_start(page, tag, link, hints | page->tag_hints[tag], kind);
    if (tag == TAG_PLAINTEXT) {
        page_text(page, at, end);
        return end;
    }
    return at;
}

/* Read a page of at most PAGE_LARGEST bytes; 0 without memory. page_free is due in either case. */
static int page_read(Page *page, const Hints *hints, const uint32_t *tag_hints, uint32_t hidden,
                     const char *s, int64_t size) {
    const char *end = s + size;
    memset(page, 0, sizeof *page);
    page->hints = hints;
    page->tag_hints = tag_hints;
    page->hidden = hidden;
    page->text = malloc((size_t)size + 2);
    page->open = malloc(DEEPEST * sizeof *page->open);
    if (!page->text || !page->open ||
        !page_grow((void **)&page->elements, 0, &page->element_room, sizeof(Element)))
        return 0;
    page->elements[0] = (Element){.parent = -1, .tag = TAG_BODY};
    page->element_count = 1;
    page->open[0] = (Open){.tag = TAG_BODY};
    page->depth = 1;
    page_new_block(page);
    while (s < end && !page->no_memory) {
        const char *at = memchr(s, '<', (size_t)(end - s));
        /* A < that begins no tag is text. */
        while (at && !(end - at > 1 && (page_letter(at[1]) || at[1] == '!' || at[1] == '?' ||
                                        (at[1] == '/' && end - at > 2))))
            at = end - at > 1 ? memchr(at + 1, '<', (size_t)(end - at - 1)) : NULL;
        page_text(page, s, at ? at : end);
        if (!at) break;
        s = page_letter(at[1]) || (at[1] == '/' && page_letter(at[2])) ? page_tag(page, at, end)
                                                                        : page_skip(at, end);
    }
    page_break(page);
    return !page->no_memory;
}

#endif
