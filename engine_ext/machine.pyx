"""What this build is and what the processor can run."""

cdef extern from *:
    """
    #if !defined(BARBU_KERNEL) || !defined(BARBU_SOURCE)
    #error "compile through setup.py"
    #endif
    static int cpu_runs_v3(void) {
    #if defined(__x86_64__)
        __builtin_cpu_init();
        return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
               __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
               __builtin_cpu_supports("fma") && __builtin_cpu_supports("lzcnt");
    #else
        return 0;
    #endif
    }
    static int checked_build(void) { return BARBU_CHECKED; }
    #if defined(__clang__)
    #define COMPILER "clang " __clang_version__
    #else
    #define COMPILER "gcc " __VERSION__
    #endif
    """
    int cpu_runs_v3()
    int checked_build()
    const char* BARBU_KERNEL
    const char* BARBU_SOURCE
    const char* COMPILER


def runs_v3():
    """True if the processor can run the x86-64-v3 kernel."""
    return bool(cpu_runs_v3())


def build_info():
    """Kernel, compiler, whether checks are compiled in, and what the sources were."""
    return {
        "kernel": BARBU_KERNEL.decode(),
        "compiler": COMPILER.decode().strip(),
        "checked": "yes" if checked_build() else "no",
        "source": BARBU_SOURCE.decode(),
    }
