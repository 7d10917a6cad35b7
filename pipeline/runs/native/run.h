/* The run reader: bytes of a TREC run in, rankings of numbered documents out.
 *
 * Plain C without Python.h (../_reader.c binds it), so that tests can run it under sanitizers.
 * One pass splits the lines and turns ids into numbers; the rows are then grouped by topic and
 * each topic is ranked. It never repairs anything on its own: what it finds is counted and the
 * caller decides. Time is linear in the input, but for sorting.
 */
#ifndef FATHOM_RUN_H
#define FATHOM_RUN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* strtod_l */
#endif
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"
#include "ids.h"
#include "ranking.h"

/* What can make a run unreadable. */
typedef enum { OK, NO_MEMORY, BINARY, FIELDS, BAD_RANK, BAD_SCORE, TOO_MANY } Problem;

typedef struct {
    Problem error;
    int64_t line;             /* the line of the file it is in; without an error the last */
    int64_t at, size;         /* where the offending value stands in the buffer */
    int64_t fields;           /* with FIELDS: how many there were */
    int64_t lines;            /* lines with content */
    int64_t rows, topics;     /* what stays in the ranking */
    int64_t bad_scores, bad_score_line; /* scores that are not finite: how many, the first line */
    int64_t tag_at, tag_size; /* the run tag of the first line */
    Oddities odd;
} Summary;

typedef struct {
    locale_t plain;
    int64_t limit; /* of lines and of ids */
    Ids topics, documents;
    Lines lines;
    Item *items, *scratch; /* rows by topic; twice the largest topic */
    int64_t room, scratch_room;
    int32_t *group_topic; /* the topics of the run in the order they first appear */
    int64_t *group_size, *group_from; /* how many rows stay, and from which item */
    int64_t groups, group_room;
    Notes group_of, seen; /* by topic; by document */
} Reader;

static void reader_free(Reader *r) {
    if (!r) return;
    if (r->plain) freelocale(r->plain);
    ids_free(&r->topics);
    ids_free(&r->documents);
    free(r->lines.topic), free(r->lines.document), free(r->lines.rank);
    free(r->lines.score), free(r->lines.line);
    free(r->items), free(r->scratch);
    free(r->group_topic), free(r->group_size), free(r->group_from);
    free(r->group_of.notes), free(r->seen.notes);
    free(r);
}

/* A reader of up to `limit` lines a run and ids in all runs; NULL without memory. */
static Reader *reader_new(Key key, int64_t limit) {
    Reader *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->limit = limit < 0 ? 0 : limit > INT32_MAX ? INT32_MAX : limit;
    r->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!r->plain || !ids_new(&r->topics, key, r->limit) ||
        !ids_new(&r->documents, key, r->limit)) {
        reader_free(r);
        return NULL;
    }
    return r;
}

static int64_t count_lines(const unsigned char *s, int64_t size) {
    int64_t lines = 0;
    for (const unsigned char *p = s, *end = s + size; p < end; lines++) {
        const unsigned char *next = memchr(p, '\n', (size_t)(end - p));
        if (!next) return lines + 1;
        p = next + 1;
    }
    return lines;
}

static int resize_to(void *column, int64_t count, size_t each) {
    void *at;
    memcpy(&at, column, sizeof at);
    void *now = resized(at, count, each);
    if (now) memcpy(column, &now, sizeof now);
    return now != NULL;
}

#define RESIZE(column, count) resize_to(&(column), count, sizeof *(column))

/* Room for the rows of a run of `size` bytes. A line with six fields has at least 12. */
static int lines_room(Reader *r, const unsigned char *s, int64_t size) {
    int64_t room = count_lines(s, size), most = size / 12 + 1;
    if (room > most) room = most;
    if (room > r->limit) room = r->limit;
    if (room <= r->room) return 1;
    if (!RESIZE(r->lines.topic, room) || !RESIZE(r->lines.document, room) ||
        !RESIZE(r->lines.rank, room) || !RESIZE(r->lines.score, room) ||
        !RESIZE(r->lines.line, room) || !RESIZE(r->items, room))
        return 0;
    r->room = room;
    return 1;
}

/* What ends a field: white space, and the NUL that stands behind the buffer. */
enum { FIELD = 0, BLANK = 1, NEWLINE = 2, NUL = 3 };
static const unsigned char KIND[256] = {
    [0] = NUL,      [' '] = BLANK,  ['\t'] = BLANK,   ['\v'] = BLANK,
    ['\f'] = BLANK, ['\r'] = BLANK, ['\n'] = NEWLINE,
};

typedef struct {
    uint64_t hash;
    int64_t at, size, line;
} Pending;

/* Ids are looked up a block later than they are read: by then the slot is in the cache. */
enum { BLOCK = 32 };

static Problem settle(Reader *r, const unsigned char *s, const Pending *pending, int64_t n,
                      int32_t *document, Summary *sum) {
    Ids *ids = &r->documents;
    int64_t likely[BLOCK]; /* fetch what the comparison will need, for all before the first */
    for (int64_t i = 0; i < n; i++) {
        likely[i] = (int64_t)(ids->slots[pending[i].hash & ids->mask] & 0xffffffffu) - 1;
        if (likely[i] >= 0) __builtin_prefetch(&ids->start[likely[i]]);
    }
    for (int64_t i = 0; i < n; i++)
        if (likely[i] >= 0) __builtin_prefetch(ids->text + ids->start[likely[i]]);
    for (int64_t i = 0; i < n; i++) {
        int64_t id = ids_number(ids, s + pending[i].at, pending[i].size, pending[i].hash);
        if (id < 0) {
            sum->line = pending[i].line;
            return id == IDS_TOO_MANY ? TOO_MANY : NO_MEMORY;
        }
        document[i] = (int32_t)id;
    }
    return OK;
}

typedef struct {
    int64_t at, size;
} Field;

/* The fields of the line that begins at *at, which moves to the next line; -1 for a NUL byte. */
static inline int64_t split(const unsigned char *s, int64_t size, int64_t *at, Field *field) {
    int64_t here = *at, fields = 0;
    for (;;) {
        while (KIND[s[here]] == BLANK) here++;
        int64_t from = here;
        while (KIND[s[here]] == FIELD) here++;
        if (KIND[s[here]] == NUL && here < size) return -1;
        if (here == from) break;
        if (fields < 6) field[fields].at = from, field[fields].size = here - from;
        fields++;
    }
    *at = here + 1;
    return fields;
}

/* The rows of a run into r->lines; their number is sum->lines. */
static Problem read_lines(Reader *r, const unsigned char *s, int64_t size, Summary *sum) {
    const Lines *to = &r->lines;
    int64_t at = 0, row = 0, line = 0, waiting = 0;
    Field topic = {0, -1};
    int32_t topic_number = 0;
    Pending pending[BLOCK];
    Problem problem = OK, late;
    while (at < size) {
        Field field[6];
        int64_t fields = split(s, size, &at, field);
        line++;
        if (!fields) continue;
        if (fields != 6) {
            problem = fields < 0 ? BINARY : FIELDS;
            if (fields > 0) sum->fields = fields;
            break;
        }
        if (row == r->limit) {
            problem = TOO_MANY;
            break;
        }
        if (!to_rank(s + field[3].at, field[3].size, &to->rank[row])) {
            sum->at = field[3].at, sum->size = field[3].size;
            problem = BAD_RANK;
            break;
        }
        if (!to_double(s + field[4].at, field[4].size, r->plain, &to->score[row])) {
            sum->at = field[4].at, sum->size = field[4].size;
            problem = BAD_SCORE;
            break;
        }
        if (field[0].size != topic.size ||
            memcmp(s + field[0].at, s + topic.at, (size_t)topic.size)) {
            const unsigned char *id = s + field[0].at;
            int64_t number = ids_number(&r->topics, id, field[0].size,
                                        ids_hash(r->topics.key, id, field[0].size));
            if (number < 0) {
                problem = number == IDS_TOO_MANY ? TOO_MANY : NO_MEMORY;
                break;
            }
            topic = field[0];
            topic_number = (int32_t)number;
        }
        if (!isfinite(to->score[row]) && !sum->bad_scores++) sum->bad_score_line = line;
        if (!row) sum->tag_at = field[5].at, sum->tag_size = field[5].size;
        to->topic[row] = topic_number;
        to->line[row] = line;
        Pending *p = &pending[waiting++];
        p->hash = ids_hash(r->documents.key, s + field[2].at, field[2].size);
        p->at = field[2].at;
        p->size = field[2].size;
        p->line = line;
        __builtin_prefetch(&r->documents.slots[p->hash & r->documents.mask]);
        row++;
        if (waiting == BLOCK) {
            if ((late = settle(r, s, pending, waiting, to->document + row - waiting, sum)))
                return late;
            waiting = 0;
        }
    }
    if (waiting && (late = settle(r, s, pending, waiting, to->document + row - waiting, sum)))
        return late;
    sum->line = line;
    if (!problem) sum->lines = row;
    return problem;
}

/* The rows of each topic together in r->items, topics in the order they first appear. */
static Problem group_rows(Reader *r, int64_t n, int order) {
    Notes *group_of = &r->group_of;
    int64_t largest = 0, from = 0;
    r->groups = 0;
    if (!notes_room(group_of, r->topics.count)) return NO_MEMORY;
    notes_drop(group_of);
    for (int64_t i = 0; i < n; i++) {
        Note *note = &group_of->notes[r->lines.topic[i]];
        if (note->when != group_of->now) {
            if (r->groups == r->group_room) {
                int64_t room = r->group_room * 2 + 64;
                if (!RESIZE(r->group_topic, room) || !RESIZE(r->group_size, room) ||
                    !RESIZE(r->group_from, room))
                    return NO_MEMORY;
                r->group_room = room;
            }
            note->when = group_of->now;
            note->what = (int32_t)r->groups;
            r->group_topic[r->groups] = r->lines.topic[i];
            r->group_size[r->groups++] = 0;
        }
        r->group_size[note->what]++;
    }
    for (int64_t g = 0; g < r->groups; g++) {
        r->group_from[g] = from;
        from += r->group_size[g];
        if (r->group_size[g] > largest) largest = r->group_size[g];
    }
    if (largest > r->scratch_room) {
        if (!RESIZE(r->scratch, 2 * largest)) return NO_MEMORY;
        r->scratch_room = largest;
    }
    for (int64_t i = 0; i < n; i++) {
        Item *item = &r->items[r->group_from[group_of->notes[r->lines.topic[i]].what]++];
        item->key = key_of(order, r->lines.score[i], r->lines.rank[i]);
        item->document = r->lines.document[i];
        item->row = (int32_t)i;
    }
    for (int64_t g = 0; g < r->groups; g++) r->group_from[g] -= r->group_size[g];
    return OK;
}

/* Reads one run; `buffer` has a NUL behind its last byte. What was found stays in the reader until
 * the next run: reader_take copies it. A depth of 0 keeps all. */
static void reader_read(Reader *r, const char *buffer, int64_t size, int order, int64_t depth,
                        Summary *sum) {
    const unsigned char *s = (const unsigned char *)buffer;
    memset(sum, 0, sizeof *sum);
    r->groups = 0;
    sum->error = lines_room(r, s, size) ? read_lines(r, s, size, sum) : NO_MEMORY;
    if (!sum->error && !notes_room(&r->seen, r->documents.count)) sum->error = NO_MEMORY;
    if (!sum->error) sum->error = group_rows(r, sum->lines, order);
    if (sum->error) { /* only the fault is told: nothing of the run is used */
        Summary fault = {.error = sum->error, .line = sum->line, .fields = sum->fields,
                         .at = sum->at, .size = sum->size};
        *sum = fault;
        r->groups = 0;
        return;
    }
    for (int64_t g = 0; g < r->groups; g++) {
        int64_t kept = rank_topic(&r->documents, &r->seen, &r->lines, order,
                                  r->items + r->group_from[g], r->scratch,
                                  r->scratch + r->scratch_room, r->group_size[g], &sum->odd);
        r->group_size[g] = depth > 0 && kept > depth ? depth : kept;
        sum->rows += r->group_size[g];
    }
    sum->topics = r->groups;
}

/* The ranking last read: topics in the order they first appear, documents in rank order. The
 * columns have room for sum->rows values each. */
static void reader_take(const Reader *r, int32_t *topic, int32_t *document, int32_t *rank,
                        double *score) {
    int64_t out = 0;
    for (int64_t g = 0; g < r->groups; g++) {
        const Item *item = r->items + r->group_from[g];
        for (int64_t i = 0; i < r->group_size[g]; i++, item++, out++) {
            topic[out] = r->group_topic[g];
            document[out] = item->document;
            rank[out] = r->lines.rank[item->row];
            score[out] = r->lines.score[item->row];
        }
    }
}

#endif
