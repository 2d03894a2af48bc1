# The front door. `make help` lists what it can do; CMake does the work.
BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_ARGS ?=

.PHONY: all help setup setup-test demo test test-sanitize test-no-solver test-clang test-tsan bench country second-opinion paper fuzz man dist deb try-deb install uninstall clean format check-format update-docs \
	update-symbols update-abi

all: ## build the command at build/ksda
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_ARGS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; rm -f $(BUILD).log; \
	  echo "A dependency may be missing: run 'make setup' (Debian) and try again." >&2; exit 1; }
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) -j$(JOBS) -- --no-print-directory

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: ## install what building needs (Debian, root or sudo)
	@scripts/setup.sh build

setup-test: ## install what testing needs as well
	@scripts/setup.sh test

demo: setup all ## set up, build, and anonymize the built-in Les Miserables network
	@scripts/demo.sh $(BUILD)/ksda

test: setup-test ## set up, build and run every test
	@$(MAKE) --no-print-directory all CMAKE_ARGS="-DKSDA_BUILD_TESTS=ON -DKSDA_WERROR=ON $(CMAKE_ARGS)"
	@cd $(BUILD) && ctest --output-on-failure -j$(JOBS)

test-sanitize: setup-test ## the tests under address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory all BUILD=build-asan CMAKE_ARGS="-DKSDA_BUILD_TESTS=ON -DKSDA_WERROR=ON -DKSDA_SANITIZE=address,undefined"
	@cd build-asan && ctest --output-on-failure -j$(JOBS)

test-tsan: setup-test ## the tests under the thread sanitizer
	@$(MAKE) --no-print-directory all BUILD=build-tsan CMAKE_ARGS="-DKSDA_BUILD_TESTS=ON -DKSDA_WERROR=ON -DKSDA_SANITIZE=thread"
	@cd build-tsan && ctest --output-on-failure -j$(JOBS)

test-no-solver: setup-test ## build without any solver; the tests that need none, and those of what is said then
	@cmake -S . -B build-no-solver -DKSDA_BUILD_TESTS=ON -DKSDA_WERROR=ON -DKSDA_WITH_CBC=OFF >/dev/null
	@cmake --build build-no-solver -j$(JOBS) --target ksda unit_test_lp unit_test_exact_ip unit_test_lagrangian -- --no-print-directory
	@cd build-no-solver && ctest --output-on-failure -R '^(unit/test_(lp|exact_ip|lagrangian)|cli/no_solver)$$'

test-clang: setup-test ## the tests built by clang
	@CC=clang $(MAKE) --no-print-directory all BUILD=build-clang CMAKE_ARGS="-DKSDA_BUILD_TESTS=ON -DKSDA_WERROR=ON"
	@cd build-clang && ctest --output-on-failure -j$(JOBS)

country: all ## a network of 17 M people and 1.6 G edges through the whole pipeline: 32 GB of disk, a quiet machine
	@scripts/country.sh $(BUILD)/ksda $(FOLDER)

bench: setup-test ## measure, with igraph beside us
	@$(MAKE) --no-print-directory all CMAKE_ARGS="-DKSDA_BUILD_BENCH=ON $(CMAKE_ARGS)"
	@bench/run.sh $(BUILD)

second-opinion: all ## ask HiGHS (python3-scipy) what the exact optima are worth: make second-opinion SECONDS=1800 (each) PARTS="small lesmis"
	@bench/second_opinion.py $(BUILD)/ksda $(or $(DATA),../shared/data) $(or $(SECONDS),1800) $(PARTS) || [ $$? = 77 ]

paper: setup-test ## every experiment of the paper (40 to 145 minutes on a busy machine); PAPER=quick: the small networks only, seconds
	@$(MAKE) --no-print-directory all
	@cmake --build $(BUILD) -j$(JOBS) --target paper_charts -- --no-print-directory
	@bench/paper/paper.sh $(BUILD) $(or $(PAPER),full)

fuzz: setup-test ## fuzz every target: make fuzz SECONDS=60 (each) TARGETS="gml csv" (else all)
	@scripts/fuzz.sh $(or $(SECONDS),60) $(TARGETS)

man: all ## make the man pages (needs pandoc)
	@test -d $(BUILD)/man || { echo "make man: pandoc is not installed" >&2; exit 1; }
	@echo "$(BUILD)/man: $$(ls $(BUILD)/man/* | grep -c '[.]') pages; try: man -l $(BUILD)/man/man1/ksda.1"

dist: ## make ksda-VERSION.tar.gz of the last commit, with the man pages ready (needs git and pandoc)
	@scripts/dist.sh $(BUILD)

deb: ## build the Debian packages ksda, ksda-mpi, libksda0, libksda-dev and python3-ksda at build/deb
	@scripts/setup.sh deb
	@scripts/deb.sh $(BUILD)/deb

try-deb: deb ## install them in a clean Debian root, use the command and build a program there (root)
	@scripts/try-deb.sh $(BUILD)/deb

install: all ## install under PREFIX [/usr/local] (and DESTDIR)
	@cmake --install $(BUILD) --prefix $(PREFIX)

uninstall: ## remove what make install has put there
	@test -f $(BUILD)/install_manifest.txt || { echo "make uninstall: nothing was installed from $(BUILD)" >&2; exit 1; }
	@while read -r file; do rm -f "$(DESTDIR)$${file#$(DESTDIR)}"; done <$(BUILD)/install_manifest.txt; echo "removed"

update-docs: all ## rewrite what the documents repeat: man pages from the tables, the README's example
	@scripts/update-docs.sh $(BUILD)/ksda

update-abi: ## rewrite the fields of the public structs, and Python's declarations, after a change of a header
	@scripts/abi.py include/ksda >src/core/abi.def
	@scripts/python-declarations.py include/ksda >python/ksda/_declarations.py

update-symbols: all ## rewrite the list of exported functions after a change on purpose
	@nm -D --defined-only $(BUILD)/libksda.so | awk '{print $$3}' | LC_ALL=C sort >tests/exported-symbols.txt

format: ## format the sources
	@git ls-files '*.c' '*.h' | xargs clang-format -i

check-format: ## fail where a source is not as `make format` leaves it
	@git ls-files '*.c' '*.h' | xargs clang-format --dry-run --Werror

clean: ## remove what was built
	@rm -rf build build-*
