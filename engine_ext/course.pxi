# A deal from its contract to its points. Out of line, once each: a loop that is compiled into
# a long function has fewer registers. Part of kernel.pyx.


cdef int play_four_bare(table_t* t, const duties_t* d) noexcept nogil:
    """The common table where following suit is all there is to it."""
    return play_tricks_of(t, d, 4, True)


cdef int play_four(table_t* t, const duties_t* d) noexcept nogil:
    """The common table."""
    return play_tricks_of(t, d, 4, False)


cdef int play_any(table_t* t, const duties_t* d) noexcept nogil:
    """Any number of seats."""
    return play_tricks_of(t, d, t.seats, False)


cdef int play_tricks(table_t* t) noexcept nogil:
    """Play a contract whose rules the short loop knows. 0, or 1 when told to stop."""
    cdef duties_t d
    fetch_duties(t, t.view.contract, &d)
    if t.seats != 4:
        return play_any(t, &d)
    return play_four_bare(t, &d) if d.bare else play_four(t, &d)


cdef int play_out(table_t* t) noexcept nogil:
    """Play the contract from where it stands and score it. 0, or 1 when told to stop."""
    if t.view.contract.kind == KIND_LAYOUT:
        if play_layout(t):
            return 1
        score_layout(t)
        return 0
    load_streams(t)
    if play_on_honour(t) if t.variant.honour else \
            play_tricks(t) if t.view.contract.plain else play_any_tricks(t):
        return 1
    finish_tricks(t)
    return 0


cdef int play_deal(table_t* t, bint bets) noexcept nogil:
    """From the contract chosen to points and side bets. 0, or 1 when told to stop."""
    if bets:
        ask_doubles(t)
    if bets and is_split(t):
        split_points(t)
    elif play_out(t):
        return 1
    if bets:
        settle(t)
    return 0


cdef int next_deal(table_t* t, int deal) noexcept nogil:
    """Deal number ``deal`` of the game, from the shuffle on. 0, or 1 when stopped."""
    cdef uint32_t choices = 0
    cdef int seat = 0
    cdef bint ask
    begin_deal(t, deal)
    ask = what_to_name(t, &choices, &seat)
    take_contract(t, choices, seat, ask)
    use_contract(t)
    if play_deal(t, has_bets(t)):
        return 1
    enter_scores(t)
    return 0
