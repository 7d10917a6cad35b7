/* The set-up of every compiled module: its functions, perhaps one type, and what it was built from. */
#ifndef FATHOM_MODULE_H
#define FATHOM_MODULE_H

#include <Python.h>

/* Adds a type to a module under its name. */
static inline int add_type(PyObject *module, const char *name, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    int added = type ? PyModule_AddObjectRef(module, name, type) : -1;
    Py_XDECREF(type);
    return added;
}

/* FILL(module) adds what the module has beside its functions, and returns -1 if it cannot. */
#define FATHOM_MODULE(NAME, DOC, FUNCTIONS, FILL)                                                  \
    static int module_exec(PyObject *module) {                                                     \
        if ((FILL) < 0) return -1;                                                                 \
        return PyModule_AddStringConstant(module, "SOURCES_DIGEST", SOURCES_DIGEST);               \
    }                                                                                              \
    static PyModuleDef_Slot MODULE_SLOTS[] = {{Py_mod_exec, module_exec}, {0, NULL}};              \
    static PyModuleDef MODULE = {                                                                  \
        .m_base = PyModuleDef_HEAD_INIT, .m_name = #NAME, .m_doc = DOC, .m_methods = FUNCTIONS,    \
        .m_slots = MODULE_SLOTS,                                                                   \
    };                                                                                             \
    PyMODINIT_FUNC PyInit_##NAME(void) { return PyModuleDef_Init(&MODULE); }

#endif
