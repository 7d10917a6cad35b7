/* native/levels.h as the Python type Levels. Needs Python.h, which ../_reader.c includes.
 *
 * Lines are read without the GIL, so threads read side by side, each with a Levels of its own.
 */
#ifndef FATHOM_LEVELS_TYPE_H
#define FATHOM_LEVELS_TYPE_H

#include "levels.h"

typedef struct {
    PyObject_HEAD
    Levels *levels;
    PyObject *labels; /* whose memory the sides look into */
    int busy;         /* in another thread: the GIL guards this, and this guards the levels */
} LevelsObject;

/* Ids as (starts, text), both bytes, into a table; 0 with an exception set. */
static int take_ids(PyObject *given, Ids *ids) {
    const char *starts, *text;
    Py_ssize_t size, text_size;
    if (!PyArg_ParseTuple(given, "y#y#", &starts, &size, &text, &text_size)) return 0;
    const int64_t *start = (const int64_t *)(const void *)starts;
    int64_t count = (int64_t)(size / (Py_ssize_t)sizeof *start) - 1;
    int fits = count >= 0 && start[0] == 0 && start[count] <= text_size;
    for (int64_t i = 0; fits && i < count; i++) fits = start[i] <= start[i + 1];
    if (!fits) PyErr_SetString(PyExc_ValueError, "the starts do not fit the text");
    if (!fits) return 0;
    if (ids_fill(ids, count, start, text)) return 1;
    PyErr_SetString(PyExc_ValueError, "an id is there twice, or there is no memory for all");
    return 0;
}

/* A dimension as (from, document, level, usual), all bytes; 0 with an exception set. */
static int take_side(PyObject *given, const Levels *l, Side *side) {
    const char *from, *document, *level, *usual;
    Py_ssize_t n_from, n_document, n_level, n_usual;
    if (!PyTuple_Check(given) ||
        !PyArg_ParseTuple(given, "y#y#y#y#", &from, &n_from, &document, &n_document, &level,
                          &n_level, &usual, &n_usual))
        return 0;
    side->from = (const int64_t *)(const void *)from;
    side->document = (const int32_t *)(const void *)document;
    side->level = (const int32_t *)(const void *)level;
    side->usual = (const int32_t *)(const void *)usual;
    int64_t labels = (int64_t)n_document / 4, topics = l->topics.count;
    int fits = n_from == (topics + 1) * 8 && n_level == n_document && n_document == labels * 4 &&
               n_usual == l->judged.count * 4 && side->from[0] == 0 &&
               side->from[topics] == labels;
    for (int64_t t = 0; fits && t < topics; t++) fits = side->from[t] <= side->from[t + 1];
    for (int64_t i = 0; fits && i < labels; i++)
        fits = side->document[i] >= 0 && side->document[i] < l->judged.count;
    if (!fits) PyErr_SetString(PyExc_ValueError, "the labels do not fit the topics and documents");
    return fits;
}

/* Levels(key, topics, judged, dimensions, order, depth, each, scored): the topics that count and
 * the judged documents as ids, the labels of each dimension, and how lists are put in order. */
static PyObject *levels_object_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *topics, *judged, *labels;
    const char *bytes;
    Py_ssize_t size;
    long long depth;
    int order, each, scored;
    Key key;
    if (kwargs && PyDict_Size(kwargs)) {
        PyErr_SetString(PyExc_TypeError, "Levels() takes no names");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "y#O!O!O!iLip", &bytes, &size, &PyTuple_Type, &topics,
                          &PyTuple_Type, &judged, &PyTuple_Type, &labels, &order, &depth, &each,
                          &scored))
        return NULL;
    if (size != sizeof key || order < ORDER_SCORE32 || order > ORDER_RANK ||
        (each != 1 && each != 4)) {
        PyErr_SetString(PyExc_ValueError, "Levels() takes a key of 16 bytes, 1 or 4 bytes a level");
        return NULL;
    }
    memcpy(&key, bytes, sizeof key);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    LevelsObject *self = (LevelsObject *)allocate(type, 0);
    if (!self) return NULL;
    Levels *l = self->levels =
        levels_new(key, PyTuple_GET_SIZE(labels), order, each, depth, scored);
    self->labels = Py_NewRef(labels);
    int good = l && take_ids(topics, &l->topics) && take_ids(judged, &l->judged);
    for (Py_ssize_t d = 0; good && d < PyTuple_GET_SIZE(labels); d++)
        good = take_side(PyTuple_GET_ITEM(labels, d), l, &l->sides[d]);
    if (good && levels_ready(l)) return (PyObject *)self;
    Py_DECREF(self);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

static void levels_object_free(PyObject *object) {
    LevelsObject *self = (LevelsObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    levels_free(self->levels);
    Py_XDECREF(self->labels);
    release(object);
    Py_DECREF(type);
}

static int levels_busy(const LevelsObject *self) {
    if (self->busy) PyErr_SetString(PyExc_RuntimeError, "these are at work in another thread");
    return self->busy;
}

/* False where the run is odd, NULL where there was no memory. */
static PyObject *levels_answer(const Levels *l, int good) {
    return good || l->odd ? PyBool_FromLong(good) : PyErr_NoMemory();
}

static PyObject *levels_object_begin(PyObject *object, PyObject *unused) {
    LevelsObject *self = (LevelsObject *)object;
    (void)unused;
    if (levels_busy(self)) return NULL;
    return levels_answer(self->levels, levels_begin(self->levels));
}

static PyObject *levels_object_add(PyObject *object, PyObject *piece) {
    LevelsObject *self = (LevelsObject *)object;
    char *bytes;
    Py_ssize_t size;
    int good;
    if (PyBytes_AsStringAndSize(piece, &bytes, &size) < 0 || levels_busy(self)) return NULL;
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    good = levels_add(self->levels, bytes, size);
    Py_END_ALLOW_THREADS
    self->busy = 0;
    return levels_answer(self->levels, good);
}

/* None for an odd run, else the topics of its lists, their sizes, the levels of each dimension and
 * the scores one list behind the other; lines, scores that are not finite, duplicates; the tag of
 * the last line. */
static PyObject *levels_object_end(PyObject *object, PyObject *unused) {
    LevelsObject *self = (LevelsObject *)object;
    Levels *l = self->levels;
    int good;
    (void)unused;
    if (levels_busy(self)) return NULL;
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    good = levels_end(l);
    Py_END_ALLOW_THREADS
    self->busy = 0;
    if (!good && l->odd) Py_RETURN_NONE;
    if (!good) return PyErr_NoMemory();
    PyObject *sides = PyTuple_New((Py_ssize_t)l->dimensions);
    for (int64_t d = 0; sides && d < l->dimensions; d++) {
        PyObject *one = copy_of(l->sides[d].out, l->kept, (size_t)l->each);
        if (!one) Py_CLEAR(sides);
        if (one) PyTuple_SET_ITEM(sides, (Py_ssize_t)d, one);
    }
    if (!sides) return NULL;
    return Py_BuildValue("(NNNNLLLy#)", copy_of(l->group_topic, l->groups, sizeof(int32_t)),
                         copy_of(l->group_size, l->groups, sizeof(int64_t)), sides,
                         copy_of(l->score, l->scored ? l->kept : 0, sizeof(double)),
                         (long long)l->lines, (long long)l->bad_scores, (long long)l->duplicates,
                         (const char *)l->tag, (Py_ssize_t)l->tag_size);
}

static PyMethodDef LEVELS_METHODS[] = {
    {"begin", levels_object_begin, METH_NOARGS, "a new run begins"},
    {"add", levels_object_add, METH_O, "add(piece): some bytes of the run; False if it is odd"},
    {"end", levels_object_end, METH_NOARGS, "what a measure sees of the run; None if it is odd"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot LEVELS_SLOTS[] = {
    {Py_tp_doc, "What a measure sees of runs, straight from their lines."},
    {Py_tp_new, levels_object_new},
    {Py_tp_dealloc, levels_object_free},
    {Py_tp_methods, LEVELS_METHODS},
    {0, NULL},
};

static PyType_Spec LEVELS_TYPE = {
    .name = "pipeline.runs._reader.Levels",
    .basicsize = sizeof(LevelsObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = LEVELS_SLOTS,
};

#endif
