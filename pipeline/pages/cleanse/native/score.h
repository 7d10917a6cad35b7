/* Which blocks are what a reader came for: prose is found first, then each block is scored by what it
 * is, where it is and what the elements around it are called.
 *
 * A *good* block has at least 10 words, less than 35 % of them in links, and ends as a sentence. Most
 * prose is in good blocks and hardly any boilerplate is, so they say where the text of a page is, and
 * which names on it mean nothing. All loops are over blocks, elements or words, none inside another.
 */
#ifndef FATHOM_SCORE_H
#define FATHOM_SCORE_H

#include <math.h>

#include "page.h"

enum { GOOD_WORDS = 10, FEW_WORDS = 60, NEAR = 4, SHORT = 12, PROBES = 64 };
enum { FARTHEST = 4, UNSET = 255 };
static const double GOOD_LINKED = .35, TENTH = .1, CONTAINS = .8;

/* Those with a * are 0 for a scrap, and where a name speaks against the block: there the prose around
 * says nothing for it. */
#define FEATURES(F)                                                                               \
    F(ALWAYS, "always", "the score every block begins with")                                      \
    F(STOP, "stop", "it ends as a sentence does")                                                 \
    F(COMMAS, "commas", "commas in it, at most 4")                                                \
    F(LINKED, "linked", "the share of its words that are in links")                               \
    F(ALL_LINKED, "all_linked", "nearly all of it is in links")                                   \
    F(REPEATED, "repeated", "the same text is on the page more than once")                        \
    F(PARAGRAPH, "paragraph", "it is in a p")                                                     \
    F(TITLE, "title", "it is in an h1")                                                           \
    F(HEADING, "heading", "it is in an h2 to h6 and the next block is prose")                     \
    F(INSIDE, "inside", "it is in the container")                                                 \
    F(APART, "apart", "levels above the container until it is inside too, at most 4, quarters")   \
    F(BEFORE, "before", "it is before the first good block of the container")                     \
    F(AFTER, "after", "it is after the last good block of the container")                         \
    F(AMID, "amid", "*there is a good block within 4 blocks both before and after it")            \
    F(WORDS, "words", "*words of it and of the blocks next to it, log2(1 + n), at most 8")        \
    F(LINKED_AROUND, "linked_around", "the share of words in links in the blocks next to it")           \
    F(NAMED, "named", "a name of an element around it speaks against it")                         \
    F(OWN_NAME, "own_name", "a name of its own element or the one above does")

#define FEATURE_NAME(id, name, means) F_##id,
enum { FEATURES(FEATURE_NAME) FIXED_FEATURES };
#undef FEATURE_NAME
enum { MOST_FEATURES = FIXED_FEATURES + HINT_GROUPS };

typedef struct {
    Hints hints;
    int groups;
    uint32_t negative; /* the groups that speak against a block */
    uint32_t tag_hints[TAG_COUNT];
    uint32_t hidden;
    double weights[MOST_FEATURES]; /* the fixed features', then the groups' */
} Model;

typedef struct {
    int32_t good;                /* words of the good blocks in it */
    uint32_t hints;              /* its own and those above it that count */
    uint8_t named;               /* one of its own names speaks against it, and counts */
    uint8_t apart;               /* levels above the container that hold both, 0 inside */
} Sum;

typedef struct {
    Page page;
    Sum *sums;
    uint8_t *good;      /* of each block */
    int32_t *back, *on; /* the last good block up to each, the next one from it; -1, count */
    int32_t *run;       /* short open blocks in its row */
    uint8_t *kin;       /* whether any good block is of its kind */
    uint8_t *repeated;
    int32_t container, first, last; /* the container's first and last good block */
    int32_t good_words;
} Scored;

static void scored_free(Scored *scored) {
    page_free(&scored->page);
    free(scored->sums);
    free(scored->good);
    free(scored->back);
    free(scored->on);
    free(scored->run);
    free(scored->kin);
    free(scored->repeated);
}

static int block_is_good(const Block *block) {
    return block->words >= GOOD_WORDS && block->ends == ENDS_STOP &&
           block->linked < GOOD_LINKED * block->words;
}

/* Sums of each element's subtree; an element comes after its parent in the table. */
static void score_sums(Scored *scored) {
    const Page *page = &scored->page;
    Sum *sums = scored->sums;
    for (int32_t b = 0; b < page->block_count; b++) {
        const Block *block = &page->blocks[b];
        Sum *sum = &sums[block->element];
        scored->good[b] = (uint8_t)block_is_good(block);
        sum->good += scored->good[b] ? block->words : 0;
    }
    for (int32_t e = page->element_count - 1; e > 0; e--) {
        Sum *above = &sums[page->elements[e].parent];
        above->good += sums[e].good;
    }
    scored->good_words = sums[0].good;
}

/* The names that count when those of elements with at least `most` good words do not; returns how many
 * good words no name speaks against. */
static int32_t score_names(Scored *scored, uint32_t negative, double most) {
    const Page *page = &scored->page;
    Sum *sums = scored->sums;
    int32_t left = 0;
    for (int32_t e = 1; e < page->element_count; e++) {
        const Element *element = &page->elements[e];
        uint32_t own = sums[e].good && sums[e].good >= most ? element->hints & ~negative
                                                            : element->hints;
        sums[e].hints = sums[element->parent].hints | own;
        sums[e].named = (own & negative) != 0;
    }
    for (int32_t b = 0; b < page->block_count; b++) {
        const Block *block = &page->blocks[b];
        if (scored->good[b] && !(sums[block->element].hints & negative)) left += block->words;
    }
    return left;
}

/* Which names count: not those of an element with half of the prose in it, nor with a quarter of it, nor
 * any, where they would leave hardly anything of the prose. */
static void score_hints(Scored *scored, uint32_t negative) {
    static const double SHARES[] = {.5, .25, 0};
    double few = FEW_WORDS + TENTH * scored->good_words;
    for (int i = 0; i < 3; i++)
        if (score_names(scored, negative, SHARES[i] * scored->good_words) >= few) return;
}

/* The deepest element with 80 % of the prose that no name speaks against. A list is part of a text, not
 * all of it: what leads up to the steps of a recipe belongs there too. */
static int score_container(Scored *scored, uint32_t negative) {
    const Page *page = &scored->page;
    int32_t *within = calloc((size_t)page->element_count, sizeof *within);
    if (!within) return 0;
    scored->first = page->block_count;
    scored->last = -1;
    for (int32_t b = 0; b < page->block_count; b++) {
        const Block *block = &page->blocks[b];
        int plain = !(scored->sums[block->element].hints & negative);
        if (scored->good[b] && plain) within[block->element] += block->words;
    }
    for (int32_t e = page->element_count - 1; e > 0; e--)
        within[page->elements[e].parent] += within[e];
    for (int32_t e = 1; e < page->element_count; e++) /* at most one child has 80 % */
        if (page->elements[e].parent == scored->container && within[0] &&
            within[e] >= CONTAINS * within[0])
            scored->container = e;
    while (scored->container > 0 && TAG_ROWS[page->elements[scored->container].tag].flags & LIST)
        scored->container = page->elements[scored->container].parent;
    free(within);
    return 1;
}

/* How far each element is from the container, and the container's first and last good block. */
static void score_inside(Scored *scored) {
    const Page *page = &scored->page;
    Sum *sums = scored->sums;
    int levels = 0;
    for (int32_t e = 0; e < page->element_count; e++) sums[e].apart = UNSET;
    for (int32_t e = scored->container; e >= 0; e = page->elements[e].parent)
        sums[e].apart = (uint8_t)levels, levels += levels < FARTHEST;
    for (int32_t e = 1; e < page->element_count; e++)
        if (sums[e].apart == UNSET) sums[e].apart = sums[page->elements[e].parent].apart;
    for (int32_t b = 0; b < page->block_count; b++)
        if (scored->good[b] && !sums[page->blocks[b].element].apart) {
            if (scored->first > b) scored->first = b;
            scored->last = b;
        }
}

typedef struct {
    uint32_t key;
    int32_t count;
} Tally;

/* The count of a key. A page made to have keys collide finds the last slot, which all such share. */
static Tally *tally_slot(Tally *table, uint32_t mask, uint32_t key) {
    uint32_t at = (key * 2654435769u) >> 7 & mask;
    for (int tries = 0; tries < PROBES; tries++, at = (at + 1) & mask)
        if (!table[at].count || table[at].key == key) {
            table[at].key = key;
            return &table[at];
        }
    return &table[mask + 1];
}

/* Whether prose is in elements of each block's kind, and whether its text comes again. */
static int score_kinds(Scored *scored) {
    const Page *page = &scored->page;
    uint32_t mask = 63;
    while (mask < 2 * (uint32_t)page->block_count) mask = mask * 2 + 1;
    Tally *table = calloc((size_t)mask + 2, sizeof *table);
    if (!table) return 0;
    for (int32_t b = 0; b < page->block_count; b++) {
        const Block *block = &page->blocks[b];
        uint32_t kind = page->elements[page->elements[block->element].line].kind;
        if (scored->good[b]) tally_slot(table, mask, kind)->count += block->words;
    }
    for (int32_t b = 0; b < page->block_count; b++) {
        uint32_t kind = page->elements[page->elements[page->blocks[b].element].line].kind;
        scored->kin[b] = tally_slot(table, mask, kind)->count > 0;
    }
    memset(table, 0, ((size_t)mask + 2) * sizeof *table);
    for (int32_t b = 0; b < page->block_count; b++)
        tally_slot(table, mask, page->blocks[b].hash)->count++;
    for (int32_t b = 0; b < page->block_count; b++)
        scored->repeated[b] = tally_slot(table, mask, page->blocks[b].hash)->count > 1;
    free(table);
    return 1;
}

/* Which good blocks are nearest, and how many short open ones stand in a row. */
static void score_neighbours(Scored *scored) {
    const Page *page = &scored->page;
    int32_t count = page->block_count, near = -1, begin = 0;
    for (int32_t b = 0; b < count; b++) {
        scored->back[b] = near;
        if (scored->good[b]) near = b;
    }
    near = count;
    for (int32_t b = count - 1; b >= 0; b--) {
        scored->on[b] = near;
        if (scored->good[b]) near = b;
    }
    for (int32_t b = 0; b <= count; b++) {
        int is_short = b < count && page->blocks[b].words < SHORT &&
                       page->blocks[b].ends == ENDS_OPEN;
        if (is_short) continue;
        for (int32_t i = begin; i < b; i++) scored->run[i] = b - begin;
        if (b < count) scored->run[b] = 0;
        begin = b + 1;
    }
}

/* A short block that ends no sentence, stands alone or with one other, and is in an element unlike those
 * of prose: the prose around it says nothing for it. A heading, an item or a term is none. */
static int is_scrap(const Scored *scored, int32_t b, int heading) {
    const Page *page = &scored->page;
    const Block *block = &page->blocks[b];
    int tag = page->elements[page->elements[block->element].line].tag;
    return block->words < SHORT && block->ends != ENDS_STOP && !scored->kin[b] &&
           scored->run[b] <= 2 && !heading && tag != TAG_LI && tag != TAG_DT && tag != TAG_DD;
}

static double capped(double value, double most) { return value < most ? value : most; }

/* The features of a block, the fixed ones and then one for each group of names. */
static void score_features(const Scored *scored, const Model *model, int32_t b, double *x) {
    const Page *page = &scored->page;
    const Block *block = &page->blocks[b];
    const Element *line = &page->elements[page->elements[block->element].line];
    const Sum *sum = &scored->sums[block->element];
    const Sum *own = &scored->sums[page->elements[block->element].line];
    const Sum *above = line->parent < 0 ? own : &scored->sums[line->parent];
    int32_t count = page->block_count, back = scored->back[b], on = scored->on[b];
    int tag = line->tag;
    double share = (double)block->linked / block->words;
    double to_back = back < 0 ? NEAR + 1 : b - back, to_on = on >= count ? NEAR + 1 : on - b;
    memset(x, 0, MOST_FEATURES * sizeof *x);
    x[F_ALWAYS] = 1;
    x[F_STOP] = block->ends == ENDS_STOP;
    x[F_COMMAS] = capped(block->commas, 4);
    x[F_LINKED] = share;
    x[F_ALL_LINKED] = share > .8;
    x[F_REPEATED] = scored->repeated[b];
    x[F_PARAGRAPH] = tag == TAG_P;
    x[F_TITLE] = tag == TAG_H1;
    x[F_HEADING] = tag_is_heading(tag) && tag != TAG_H1 && b + 1 < count &&
                   page->blocks[b + 1].ends == ENDS_STOP;
    x[F_INSIDE] = !sum->apart;
    x[F_APART] = (double)sum->apart / FARTHEST;
    x[F_BEFORE] = b < scored->first;
    x[F_AFTER] = b > scored->last;
    int32_t words = block->words, linked = 0;
    if (b) words += block[-1].words, linked += block[-1].linked;
    if (b + 1 < count) words += block[1].words, linked += block[1].linked;
    x[F_NAMED] = (sum->hints & model->negative) != 0;
    if (!x[F_NAMED] && !is_scrap(scored, b, x[F_HEADING] > 0)) {
        x[F_AMID] = to_back <= NEAR && to_on <= NEAR;
        x[F_WORDS] = capped(log2(1.0 + words), 8);
    }
    x[F_LINKED_AROUND] = words > block->words ? (double)linked / (words - block->words) : 0;
    x[F_OWN_NAME] = sum->named || own->named || above->named;
    for (int group = 0; group < model->groups; group++)
        x[FIXED_FEATURES + group] = sum->hints >> group & 1;
}

static double score_of(const Scored *scored, const Model *model, int32_t b) {
    double x[MOST_FEATURES], total = 0;
    score_features(scored, model, b, x);
    for (int f = 0; f < FIXED_FEATURES + model->groups; f++) total += model->weights[f] * x[f];
    return total;
}

/* Weights have one decimal, so what is hardly over zero is zero, and no block is kept by rounding. */
static int score_keeps(double score) { return score > .01; }

/* Read a page and all that its blocks' scores need; 0 without memory. scored_free is due. */
static int scored_read(Scored *scored, const Model *model, const char *s, int64_t size) {
    memset(scored, 0, sizeof *scored);
    Page *page = &scored->page;
    if (!page_read(page, &model->hints, model->tag_hints, model->hidden, s, size)) return 0;
    size_t blocks = (size_t)page->block_count + 1;
    scored->sums = calloc((size_t)page->element_count, sizeof *scored->sums);
    scored->good = calloc(blocks, sizeof *scored->good);
    scored->back = calloc(blocks, sizeof *scored->back);
    scored->on = calloc(blocks, sizeof *scored->on);
    scored->run = calloc(blocks, sizeof *scored->run);
    scored->kin = calloc(blocks, sizeof *scored->kin);
    scored->repeated = calloc(blocks, sizeof *scored->repeated);
    if (!scored->sums || !scored->good || !scored->back || !scored->on || !scored->run ||
        !scored->kin || !scored->repeated)
        return 0;
    score_sums(scored);
    score_hints(scored, model->negative);
    if (!score_container(scored, model->negative)) return 0;
    score_inside(scored);
    if (!score_kinds(scored)) return 0;
    score_neighbours(scored);
    return 1;
}

#endif
