/* Lines that are all ASCII, split eight bytes at a time. Plain C without Python.h, as run.h is. */
#ifndef FATHOM_ASCII_H
#define FATHOM_ASCII_H

#include "run.h"

static int is_ascii(const unsigned char *s, int64_t size) {
    uint64_t word, any = 0;
    for (; size >= 8; s += 8, size -= 8) {
        memcpy(&word, s, 8);
        any |= word;
    }
    for (; size > 0; s++, size--) any |= *s;
    return !(any & 0x8080808080808080u);
}

/* Where the field that begins at `here` ends: at the first blank, line end or NUL. Eight bytes at a
 * time while there are as many: the lowest one below '!' is found by a borrow from it alone, as all
 * are ASCII. */
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

/* As `split`, of lines that are all ASCII. */
static inline int64_t split_ascii(const unsigned char *s, int64_t size, int64_t *at, Field *field) {
    int64_t here = *at, fields = 0;
    for (;;) {
        while (KIND[s[here]] == BLANK) here++;
        int64_t from = here;
        here = field_end(s, size, here);
        if (KIND[s[here]] == NUL && here < size) return -1;
        if (here == from) break;
        if (fields < 6) field[fields].at = from, field[fields].size = here - from;
        fields++;
    }
    *at = here + 1;
    return fields;
}

#endif
