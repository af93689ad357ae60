/* What _request.py does, compiled: whole requests in one call. It is optional, and gives the same results; what is not
 * usual (an error, a body in chunked coding, input that is not bytes) is left to _request.py, which it calls.
 *
 * Python's limited API of 3.9: one file for every later CPython. The functions of the library come as addresses, since
 * the package chooses the library when it is imported. Everything here holds the interpreter's lock, but to make an
 * object may run the cycle collector, and so whatever program, this function and other threads' included: what a call
 * works on is its own as long as it runs. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include "llhttp_ext.h"

#define FIELDS 256

static struct {
  void (*init)(llhttp_ext_head_t*, int, void*, size_t);
  int (*parse)(llhttp_ext_head_t*, const char*, size_t);
  void (*forget)(llhttp_ext_head_t*);
  PyObject* methods;   /* the tuple of methods by number */
  PyObject* type;      /* WholeRequest */
  PyObject* make;      /* tuple.__new__ */
  PyObject* otherwise; /* parse_request of _request.py */
  PyObject* versions[10][10];
} module;

struct space {
  llhttp_ext_head_t head;
  uint64_t memory[LLHTTP_EXT_HEAD_MEMORY(FIELDS) / 8];
};

static struct space* unused; /* one that no call works on, or NULL */

static struct space* take_space(void) {
  struct space* space = unused;
  unused = NULL;
  if (space == NULL) {
    space = PyMem_Malloc(sizeof(*space));
    if (space == NULL) {
      PyErr_NoMemory();
      return NULL;
    }
    module.init(&space->head, 1, space->memory, sizeof(space->memory));
  }
  return space;
}

static void give_back(struct space* space) {
  PyMem_Free(unused);
  unused = space;
}

static PyObject* otherwise(PyObject* data) { return PyObject_CallFunctionObjArgs(module.otherwise, data, NULL); }

static PyObject* fields(const llhttp_ext_head_t* head, const char* bytes) {
  PyObject* list = PyList_New(head->count);
  if (list == NULL) return NULL;
  for (uint32_t i = 0; i < head->count; i++) {
    const llhttp_ext_field_t* field = &head->fields[i];
    PyObject* name = PyBytes_FromStringAndSize(bytes + field->name_offset, field->name_length);
    PyObject* value = PyBytes_FromStringAndSize(bytes + field->value_offset, field->value_length);
    PyObject* pair = name != NULL && value != NULL ? PyTuple_New(2) : NULL;
    if (pair == NULL) {
      Py_XDECREF(name);
      Py_XDECREF(value);
      Py_DECREF(list);
      return NULL;
    }
    PyTuple_SetItem(pair, 0, name);
    PyTuple_SetItem(pair, 1, value);
    PyList_SetItem(list, i, pair);
  }
  return list;
}

static PyObject* version_of(unsigned major, unsigned minor) {
  PyObject** slot;
  if (major > 9 || minor > 9) return Py_BuildValue("(II)", major, minor);
  slot = &module.versions[major][minor];
  if (*slot == NULL) *slot = Py_BuildValue("(II)", major, minor);
  Py_XINCREF(*slot);
  return *slot;
}

/* Puts an item in its place, and takes the reference to it. Returns 0 if it is NULL. */
static int put(PyObject* tuple, Py_ssize_t place, PyObject* item) {
  return item != NULL && PyTuple_SetItem(tuple, place, item) == 0;
}

static PyObject* request_of(const llhttp_ext_head_t* head, const char* bytes, size_t body) {
  PyObject *items = PyTuple_New(8), *request = NULL;
  if (items == NULL) return NULL;
  if (put(items, 0, PySequence_GetItem(module.methods, head->method)) &&
      put(items, 1, PyBytes_FromStringAndSize(bytes + head->target_offset, head->target_length)) &&
      put(items, 2, version_of(head->http_major, head->http_minor)) && put(items, 3, fields(head, bytes)) &&
      put(items, 4, PyBytes_FromStringAndSize(bytes + head->size, (Py_ssize_t)body)) &&
      put(items, 5, PyBool_FromLong(head->upgrade)) && put(items, 6, PyBool_FromLong(head->keep_alive)) &&
      put(items, 7, PyLong_FromSize_t((size_t)head->size + body)))
    request = PyObject_CallFunctionObjArgs(module.make, module.type, items, NULL);
  Py_DECREF(items);
  return request;
}

static PyObject* parse_with(llhttp_ext_head_t* head, PyObject* data) {
  const char* bytes = PyBytes_AsString(data);
  size_t size = (size_t)PyBytes_Size(data), body = 0;
  int result = module.parse(head, bytes, size);
  if (result == LLHTTP_EXT_HEAD_PARTIAL) {
    module.forget(head);
    Py_RETURN_NONE;
  }
  if (result != 0 || head->body == LLHTTP_EXT_BODY_CHUNKED || head->body == LLHTTP_EXT_BODY_EOF) return otherwise(data);
  if (head->body == LLHTTP_EXT_BODY_LENGTH) {
    if (head->content_length > size - head->size) Py_RETURN_NONE;
    body = (size_t)head->content_length;
  }
  return request_of(head, bytes, body);
}

static PyObject* parse_request(PyObject* self, PyObject* data) {
  struct space* space;
  PyObject* request;
  (void)self;
  if (!PyBytes_CheckExact(data)) return otherwise(data);
  space = take_space();
  if (space == NULL) return NULL;
  request = parse_with(&space->head, data);
  give_back(space);
  return request;
}

/* setup(init, reset, parse, methods, type, otherwise): addresses of llhttp_ext_head_..., and what is in `module` */
static PyObject* setup(PyObject* self, PyObject* arguments) {
  unsigned long long init, forget, parse;
  PyObject *methods, *type, *fallback;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "KKKOOO", &init, &forget, &parse, &methods, &type, &fallback)) return NULL;
  module.make = PyObject_GetAttrString((PyObject*)&PyTuple_Type, "__new__");
  if (module.make == NULL) return NULL;
  module.init = (void (*)(llhttp_ext_head_t*, int, void*, size_t))(uintptr_t)init;
  module.parse = (int (*)(llhttp_ext_head_t*, const char*, size_t))(uintptr_t)parse;
  module.forget = (void (*)(llhttp_ext_head_t*))(uintptr_t)forget;
  Py_INCREF(methods);
  Py_INCREF(type);
  Py_INCREF(fallback);
  module.methods = methods;
  module.type = type;
  module.otherwise = fallback;
  Py_RETURN_NONE;
}

static const char doc[] =
    "parse_request(data, /)\n--\n\nParses a request that lies in one buffer. Returns a WholeRequest; "
    "None if it is not complete yet.\nRaises ParseError.";

static PyMethodDef functions[] = {
    {"setup", setup, METH_VARARGS, NULL},
    {"parse_request", parse_request, METH_O, doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_speed", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__speed(void) { return PyModule_Create(&definition); }
