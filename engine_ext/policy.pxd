"""policy.h and stream.h for Cython: cimport from here, never redeclare."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "stream.h" nogil:
    enum:
        DOMAIN_DEAL
        DOMAIN_STRATEGY
        DOMAIN_SCHEDULE
        DOMAIN_BOOTSTRAP
    ctypedef struct stream_t:
        uint64_t words[4]
        uint64_t key[2]
        uint64_t block
        uint32_t deal
        uint32_t seat
        uint32_t replicate
        uint32_t decision
        int32_t group
        uint32_t sliced
        uint32_t extra_for
        uint32_t extra_used
    uint64_t stream_c2(uint32_t deal, uint32_t seat, uint32_t decision, uint32_t replicate)
    uint64_t mulhilo(uint64_t a, uint64_t b, uint64_t* hi)
    void philox(const uint64_t* key, uint64_t c0, uint64_t c1, uint64_t c2, uint64_t c3,
                uint64_t* out)
    void stream_load(stream_t* s, int32_t group)
    uint64_t stream_u64(stream_t* s)
    void stream_aside(const stream_t* s, uint64_t* out)
    uint32_t stream_below(stream_t* s, uint32_t n)
    bint stream_at_once(const stream_t* s, uint32_t n, uint32_t* out)
    uint32_t stream_below_once(stream_t* s, uint32_t n)
    uint64_t stream_below_u64(stream_t* s, uint64_t n)


cdef extern from "policy.h" nogil:
    const char* BARBU_POLICY_CAPSULE
    uint32_t BARBU_POLICY_ABI
    uint32_t NO_SEATS_ANSWER
    enum:
        MAX_SEATS
        MAX_SUITS
        MAX_RANKS
        MAX_CONTRACTS
        MAX_SLOTS
        MAX_DEALS
        MAX_PLAYS
        MAX_MOVES
        NO_SEAT
        NO_SUIT
        NO_CONTRACT
        PASS
        KIND_TRICK
        KIND_LAYOUT
        SLOT_TRICKS
        SLOT_CARDS
        SLOT_TRICK_AT
        SLOT_PLACE
        SLOT_SHOT
        TRUMP_NONE
        TRUMP_DECLARER
        TRUMP_DRAWN
        VOID_FREE
        VOID_MUST_RUFF
        VOID_MUST_OVERRUFF
        VOID_OVERRUFF_ELSE_FREE
        BEAT_NONE
        BEAT_TRUMP_LEADS
        BEAT_ALL_LEADS
        BAN_NOTHING_ELSE
        BAN_BROKEN
        BAN_TRICK
        FORCED_VOID
        FORCED_VOID_OR_BEATEN
        FORCED_FIRST_LEGAL
        COPIES_SHARED
        COPIES_PARALLEL
        COPIES_STACK
        REVOKE_WORSENS
        REVOKE_MINUS
        REVOKE_SIGNED
        POLICY_DRAWS
        POLICY_HAS_MEMORY
        POLICY_TWO_PACKS

    ctypedef struct cardset_t:
        uint64_t w[2]

    ctypedef struct contract_t:
        uint8_t id
        uint8_t kind
        int8_t tone
        uint8_t n_slots
        uint8_t slot_kind[8]
        int32_t slot_points[8]
        cardset_t slot_cards[8]
        uint64_t slot_tricks[8]
        int32_t total
        uint32_t params
        uint8_t trump_mode
        uint8_t void_duty
        uint8_t beat_duty
        uint8_t ban_until
        uint8_t ban_trick
        uint8_t forced_when
        uint8_t forced_highest
        uint8_t plain
        cardset_t lead_ban
        cardset_t ban_broken_by
        cardset_t forced
        cardset_t first_lead
        cardset_t first_trick_ban
        cardset_t end_cards
        cardset_t face_up
        int32_t trick_points
        cardset_t scoring_cards
        uint64_t scoring_tricks
        uint8_t n_card_slots
        uint8_t card_slots[8]
        cardset_t shoot_cards
        int32_t shoot_taker
        int32_t shoot_others
        uint8_t may_pass
        uint8_t stall_forces
        uint8_t stall_freezes
        uint8_t passes
        uint8_t missing_stalls
        uint8_t copies
        uint8_t replay_must
        uint8_t lose_turn
        uint8_t all_out
        cardset_t replay
        int32_t payout[10]

    ctypedef struct variant_t:
        uint8_t seats
        uint8_t hand_size
        uint8_t n_suits
        uint8_t n_ranks
        cardset_t deck
        cardset_t suit[4]
        uint8_t n_contracts
        contract_t contracts[32]
        uint16_t n_deals
        uint8_t has_choice
        uint8_t uses[32]
        uint16_t dealership
        uint8_t dealer_offset
        uint8_t leader_offset
        uint8_t sequence[2560]
        int8_t objective
        uint8_t has_doubling
        uint8_t targets[3]
        uint8_t declarer_redoubles
        uint8_t duty
        uint8_t copies
        uint8_t first_wins
        cardset_t leader_card
        uint8_t uses_of_table
        uint8_t extra_contract
        uint8_t max_extra
        uint8_t extra_for_all
        uint8_t honour
        uint8_t revoke_at_end
        uint8_t revoke_sign
        uint8_t revoke_keeps
        uint8_t revoke_replays
        uint8_t ban_as_revoke
        uint8_t redoubles
        uint8_t rounds
        uint8_t duty_forced
        int32_t duty_penalty
        uint8_t undoubled_split

    ctypedef struct view_t:
        const variant_t* variant
        const contract_t* contract
        cardset_t hand
        cardset_t legal
        cardset_t best
        uint8_t seat
        uint8_t role
        uint8_t n_trick
        uint8_t may_pass
        uint32_t choices
        uint16_t may_double
        uint16_t must_double
        uint16_t may_redouble
        uint16_t deal
        uint8_t dealer
        uint8_t declarer
        uint8_t leader
        uint8_t trump
        uint8_t start_rank
        uint8_t n_tricks
        uint8_t trick_leader
        uint8_t led_suit
        cardset_t led
        cardset_t trump_cards
        cardset_t trick
        cardset_t played
        uint16_t n_moves
        uint8_t moves[2560]
        uint8_t leaders[128]
        uint8_t movers[2560]
        uint8_t voids[10]
        uint8_t n_cards[10]
        uint8_t places[10]
        uint8_t passed[10]
        uint8_t ban_lifted
        uint8_t extra
        uint16_t tied
        const cardset_t* face_up
        uint16_t doubled[10]
        uint8_t duty_done[10]
        int32_t scores[10]
        uint8_t uses_left[10][32]
        const volatile int* stop

    int declared_before(const variant_t* v, int deals, int seat)
    int deals_to_declare(const variant_t* v, int deal, int declarer)

    ctypedef int32_t (*choose_t)(void* state, const view_t* view, stream_t* stream) noexcept nogil
    ctypedef uint32_t (*doubles_t)(void* state, const view_t* view, stream_t* stream) noexcept nogil
    ctypedef cardset_t (*card_t)(void* state, const view_t* view, stream_t* stream) noexcept nogil
    ctypedef void (*new_game_t)(void* state) noexcept nogil

    ctypedef struct policy_t:
        uint32_t abi
        uint32_t flags
        void* choose_state
        void* double_state
        void* redouble_state
        void* play_state
        void* lay_state
        void* game_state
        choose_t choose
        doubles_t make_doubles
        doubles_t make_redoubles
        card_t play
        card_t lay
        new_game_t new_game
