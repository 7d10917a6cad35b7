/* The Python module pipeline.api.trec_eval._lines: figures as the lines that trec_eval prints.
 *
 * Python's own formatting of a number costs more than most measures do.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>

#ifndef SOURCES_DIGEST
#error "setup.py defines SOURCES_DIGEST, the digest of the C sources"
#endif

typedef struct {
    char *bytes;
    Py_ssize_t size, room;
} Text;

/* Room for `more` bytes; 0 without memory, and with an exception. */
static int text_room(Text *text, Py_ssize_t more) {
    if (more <= text->room - text->size) return 1;
    Py_ssize_t room = 2 * text->room + more + 4096;
    char *bytes = PyMem_Realloc(text->bytes, (size_t)room);
    if (!bytes) {
        PyErr_NoMemory();
        return 0;
    }
    text->bytes = bytes, text->room = room;
    return 1;
}

static int add(Text *text, const char *bytes, Py_ssize_t size) {
    if (!text_room(text, size)) return 0;
    memcpy(text->bytes + text->size, bytes, (size_t)size);
    text->size += size;
    return 1;
}

/* The digits of n, at least `least` of them. */
static void add_digits(Text *text, int64_t n, int least) {
    char digits[24];
    int count = 0;
    for (; n || count < least; n /= 10) digits[count++] = (char)('0' + n % 10);
    while (count) text->bytes[text->size++] = digits[--count];
}

/* A number with `decimals` (0 or 4) digits behind the point, as Python's %.0f and %6.4f write it. */
static int add_number(Text *text, double x, int decimals) {
    if (!text_room(text, 64)) return 0;
    if (x >= 0 && x < 1e6 && !signbit(x)) {
        /* The product is off by less than 1e-6: only next to halfway could that round otherwise. */
        double scaled = decimals ? x * 1e4 : x, part = scaled - floor(scaled);
        if (fabs(part - 0.5) > 1e-5) {
            int64_t n = (int64_t)scaled + (part > 0.5), unit = decimals ? 10000 : 1;
            add_digits(text, n / unit, 1);
            if (decimals) {
                text->bytes[text->size++] = '.';
                add_digits(text, n % unit, 4);
            }
            return 1;
        }
    }
    char *exact = PyOS_double_to_string(x, 'f', decimals, 0, NULL);
    if (!exact) return 0;
    Py_ssize_t size = (Py_ssize_t)strlen(exact);
    int good = (!decimals || size >= 6 || add(text, "      ", 6 - size)) && add(text, exact, size);
    PyMem_Free(exact);
    return good;
}

static int add_bytes(Text *text, PyObject *bytes) {
    char *start;
    Py_ssize_t size;
    return PyBytes_AsStringAndSize(bytes, &start, &size) == 0 && add(text, start, size);
}

/* lines(topics, heads, kinds, values, texts): for each topic a line for each head: the head, the
 * topic, a tab and the cell. A column's kind is 'w' for a whole number, 'd' for one with four
 * decimals, both from `values` [topic, column] as doubles, or 't' for the next of `texts`. */
static PyObject *lines(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *topics, *heads, *texts;
    const char *kinds;
    Py_ssize_t columns;
    Py_buffer values;
    if (!PyArg_ParseTuple(args, "O!O!y#y*O!", &PyList_Type, &topics, &PyList_Type, &heads, &kinds,
                          &columns, &values, &PyList_Type, &texts))
        return NULL;
    Py_ssize_t rows = PyList_GET_SIZE(topics), wanted = 0, at = 0;
    for (Py_ssize_t c = 0; c < columns; c++) wanted += rows * (kinds[c] == 't');
    Text text = {NULL, 0, 0};
    int good = PyList_GET_SIZE(heads) == columns && PyList_GET_SIZE(texts) == wanted &&
               values.len == rows * columns * (Py_ssize_t)sizeof(double);
    if (!good) PyErr_SetString(PyExc_ValueError, "topics, heads, values and texts do not fit");
    const double *value = values.buf;
    for (Py_ssize_t r = 0; good && r < rows; r++)
        for (Py_ssize_t c = 0; good && c < columns; c++, value++) {
            good = add_bytes(&text, PyList_GET_ITEM(heads, c)) &&
                   add_bytes(&text, PyList_GET_ITEM(topics, r)) && add(&text, "\t", 1) &&
                   (kinds[c] == 't' ? add_bytes(&text, PyList_GET_ITEM(texts, at++))
                                    : add_number(&text, *value, kinds[c] == 'w' ? 0 : 4)) &&
                   add(&text, "\n", 1);
        }
    PyObject *found = good ? PyUnicode_DecodeUTF8(text.bytes, text.size, NULL) : NULL;
    PyMem_Free(text.bytes);
    PyBuffer_Release(&values);
    return found;
}

static PyMethodDef METHODS[] = {
    {"lines", lines, METH_VARARGS, "lines(topics, heads, kinds, values, texts): the lines of a run"},
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module) {
    return PyModule_AddStringConstant(module, "SOURCES_DIGEST", SOURCES_DIGEST);
}

static PyModuleDef_Slot MODULE_SLOTS[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_lines",
    .m_doc = "Figures as trec_eval prints them.",
    .m_methods = METHODS,
    .m_slots = MODULE_SLOTS,
};

PyMODINIT_FUNC PyInit__lines(void) { return PyModuleDef_Init(&MODULE); }
