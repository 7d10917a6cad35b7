/* Runs given as mappings, {topic: {document: score}}: ranked, and their labels looked up.
 *
 * Needs Python.h, which ../_reader.c includes. No id is copied or numbered: Python has hashed every
 * id already, so one look into the labels of the topic says all that a measure sees of a document.
 */
#ifndef FATHOM_MAPPING_H
#define FATHOM_MAPPING_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    double key;         /* larger comes first */
    PyObject *document; /* borrowed from the run */
    double score;
} Entry;

/* Equal keys: by document id descending, in the order of code points, which is UTF-8's of bytes. */
static inline int entry_after(const Entry *a, const Entry *b) {
    if (a->key != b->key) return a->key < b->key;
    return PyUnicode_Compare(a->document, b->document) < 0;
}

static void sort_entries(Entry *entries, Entry *spare, int64_t n) {
    int64_t i = 1;
    while (i < n && !entry_after(&entries[i - 1], &entries[i])) i++;
    if (i >= n) return; /* most runs arrive sorted */
    Entry *from = entries, *to = spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t middle = low + width < n ? low + width : n;
            int64_t high = middle + width < n ? middle + width : n;
            int64_t a = low, b = middle, k = low;
            while (a < middle && b < high)
                to[k++] = entry_after(&from[a], &from[b]) ? from[b++] : from[a++];
            while (a < middle) to[k++] = from[a++];
            while (b < high) to[k++] = from[b++];
        }
        Entry *swap = from;
        from = to;
        to = swap;
    }
    if (from != entries) memcpy(entries, from, (size_t)n * sizeof *entries);
}

/* The documents of one topic into `entries`; -1 with an exception set. The first score that is not
 * finite and its document are left in `bad`. */
static int64_t take_entries(PyObject *list, int wide, Entry *entries, PyObject **bad) {
    PyObject *document, *value;
    Py_ssize_t at = 0;
    int64_t n = 0;
    while (PyDict_Next(list, &at, &document, &value)) {
        if (!PyUnicode_Check(document)) {
            PyErr_Format(PyExc_TypeError, "the document id %R is not a string", document);
            return -1;
        }
        double score = PyFloat_CheckExact(value) ? PyFloat_AsDouble(value) : 0.0;
        if (!PyFloat_CheckExact(value)) {
            /* A number of another kind may run its own code, so both are held meanwhile. */
            Py_INCREF(document), Py_INCREF(value);
            Py_ssize_t before = PyDict_Size(list);
            score = PyFloat_AsDouble(value);
            int changed = PyDict_Size(list) != before;
            Py_DECREF(value), Py_DECREF(document);
            if (score == -1.0 && PyErr_Occurred()) return -1;
            if (changed) {
                PyErr_SetString(PyExc_RuntimeError, "the run changed while it was read");
                return -1;
            }
        }
        if (!isfinite(score) && !*bad) *bad = document;
        entries[n].key = !isfinite(score) ? -INFINITY : wide ? score : (double)(float)score;
        entries[n].document = document;
        entries[n++].score = score;
    }
    return n;
}

/* The level of a document: what the topic's labels say, else what holds in every topic, else 1 for
 * not judged; -1 with an exception set. */
static inline long level_of(PyObject *document, PyObject *here, PyObject *everywhere) {
    PyObject *found = here ? PyDict_GetItemWithError(here, document) : NULL;
    if (!found && !PyErr_Occurred() && everywhere)
        found = PyDict_GetItemWithError(everywhere, document);
    if (!found) return PyErr_Occurred() ? -1 : 1;
    return PyLong_AsLong(found);
}

#endif
