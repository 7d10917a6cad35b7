/* Ids to numbers: a hash table that numbers ids in the order they are first met.
 *
 * The hash is keyed (SipHash-1-3, Aumasson and Bernstein 2012, with one round a word and three at
 * the end): the key is drawn for each reader, so no file can be written whose ids all collide.
 * Numbers do not depend on the key.
 */
#ifndef FATHOM_IDS_H
#define FATHOM_IDS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* `from` with room for `count` values, NULL where there is no memory for them; `from` then stays. */
static void *resized(void *from, int64_t count, size_t each) {
    if (count < 0 || (uint64_t)count > (uint64_t)PTRDIFF_MAX / each) return NULL;
    return realloc(from, count ? (size_t)count * each : each);
}

static int resize_to(void *column, int64_t count, size_t each) {
    void *at;
    memcpy(&at, column, sizeof at);
    void *now = resized(at, count, each);
    if (now) memcpy(column, &now, sizeof now);
    return now != NULL;
}

/* The memory behind a pointer, with room for `count` values; 0 without memory. */
#define RESIZE(column, count) resize_to(&(column), count, sizeof *(column))

typedef struct {
    uint64_t low, high;
} Key;

typedef struct {
    Key key;
    int64_t limit; /* how many ids there may be: numbers are 32-bit further on */
    char *text;    /* all ids, one after the other */
    int64_t text_size, text_room;
    int64_t *start; /* id n is text[start[n] .. start[n + 1]) */
    uint64_t *hash;
    int64_t count, room;
    uint64_t *slots; /* open addressing: upper half of the hash, then number + 1 */
    uint64_t mask;
} Ids;

enum { IDS_NO_MEMORY = -1, IDS_TOO_MANY = -2 };

#ifndef IDS_ROOM /* to begin with; a power of 2 */
#define IDS_ROOM 2048
#endif

#define SIP_TURN(x, n) ((x) << (n) | (x) >> (64 - (n)))
#define SIP_ROUND                                                                       \
    do {                                                                                \
        a += b, b = SIP_TURN(b, 13), b ^= a, a = SIP_TURN(a, 32);                       \
        c += d, d = SIP_TURN(d, 16), d ^= c;                                            \
        a += d, d = SIP_TURN(d, 21), d ^= a;                                            \
        c += b, b = SIP_TURN(b, 17), b ^= c, c = SIP_TURN(c, 32);                       \
    } while (0)

static inline uint64_t ids_hash(Key key, const unsigned char *s, int64_t size) {
    uint64_t a = key.low ^ 0x736f6d6570736575u, b = key.high ^ 0x646f72616e646f6du;
    uint64_t c = key.low ^ 0x6c7967656e657261u, d = key.high ^ 0x7465646279746573u;
    uint64_t word, last = (uint64_t)size << 56;
    for (; size >= 8; s += 8, size -= 8) {
        memcpy(&word, s, 8);
        d ^= word;
        SIP_ROUND;
        a ^= word;
    }
    for (int64_t i = 0; i < size; i++) last |= (uint64_t)s[i] << (8 * i);
    d ^= last;
    SIP_ROUND;
    a ^= last;
    c ^= 0xff;
    SIP_ROUND;
    SIP_ROUND;
    SIP_ROUND;
    return a ^ b ^ c ^ d;
}

static void ids_free(Ids *ids) {
    free(ids->text);
    free(ids->start);
    free(ids->hash);
    free(ids->slots);
}

/* 0 without memory; ids_free is due in either case. */
static int ids_new(Ids *ids, Key key, int64_t limit) {
    memset(ids, 0, sizeof *ids);
    ids->key = key;
    ids->limit = limit;
    ids->room = IDS_ROOM;
    ids->text_room = IDS_ROOM * 16;
    ids->mask = IDS_ROOM * 2 - 1;
    ids->text = resized(NULL, ids->text_room, 1);
    ids->start = resized(NULL, ids->room + 1, sizeof *ids->start);
    ids->hash = resized(NULL, ids->room, sizeof *ids->hash);
    ids->slots = calloc(ids->mask + 1, sizeof *ids->slots);
    if (!ids->text || !ids->start || !ids->hash || !ids->slots) return 0;
    ids->start[0] = 0;
    return 1;
}

/* Room for one more id of `size` bytes, and at least half of the slots free. */
static int ids_grow(Ids *ids, int64_t size) {
    if (ids->count == ids->room) {
        if (!RESIZE(ids->start, ids->room * 2 + 1) || !RESIZE(ids->hash, ids->room * 2)) return 0;
        uint64_t mask = ids->mask * 2 + 1;
        if (mask + 1 > SIZE_MAX / sizeof *ids->slots) return 0;
        uint64_t *slots = calloc(mask + 1, sizeof *slots);
        if (!slots) return 0;
        for (int64_t id = 0; id < ids->count; id++) {
            uint64_t at = ids->hash[id] & mask;
            while (slots[at]) at = (at + 1) & mask;
            slots[at] = (ids->hash[id] & 0xffffffff00000000u) | (uint64_t)(id + 1);
        }
        free(ids->slots);
        ids->slots = slots;
        ids->mask = mask;
        ids->room *= 2;
    }
    if (size > ids->text_room - ids->text_size) {
        int64_t room = (ids->text_room + size) * 2;
        if (!RESIZE(ids->text, room)) return 0;
        ids->text_room = room;
    }
    return 1;
}

/* The number of an id that was met, -1 of another. */
static inline int64_t ids_find(const Ids *ids, const unsigned char *s, int64_t size,
                               uint64_t hash) {
    uint64_t upper = hash & 0xffffffff00000000u, slot;
    for (uint64_t at = hash & ids->mask; (slot = ids->slots[at]); at = (at + 1) & ids->mask) {
        if ((slot & 0xffffffff00000000u) != upper) continue;
        int64_t id = (int64_t)(slot & 0xffffffffu) - 1;
        if (ids->start[id + 1] - ids->start[id] == size &&
            memcmp(ids->text + ids->start[id], s, (size_t)size) == 0)
            return id;
    }
    return -1;
}

/* The number of an id, a new one when it is first met; a negative number says why there is none. */
static inline int64_t ids_number(Ids *ids, const unsigned char *s, int64_t size, uint64_t hash) {
    int64_t id = ids_find(ids, s, size, hash);
    if (id >= 0) return id;
    if (ids->count >= ids->limit) return IDS_TOO_MANY;
    if ((ids->count == ids->room || size > ids->text_room - ids->text_size) &&
        !ids_grow(ids, size))
        return IDS_NO_MEMORY;
    uint64_t at = hash & ids->mask;
    while (ids->slots[at]) at = (at + 1) & ids->mask;
    id = ids->count++;
    memcpy(ids->text + ids->text_size, s, (size_t)size);
    ids->text_size += size;
    ids->start[ids->count] = ids->text_size;
    ids->hash[id] = hash;
    ids->slots[at] = (hash & 0xffffffff00000000u) | (uint64_t)(id + 1);
    return id;
}

#endif
