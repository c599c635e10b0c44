# killcurve: two commands do everything: `make report` and `make test`. `make help` lists the rest.
.DEFAULT_GOAL := help
SHELL := /bin/sh

VENV ?= .venv
BIN := $(VENV)/bin
UNITS ?=
OUT ?= build/report
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

.PHONY: help setup report lab app test check bench clean

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## */  make \1	/' | expand -t 18

setup: $(VENV)/.ready-core ## set up .venv with the toolkit
	@echo "killcurve is ready in $(VENV)"

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "killcurve needs Python 3.11 or newer, with venv; none was found on PATH." >&2; exit 1; }
	@echo "setting up $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing (on Debian: apt install python3-venv)." >&2; rm -rf $(VENV); exit 1; }

$(VENV)/.ready-core: pyproject.toml | $(BIN)/python
	@echo "installing killcurve and what it needs"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.ready-lab: $(VENV)/.ready-core
	@echo "installing JupyterLab and widgets"
	@$(PIP) install --editable '.[lab]'
	@touch $@

$(VENV)/.ready-app: $(VENV)/.ready-core
	@echo "installing the server of pages"
	@$(PIP) install --editable '.[app]'
	@touch $@

$(VENV)/.ready-test: $(VENV)/.ready-lab
	@echo "installing what the tests need"
	@$(PIP) install --editable '.[lab,test]'
	@touch $@

$(VENV)/.ready-bench: $(VENV)/.ready-test
	@echo "installing the tools to compare with"
	@$(PIP) install --editable '.[lab,test,bench]'
	@touch $@

report: $(VENV)/.ready-core ## write build/report on the whole game (UNITS='"Raider" "Gargoyles"' on units)
	@$(BIN)/killcurve report $(if $(strip $(UNITS)),unit $(UNITS),meta) --out $(OUT)

lab: $(VENV)/.ready-lab ## open JupyterLab on the first notebook
	@$(BIN)/jupyter lab notebooks/01-explore-a-unit.ipynb

app: $(VENV)/.ready-app ## the notebooks as pages without code, on this machine alone
	@$(BIN)/killcurve app

test: $(VENV)/.ready-test ## run every test, on all cores
	@$(BIN)/python -m pytest -n auto --dist loadscope

check: $(VENV)/.ready-test ## lint, types and the one-way flow
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: $(VENV)/.ready-bench ## compare speeds in one run
	@$(BIN)/python -m pytest tests/bench --benchmark-enable --benchmark-only \
		--benchmark-columns=median,iqr,rounds --no-header

clean: ## remove what was made (not .venv)
	@rm -rf build data/tables .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
