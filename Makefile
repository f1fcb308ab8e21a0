# `make` installs into .venv and runs the quick study; `make test` runs the tests. Needs python >= 3.11, pip and make only.
PYTHON ?= python3
STUDY ?= config/quick.yaml
BIN := .venv/bin

.DELETE_ON_ERROR:
.PHONY: study install test verify bench clean lock

study: .venv/installed
	$(BIN)/poissonmatch run $(STUDY)

install: .venv/installed

# The package itself is installed in place, so that an edit under src/ takes effect at once.
.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("poissonmatch needs python 3.11 or later, not " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

.venv/tested: .venv/installed requirements-test.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-test.lock
	touch $@

test: .venv/tested
	$(BIN)/python -m pytest

verify: .venv/tested
	$(BIN)/python -m pytest -m "verification or slow"

bench: .venv/tested
	$(BIN)/python benchmarks/matching.py

# Write the lock files anew from pyproject.toml (needs uv).
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml --output-file requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --extra test --extra slurm --constraint requirements.lock pyproject.toml --output-file requirements-test.lock
