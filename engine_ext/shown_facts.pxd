"""What can be known of hidden hands, as facts: this seat holds that, lacks that."""

from engine_ext.cards cimport pack_t


cdef enum:
    MAX_SOME = 64
    EVERY_SEAT = 10


# A seat and a set of cards of which it holds, or held, at least one.
cdef struct some_t:
    pack_t cards
    int seat


# What the public moves of a deal show of the hands that the viewer does not see. By seat;
# those of the viewer and of who has no cards left say nothing.
cdef struct shown_t:
    int seats
    int viewer
    pack_t hand                 # the viewer's
    pack_t unseen               # all cards of hidden hands
    int left[EVERY_SEAT]        # cards in each hand, the viewer's too
    pack_t holds[EVERY_SEAT]    # cards known to be there, all unseen
    pack_t lacks[EVERY_SEAT]    # cards known not to be
    # What no such set can say, in odd layouts only: each of these is true ...
    int n_some
    some_t some[MAX_SOME]
    # ... and each seat could lay a card in at most so many of these passes.
    int n_passes
    some_t passes[MAX_SOME]
    int spare[EVERY_SEAT]


cdef inline pack_t narrow(shown_t* s, int seat, pack_t among, pack_t card,
                          pack_t wanted) noexcept nogil:
    """``seat`` had to play one of ``wanted`` if it had any among the cards that it might play;
    it played ``card``. Among which it might now."""
    if card & wanted:
        return among & wanted
    s.lacks[seat] |= among & wanted
    return among & ~wanted


cdef inline void add_some(shown_t* s, int seat, pack_t cards) noexcept nogil:
    """``seat`` holds at least one of ``cards``, unseen ones."""
    cdef int k
    for k in range(s.n_some):
        if s.some[k].seat != seat:
            continue
        if not s.some[k].cards & ~cards:       # known already
            return
        if not cards & ~s.some[k].cards:       # says more
            s.some[k].cards = cards
            return
    if s.n_some < MAX_SOME:
        s.some[s.n_some].seat = seat
        s.some[s.n_some].cards = cards
        s.n_some += 1
