/* The run reader: pieces of a TREC run in, rankings of numbered documents out.
 *
 * Plain C without Python.h (../_reader.c binds it), so that tests can run it under sanitizers.
 * A topic is ranked as soon as the next one begins, so that of a file only its rankings are kept.
 * Documents get numbers in the order they are first met in all runs; a reader that knows its
 * documents (those judged) gives any other -1 instead.
 *
 * A run that cannot be taken so (a line at fault, a topic that comes back behind another one) is
 * called irregular: ../reader.py then says what is the matter with it, or puts its lines in order.
 */
#ifndef FATHOM_RUN_H
#define FATHOM_RUN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* strtod_l */
#endif

#include "decimal.h"
#include "lines.h"
#include "ranking.h"

enum { LONGEST_ID = 1000, LONGEST_LINE = 1 << 16, BLOCK = 32 };

typedef struct {
    unsigned char text[LONGEST_ID];
    int64_t size;
} Word;

typedef struct {
    locale_t plain;
    int64_t limit; /* of lines in a run and of ids in all */
    Ids topics, documents;
    int order, known, ranks, scores; /* known: there are no further documents */
    int64_t depth;                   /* 0 keeps all */
    Pieces pieces;
    Listed *list, *other, *spare; /* the current topic */
    int64_t listed, room;
    unsigned char *text; /* its ids */
    int64_t text_size, text_room;
    uint32_t *set;
    int64_t set_room;
    int32_t *met; /* [topic]: the run that had it last */
    int64_t met_room;
    int32_t run;
    int64_t topic, line_ends; /* the current one; -1 before the first */
    int32_t *document, *rank; /* of the lists that were not yet taken, one behind the other */
    double *score;
    int64_t kept, kept_room;
    int32_t *group_topic; /* of the lists, in the order of the file */
    int64_t *group_size;
    int64_t groups, group_room;
    Word id, first, last; /* of the current topic; the run tags of the first and the last line */
    Facts facts;
    int irregular;
} Reader;

static void reader_free(Reader *r) {
    if (!r) return;
    if (r->plain) freelocale(r->plain);
    ids_free(&r->topics), ids_free(&r->documents);
    free(r->pieces.bytes), free(r->list), free(r->other), free(r->spare), free(r->text);
    free(r->set), free(r->met), free(r->document), free(r->rank), free(r->score);
    free(r->group_topic), free(r->group_size), free(r);
}

/* NULL without memory. */
static Reader *reader_new(Key key, int64_t limit, int order, int64_t depth, int ranks,
                          int scores) {
    Reader *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->limit = limit < 0 ? 0 : limit > INT32_MAX ? INT32_MAX : limit;
    r->order = order, r->depth = depth, r->ranks = ranks, r->scores = scores;
    r->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    int made = ids_new(&r->topics, key, r->limit);
    made &= ids_new(&r->documents, key, r->limit);
    if (r->plain && made) return r;
    reader_free(r);
    return NULL;
}

/* A new run begins; what was kept of the last is dropped. */
static void reader_begin(Reader *r) {
    if (r->run == INT32_MAX) {
        memset(r->met, 0, (size_t)r->met_room * sizeof *r->met);
        r->run = 0;
    }
    r->run++;
    r->pieces.size = r->pieces.whole = 0;
    r->listed = r->text_size = r->kept = r->groups = r->line_ends = 0;
    r->id.size = r->first.size = r->last.size = 0;
    r->topic = -1;
    r->irregular = 0;
    memset(&r->facts, 0, sizeof r->facts);
}

/* The documents of the current ranking get their numbers; 0 without memory, or if there are too many.
 * What each look into the table needs is fetched for a block of them before the first. */
static int number_documents(Reader *r) {
    Ids *ids = &r->documents;
    for (int64_t start = 0; start < r->listed; start += BLOCK) {
        Listed *list = r->list + start;
        int64_t n = r->listed - start < BLOCK ? r->listed - start : BLOCK, likely[BLOCK];
        for (int64_t i = 0; i < n; i++) __builtin_prefetch(&ids->slots[list[i].hash & ids->mask]);
        for (int64_t i = 0; i < n; i++) {
            likely[i] = (int64_t)(ids->slots[list[i].hash & ids->mask] & 0xffffffffu) - 1;
            if (likely[i] >= 0) __builtin_prefetch(&ids->start[likely[i]]);
        }
        for (int64_t i = 0; i < n; i++)
            if (likely[i] >= 0) __builtin_prefetch(ids->text + ids->start[likely[i]]);
        for (int64_t i = 0; i < n; i++) {
            Listed *one = &list[i];
            one->id = r->text + one->at;
            int64_t number = r->known ? ids_find(ids, one->id, one->size, one->hash)
                                      : ids_number(ids, one->id, one->size, one->hash);
            if (number < 0 && !r->known) {
                r->irregular = number == IDS_TOO_MANY;
                return 0;
            }
            one->number = (int32_t)number;
        }
    }
    return 1;
}

/* Room for the current ranking behind the others, and to free it of duplicates; 0 without memory. */
static int keeping_room(Reader *r) {
    int64_t set_room = 64, room = r->kept + r->kept / 4 + r->listed + 1024;
    while (set_room < 2 * r->listed) set_room *= 2;
    if (set_room > r->set_room) {
        if (!RESIZE(r->set, set_room)) return 0;
        r->set_room = set_room;
    }
    if (r->groups == r->group_room) {
        int64_t groups = 2 * r->group_room + 64;
        if (!RESIZE(r->group_topic, groups) || !RESIZE(r->group_size, groups)) return 0;
        r->group_room = groups;
    }
    if (r->kept + r->listed <= r->kept_room) return 1;
    if (!RESIZE(r->document, room) || (r->ranks && !RESIZE(r->rank, room)) ||
        (r->scores && !RESIZE(r->score, room)))
        return 0;
    r->kept_room = room;
    return 1;
}

/* The current ranking is complete: its ranking behind those of the others. 0 without memory, or if there
 * are too many documents. */
static int end_list(Reader *r) {
    if (!r->listed) return 1;
    if (!number_documents(r) || !keeping_room(r)) return 0;
    sort_list(r->order, r->list, r->spare, r->listed);
    if (!r->known) count_facts(r->order, r->list, r->other, r->spare, r->listed, &r->facts);
    int64_t set_room = 64;
    while (set_room < 2 * r->listed) set_room *= 2;
    int64_t n = without_duplicates(r->list, r->listed, r->set, set_room, &r->facts);
    if (r->depth > 0 && n > r->depth) n = r->depth;
    for (int64_t i = 0; i < n; i++) {
        const Listed *one = &r->list[i];
        r->document[r->kept + i] = one->number;
        if (r->scores) r->score[r->kept + i] = one->score;
        if (r->ranks) r->rank[r->kept + i] = one->rank;
    }
    r->kept += n;
    r->group_topic[r->groups] = (int32_t)r->topic;
    r->group_size[r->groups++] = n;
    r->listed = r->text_size = 0;
    return 1;
}

/* A line of another topic than the last: 0 without memory, or if the run is irregular. */
static int begin_list(Reader *r, const unsigned char *id, int64_t size) {
    if (!end_list(r)) return 0;
    int64_t topic = ids_number(&r->topics, id, size, ids_hash(r->topics.key, id, size));
    if (topic == IDS_TOO_MANY) return !(r->irregular = 1);
    if (topic < 0) return 0;
    if (topic >= r->met_room) {
        int64_t room = 2 * topic + 64;
        if (!RESIZE(r->met, room)) return 0;
        memset(r->met + r->met_room, 0, (size_t)(room - r->met_room) * sizeof *r->met);
        r->met_room = room;
    }
    if (r->met[topic] == r->run) return !(r->irregular = 1);
    r->met[topic] = r->run;
    r->topic = topic;
    memcpy(r->id.text, id, (size_t)size);
    r->id.size = size;
    return 1;
}

/* Room for one more document of the current topic, with an id of `size` bytes; 0 without memory. */
static int listing_room(Reader *r, int64_t size) {
    if (r->listed == r->room) {
        int64_t room = 2 * r->room + 1024;
        if (room > INT32_MAX / 4 || !RESIZE(r->list, room) || !RESIZE(r->spare, room) ||
            !RESIZE(r->other, room))
            return 0;
        r->room = room;
    }
    if (size > r->text_room - r->text_size) {
        int64_t room = 2 * (r->text_room + size) + 4096;
        if (!RESIZE(r->text, room)) return 0;
        r->text_room = room;
    }
    return 1;
}

static void keep_word(Word *word, const unsigned char *s, Field field) {
    word->size = field.size < LONGEST_ID ? field.size : LONGEST_ID;
    memcpy(word->text, s + field.at, (size_t)word->size);
}

/* One line of six fields; 0 without memory, or if the run is irregular. */
static int add_line(Reader *r, const unsigned char *s, const Field *field) {
    const unsigned char *topic = s + field[0].at, *id = s + field[2].at;
    int64_t size = field[2].size;
    double score;
    int32_t rank;
    if (field[0].size > LONGEST_ID || size > LONGEST_ID || r->facts.lines == r->limit ||
        !to_rank(s + field[3].at, field[3].size, &rank) ||
        !to_double(s + field[4].at, field[4].size, r->plain, &score))
        return !(r->irregular = 1);
    if ((field[0].size != r->id.size || memcmp(topic, r->id.text, (size_t)r->id.size)) &&
        !begin_list(r, topic, field[0].size))
        return 0;
    if (!listing_room(r, size)) return 0;
    Listed *one = &r->list[r->listed];
    one->key = key_of(r->order, score, rank);
    one->score = score;
    one->hash = ids_hash(r->documents.key, id, size);
    one->at = r->text_size;
    one->size = (int32_t)size;
    one->place = (int32_t)r->listed++;
    one->rank = rank;
    memcpy(r->text + r->text_size, id, (size_t)size);
    r->text_size += size;
    r->facts.wide += !is_ascii(id, size) || !is_ascii(topic, field[0].size);
    r->facts.bad_scores += !isfinite(score);
    if (!r->facts.lines++) keep_word(&r->first, s, field[5]);
    return 1;
}

/* The whole lines there are; 0 without memory, or if the run is irregular. */
static int read_lines(Reader *r) {
    const unsigned char *s = r->pieces.bytes;
    int64_t size = r->pieces.whole, at = 0;
    Field field[FIELDS], last = {0, -1};
    while (at < size) {
        int64_t line = at, fields = split(s, size, &at, field);
        if (!fields) continue;
        if (fields > 0 && s[field[0].at] == '#') {
            /* A comment, as storage/text.py has it: after blanks, but for a carriage return. */
            if (memchr(s + line, '\r', (size_t)(field[0].at - line))) return !(r->irregular = 1);
            r->facts.comments++;
            continue;
        }
        if (fields != FIELDS) return !(r->irregular = 1);
        if (!add_line(r, s, field)) return 0;
        last = field[5];
    }
    if (last.size >= 0) keep_word(&r->last, s, last);
    pieces_read(&r->pieces);
    return 1;
}

/* One more piece of the run; 0 without memory, or if the run is irregular. */
static int reader_add(Reader *r, const char *piece, int64_t size) {
    if (r->irregular || !pieces_add(&r->pieces, piece, size)) return 0;
    if (r->pieces.size - r->pieces.whole > LONGEST_LINE) return !(r->irregular = 1);
    r->line_ends += r->pieces.whole > 0;
    return read_lines(r);
}

/* The run is whole; 0 without memory, or if it is irregular. */
static int reader_end(Reader *r) {
    if (r->irregular || !pieces_last(&r->pieces)) return 0;
    /* Line ends of old Macs are not known before the last byte. */
    if (!r->line_ends && r->pieces.size &&
        memchr(r->pieces.bytes, '\r', (size_t)r->pieces.size))
        return !(r->irregular = 1);
    return read_lines(r) && end_list(r);
}

#endif
