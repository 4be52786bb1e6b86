/* A strategy outside the engine: five functions in a policy_t, in a capsule. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "policy.h"

/* The highest card by rank, among equals the first suit. Not for the empty set. */
static uint64_t highest(uint64_t cards) {
    for (int rank = MAX_RANKS - 1;; rank--) {
        uint64_t found = cards & (0x0001000100010001ull << rank);
        if (found) return found & (0 - found);
    }
}

static cardset_t play(void *state, const view_t *view, stream_t *stream) {
    uint64_t legal = view->legal.w[0], suited = legal & view->led.w[0];
    uint64_t under = suited & (view->best.w[0] - 1); /* nothing on lead: nothing was led */
    if (suited && !(view->best.w[0] & view->led.w[0])) under = suited; /* it was trumped */
    cardset_t card = {{highest(under ? under : legal), 0}};
    return card;
}

static cardset_t lay(void *state, const view_t *view, stream_t *stream) {
    cardset_t card = {{highest(view->legal.w[0]), 0}};
    return card;
}

/* The first contract left, with the first trump suit or start rank. */
static int32_t choose(void *state, const view_t *view, stream_t *stream) {
    int32_t contract = __builtin_ctz(view->choices);
    return contract * 256 + __builtin_ctz(view->variant->contracts[contract].params);
}

static uint32_t make_doubles(void *state, const view_t *view, stream_t *stream) {
    return view->must_double;
}

static uint32_t make_redoubles(void *state, const view_t *view, stream_t *stream) {
    return 0;
}

/* It keeps nothing, so that all objects and threads share one. */
static policy_t tall = {
    .abi = BARBU_POLICY_ABI, /* of this header; the engine refuses another one's */
    .choose = choose,
    .make_doubles = make_doubles,
    .make_redoubles = make_redoubles,
    .play = play,
    .lay = lay,
};

static PyObject *policy(PyObject *module, PyObject *nothing) {
    return PyCapsule_New(&tall, BARBU_POLICY_CAPSULE, NULL);
}

static PyMethodDef methods[] = {
    {"policy", policy, METH_NOARGS, "The policy_t, in a capsule."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_tall", .m_size = 0, .m_methods = methods,
};

PyMODINIT_FUNC PyInit__tall(void) { return PyModuleDef_Init(&definition); }
