# Everything the project needs lies in .venv; nothing outside this folder changes.
# Paths are relative, so that a checkout may lie in a folder with spaces (all works there but
# `--executor ray`: Ray 2.60 starts no workers from such a .venv).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
DEPS := $(VENV)/.deps.stamp
INSTALLED := $(VENV)/.installed.stamp
BUILT := $(VENV)/.built.stamp
REFEREES := $(VENV)/.referees.stamp
SOURCES := $(shell find engine_ext strategies -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h')
COMPILED := engine_ext/*.so strategies/*.so
PIP := $(PY) -m pip -q --disable-pip-version-check
INSTALL := $(PIP) install --no-deps --no-build-isolation -e .
# Neighbours in a file stay together, and so a module's fixtures are made once.
PYTEST := $(PY) -m pytest -q -n 2 --dist worksteal
# Every finding but a leak ends its process, and a test whose process ends has failed.
SANITIZERS := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all \
    -fno-wrapv -fno-omit-frame-pointer -g -O1
PRELOAD = $(foreach name,libasan.so libubsan.so,$(shell gcc -print-file-name=$(name)))
FINDINGS := build/findings
# Leaks of the interpreter and of others are many: one counts if our code asked for the memory.
FINDING := ERROR: AddressSanitizer|runtime error:|^ +\#1 .*(engine_ext|strategies)/
# Ray's raylet breaks off with the libraries loaded; in Chromium nothing of ours runs.
UNSANITIZED := -m "not slow and not ray" --ignore=tests/end_to_end/test_report_browser.py \
    --ignore=tests/end_to_end/test_report_paper.py

.DEFAULT_GOAL := help
.PHONY: help build demo test lint quick check-slow fuzz checked sanitized bench profile lock clean
.DELETE_ON_ERROR:

help:  ## list what can be made
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 14

build: $(BUILT)  ## .venv with pinned packages, the engine compiled

demo: $(BUILT)  ## play a tournament of the four base variants, write its report
	@$(BIN)/barbu demo

test: $(DEPS)  ## all that CI asks for: format, lint, types, import arrows, tests
	@# Types are checked on one core; the compilers keep the other busy meanwhile.
	@$(MAKE) --no-print-directory -j 2 build lint
	@echo "Running the tests; the slow ones are left to 'make check-slow'."
	@$(PYTEST) -rs

lint: $(DEPS)  ## format, lint, strict types and import arrows alone
	@echo "Checking format, lint, types and import arrows."
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(BIN)/lint-imports

quick: $(BUILT)  ## the inner loop: lint, types and the fast tests, under 90 s
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(PYTEST) -m "not slow and not ray" --ignore=tests/end_to_end

check-slow: $(BUILT) $(REFEREES)  ## every test, long runs and others' programs as referees included
	@BARBU_REFEREES=1 $(PYTEST) -m "slow or not slow" --hypothesis-profile=long --timeout=3600

FUZZ_S ?= 600
fuzz: $(BUILT)  ## coverage-guided fuzzing of the readers, FUZZ_S seconds each (needs atheris)
	@$(PIP) install atheris==3.0.0
	@for reader in record sheet variant; do \
	    $(PY) -m tests.fuzz.readers $$reader -max_total_time=$(FUZZ_S) || exit 1; done

checked: $(DEPS)  ## the tests on an engine with bounds checks and asserts
	@echo "Compiling with bounds checks and asserts; the normal build comes back at the end."
	@rm -f $(INSTALLED) $(BUILT) $(COMPILED)
	@BARBU_CHECKED=1 $(INSTALL)
	@verdict=0; $(PYTEST) || verdict=$$?; \
	    $(MAKE) --no-print-directory build || exit 1; exit $$verdict

# The libraries must be loaded before the interpreter, which was built without them; its own
# pools would hide what lies beyond a block, and pytest's capture would swallow the reports.
# Those are searched besides, since a run plays a shard again whose worker died.
sanitized: $(DEPS)  ## the tests under gcc's sanitizers: memory, leaks, undefined behaviour
	@for library in $(PRELOAD); do test -e "$$library" || \
	    { echo "error: gcc has no $$library (Debian: apt-get install gcc)" >&2; exit 2; }; done
	@echo "Compiling with sanitizers; the normal build comes back at the end."
	@rm -rf $(INSTALLED) $(BUILT) $(COMPILED) $(FINDINGS)
	@mkdir -p $(FINDINGS)
	@CC=gcc BARBU_CFLAGS="$(SANITIZERS)" $(INSTALL)
	@verdict=0; LD_PRELOAD="$(PRELOAD)" PYTHONMALLOC=malloc \
	    ASAN_OPTIONS="abort_on_error=1:exitcode=0:detect_stack_use_after_return=1:log_path='$(CURDIR)/$(FINDINGS)/log'" \
	    UBSAN_OPTIONS=abort_on_error=1:halt_on_error=1:print_stacktrace=1 \
	    $(PYTEST) --capture=sys --timeout=3600 $(UNSANITIZED) 2> $(FINDINGS)/stderr || \
	    { verdict=$$?; tail -n 20 $(FINDINGS)/stderr; }; \
	    ! grep -hE -B2 -A20 "$(FINDING)" $(FINDINGS)/* || verdict=1; \
	    $(MAKE) --no-print-directory build || exit 1; exit $$verdict

bench: $(BUILT)  ## speed, as a share of a bare C loop on the same core
	@$(BIN)/barbu bench

profile: $(BUILT)  ## where a deal's instructions and the time of landing go (needs valgrind)
	@command -v valgrind >/dev/null || { echo "error: valgrind is not installed" >&2; exit 2; }
	@$(PY) benchmarks/instructions.py
	@echo
	@$(PY) benchmarks/landing.py

lock:  ## pin the newest allowed packages again (needs uv)
	uv pip compile pyproject.toml --extra dev --extra tune --generate-hashes --upgrade \
	    --python-version 3.11 --no-header -o requirements.lock
	uv pip compile --group referees -c requirements.lock --generate-hashes --upgrade \
	    --python-version 3.11 --no-header -o requirements-referees.lock

clean:  ## remove compiled files, caches and .venv; runs stay
	rm -rf $(VENV) build barbu_sim.egg-info $(COMPILED) \
	    .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# The environment: made once, and again when the pins change.
$(DEPS): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "error: $(PYTHON) must be Python 3.11 or newer: make PYTHON=python3.11 ..." >&2; exit 2; }
	@test -x $(PY) || { echo "Creating $(VENV) with $(PYTHON)."; $(PYTHON) -m venv $(VENV); } || \
	    { rm -rf $(VENV); echo "error: $(PYTHON) -m venv failed (Debian: apt-get install python3-venv)" >&2; exit 2; }
	@echo "Installing the pinned packages of requirements.lock into $(VENV) (about 700 MB, once)."
	@# Modules are compiled when first imported, which most never are.
	@$(PIP) install --no-compile --require-hashes -r requirements.lock
	@touch $@

# Other people's programs that the slow tests ask (docs/checks.md).
$(REFEREES): requirements-referees.lock $(DEPS)
	@echo "Installing the referees of requirements-referees.lock into $(VENV) (about 150 MB, once)."
	@$(PIP) install --require-hashes -r requirements-referees.lock
	@touch $@

# The project: installed again when what it says of itself or how it is built changes.
$(INSTALLED): $(DEPS) setup.py pyproject.toml
	@command -v "$${CC:-cc}" >/dev/null || command -v gcc >/dev/null || \
	    { echo "error: no C compiler found (Debian: apt-get install gcc libc6-dev)" >&2; exit 2; }
	@$(PY) -c 'import pathlib, sysconfig as s, sys; sys.exit(not pathlib.Path(s.get_path("include"), "Python.h").exists())' || \
	    { echo "error: Python.h not found (Debian: apt-get install python3-dev)" >&2; exit 2; }
	@echo "Compiling the engine and installing barbu into $(VENV)."
	@# Compilers look at the sources' age only: after other switches start afresh.
	@test -e $@ -a ! setup.py -nt $@ || rm -f $(COMPILED)
	@$(INSTALL)
	@touch $@
	@echo "Built. The command is $(BIN)/barbu."

# The engine: what an edited source touches is compiled again.
$(BUILT): $(INSTALLED) $(SOURCES)
	@$(PY) setup.py -q build_ext --inplace
	@touch $@
