# `make` installs what the main job needs, and runs it; `make test` adds the tools, and tests.
# Needs only python3 (3.11 or later, with venv). After the first time, no network.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
MUTANTS := .venv-mutants
RUN := $(VENV)/bin/python -m
# One worker for each core; a worker that is done takes over tests from another.
PYTEST := $(RUN) pytest -n logical --dist worksteal

.DEFAULT_GOAL := learn
.PHONY: learn setup tools test properties types lint format browser docs deep night proofs mutants lock clean

learn: setup
	@$(VENV)/bin/steel learn --method all

setup: $(VENV)/ready
tools: $(VENV)/tools

# The virtual environment holds what `steel learn` needs (about 150 MB), as the lock file names it,
# hash by hash, and this project in place; `tools` adds what the tests need (1 GB in all). Pip asks
# the network for nothing that is already there, so this can be run again offline.
# Mode compat puts a path into the environment, which type checkers follow; an import hook they do not.
$(VENV)/ready: requirements-learn.lock pyproject.toml
	@if [ -z "$(PYTHON)" ]; then \
		echo "steel_verified needs Python 3.11 or later: install one, or say make PYTHON=/path/to/python3"; \
		exit 1; fi
	@echo "Setting up $(VENV) with $(PYTHON) (once; some 15 seconds)"
	@$(PYTHON) -m venv $(VENV)
	@$(RUN) pip install --quiet --disable-pip-version-check --require-hashes -r requirements-learn.lock
	@$(RUN) pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--config-settings editable_mode=compat --editable .
	@touch $@

$(VENV)/tools: requirements.lock $(VENV)/ready
	@echo "Adding the tools for the tests to $(VENV) (once; 1 GB, about a minute)"
	@$(RUN) pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

test: tools
	$(PYTEST)

properties: tools
	$(PYTEST) -m properties

deep: tools
	$(PYTEST) -m "(properties or slow) and not night" --hypothesis-profile=deep --timeout=3600

night: tools
	$(PYTEST) -m "properties or slow or night" --hypothesis-profile=night --timeout=86400

# Needs Chromium, its driver and pdftotext (Debian: chromium, chromium-driver, poppler-utils).
browser: tools
	$(RUN) pytest -m browser

# The documentation site, into build/site.
docs: tools
	$(VENV)/bin/python docs/build.py

# Needs Coq and MathComp; names the packages that are missing, and installs nothing.
proofs: tools
	$(VENV)/bin/steel proofs
	$(RUN) pytest -m coq

# mutmut needs a pytest older than the locked one, so it has an environment of its own.
mutants: $(MUTANTS)/ready
	nice $(MUTANTS)/bin/python bench/mutants.py

$(MUTANTS)/ready:
	$(PYTHON) -m venv $(MUTANTS)
	$(MUTANTS)/bin/python -m pip install --quiet --editable .[dev] "mutmut==3.8.*" "pytest<9.2"
	touch $@

types: tools
	$(RUN) mypy

lint: tools
	$(RUN) ruff check
	$(RUN) ruff format --check

format: tools
	$(RUN) ruff check --fix
	$(RUN) ruff format

# Needs uv and the network: resolve pyproject.toml again for every Python from 3.11 on.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		--extra dev pyproject.toml --output-file requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate --constraint requirements.lock \
		--extra make pyproject.toml --output-file requirements-learn.lock

clean:
	rm -rf $(VENV) $(MUTANTS) mutants .mypy_cache .pytest_cache .ruff_cache .hypothesis build *.egg-info
