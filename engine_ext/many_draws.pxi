# The random numbers of many decisions at once. Part of kernel.pyx.


cdef class ManyDraws:
    """The random numbers of many decisions, each from its own stream: what one decision
    draws is what it would draw if it were asked alone."""

    cdef Views views

    def u64(self, where=None):
        """A 64-bit integer for each row (``where`` it is true; else 0)."""
        drawn, wanted = self._begin(np.uint64, where)
        cdef uint64_t[::1] out = drawn
        cdef const uint8_t[::1] mask = wanted
        cdef int row
        for row in range(out.shape[0]):
            if mask[row]:
                out[row] = stream_u64(self.views.stream(row))
        return drawn

    def below(self, n, where=None):
        """An integer uniform in 0..n-1 for each row, 1 <= n < 2^63, ``n`` a number or one
        for each row (``where`` it is true; else 0)."""
        drawn, wanted = self._begin(np.int64, where)
        cdef int64_t[::1] out = drawn
        cdef const uint8_t[::1] mask = wanted
        cdef const int64_t[::1] bounds = np.ascontiguousarray(
            np.broadcast_to(np.asarray(n), drawn.shape), np.int64)
        cdef int row
        for row in range(out.shape[0]):
            if mask[row]:
                if bounds[row] < 1:
                    raise ValueError(f"below({bounds[row]}): n must be in 1..2^63-1")
                if bounds[row] <= 65536:
                    out[row] = stream_below(self.views.stream(row), <uint32_t>bounds[row])
                else:
                    out[row] = <int64_t>stream_below_u64(self.views.stream(row), <uint64_t>bounds[row])
        return drawn

    def random(self, where=None):
        """A float uniform in [0, 1) with 53 bits for each row (``where`` it is true)."""
        return (self.u64(where) >> np.uint64(11)) * (1.0 / (1 << 53))

    def _begin(self, dtype, where):
        self.views.look()
        n = len(self.views)
        if where is None:
            return np.zeros(n, dtype), np.ones(n, np.uint8)
        where = np.asarray(where)
        if where.shape != (n,) or where.dtype != np.bool_:
            raise ValueError(f"where: {where.dtype}{where.shape}, want bool({n},)")
        return np.zeros(n, dtype), np.ascontiguousarray(where).view(np.uint8)
