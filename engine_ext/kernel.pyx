"""The engine's loop: rules packed into numbers, games in, arrays out.

Callers check shapes and meanings in :mod:`engine_ext.batch`; here only types are.
"""

from cpython.buffer cimport PyBUF_CONTIG_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport (
    int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
)
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

import numpy as np

from engine_ext.cards cimport count, lowest_number, nth_card, one_pack, pack_t
from engine_ext.deal cimport deal_hands, dealing_t, plan_dealing
from engine_ext.doubling cimport (
    allowed_targets, ask_doubles, deals_left, doubled_by, kth_speaker, settle, show_doubles,
    show_redoubles, take_doubles, take_redoubles,
)
from engine_ext.game cimport (
    accept_choice, begin_deal, begin_game, begin_single, enter_scores, load_streams, lowest_code,
    names_something, place_seats, set_contract, show_choices, take_contract, take_roles,
    use_contract, what_to_name,
)
from engine_ext.layout cimport (
    begin_layout, end_layout, layout_t, play_layout, score_layout, show_layout, take_layout,
)
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, KIND_LAYOUT, MAX_CONTRACTS, MAX_DEALS, MAX_SEATS,
    MAX_SLOTS, NO_SEAT, NO_SEATS_ANSWER, PASS, POLICY_HAS_MEMORY, SLOT_TRICK_AT, cardset_t,
    contract_t, policy_t, stream_below, stream_below_u64, stream_t, stream_u64, variant_t, view_t,
)
from engine_ext.table cimport clear_table, seat_players, table_t
from engine_ext.trick_loop cimport play_tricks_of
from engine_ext.tricks cimport (
    accept_card, begin_trick, duties_t, end_tricks, fetch_duties, last_cards, next_seat,
    role_origin, score_tricks, show_follow, show_lead, take_follow, take_lead, take_trick,
    trick_so_far, trick_t, who_is,
)

MAX_ERRORS = 5                   # of a strategy, kept as text

cdef enum:
    UNKNOWN_MOVE = 254


include "course.pxi"


cdef class StopFlag:
    """Set from any thread to end running games at their next decision."""

    cdef volatile int flag

    def set(self):
        """Ask every game that polls this flag to stop."""
        self.flag = 1

    def clear(self):
        """Allow play again."""
        self.flag = 0

    def is_set(self):
        """Whether stopping was asked for."""
        return self.flag != 0


cdef void pack_contract(contract_t* c, n) except *:
    """Copy one ContractNumbers into its struct."""
    cdef int i
    c.id = n.id
    c.kind = n.kind
    c.tone = n.tone
    c.n_slots = n.n_slots
    for i in range(n.n_slots):
        c.slot_kind[i] = n.slot_kind[i]
        c.slot_points[i] = n.slot_points[i]
        c.slot_cards[i].w[0] = n.slot_cards[i]
        c.slot_tricks[i] = n.slot_tricks[i]
    c.total = n.total
    c.params = n.params
    c.trump_mode = n.trump_mode
    c.void_duty = n.void_duty
    c.lead_ban.w[0] = n.lead_ban
    c.forced.w[0] = n.forced
    c.end_cards.w[0] = n.end_cards
    c.face_up.w[0] = n.face_up
    c.trick_points = n.trick_points
    c.scoring_cards.w[0] = n.scoring_cards
    c.scoring_tricks = n.scoring_tricks
    c.n_card_slots = n.n_card_slots
    for i in range(n.n_card_slots):
        c.card_slots[i] = n.card_slots[i]
    c.may_pass = n.may_pass
    c.stall_forces = n.stall_forces
    c.lose_turn = n.lose_turn
    c.all_out = n.all_out
    c.replay.w[0] = n.replay
    for i in range(len(n.payout)):
        c.payout[i] = n.payout[i]


cdef class Rules:
    """A resolved variant, packed for the kernel. Immutable; any thread may read it."""

    cdef variant_t variant
    cdef dealing_t dealing
    cdef readonly object numbers

    def __cinit__(self, numbers):
        cdef int i
        cdef variant_t* v = &self.variant
        memset(v, 0, sizeof(variant_t))
        self.numbers = numbers
        v.seats = numbers.seats
        v.hand_size = numbers.hand_size
        v.n_suits = numbers.n_suits
        v.n_ranks = numbers.n_ranks
        v.deck.w[0] = numbers.deck
        for i in range(numbers.n_suits):
            v.suit[i].w[0] = numbers.suit[i]
        v.n_contracts = numbers.n_contracts
        for i in range(numbers.n_contracts):
            pack_contract(&v.contracts[i], numbers.contracts[i])
            v.uses[i] = numbers.uses[i]
        v.n_deals = numbers.n_deals
        v.has_choice = numbers.has_choice
        v.dealership = numbers.dealership
        v.dealer_offset = numbers.dealer_offset
        v.leader_offset = numbers.leader_offset
        for i in range(min(len(numbers.sequence), numbers.n_deals)):
            v.sequence[i] = numbers.sequence[i]
        v.objective = numbers.objective
        v.has_doubling = numbers.has_doubling
        for i in range(3):
            v.targets[i] = numbers.targets[i]
        v.declarer_redoubles = numbers.declarer_redoubles
        v.duty = numbers.duty
        plan_dealing(&self.dealing, v.deck.w[0], v.seats)


cdef policy_t* policy_of(capsule) except NULL:
    cdef policy_t* policy = <policy_t*>PyCapsule_GetPointer(capsule, BARBU_POLICY_CAPSULE)
    if policy.abi != BARBU_POLICY_ABI:
        raise ValueError(
            f"a strategy was built for policy ABI {policy.abi}, this engine has "
            f"{BARBU_POLICY_ABI}; rebuild it")
    return policy


def check_capsule(capsule):
    """Raise ``ValueError`` if a capsule holds no policy that this engine can ask."""
    policy_of(capsule)


cdef struct rows_t:
    # Bases of the output arrays; a deal's row is game * n_deals + deal.
    uint8_t* contract
    int8_t* param
    uint8_t* dealer
    int8_t* declarer
    uint8_t* leader
    uint8_t* left
    int32_t* points
    int32_t* side
    uint64_t* items
    uint8_t* finish
    uint16_t* doubled
    uint8_t* moves
    uint16_t* n_moves
    Py_ssize_t log                # bytes a row of moves, 0 if not wanted


cdef void write_deal(const rows_t* out, Py_ssize_t row, const table_t* t) noexcept nogil:
    cdef int s
    cdef Py_ssize_t first = row * t.seats
    out.contract[row] = t.view.contract.id
    out.param[row] = <int8_t>t.param
    out.dealer[row] = t.view.dealer
    out.declarer[row] = -1 if t.view.declarer == NO_SEAT else <int8_t>t.view.declarer
    out.leader[row] = t.view.leader
    out.left[row] = <uint8_t>t.left
    for s in range(t.seats):
        out.points[first + s] = t.points[s]
        out.side[first + s] = t.side[s]
        out.items[first + s] = t.items[s]
        out.finish[first + s] = t.view.places[s]
        out.doubled[first + s] = t.view.doubled[s]
    if out.log:
        out.n_moves[row] = t.view.n_moves
        memcpy(out.moves + row * out.log, t.view.moves,
               t.view.n_moves if t.view.n_moves < out.log else out.log)


cdef void point_rows(rows_t* out, dict rows) except *:
    """Take the addresses of the output arrays (C-contiguous, checked by the buffer)."""
    cdef uint8_t[::1] contract = rows["contract"]
    cdef int8_t[::1] param = rows["param"]
    cdef uint8_t[::1] dealer = rows["dealer"]
    cdef int8_t[::1] declarer = rows["declarer"]
    cdef uint8_t[::1] leader = rows["leader"]
    cdef uint8_t[::1] left = rows["n_left"]
    cdef int32_t[::1] points = rows["points"]
    cdef int32_t[::1] side = rows["side"]
    cdef uint64_t[::1] items = rows["items"]
    cdef uint8_t[::1] finish = rows["finish"]
    cdef uint16_t[::1] doubled = rows["doubled"]
    cdef uint8_t[:, ::1] moves
    cdef uint16_t[::1] n_moves
    out.contract = &contract[0]
    out.param = &param[0]
    out.dealer = &dealer[0]
    out.declarer = &declarer[0]
    out.leader = &leader[0]
    out.left = &left[0]
    out.points = &points[0]
    out.side = &side[0]
    out.items = &items[0]
    out.finish = &finish[0]
    out.doubled = &doubled[0]
    out.log = 0
    if "moves" in rows:
        moves = rows["moves"]
        n_moves = rows["n_moves"]
        out.moves = &moves[0, 0]
        out.n_moves = &n_moves[0]
        out.log = moves.shape[1]


# Where the results of games go.
cdef struct games_t:
    int32_t* score
    uint8_t* place
    uint8_t* n_first
    uint16_t* fouls
    int16_t* foul_deal
    int8_t* foul_seat


cdef void write_game(const games_t* out, Py_ssize_t game, const table_t* t) noexcept nogil:
    cdef int s
    cdef Py_ssize_t first = game * t.seats
    for s in range(t.seats):
        out.score[first + s] = t.view.scores[s]
        out.fouls[first + s] = t.fouls[s]
    place_seats(t.view.scores, t.seats, out.place + first, out.n_first + game)
    out.foul_deal[game] = <int16_t>t.foul_deal
    out.foul_seat[game] = <int8_t>(t.foul_seat if t.foul_deal >= 0 else -1)


cdef void point_games(games_t* out, dict games) except *:
    """Take the addresses of the games' output arrays."""
    cdef int32_t[:, ::1] score = games["score"]
    cdef uint8_t[:, ::1] place = games["place"]
    cdef uint8_t[::1] n_first = games["n_first"]
    cdef uint16_t[:, ::1] fouls = games["fouls"]
    cdef int16_t[::1] foul_deal = games["foul_deal"]
    cdef int8_t[::1] foul_seat = games["foul_seat"]
    out.score = &score[0, 0]
    out.place = &place[0, 0]
    out.n_first = &n_first[0]
    out.fouls = &fouls[0, 0]
    out.foul_deal = &foul_deal[0]
    out.foul_seat = &foul_seat[0]


def play_games(Rules rules, list capsules, tuple key, const uint64_t[::1] blocks,
               const uint8_t[:, ::1] seating, const uint32_t[::1] replicates,
               dict games, dict rows, StopFlag stop):
    """Play ``len(blocks)`` whole games; return how many were finished before a stop."""
    cdef table_t* t
    cdef games_t results
    cdef rows_t out
    cdef policy_t* policies[256]
    cdef policy_t* seated[10]
    cdef uint64_t key_words[2]
    cdef Py_ssize_t game = 0, n_games = blocks.shape[0]
    cdef int s, deal, seats = rules.variant.seats, stopped = 0
    if n_games == 0:
        return 0
    key_words[0], key_words[1] = key
    for s in range(len(capsules)):
        policies[s] = policy_of(capsules[s])
    point_games(&results, games)
    point_rows(&out, rows)
    t = <table_t*>calloc(1, sizeof(table_t))
    if t == NULL:
        raise MemoryError
    with nogil:
        while game < n_games:
            for s in range(seats):
                seated[s] = policies[seating[game, s]]
            seat_players(t, &rules.variant, &rules.dealing, seated, key_words, blocks[game],
                         replicates[game], <const int*>&stop.flag)
            begin_game(t)
            for deal in range(rules.variant.n_deals):
                stopped = next_deal(t, deal)
                if stopped or stop.flag:
                    stopped = 1
                    break
                write_deal(&out, game * rules.variant.n_deals + deal, t)
            if stopped:
                break
            write_game(&results, game, t)
            game += 1
    free(t)
    return game


def play_deals(Rules rules, list capsules, tuple key, const uint8_t[::1] contracts,
               uint64_t first_block, Py_ssize_t n, uint16_t[:, ::1] fouls, dict rows,
               StopFlag stop):
    """Play ``n`` single deals, deal 0 of block ``first_block + i`` each, contracts in turn;
    return how many were finished before a stop. Seat i mod n declares (or deals); the
    contract is imposed and nobody doubles."""
    cdef table_t* t
    cdef rows_t out
    cdef policy_t* seated[10]
    cdef uint64_t key_words[2]
    cdef Py_ssize_t i = 0
    cdef int s, contract, base, asker, seats = rules.variant.seats
    cdef const variant_t* v = &rules.variant
    if n == 0:
        return 0
    key_words[0], key_words[1] = key
    for s in range(seats):
        seated[s] = policy_of(capsules[s])
    point_rows(&out, rows)
    t = <table_t*>calloc(1, sizeof(table_t))
    if t == NULL:
        raise MemoryError
    with nogil:
        while i < n and not stop.flag:
            seat_players(t, v, &rules.dealing, seated, key_words,
                         first_block + <uint64_t>i, 0, <const int*>&stop.flag)
            begin_game(t)
            base = <int>(i % seats)
            begin_single(t, base)
            contract = contracts[i % contracts.shape[0]]
            asker = base if v.has_choice else t.view.leader
            take_contract(t, <uint32_t>1 << contract, asker,
                          names_something(&v.contracts[contract]))
            if play_deal(t, False):
                break
            write_deal(&out, i, t)
            for s in range(seats):
                fouls[i, s] = t.fouls[s]
            i += 1
    free(t)
    return i


def deal_blocks(Rules rules, tuple key, const uint64_t[::1] blocks, int deal,
                uint64_t[:, ::1] hands):
    """Deal number ``deal`` of each block: fill ``hands`` (len(blocks), seats)."""
    cdef uint64_t key_words[2]
    cdef pack_t out[10]
    cdef Py_ssize_t i
    cdef int s
    key_words[0], key_words[1] = key
    with nogil:
        for i in range(blocks.shape[0]):
            deal_hands(&rules.dealing, key_words, blocks[i], deal, out)
            for s in range(rules.variant.seats):
                hands[i, s] = out[s]


include "lockstep.pxi"
include "queues.pxi"
include "views.pxi"
include "asking.pxi"
include "tabletop.pxi"
