# serve, build, check, test, record, bench: the whole workflow. README.md says when to use which.
PYTHON ?= python3
ADDRESS ?= 127.0.0.1:8000
ONLY ?=

BIN := .venv/bin
export NO_MKDOCS_2_WARNING := 1

.PHONY: serve build check test record bench

serve: .venv/site.installed
	@echo "Open http://$(ADDRESS)/ (Chinese: /zh/, English: /en/). Ctrl-C ends it."
	$(BIN)/mkdocs serve --dev-addr $(ADDRESS)

build: .venv/site.installed
	$(BIN)/mkdocs build --strict

check: .venv/test.installed
	$(BIN)/pytest -q snippets tests/test_snippet_*.py tests/test_page_*.py

test: .venv/test.installed
	$(BIN)/pytest

record: .venv/test.installed
	$(BIN)/python tools/record.py $(ONLY)

bench: .venv/test.installed
	$(BIN)/python tools/bench.py

.venv/site.installed: requirements-site.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --requirement requirements-site.txt
	@touch $@

.venv/test.installed: .venv/site.installed requirements-test.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-test.txt
	@touch $@
