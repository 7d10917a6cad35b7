/* Numbers in text: scores as Python's float() reads them, and ranks.
 *
 * The text ends at white space or at the NUL behind the buffer, so that the C library may read it
 * where it stands.
 */
#ifndef FATHOM_DECIMAL_H
#define FATHOM_DECIMAL_H

#include <float.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* What is not a plain short decimal: the C library rounds it correctly. `plain` is the locale "C":
 * the process may have chosen one in which numbers have a decimal comma. */
static int library_double(const unsigned char *s, int64_t size, locale_t plain, double *out) {
    for (int64_t i = 0; i < size; i++) /* no hexadecimal floats, no nan(payload) */
        if (s[i] == 'x' || s[i] == 'X' || s[i] == '(') return 0;
    char *end;
    *out = strtod_l((const char *)s, &end, plain);
    return size > 0 && end == (const char *)s + size;
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
 * the C library for the rest. */
static inline int to_double(const unsigned char *s, int64_t size, locale_t plain, double *out) {
    static const double TEN[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const unsigned char *p = s, *end = s + size;
    int negative = 0, digits = 0, seen = 0;
    int64_t power = 0;
    uint64_t mantissa = 0;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    for (; p < end && (unsigned)(*p - '0') < 10; p++) {
        mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        digits += digits || *p != '0';
        seen = 1;
        if (digits > 19) return library_double(s, size, plain, out);
    }
    if (p < end && *p == '.') {
        for (p++; p < end && (unsigned)(*p - '0') < 10; p++) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            digits += digits || *p != '0';
            power--;
            seen = 1;
            if (digits > 19) return library_double(s, size, plain, out);
        }
    }
    if (!seen) return library_double(s, size, plain, out); /* inf, nan, or no number */
    if (p < end && (*p == 'e' || *p == 'E')) {
        int minus = 0, exponent = 0, any = 0;
        if (++p < end && (*p == '-' || *p == '+')) minus = *p++ == '-';
        for (; p < end && (unsigned)(*p - '0') < 10; p++, any = 1) {
            exponent = exponent * 10 + (*p - '0');
            if (exponent > 9999) return library_double(s, size, plain, out);
        }
        if (!any) return 0;
        power += minus ? -exponent : exponent;
    }
    if (p != end) return 0;
    double value;
    if (digits <= 15 && power >= -22 && power <= 22) {
        value = (double)mantissa;
        value = power < 0 ? value / TEN[-power] : value * TEN[power];
    } else if (!long_double(mantissa, power, &value)) {
        return library_double(s, size, plain, out);
    }
    *out = negative ? -value : value;
    return 1;
}

/* A whole number of up to nine digits, which 32 bits hold. */
static inline int to_rank(const unsigned char *s, int64_t size, int32_t *out) {
    int negative = 0;
    int32_t value = 0;
    if (size && (*s == '-' || *s == '+')) negative = *s == '-', s++, size--;
    if (size < 1 || size > 9) return 0;
    for (; size; s++, size--) {
        if ((unsigned)(*s - '0') > 9) return 0;
        value = value * 10 + (*s - '0');
    }
    *out = negative ? -value : value;
    return 1;
}

#endif
