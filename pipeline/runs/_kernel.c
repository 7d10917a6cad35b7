/* The run reader's inner loop: bytes of a TREC run in, rankings of numbered documents out.
 *
 * Plain C without Python.h, so that a C compiler is all it needs; pipeline/kernel.py binds it with
 * ctypes (which releases the GIL). One pass splits the lines and turns ids into numbers; the
 * rows are then grouped by topic, put in order, stripped of duplicates and cut, all per run.
 * It never repairs anything on its own: what it finds is counted and the caller decides.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- ids to numbers ------------------------------------------------------------------- */

typedef struct {
    char *text; /* all ids, one after the other */
    int64_t text_size, text_room;
    int64_t *start; /* id n is text[start[n] .. start[n + 1]) */
    int64_t count, room;
    uint64_t *slots; /* open addressing: upper half of the hash, then number + 1 */
    uint64_t mask;
} Names;

typedef struct {
    Names topics, documents;
    int32_t *stamp; /* per document: the last (topic, run) it was seen in */
    int64_t stamp_room;
    int32_t stamp_now;
} Reader;

enum { ORDER_SCORE32 = 0, ORDER_SCORE64 = 1, ORDER_RANK = 2 };

enum {
    OK = 0,
    NO_MEMORY = 1,
    BINARY = 2,
    FIELDS = 3,
    BAD_RANK = 4,
    BAD_SCORE = 5,
};

typedef struct {
    int64_t error, line;        /* what went wrong, and in which line of the file */
    int64_t at, size;           /* where the offending value stands in the buffer */
    int64_t fields;             /* with FIELDS: how many there were */
    int64_t lines, rows;        /* lines with content; rows that stay in the ranking */
    int64_t topics;             /* groups in the output */
    int64_t duplicates, duplicate_line, duplicate_document;
    int64_t bad_scores, bad_score_line;
    int64_t tied;               /* rows whose score equals a neighbour's in the ranking */
    int64_t top10_differs;      /* topics whose ten first differ between score and rank order */
    int64_t tag_at, tag_size;   /* the run tag of the first line */
} Summary;

static int names_init(Names *n) {
    memset(n, 0, sizeof *n);
    n->mask = (1 << 12) - 1;
    n->slots = calloc(n->mask + 1, sizeof *n->slots);
    n->room = 1 << 10;
    n->start = malloc((size_t)(n->room + 1) * sizeof *n->start);
    n->text_room = 1 << 15;
    n->text = malloc((size_t)n->text_room);
    if (!n->slots || !n->start || !n->text) return 0;
    n->start[0] = 0;
    return 1;
}

static void names_free(Names *n) {
    free(n->text);
    free(n->start);
    free(n->slots);
}

static inline uint64_t hash_of(const unsigned char *s, int64_t size) {
    uint64_t h = 0x9e3779b97f4a7c15ull ^ (uint64_t)size, w;
    while (size >= 8) {
        memcpy(&w, s, 8);
        h = (h ^ w) * 0xd6e8feb86659fd93ull;
        h ^= h >> 32;
        s += 8;
        size -= 8;
    }
    if (size > 0) {
        w = 0;
        memcpy(&w, s, (size_t)size);
        h = (h ^ w) * 0xd6e8feb86659fd93ull;
        h ^= h >> 32;
    }
    h *= 0xd6e8feb86659fd93ull;
    return h ^ (h >> 29);
}

static int names_grow(Names *n) {
    uint64_t mask = n->mask * 2 + 1;
    uint64_t *slots = calloc(mask + 1, sizeof *slots);
    if (!slots) return 0;
    for (uint64_t i = 0; i <= n->mask; i++) {
        uint64_t slot = n->slots[i];
        if (!slot) continue;
        int64_t id = (int64_t)(slot & 0xffffffffu) - 1;
        uint64_t h = hash_of((unsigned char *)n->text + n->start[id],
                             n->start[id + 1] - n->start[id]);
        uint64_t at = h & mask;
        while (slots[at]) at = (at + 1) & mask;
        slots[at] = slot;
    }
    free(n->slots);
    n->slots = slots;
    n->mask = mask;
    return 1;
}

/* The number of an id, a new one when it is first met; -1 without memory. */
static inline int64_t number_of(Names *n, const unsigned char *s, int64_t size, uint64_t h) {
    uint64_t tag = h & 0xffffffff00000000ull, at = h & n->mask, slot;
    while ((slot = n->slots[at])) {
        if ((slot & 0xffffffff00000000ull) == tag) {
            int64_t id = (int64_t)(slot & 0xffffffffu) - 1;
            if (n->start[id + 1] - n->start[id] == size &&
                memcmp(n->text + n->start[id], s, (size_t)size) == 0)
                return id;
        }
        at = (at + 1) & n->mask;
    }
    int64_t id = n->count;
    if (id == n->room) {
        int64_t *start = realloc(n->start, (size_t)(n->room * 2 + 1) * sizeof *start);
        if (!start) return -1;
        n->start = start;
        n->room *= 2;
    }
    if (n->text_size + size > n->text_room) {
        int64_t room = (n->text_room + size) * 2;
        char *text = realloc(n->text, (size_t)room);
        if (!text) return -1;
        n->text = text;
        n->text_room = room;
    }
    memcpy(n->text + n->text_size, s, (size_t)size);
    n->text_size += size;
    n->count++;
    n->start[n->count] = n->text_size;
    n->slots[at] = tag | (uint64_t)(id + 1);
    if ((uint64_t)n->count * 2 > n->mask && !names_grow(n)) return -1;
    return id;
}

/* Byte order of two ids, as strcmp gives it and trec_eval breaks ties with. */
static inline int compare_names(const Names *n, int64_t a, int64_t b) {
    int64_t la = n->start[a + 1] - n->start[a], lb = n->start[b + 1] - n->start[b];
    int c = memcmp(n->text + n->start[a], n->text + n->start[b], (size_t)(la < lb ? la : lb));
    return c ? c : (la > lb) - (la < lb);
}

/* ---- numbers in text -------------------------------------------------------------------- */

static const double POWER[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* What is not a plain short decimal: the C library rounds it correctly. */
static int slow_double(const unsigned char *s, int64_t size, double *out) {
    char small[64], *copy = small, *end;
    for (int64_t i = 0; i < size; i++) /* no hexadecimal floats, no nan(payload) */
        if (s[i] == 'x' || s[i] == 'X' || s[i] == '(') return 0;
    if (size >= (int64_t)sizeof small && !(copy = malloc((size_t)size + 1))) return 0;
    memcpy(copy, s, (size_t)size);
    copy[size] = 0;
    *out = strtod(copy, &end);
    int good = size > 0 && end == copy + size;
    if (copy != small) free(copy);
    return good;
}

#if LDBL_MANT_DIG == 64
/* 16 to 19 digits: the quotient or product in 80-bit floats is within half of its last place, so
 * rounding it to 53 bits is right unless the 11 bits that go lie next to the halfway point. */
static inline int long_double(uint64_t mantissa, int64_t power, double *out) {
    static const long double TEN[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                      1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                      1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                      1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    if (power < -27 || power > 27) return 0;
    long double value = (long double)mantissa;
    value = power < 0 ? value / TEN[-power] : value * TEN[power];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t rest = bits & 0x7ff;
    if (rest >= 0x3ff && rest <= 0x401) return 0;
    *out = (double)value;
    return 1;
}
#else
static inline int long_double(uint64_t mantissa, int64_t power, double *out) {
    (void)mantissa, (void)power, (void)out;
    return 0;
}
#endif

/* Exact for up to 15 digits and a power of ten up to 22 (Clinger 1990), for most up to 19 digits;
 * strtod for the rest. */
static inline int to_double(const unsigned char *s, int64_t size, double *out) {
    const unsigned char *p = s, *end = s + size;
    int negative = 0, digits = 0, seen = 0;
    int64_t power = 0;
    uint64_t mantissa = 0;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    for (; p < end && (unsigned)(*p - '0') < 10; p++) {
        mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        digits += digits || *p != '0';
        seen = 1;
        if (digits > 19) return slow_double(s, size, out);
    }
    if (p < end && *p == '.') {
        for (p++; p < end && (unsigned)(*p - '0') < 10; p++) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            digits += digits || *p != '0';
            power--;
            seen = 1;
            if (digits > 19) return slow_double(s, size, out);
        }
    }
    if (!seen) return slow_double(s, size, out);
    if (p < end && (*p == 'e' || *p == 'E')) {
        int minus = 0, exponent = 0, any = 0;
        if (++p < end && (*p == '-' || *p == '+')) minus = *p++ == '-';
        for (; p < end && (unsigned)(*p - '0') < 10 && exponent < 10000; p++, any = 1)
            exponent = exponent * 10 + (*p - '0');
        if (!any) return 0;
        power += minus ? -exponent : exponent;
    }
    if (p != end) return 0;
    double value;
    if (digits <= 15 && power >= -22 && power <= 22) {
        value = (double)mantissa;
        value = power < 0 ? value / POWER[-power] : value * POWER[power];
    } else if (!long_double(mantissa, power, &value)) {
        return slow_double(s, size, out);
    }
    *out = negative ? -value : value;
    return 1;
}

static inline int to_rank(const unsigned char *s, int64_t size, int32_t *out) {
    int negative = 0;
    int64_t value = 0;
    if (size && (*s == '-' || *s == '+')) negative = *s == '-', s++, size--;
    if (size < 1 || size > 9) return 0;
    for (; size; s++, size--) {
        if ((unsigned)(*s - '0') > 9) return 0;
        value = value * 10 + (*s - '0');
    }
    *out = (int32_t)(negative ? -value : value);
    return 1;
}

/* ---- putting a topic in order --------------------------------------------------------- */

typedef struct {
    double key; /* larger comes first */
    int32_t document, row;
} Item;

/* Equal keys: by document id descending (trec_eval), or in the file's order (rank). */
static inline int goes_after(const Names *documents, int by_rank, const Item *a, const Item *b) {
    if (a->key != b->key) return a->key < b->key;
    if (by_rank) return a->row > b->row;
    int c = compare_names(documents, a->document, b->document);
    return c ? c < 0 : a->row > b->row;
}

static void sort_items(const Names *documents, int by_rank, Item *items, Item *spare, int64_t n) {
    int64_t i = 1;
    while (i < n && !goes_after(documents, by_rank, &items[i - 1], &items[i])) i++;
    if (i >= n) return; /* most runs arrive sorted */
    Item *from = items, *to = spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t middle = low + width < n ? low + width : n;
            int64_t high = middle + width < n ? middle + width : n;
            int64_t a = low, b = middle, k = low;
            while (a < middle && b < high)
                to[k++] = goes_after(documents, by_rank, &from[a], &from[b]) ? from[b++]
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

/* ---- a run ------------------------------------------------------------------------------ */

Reader *fathom_reader_new(void) {
    Reader *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    if (!names_init(&r->topics) || !names_init(&r->documents)) {
        free(r);
        return NULL;
    }
    return r;
}

void fathom_reader_free(Reader *r) {
    if (!r) return;
    names_free(&r->topics);
    names_free(&r->documents);
    free(r->stamp);
    free(r);
}

/* The ids read so far: how many, where each starts, and their text. */
int64_t fathom_names(Reader *r, int which, const int64_t **start, const char **text) {
    Names *n = which ? &r->documents : &r->topics;
    *start = n->start;
    *text = n->text;
    return n->count;
}

int64_t fathom_count_lines(const char *buffer, int64_t size) {
    int64_t lines = 0;
    for (const char *p = buffer, *end = buffer + size; p < end; lines++) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        if (!next) return lines + 1;
        p = next + 1;
    }
    return lines;
}

/* What ends a field: white space, and the NUL that Python puts behind every bytes object. */
enum { FIELD = 0, BLANK = 1, NEWLINE = 2, NUL = 3 };
static const unsigned char KIND[256] = {
    [0] = NUL,     [' '] = BLANK,  ['\t'] = BLANK, ['\v'] = BLANK,
    ['\f'] = BLANK, ['\r'] = BLANK, ['\n'] = NEWLINE,
};

typedef struct {
    uint64_t hash;
    int64_t at;
    int32_t size;
} Pending;

/* Ids are looked up a block later than they are read: by then the slot is in the cache. */
enum { BLOCK = 32 };

static int settle(Reader *r, const unsigned char *s, const Pending *pending, int64_t n,
                  int32_t *document) {
    Names *names = &r->documents;
    int64_t likely[BLOCK]; /* fetch what the comparison will need, for all before the first */
    for (int64_t i = 0; i < n; i++) {
        likely[i] = (int64_t)(names->slots[pending[i].hash & names->mask] & 0xffffffffu) - 1;
        if (likely[i] >= 0) __builtin_prefetch(&names->start[likely[i]]);
    }
    for (int64_t i = 0; i < n; i++)
        if (likely[i] >= 0) __builtin_prefetch(names->text + names->start[likely[i]]);
    for (int64_t i = 0; i < n; i++) {
        int64_t id = number_of(names, s + pending[i].at, pending[i].size, pending[i].hash);
        if (id < 0 || id > INT32_MAX - 1) return 0;
        document[i] = (int32_t)id;
    }
    return 1;
}

static int64_t read_lines(Reader *r, const unsigned char *s, int64_t size, int32_t *topic,
                          int32_t *document, int32_t *rank, double *score, int32_t *line_of,
                          Summary *sum) {
    int64_t at = 0, row = 0, line = 0, topic_at = -1, topic_size = 0, topic_id = -1, waiting = 0;
    Pending pending[BLOCK];
    while (at < size) {
        int64_t field[7][2], fields = 0;
        line++;
        for (;;) {
            while (KIND[s[at]] == BLANK) at++;
            int64_t from = at;
            while (KIND[s[at]] == FIELD) at++;
            if (KIND[s[at]] == NUL && at < size) {
                sum->line = line;
                return sum->error = BINARY, -1;
            }
            if (at == from) break;
            if (fields < 7) field[fields][0] = from, field[fields][1] = at - from;
            fields++;
        }
        at++;
        if (!fields) continue;
        sum->line = line;
        if (fields != 6) {
            sum->fields = fields;
            return sum->error = FIELDS, -1;
        }
        if (topic_id < 0 || field[0][1] != topic_size ||
            memcmp(s + field[0][0], s + topic_at, (size_t)topic_size)) {
            topic_at = field[0][0];
            topic_size = field[0][1];
            topic_id = number_of(&r->topics, s + topic_at, topic_size,
                                 hash_of(s + topic_at, topic_size));
            if (topic_id < 0) return sum->error = NO_MEMORY, -1;
        }
        if (!to_rank(s + field[3][0], field[3][1], &rank[row])) {
            sum->at = field[3][0], sum->size = field[3][1];
            return sum->error = BAD_RANK, -1;
        }
        if (!to_double(s + field[4][0], field[4][1], &score[row])) {
            sum->at = field[4][0], sum->size = field[4][1];
            return sum->error = BAD_SCORE, -1;
        }
        if (!isfinite(score[row]) && !sum->bad_scores++) sum->bad_score_line = line;
        if (!row) sum->tag_at = field[5][0], sum->tag_size = field[5][1];
        topic[row] = (int32_t)topic_id;
        line_of[row] = (int32_t)line;
        Pending *p = &pending[waiting++];
        p->hash = hash_of(s + field[2][0], field[2][1]);
        p->at = field[2][0];
        p->size = (int32_t)field[2][1];
        __builtin_prefetch(&r->documents.slots[p->hash & r->documents.mask]);
        row++;
        if (waiting == BLOCK) {
            if (!settle(r, s, pending, waiting, document + row - waiting))
                return sum->error = NO_MEMORY, -1;
            waiting = 0;
        }
    }
    if (!settle(r, s, pending, waiting, document + row - waiting))
        return sum->error = NO_MEMORY, -1;
    sum->line = line;
    sum->lines = row;
    return row;
}

/* Rows of one topic, group[0..n): ranked, freed of duplicates, cut; returns how many stay. */
static int64_t rank_topic(Reader *r, Item *items, Item *other, Item *spare, int64_t n, int order,
                          const int32_t *rank, const double *score, const int32_t *line_of,
                          Summary *sum) {
    const Names *documents = &r->documents;
    int forensic = order == ORDER_RANK ? ORDER_SCORE32 : ORDER_RANK;
    for (int64_t i = 0; i < n; i++) {
        other[i] = items[i];
        other[i].key = key_of(forensic, score[items[i].row], rank[items[i].row]);
    }
    sort_items(documents, order == ORDER_RANK, items, spare, n);
    sort_items(documents, forensic == ORDER_RANK, other, spare, n);
    int64_t ten = n < 10 ? n : 10, kept = 0;
    for (int64_t i = 0; i < ten; i++)
        if (items[i].document != other[i].document) {
            sum->top10_differs++;
            break;
        }
    if (order == ORDER_RANK) { /* ties are told by score, whatever the order */
        Item *swap = items;
        items = other;
        other = swap;
    }
    for (int64_t i = 0; i < n; i++)
        sum->tied += (i && items[i].key == items[i - 1].key) ||
                     (i + 1 < n && items[i].key == items[i + 1].key);
    if (order == ORDER_RANK) items = other;
    r->stamp_now++;
    for (int64_t i = 0; i < n; i++) {
        int32_t *stamp = &r->stamp[items[i].document];
        if (*stamp == r->stamp_now) {
            int64_t line = line_of[items[i].row];
            for (int64_t j = 0; j < kept; j++) /* name the later line of the two */
                if (items[j].document == items[i].document && line_of[items[j].row] > line)
                    line = line_of[items[j].row];
            if (!sum->duplicates++ || line < sum->duplicate_line)
                sum->duplicate_line = line, sum->duplicate_document = items[i].document;
            continue;
        }
        *stamp = r->stamp_now;
        items[kept++] = items[i];
    }
    return kept;
}

/* Reads one run. The row arrays have room for every line; on return their first `rows` places
 * hold the ranking: topics in the order they first appear, documents in rank order. group_topic
 * and group_size describe the groups (room for as many as there are lines). */
int64_t fathom_read_run(Reader *r, const char *buffer, int64_t size, int order, int64_t depth,
                        int32_t *topic, int32_t *document, int32_t *rank, double *score,
                        int32_t *line_of, int32_t *group_topic, int64_t *group_size,
                        Summary *sum) {
    memset(sum, 0, sizeof *sum);
    int64_t n = read_lines(r, (const unsigned char *)buffer, size, topic, document, rank, score,
                           line_of, sum);
    if (n < 0) return -1;
    if (r->stamp_room < r->documents.count) {
        int64_t room = r->documents.count * 2;
        int32_t *stamp = realloc(r->stamp, (size_t)room * sizeof *stamp);
        if (!stamp) return sum->error = NO_MEMORY, -1;
        memset(stamp + r->stamp_room, 0, (size_t)(room - r->stamp_room) * sizeof *stamp);
        r->stamp = stamp;
        r->stamp_room = room;
    }
    if (r->stamp_now > INT32_MAX - 1 - r->topics.count) {
        memset(r->stamp, 0, (size_t)r->stamp_room * sizeof *r->stamp);
        r->stamp_now = 0;
    }
    /* groups in order of first appearance, rows placed by counting */
    int64_t groups = 0, largest = 0;
    int32_t *group_of = malloc(((size_t)r->topics.count + 1) * sizeof *group_of);
    int64_t *place = malloc(((size_t)r->topics.count + 2) * sizeof *place);
    Item *items = malloc(((size_t)n + 1) * sizeof *items);
    double *scores = malloc(((size_t)n + 1) * sizeof *scores);
    int32_t *ranks = malloc(((size_t)n + 1) * sizeof *ranks);
    Item *scratch = NULL;
    if (!group_of || !place || !items || !scores || !ranks) goto no_memory;
    memset(group_of, 0xff, ((size_t)r->topics.count + 1) * sizeof *group_of);
    for (int64_t i = 0; i < n; i++) {
        int32_t *g = &group_of[topic[i]];
        if (*g < 0) {
            *g = (int32_t)groups;
            group_topic[groups] = topic[i];
            group_size[groups++] = 0;
        }
        group_size[*g]++;
    }
    place[0] = 0;
    for (int64_t g = 0; g < groups; g++) {
        place[g + 1] = place[g] + group_size[g];
        if (group_size[g] > largest) largest = group_size[g];
    }
    for (int64_t i = 0; i < n; i++) {
        Item *item = &items[place[group_of[topic[i]]]++];
        item->key = key_of(order, score[i], rank[i]);
        item->document = document[i];
        item->row = (int32_t)i;
    }
    if (!(scratch = malloc(2 * ((size_t)largest + 1) * sizeof *scratch))) goto no_memory;
    memcpy(scores, score, (size_t)n * sizeof *scores);
    memcpy(ranks, rank, (size_t)n * sizeof *ranks);
    int64_t out = 0, from = 0;
    for (int64_t g = 0; g < groups; g++) {
        int64_t kept = rank_topic(r, items + from, scratch, scratch + largest, group_size[g],
                                  order, ranks, scores, line_of, sum);
        Item *first = items + from;
        from += group_size[g];
        if (depth > 0 && kept > depth) kept = depth;
        for (int64_t i = 0; i < kept; i++, out++) {
            topic[out] = group_topic[g];
            document[out] = first[i].document;
            score[out] = scores[first[i].row];
            rank[out] = ranks[first[i].row];
        }
        group_size[g] = kept;
    }
    sum->rows = out;
    sum->topics = groups;
    free(group_of), free(place), free(items), free(scores), free(ranks), free(scratch);
    return out;
no_memory:
    free(group_of), free(place), free(items), free(scores), free(ranks), free(scratch);
    return sum->error = NO_MEMORY, -1;
}
