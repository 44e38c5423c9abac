PYTHON ?= python3
# How long make soak lasts; SEED and OPERATIONS choose what it does, and how much of it.
SECONDS ?= 120
BIN := .venv/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e
# Stamps: what is installed already is not installed again.
RUN := .venv/.installed
DEV := .venv/.installed-dev

# Run the tests of one marker; pytest's code 5 means that there are none.
marked = $(BIN)/pytest -m $(1) || { code=$$?; [ $$code -eq 5 ] || exit $$code; echo "make $@: no test is marked '$(1)' yet"; }

# A program of Debian: installed where that is allowed, asked for elsewhere.
debian = command -v $(1) >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qqy --no-install-recommends $(1); } \
  || { echo "make $@: $(1) is missing; install it with: sudo apt-get install $(1)" >&2; exit 1; }

.PHONY: setup demo test system-test lint format cover bench fuzz soak clients snapshots picture clean

setup: $(DEV)

$(BIN)/pip:
	$(PYTHON) -m venv .venv

$(RUN): pyproject.toml constraints.txt | $(BIN)/pip
	$(INSTALL) .
	touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/pip
	$(INSTALL) '.[dev]'
	touch $@ $(RUN)

demo: $(RUN)
	$(BIN)/python tests/demo.py

lint: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n 2

system-test: $(DEV)
	@$(call debian,strace)
	@$(call debian,chromium)
	$(BIN)/pytest -n 2 -m system

format: $(DEV)
	$(BIN)/ruff check --fix --select I
	$(BIN)/ruff format

cover: $(DEV)
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet && $(BIN)/coverage report --show-missing --skip-covered

bench: $(RUN)
	$(BIN)/python -m bench

fuzz: $(DEV)
	$(BIN)/pytest -n 2 -m hypothesis --hypothesis-profile=fuzz
	$(BIN)/pytest -m fuzz -s

soak: $(DEV)
	$(BIN)/python -m tests.soak --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(if $(OPERATIONS),--operations $(OPERATIONS))

clients: $(DEV) .clients/.installed
	$(BIN)/pytest -n 2 -m clients

# The agents themselves, and a node that is new enough for them; nothing of it is run while it is installed.
.clients/.installed: tests/clients/package.json
	@command -v npm >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qqy --no-install-recommends npm; } \
	  || { echo "make clients: npm is missing; install it with: sudo apt-get install npm" >&2; exit 1; }
	mkdir -p .clients && cp $< .clients/
	cd .clients && npm install --ignore-scripts --no-package-lock --no-audit --no-fund --loglevel=error
	touch $@

snapshots: $(DEV)
	@UPDATE_SNAPSHOTS=1; export UPDATE_SNAPSHOTS; $(call marked,snapshot)

# The picture of the gallery in the README.
picture: $(DEV)
	@$(call debian,chromium)
	$(BIN)/python -m tests.system.picture docs/gallery.png

clean:
	rm -rf .venv .clients build dist .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find sessionkit tests bench -name __pycache__ -prune -exec rm -rf {} +
