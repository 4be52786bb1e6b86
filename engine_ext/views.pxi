# What a batched strategy is shown. Part of kernel.pyx.


cdef extern from *:
    """
    /* One field of many tables side by side: `width` bytes at `offset` of each. */
    static void collect(const char *tables, size_t stride, const int32_t *rows, int n,
                        size_t offset, size_t width, void *out) {
    #define COLLECT(type)                                                           \
        for (int i = 0; i < n; i++)                                                 \
            ((type *)out)[i] = *(const type *)(tables + (size_t)rows[i] * stride + offset)
        if (width == 8) COLLECT(uint64_t);
        else if (width == 1) COLLECT(uint8_t);
        else if (width == 2) COLLECT(uint16_t);
        else if (width == 4) COLLECT(uint32_t);
        else
            for (int i = 0; i < n; i++)
                memcpy((char *)out + (size_t)i * width,
                       tables + (size_t)rows[i] * stride + offset, width);
    }
    """
    void collect(const char* tables, size_t stride, const int32_t* rows, int n, size_t offset,
                 size_t width, void* out) noexcept nogil


cdef class Views:
    """What many seats know, each asked the same question; one row for each. Valid during the
    question only. Arrays are made when they are first asked for, and are to be read only.

    Names and meanings are those of a single ``View``. Sets of cards are uint64 (bit 16 *
    suit + rank), sets of seats uint16, seats and numbers uint8; what a single view shows as
    None is 255. With two packs a set is two words on a further axis, first and second
    copies (``sets.merged`` makes one of them). Points are inside points: more is better.
    """

    cdef lockstep_t* m
    cdef int n
    cdef dict made
    cdef readonly object rules
    """The variant as numbers (``VariantNumbers``), the same for all rows."""
    cdef stream_t* drawn
    # Every row's stream as it was before anything was drawn; NULL: nothing was.

    def __dealloc__(self):
        free(self.drawn)

    cdef table_t* table(self, int row) noexcept:
        return table_at(self.m, self.m.asked[row])

    cdef stream_t* stream(self, int row) noexcept:
        cdef table_t* t = self.table(row)
        return &t.streams[t.view.seat]

    cdef keep_draws(self):
        """Before numbers are drawn: keep where the streams are."""
        cdef int row
        if self.drawn != NULL:
            return
        self.drawn = <stream_t*>calloc(self.n + 1, sizeof(stream_t))
        if self.drawn == NULL:
            raise MemoryError
        for row in range(self.n):
            self.drawn[row] = self.stream(row)[0]

    cdef put_back_draws(self):
        """Forget what was drawn."""
        cdef int row
        if self.drawn != NULL:
            for row in range(self.n):
                self.stream(row)[0] = self.drawn[row]

    cdef const view_t* look(self) except NULL:
        """The view of table 0: where its fields lie is where those of the others lie."""
        if self.m == NULL:
            raise RuntimeError("views are only valid during the question they were shown with")
        return &table_at(self.m, 0).view

    cdef column(self, name, const void* field, dtype, int width=0):
        """A field of every row's view, ``width`` values side by side (0: one, no axis)."""
        found = self.made.get(name)
        if found is None:
            found = np.empty((self.n, width)[:2 if width else 1], dtype)
            self.fill(found, <size_t>(<const char*>field - self.m.tables))
            self.keep(name, found)
        return found

    cdef keep(self, name, array):
        """An array as it is shown from now on: nobody writes to it by mistake."""
        array.flags.writeable = False
        self.made[name] = array

    cdef sets(self, name, const cardset_t* field):
        """A set of cards of every row's view."""
        return self.column(name, field, np.uint64, 2 if self.m.variant.copies == 2 else 0)

    cdef fill(self, array, size_t offset):
        cdef Py_buffer out
        PyObject_GetBuffer(array, &out, PyBUF_CONTIG_RO)
        if self.n:
            collect(self.m.tables, self.m.stride, self.m.asked, self.n, offset,
                    <size_t>(out.len // self.n), out.buf)
        PyBuffer_Release(&out)

    def __len__(self):
        return self.n

    @property
    def random(self):
        """These decisions' random numbers."""
        cdef ManyDraws draws = ManyDraws()
        self.look()
        self.keep_draws()
        draws.views = self
        return draws

    @property
    def hand(self):
        """Own cards."""
        return self.sets("hand", &self.look().hand)

    @property
    def legal(self):
        """Cards that may be played now (0 in questions that are not about a card)."""
        return self.sets("legal", &self.look().legal)

    @property
    def best(self):
        """The card that wins the trick so far; 0 on lead."""
        return self.sets("best", &self.look().best)

    @property
    def led(self):
        """The whole suit that was led; 0 on lead."""
        return self.sets("led", &self.look().led)

    @property
    def trump_cards(self):
        """The whole trump suit; 0 without."""
        return self.sets("trump_cards", &self.look().trump_cards)

    @property
    def trick(self):
        """Cards of the trick in progress."""
        return self.sets("trick", &self.look().trick)

    @property
    def played(self):
        """Every card played or laid in this deal."""
        return self.sets("played", &self.look().played)

    @property
    def seat(self):
        """Own seat."""
        return self.column("seat", &self.look().seat, np.uint8)

    @property
    def role(self):
        """Seat counted from the declarer, or from the first leader where there is none."""
        return self.column("role", &self.look().role, np.uint8)

    @property
    def n_trick(self):
        """Cards in the trick so far; 0 is on lead."""
        return self.column("n_trick", &self.look().n_trick, np.uint8)

    @property
    def may_pass(self):
        """Layout: 1 where 255 (pass) is allowed as an answer."""
        return self.column("may_pass", &self.look().may_pass, np.uint8)

    @property
    def choices(self):
        """Set of contracts that may be named (bit c, uint32), each with a parameter of
        ``rules.contracts[c].params``."""
        return self.column("choices", &self.look().choices, np.uint32)

    @property
    def may_double(self):
        """Set of seats that may be doubled."""
        return self.column("may_double", &self.look().may_double, np.uint16)

    @property
    def must_double(self):
        """Those of them that the duty says must be."""
        return self.column("must_double", &self.look().must_double, np.uint16)

    @property
    def may_redouble(self):
        """Set of seats that may be redoubled."""
        return self.column("may_redouble", &self.look().may_redouble, np.uint16)

    @property
    def deal(self):
        """Number of the deal in its game, from 0 (uint16)."""
        return self.column("deal", &self.look().deal, np.uint16)

    @property
    def tied(self):
        """In a deal that plays out a tie: the set of seats that it can make the winner."""
        return self.column("tied", &self.look().tied, np.uint16)

    @property
    def dealer(self):
        """Who dealt."""
        return self.column("dealer", &self.look().dealer, np.uint8)

    @property
    def declarer(self):
        """Who chooses the contract; 255 where the schedule is fixed."""
        return self.column("declarer", &self.look().declarer, np.uint8)

    @property
    def leader(self):
        """Who leads the first trick or moves first."""
        return self.column("leader", &self.look().leader, np.uint8)

    @property
    def trump(self):
        """Trump suit by its place in the pack; 255 without."""
        return self.column("trump", &self.look().trump, np.uint8)

    @property
    def n_tricks(self):
        """Tricks completed."""
        return self.column("n_tricks", &self.look().n_tricks, np.uint8)

    @property
    def trick_leader(self):
        """Who led the trick in progress."""
        return self.column("trick_leader", &self.look().trick_leader, np.uint8)

    @property
    def contract(self):
        """Number of the contract being played, its place in ``rules.contracts``; 255 while it
        is chosen."""
        self.look()
        if "contract" not in self.made:
            self.read_contracts()
        return self.made["contract"]

    @property
    def start_rank(self):
        """Start rank of a layout by its place in the pack; 255 in tricks."""
        self.look()
        if "start_rank" not in self.made:
            self.read_contracts()
        return self.made["start_rank"]

    cdef read_contracts(self):
        contract = np.full(self.n, 255, np.uint8)
        start_rank = np.full(self.n, 255, np.uint8)
        cdef uint8_t[::1] number = contract
        cdef uint8_t[::1] rank = start_rank
        cdef const view_t* v
        cdef int row
        for row in range(self.n):
            v = &self.table(row).view
            if v.contract != NULL:
                number[row] = v.contract.id
                if v.contract.kind == KIND_LAYOUT:
                    rank[row] = v.start_rank
        self.keep("contract", contract)
        self.keep("start_rank", start_rank)

    @property
    def moves(self):
        """(rows, longest) uint8: card numbers in order; in a layout also 255 for a pass and
        the number + 128 of a card that was taken back; 254 behind the last."""
        self.look()
        if "moves" not in self.made:
            self.read_moves()
        return self.made["moves"]

    @property
    def movers(self):
        """(rows, longest) uint8: the seat of each of ``moves``; 254 behind the last."""
        self.look()
        if "movers" not in self.made:
            self.read_moves()
        return self.made["movers"]

    cdef read_moves(self):
        n_moves = self.column("n_moves", &self.look().n_moves, np.uint16)
        moves = np.full((self.n, int(n_moves.max(initial=0))), UNKNOWN_MOVE, np.uint8)
        movers = moves.copy()
        cdef uint8_t[:, ::1] move = moves
        cdef uint8_t[:, ::1] mover = movers
        cdef const view_t* v
        cdef int row, i, seats = self.m.variant.seats
        for row in range(self.n):
            v = &self.table(row).view
            for i in range(v.n_moves):
                move[row, i] = v.moves[i]
                if v.contract.kind == KIND_LAYOUT:
                    mover[row, i] = v.movers[i]
                else:
                    mover[row, i] = <uint8_t>((v.leaders[i // seats] + i % seats) % seats)
        self.keep("moves", moves)
        self.keep("movers", movers)

    @property
    def voids(self):
        """(rows, seats) uint8: set of suits each seat has shown not to hold."""
        return self.column("voids", &self.look().voids, np.uint8, self.m.variant.seats)

    @property
    def ban_lifted(self):
        """Tricks: 1 where the lead ban holds for nobody any more."""
        return self.column("ban_lifted", &self.look().ban_lifted, np.uint8)

    @property
    def n_cards(self):
        """(rows, seats) uint8: layout: cards left in each hand."""
        return self.column("n_cards", &self.look().n_cards, np.uint8, self.m.variant.seats)

    @property
    def places(self):
        """(rows, seats) uint8: layout: finishing place from 1, 0 while still in."""
        return self.column("places", &self.look().places, np.uint8, self.m.variant.seats)

    @property
    def passed(self):
        """(rows, seats) uint8: layout: the own passes although a card fitted, 0 for others."""
        return self.column("passed", &self.look().passed, np.uint8, self.m.variant.seats)

    @property
    def face_up(self):
        """(rows, seats) uint64: captured cards that the rules leave visible."""
        self.look()
        # Beside the view, not in it: the view has their address.
        both = self.column("face_up", &table_at(self.m, 0).face_up, np.uint64,
                           2 * self.m.variant.seats)
        return both.reshape(self.n, -1, 2) if self.m.variant.copies == 2 else both[:, ::2]

    @property
    def doubled(self):
        """(rows, seats) uint16: set of seats that each has doubled or redoubled."""
        return self.column("doubled", &self.look().doubled, np.uint16, self.m.variant.seats)

    @property
    def duty_done(self):
        """(rows, seats) uint8: doubles of this declarer so far."""
        return self.column("duty_done", &self.look().duty_done, np.uint8, self.m.variant.seats)

    @property
    def scores(self):
        """(rows, seats) int32: total of the game so far, side bets included."""
        return self.column("scores", &self.look().scores, np.int32, self.m.variant.seats)

    @property
    def uses_left(self):
        """(rows, seats, contracts) uint8: by declarer, how often each may still be chosen."""
        wide = self.column("uses_left", &self.look().uses_left, np.uint8,
                           self.m.variant.seats * MAX_CONTRACTS)
        return wide.reshape(self.n, -1, MAX_CONTRACTS)[:, :, :self.m.variant.n_contracts]
