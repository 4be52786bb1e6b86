# Batched strategies are asked: who sits at the tables of lockstep.pxi, and what they answer
# to views.pxi. Part of kernel.pyx.


cdef class Asked:
    """A batched strategy as the engine sees it: what it answers itself, in batches, and a
    policy with the defaults for the rest. It has no ``capsule``: nobody who asks one table at
    a time shall take those defaults for its answers."""

    cdef readonly object strategy
    cdef readonly object defaults
    cdef readonly list errors
    """The first few failures, as text."""
    cdef list methods
    cdef object rules

    def __init__(self, strategy, questions, defaults, rules):
        self.strategy = strategy
        self.defaults = defaults
        self.rules = rules
        self.errors = []
        self.methods = [(name, getattr(strategy, name, None)) for name in questions]

    cdef bint answers(self, int question):
        return self.methods[question][1] is not None

    cdef ask(self, lockstep_t* m, int question, int n):
        """Ask the ``n`` tables in ``m.asked``; int64 (n,), -1 where there is no answer.

        If that fails each table is asked alone: what comes of it must not depend on which
        others happened to wait in the same queue.
        """
        cdef Views views = Views()
        name, method = self.methods[question]
        views.m = m
        views.n = n
        views.made = {}
        views.rules = self.rules
        try:
            return in_rows(method(views), n)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.note(&views.table(0).view, name, error, n)
            views.put_back_draws()
        finally:
            views.m = NULL
        return np.full(1, -1, np.int64) if n == 1 else self.ask_alone(m, question, n)

    cdef ask_alone(self, lockstep_t* m, int question, int n):
        """Ask the tables in ``m.asked`` one by one."""
        cdef int32_t* asked = m.asked
        cdef int row
        answers = np.empty(n, np.int64)
        try:
            for row in range(n):
                m.asked = asked + row
                answers[row] = self.ask(m, question, 1)[0]
        finally:
            m.asked = asked
        return answers

    cdef note(self, const view_t* view, question, error, int n):
        """Keep the first few failures as text."""
        if len(self.errors) < MAX_ERRORS:
            where = f"at {n} tables" if n > 1 else f"in deal {view.deal}, seat {view.seat}"
            self.errors.append(f"{question} {where}: {told(error)}")


cdef in_rows(answer, int n):
    """An answer as the machine reads it; ``TypeError`` if it is no integer for each row."""
    array = np.asarray(answer)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise TypeError(f"answered {array.dtype}{array.shape}, want integers, shape ({n},)")
    return np.ascontiguousarray(array, np.int64)


cdef told(error):
    """An exception in words; its own ``__str__`` may fail as well."""
    name = type(error).__name__
    try:
        return f"{name}: {error}"
    except Exception:
        return name


cdef class Lockstep:
    """The tables, and who sits at them."""

    cdef lockstep_t m
    cdef list players
    cdef list queues              # (player, question)

    def __cinit__(self):
        memset(&self.m, 0, sizeof(lockstep_t))

    def __dealloc__(self):
        free(self.m.tables)
        free(self.m.desks)
        free(self.m.n_waiting)
        free(self.m.waiting)
        free(self.m.asked)
        free(self.m.whole)

    cdef set_up(self, Rules rules, list players, tuple key, Py_ssize_t n_games, int n_tables,
                const int[::1] stop):
        cdef lockstep_t* m = &self.m
        cdef int s, q
        self.players = players
        self.queues = []
        m.variant = &rules.variant
        m.dealing = &rules.dealing
        m.key[0], m.key[1] = key
        m.stop = &stop[0]
        m.n_games = n_games
        queues = {}               # one object may hold several places
        for s in range(len(players)):
            policy = players[s].defaults if isinstance(players[s], Asked) else players[s]
            m.policies[s] = policy_of(policy.capsule)
            if m.policies[s].flags & POLICY_HAS_MEMORY:
                n_tables = 1      # it must see a game whole before the next
            for q in range(N_QUESTIONS):
                m.queue_of[s * N_QUESTIONS + q] = NO_QUEUE
                if isinstance(players[s], Asked) and (<Asked>players[s]).answers(q):
                    queue = queues.setdefault((id(players[s]), q), len(self.queues))
                    m.queue_of[s * N_QUESTIONS + q] = queue
                    if queue == len(self.queues):
                        self.queues.append((players[s], q))
        m.n_queues = len(self.queues)
        m.n_tables = n_tables
        # An odd number of lines apart, so that the same field of neighbouring tables does not
        # fall on the same place of the cache.
        m.stride = (sizeof(table_t) + 63) // 64 * 64
        m.stride += 64 if m.stride // 64 % 2 == 0 else 0
        m.tables = set_tables(n_tables * m.stride)
        m.desks = <desk_t*>calloc(n_tables, sizeof(desk_t))
        m.n_waiting = <int*>calloc(m.n_queues + 1, sizeof(int))
        m.waiting = <int32_t*>calloc((m.n_queues + 1) * n_tables, sizeof(int32_t))
        m.asked = <int32_t*>calloc(n_tables, sizeof(int32_t))
        m.whole = <uint8_t*>calloc(n_games + 1, 1)
        if m.tables == NULL or m.desks == NULL or m.n_waiting == NULL or m.waiting == NULL \
                or m.asked == NULL or m.whole == NULL:
            raise MemoryError

    cdef Py_ssize_t run(self) except -1:
        """Play all games; how many from the first on are whole."""
        cdef lockstep_t* m = &self.m
        cdef Py_ssize_t done = 0
        cdef int i, n, queue, question
        cdef const int64_t[::1] answers
        with nogil:
            for i in range(m.n_tables):
                open_game(m, i)
                run_table(m, i)
        while not m.stop[0]:
            queue = fullest_queue(m)
            if queue == NO_QUEUE:
                break
            n = take_queue(m, queue)
            player, question = self.queues[queue]
            answers = (<Asked>player).ask(m, question, n)
            with nogil:
                take_answers(m, question, n, &answers[0])
        while done < m.n_games and m.whole[done]:
            done += 1
        return done


def play_games_in_step(Rules rules, list players, tuple key, const uint64_t[::1] blocks,
                       const uint8_t[:, ::1] seating, const uint32_t[::1] replicates,
                       const uint8_t[::1] turns, const uint64_t[:, :, :, ::1] hands, dict games,
                       dict rows, const int[::1] stop, int n_tables):
    """What :func:`play_games` does where some players are batched (:class:`Asked`); at most
    ``n_tables`` games are at play together."""
    cdef Lockstep step = Lockstep()
    cdef lockstep_t* m = &step.m
    if blocks.shape[0] == 0:
        return 0
    step.set_up(rules, players, key, blocks.shape[0], min(n_tables, blocks.shape[0]), stop)
    m.blocks = &blocks[0]
    m.seating = &seating[0, 0]
    m.turns = &turns[0]
    m.replicates = &replicates[0]
    point_fixed(&m.fixed, hands)
    point_games(&m.games, games)
    point_rows(&m.rows, rows, rules.max_deals)
    return step.run()


def play_deals_in_step(Rules rules, list players, tuple key, const uint8_t[::1] contracts,
                       uint64_t first_block, Py_ssize_t n, uint16_t[:, ::1] fouls, dict rows,
                       const int[::1] stop, int n_tables):
    """What :func:`play_deals` does where some players are batched (:class:`Asked`)."""
    cdef Lockstep step = Lockstep()
    cdef lockstep_t* m = &step.m
    if n == 0:
        return 0
    step.set_up(rules, players, key, n, min(n_tables, n), stop)
    m.contracts = &contracts[0]
    m.n_contracts = <int>contracts.shape[0]
    m.first_block = first_block
    m.single_fouls = &fouls[0, 0]
    point_rows(&m.rows, rows)
    return step.run()


def play_trials_in_step(Rules rules, list players, tuple key, dict given, int question,
                        Py_ssize_t n, dict rows, const int[::1] stop, int n_tables):
    """What :func:`play_trials` does where some players are batched (:class:`Asked`)."""
    cdef Lockstep step = Lockstep()
    cdef lockstep_t* m = &step.m
    cdef trials_t trials
    if n == 0:
        return 0
    step.set_up(rules, players, key, n, min(n_tables, n), stop)
    point_trials(&trials, given, question)
    m.trials = &trials
    point_rows(&m.rows, rows)
    return step.run()
