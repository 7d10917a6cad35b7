/* One topic's documents put in order and freed of duplicates; for run files and for mappings. */
#ifndef FATHOM_RANKING_H
#define FATHOM_RANKING_H

#include <math.h>

#include "ids.h"

enum { ORDER_SCORE32 = 0, ORDER_SCORE64 = 1, ORDER_RANK = 2 };

typedef struct {
    double key; /* larger comes first */
    double score;
    const unsigned char *id;
    uint64_t hash;
    int64_t at;           /* where the id stands in Reader.text */
    int32_t size, place;  /* of the id; in the order of the file */
    int32_t rank, number; /* in the file; of the document */
} Listed;

static inline double key_of(int order, double score, int32_t rank) {
    if (order == ORDER_RANK) return -(double)rank;
    if (!isfinite(score)) return -INFINITY; /* only met where the policy puts it last */
    return order == ORDER_SCORE32 ? (double)(float)score : score;
}

/* Equal keys: by document id descending (trec_eval), or in the file's order (rank). */
static inline int goes_after(int order, const Listed *a, const Listed *b) {
    if (a->key != b->key) return a->key < b->key;
    if (order == ORDER_RANK) return a->place > b->place;
    int c = memcmp(a->id, b->id, (size_t)(a->size < b->size ? a->size : b->size));
    if (!c) c = (a->size > b->size) - (a->size < b->size);
    return c ? c < 0 : a->place > b->place;
}

static int in_order(int order, const Listed *list, int64_t n) {
    int64_t i = 1;
    while (i < n && !goes_after(order, &list[i - 1], &list[i])) i++;
    return i >= n;
}

static void merge_sort(int order, Listed *list, Listed *spare, int64_t n) {
    Listed *from = list, *to = spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t middle = low + width < n ? low + width : n;
            int64_t high = middle + width < n ? middle + width : n;
            int64_t a = low, b = middle, k = low;
            while (a < middle && b < high)
                to[k++] = goes_after(order, &from[a], &from[b]) ? from[b++] : from[a++];
            while (a < middle) to[k++] = from[a++];
            while (b < high) to[k++] = from[b++];
        }
        Listed *swap = from;
        from = to;
        to = swap;
    }
    if (from != list) memcpy(list, from, (size_t)n * sizeof *list);
}

/* Most lists arrive in the order of their scores: only ties are left to be put in order. */
static void sort_list(int order, Listed *list, Listed *spare, int64_t n) {
    int64_t i = 1;
    while (i < n && list[i - 1].key >= list[i].key) i++;
    if (i < n) {
        merge_sort(order, list, spare, n);
        return;
    }
    for (int64_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && list[end].key == list[start].key;) end++;
        if (!in_order(order, list + start, end - start))
            merge_sort(order, list + start, spare, end - start);
    }
}

/* What is known of a run. */
typedef struct {
    int64_t lines, comments; /* lines with content; those that begin with # */
    int64_t bad_scores;      /* scores that are not finite */
    int64_t duplicates;      /* lines that repeat the document of another */
    int64_t tied;            /* documents whose score equals a neighbour's */
    int64_t top10_differs;   /* topics whose ten first differ between score and rank order */
    int64_t wide;            /* lines with ids that are not ASCII */
} Facts;

/* What a ranked list says about its run: ties of scores, and whether score and rank order agree on
 * its beginning. `other` has room for as many. */
static void count_facts(int order, const Listed *list, Listed *other, Listed *spare, int64_t n,
                        Facts *facts) {
    int second = order == ORDER_RANK ? ORDER_SCORE32 : ORDER_RANK;
    for (int64_t i = 0; i < n; i++) {
        other[i] = list[i];
        other[i].key = key_of(second, list[i].score, list[i].rank);
    }
    if (!in_order(second, other, n)) {
        sort_list(second, other, spare, n);
        for (int64_t i = 0; i < n && i < 10; i++)
            if (list[i].number != other[i].number) {
                facts->top10_differs++;
                break;
            }
    }
    const Listed *scored = order == ORDER_RANK ? other : list;
    for (int64_t i = 0; i < n; i++)
        facts->tied += (i && scored[i].key == scored[i - 1].key) ||
                       (i + 1 < n && scored[i].key == scored[i + 1].key);
}

/* Leave out what is ranked below the same document; how many stay. `set` has room for twice as many
 * places, a power of 2. */
static int64_t without_duplicates(Listed *list, int64_t n, uint32_t *set, int64_t room,
                                  Facts *facts) {
    uint64_t mask = (uint64_t)(room - 1);
    int64_t kept = 0;
    memset(set, 0, (size_t)room * sizeof *set);
    for (int64_t i = 0; i < n; i++) {
        const Listed *one = &list[i];
        uint64_t at = one->hash & mask;
        uint32_t there;
        for (; (there = set[at]); at = (at + 1) & mask) {
            const Listed *first = &list[there - 1];
            if (first->hash == one->hash && first->size == one->size &&
                !memcmp(first->id, one->id, (size_t)one->size))
                break;
        }
        if (there) {
            facts->duplicates++;
            continue;
        }
        set[at] = (uint32_t)kept + 1;
        if (kept < i) list[kept] = *one;
        kept++;
    }
    return kept;
}

#endif
