# Entry points for people; CMake does the work. `make help` lists them.

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
HEDDLE  = $(BUILD)/heddle

.DEFAULT_GOAL := all
.PHONY: all deps deps-tests run test test-long pictures bench bench-sissi bench-queries bench-states bench-dpor bench-esst bench-symcpp bench-shrink bench-limits bench-svcomp bench-oracle bench-counts bench-against fuzz-long install deb tarball format check-format docs clean help

SOURCES = $(shell find src include tests examples bench -name node_modules -prune -o -name '*.[ch]' -print -o -name '*.js' -print)

all: deps ## install what is missing and build build/heddle
	@scripts/build.sh $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX)

deps:
	@scripts/install-deps.sh

deps-tests:
	@scripts/install-deps.sh --tests

run: deps ## build the program alone, verify a bundled model, then show counterexamples of two others, one in C
	@scripts/build.sh --target heddle_program $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@scripts/demo.sh $(HEDDLE)

test: deps-tests all ## unit and end-to-end tests, oracles, warnings of clang, format, pages
	@scripts/test.sh $(BUILD)

test-long: deps-tests all ## what takes longer: everything under sanitizers, long oracles, valgrind
	@scripts/test.sh --long $(BUILD)

bench: bench-sissi bench-queries bench-states ## the short benchmarks: these three

bench-sissi: all ## Tables 7.6-7.10 of the SISSI evaluation against ours
	@python3 bench/sissi.py --heddle $(HEDDLE)

bench-queries: all ## 10,000 path-condition queries of three kinds
	@$(BUILD)/bench/bench_queries

bench-states: all ## explicit states and transitions per second, without reduction
	@$(HEDDLE) check --por none --match ceq bench/ring.ivl

bench-dpor: all ## the four tables of the LazyPOR document against ours (ARGS='--most-threads 12' for a short one)
	@python3 bench/dpor.py --heddle $(HEDDLE) $(ARGS)

bench-esst: all ## the table of the ESST document against ours: nodes and time without and with reductions
	@python3 bench/esst.py --heddle $(HEDDLE) $(ARGS)

bench-symcpp: all ## the three families of tables of the SymC++ document against ours (ARGS='--tables storage --time 20' for some)
	@python3 bench/symcpp.py --heddle $(HEDDLE) $(ARGS)

bench-shrink: all ## how much smaller counterexamples of the bundled models become (ARGS='--models "c/*" --first depth')
	@python3 bench/shrink.py --heddle $(HEDDLE) $(ARGS)

bench-limits: all ## are limits of time and memory kept?
	@python3 bench/limits.py --heddle $(HEDDLE) $(ARGS)

bench-svcomp: all ## the SV-COMP tasks below DIR, with SECONDS (60) each; results in svcomp.tsv and svcomp.svg
	@test -n "$(DIR)" || { echo "usage: make bench-svcomp DIR='folder of tasks ...' [SECONDS=60] [ARGS=...]" >&2; exit 2; }
	@python3 bench/svcomp.py --heddle $(HEDDLE) --time $(or $(SECONDS),60) $(ARGS) $(DIR)

bench-oracle: all ## random programs in IVL (27,000: 20,000 are agreed upon by each pair), then in C (20,500): every explorer against brute force
	@$(BUILD)/tests/differential --seed $(or $(ORACLE_SEED),1) --count $(or $(ORACLE_COUNT),27000) --program-seconds 2 --keep-going
	@$(BUILD)/tests/differential_threads --seed $(or $(ORACLE_SEED),1) --count $(or $(ORACLE_COUNT),20500) --keep-going

bench-counts: all ## verdicts and counts of all bundled models with every engine, against another build (ARGS='--old OLD/heddle --every 23')
	@python3 bench/counts.py --heddle $(HEDDLE) $(ARGS)

bench-against: all ## work of this build and another one on the rows of three benchmarks (ARGS='--old OLD/heddle --instructions --time 50')
	@python3 bench/against.py --heddle $(HEDDLE) $(ARGS)

fuzz-long: all ## differential fuzzing for FUZZ_SECONDS (default 3600)
	@scripts/fuzz-long.sh $(BUILD) $(or $(FUZZ_SECONDS),3600)

install: all ## install program, library, header, pkg-config file, manual page and models under PREFIX
	@cmake --install $(BUILD) --prefix $(PREFIX) >/dev/null && echo "installed under $(PREFIX)"

deb: all ## a Debian package: build/heddle_VERSION_ARCHITECTURE.deb
	@cd $(BUILD) && cpack -G DEB >/dev/null && ls heddle_*.deb

tarball: all ## a relocatable archive with all that Heddle needs, for machines without root or network
	@scripts/make-tarball.sh $(BUILD)

format: deps ## format every file of C and JavaScript
	@clang-format -i $(SOURCES)

check-format: deps ## fail if some file of C or JavaScript is not formatted
	@clang-format --dry-run --Werror $(SOURCES)

docs: all ## put the present options into docs/manual.md and the tables of engines into docs/engines.md
	@scripts/write-docs.sh $(HEDDLE)

pictures: deps-tests all ## take and draw the pictures of docs/ anew
	@scripts/pictures.sh $(HEDDLE)
	@mkdir -p docs/pictures && PICTURES=$(CURDIR)/docs/pictures tests/browser/run.sh $(HEDDLE) >$(BUILD)/pictures.log || { cat $(BUILD)/pictures.log; exit 1; }

clean: ## remove everything that was built
	@rm -rf build build-*

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile
