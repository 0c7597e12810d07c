# Two commands do everything on a machine that has Python 3.11 or newer, make and the package registry:
#   make demo    answer a real question over two documents with the embedded model
#   make test    check the code and run the tests; with Chromium installed, those of the pages too
#   make test-browser  run every test of the pages in Chromium, the slow ones among them
#   make install install the command `moot` for yourself, with pipx or uv; EXTRAS=embedded,docs chooses its parts
#   make wheel   build dist/moot-….whl
#   make dist    build wheel and sdist for a release, the same bytes from the same commit every time
#   make docs    build the site of the docs in build/docs, offline

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Tests wait for processes, databases and browsers as long as they work: one more of them than there are cores.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
# A worker keeps to its modules, and to what they have made for all of their tests, until another has nothing to do.
# Bytecode is kept, also where the environment says otherwise: tests start hundreds of processes.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --quiet --numprocesses $(WORKERS) --dist worksteal
EXTRAS ?= embedded
WANTED := .$(if $(EXTRAS),[$(EXTRAS)])

.PHONY: help demo install wheel dist shots docs reference test test-browser lint check format bench clean

help:
	@sed -n '2,9s/^# *//p' Makefile

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Moot needs Python 3.11 or newer; set PYTHON=…")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up $(VENV) for the demo …"
	@$(PIP) --editable '.[embedded]'
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up $(VENV) for the tests …"
	@$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.demo

demo: $(VENV)/.demo
	@$(BIN)/moot ask "$$(cat examples/demo/question.txt)" --doc examples/demo/survey.md --doc examples/demo/handbook.md \
	    --member embedded --protocol interrogation --set form=plain --temp 0.3 $(if $(SEED),--seed $(SEED)) --report \
	    || test $$? -eq 3  # an answer that is less than complete is an answer
	@echo
	@$(BIN)/moot contest last

install:
	@if command -v pipx >/dev/null; then \
	    pipx install --force --python $(PYTHON) --pip-args='--constraint "$(CURDIR)/constraints.txt"' '$(WANTED)'; \
	elif command -v uv >/dev/null; then \
	    uv tool install --force --python $(PYTHON) --constraints constraints.txt '$(WANTED)'; \
	else \
	    echo "There is neither pipx nor uv here. Install one of them and try again, or make an environment of its own:"; \
	    echo "  $(PYTHON) -m venv ENVIRONMENT"; \
	    echo "  ENVIRONMENT/bin/python -m pip install --constraint constraints.txt '$(WANTED)'"; \
	    exit 1; \
	fi

wheel: | $(BIN)/python
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@echo dist/moot-*.whl

# The time that archives carry is that of the commit, so that whoever builds it again gets the same bytes.
dist: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1580601600)
dist: $(VENV)/.test
	@rm -rf dist
	@$(BIN)/python -m hatchling build --directory dist
	@cd dist && sha256sum moot-* | tee SHA256SUMS

docs: $(VENV)/.test
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --nitpicky docs build/docs
	@echo build/docs/index.html

# The pages that are made from the code, such as that of commands; a test says when they are out of date.
reference: $(VENV)/.test
	@$(BIN)/python -m docs.reference

# The screens of the docs, drawn from what the commands print, and every page as Chromium shows it.
shots: $(VENV)/.test
	@$(BIN)/python -m docs.shots
	@$(BIN)/python -m docs.shots.pages $(if $(EMBEDDED),--embedded)
	@echo docs/shots build/shots

lint: $(VENV)/.test
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/ty check --quiet

check: lint
	$(BIN)/python -m pytest --quiet tests/test_architecture.py

# Tests that drive a browser run where Chromium is installed; at the end it says which were skipped, and why.
test: lint
	$(PYTEST) -r s

# Every test that drives a browser, the slow ones among them.
test-browser: $(VENV)/.test
	MOOT_BROWSER=required $(PYTEST) -m 'browser or slow_browser' tests/browser

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.test
	$(BIN)/python benchmarks/overhead.py

clean:
	rm -rf $(VENV) .ruff_cache .hypothesis dist build/docs
