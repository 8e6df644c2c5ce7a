# make          the library and the program, into build/
# make demo     installs what is missing, builds, runs scenes/demo.json, ends with a picture
# make test     the same, then all tests; their last line is "N passed, N failed"
# make bag      the same with scenes/bag.json, the bag of film (two minutes)
# make test-long, make bench, make install [PREFIX=..] [DESTDIR=..], make clean
# CMake does the work; see CMakePresets.json for debug and sanitizer builds.
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=
# JOBS and the tests share the processors: waiting threads must not keep them busy
export OMP_WAIT_POLICY ?= passive
MAKEFLAGS += --no-print-directory

all: configure
	@cmake --build $(BUILD) -j $(JOBS) --target abut_cli abut_shared abut_static

setup:
	@tools/setup

configure: setup
	@cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release $(CMAKE_FLAGS) >$(BUILD).log 2>&1 || \
	  { cat $(BUILD).log; rm -f $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

demo:
	@tools/setup picture
	@$(MAKE) --no-print-directory all
	@tools/demo.sh $(BUILD)

bag:
	@tools/setup picture
	@$(MAKE) --no-print-directory all
	@tools/bag.sh $(BUILD)

test: all
	@cmake --build $(BUILD) -j $(JOBS) --target abut_tests
	@tools/test.sh -j $(JOBS) $(BUILD) 'test_*'

test-long: all
	@cmake --build $(BUILD) -j $(JOBS) --target abut_tests abut_long_tests
	@tools/test_long.sh $(BUILD)

# in a folder of its own: CHOLMOD, the rival, is GPL in part and stays out of everything else
bench:
	@tools/setup bench
	@mkdir -p $(BUILD)
	@$(MAKE) --no-print-directory configure BUILD=$(BUILD)/bench CMAKE_FLAGS="-DABUT_WITH_CHOLMOD=AUTO $(CMAKE_FLAGS)"
	@cmake --build $(BUILD)/bench -j $(JOBS) --target abut_benchmarks
	@for b in bench/*.c; do $(BUILD)/bench/$$(basename $$b .c) || exit 1; done

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	@rm -rf $(BUILD) out .venv-picture .venv-test

.PHONY: all setup configure demo bag test test-long bench install clean
