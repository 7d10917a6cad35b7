/* Runs of any size: lines come in pieces, and a topic is ranked as soon as the next one begins, so
 * that of a file only its rankings are kept. Ids get the numbers that run.h would give them.
 *
 * A run that cannot be taken so (a line at fault, a topic that comes back behind another one, an id
 * that is not ASCII) is called odd: reader_read takes it whole, or tells what is wrong with it.
 * Plain C without Python.h, as run.h is.
 */
#ifndef FATHOM_STREAM_H
#define FATHOM_STREAM_H

#include "pieces.h"
#include "run.h"

enum { STREAM_LINE = 1 << 16, STREAM_TAG = 1000 }; /* longer ones are odd */

typedef struct {
    unsigned char text[STREAM_TAG];
    int64_t size;
} Tag;

typedef struct {
    Reader *reader; /* whose ids and notes of topics these are */
    int order, ranks;
    int64_t depth; /* 0 keeps all */
    Pieces pieces;
    Lines lines; /* of the topic at hand */
    Item *items, *other, *spare;
    int64_t listed, room;
    uint32_t *set; /* places in the list + 1, by document */
    int64_t set_room;
    int64_t topic; /* at hand; -1 before the first */
    int32_t *document, *rank; /* of the lists that were not yet taken, one behind the other */
    double *score;
    int64_t kept, kept_room;
    int64_t line_ends, comments;
    Tag first, last;
    Summary sum;
    int odd;
} Stream;

static void stream_free(Stream *s) {
    if (!s) return;
    free(s->pieces.bytes);
    free(s->lines.document), free(s->lines.rank), free(s->lines.score), free(s->lines.line);
    free(s->items), free(s->other), free(s->spare), free(s->set);
    free(s->document), free(s->rank), free(s->score);
    free(s);
}

static Stream *stream_new(Reader *r) {
    Stream *s = calloc(1, sizeof *s);
    if (s) s->reader = r;
    return s;
}

/* A new run begins; what was kept of the last is dropped. 0 without memory. */
static int stream_begin(Stream *s, int order, int64_t depth, int ranks) {
    Reader *r = s->reader;
    s->order = order, s->depth = depth, s->ranks = ranks;
    s->pieces.size = s->pieces.whole = 0;
    s->listed = s->kept = s->line_ends = s->comments = 0;
    s->first.size = s->last.size = 0;
    s->topic = -1;
    s->odd = 0;
    memset(&s->sum, 0, sizeof s->sum);
    r->groups = 0;
    if (!notes_room(&r->group_of, r->topics.count + 1)) return 0;
    notes_drop(&r->group_of);
    return 1;
}

/* Leave out what is ranked below the same document; how many stay, -1 without memory. */
static int64_t first_of_each(Stream *s) {
    int64_t room = 64, kept = 0;
    while (room < 2 * s->listed) room *= 2;
    if (room > s->set_room) {
        if (!RESIZE(s->set, room)) return -1;
        s->set_room = room;
    }
    memset(s->set, 0, (size_t)room * sizeof *s->set);
    for (int64_t i = 0; i < s->listed; i++) {
        const Item *mine = &s->items[i];
        uint64_t at = ((uint64_t)mine->document * 0x9e3779b97f4a7c15u) >> 20 & (uint64_t)(room - 1);
        uint32_t there;
        while ((there = s->set[at]) && s->items[there - 1].document != mine->document)
            at = (at + 1) & (uint64_t)(room - 1);
        if (there) {
            Oddities *odd = &s->sum.odd;
            int64_t later = s->lines.line[mine->row], one = s->lines.line[s->items[there - 1].row];
            if (one > later) later = one;
            if (!odd->duplicates++ || later < odd->duplicate_line) odd->duplicate_line = later;
            continue;
        }
        s->items[kept++] = *mine;
        s->set[at] = (uint32_t)kept;
    }
    return kept;
}

/* The list at hand is whole: its ranking behind those of the others. 0 without memory. */
static int stream_list(Stream *s) {
    Reader *r = s->reader;
    if (!s->listed) return 1;
    for (int64_t i = 0; i < s->listed; i++) {
        Item *item = &s->items[i];
        item->key = key_of(s->order, s->lines.score[i], s->lines.rank[i]);
        item->document = s->lines.document[i];
        item->row = (int32_t)i;
    }
    order_rows(&r->documents, &s->lines, s->order, s->items, s->other, s->spare, s->listed,
               &s->sum.odd);
    int64_t kept = first_of_each(s);
    if (kept < 0) return 0;
    if (s->depth > 0 && kept > s->depth) kept = s->depth;
    if (s->kept + kept > s->kept_room) {
        int64_t room = s->kept + s->kept / 4 + kept + 1024;
        if (!RESIZE(s->document, room) || !RESIZE(s->score, room) || !RESIZE(s->rank, room))
            return 0;
        s->kept_room = room;
    }
    for (int64_t i = 0; i < kept; i++) {
        const Item *item = &s->items[i];
        s->document[s->kept + i] = item->document;
        s->score[s->kept + i] = s->lines.score[item->row];
        s->rank[s->kept + i] = s->lines.rank[item->row];
    }
    s->kept += kept;
    s->sum.rows += kept;
    r->group_topic[r->groups] = (int32_t)s->topic;
    r->group_size[r->groups++] = kept;
    s->sum.topics++;
    s->listed = 0;
    return 1;
}

/* A line of another topic than the last: 0 without memory, or if the run is odd. */
static int stream_topic(Stream *s, const unsigned char *id, int64_t size) {
    Reader *r = s->reader;
    if (!stream_list(s)) return 0;
    int64_t topic = ids_number(&r->topics, id, size, ids_hash(r->topics.key, id, size));
    if (topic == IDS_TOO_MANY) return !(s->odd = 1);
    if (topic < 0 || !notes_room(&r->group_of, r->topics.count)) return 0;
    Note *note = &r->group_of.notes[topic];
    if (note->when == r->group_of.now) return !(s->odd = 1);
    note->when = r->group_of.now;
    if (r->groups == r->group_room) {
        int64_t room = r->group_room * 2 + 64;
        if (!RESIZE(r->group_topic, room) || !RESIZE(r->group_size, room) ||
            !RESIZE(r->group_from, room))
            return 0;
        r->group_room = room;
    }
    s->topic = topic;
    return 1;
}

/* Room for one more line of the topic at hand. */
static int stream_room(Stream *s) {
    if (s->listed < s->room) return 1;
    int64_t room = 2 * s->room + 1024;
    if (!RESIZE(s->lines.document, room) || !RESIZE(s->lines.rank, room) ||
        !RESIZE(s->lines.score, room) || !RESIZE(s->lines.line, room) ||
        !RESIZE(s->items, room) || !RESIZE(s->other, room) || !RESIZE(s->spare, room))
        return 0;
    s->room = room;
    return 1;
}

static int all_ascii(const unsigned char *s, int64_t size) {
    unsigned char any = 0;
    for (int64_t i = 0; i < size; i++) any |= s[i];
    return any < 0x80;
}

/* Whether a line whose first field begins with # is a comment, as storage/text.py has it: after
 * blanks, but for a carriage return. */
static int is_comment(const unsigned char *s, int64_t line, int64_t at) {
    return !memchr(s + line, '\r', (size_t)(at - line));
}

static int keep_tag(Tag *tag, const unsigned char *s, Field field) {
    if (field.size > STREAM_TAG) return 0;
    memcpy(tag->text, s + field.at, (size_t)field.size);
    tag->size = field.size;
    return 1;
}

/* The documents that wait get their numbers; 0 without memory, or if the run is odd. */
static int stream_settle(Stream *s, const unsigned char *bytes, Pending *pending,
                         int64_t *waiting) {
    Summary unused;
    Problem problem = settle(s->reader, bytes, pending, *waiting,
                             s->lines.document + s->listed - *waiting, &unused);
    *waiting = 0;
    if (problem == TOO_MANY) s->odd = 1;
    return !problem;
}

/* The whole lines there are; 0 without memory, or if the run is odd. */
static int stream_lines(Stream *s) {
    const unsigned char *bytes = s->pieces.bytes;
    Ids *documents = &s->reader->documents;
    int64_t size = s->pieces.whole, at = 0, waiting = 0;
    Field topic = {0, -1}, tag = {0, -1};
    Pending pending[BLOCK];
    while (at < size) {
        Field field[6];
        int64_t line = at, fields = split(bytes, size, &at, field);
        s->sum.line++;
        if (!fields) continue;
        if (fields > 0 && bytes[field[0].at] == '#') {
            if (!is_comment(bytes, line, field[0].at)) return !(s->odd = 1);
            s->comments++;
            s->sum.line -= at > size; /* made blank, behind the last line end, it is no line */
            continue;
        }
        if (!stream_room(s)) return 0;
        int64_t row = s->listed;
        if (fields != 6 || s->sum.lines == s->reader->limit ||
            !all_ascii(bytes + field[0].at, field[0].size) ||
            !all_ascii(bytes + field[2].at, field[2].size) ||
            !to_rank(bytes + field[3].at, field[3].size, &s->lines.rank[row]) ||
            !to_double(bytes + field[4].at, field[4].size, s->reader->plain, &s->lines.score[row]))
            return !(s->odd = 1);
        if (field[0].size != topic.size ||
            memcmp(bytes + field[0].at, bytes + topic.at, (size_t)topic.size)) {
            /* In the first line of a piece it may still be the topic of the last. */
            const Ids *known = &s->reader->topics;
            const unsigned char *id = bytes + field[0].at;
            uint64_t hash = ids_hash(known->key, id, field[0].size);
            if (s->topic < 0 || ids_find(known, id, field[0].size, hash) != s->topic) {
                double score = s->lines.score[row];
                int32_t rank = s->lines.rank[row];
                if (waiting && !stream_settle(s, bytes, pending, &waiting)) return 0;
                if (!stream_topic(s, id, field[0].size)) return 0;
                row = 0;
                s->lines.score[0] = score, s->lines.rank[0] = rank;
            }
            topic = field[0];
        }
        s->lines.line[row] = s->sum.line;
        if (!isfinite(s->lines.score[row]) && !s->sum.bad_scores++)
            s->sum.bad_score_line = s->sum.line;
        if (!s->sum.lines && !keep_tag(&s->first, bytes, field[5])) return !(s->odd = 1);
        tag = field[5];
        Pending *p = &pending[waiting++];
        p->hash = ids_hash(documents->key, bytes + field[2].at, field[2].size);
        p->at = field[2].at;
        p->size = field[2].size;
        p->line = s->sum.line;
        __builtin_prefetch(&documents->slots[p->hash & documents->mask]);
        s->listed++;
        s->sum.lines++;
        if (waiting == BLOCK && !stream_settle(s, bytes, pending, &waiting)) return 0;
    }
    if (waiting && !stream_settle(s, bytes, pending, &waiting)) return 0;
    if (tag.size >= 0 && !keep_tag(&s->last, bytes, tag)) return !(s->odd = 1);
    pieces_read(&s->pieces);
    return 1;
}

/* One more piece of the run; 0 without memory, or if the run is odd. */
static int stream_add(Stream *s, const char *piece, int64_t size) {
    if (s->odd || !pieces_add(&s->pieces, piece, size)) return 0;
    if (s->pieces.size - s->pieces.whole > STREAM_LINE) return !(s->odd = 1);
    s->line_ends += s->pieces.whole > 0;
    return stream_lines(s);
}

/* The run is whole; 0 without memory, or if it is odd. */
static int stream_end(Stream *s) {
    if (s->odd || !pieces_last(&s->pieces)) return 0;
    /* Line ends of old Macs are not known before the last byte. */
    if (!s->line_ends && s->pieces.size &&
        memchr(s->pieces.bytes, '\r', (size_t)s->pieces.size))
        return !(s->odd = 1);
    return stream_lines(s) && stream_list(s);
}

#endif
