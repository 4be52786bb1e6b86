"""Questions of a policy handed over to another policy."""

from engine_ext.policy cimport policy_t


cdef extern from *:
    """
    #include "policy.h"

    enum { HAND_CHOOSE, HAND_DOUBLE, HAND_REDOUBLE, HAND_PLAY, HAND_LAY };

    /* From now on `question` of `to` is answered by `by`, with its state. Flags and memory
     * stay as they are. In C, since Cython would copy a function's address through a type
     * that only it knows. */
    static void hand_over(policy_t *to, int question, const policy_t *by) {
        switch (question) {
        case HAND_CHOOSE:
            to->choose = by->choose;
            to->choose_state = by->choose_state;
            break;
        case HAND_DOUBLE:
            to->make_doubles = by->make_doubles;
            to->double_state = by->double_state;
            break;
        case HAND_REDOUBLE:
            to->make_redoubles = by->make_redoubles;
            to->redouble_state = by->redouble_state;
            break;
        case HAND_PLAY:
            to->play = by->play;
            to->play_state = by->play_state;
            break;
        default:
            to->lay = by->lay;
            to->lay_state = by->lay_state;
        }
    }
    """
    enum:
        HAND_CHOOSE           # in the order of pypolicy.QUESTIONS
        HAND_DOUBLE
        HAND_REDOUBLE
        HAND_PLAY
        HAND_LAY
    void hand_over(policy_t* to, int question, const policy_t* by) noexcept nogil
