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

from engine_ext.any_tricks cimport play_any_tricks, show_any_follow, show_any_lead
from engine_ext.cards cimport (
    LIKELY, PACK_BITS, as_set, card_bit, cards_of, count, lowest_number, nth_card, no_card,
    pack_t, put,
)
from engine_ext.deal cimport deal_hands, deal_others, dealing_t, plan_dealing, turn_hands
from engine_ext.doubling cimport (
    allowed_targets, ask_doubles, doubled_by, doubled_since, is_split, kth_speaker,
    settle, show_doubles, show_redoubles, split_points, take_doubles, take_redoubles,
)
from engine_ext.game cimport (
    accept_choice, ask_choice, begin_deal, begin_game, begin_schedule, begin_single, can_win,
    enter_scores, find_leader, give_roles, goes_on, has_bets, load_streams, lowest_code,
    names_something, place_seats, set_contract, show_choices, take_contract, take_roles,
    use_contract, what_to_name,
)
from engine_ext.honour cimport accept_on_honour, finish_tricks, play_on_honour
from engine_ext.layout cimport (
    begin_layout, end_layout, layout_t, play_layout, score_layout, show_layout, take_layout,
)
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, KIND_LAYOUT, MAX_CONTRACTS, MAX_DEALS, MAX_SEATS,
    MAX_SLOTS, NO_CONTRACT, NO_SEAT, NO_SEATS_ANSWER, PASS, POLICY_HAS_MEMORY, POLICY_TWO_PACKS,
    SLOT_TRICK_AT, TRUMP_DRAWN, cardset_t, contract_t, deals_to_declare, policy_t, stream_below,
    stream_below_u64, stream_t, stream_u64, variant_t, view_t,
)
from engine_ext.revokes cimport begin_honour, comes_out
from engine_ext.table cimport clear_table, fixed_t, seat_players, table_t
from engine_ext.trick_loop cimport play_tricks_of
from engine_ext.tricks cimport (
    accept_card, begin_trick, duties_t, end_tricks, fetch_duties, last_cards, next_seat,
    role_origin, show_follow, show_lead, take_follow, take_lead, take_trick, trick_so_far, trick_t,
    who_is,
)

MAX_ERRORS = 5                   # of a strategy, kept as text

cdef enum:
    UNKNOWN_MOVE = 254


include "packing.pxi"
include "course.pxi"


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


def knows_two_packs(capsule):
    """Whether a capsule's policy says that it looks at second copies."""
    return (policy_of(capsule).flags & POLICY_TWO_PACKS) != 0


cdef struct rows_t:
    # Bases of the output arrays; a deal's row is game * per_game + deal.
    Py_ssize_t per_game           # most deals that a game can have
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
    uint8_t* extra                # NULL where ties are shared
    int8_t* revoked               # NULL where nobody can revoke
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
    if out.extra != NULL:
        out.extra[row] = t.view.extra
    if out.revoked != NULL:
        out.revoked[row] = <int8_t>t.revoked
    if out.log:
        out.n_moves[row] = t.view.n_moves
        memcpy(out.moves + row * out.log, t.view.moves,
               t.view.n_moves if t.view.n_moves < out.log else out.log)


cdef void point_rows(rows_t* out, dict rows, Py_ssize_t per_game=1) except *:
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
    cdef uint8_t[::1] extra
    cdef int8_t[::1] revoked
    cdef uint8_t[:, ::1] moves
    cdef uint16_t[::1] n_moves
    out.per_game = per_game
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
    out.extra = NULL
    out.revoked = NULL
    out.log = 0
    if "extra" in rows:
        extra = rows["extra"]
        out.extra = &extra[0]
    if "revoked" in rows:
        revoked = rows["revoked"]
        out.revoked = &revoked[0]
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
    uint16_t* n_deals
    uint16_t* fouls
    int16_t* foul_deal
    int8_t* foul_seat


cdef void write_game(const games_t* out, Py_ssize_t game, const table_t* t) noexcept nogil:
    cdef int s
    cdef Py_ssize_t first = game * t.seats
    for s in range(t.seats):
        out.score[first + s] = t.view.scores[s]
        out.fouls[first + s] = t.fouls[s]
    place_seats(t.view.scores, t.seats, can_win(t), out.place + first, out.n_first + game)
    out.n_deals[game] = <uint16_t>(t.view.deal + 1)
    out.foul_deal[game] = <int16_t>t.foul_deal
    out.foul_seat[game] = <int8_t>(t.foul_seat if t.foul_deal >= 0 else -1)


cdef void point_games(games_t* out, dict games) except *:
    """Take the addresses of the games' output arrays."""
    cdef int32_t[:, ::1] score = games["score"]
    cdef uint8_t[:, ::1] place = games["place"]
    cdef uint8_t[::1] n_first = games["n_first"]
    cdef uint16_t[::1] n_deals = games["n_deals"]
    cdef uint16_t[:, ::1] fouls = games["fouls"]
    cdef int16_t[::1] foul_deal = games["foul_deal"]
    cdef int8_t[::1] foul_seat = games["foul_seat"]
    out.score = &score[0, 0]
    out.place = &place[0, 0]
    out.n_first = &n_first[0]
    out.n_deals = &n_deals[0]
    out.fouls = &fouls[0, 0]
    out.foul_deal = &foul_deal[0]
    out.foul_seat = &foul_seat[0]


cdef void point_fixed(fixed_t* fixed, const uint64_t[:, :, :, ::1] hands) except *:
    """Take the address of hands by block, deal, seat and pack; none where there are no deals."""
    fixed.words = NULL
    fixed.n_deals = <int>hands.shape[1]
    fixed.copies = <int>hands.shape[3]
    if hands.shape[0] and hands.shape[1]:
        fixed.words = &hands[0, 0, 0, 0]


def play_games(Rules rules, list capsules, tuple key, const uint64_t[::1] blocks,
               const uint8_t[:, ::1] seating, const uint32_t[::1] replicates,
               const uint8_t[::1] turns, const uint64_t[:, :, :, ::1] hands, dict games,
               dict rows, const int[::1] stop):
    """Play ``len(blocks)`` whole games; return how many were finished before a stop."""
    cdef table_t* t
    cdef fixed_t fixed
    cdef games_t results
    cdef rows_t out
    cdef policy_t* policies[256]
    cdef policy_t* seated[10]
    cdef uint64_t key_words[2]
    cdef Py_ssize_t game = 0, n_games = blocks.shape[0]
    cdef int s, deal, seats = rules.variant.seats
    cdef bint stopped = False, more
    if n_games == 0:
        return 0
    key_words[0], key_words[1] = key
    for s in range(len(capsules)):
        policies[s] = policy_of(capsules[s])
    point_games(&results, games)
    point_fixed(&fixed, hands)
    point_rows(&out, rows, rules.max_deals)
    t = <table_t*>calloc(1, sizeof(table_t))
    if t == NULL:
        raise MemoryError
    with nogil:
        while game < n_games:
            for s in range(seats):
                seated[s] = policies[seating[game, s]]
            seat_players(t, &rules.variant, &rules.dealing, seated, key_words, blocks[game],
                         replicates[game], &stop[0])
            t.turn = turns[game]
            t.fixed = &fixed if fixed.n_deals else NULL
            begin_game(t)
            deal, more = 0, True
            while more:
                if next_deal(t, deal) or stop[0]:
                    stopped = True
                    break
                write_deal(&out, game * out.per_game + deal, t)
                deal += 1
                more = goes_on(t)
            if stopped:
                break
            write_game(&results, game, t)
            game += 1
    free(t)
    return game


def play_deals(Rules rules, list capsules, tuple key, const uint8_t[::1] contracts,
               uint64_t first_block, Py_ssize_t n, uint16_t[:, ::1] fouls, dict rows,
               const int[::1] stop):
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
        while i < n and not stop[0]:
            seat_players(t, v, &rules.dealing, seated, key_words,
                         first_block + <uint64_t>i, 0, &stop[0])
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
                uint64_t[:, :, ::1] hands):
    """Deal number ``deal`` of each block: fill ``hands`` (len(blocks), seats, packs)."""
    cdef uint64_t key_words[2]
    cdef pack_t out[10]
    cdef Py_ssize_t i
    cdef int s, w
    key_words[0], key_words[1] = key
    with nogil:
        for i in range(blocks.shape[0]):
            deal_hands(&rules.dealing, key_words, blocks[i], deal, out)
            for s in range(rules.variant.seats):
                for w in range(hands.shape[2]):
                    hands[i, s, w] = as_set(out[s]).w[w]


include "trials.pxi"
include "lockstep.pxi"
include "queues.pxi"
include "many_draws.pxi"
include "views.pxi"
include "asking.pxi"
include "tabletop.pxi"
