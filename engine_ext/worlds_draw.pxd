"""Chances and subsets from dice: exact by rejection, several numbers from one word."""

from libc.stdint cimport uint64_t

from engine_ext.cards cimport nth_card, pack_t
from engine_ext.deal cimport refused
from engine_ext.dice cimport dice_t, roll, roll_below
from engine_ext.policy cimport mulhilo


cdef inline double roll_part(dice_t* dice, double whole) noexcept nogil:
    """A point in 0..whole, ``whole`` out: a whole number as long as those are exact."""
    if whole < 9007199254740992.0:             # 2**53
        return <double>roll_below(dice, <uint64_t>whole)
    return <double>(roll(dice) >> 11) * (1.0 / 9007199254740992.0) * whole


cdef inline pack_t take_some(dice_t* dice, pack_t cards, int n, int k) noexcept nogil:
    """``k`` of the ``n`` cards of a set, every subset as likely."""
    cdef bint leave = 2 * k > n
    cdef int left = n - k if leave else k, taken
    cdef pack_t rest = cards, before
    cdef uint64_t word, product, place
    while left:
        word = roll(dice)
        product = 1
        before = rest
        taken = 0
        # 2**52: a word is refused once in 4096 draws at worst.
        while taken < left and product * <uint64_t>n <= <uint64_t>1 << 52:
            product *= <uint64_t>n
            word = mulhilo(word, <uint64_t>n, &place)
            rest ^= nth_card(rest, <unsigned int>place)
            n -= 1
            taken += 1
        if refused(word, product):             # these again, from the next word
            rest = before
            n += taken
        else:
            left -= taken
    return rest if leave else cards ^ rest
