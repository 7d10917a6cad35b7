/* The run reader without Python, for sanitizers: commands on standard input, results in binary.
 *
 *   new LIMIT ORDER DEPTH KNOWN   a new reader, which knows documents d0 to d19 and a to c, or none
 *   run PIECE SIZE           SIZE bytes follow, read in pieces of PIECE bytes; answers what was found
 *   ids                      answers the ids of topics and of documents
 *   hash SIZE                SIZE bytes follow, 16 of them a key; answers the others' hash
 *   memory ORDER DEPTH KNOWN SIZE   SIZE bytes follow; reads them with every single allocation
 *                            failing in turn, and answers how many there are
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
#include "../../pipeline/runs/native/run.h"
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

static void answer_ids(const Ids *ids) {
    answer_one(ids->count);
    answer(ids->start, ids->count + 1, sizeof *ids->start);
    answer(ids->text, ids->text_size, 1);
}

static int known_ids(Ids *ids) {
    for (int n = 0; n < 23; n++) {
        char text[8];
        int size = n < 20 ? sprintf(text, "d%d", n) : sprintf(text, "%c", 'a' + n - 20);
        const unsigned char *id = (const unsigned char *)text;
        if (ids_number(ids, id, size, ids_hash(ids->key, id, size)) != n) return 0;
    }
    return 1;
}

static Reader *new_reader(uint64_t seed, int64_t limit, int order, int64_t depth, int known) {
    Key key = {seed, 7};
    Reader *r = reader_new(key, limit, order, depth, 1, 1);
    if (!r || !known) return r;
    r->known = 1;
    if (known_ids(&r->documents)) return r;
    reader_free(r);
    return NULL;
}

/* 1 read, 0 irregular, -1 without memory; every piece is memory of its own. */
static int read_run(Reader *r, const char *buffer, int64_t size, int64_t piece) {
    int good = 1;
    reader_begin(r);
    for (int64_t at = 0; good && at < size; at += piece) {
        int64_t some = size - at < piece ? size - at : piece;
        char *copy = malloc((size_t)some);
        if (!copy) die("no memory");
        memcpy(copy, buffer + at, (size_t)some);
        good = reader_add(r, copy, some);
        free(copy);
    }
    good = good && reader_end(r);
    return good ? 1 : r->irregular ? 0 : -1;
}

static void answer_run(const Reader *r, int read) {
    const Facts *f = &r->facts;
    int64_t values[] = {read,          r->kept,       r->groups, f->lines,         f->comments,
                        f->bad_scores, f->duplicates, f->tied,   f->top10_differs, f->wide};
    answer(values, read == 1 ? 10 : 1, sizeof *values);
    if (read != 1) return;
    answer(r->document, r->kept, sizeof *r->document);
    answer(r->rank, r->kept, sizeof *r->rank);
    answer(r->score, r->kept, sizeof *r->score);
    answer(r->group_topic, r->groups, sizeof *r->group_topic);
    answer(r->group_size, r->groups, sizeof *r->group_size);
    for (int i = 0; i < 2; i++) {
        const Word *word = i ? &r->last : &r->first;
        answer_one(word->size);
        answer(word->text, word->size, 1);
    }
}

/* A reader that ran out of memory leaks nothing, and reads the same run once there is memory. */
static int64_t without_memory(const char *buffer, int64_t size, int order, int64_t depth,
                              int known) {
    int64_t whole = -1;
    for (int64_t at = -1;; at++) { /* first of all with all the memory it asks for */
        int64_t before = live;
        int enough = 0;
        made = 0;
        fails_at = at;
        Reader *r = new_reader(1, INT32_MAX, order, depth, known);
        if (r) {
            int first = read_run(r, buffer, size, 50);
            enough = made <= at;
            fails_at = -1;
            if (at >= 0 && !enough && first != -1) die("a failed allocation went unnoticed");
            if (read_run(r, buffer, size, 50) != 1) die("no memory, or irregular");
            if (whole >= 0 && r->kept != whole) die("another result after a lack of memory");
            whole = r->kept;
        }
        fails_at = -1;
        reader_free(r);
        if (live != before) die("a reader leaks");
        if (enough) return at;
    }
}

int main(void) {
    char command[128];
    Reader *r = NULL;
    while (fgets(command, sizeof command, stdin)) {
        long long limit = 0, order = 0, depth = 0, known = 0, piece = 0, size = 0;
        if (sscanf(command, "new %lld %lld %lld %lld", &limit, &order, &depth, &known) == 4) {
            reader_free(r);
            if (live) die("a reader leaks");
            if (!(r = new_reader((uint64_t)depth, limit, (int)order, depth, (int)known)))
                die("no memory");
        } else if (sscanf(command, "run %lld %lld", &piece, &size) == 2) {
            char *buffer = input(size);
            answer_run(r, read_run(r, buffer, size, piece));
            free(buffer);
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
        } else if (sscanf(command, "memory %lld %lld %lld %lld", &order, &depth, &known, &size) ==
                   4) {
            char *buffer = input(size);
            answer_one(without_memory(buffer, size, (int)order, depth, (int)known));
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
