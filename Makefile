# `make` installs into .venv and runs the quick study; `make test` runs the tests. Needs python >= 3.11, pip and make only.
PYTHON ?= python3
STUDY ?= config/quick.yaml
BIN := .venv/bin

.DELETE_ON_ERROR:
.PHONY: study install test verify test-faults test-slurm report games bench clean lock

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

# A fault at every call of the write path, processes killed, disks full or read-only: prints PASS for each case.
test-faults: .venv/tested
	$(BIN)/python -m pytest -m faults -s tests/faults

# Installs and starts a one-node Slurm here (root, Debian or Ubuntu), sends sweeps through it, and stops it.
test-slurm: .venv/tested
	$(BIN)/python -m pytest -m slurm -s tests/slurm

# All figures, tables and provenance of a finished study as one HTML file that needs no network.
report: study
	$(BIN)/poissonmatch report $(STUDY)

# Values of Toads and Frogs, the conjectures about them, the Triangle Game: tables and a figure in results/games.
games: .venv/installed
	$(BIN)/snakemake games $(if $(GAMES),--config $(GAMES))

bench: .venv/tested
	$(BIN)/python benchmarks/matching.py

# Write the lock files anew from pyproject.toml (needs uv).
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml --output-file requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --extra test --extra slurm --constraint requirements.lock pyproject.toml --output-file requirements-test.lock
