/* The Python module pipeline.statistics.correlation._orders: many runs under several measures.
 *
 * A ranking is given as two numbers a run: `first`, how many runs are strictly above it, and `size`,
 * how many share its place, itself included. Pairs of runs are counted on sets of bits, and what
 * two top sets share is added up by run, not by depth: a run that both have stays in both.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#include "../../storage/native/module.h"

#ifndef SOURCES_DIGEST
#error "setup.py defines SOURCES_DIGEST, the digest of the C sources"
#endif

/* Where loader and compiler know it, the instruction that counts bits. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute)
#if __has_attribute(target_clones)
#define COUNTING __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef COUNTING
#define COUNTING
#endif

enum { WORD = 64 };

/* The runs strictly above and strictly below each, as sets; `order` has room for all runs. */
static void sets_of(const int32_t *first, const int32_t *size, Py_ssize_t runs, Py_ssize_t words,
                    uint64_t *above, uint64_t *below, int32_t *order, int32_t *next,
                    uint64_t *seen) {
    /* By place: runs that share one lie next to each other from `first` on. */
    memset(next, 0, (size_t)runs * sizeof *next);
    for (Py_ssize_t i = 0; i < runs; i++) order[first[i] + next[first[i]]++] = (int32_t)i;
    memset(seen, 0, (size_t)words * sizeof *seen);
    for (Py_ssize_t at = 0; at < runs;) {
        Py_ssize_t end = at + size[order[at]];
        for (Py_ssize_t k = at; k < end; k++)
            memcpy(above + order[k] * words, seen, (size_t)words * sizeof *seen);
        for (Py_ssize_t k = at; k < end; k++)
            seen[order[k] / WORD] |= (uint64_t)1 << (order[k] % WORD);
        for (Py_ssize_t k = at; k < end; k++)
            for (Py_ssize_t w = 0; w < words; w++) below[order[k] * words + w] = ~seen[w];
        at = end;
    }
}

COUNTING static void weigh(const uint64_t *above, const uint64_t *below, const uint64_t *other,
                           const double *weight, Py_ssize_t runs, Py_ssize_t words, double *alike,
                           double *opposite) {
    double same = 0, against = 0;
    for (Py_ssize_t i = 0; i < runs; i++) {
        int64_t both = 0, apart = 0;
        for (Py_ssize_t w = i * words; w < (i + 1) * words; w++) {
            both += __builtin_popcountll(above[w] & other[w]);
            apart += __builtin_popcountll(below[w] & other[w]);
        }
        same += weight[i] * (double)both;
        against += weight[i] * (double)apart;
    }
    *alike = same, *opposite = against;
}

/* Whether these can be places of runs: each place is that of as many runs as share it. */
static int places_fit(const int32_t *first, const int32_t *size, Py_ssize_t runs, int32_t *count) {
    memset(count, 0, (size_t)runs * sizeof *count);
    for (Py_ssize_t i = 0; i < runs; i++) {
        if (first[i] < 0 || size[i] < 1 || first[i] > runs - size[i]) return 0;
        count[first[i]]++;
    }
    for (Py_ssize_t i = 0; i < runs; i++)
        if (count[first[i]] != size[i]) return 0;
    for (Py_ssize_t at = 0; at < runs; at += count[at])
        if (!count[at]) return 0;
    return 1;
}

static PyObject *refuse(const char *why) {
    PyErr_SetString(PyExc_ValueError, why);
    return NULL;
}

/* weighed(first, size, measures, runs, weight, alike, opposite) */
static PyObject *weighed(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer first, size, weight, alike, opposite;
    Py_ssize_t measures, runs;
    if (!PyArg_ParseTuple(args, "y*y*nny*w*w*", &first, &size, &measures, &runs, &weight, &alike,
                          &opposite))
        return NULL;
    const Py_ssize_t wide = (Py_ssize_t)sizeof(double);
    int fits = measures > 0 && runs > 0 && first.len == measures * runs * 4 &&
               size.len == first.len && weight.len == measures * runs * wide &&
               alike.len == measures * measures * wide && opposite.len == alike.len;
    Py_ssize_t words = (runs + WORD - 1) / WORD, each = runs * words;
    uint64_t *above = NULL;
    int32_t *order = NULL;
    if (fits) {
        above = PyMem_Malloc((size_t)(2 * measures * each + words) * sizeof *above);
        order = PyMem_Malloc((size_t)runs * 2 * sizeof *order);
    }
    if (above && order) {
        uint64_t *below = above + measures * each;
        const int32_t *at = first.buf, *as = size.buf;
        for (Py_ssize_t m = 0; fits && m < measures; m++) {
            fits = places_fit(at + m * runs, as + m * runs, runs, order);
            if (fits)
                sets_of(at + m * runs, as + m * runs, runs, words, above + m * each,
                        below + m * each, order, order + runs, below + measures * each);
        }
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t a = 0; fits && a < measures; a++)
            for (Py_ssize_t b = 0; b < measures; b++)
                weigh(above + a * each, below + a * each, above + b * each,
                      (const double *)weight.buf + b * runs, runs, words,
                      (double *)alike.buf + a * measures + b,
                      (double *)opposite.buf + a * measures + b);
        Py_END_ALLOW_THREADS
    }
    int memory = !fits || (above && order);
    PyMem_Free(above), PyMem_Free(order);
    PyBuffer_Release(&first), PyBuffer_Release(&size), PyBuffer_Release(&weight);
    PyBuffer_Release(&alike), PyBuffer_Release(&opposite);
    if (!memory) return PyErr_NoMemory();
    if (!fits) return refuse("these are no places of that many runs");
    Py_RETURN_NONE;
}

enum { SHARE = 0, UNIT = 1, WHOLE = 2 };

/* For each depth from 1, what divides a ranking's part: the length of its vector of shares (UNIT),
 * or how many runs its top set has (WHOLE). */
static void lengths(const int32_t *first, const int32_t *size, Py_ssize_t runs, int kind,
                    double *length) {
    for (Py_ssize_t i = 0; i < runs; i++)
        for (int32_t k = 1; k <= size[i]; k++)
            length[first[i] + k - 1] = kind == UNIT
                                           ? (double)first[i] + (double)k * (double)k / size[i]
                                           : (double)first[i] + size[i];
}

static double shared(const int32_t *fa, const int32_t *sa, const int32_t *fb, const int32_t *sb,
                     Py_ssize_t runs, int kind, const double *value, const double *rest) {
    double total = 0;
    for (Py_ssize_t i = 0; i < runs; i++) {
        int32_t from = fa[i] > fb[i] ? fa[i] : fb[i]; /* from this depth on, in both */
        if (kind == WHOLE) {
            total += rest[from];
            continue;
        }
        int32_t ea = fa[i] + sa[i], eb = fb[i] + sb[i], end = ea > eb ? ea : eb;
        for (int32_t depth = from + 1; depth < end; depth++) {
            double a = depth < ea ? (double)(depth - fa[i]) / sa[i] : 1.0;
            double b = depth < eb ? (double)(depth - fb[i]) / sb[i] : 1.0;
            total += value[depth - 1] * a * b;
        }
        total += rest[end - 1]; /* from its end on it is in both for certain */
    }
    return total;
}

/* overlaps(first, size, measures, runs, weight, kind, out): `weight` of each depth. */
static PyObject *overlaps(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer first, size, weight, out;
    Py_ssize_t measures, runs;
    int kind;
    if (!PyArg_ParseTuple(args, "y*y*nny*iw*", &first, &size, &measures, &runs, &weight, &kind,
                          &out))
        return NULL;
    const Py_ssize_t wide = (Py_ssize_t)sizeof(double);
    int fits = measures > 0 && runs > 0 && first.len == measures * runs * 4 &&
               size.len == first.len && weight.len == runs * wide &&
               out.len == measures * measures * wide && kind >= SHARE && kind <= WHOLE;
    double *room = NULL;
    int32_t *count = NULL;
    if (fits) {
        room = PyMem_Malloc((size_t)(measures + 2) * (size_t)(runs + 1) * sizeof *room);
        count = PyMem_Malloc((size_t)runs * sizeof *count);
    }
    if (room && count) {
        double *value = room + measures * runs, *rest = value + runs, *found = out.buf;
        const int32_t *at = first.buf, *as = size.buf;
        const double *given = weight.buf;
        for (Py_ssize_t m = 0; fits && m < measures; m++) {
            fits = places_fit(at + m * runs, as + m * runs, runs, count);
            if (fits && kind != SHARE)
                lengths(at + m * runs, as + m * runs, runs, kind, room + m * runs);
        }
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t a = 0; fits && a < measures; a++)
            for (Py_ssize_t b = a; b < measures; b++) {
                const double *la = room + a * runs, *lb = room + b * runs;
                for (Py_ssize_t d = 0; d < runs; d++)
                    value[d] = kind == SHARE  ? given[d]
                               : kind == UNIT ? given[d] / __builtin_sqrt(la[d] * lb[d])
                                              : 2 * given[d] / (la[d] + lb[d]);
                rest[runs] = 0;
                for (Py_ssize_t d = runs; d-- > 0;) rest[d] = rest[d + 1] + value[d];
                found[a * measures + b] = found[b * measures + a] =
                    shared(at + a * runs, as + a * runs, at + b * runs, as + b * runs, runs, kind,
                           value, rest);
            }
        Py_END_ALLOW_THREADS
    }
    int memory = !fits || (room && count);
    PyMem_Free(room), PyMem_Free(count);
    PyBuffer_Release(&first), PyBuffer_Release(&size), PyBuffer_Release(&weight);
    PyBuffer_Release(&out);
    if (!memory) return PyErr_NoMemory();
    if (!fits) return refuse("these are no places of that many runs");
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"weighed", weighed, METH_VARARGS,
     "weighed(first, size, measures, runs, weight, alike, opposite): pairs of runs, weighed"},
    {"overlaps", overlaps, METH_VARARGS,
     "overlaps(first, size, measures, runs, weight, kind, out): what top sets share, weighed"},
    {NULL, NULL, 0, NULL},
};

FATHOM_MODULE(_orders, "Orders of many runs compared.", METHODS, 0)
