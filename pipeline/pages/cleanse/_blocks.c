/* The Python module pipeline.pages.cleanse._blocks: the block method of native/score.h as a type.
 *
 * A Blocks object is its tables, which never change, so threads may use one side by side; pages are
 * read without the GIL.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "native/score.h"
#include "../../storage/native/module.h"

#ifndef SOURCES_DIGEST
#error "setup.py defines SOURCES_DIGEST, the digest of the C sources"
#endif

typedef struct {
    PyObject_HEAD
    Model model;
} BlocksObject;

/* Add the words of one group, a pair (whether it speaks against a block, its words). */
static int add_group(Model *model, PyObject *group, int number) {
    PyObject *words, *iterator, *word;
    int negative;
    if (!PyArg_ParseTuple(group, "pO", &negative, &words)) return 0;
    if (negative) model->negative |= 1u << number;
    if (!(iterator = PyObject_GetIter(words))) return 0;
    while ((word = PyIter_Next(iterator))) {
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(word, &size);
        int added = text && hint_add(&model->hints, text, size, number);
        if (text && !added) PyErr_Format(PyExc_ValueError, "%R cannot be a hint", word);
        Py_DECREF(word);
        if (!added) break;
    }
    Py_DECREF(iterator);
    return !PyErr_Occurred();
}

static int fill(Model *model, PyObject *groups, const char *weights, Py_ssize_t size) {
    Py_ssize_t count = PySequence_Size(groups);
    if (count < 0) return 0;
    if (count > HINT_GROUPS) {
        PyErr_Format(PyExc_ValueError, "%zd groups of hints; there may be %d", count, HINT_GROUPS);
        return 0;
    }
    if (size != (FIXED_FEATURES + count) * (Py_ssize_t)sizeof(double)) {
        PyErr_Format(PyExc_ValueError, "weights of %zd bytes for %zd features", size,
                     FIXED_FEATURES + count);
        return 0;
    }
    memcpy(model->weights, weights, (size_t)size);
    model->groups = (int)count;
    for (int number = 0; number < (int)count; number++) {
        PyObject *group = PySequence_GetItem(groups, number);
        int added = group && add_group(model, group, number);
        Py_XDECREF(group);
        if (!added) return 0;
    }
    for (int tag = 1; tag < TAG_COUNT; tag++)
        model->tag_hints[tag] = hint_names(&model->hints, TAG_ROWS[tag].name, TAG_ROWS[tag].size);
    model->hidden = hint_names(&model->hints, "hidden", 6);
    return 1;
}

static PyObject *blocks_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"groups", "weights", NULL};
    PyObject *groups;
    const char *weights;
    Py_ssize_t size;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "Oy#", names, &groups, &weights, &size))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    BlocksObject *self = (BlocksObject *)allocate(type, 0); /* all zero */
    if (self && !fill(&self->model, groups, weights, size)) Py_CLEAR(self);
    return (PyObject *)self;
}

static void blocks_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* Read the page in `given`; 0 with an exception, and then nothing is due. */
static int read_page(const Model *model, PyObject *given, Scored *scored) {
    char *s;
    Py_ssize_t size;
    int done;
    if (PyBytes_AsStringAndSize(given, &s, &size) < 0) return 0;
    if (size > PAGE_LARGEST) {
        PyErr_Format(PyExc_ValueError, "a page of %zd bytes is too large", size);
        return 0;
    }
    Py_BEGIN_ALLOW_THREADS
    done = scored_read(scored, model, s, size);
    Py_END_ALLOW_THREADS
    if (!done) {
        scored_free(scored);
        PyErr_NoMemory();
    }
    return done;
}

static PyObject *blocks_text(PyObject *self, PyObject *given) {
    const Model *model = &((BlocksObject *)self)->model;
    Scored scored;
    Py_ssize_t size = 0, words = 0;
    if (!read_page(model, given, &scored)) return NULL;
    Page *page = &scored.page;
    for (int32_t b = 0; b < page->block_count; b++) {
        const Block *block = &page->blocks[b];
        if (!score_keeps(score_of(&scored, model, b))) continue;
        if (size) page->text[size++] = '\n';
        memmove(page->text + size, page->text + block->start, (size_t)(block->end - block->start));
        size += block->end - block->start;
        words += block->words;
    }
    PyObject *text = PyUnicode_DecodeUTF8(page->text, size, "replace");
    scored_free(&scored);
    return text ? Py_BuildValue("(Nn)", text, words) : NULL;
}

/* One block as a dict, with its features as an array of double. */
static PyObject *described(const Scored *scored, const Model *model, int32_t b) {
    const Page *page = &scored->page;
    const Block *block = &page->blocks[b];
    const Element *line = &page->elements[page->elements[block->element].line];
    double x[MOST_FEATURES];
    score_features(scored, model, b, x);
    return Py_BuildValue(
        "{s:N,s:i,s:i,s:s,s:i,s:d,s:N}",
        "text", PyUnicode_DecodeUTF8(page->text + block->start, block->end - block->start, "replace"),
        "words", (int)block->words,
        "linked", (int)block->linked,
        "tag", TAG_ROWS[line->tag].name,
        "depth", (int)line->depth,
        "score", score_of(scored, model, b),
        "features", PyByteArray_FromStringAndSize(
            (const char *)x, (FIXED_FEATURES + model->groups) * (Py_ssize_t)sizeof *x));
}

static PyObject *blocks_describe(PyObject *self, PyObject *given) {
    const Model *model = &((BlocksObject *)self)->model;
    Scored scored;
    if (!read_page(model, given, &scored)) return NULL;
    PyObject *list = PyList_New(0);
    for (int32_t b = 0; list && b < scored.page.block_count; b++) {
        PyObject *one = described(&scored, model, b);
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    scored_free(&scored);
    return list;
}

static PyMethodDef METHODS[] = {
    {"text", blocks_text, METH_O, "text(page): the kept blocks, a line each, and their words"},
    {"describe", blocks_describe, METH_O, "describe(page): every block, a dict each"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot TYPE_SLOTS[] = {
    {Py_tp_doc, "Blocks(groups, weights): finds the text of pages in UTF-8."},
    {Py_tp_new, blocks_new},
    {Py_tp_dealloc, blocks_free},
    {Py_tp_methods, METHODS},
    {0, NULL},
};

static PyType_Spec TYPE = {
    .name = "pipeline.pages.cleanse._blocks.Blocks",
    .basicsize = sizeof(BlocksObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = TYPE_SLOTS,
};

#define FEATURE_PAIR(id, name, means) {name, means},
static const char *const FEATURE_TABLE[][2] = {FEATURES(FEATURE_PAIR)};
#undef FEATURE_PAIR

/* The fixed features, as pairs (name, what it says of a block), in the order of their weights. */
static PyObject *feature_names(void) {
    PyObject *names = PyTuple_New(FIXED_FEATURES);
    for (int f = 0; names && f < FIXED_FEATURES; f++) {
        PyObject *pair = Py_BuildValue("(ss)", FEATURE_TABLE[f][0], FEATURE_TABLE[f][1]);
        if (!pair) Py_CLEAR(names);
        else PyTuple_SetItem(names, f, pair);
    }
    return names;
}

static int add_parts(PyObject *module) {
    PyObject *features = feature_names();
    int added = features ? PyModule_AddObjectRef(module, "FEATURES", features) : -1;
    Py_XDECREF(features);
    return added < 0 ? -1 : add_type(module, "Blocks", &TYPE);
}

FATHOM_MODULE(_blocks, "The compiled block method.", NULL, add_parts(module))
