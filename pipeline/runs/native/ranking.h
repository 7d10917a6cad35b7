/* Rows of one run put in order: topic by topic, freed of duplicates, cut. */
#ifndef FATHOM_RANKING_H
#define FATHOM_RANKING_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "ids.h"

enum { ORDER_SCORE32 = 0, ORDER_SCORE64 = 1, ORDER_RANK = 2 };

/* The lines of a run in the file's order, a column a field. */
typedef struct {
    int32_t *topic, *document, *rank;
    double *score;
    int64_t *line; /* of the file */
} Lines;

typedef struct {
    double key; /* larger comes first */
    int32_t document, row;
} Item;

/* Equal keys: by document id descending (trec_eval), or in the file's order (rank). */
static inline int goes_after(const Ids *documents, int order, const Item *a, const Item *b) {
    if (a->key != b->key) return a->key < b->key;
    if (order == ORDER_RANK) return a->row > b->row;
    int c = ids_compare(documents, a->document, b->document);
    return c ? c < 0 : a->row > b->row;
}

static void sort_items(const Ids *documents, int order, Item *items, Item *spare, int64_t n) {
    int64_t i = 1;
    while (i < n && !goes_after(documents, order, &items[i - 1], &items[i])) i++;
    if (i >= n) return; /* most runs arrive sorted */
    Item *from = items, *to = spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t middle = low + width < n ? low + width : n;
            int64_t high = middle + width < n ? middle + width : n;
            int64_t a = low, b = middle, k = low;
            while (a < middle && b < high)
                to[k++] = goes_after(documents, order, &from[a], &from[b]) ? from[b++]
                                                                           : from[a++];
            while (a < middle) to[k++] = from[a++];
            while (b < high) to[k++] = from[b++];
        }
        Item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, (size_t)n * sizeof *items);
}

static inline double key_of(int order, double score, int32_t rank) {
    if (order == ORDER_RANK) return -(double)rank;
    if (!isfinite(score)) return -INFINITY; /* only met where the policy puts it last */
    return order == ORDER_SCORE32 ? (double)(float)score : score;
}

/* What was noted of a number (a document in this topic, a topic in this run). Notes are dropped by
 * counting `now` on, so that a small run does not pay for the ids of all others. */
typedef struct {
    int32_t when, what;
} Note;

typedef struct {
    Note *notes;
    int64_t room;
    int32_t now;
} Notes;

static int notes_room(Notes *n, int64_t count) {
    if (n->room >= count) return 1;
    int64_t room = count * 2;
    Note *notes = resized(n->notes, room, sizeof *notes);
    if (!notes) return 0;
    memset(notes + n->room, 0, (size_t)(room - n->room) * sizeof *notes);
    n->notes = notes;
    n->room = room;
    return 1;
}

static void notes_drop(Notes *n) {
    if (n->now == INT32_MAX) {
        memset(n->notes, 0, (size_t)n->room * sizeof *n->notes);
        n->now = 0;
    }
    n->now++;
}

/* What is odd in the order of a run. */
typedef struct {
    int64_t duplicates, duplicate_line; /* how many; the first line that repeats an earlier one */
    int64_t tied;                       /* rows whose score equals a neighbour's in the ranking */
    int64_t top10_differs; /* topics whose ten first differ between score and rank order */
} Oddities;

/* Leave out what is ranked below the same document; returns how many stay. */
static int64_t without_duplicates(Item *items, int64_t n, Notes *seen, const int64_t *line,
                                  Oddities *odd) {
    int64_t kept = 0;
    notes_drop(seen);
    for (int64_t i = 0; i < n; i++) {
        Note *note = &seen->notes[items[i].document];
        if (note->when != seen->now) {
            note->when = seen->now;
            note->what = items[i].row;
            items[kept++] = items[i];
            continue;
        }
        int64_t later = line[items[i].row];
        if (line[note->what] > later) later = line[note->what];
        if (!odd->duplicates++ || later < odd->duplicate_line) odd->duplicate_line = later;
    }
    return kept;
}

/* Put items[0..n), the rows of one topic, in order; `other` and `spare` have room for as many. */
static void order_rows(const Ids *documents, const Lines *lines, int order, Item *items,
                       Item *other, Item *spare, int64_t n, Oddities *odd) {
    /* By score and by rank, whichever of the two is the ranking: where they contradict each other
     * the run has a fault its team should know of. */
    int second = order == ORDER_RANK ? ORDER_SCORE32 : ORDER_RANK;
    for (int64_t i = 0; i < n; i++) {
        int32_t row = items[i].row;
        other[i] = items[i];
        other[i].key = key_of(second, lines->score[row], lines->rank[row]);
    }
    sort_items(documents, order, items, spare, n);
    sort_items(documents, second, other, spare, n);
    for (int64_t i = 0; i < n && i < 10; i++)
        if (items[i].document != other[i].document) {
            odd->top10_differs++;
            break;
        }
    const Item *scored = order == ORDER_RANK ? other : items; /* ties are ties of scores */
    for (int64_t i = 0; i < n; i++)
        odd->tied += (i && scored[i].key == scored[i - 1].key) ||
                     (i + 1 < n && scored[i].key == scored[i + 1].key);
}

/* The same, and each document once; returns how many stay. */
static int64_t rank_topic(const Ids *documents, Notes *seen, const Lines *lines, int order,
                          Item *items, Item *other, Item *spare, int64_t n, Oddities *odd) {
    order_rows(documents, lines, order, items, other, spare, n, odd);
    return without_duplicates(items, n, seen, lines->line, odd);
}

#endif
