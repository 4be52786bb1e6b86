"""Dealing, as docs/seeds.md defines it: a shuffle cut short at the last hand, several
positions drawn from one random word.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from engine_ext.cards cimport PACK_BITS, as_set, card_bit, cards_of, check, pack_t
from engine_ext.policy cimport DOMAIN_DEAL, cardset_t, mulhilo, philox, stream_c2


# How the pack of one variant is dealt: what can be worked out beforehand.
cdef struct dealing_t:
    pack_t deck
    int n_cards
    int hand_size
    int seats
    int n_steps                 # cards drawn: all but the last hand
    int n_groups
    uint8_t cards[128]          # the deck in order of card number
    uint8_t group_end[128]      # first step that is not in the group
    uint64_t product[128]       # of the group's bounds


cdef inline void plan_dealing(dealing_t* d, const cardset_t* deck, int seats) noexcept nogil:
    """Fill ``d`` for a deck dealt out completely to ``seats`` hands."""
    cdef uint64_t product = 1
    cdef int bit, step
    d.deck = cards_of(deck[0])
    d.n_cards = 0
    for bit in range(128):
        if (deck.w[bit >> 6] >> (bit & 63)) & 1:
            d.cards[d.n_cards] = <uint8_t>bit
            d.n_cards += 1
    d.seats = seats
    d.hand_size = d.n_cards // seats
    d.n_steps = d.n_cards - d.hand_size
    d.n_groups = 0
    for step in range(d.n_steps):
        # 2**52: a group is refused once in 4096 draws at worst.
        if product * <uint64_t>(d.n_cards - step) > <uint64_t>1 << 52:
            d.group_end[d.n_groups] = <uint8_t>step
            d.product[d.n_groups] = product
            d.n_groups += 1
            product = 1
        product *= <uint64_t>(d.n_cards - step)
    if d.n_steps:
        d.group_end[d.n_groups] = <uint8_t>d.n_steps
        d.product[d.n_groups] = product
        d.n_groups += 1


cdef inline bint refused(uint64_t low, uint64_t product) noexcept nogil:
    """Whether what is left of a word says that it may not be used."""
    return low < product and low < (0 - product) % product


cdef inline uint64_t draw(uint64_t x, int left, uint8_t* order, int step,
                          pack_t* hand) noexcept nogil:
    """One card of the ``left`` from ``step`` on goes into the hand; what is left of x."""
    cdef uint64_t position
    cdef uint8_t card
    x = mulhilo(x, <uint64_t>left, &position)
    card = order[<uint64_t>step + position]
    order[<uint64_t>step + position] = order[step]
    hand[0] |= card_bit(card)
    return x


cdef inline bint deal_52(const dealing_t* d, const uint64_t* words, uint8_t* order,
                         pack_t* hands) noexcept nogil:
    """52 cards to four from one block; False if a word was refused (below 1 deal in 8,000)."""
    cdef uint64_t x
    cdef int i
    cdef bint bad
    cdef pack_t a = 0, b = 0, c = 0
    x = words[0]
    for i in range(0, 9):
        x = draw(x, 52 - i, order, i, &a)
    bad = refused(x, d.product[0])
    x = words[1]
    for i in range(9, 13):
        x = draw(x, 52 - i, order, i, &a)
    for i in range(13, 18):
        x = draw(x, 52 - i, order, i, &b)
    bad |= refused(x, d.product[1])
    x = words[2]
    for i in range(18, 26):
        x = draw(x, 52 - i, order, i, &b)
    for i in range(26, 28):
        x = draw(x, 52 - i, order, i, &c)
    bad |= refused(x, d.product[2])
    x = words[3]
    for i in range(28, 39):
        x = draw(x, 52 - i, order, i, &c)
    bad |= refused(x, d.product[3])
    hands[0] = a
    hands[1] = b
    hands[2] = c
    hands[3] = d.deck ^ a ^ b ^ c
    return not bad


cdef inline void deal_hands(const dealing_t* d, const uint64_t* key, uint64_t block,
                            int deal, pack_t* hands) noexcept nogil:
    """Deal number ``deal`` of games of ``block``: fill hands[0..seats-1]."""
    cdef uint64_t words[4]
    cdef uint8_t order[128]
    cdef uint64_t c2 = stream_c2(deal, 0, 0, 0)
    philox(key, 1, block, c2, DOMAIN_DEAL, words)
    memcpy(order, d.cards, 64)
    # The pack that nearly every game uses goes the short way; the result is the same.
    if d.n_cards == 52 and d.seats == 4 and deal_52(d, words, order, hands):
        return
    deal_any(d, key, block, c2, words, hands)


cdef inline void deal_any(const dealing_t* d, const uint64_t* key, uint64_t block, uint64_t c2,
                          uint64_t* words, pack_t* hands) noexcept nogil:
    """Any pack and table, refused words replaced; ``words`` is the first block."""
    cdef uint64_t x, position
    cdef uint8_t order[128]
    cdef uint8_t jump[128]
    cdef uint8_t card
    cdef uint64_t c0 = 1
    cdef int used = 0, group = 0, step = 0, first = 0, i, seat
    cdef pack_t hand, rest

    while group < d.n_groups:
        if used == 4:
            c0 += 1
            used = 0
            philox(key, c0, block, c2, DOMAIN_DEAL, words)
        x = words[used]
        used += 1
        for step in range(first, d.group_end[group]):
            x = mulhilo(x, <uint64_t>(d.n_cards - step), &position)
            jump[step] = <uint8_t>position
        if refused(x, d.product[group]):
            continue                            # the group again, from the next word
        first = d.group_end[group]
        group += 1

    memcpy(order, d.cards, PACK_BITS)
    rest = 0
    step = 0
    for seat in range(d.seats - 1):
        hand = 0
        for i in range(d.hand_size):
            card = order[step + jump[step]]
            order[step + jump[step]] = order[step]
            hand |= card_bit(card)
            step += 1
        hands[seat] = hand
    for i in range(step, d.n_cards):
        rest |= card_bit(order[i])
    hands[d.seats - 1] = rest
    check(step == d.n_steps)


cdef inline void turn_hands(pack_t* hands, int seats, int turn) noexcept nogil:
    """Give seat s the hand of seat s + turn."""
    cdef pack_t dealt[10]
    cdef int s
    memcpy(dealt, hands, sizeof(dealt))
    for s in range(seats):
        hands[s] = dealt[(s + turn) % seats]


cdef inline void deal_others(const dealing_t* d, const uint64_t* key, uint64_t block, int deal,
                             int held, uint32_t world, pack_t* hands) noexcept nogil:
    """Deal anew what seat ``held`` does not hold, to the others in order; ``world`` says which
    time this is, from 1."""
    cdef uint64_t first[4]
    cdef pack_t others[10]
    cdef dealing_t rest
    cdef cardset_t cards = as_set(d.deck & ~hands[held])
    cdef uint64_t c2 = stream_c2(deal, held, 0, world)
    cdef int s
    plan_dealing(&rest, &cards, d.seats - 1)
    philox(key, 1, block, c2, DOMAIN_DEAL, first)
    deal_any(&rest, key, block, c2, first, others)
    for s in range(d.seats - 1):
        hands[s + (s >= held)] = others[s]


cdef inline int drawn_suit(const uint64_t* key, uint64_t block, int deal, uint32_t world,
                           int n_suits) noexcept nogil:
    """A suit uniform over the pack's, from the schedule's stream."""
    cdef uint64_t words[4]
    cdef uint64_t suit, low
    cdef uint64_t c0 = 1
    cdef int used = 0
    cdef uint64_t n = <uint64_t>n_suits
    philox(key, c0, block, stream_c2(deal, 0, 0, world), 2, words)
    while True:
        low = mulhilo(words[used], n, &suit)
        if low >= n or low >= (0 - n) % n:
            return <int>suit
        used += 1
        if used == 4:
            c0 += 1
            used = 0
            philox(key, c0, block, stream_c2(deal, 0, 0, world), 2, words)
