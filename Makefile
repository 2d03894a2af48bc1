# The front door. `make help` lists what it can do; CMake does the work.
BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_ARGS ?=

.PHONY: all help setup setup-test demo test test-sanitize test-clang test-tsan bench fuzz install clean format

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

test-clang: setup-test ## the tests built by clang
	@CC=clang $(MAKE) --no-print-directory all BUILD=build-clang CMAKE_ARGS="-DKSDA_BUILD_TESTS=ON -DKSDA_WERROR=ON"
	@cd build-clang && ctest --output-on-failure -j$(JOBS)

bench: setup-test ## measure, with igraph beside us
	@$(MAKE) --no-print-directory all CMAKE_ARGS="-DKSDA_BUILD_BENCH=ON $(CMAKE_ARGS)"
	@bench/run.sh $(BUILD)

fuzz: setup-test ## fuzz every reader: make fuzz SECONDS=60 (each) TARGETS="gml csv" (else all)
	@scripts/fuzz.sh $(or $(SECONDS),60) $(TARGETS)

install: all ## install under PREFIX (and DESTDIR)
	@cmake --install $(BUILD) --prefix $(PREFIX)

format: ## format the sources
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean: ## remove what was built
	@rm -rf build build-*
