/* The run reader without Python, for sanitizers: commands on standard input, results in binary.
 *
 *   new LIMIT                 a new reader
 *   run ORDER DEPTH SIZE      SIZE bytes follow; answers the summary and the columns
 *   ids                       answers the ids of topics and of documents
 *   hash SIZE                 SIZE bytes follow, 16 of them a key; answers the others' hash
 *   memory ORDER DEPTH SIZE   SIZE bytes follow; reads them with every single allocation failing
 *                             in turn, and answers how many there are
 *   levels ORDER DEPTH PIECE SIZE   SIZE bytes follow, read in pieces of PIECE bytes straight to
 *                             levels; answers what was found. Topics 0 to 2 count; of documents d0 to
 *                             d19, and a to c, every other one is judged in each of two dimensions.
 *   starved ORDER DEPTH SIZE  SIZE bytes follow; the same as `memory`, for levels
 *   stream ORDER DEPTH PIECE SIZE   SIZE bytes follow, read in pieces of PIECE bytes by the reader;
 *                             answers what was found
 *   thirsty ORDER DEPTH SIZE  SIZE bytes follow; the same as `memory`, for a stream
 */
#define _GNU_SOURCE 1
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t live, made, fails_at = -1;

static int fails(void) { return made++ == fails_at; }

static void *test_realloc(void *from, size_t size) {
    if (fails()) return NULL;
    void *to = realloc(from, size);
    live += !from && to;
    return to;
}

static void *test_calloc(size_t count, size_t size) {
    if (fails()) return NULL;
    void *to = calloc(count, size);
    live += to != NULL;
    return to;
}

static void test_free(void *at) {
    live -= at != NULL;
    free(at);
}

static locale_t test_newlocale(int mask, const char *name, locale_t base) {
    if (fails()) return (locale_t)0;
    live++;
    return newlocale(mask, name, base);
}

static void test_freelocale(locale_t at) {
    live--;
    freelocale(at);
}

#define realloc test_realloc
#define calloc test_calloc
#define free test_free
#define newlocale test_newlocale
#define freelocale test_freelocale
#define IDS_ROOM 4 /* so that small inputs make the tables grow */
#include "../../pipeline/runs/native/levels.h"
#include "../../pipeline/runs/native/stream.h"
#undef realloc
#undef calloc
#undef free

static void die(const char *why) {
    fprintf(stderr, "fuzz_reader: %s\n", why);
    exit(3);
}

static void answer(const void *values, int64_t count, size_t each) {
    if (count && fwrite(values, each, (size_t)count, stdout) != (size_t)count) die("no output");
}

static void answer_one(int64_t value) { answer(&value, 1, sizeof value); }

static char *input(int64_t size) { /* of exactly this size, so that one byte too far is noticed */
    char *buffer = malloc((size_t)size + 1);
    if (!buffer || fread(buffer, 1, (size_t)size, stdin) != (size_t)size) die("no input");
    buffer[size] = 0;
    return buffer;
}

static void answer_run(const Reader *r, const Summary *sum) {
    int64_t values[] = {
        sum->error,          sum->line,           sum->at,
        sum->size,           sum->fields,         sum->lines,
        sum->rows,           sum->topics,         sum->odd.duplicates,
        sum->odd.duplicate_line, sum->bad_scores, sum->bad_score_line,
        sum->odd.tied,       sum->odd.top10_differs, sum->tag_at,
        sum->tag_size,
    };
    size_t rows = (size_t)sum->rows + 1;
    int32_t *topic = malloc(rows * sizeof *topic), *document = malloc(rows * sizeof *document);
    int32_t *rank = malloc(rows * sizeof *rank);
    double *score = malloc(rows * sizeof *score);
    if (!topic || !document || !rank || !score) die("no memory");
    reader_take(r, topic, document, rank, score);
    answer(values, sizeof values / sizeof *values, sizeof *values);
    answer(topic, sum->rows, sizeof *topic);
    answer(document, sum->rows, sizeof *document);
    answer(rank, sum->rows, sizeof *rank);
    answer(score, sum->rows, sizeof *score);
    answer(r->group_topic, sum->topics, sizeof *r->group_topic);
    answer(r->group_size, sum->topics, sizeof *r->group_size);
    free(topic), free(document), free(rank), free(score);
}

static void answer_ids(const Ids *ids) {
    answer_one(ids->count);
    answer(ids->start, ids->count + 1, sizeof *ids->start);
    answer(ids->text, ids->text_size, 1);
}

/* A reader that ran out of memory leaks nothing, and reads the same run once there is memory. */
static int64_t without_memory(const char *buffer, int64_t size, int order, int64_t depth) {
    Key key = {1, 2};
    Summary whole, first, again;
    Reader *r = reader_new(key, INT32_MAX);
    if (!r) die("no memory");
    reader_read(r, buffer, size, order, depth, &whole);
    reader_free(r);
    for (int64_t at = 0;; at++) {
        int64_t before = live;
        made = 0;
        fails_at = at;
        r = reader_new(key, INT32_MAX);
        if (r) {
            reader_read(r, buffer, size, order, depth, &first);
            int enough = made <= at;
            fails_at = -1;
            if (!enough && first.error != NO_MEMORY) die("a failed allocation went unnoticed");
            reader_read(r, buffer, size, order, depth, &again);
            if (memcmp(&again, &whole, sizeof whole)) die("another result after a lack of memory");
            reader_free(r);
            if (live != before) die("a reader leaks");
            if (enough) return at;
        }
        fails_at = -1;
        if (live != before) die("a failed start leaks");
    }
}

enum { TOPICS = 3, JUDGED = 23, LABELS = JUDGED * TOPICS };
static int64_t from[2][TOPICS + 1];
static int32_t document[2][LABELS], level[2][LABELS], usual[2][JUDGED];

/* In dimension d, document n is judged in topic t where n + t + d is even, with level 2 + n % 5;
 * in dimension 1 document 0 has level 9 in every topic that says nothing else. */
static Levels *levels_made(int order, int64_t depth) {
    Key key = {3, 4};
    const char *topics = "012";
    char text[4 * JUDGED];
    int64_t starts[JUDGED + 1] = {0}, at[TOPICS + 1] = {0, 1, 2, 3};
    for (int64_t n = 0; n < JUDGED; n++) {
        int size = n < 20 ? sprintf(text + starts[n], "d%d", (int)n)
                          : sprintf(text + starts[n], "%c", (int)('a' + n - 20));
        starts[n + 1] = starts[n] + size;
    }
    for (int d = 0; d < 2; d++) {
        int64_t count = 0;
        for (int64_t t = 0; t < TOPICS; t++) {
            from[d][t] = count;
            for (int64_t n = 0; n < JUDGED; n++)
                if ((n + t + d) % 2 == 0) {
                    document[d][count] = (int32_t)n;
                    level[d][count++] = (int32_t)(2 + n % 5);
                }
        }
        from[d][TOPICS] = count;
        for (int64_t n = 0; n < JUDGED; n++) usual[d][n] = d && !n ? 9 : LEVEL_UNJUDGED;
    }
    Levels *l = levels_new(key, 2, order, depth == 3 ? 4 : 1, depth, 1);
    if (!l) return NULL;
    int good = ids_fill(&l->topics, TOPICS, at, topics);
    good = good && ids_fill(&l->judged, JUDGED, starts, text);
    for (int d = 0; good && d < 2; d++) {
        l->sides[d].from = from[d], l->sides[d].usual = usual[d];
        l->sides[d].document = document[d], l->sides[d].level = level[d];
    }
    if (good && levels_ready(l)) return l;
    levels_free(l);
    return NULL;
}

/* 1 read, 0 odd, -1 without memory; every piece is memory of its own. */
static int levels_read(Levels *l, const char *buffer, int64_t size, int64_t piece) {
    int good = levels_begin(l);
    for (int64_t at = 0; good && at < size; at += piece) {
        int64_t some = size - at < piece ? size - at : piece;
        char *copy = malloc((size_t)some);
        if (!copy) die("no memory");
        memcpy(copy, buffer + at, (size_t)some);
        good = levels_add(l, copy, some);
        free(copy);
    }
    good = good && levels_end(l);
    return good ? 1 : l->odd ? 0 : -1;
}

static void answer_levels(const Levels *l, int read) {
    int64_t values[] = {read, l->groups, l->kept, l->lines, l->bad_scores, l->duplicates};
    answer(values, read == 1 ? 6 : 1, sizeof *values);
    if (read != 1) return;
    answer(l->group_topic, l->groups, sizeof *l->group_topic);
    answer(l->group_size, l->groups, sizeof *l->group_size);
    for (int d = 0; d < 2; d++)
        for (int64_t i = 0; i < l->kept; i++) {
            int32_t one = l->sides[d].out[i];
            if (l->each == 4) memcpy(&one, l->sides[d].out + 4 * i, 4);
            answer(&one, 1, sizeof one);
        }
    answer(l->score, l->kept, sizeof *l->score);
    answer_one(l->tag_size);
    answer(l->tag, l->tag_size, 1);
}

static int64_t starved(const char *buffer, int64_t size, int order, int64_t depth) {
    Levels *l = levels_made(order, depth);
    if (!l || levels_read(l, buffer, size, 50) != 1) die("no memory, or an odd run");
    int64_t whole = l->kept;
    levels_free(l);
    for (int64_t at = 0;; at++) {
        int64_t before = live;
        int enough = 0;
        made = 0;
        fails_at = at;
        l = levels_made(order, depth);
        if (l) {
            int first = levels_read(l, buffer, size, 50);
            enough = made <= at;
            fails_at = -1;
            if (!enough && first != -1) die("a failed allocation went unnoticed");
            if (levels_read(l, buffer, size, 50) != 1 || l->kept != whole)
                die("another result after a lack of memory");
        }
        fails_at = -1;
        levels_free(l);
        if (live != before) die("levels leak");
        if (enough) return at;
    }
}

/* 1 read, 0 odd, -1 without memory; every piece is memory of its own. */
static int stream_read(Stream *s, const char *buffer, int64_t size, int order, int64_t depth,
                       int64_t piece) {
    int good = stream_begin(s, order, depth, 1);
    for (int64_t at = 0; good && at < size; at += piece) {
        int64_t some = size - at < piece ? size - at : piece;
        char *copy = malloc((size_t)some);
        if (!copy) die("no memory");
        memcpy(copy, buffer + at, (size_t)some);
        good = stream_add(s, copy, some);
        free(copy);
    }
    good = good && stream_end(s);
    return good ? 1 : s->odd ? 0 : -1;
}

static void answer_stream(const Stream *s, int read) {
    const Summary *sum = &s->sum;
    int64_t values[] = {read, sum->line, sum->lines, sum->rows, sum->topics, sum->odd.duplicates,
                        sum->bad_scores, sum->odd.tied, sum->odd.top10_differs, sum->bad_score_line,
                        sum->odd.duplicate_line, s->comments};
    answer(values, read == 1 ? 12 : 1, sizeof *values);
    if (read != 1) return;
    if (s->kept != sum->rows || s->reader->groups != sum->topics) die("rows are lost");
    answer(s->document, s->kept, sizeof *s->document);
    answer(s->rank, s->kept, sizeof *s->rank);
    answer(s->score, s->kept, sizeof *s->score);
    answer(s->reader->group_topic, sum->topics, sizeof *s->reader->group_topic);
    answer(s->reader->group_size, sum->topics, sizeof *s->reader->group_size);
    for (int i = 0; i < 2; i++) {
        const Tag *tag = i ? &s->last : &s->first;
        answer_one(tag->size);
        answer(tag->text, tag->size, 1);
    }
}

static int64_t thirsty(const char *buffer, int64_t size, int order, int64_t depth) {
    Key key = {1, 2};
    int64_t whole = -1;
    for (int64_t at = -1;; at++) { /* first of all with all the memory it asks for */
        int64_t before = live;
        int enough = 0;
        made = 0;
        fails_at = at;
        Reader *r = reader_new(key, INT32_MAX);
        Stream *s = r ? stream_new(r) : NULL;
        if (s) {
            int first = stream_read(s, buffer, size, order, depth, 50);
            enough = made <= at;
            fails_at = -1;
            if (at >= 0 && !enough && first != -1) die("a failed allocation went unnoticed");
            if (stream_read(s, buffer, size, order, depth, 50) != 1) die("no memory, or odd");
            if (whole >= 0 && s->kept != whole) die("another result after a lack of memory");
            whole = s->kept;
        }
        fails_at = -1;
        stream_free(s);
        reader_free(r);
        if (live != before) die("a stream leaks");
        if (enough) return at;
    }
}

int main(void) {
    char command[128];
    Reader *r = NULL;
    while (fgets(command, sizeof command, stdin)) {
        long long first = 0, depth = 0, piece = 0, size = 0;
        if (sscanf(command, "new %lld", &first) == 1) {
            Key key = {(uint64_t)first, 7};
            reader_free(r);
            if (live) die("a reader leaks");
            if (!(r = reader_new(key, first))) die("no memory");
        } else if (sscanf(command, "run %lld %lld %lld", &first, &depth, &size) == 3) {
            Summary sum;
            char *buffer = input(size);
            reader_read(r, buffer, size, (int)first, depth, &sum);
            free(buffer);
            answer_run(r, &sum);
        } else if (!strcmp(command, "ids\n")) {
            answer_ids(&r->topics);
            answer_ids(&r->documents);
        } else if (sscanf(command, "hash %lld", &size) == 1) {
            Key key;
            char *buffer = input(size);
            if (size < (long long)sizeof key) die("no key");
            memcpy(&key, buffer, sizeof key);
            size -= sizeof key;
            answer_one((int64_t)ids_hash(key, (unsigned char *)buffer + sizeof key, size));
            free(buffer);
        } else if (sscanf(command, "memory %lld %lld %lld", &first, &depth, &size) == 3) {
            char *buffer = input(size);
            answer_one(without_memory(buffer, size, (int)first, depth));
            free(buffer);
        } else if (sscanf(command, "levels %lld %lld %lld %lld", &first, &depth, &piece, &size) ==
                   4) {
            char *buffer = input(size);
            int64_t before = live;
            Levels *l = levels_made((int)first, depth);
            if (!l) die("no memory");
            answer_levels(l, levels_read(l, buffer, size, piece));
            levels_free(l);
            if (live != before) die("levels leak");
            free(buffer);
        } else if (sscanf(command, "stream %lld %lld %lld %lld", &first, &depth, &piece, &size) ==
                   4) {
            char *buffer = input(size);
            Stream *s = stream_new(r);
            if (!s) die("no memory");
            answer_stream(s, stream_read(s, buffer, size, (int)first, depth, piece));
            stream_free(s);
            free(buffer);
        } else if (sscanf(command, "thirsty %lld %lld %lld", &first, &depth, &size) == 3) {
            char *buffer = input(size);
            answer_one(thirsty(buffer, size, (int)first, depth));
            free(buffer);
        } else if (sscanf(command, "starved %lld %lld %lld", &first, &depth, &size) == 3) {
            char *buffer = input(size);
            answer_one(starved(buffer, size, (int)first, depth));
            free(buffer);
        } else {
            die("an unknown command");
        }
        fflush(stdout);
    }
    reader_free(r);
    if (live) die("a reader leaks");
    return 0;
}
