"""Dice: random numbers in bulk for who thinks before answering, apart from those of its answer.

They belong to the decision, like all it draws (docs/seeds.md): the same whatever was rolled
before, and whatever the answer draws from its stream.
"""

from libc.stdint cimport uint64_t

from engine_ext.policy cimport DOMAIN_STRATEGY, mulhilo, philox, stream_c2, stream_t


cdef struct dice_t:
    uint64_t key[2]
    uint64_t block
    uint64_t place              # deal, seat, decision, replicate
    uint64_t turn               # blocks used up
    int left                    # words left of this one
    uint64_t words[4]


cdef inline void take_dice(dice_t* dice, const stream_t* s) noexcept nogil:
    """The dice of the decision that ``s`` stands at, none rolled yet."""
    dice.key[0] = s.key[0]
    dice.key[1] = s.key[1]
    dice.block = s.block
    dice.place = stream_c2(s.deal, s.seat, s.decision, s.replicate)
    dice.turn = 0
    dice.left = 0


cdef inline uint64_t roll(dice_t* dice) noexcept nogil:
    """The next word: 64 bits."""
    if dice.left == 0:
        philox(dice.key, (<uint64_t>1 << 34) + dice.turn, dice.block, dice.place, DOMAIN_STRATEGY,
               dice.words)
        dice.turn += 1
        dice.left = 4
    dice.left -= 1
    return dice.words[3 - dice.left]


cdef inline uint64_t roll_below(dice_t* dice, uint64_t n) noexcept nogil:
    """Uniform in 0..n-1, n >= 1. Exact (Lemire 2019)."""
    cdef uint64_t number, low = mulhilo(roll(dice), n, &number)
    if low < n:
        while low < (0 - n) % n:
            low = mulhilo(roll(dice), n, &number)
    return number
