/* native/stream.h as methods of the Python type Reader, which ../_reader.c defines.
 *
 * Lines are read without the GIL, as `read` does.
 */
#ifndef FATHOM_STREAM_TYPE_H
#define FATHOM_STREAM_TYPE_H

#include "stream.h"

/* begin(order, depth, ranks): a run begins that comes in pieces; `ranks` of its lines are kept. */
static PyObject *reader_object_begin(PyObject *object, PyObject *args) {
    ReaderObject *self = (ReaderObject *)object;
    const char *name;
    long long depth;
    int order, ranks;
    if (!PyArg_ParseTuple(args, "sLp", &name, &depth, &ranks)) return NULL;
    if ((order = order_called(name)) < 0 || refuse_busy(self)) return NULL;
    if (!self->stream) self->stream = stream_new(self->reader);
    if (!self->stream || !stream_begin(self->stream, order, depth, ranks)) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static int refuse_no_run(const ReaderObject *self) {
    if (!self->stream) PyErr_SetString(PyExc_RuntimeError, "no run was begun");
    return !self->stream;
}

/* add(piece): some bytes of the run; False if it is odd. */
static PyObject *reader_object_add(PyObject *object, PyObject *piece) {
    ReaderObject *self = (ReaderObject *)object;
    char *bytes;
    Py_ssize_t size;
    int good;
    if (PyBytes_AsStringAndSize(piece, &bytes, &size) < 0) return NULL;
    if (refuse_no_run(self) || refuse_busy(self)) return NULL;
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    good = stream_add(self->stream, bytes, size);
    Py_END_ALLOW_THREADS
    self->busy = 0;
    return good || self->stream->odd ? PyBool_FromLong(good) : PyErr_NoMemory();
}

/* take(): documents, ranks and scores of the lists that were not yet taken. */
static PyObject *reader_object_take(PyObject *object, PyObject *unused) {
    ReaderObject *self = (ReaderObject *)object;
    (void)unused;
    if (refuse_no_run(self) || refuse_busy(self)) return NULL;
    Stream *s = self->stream;
    PyObject *taken = Py_BuildValue("(NNN)", copy_of(s->document, s->kept, sizeof *s->document),
                                    copy_of(s->rank, s->ranks ? s->kept : 0, sizeof *s->rank),
                                    copy_of(s->score, s->kept, sizeof *s->score));
    if (taken) s->kept = 0;
    return taken;
}

/* end(): None for an odd run, else the topics of its lists and their sizes, a summary, how many
 * comments there were, and the tags of the first and the last line. */
static PyObject *reader_object_end(PyObject *object, PyObject *unused) {
    ReaderObject *self = (ReaderObject *)object;
    int good;
    (void)unused;
    if (refuse_no_run(self) || refuse_busy(self)) return NULL;
    Stream *s = self->stream;
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    good = stream_end(s);
    Py_END_ALLOW_THREADS
    self->busy = 0;
    if (!good && s->odd) Py_RETURN_NONE;
    if (!good) return PyErr_NoMemory();
    const Reader *r = self->reader;
    return Py_BuildValue("(NNNLy#y#)", copy_of(r->group_topic, r->groups, sizeof(int32_t)),
                         copy_of(r->group_size, r->groups, sizeof(int64_t)), summary_dict(&s->sum),
                         (long long)s->comments, (const char *)s->first.text,
                         (Py_ssize_t)s->first.size, (const char *)s->last.text,
                         (Py_ssize_t)s->last.size);
}

#endif
