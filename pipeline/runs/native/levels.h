/* What a measure sees of a run, straight from its lines: the level of each document, best first.
 *
 * Only judged documents have numbers, in a table that stays in the cache; of the others nothing is
 * asked but whether they are different. Lines come in pieces, and of a topic only its levels are
 * kept once the next one begins, so memory grows with the longest list and not with the file.
 *
 * A run that cannot be taken so (a line at fault, a topic that comes back behind another one, an id
 * that is not ASCII) is called odd: the reader of run.h takes it, or tells what is wrong with it.
 * Plain C without Python.h, as run.h is.
 */
#ifndef FATHOM_LEVELS_H
#define FATHOM_LEVELS_H

#include "ascii.h"
#include "pieces.h"
#include "run.h"

enum { LEVEL_UNJUDGED = 1, LONGEST_ID = 1000, LONGEST_LINE = 1 << 16 };

/* One document of the list at hand; its id stands in Levels.text. */
typedef struct {
    double key, score;
    uint64_t hash;
    int64_t at;
    int32_t size, place;
} Listed;

/* The labels of one dimension: topic t has those from[t] .. from[t + 1). */
typedef struct {
    const int64_t *from;
    const int32_t *document, *level; /* [label] */
    const int32_t *usual;            /* [judged document]: its level where its topic has no label */
    int32_t *now;                    /* the same in the topic at hand */
    unsigned char *out;              /* the levels of the lists, one list behind the other */
} Side;

typedef struct {
    locale_t plain;
    Ids topics, judged; /* of the topics, those that count come first */
    int64_t counted, dimensions;
    Side *sides;
    int order, each, scored; /* each: bytes of a level */
    int64_t depth;           /* 0 keeps all */
    Pieces pieces;
    Listed *list, *spare;
    int64_t listed, room;
    unsigned char *text;
    int64_t text_size, text_room;
    int32_t *number; /* [rank]: the number of the document among those judged, -1 of another */
    int64_t number_room;
    uint32_t *set; /* places in the list + 1, by hash */
    int64_t set_room;
    Notes met;     /* by topic: whether this run had it */
    int64_t topic; /* at hand; -1 before the first */
    unsigned char id[LONGEST_ID], tag[LONGEST_ID]; /* of the topic at hand; of the last line */
    int64_t id_size, tag_size;
    double *score; /* as Side.out */
    int64_t kept, kept_room;
    int32_t *group_topic; /* of the lists kept, in the order of the file */
    int64_t *group_size;
    int64_t groups, group_room;
    int64_t lines, bad_scores, duplicates;
    int odd;
} Levels;

static void levels_free(Levels *l) {
    if (!l) return;
    if (l->plain) freelocale(l->plain);
    ids_free(&l->topics), ids_free(&l->judged);
    for (int64_t d = 0; d < l->dimensions; d++) free(l->sides[d].now), free(l->sides[d].out);
    free(l->sides), free(l->pieces.bytes), free(l->list), free(l->spare), free(l->text);
    free(l->number), free(l->set), free(l->met.notes), free(l->score), free(l->group_topic), free(l->group_size);
    free(l);
}

/* Ids given one behind the other, numbered from 0; 0 without memory, or if one is there twice. */
static int ids_fill(Ids *ids, int64_t count, const int64_t *start, const char *text) {
    for (int64_t i = 0; i < count; i++) {
        const unsigned char *id = (const unsigned char *)text + start[i];
        int64_t size = start[i + 1] - start[i];
        if (ids_number(ids, id, size, ids_hash(ids->key, id, size)) != i) return 0;
    }
    return 1;
}

/* Ready for `dimensions` sides, to be filled in before levels_ready; NULL without memory. */
static Levels *levels_new(Key key, int64_t dimensions, int order, int each, int64_t depth,
                          int scored) {
    Levels *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->order = order, l->each = each, l->depth = depth, l->scored = scored;
    l->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    l->sides = calloc((size_t)dimensions + 1, sizeof *l->sides);
    int made = ids_new(&l->topics, key, INT32_MAX);
    made &= ids_new(&l->judged, key, INT32_MAX);
    if (!l->plain || !l->sides || !made) {
        levels_free(l);
        return NULL;
    }
    l->dimensions = dimensions;
    return l;
}

/* Once topics, judged documents and sides are there; 0 without memory. */
static int levels_ready(Levels *l) {
    l->counted = l->topics.count;
    for (int64_t d = 0; d < l->dimensions; d++) {
        Side *side = &l->sides[d];
        side->now = resized(NULL, l->judged.count, sizeof *side->now);
        if (!side->now) return 0;
        memcpy(side->now, side->usual, (size_t)l->judged.count * sizeof *side->now);
    }
    return 1;
}

/* The labels of the topic at hand hold from now on, or no longer. */
static void levels_turn(Levels *l, int begins) {
    if (l->topic < 0 || l->topic >= l->counted) return;
    for (int64_t d = 0; d < l->dimensions; d++) {
        const Side *side = &l->sides[d];
        for (int64_t i = side->from[l->topic]; i < side->from[l->topic + 1]; i++) {
            int32_t document = side->document[i];
            side->now[document] = begins ? side->level[i] : side->usual[document];
        }
    }
}

static inline int listed_after(const Levels *l, const Listed *a, const Listed *b) {
    if (a->key != b->key) return a->key < b->key;
    if (l->order == ORDER_RANK) return a->place > b->place;
    int64_t shorter = a->size < b->size ? a->size : b->size;
    int c = memcmp(l->text + a->at, l->text + b->at, (size_t)shorter);
    if (!c) c = (a->size > b->size) - (a->size < b->size);
    return c ? c < 0 : a->place > b->place;
}

/* The places start .. end of the list put in order. */
static void sort_part(Levels *l, int64_t start, int64_t end) {
    int64_t n = end - start;
    Listed *from = l->list + start, *to = l->spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t middle = low + width < n ? low + width : n;
            int64_t high = middle + width < n ? middle + width : n;
            int64_t a = low, b = middle, k = low;
            while (a < middle && b < high)
                to[k++] = listed_after(l, &from[a], &from[b]) ? from[b++] : from[a++];
            while (a < middle) to[k++] = from[a++];
            while (b < high) to[k++] = from[b++];
        }
        Listed *swap = from;
        from = to;
        to = swap;
    }
    if (from != l->list + start) memcpy(l->list + start, from, (size_t)n * sizeof *from);
}

/* Most lists arrive in the order of their scores: only ties are left to be put in order. */
static void sort_listed(Levels *l) {
    int64_t n = l->listed, i = 1;
    while (i < n && l->list[i - 1].key >= l->list[i].key) i++;
    if (i < n) {
        sort_part(l, 0, n);
        return;
    }
    for (int64_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && l->list[end].key == l->list[start].key;) end++;
        for (i = start + 1; i < end && !listed_after(l, &l->list[i - 1], &l->list[i]);) i++;
        if (i < end) sort_part(l, start, end);
    }
}

/* Leave out what is ranked below the same document; 0 without memory. */
static int single_listed(Levels *l) {
    int64_t room = 64, kept = 0;
    while (room < 2 * l->listed) room *= 2;
    if (room > l->set_room) {
        if (!RESIZE(l->set, room)) return 0;
        l->set_room = room;
    }
    memset(l->set, 0, (size_t)room * sizeof *l->set);
    for (int64_t i = 0; i < l->listed; i++) {
        const Listed *one = &l->list[i];
        uint64_t at = one->hash & (uint64_t)(room - 1);
        uint32_t there;
        for (; (there = l->set[at]); at = (at + 1) & (uint64_t)(room - 1)) {
            const Listed *other = &l->list[there - 1];
            if (other->hash == one->hash && other->size == one->size &&
                !memcmp(l->text + other->at, l->text + one->at, (size_t)one->size))
                break;
        }
        if (there) {
            l->duplicates++;
            continue;
        }
        l->set[at] = (uint32_t)kept + 1;
        if (kept < i) l->list[kept] = *one;
        kept++;
    }
    l->listed = kept;
    return 1;
}

/* The first n documents of the list looked up among those judged; 0 without memory. The table is
 * too large for the nearest cache, so each place is asked for some documents ahead. */
static int look_up(Levels *l, int64_t n) {
    enum { AHEAD = 8 };
    const Ids *ids = &l->judged;
    if (n > l->number_room) {
        if (!RESIZE(l->number, n)) return 0;
        l->number_room = n;
    }
    for (int64_t i = 0; i < n; i++) {
        if (i + AHEAD < n) __builtin_prefetch(&ids->slots[l->list[i + AHEAD].hash & ids->mask]);
        const Listed *one = &l->list[i];
        l->number[i] = (int32_t)ids_find(ids, l->text + one->at, one->size, one->hash);
    }
    return 1;
}

/* The levels of the list at hand behind those of the others; 0 without memory. */
static int keep_listed(Levels *l) {
    int64_t n = l->depth > 0 && l->listed > l->depth ? l->depth : l->listed;
    if (!look_up(l, n)) return 0;
    if (l->kept + n > l->kept_room) {
        int64_t room = 2 * (l->kept + n) + 1024;
        for (int64_t d = 0; d < l->dimensions; d++)
            if (!resize_to(&l->sides[d].out, room, (size_t)l->each)) return 0;
        if (l->scored && !RESIZE(l->score, room)) return 0;
        l->kept_room = room;
    }
    if (l->groups == l->group_room) {
        int64_t room = 2 * l->group_room + 64;
        if (!RESIZE(l->group_topic, room) || !RESIZE(l->group_size, room)) return 0;
        l->group_room = room;
    }
    for (int64_t d = 0; d < l->dimensions; d++) {
        const Side *side = &l->sides[d];
        for (int64_t i = 0; i < n; i++) {
            int32_t judged = l->number[i];
            int32_t level = judged < 0 ? LEVEL_UNJUDGED : side->now[judged];
            if (l->each == 1)
                side->out[l->kept + i] = (unsigned char)level;
            else
                memcpy(side->out + (l->kept + i) * 4, &level, 4);
        }
    }
    for (int64_t i = 0; l->scored && i < n; i++) l->score[l->kept + i] = l->list[i].score;
    l->group_topic[l->groups] = (int32_t)l->topic;
    l->group_size[l->groups++] = n;
    l->kept += n;
    return 1;
}

/* The list at hand is whole; 0 without memory. */
static int end_list(Levels *l) {
    sort_listed(l);
    int good = single_listed(l) && (l->topic >= l->counted || !l->listed || keep_listed(l));
    levels_turn(l, 0);
    l->listed = l->text_size = 0;
    return good;
}

/* A line of another topic than the last: 0 without memory, or if the run is odd. */
static int begin_list(Levels *l, const unsigned char *id, int64_t size) {
    if (!end_list(l)) return 0;
    int64_t topic = ids_number(&l->topics, id, size, ids_hash(l->topics.key, id, size));
    l->topic = -1;
    if (topic < 0 || !notes_room(&l->met, l->topics.count)) return 0;
    if (l->met.notes[topic].when == l->met.now || size > LONGEST_ID) return !(l->odd = 1);
    l->met.notes[topic].when = l->met.now;
    l->topic = topic;
    memcpy(l->id, id, (size_t)size);
    l->id_size = size;
    levels_turn(l, 1);
    return 1;
}

/* One document behind the list at hand; 0 without memory. */
static int add_listed(Levels *l, const unsigned char *id, int64_t size, double score,
                      int32_t rank) {
    if (l->listed == l->room) {
        int64_t room = 2 * l->room + 1024;
        if (room > INT32_MAX / 4 || !RESIZE(l->list, room) || !RESIZE(l->spare, room)) return 0;
        l->room = room;
    }
    if (size > l->text_room - l->text_size) {
        int64_t room = 2 * (l->text_room + size) + 4096;
        if (!RESIZE(l->text, room)) return 0;
        l->text_room = room;
    }
    Listed *one = &l->list[l->listed];
    one->key = key_of(l->order, score, rank);
    one->score = score;
    one->hash = ids_hash(l->judged.key, id, size);
    one->at = l->text_size;
    one->size = (int32_t)size;
    one->place = (int32_t)l->listed++;
    memcpy(l->text + l->text_size, id, (size_t)size);
    l->text_size += size;
    return 1;
}

/* The whole lines there are; 0 without memory, or if the run is odd. */
static int levels_lines(Levels *l) {
    const unsigned char *s = l->pieces.bytes;
    int64_t size = l->pieces.whole, at = 0;
    Field field[6], last = {0, 0};
    if (!is_ascii(s, size)) return !(l->odd = 1);
    while (at < size) {
        int64_t fields = split_ascii(s, size, &at, field);
        double score;
        int32_t rank;
        if (!fields || (fields > 0 && s[field[0].at] == '#')) continue; /* blank, or a comment */
        if (fields != 6 || field[2].size > LONGEST_ID || field[5].size > LONGEST_ID ||
            !to_rank(s + field[3].at, field[3].size, &rank) ||
            !to_double(s + field[4].at, field[4].size, l->plain, &score))
            return !(l->odd = 1);
        const unsigned char *topic = s + field[0].at;
        if ((l->topic < 0 || field[0].size != l->id_size ||
             memcmp(topic, l->id, (size_t)l->id_size)) &&
            !begin_list(l, topic, field[0].size))
            return 0;
        if (!isfinite(score)) l->bad_scores++;
        if (!add_listed(l, s + field[2].at, field[2].size, score, rank)) return 0;
        l->lines++;
        last = field[5];
    }
    if (last.size) {
        memcpy(l->tag, s + last.at, (size_t)last.size);
        l->tag_size = last.size;
    }
    pieces_read(&l->pieces);
    return 1;
}

/* A new run begins; what was kept of the last is dropped. 0 without memory. */
static int levels_begin(Levels *l) {
    levels_turn(l, 0);
    if (!notes_room(&l->met, l->topics.count + 1)) return 0;
    notes_drop(&l->met);
    l->topic = -1;
    l->pieces.size = l->pieces.whole = 0;
    l->listed = l->text_size = l->kept = l->groups = l->tag_size = 0;
    l->lines = l->bad_scores = l->duplicates = 0;
    l->odd = 0;
    return 1;
}

/* One more piece of the run; 0 without memory, or if the run is odd. */
static int levels_add(Levels *l, const char *piece, int64_t size) {
    if (l->odd || !pieces_add(&l->pieces, piece, size)) return 0;
    if (l->pieces.size - l->pieces.whole > LONGEST_LINE) return !(l->odd = 1);
    return levels_lines(l);
}

/* The run is whole. */
static int levels_end(Levels *l) {
    if (l->odd || !pieces_last(&l->pieces) || !levels_lines(l) || !end_list(l)) return 0;
    l->topic = -1;
    return 1;
}

#endif
