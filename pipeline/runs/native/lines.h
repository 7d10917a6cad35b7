/* A file that comes in pieces: whole lines are split into fields, the rest of a line waits for the
 * next piece. */
#ifndef FATHOM_LINES_H
#define FATHOM_LINES_H

#include "ids.h"

typedef struct {
    unsigned char *bytes; /* a NUL stands behind the last */
    int64_t size, room;
    int64_t whole; /* bytes up to the end of the last whole line */
} Pieces;

/* Room for `size` more bytes; 0 without memory. */
static int pieces_room(Pieces *p, int64_t size) {
    if (size < 0 || size > INT64_MAX / 4 - p->size) return 0;
    if (p->size + size < p->room) return 1;
    int64_t room = p->size + size + 1 > 2 * p->room ? p->size + size + 1 : 2 * p->room;
    if (!RESIZE(p->bytes, room)) return 0;
    p->room = room;
    return 1;
}

/* One more piece behind what is left of the last; the lines up to p->whole can be read then.
 * 0 without memory. */
static int pieces_add(Pieces *p, const char *piece, int64_t size) {
    if (!pieces_room(p, size)) return 0;
    memcpy(p->bytes + p->size, piece, (size_t)size);
    int64_t end = p->size + size;
    p->whole = end;
    while (p->whole > p->size && p->bytes[p->whole - 1] != '\n') p->whole--;
    if (p->whole == p->size) p->whole = 0; /* the previous line continues */
    p->size = end;
    p->bytes[end] = 0;
    return 1;
}

/* All that is left are the lines to read: there is no further piece. 0 without memory. */
static int pieces_last(Pieces *p) {
    if (!pieces_room(p, 0)) return 0;
    p->bytes[p->size] = 0;
    p->whole = p->size;
    return 1;
}

/* The whole lines were read. */
static void pieces_read(Pieces *p) {
    if (p->whole) memmove(p->bytes, p->bytes + p->whole, (size_t)(p->size - p->whole));
    p->size -= p->whole;
    p->whole = 0;
}

/* What ends a field: white space, and the NUL that stands behind the bytes. */
enum { FIELD = 0, BLANK = 1, NEWLINE = 2, NUL = 3, FIELDS = 6 };
static const unsigned char KIND[256] = {
    [0] = NUL,      [' '] = BLANK,  ['\t'] = BLANK,   ['\v'] = BLANK,
    ['\f'] = BLANK, ['\r'] = BLANK, ['\n'] = NEWLINE,
};

typedef struct {
    int64_t at, size;
} Field;

/* Where the field that begins at `here` ends: at the first blank, line end or NUL. Eight bytes at a
 * time while there are as many: the lowest one below '!' is found by a borrow from it alone. */
static inline int64_t field_end(const unsigned char *s, int64_t size, int64_t here) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t word;
    for (; here + 8 <= size; here += 8) {
        memcpy(&word, s + here, 8);
        uint64_t below = (word - '!' * ones) & ~word & tops;
        if (!below) continue;
        here += __builtin_ctzll(below) / 8;
        if (KIND[s[here]] != FIELD) return here;
        break; /* a control character, which belongs to the field */
    }
#endif
    while (KIND[s[here]] == FIELD) here++;
    return here;
}

/* The fields of the line that begins at *at, which moves to the next line; -1 for a NUL byte. */
static inline int64_t split(const unsigned char *s, int64_t size, int64_t *at, Field *field) {
    int64_t here = *at, fields = 0;
    for (;;) {
        while (KIND[s[here]] == BLANK) here++;
        int64_t from = here;
        here = field_end(s, size, here);
        if (KIND[s[here]] == NUL && here < size) return -1;
        if (here == from) break;
        if (fields < FIELDS) field[fields].at = from, field[fields].size = here - from;
        fields++;
    }
    *at = here + 1;
    return fields;
}

static inline int is_ascii(const unsigned char *s, int64_t size) {
    uint64_t word, any = 0;
    for (; size >= 8; s += 8, size -= 8) {
        memcpy(&word, s, 8);
        any |= word;
    }
    for (; size > 0; s++, size--) any |= *s;
    return !(any & 0x8080808080808080u);
}

#endif
