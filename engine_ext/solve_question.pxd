"""What is asked of the solver: a contract's terms, whose points count, who wants them.

Worked out once and the same for many endings. Points are those that the seats that count
want if their aim is to have most; for the contrary aim every sign is turned.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from engine_ext.cards cimport cards_of, count, lane_of, lowest_bit, pack_t
from engine_ext.policy cimport (
    SLOT_CARDS, SLOT_TRICK_AT, SLOT_TRICKS, VOID_MUST_RUFF, contract_t,
)


cdef enum:
    MOST_CLASSES = 16


cdef struct question_t:
    int seats
    uint32_t counted            # seats whose points count
    uint32_t wanting            # seats that want them; the others do not
    uint32_t greedy             # seats that gladly win tricks, on the whole: tried first
    pack_t trump                # as in duties_t
    pack_t ban
    pack_t forced
    pack_t ruff
    int32_t trick[32]           # points of a trick, by the cards in each hand when it starts
    int32_t tricks_up[32]       # of it and all later ones: the sum of gains ...
    int32_t tricks_down[32]     # ... and of losses
    uint32_t idle               # bit n: nothing can be won or lost in that trick itself
    int32_t even                # points of each trick where nothing else scores, or 0
    int n_kinds                 # cards with points of their own
    pack_t kind[8]
    int32_t kind_points[8]
    int n_classes               # cards of a suit that rules or points tell apart
    pack_t classes[16]


cdef inline int32_t trick_points(const question_t* q, pack_t cards, int n_left) noexcept nogil:
    """Points of a whole trick for the seat that takes it."""
    cdef int32_t points = q.trick[n_left]
    cdef int i
    for i in range(q.n_kinds):
        points += q.kind_points[i] * count(cards & q.kind[i])
    return points


cdef inline bint has_gains(const question_t* q) noexcept nogil:
    """Whether anything brings points to the seats that count."""
    cdef int k
    for k in range(q.n_kinds):
        if q.kind_points[k] > 0:
            return True
    for k in range(1, 32):
        if q.tricks_up[k]:
            return True
    return False


cdef inline uint32_t told(const contract_t* c, pack_t card) noexcept nogil:
    """What rules and points say of a card, as bits."""
    cdef uint32_t bits = 0
    cdef int k
    for k in range(c.n_slots):
        if c.slot_kind[k] == SLOT_CARDS and c.slot_points[k] != 0 and \
                cards_of(c.slot_cards[k]) & card:
            bits |= <uint32_t>1 << k
    if cards_of(c.lead_ban) & card:
        bits |= <uint32_t>1 << 30
    if cards_of(c.forced) & card:
        bits |= <uint32_t>1 << 31
    return bits


cdef inline void sort_cards(question_t* q, const contract_t* c, pack_t deck) noexcept nogil:
    """Put cards of a suit that are told apart into different classes."""
    cdef pack_t card, others
    cdef int j
    q.n_classes = 1
    for j in range(MOST_CLASSES):
        q.classes[j] = 0
    while deck:
        card = lowest_bit(deck)
        deck ^= card
        for j in range(MOST_CLASSES):
            others = q.classes[j] & lane_of(card)
            if others == 0 or told(c, lowest_bit(others)) == told(c, card):
                q.classes[j] |= card
                if j >= q.n_classes:
                    q.n_classes = j + 1
                break


cdef inline void weigh_tricks(question_t* q, const contract_t* c, int hand_size,
                              int sign) noexcept nogil:
    """Points of each trick, and of it and those behind it."""
    cdef int k, n
    cdef int32_t points
    q.trick[0] = q.tricks_up[0] = q.tricks_down[0] = 0
    q.idle = 0
    for n in range(1, hand_size + 1):
        points = 0
        for k in range(c.n_slots):
            if c.slot_kind[k] == SLOT_TRICKS or (c.slot_kind[k] == SLOT_TRICK_AT and
                                                 (c.slot_tricks[k] >> (hand_size - n)) & 1):
                points += sign * c.slot_points[k]
        q.trick[n] = points
        q.tricks_up[n] = q.tricks_up[n - 1] + (points if points > 0 else 0)
        q.tricks_down[n] = q.tricks_down[n - 1] + (points if points < 0 else 0)
        if points == 0 and q.n_kinds == 0:
            q.idle |= <uint32_t>1 << n
        if n == 1:
            q.even = points if q.n_kinds == 0 else 0
        elif points != q.even:
            q.even = 0


cdef inline void ask(question_t* q, const contract_t* c, int seats, int hand_size, pack_t deck,
                     pack_t trump, uint32_t counted, uint32_t wanting, int sign) noexcept nogil:
    """Take the question from a trick contract: up to 4 seats, hands of at most 31 cards.

    ``trump`` is the whole suit, or nothing. ``sign`` 1: the seats ``counted`` are to have
    the most inside points, -1 the fewest; ``wanting`` seats play for it, the others against.
    """
    cdef int k
    cdef int32_t whole = 0
    q.seats = seats
    q.counted = counted
    q.wanting = wanting
    q.trump = trump
    q.ban = cards_of(c.lead_ban)
    q.forced = cards_of(c.forced)
    q.ruff = trump if c.void_duty == VOID_MUST_RUFF else 0
    q.n_kinds = 0
    for k in range(c.n_slots):
        if c.slot_kind[k] == SLOT_CARDS and c.slot_points[k] != 0:
            q.kind[q.n_kinds] = cards_of(c.slot_cards[k]) & deck
            q.kind_points[q.n_kinds] = sign * c.slot_points[k]
            whole += q.kind_points[q.n_kinds] * count(q.kind[q.n_kinds])
            q.n_kinds += 1
    weigh_tricks(q, c, hand_size, sign)
    sort_cards(q, c, deck)
    whole += q.tricks_up[hand_size] + q.tricks_down[hand_size]
    # Those that count are glad of tricks if they want points and points are gains, and so
    # on: counted, wanting and the sign of the points, an even number of them contrary.
    q.greedy = counted ^ wanting ^ (0 if whole > 0 else <uint32_t>0xffffffff)
    q.greedy = ~q.greedy & ((<uint32_t>1 << seats) - 1)
