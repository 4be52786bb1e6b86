"""One table: the public view, and beside it what only the engine may see."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from libc.string cimport memcpy, memset

from engine_ext.cards cimport cards_of, lowest_rank, pack_t, put
from engine_ext.deal cimport dealing_t
from engine_ext.policy cimport (
    MAX_CONTRACTS, NO_SEAT, NO_SUIT, POLICY_DRAWS, cardset_t, contract_t, policy_t, stream_t,
    variant_t, view_t,
)


# Hands that are given and not dealt: words [block][deal][seat][pack], of the first deals of
# each block's games.
cdef struct fixed_t:
    const uint64_t* words
    int n_deals
    int copies


# A table with everything on it. One thread owns it.
cdef struct table_t:
    view_t view                     # what every seat may see, plus the question asked
    const variant_t* variant
    const dealing_t* dealing
    uint64_t key[2]                 # run key
    uint64_t block
    const fixed_t* fixed            # NULL: every deal is dealt
    uint32_t world                  # which dealing anew of the hidden hands; 0 as dealt
    int turn                        # seat s holds the hand dealt to seat s + turn
    int seats
    pack_t hand[10]                 # hidden
    pack_t captured[10]             # cards taken, by seat
    cardset_t face_up[10]           # those of them that all may see
    uint8_t tricks_won[10]
    int passes                      # layout: in a row
    bint further                    # layout: set up where the last card gave a further turn
    uint8_t passed[10]              # by seat, hidden: passes although it could have laid
    uint8_t duty[10][10]            # [declarer][seat]: doubles of the declarer so far
    stream_t streams[10]
    policy_t* policies[10]
    uint16_t fouls[10]              # in this game
    # the deal's outcome
    int32_t points[10]              # of the contract
    int32_t side[10]                # side bets
    uint64_t items[10]              # slot k in bits 8k..8k+7
    int param                       # trump suit or start rank, -1 none
    int left                        # uses the declarer could choose from
    int foul_deal                   # first foul of the game: where and who
    int foul_seat
    # how far the game is (game.pxd)
    int step                        # place in the schedule: deals played again are not counted
    int to_declare[10]              # deals that each seat still declares, the one at hand too
    int given                       # contract that nobody chooses, -1 none
    int again                       # deals that were played again so far
    int n_extra                     # deals that played out a tie so far
    # what the hands hide of a deal on honour (revokes.pxd)
    int revoked                     # whose revoke is proved, -1 nobody's
    int first_revoker               # who revoked first, -1 nobody
    uint8_t withheld[10]            # suits that a seat could have followed and did not


cdef inline void seat_players(table_t* t, const variant_t* variant, const dealing_t* dealing,
                              policy_t** policies, const uint64_t* key, uint64_t block,
                              uint32_t replicate, const int* stop) noexcept nogil:
    """A new game: seats taken, scores at nothing, every contract still to play."""
    cdef int s
    t.variant = variant
    t.dealing = dealing
    t.seats = variant.seats
    t.key[0] = key[0]
    t.key[1] = key[1]
    t.block = block
    t.fixed = NULL
    t.world = 0
    t.turn = 0
    t.foul_deal = -1
    t.step = t.again = t.n_extra = 0
    t.given = -1
    t.view.extra = 0
    t.view.tied = 0
    t.view.variant = variant
    t.view.stop = stop
    t.view.face_up = t.face_up
    for s in range(t.seats):
        t.policies[s] = policies[s]
        t.fouls[s] = 0
        t.view.scores[s] = 0
        t.view.duty_done[s] = 0
        memset(t.duty[s], 0, sizeof(t.duty[s]))
        memcpy(t.view.uses_left[s], variant.uses, MAX_CONTRACTS)
        t.streams[s].key[0] = key[0]
        t.streams[s].key[1] = key[1]
        t.streams[s].block = block
        t.streams[s].seat = <uint32_t>s
        t.streams[s].replicate = replicate


cdef inline void fetch_hands(const fixed_t* fixed, uint64_t block, int deal, int seats,
                             pack_t* hands) noexcept nogil:
    """The hands that are given for deal number ``deal`` of games of ``block``."""
    cdef const uint64_t* word = fixed.words + \
        ((block * <uint64_t>fixed.n_deals + <uint64_t>deal) * <uint64_t>seats) * \
        <uint64_t>fixed.copies
    cdef cardset_t both
    cdef int s
    both.w[1] = 0
    for s in range(seats):
        both.w[0] = word[s * fixed.copies]
        if fixed.copies == 2:
            both.w[1] = word[s * fixed.copies + 1]
        hands[s] = cards_of(both)


cdef inline void clear_table(table_t* t, int deal) noexcept nogil:
    """Nothing played yet in deal number ``deal``."""
    cdef view_t* v = &t.view
    cdef int s
    v.contract = NULL
    v.deal = <uint16_t>deal
    v.trump = NO_SUIT
    v.start_rank = 0
    v.n_tricks = 0
    v.n_moves = 0
    v.n_trick = 0
    v.led_suit = NO_SUIT
    put(&v.led, 0)
    put(&v.trump_cards, 0)
    put(&v.legal, 0)                # another seat's cards from the last question
    put(&v.best, 0)
    put(&v.trick, 0)
    put(&v.played, 0)
    v.may_pass = 0
    v.ban_lifted = 0
    v.may_double = v.must_double = v.may_redouble = 0
    t.param = -1
    t.left = 0
    t.passes = 0
    t.further = False
    t.revoked = -1
    for s in range(t.seats):
        v.voids[s] = 0
        v.places[s] = 0
        v.passed[s] = 0
        t.passed[s] = 0
        v.doubled[s] = 0
        v.n_cards[s] = t.variant.hand_size
        t.captured[s] = 0
        put(&t.face_up[s], 0)
        t.tricks_won[s] = 0
        t.points[s] = 0
        t.side[s] = 0
        t.items[s] = 0
        t.streams[s].deal = <uint32_t>deal
        t.streams[s].decision = 0
        t.streams[s].group = -1
        t.streams[s].sliced = 0
        t.streams[s].extra_for = 0


cdef inline void show_hand(table_t* t, int seat) noexcept nogil:
    """Turn the view to ``seat``: own cards, seat and role."""
    cdef int from_seat = t.view.leader if t.view.declarer == NO_SEAT else t.view.declarer
    t.view.seat = <uint8_t>seat
    t.view.role = <uint8_t>(seat - from_seat if seat >= from_seat else seat - from_seat + t.seats)
    put(&t.view.hand, t.hand[seat])


cdef inline void note_foul(table_t* t, int seat) noexcept nogil:
    """Count an illegal or failed answer; remember where the first one was."""
    if t.fouls[seat] < 65535:
        t.fouls[seat] += 1
    if t.foul_deal < 0:
        t.foul_deal = t.view.deal
        t.foul_seat = seat
