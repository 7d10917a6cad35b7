/* The Python module pipeline.runs._reader: the run reader of native/run.h as a type.
 *
 * Reading happens without the GIL, so threads read side by side, each with a reader of its own.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "native/run.h"

#include "native/mapping.h"
#include "native/stream.h"

#ifndef SOURCES_DIGEST
#error "setup.py defines SOURCES_DIGEST, the digest of the C sources"
#endif

typedef struct {
    PyObject_HEAD
    Reader *reader;
    Stream *stream; /* NULL until a run comes in pieces */
    int busy; /* in another thread: the GIL guards this, and this guards the reader */
} ReaderObject;

static const char *const PROBLEMS[] = {
    [OK] = "",           [NO_MEMORY] = "memory", [BINARY] = "binary",     [FIELDS] = "fields",
    [BAD_RANK] = "rank", [BAD_SCORE] = "score",  [TOO_MANY] = "too many",
};
static const char *const ORDERS[] = {
    [ORDER_SCORE32] = "score32", [ORDER_SCORE64] = "score64", [ORDER_RANK] = "rank",
};

static PyObject *reader_object_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"key", "limit", NULL};
    const char *bytes;
    Py_ssize_t size;
    long long limit;
    Key key;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y#L", names, &bytes, &size, &limit))
        return NULL;
    if (size != sizeof key)
        return PyErr_Format(PyExc_ValueError, "the key has %zd bytes, not 16", size);
    memcpy(&key, bytes, sizeof key);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    ReaderObject *self = (ReaderObject *)allocate(type, 0);
    if (!self) return NULL;
    self->reader = reader_new(key, limit);
    if (!self->reader) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void reader_object_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    stream_free(((ReaderObject *)self)->stream);
    reader_free(((ReaderObject *)self)->reader);
    release(self);
    Py_DECREF(type);
}

static int refuse_busy(const ReaderObject *self) {
    if (self->busy)
        PyErr_SetString(PyExc_RuntimeError, "this reader is at work in another thread");
    return self->busy;
}

static PyObject *summary_dict(const Summary *sum) {
    return Py_BuildValue(
        "{s:s,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L}",
        "error", PROBLEMS[sum->error],
        "line", (long long)sum->line,
        "at", (long long)sum->at,
        "size", (long long)sum->size,
        "fields", (long long)sum->fields,
        "lines", (long long)sum->lines,
        "rows", (long long)sum->rows,
        "topics", (long long)sum->topics,
        "bad_scores", (long long)sum->bad_scores,
        "bad_score_line", (long long)sum->bad_score_line,
        "tag_at", (long long)sum->tag_at,
        "tag_size", (long long)sum->tag_size,
        "duplicates", (long long)sum->odd.duplicates,
        "duplicate_line", (long long)sum->odd.duplicate_line,
        "tied", (long long)sum->odd.tied,
        "top10_differs", (long long)sum->odd.top10_differs);
}

static PyObject *room_for(int64_t count, size_t each) {
    return PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)count * (Py_ssize_t)each);
}

static PyObject *copy_of(const void *values, int64_t count, size_t each) {
    return PyByteArray_FromStringAndSize((const char *)values,
                                         (Py_ssize_t)count * (Py_ssize_t)each);
}

/* The ranking as six columns of memory, in the order of pipeline.runs.reading.Rows. */
static PyObject *columns(const Reader *r, int64_t rows) {
    PyObject *topic = room_for(rows, sizeof(int32_t)), *document = room_for(rows, sizeof(int32_t));
    PyObject *rank = room_for(rows, sizeof(int32_t)), *score = room_for(rows, sizeof(double));
    PyObject *group_topic = copy_of(r->group_topic, r->groups, sizeof(int32_t));
    PyObject *group_size = copy_of(r->group_size, r->groups, sizeof(int64_t));
    if (topic && document && rank && score && group_topic && group_size) {
        reader_take(r, (int32_t *)PyByteArray_AsString(topic),
                    (int32_t *)PyByteArray_AsString(document),
                    (int32_t *)PyByteArray_AsString(rank), (double *)PyByteArray_AsString(score));
        return Py_BuildValue("(NNNNNN)", topic, document, rank, score, group_topic, group_size);
    }
    Py_XDECREF(topic), Py_XDECREF(document), Py_XDECREF(rank), Py_XDECREF(score);
    Py_XDECREF(group_topic), Py_XDECREF(group_size);
    return NULL;
}

/* The number of an order; -1 with an exception set. */
static int order_called(const char *name) {
    int order = 0, orders = sizeof ORDERS / sizeof *ORDERS;
    while (order < orders && strcmp(name, ORDERS[order])) order++;
    if (order < orders) return order;
    PyErr_Format(PyExc_ValueError, "'%s' is no order of a run", name);
    return -1;
}

/* Only bytes are taken, no other buffer: they end in a NUL, which the reader stops at, and they
 * cannot change while it reads. */
static PyObject *reader_object_read(PyObject *object, PyObject *args) {
    ReaderObject *self = (ReaderObject *)object;
    PyObject *content;
    const char *order_name;
    char *buffer;
    Py_ssize_t size;
    long long depth;
    Summary sum;
    int order;
    if (!PyArg_ParseTuple(args, "SsL", &content, &order_name, &depth)) return NULL;
    if (PyBytes_AsStringAndSize(content, &buffer, &size) < 0) return NULL;
    if ((order = order_called(order_name)) < 0 || refuse_busy(self)) return NULL;
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    reader_read(self->reader, buffer, size, order, depth, &sum);
    Py_END_ALLOW_THREADS
    self->busy = 0;
    if (sum.error == NO_MEMORY) return PyErr_NoMemory();
    PyObject *found = columns(self->reader, sum.rows);
    return found ? Py_BuildValue("(NN)", found, summary_dict(&sum)) : NULL;
}

static PyObject *ids_of(const ReaderObject *self, const Ids *ids) {
    if (refuse_busy(self)) return NULL;
    return Py_BuildValue("(Ny#)", copy_of(ids->start, ids->count + 1, sizeof *ids->start),
                         ids->text, (Py_ssize_t)ids->text_size);
}

static PyObject *reader_object_topics(PyObject *self, PyObject *unused) {
    (void)unused;
    return ids_of((ReaderObject *)self, &((ReaderObject *)self)->reader->topics);
}

static PyObject *reader_object_documents(PyObject *self, PyObject *unused) {
    (void)unused;
    return ids_of((ReaderObject *)self, &((ReaderObject *)self)->reader->documents);
}

/* find(starts, text): the number of each of some document ids, -1 for one that no run has. */
static PyObject *reader_object_find(PyObject *object, PyObject *args) {
    ReaderObject *self = (ReaderObject *)object;
    Py_buffer starts, text;
    if (!PyArg_ParseTuple(args, "y*y*", &starts, &text)) return NULL;
    const int64_t *start = starts.buf;
    int64_t count = (int64_t)(starts.len / (Py_ssize_t)sizeof *start) - 1;
    PyObject *found = NULL;
    if (!refuse_busy(self) && count >= 0) found = room_for(count, sizeof(int32_t));
    for (int64_t i = 0; found && i < count; i++) {
        if (start[i] < 0 || start[i + 1] < start[i] || start[i + 1] > text.len) {
            PyErr_SetString(PyExc_ValueError, "the starts do not fit the text");
            Py_CLEAR(found);
            break;
        }
        const Ids *ids = &self->reader->documents;
        const unsigned char *id = (const unsigned char *)text.buf + start[i];
        int64_t size = start[i + 1] - start[i];
        ((int32_t *)PyByteArray_AsString(found))[i] =
            (int32_t)ids_find(ids, id, size, ids_hash(ids->key, id, size));
    }
    PyBuffer_Release(&starts), PyBuffer_Release(&text);
    return found;
}

/* One topic of `mapping_levels`: its levels into the rows at `place`; 0 with an exception set. */
static int topic_levels(PyObject *list, PyObject *topic, PyObject *here, PyObject *everywhere,
                        Entry *entries, int wide, long long depth, char **rows, int each,
                        double *score, int32_t *length, PyObject **bad) {
    int64_t n = take_entries(list, wide, entries, bad);
    if (n < 0) return 0;
    sort_entries(entries, entries + PyDict_Size(list), n);
    if (PyErr_Occurred()) return 0;
    if (depth > 0 && n > depth) n = depth;
    *length = (int32_t)n;
    for (Py_ssize_t d = 0; d < PyTuple_GET_SIZE(here); d++) {
        PyObject *mine = PyDict_GetItemWithError(PyTuple_GET_ITEM(here, d), topic);
        PyObject *all = PyTuple_GET_ITEM(everywhere, d);
        if (!mine && PyErr_Occurred()) return 0;
        for (int64_t i = 0; i < n; i++) {
            long level = level_of(entries[i].document, mine, PyDict_Size(all) ? all : NULL);
            if (level < 0 && PyErr_Occurred()) return 0;
            if (each == 1)
                ((uint8_t *)rows[d])[i] = (uint8_t)level;
            else
                ((int32_t *)rows[d])[i] = (int32_t)level;
        }
    }
    for (int64_t i = 0; score && i < n; i++) score[i] = entries[i].score;
    return 1;
}

/* levels(run, topics, here, everywhere, order, depth, width, each, scores): what a measure sees of a
 * run that is a mapping. `here` has for each dimension {topic: {document: level}}, `everywhere`
 * {document: level}; arrays are [topic, width] with `each` bytes a level. Returns the levels of each
 * dimension, the lengths, the scores or None, and (topic, document) of a score that is not finite or
 * None. */
static PyObject *mapping_levels(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *run, *topics, *here, *everywhere, *bad = NULL, *where = NULL, *result = NULL;
    const char *order;
    long long depth, width;
    int each, scores;
    if (!PyArg_ParseTuple(args, "O!O!O!O!sLLip", &PyDict_Type, &run, &PyList_Type, &topics,
                          &PyTuple_Type, &here, &PyTuple_Type, &everywhere, &order, &depth, &width,
                          &each, &scores))
        return NULL;
    int wide = strcmp(order, "score64") == 0;
    Py_ssize_t rows = PyList_GET_SIZE(topics), dimensions = PyTuple_GET_SIZE(here);
    if ((!wide && strcmp(order, "score32")) || width < 0 || (each != 1 && each != 4) ||
        PyTuple_GET_SIZE(everywhere) != dimensions) {
        PyErr_SetString(PyExc_ValueError, "levels() takes score32 or score64, and 1 or 4 bytes");
        return NULL;
    }
    PyObject *levels = PyTuple_New(dimensions), *length = room_for(rows, sizeof(int32_t));
    PyObject *score = scores ? room_for(rows * width, sizeof(double)) : NULL;
    Entry *entries = NULL;
    char **at = PyMem_Calloc((size_t)dimensions + 1, sizeof *at);
    int good = levels && length && at && (!scores || score);
    for (Py_ssize_t d = 0; good && d < dimensions; d++) {
        PyObject *one = room_for(rows * width, (size_t)each);
        if ((good = one != NULL)) {
            memset(PyByteArray_AsString(one), 0, (size_t)PyByteArray_Size(one));
            PyTuple_SET_ITEM(levels, d, one);
            good = PyDict_Check(PyTuple_GET_ITEM(here, d)) &&
                   PyDict_Check(PyTuple_GET_ITEM(everywhere, d));
            if (!good) PyErr_SetString(PyExc_TypeError, "levels are given as dicts");
        }
    }
    if (good) memset(PyByteArray_AsString(length), 0, (size_t)PyByteArray_Size(length));
    for (Py_ssize_t i = 0; good && score && i < rows * width; i++)
        ((double *)PyByteArray_AsString(score))[i] = NAN;
    for (Py_ssize_t t = 0; good && t < rows; t++) {
        PyObject *topic = PyList_GET_ITEM(topics, t), *first = NULL;
        PyObject *list = PyDict_GetItemWithError(run, topic);
        if (!list) {
            good = !PyErr_Occurred();
            continue;
        }
        if (!PyDict_Check(list) || (depth > 0 ? width < depth && width < PyDict_Size(list)
                                              : width < PyDict_Size(list))) {
            PyErr_SetString(PyExc_ValueError, "a list is no dict, or longer than the width");
            good = 0;
            break;
        }
        Entry *more = PyMem_Realloc(entries, (2 * (size_t)PyDict_Size(list) + 1) * sizeof *more);
        if (!more) {
            PyErr_NoMemory();
            good = 0;
            break;
        }
        entries = more;
        for (Py_ssize_t d = 0; d < dimensions; d++)
            at[d] = PyByteArray_AsString(PyTuple_GET_ITEM(levels, d)) + t * width * each;
        double *mine = score ? (double *)PyByteArray_AsString(score) + t * width : NULL;
        good = topic_levels(list, topic, here, everywhere, entries, wide, depth, at, each, mine,
                            (int32_t *)PyByteArray_AsString(length) + t, &first);
        if (good && first && !bad) {
            bad = first;
            where = topic;
        }
    }
    if (good && !PyErr_Occurred())
        result = bad ? Py_BuildValue("(OOO(OO))", levels, length, score ? score : Py_None, where, bad)
                     : Py_BuildValue("(OOOO)", levels, length, score ? score : Py_None, Py_None);
    PyMem_Free(entries), PyMem_Free(at);
    Py_XDECREF(levels), Py_XDECREF(length), Py_XDECREF(score);
    return result;
}

#include "native/levels_type.h"

static PyMethodDef FUNCTIONS[] = {
    {"levels", mapping_levels, METH_VARARGS, "the levels of a run that is given as a mapping"},
    {NULL, NULL, 0, NULL},
};

#include "native/stream_type.h"

static PyMethodDef METHODS[] = {
    {"read", reader_object_read, METH_VARARGS,
     "read(content, order, depth): the columns of the ranking and a summary"},
    {"begin", reader_object_begin, METH_VARARGS,
     "begin(order, depth, ranks): a run begins that comes in pieces"},
    {"add", reader_object_add, METH_O, "add(piece): some bytes of the run; False if it is odd"},
    {"take", reader_object_take, METH_NOARGS, "columns of the lists that were not yet taken"},
    {"end", reader_object_end, METH_NOARGS, "what is known of the run; None if it is odd"},
    {"topics", reader_object_topics, METH_NOARGS, "where each topic id starts, and their text"},
    {"documents", reader_object_documents, METH_NOARGS,
     "where each document id starts, and their text"},
    {"find", reader_object_find, METH_VARARGS, "find(starts, text): numbers of document ids"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot TYPE_SLOTS[] = {
    {Py_tp_doc, "Reader(key, limit): reads runs; equal ids get equal numbers in all of them."},
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

static int add_type(PyObject *module, const char *name, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    int added = type ? PyModule_AddObjectRef(module, name, type) : -1;
    Py_XDECREF(type);
    return added;
}

static int module_exec(PyObject *module) {
    if (add_type(module, "Reader", &TYPE) < 0 || add_type(module, "Levels", &LEVELS_TYPE) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "SOURCES_DIGEST", SOURCES_DIGEST);
}

static PyModuleDef_Slot MODULE_SLOTS[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_reader",
    .m_doc = "The compiled run reader.",
    .m_methods = FUNCTIONS,
    .m_slots = MODULE_SLOTS,
};

PyMODINIT_FUNC PyInit__reader(void) { return PyModuleDef_Init(&MODULE); }
