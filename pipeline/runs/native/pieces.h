/* A file that comes in pieces: whole lines are handed on, the rest of a line waits for the next. */
#ifndef FATHOM_PIECES_H
#define FATHOM_PIECES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    unsigned char *bytes = resized(p->bytes, room, 1);
    if (!bytes) return 0;
    p->bytes = bytes;
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
    if (p->whole == p->size) p->whole = 0; /* the line of before goes on */
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

#endif
