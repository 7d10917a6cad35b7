/* The Python module pipeline.statistics.significance._resampling: the inner loops of two tests.
 *
 * Whatever the width of the vectors a compiler makes of them, the results are those of numpy to the
 * last bit: doubles are added in the same order, and a comparison has no rounding.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <string.h>
#include "../../storage/native/module.h"

#ifndef SOURCES_DIGEST
#error "setup.py defines SOURCES_DIGEST, the digest of the C sources"
#endif

/* Where loader and compiler know it, the widest vectors of the machine that runs this. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute)
#if __has_attribute(target_clones)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef WIDEST
#define WIDEST
#endif

enum { ROWS = 8, FLIPS = 256 }; /* runs and flips at once: 16 KB, half of a first-level cache */

WIDEST static int64_t far_apart(const double *a, const double *b, Py_ssize_t size, double least) {
    int64_t count = 0;
    for (Py_ssize_t at = 0; at < size; at++) count += fabs(b[at] - a[at]) >= least;
    return count;
}

static void count_square(const double *near, Py_ssize_t runs, Py_ssize_t size, Py_ssize_t left,
                         Py_ssize_t top, const double *least, int64_t *count) {
    for (Py_ssize_t i = left; i < left + ROWS && i < runs; i++) {
        /* Pair (i, j) stands at i * runs - i (i + 1) / 2 + j - i - 1. */
        Py_ssize_t pairs = i * runs - i * (i + 1) / 2 - i - 1;
        for (Py_ssize_t j = top > i ? top : i + 1; j < top + ROWS && j < runs; j++)
            count[pairs + j] +=
                far_apart(near + i * size, near + j * size, size, least[pairs + j]);
    }
}

/* Add to `count`, for all pairs of rows of `sums`, how many of their columns are far apart. Pairs
 * are in the order (0, 1), (0, 2), ..., (1, 2), ...; `least` has what counts as far for each.
 * `near` has room for FLIPS columns: rows a power of two apart would share lines of the cache. */
static void count_all(const double *sums, Py_ssize_t runs, Py_ssize_t flips, const double *least,
                      int64_t *count, double *near) {
    for (Py_ssize_t from = 0; from < flips; from += FLIPS) {
        Py_ssize_t size = flips - from < FLIPS ? flips - from : FLIPS;
        for (Py_ssize_t run = 0; run < runs; run++)
            memcpy(near + run * size, sums + run * flips + from, (size_t)size * sizeof(double));
        /* A square of pairs at a time: all that it needs is in the cache. */
        for (Py_ssize_t left = 0; left < runs; left += ROWS)
            for (Py_ssize_t top = left; top < runs; top += ROWS)
                count_square(near, runs, size, left, top, least, count);
    }
}

static PyObject *add_far(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer sums, least, count;
    Py_ssize_t runs;
    if (!PyArg_ParseTuple(args, "y*ny*w*", &sums, &runs, &least, &count)) return NULL;
    const Py_ssize_t wide = (Py_ssize_t)sizeof(double);
    Py_ssize_t pairs = runs > 0 ? runs * (runs - 1) / 2 : -1;
    int fits = pairs >= 0 && sums.len % (runs * wide) == 0 && least.len == pairs * wide &&
               count.len == pairs * (Py_ssize_t)sizeof(int64_t);
    double *near = fits ? PyMem_Malloc((size_t)runs * FLIPS * sizeof(double)) : NULL;
    if (near) {
        Py_BEGIN_ALLOW_THREADS
        count_all(sums.buf, runs, sums.len / wide / runs, least.buf, count.buf, near);
        Py_END_ALLOW_THREADS
        PyMem_Free(near);
    } else if (fits) {
        PyErr_NoMemory();
    } else {
        PyErr_SetString(PyExc_ValueError, "sums, least and count are not of that many runs");
    }
    PyBuffer_Release(&sums);
    PyBuffer_Release(&least);
    PyBuffer_Release(&count);
    if (!near) return NULL;
    Py_RETURN_NONE;
}

/* Fisher and Yates: from the last place down, each is swapped with one drawn from those up to it. A
 * draw is the low bits of the next number, and thrown away if they are too large; then the place is
 * swapped with itself, which costs less than a branch nobody can foresee. Returns how many numbers
 * were used, -1 if there were not enough. */
static Py_ssize_t shuffle(double *row, Py_ssize_t size, const uint32_t *drawn, Py_ssize_t left) {
    Py_ssize_t used = 0;
    uint32_t mask = 1;
    while ((Py_ssize_t)mask < size - 1) mask = mask << 1 | 1;
    for (uint32_t place = (uint32_t)(size - 1); size > 1 && place > 0; mask >>= 1) {
        while (place > mask >> 1) {
            if (used == left) return -1;
            uint32_t draw = drawn[used++] & mask;
            uint32_t fits = draw <= place, other = fits ? draw : place;
            double moved = row[place];
            row[place] = row[other];
            row[other] = moved;
            place -= fits;
        }
    }
    return used;
}

/* Fill `ranges` from `done` on: the largest less the smallest sum of a run, with the scores of each
 * topic shuffled. Ends where it is full or `drawn` would not last; `*used` numbers are gone then. */
static Py_ssize_t fill_ranges(const double *columns, Py_ssize_t topics, Py_ssize_t runs,
                              const uint32_t *drawn, Py_ssize_t left, double *ranges,
                              Py_ssize_t done, Py_ssize_t wanted, double *row, double *sums,
                              Py_ssize_t *used) {
    for (*used = 0; done < wanted; done++) {
        Py_ssize_t at = *used;
        for (Py_ssize_t topic = 0; topic < topics; topic++) {
            memcpy(row, columns + topic * runs, (size_t)runs * sizeof(double));
            Py_ssize_t more = shuffle(row, runs, drawn + at, left - at);
            if (more < 0) return done;
            at += more;
            for (Py_ssize_t run = 0; run < runs; run++)
                sums[run] = topic ? sums[run] + row[run] : row[run];
        }
        double least = sums[0], most = sums[0];
        for (Py_ssize_t run = 1; run < runs; run++) {
            if (sums[run] < least) least = sums[run];
            if (sums[run] > most) most = sums[run];
        }
        ranges[done] = most - least;
        *used = at;
    }
    return done;
}

static PyObject *shuffled_ranges(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer columns, drawn, ranges;
    Py_ssize_t runs, done;
    if (!PyArg_ParseTuple(args, "y*ny*w*n", &columns, &runs, &drawn, &ranges, &done)) return NULL;
    const Py_ssize_t wide = (Py_ssize_t)sizeof(double);
    Py_ssize_t used = 0, wanted = ranges.len / wide;
    int fits = runs > 0 && runs < UINT32_MAX && columns.len && columns.len % (runs * wide) == 0 &&
               done >= 0;
    double *room = fits ? PyMem_Malloc((size_t)runs * 2 * sizeof(double)) : NULL;
    if (room) {
        Py_BEGIN_ALLOW_THREADS
        done = fill_ranges(columns.buf, columns.len / wide / runs, runs, drawn.buf,
                           drawn.len / (Py_ssize_t)sizeof(uint32_t), ranges.buf, done, wanted, room,
                           room + runs, &used);
        Py_END_ALLOW_THREADS
        PyMem_Free(room);
    } else if (fits) {
        PyErr_NoMemory();
    } else {
        PyErr_SetString(PyExc_ValueError, "columns are not of that many runs");
    }
    PyBuffer_Release(&columns);
    PyBuffer_Release(&drawn);
    PyBuffer_Release(&ranges);
    return room ? Py_BuildValue("nn", done, used) : NULL;
}

static PyMethodDef METHODS[] = {
    {"add_far", add_far, METH_VARARGS,
     "add_far(sums, runs, least, count): count what is far apart, pair by pair"},
    {"shuffled_ranges", shuffled_ranges, METH_VARARGS,
     "shuffled_ranges(columns, runs, drawn, ranges, done): go on filling ranges; (done, used)"},
    {NULL, NULL, 0, NULL},
};

FATHOM_MODULE(_resampling, "Sign flips and shuffles of scores.", METHODS, 0)
