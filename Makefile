# The commands of the house. `make demo` and `make test` do all set-up themselves on a bare Debian 12.
PYTHON ?= python3
JOBS ?= $(shell nproc)
PRESET ?= dev
VENV := .venv
PY := $(VENV)/bin/python

.PHONY: help setup build demo test test-long wheel check fuzz sanitize clean

help:
	@echo "make demo       build, then run the kernels on this machine and compare them with their references"
	@echo "make test       build, then run lit, GoogleTest and pytest; ends with 'N passed, N failed'"
	@echo "make test-long  the same with the tests that take minutes"
	@echo "make build      build/bin/sdm-opt, build/bin/sdm-translate and .venv with sdm importable"
	@echo "make wheel      dist/sdm_lang-*.whl for PYTHON=python3.12 or another interpreter"
	@echo "make check      format, sizes, layers, generated files (FIX=1 repairs)"
	@echo "make sanitize   lit and GoogleTest under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make fuzz       12,000 new random calls, on the host and on lanes, against the references"

setup:
	@PYTHON="$(PYTHON)" tools/setup.sh

build: setup
	@tools/build.sh "$(PRESET)" "$(JOBS)"

demo: build
	@$(PY) -m sdm demo

test: build
	@$(PY) tools/run_tests.py

test-long: build
	@$(PY) tools/run_tests.py --long

# PYTHON is the wheel's interpreter; .venv keeps its own.
wheel:
	@env -u PYTHON tools/setup.sh
	@PYTHON="$(PYTHON)" tools/wheel.sh

check: build
	@tools/check.sh $(if $(FIX),-f)

fuzz: build
	@SDM_CACHE_BYTES=0 $(PY) -m pytest test/python/test_fuzz.py -q -n $(JOBS) --hypothesis-profile=fuzz

# Needs libclang-rt-22-dev.
sanitize: setup
	@tools/build.sh asan-ubsan "$(JOBS)"
	@ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0 $(PY) tools/run_tests.py --build build/asan-ubsan lit unit

clean:
	rm -rf build dist
