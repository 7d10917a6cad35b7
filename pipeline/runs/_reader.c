/* The Python module pipeline.runs._reader: the run reader of native/run.h as a type, and runs that
 * are mappings.
 *
 * Files are read without the GIL, so threads read side by side, each with a reader of its own.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "native/run.h"

#include "native/mapping.h"
#include "../storage/native/module.h"

#ifndef SOURCES_DIGEST
#error "setup.py defines SOURCES_DIGEST, the digest of the C sources"
#endif

typedef struct {
    PyObject_HEAD
    Reader *reader;
    int busy; /* in another thread: the GIL guards this, and this guards the reader */
} ReaderObject;

static PyObject *copy_of(const void *values, int64_t count, size_t each) {
    return PyByteArray_FromStringAndSize((const char *)values,
                                         (Py_ssize_t)count * (Py_ssize_t)each);
}

/* The number of an order; -1 with an exception set. */
static int order_called(const char *name) {
    static const char *const ORDERS[] = {
        [ORDER_SCORE32] = "score32", [ORDER_SCORE64] = "score64", [ORDER_RANK] = "rank",
    };
    for (int order = ORDER_SCORE32; order <= ORDER_RANK; order++)
        if (!strcmp(name, ORDERS[order])) return order;
    PyErr_Format(PyExc_ValueError, "'%s' is not an order of a run", name);
    return -1;
}

/* Known documents, (starts, text), numbered from 0; 0 with an exception set. */
static int take_known(PyObject *given, Ids *ids) {
    const char *starts, *text;
    Py_ssize_t size, text_size;
    if (!PyArg_ParseTuple(given, "y#y#", &starts, &size, &text, &text_size)) return 0;
    const int64_t *start = (const int64_t *)(const void *)starts;
    int64_t count = (int64_t)(size / (Py_ssize_t)sizeof *start) - 1;
    int fits = count >= 0 && start[0] == 0 && start[count] <= text_size;
    for (int64_t i = 0; fits && i < count; i++) {
        const unsigned char *id = (const unsigned char *)text + start[i];
        int64_t length = start[i + 1] - start[i];
        fits = length >= 0 && start[i + 1] <= text_size &&
               ids_number(ids, id, length, ids_hash(ids->key, id, length)) == i;
    }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "the documents do not fit their text, or one is repeated");
    return fits;
}

/* Reader(key, limit, order, depth, ranks, scores, known): `known` documents as (starts, text), or
 * None for all there are; `ranks` and `scores` say whether those of the lines are kept. */
static PyObject *reader_object_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    const char *bytes, *name;
    Py_ssize_t size;
    long long limit, depth;
    int ranks, scores, order;
    PyObject *known;
    Key key;
    if (kwargs && PyDict_Size(kwargs)) {
        PyErr_SetString(PyExc_TypeError, "Reader() takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "y#LsLppO", &bytes, &size, &limit, &name, &depth, &ranks, &scores,
                          &known) ||
        (order = order_called(name)) < 0)
        return NULL;
    if (size != sizeof key)
        return PyErr_Format(PyExc_ValueError, "the key has %zd bytes, not 16", size);
    memcpy(&key, bytes, sizeof key);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    ReaderObject *self = (ReaderObject *)allocate(type, 0);
    if (!self) return NULL;
    Reader *r = self->reader = reader_new(key, limit, order, depth, ranks, scores);
    if (r) r->known = known != Py_None;
    if (!r) PyErr_NoMemory();
    if (r && (!r->known || take_known(known, &r->documents))) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void reader_object_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    reader_free(((ReaderObject *)self)->reader);
    release(self);
    Py_DECREF(type);
}

static Reader *idle(PyObject *self) {
    if (!((ReaderObject *)self)->busy) return ((ReaderObject *)self)->reader;
    PyErr_SetString(PyExc_RuntimeError, "this reader is at work in another thread");
    return NULL;
}

static PyObject *reader_object_begin(PyObject *self, PyObject *unused) {
    Reader *r = idle(self);
    (void)unused;
    if (!r) return NULL;
    reader_begin(r);
    Py_RETURN_NONE;
}

/* Only bytes are taken, no other buffer: they cannot change while they are read. */
static PyObject *reader_object_add(PyObject *self, PyObject *piece) {
    Reader *r = idle(self);
    char *bytes;
    Py_ssize_t size;
    int good;
    if (!r || PyBytes_AsStringAndSize(piece, &bytes, &size) < 0) return NULL;
    ((ReaderObject *)self)->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    good = reader_add(r, bytes, size);
    Py_END_ALLOW_THREADS
    ((ReaderObject *)self)->busy = 0;
    return good || r->irregular ? PyBool_FromLong(good) : PyErr_NoMemory();
}

/* take(): documents, ranks and scores of the lists that were not yet taken. */
static PyObject *reader_object_take(PyObject *self, PyObject *unused) {
    Reader *r = idle(self);
    (void)unused;
    if (!r) return NULL;
    PyObject *taken = Py_BuildValue("(NNN)", copy_of(r->document, r->kept, sizeof *r->document),
                                    copy_of(r->rank, r->ranks ? r->kept : 0, sizeof *r->rank),
                                    copy_of(r->score, r->scores ? r->kept : 0, sizeof *r->score));
    if (taken) r->kept = 0;
    return taken;
}

/* end(): None for an irregular run, else the topics of its lists and their sizes, the run tags of the first
 * and the last line, and what is known of the run. */
static PyObject *reader_object_end(PyObject *self, PyObject *unused) {
    Reader *r = idle(self);
    int good;
    (void)unused;
    if (!r) return NULL;
    ((ReaderObject *)self)->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    good = reader_end(r);
    Py_END_ALLOW_THREADS
    ((ReaderObject *)self)->busy = 0;
    if (!good && r->irregular) Py_RETURN_NONE;
    if (!good) return PyErr_NoMemory();
    const Facts *f = &r->facts;
    return Py_BuildValue(
        "(NNy#y#{s:L,s:L,s:L,s:L,s:L,s:L,s:L})",
        copy_of(r->group_topic, r->groups, sizeof *r->group_topic),
        copy_of(r->group_size, r->groups, sizeof *r->group_size), (const char *)r->first.text,
        (Py_ssize_t)r->first.size, (const char *)r->last.text, (Py_ssize_t)r->last.size,
        "lines", (long long)f->lines, "comments", (long long)f->comments,
        "bad_scores", (long long)f->bad_scores, "duplicates", (long long)f->duplicates,
        "tied", (long long)f->tied, "top10_differs", (long long)f->top10_differs,
        "wide", (long long)f->wide);
}

static PyObject *ids_of(PyObject *self, int documents) {
    const Reader *r = idle(self);
    if (!r) return NULL;
    const Ids *ids = documents ? &r->documents : &r->topics;
    return Py_BuildValue("(Ny#)", copy_of(ids->start, ids->count + 1, sizeof *ids->start),
                         ids->text, (Py_ssize_t)ids->text_size);
}

static PyObject *reader_object_topics(PyObject *self, PyObject *unused) {
    (void)unused;
    return ids_of(self, 0);
}

static PyObject *reader_object_documents(PyObject *self, PyObject *unused) {
    (void)unused;
    return ids_of(self, 1);
}

/* One topic of `rank_mapping` into its rows; 0 with an exception set. */
static int rank_topic(PyObject *ranking, PyObject *numbers, Entries *e, int order,
                      Py_ssize_t width, int32_t *number, int32_t *length, double *score,
                      PyObject **bad) {
    int good = entries_rank(e, order, ranking);
    int32_t first = INT32_MAX; /* of the mapping whose score is not finite */
    for (Py_ssize_t i = 0; good && i < e->held; i++) {
        const Listed *one = &e->list[i];
        if (!isfinite(one->score) && one->place < first) first = one->place;
        if (i >= width) continue;
        long found = number_in(numbers, e->documents[one->place]);
        good = found >= -1;
        number[i] = (int32_t)found;
        if (score) score[i] = one->score;
    }
    if (good && first < INT32_MAX && !*bad) *bad = Py_NewRef(e->documents[first]);
    *length = (int32_t)(e->held < width ? e->held : width);
    entries_drop(e);
    return good;
}

/* rank_mapping(run, topics, numbers, order, width, scores): the numbers of a run's documents, best
 * first, as [topic, width] of int32, -1 for a document without one, -2 behind the end; the lengths;
 * the scores or None; and (topic, document) of a score that is not finite, or None. */
static PyObject *rank_mapping(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *run, *topics, *numbers, *bad = NULL, *where = NULL, *result = NULL;
    const char *name;
    Py_ssize_t width;
    int scores, order;
    if (!PyArg_ParseTuple(args, "O!O!O!snp", &PyDict_Type, &run, &PyTuple_Type, &topics,
                          &PyDict_Type, &numbers, &name, &width, &scores) ||
        (order = order_called(name)) < 0)
        return NULL;
    if (order == ORDER_RANK || width < 0)
        return PyErr_Format(PyExc_ValueError, "a mapping has scores alone, and a width");
    Py_ssize_t rows = PyTuple_GET_SIZE(topics);
    PyObject *number = PyByteArray_FromStringAndSize(NULL, rows * width * 4);
    PyObject *length = PyByteArray_FromStringAndSize(NULL, rows * 4);
    PyObject *score = scores ? PyByteArray_FromStringAndSize(NULL, rows * width * 8) : Py_None;
    Entries entries = {NULL, NULL, NULL, 0, 0};
    int good = number && length && score;
    if (good) {
        for (Py_ssize_t i = 0; i < rows * width; i++)
            ((int32_t *)PyByteArray_AsString(number))[i] = BEHIND;
        memset(PyByteArray_AsString(length), 0, (size_t)rows * 4);
    }
    for (Py_ssize_t i = 0; good && scores && i < rows * width; i++)
        ((double *)PyByteArray_AsString(score))[i] = NAN;
    for (Py_ssize_t t = 0; good && t < rows; t++) {
        PyObject *topic = PyTuple_GET_ITEM(topics, t);
        PyObject *ranking = Py_XNewRef(PyDict_GetItemWithError(run, topic));
        int known = bad != NULL;
        if (ranking && PyDict_Check(ranking))
            good = rank_topic(ranking, numbers, &entries, order, width,
                              (int32_t *)PyByteArray_AsString(number) + t * width,
                              (int32_t *)PyByteArray_AsString(length) + t,
                              scores ? (double *)PyByteArray_AsString(score) + t * width : NULL,
                              &bad);
        else if (ranking) PyErr_SetString(PyExc_TypeError, "a ranking is not a dict");
        Py_XDECREF(ranking);
        good = good && !PyErr_Occurred();
        if (bad && !known) where = topic;
    }
    if (good)
        result = bad ? Py_BuildValue("(OOO(OO))", number, length, score, where, bad)
                     : Py_BuildValue("(OOOO)", number, length, score, Py_None);
    entries_free(&entries);
    Py_XDECREF(number), Py_XDECREF(length), Py_XDECREF(bad);
    if (scores) Py_XDECREF(score);
    return result;
}

static PyMethodDef FUNCTIONS[] = {
    {"rank_mapping", rank_mapping, METH_VARARGS, "a run that is given as a mapping, ranked"},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef METHODS[] = {
    {"begin", reader_object_begin, METH_NOARGS, "a run begins"},
    {"add", reader_object_add, METH_O, "add(piece): some bytes of the run; False if it is irregular"},
    {"take", reader_object_take, METH_NOARGS, "columns of the lists that were not yet taken"},
    {"end", reader_object_end, METH_NOARGS, "what is known of the run; None if it is irregular"},
    {"topics", reader_object_topics, METH_NOARGS, "where each topic id starts, and their text"},
    {"documents", reader_object_documents, METH_NOARGS,
     "where each document id starts, and their text"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot TYPE_SLOTS[] = {
    {Py_tp_doc, "Reads runs piece by piece; equal ids get equal numbers in all of them."},
    {Py_tp_new, reader_object_new},
    {Py_tp_dealloc, reader_object_free},
    {Py_tp_methods, METHODS},
    {0, NULL},
};

static PyType_Spec TYPE = {
    .name = "pipeline.runs._reader.Reader",
    .basicsize = sizeof(ReaderObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = TYPE_SLOTS,
};

FATHOM_MODULE(_reader, "The compiled run reader.", FUNCTIONS, add_type(module, "Reader", &TYPE))
