/* The Python module pipeline.pages.readability._counting: the counter of native/counting.h as a type.
 *
 * A Counter remembers words, so it is used under the GIL.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "native/counting.h"
#include "../../storage/native/module.h"

#ifndef SOURCES_DIGEST
#error "setup.py defines SOURCES_DIGEST, the digest of the C sources"
#endif

typedef struct {
    PyObject_HEAD
    PyObject *dictionary, *easy; /* the bytes that the lexicon points into */
    Counter counter;
} CounterObject;

/* What the interpreter's own tables say of a character: so it is what `re` and `str` go by. */
static uint8_t kind(uint32_t c, const void *tables) {
    (void)tables;
    return (uint8_t)((Py_UNICODE_ISSPACE(c) ? SPACE : 0) | (Py_UNICODE_ISALNUM(c) ? LETTER : 0) |
                     (Py_UNICODE_ISDIGIT(c) ? DIGIT : 0) | (Py_UNICODE_ISLOWER(c) ? LOWER : 0));
}

static int index_words(Words *words, PyObject *given, char end) {
    char *text;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(given, &text, &size) < 0) return 0;
    if (size >= UINT32_MAX / 4) {
        PyErr_Format(PyExc_ValueError, "a list of words of %zd bytes is too large", size);
        return 0;
    }
    if (!words_index(words, text, size, end)) PyErr_NoMemory();
    return words->slots != NULL;
}

/* Add pairs of an ending and what stands instead of it. */
static int add_endings(Lexicon *lexicon, PyObject *pairs) {
    PyObject *iterator = PyObject_GetIter(pairs), *pair;
    while (iterator && (pair = PyIter_Next(iterator))) {
        const char *ending, *instead;
        if (PyArg_ParseTuple(pair, "ss", &ending, &instead) &&
            !lexicon_add_ending(lexicon, ending, instead))
            PyErr_Format(PyExc_ValueError, "%R cannot be an ending", pair);
        Py_DECREF(pair);
        if (PyErr_Occurred()) break;
    }
    Py_XDECREF(iterator);
    return !PyErr_Occurred();
}

/* Add the abbreviations of one role. */
static int add_abbreviations(Counter *counter, PyObject *names, int role) {
    PyObject *iterator = PyObject_GetIter(names), *name;
    while (iterator && (name = PyIter_Next(iterator))) {
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(name, &size);
        if (text && !counter_add_abbreviation(counter, text, size, role))
            PyErr_Format(PyExc_ValueError, "%R cannot be an abbreviation", name);
        Py_DECREF(name);
        if (PyErr_Occurred()) break;
    }
    Py_XDECREF(iterator);
    return !PyErr_Occurred();
}

static int fill(CounterObject *self, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"dictionary", "easy", "endings", "never", "before_digit", "before_lower",
                            "most", NULL};
    PyObject *dictionary, *easy, *endings, *never, *before_digit, *before_lower;
    Counter *counter = &self->counter;
    int most;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "$SSOOOOi", names, &dictionary, &easy, &endings,
                                     &never, &before_digit, &before_lower, &most))
        return 0;
    if (most < 1 || most > UINT8_MAX) {
        PyErr_Format(PyExc_ValueError, "a word of %d syllables", most);
        return 0;
    }
    self->dictionary = Py_NewRef(dictionary);
    self->easy = Py_NewRef(easy);
    counter->lexicon.most = most;
    counter->kind = kind;
    for (uint32_t c = 0; c < 128; c++) counter->ascii[c] = kind(c, NULL);
    return index_words(&counter->lexicon.dictionary, dictionary, ' ') &&
           index_words(&counter->lexicon.easy, easy, '\n') &&
           add_endings(&counter->lexicon, endings) &&
           add_abbreviations(counter, never, NEVER_ENDS) &&
           add_abbreviations(counter, before_digit, BEFORE_DIGIT) &&
           add_abbreviations(counter, before_lower, BEFORE_LOWER);
}

static PyObject *counter_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    CounterObject *self = (CounterObject *)allocate(type, 0); /* all zero */
    if (self && !fill(self, args, kwargs)) Py_CLEAR(self);
    return (PyObject *)self;
}

static void counter_free(PyObject *object) {
    CounterObject *self = (CounterObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    lexicon_free(&self->counter.lexicon);
    Py_XDECREF(self->dictionary);
    Py_XDECREF(self->easy);
    release(object);
    Py_DECREF(type);
}

static int hand_back(void *to, const char *piece, int64_t size) {
    PyObject *text = PyUnicode_DecodeUTF8(piece, (Py_ssize_t)size, NULL);
    int done = text && PyList_Append((PyObject *)to, text) == 0;
    Py_XDECREF(text);
    return done;
}

static PyObject *counter_count(PyObject *self, PyObject *text) {
    Counter *counter = &((CounterObject *)self)->counter;
    Py_ssize_t size;
    const char *s = PyUnicode_AsUTF8AndSize(text, &size);
    PyObject *left = s ? PyList_New(0) : NULL;
    Counted sum = {0};
    if (!left) return NULL;
    if (!add_words(counter, s, size, &sum, hand_back, left)) {
        Py_DECREF(left);
        return NULL;
    }
    sum.sentences = sentences(counter, s, size);
    return Py_BuildValue("((LLLLLL)N)", (long long)sum.words, (long long)sum.sentences,
                         (long long)sum.syllables, (long long)sum.complex_words,
                         (long long)sum.characters, (long long)sum.difficult_words, left);
}

static PyMethodDef METHODS[] = {
    {"count", counter_count, METH_O,
     "count(text): the counts of a text, and the pieces of it whose words are not among them"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot TYPE_SLOTS[] = {
    {Py_tp_doc, "Counts words, sentences and syllables of texts in compatible form (NFKC)."},
    {Py_tp_new, counter_new},
    {Py_tp_dealloc, counter_free},
    {Py_tp_methods, METHODS},
    {0, NULL},
};

static PyType_Spec TYPE = {
    .name = "pipeline.pages.readability._counting.Counter",
    .basicsize = sizeof(CounterObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = TYPE_SLOTS,
};

FATHOM_MODULE(_counting, "The compiled counter.", NULL, add_type(module, "Counter", &TYPE))
