"""Which contract ``duck.v1`` chooses and whom it doubles, from its judgement of its
hand. The rules in words stand in ``duck.pyx``.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t

from engine_ext.cards cimport lowest_number, pack_t
from engine_ext.policy cimport KIND_LAYOUT, NO_SUIT, contract_t, deals_to_declare, view_t
from strategies.duck_judge cimport estimate, hand_t, judge_t, look_up
from strategies.duck_play cimport both

cdef extern from *:
    """
    enum {                      /* hundredths of a hand's standard deviation */
        DUTY_WEIGHT = 120,      /* taken off where every deal left must be doubled */
        POSITIVE_EXTRA = 100,   /* asked for more in a positive contract */
        OTHERS_LEVEL = 0,       /* asked for to double another than the declarer */
        DECLARER_LEVEL = 40,    /* asked of the declarer to redouble */
        REDOUBLE_LEVEL = 80     /* asked of the others to redouble */
    };
    /* What the declarer's choice among k contracts is worth to him, as far as it shows
     * in the play: two fifths of the best of k standard normal numbers, k = 1 .. 8. */
    static const int CHOICE_LEVEL[9] = {0, 0, 22, 34, 41, 46, 51, 54, 57};
    """
    int DUTY_WEIGHT, POSITIVE_EXTRA, OTHERS_LEVEL, DECLARER_LEVEL, REDOUBLE_LEVEL
    const int CHOICE_LEVEL[9]


cdef inline int32_t chosen(judge_t* j, const view_t* view) noexcept nogil:
    """The contract, with what is named, that promises most above its own average."""
    cdef const contract_t* c
    cdef hand_t hand
    cdef uint32_t rest = view.choices
    cdef int64_t gain, best = 0
    cdef int32_t answer = -1
    cdef int param
    look_up(j, both(view.hand), &hand)
    while rest:
        c = &j.variant.contracts[lowest_number(rest)]
        rest &= rest - 1
        gain = estimate(j, c, &hand, c.params, &param) - j.records[c.id].declared
        if answer < 0 or gain > best:
            best = gain
            answer = c.id << 8 | param
    return answer


cdef inline int strength(judge_t* j, const view_t* view) noexcept nogil:
    """Own hand in the contract against an average one: hundredths of the deviation."""
    cdef const contract_t* c = view.contract
    cdef hand_t hand
    cdef int param = 0
    cdef int64_t gain
    if c.kind == KIND_LAYOUT:
        param = view.start_rank
    elif view.trump != NO_SUIT:
        param = view.trump
    look_up(j, both(view.hand), &hand)
    gain = estimate(j, c, &hand, <uint32_t>1 << param, &param) - j.records[c.id].mean[param]
    return <int>(100 * gain // j.records[c.id].deviation)


cdef inline int declarer_level(const view_t* view) noexcept nogil:
    """What the own hand must be worth to double the declarer, in hundredths."""
    cdef int c, k = 1, level, left, owed
    for c in range(view.variant.n_contracts):
        k += c != view.contract.id and view.uses_left[view.declarer][c] != 0
    level = CHOICE_LEVEL[k if k < 8 else 8]
    owed = view.variant.duty - view.duty_done[view.seat]
    if owed > 0:
        left = deals_to_declare(view.variant, view.deal, view.declarer)
        # Deals that were played again count here, so that none may seem to be left.
        level -= DUTY_WEIGHT * owed // (left if left > 0 else 1)
    return level + POSITIVE_EXTRA if view.contract.tone > 0 else level


cdef inline uint32_t doubles(judge_t* j, const view_t* view) noexcept nogil:
    """Seats to double: what duty says, and those against whom the hand is better."""
    cdef int own = strength(j, view)
    cdef uint32_t declarer = view.may_double & (<uint32_t>1 << view.declarer)
    cdef uint32_t seats = view.must_double
    if own >= declarer_level(view):
        seats |= declarer
    if own >= OTHERS_LEVEL:
        seats |= view.may_double & ~declarer
    return seats


cdef inline uint32_t redoubles(judge_t* j, const view_t* view) noexcept nogil:
    """Seats to redouble: all that may be, or none."""
    cdef int level = DECLARER_LEVEL if view.seat == view.declarer else REDOUBLE_LEVEL
    return view.may_redouble if strength(j, view) >= level else 0
