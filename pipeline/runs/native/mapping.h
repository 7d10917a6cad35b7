/* Runs given as mappings, {topic: {document: score}}: ranked, and their documents looked up.
 *
 * Needs Python.h, which ../_reader.c includes. No id is numbered: Python has hashed every id
 * already, so one look into a dict says which of the known documents it is. A score may be an
 * object that runs code of its own, which may change the mapping: so all that is used is held.
 */
#ifndef FATHOM_MAPPING_H
#define FATHOM_MAPPING_H

#include "ranking.h"

enum { BEHIND = -2 }; /* the end of a ranking */

typedef struct {
    Listed *list, *spare;
    PyObject **documents; /* held, in the order of the mapping */
    Py_ssize_t held, room;
} Entries;

static void entries_drop(Entries *e) {
    while (e->held) Py_DECREF(e->documents[--e->held]);
}

static void entries_free(Entries *e) {
    entries_drop(e);
    PyMem_Free(e->list), PyMem_Free(e->spare), PyMem_Free(e->documents);
}

/* Room for so many documents; 0 with an exception set. */
static int entries_room(Entries *e, Py_ssize_t room) {
    if (room <= e->room) return 1;
    Listed *list = PyMem_Realloc(e->list, (size_t)room * sizeof *list);
    if (list) e->list = list;
    Listed *spare = PyMem_Realloc(e->spare, (size_t)room * sizeof *spare);
    if (spare) e->spare = spare;
    PyObject **documents = PyMem_Realloc(e->documents, (size_t)room * sizeof *documents);
    if (documents) e->documents = documents;
    if (list && spare && documents) e->room = room;
    else PyErr_NoMemory();
    return list && spare && documents;
}

/* One document and its score behind the others; 0 with an exception set. */
static int entries_add(Entries *e, int order, PyObject *document, PyObject *value) {
    if (!PyUnicode_Check(document)) {
        PyErr_Format(PyExc_TypeError, "the document id %R is not a string", document);
        return 0;
    }
    Py_ssize_t size;
    e->documents[e->held] = Py_NewRef(document);
    Listed *one = &e->list[e->held];
    one->place = (int32_t)e->held++;
    Py_INCREF(value);
    one->score = PyFloat_AsDouble(value);
    Py_DECREF(value);
    if (one->score == -1.0 && PyErr_Occurred()) return 0;
    one->key = key_of(order, one->score, 0);
    one->id = (const unsigned char *)PyUnicode_AsUTF8AndSize(document, &size);
    one->size = (int32_t)size;
    return one->id != NULL;
}

/* The documents of one topic, best first; 0 with an exception set. */
static int entries_rank(Entries *e, int order, PyObject *ranking) {
    PyObject *document, *value;
    Py_ssize_t at = 0, size = PyDict_Size(ranking);
    if (!entries_room(e, size + 1)) return 0;
    while (PyDict_Next(ranking, &at, &document, &value)) {
        int changed = e->held == size;
        if (!changed && !entries_add(e, order, document, value)) return 0;
        if (changed || PyDict_Size(ranking) != size) {
            PyErr_SetString(PyExc_ValueError, "the run changed while it was read");
            return 0;
        }
    }
    sort_list(order, e->list, e->spare, e->held);
    return 1;
}

/* The number of a document in a dict, -1 of one that is not there; -2 with an exception set. */
static long number_in(PyObject *numbers, PyObject *document) {
    PyObject *found = PyDict_GetItemWithError(numbers, document);
    if (!found) return PyErr_Occurred() ? -2 : -1;
    long number = PyLong_AsLong(found);
    if (number >= 0 && number <= INT32_MAX) return number;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a document has no such number");
    return -2;
}

#endif
