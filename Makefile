# `make` installs into .venv and runs the quick study; `make check` and `make test` run the tests; `make help` lists the rest.
# Needs python >= 3.11, pip and make only.
PYTHON ?= python3
STUDY ?= config/quick.yaml
BIN := .venv/bin
# A worker for each processor. A file of tests stays with one worker, so that what the file makes once is made once.
PYTEST := $(BIN)/python -m pytest -n logical --no-loadscope-reorder
TESTS ?= tests

.DELETE_ON_ERROR:
.PHONY: study help install check test verify mutants test-faults test-slurm docs paper dist report games bench lock

study: .venv/installed  ## install, and run a study: STUDY=config/quick.yaml
	$(BIN)/poissonmatch run $(STUDY)
	@echo "next: . .venv/bin/activate && poissonmatch new mine && poissonmatch run mine.yaml"

help:  ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

install: .venv/installed  ## install into .venv from the lock file

# Compiles the kernels of the named rules in one dimension, and caches them: 20 to 30 s of processor time.
COMPILE := import sys, numpy as np, poissonmatch as pm; dim = int(sys.argv[1]); \
	points = np.random.default_rng(0).random((60, dim)); \
	pattern = pm.Pattern(points, np.arange(60) % 2, pm.Torus(1.0, dim)); \
	matchings = [pm.match(pattern, rule) for rule in (*pm.RULES, 'multi(3)', 'labels(3)')]; \
	study = dict(process='two_color', dims=[dim, 'inf'], sizes=60, replicates=2, observables=['distances']); \
	tables = [pm.sweep(rule=rule, **study) for rule in (*pm.RULES, 'multi(3)', 'labels(3)')]

# The package itself is installed in place, so that an edit under src/ takes effect at once.
# --use-pep517: without it old versions of pip warn of connection-pool, which has only a setup.py.
.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("poissonmatch needs python 3.11 or later, not " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --use-pep517 --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@echo "compiling the kernels, once: about half a minute"
	@for dim in 1 2 3; do $(BIN)/python -c "$(COMPILE)" $$dim 2> /dev/null & done; wait
	touch $@

.venv/tested: .venv/installed requirements-test.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --use-pep517 --require-hashes --requirement requirements-test.lock
	touch $@

check: .venv/tested  ## style, types and the fast tests: before every commit
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(PYTEST) --dist loadfile -m "not (workflow or long or slow or verification or faults or slurm)"

test: .venv/tested  ## the tests that protect a change, or TESTS=tests/games: before a change lands
	$(PYTEST) --dist loadfile $(TESTS)

# Tests that run Snakemake in this folder do so one after another (xdist_group).
verify: .venv/tested  ## slow tests, seeded statistics (each test names its theorem), and the finders of proofs
	$(PYTEST) --dist loadgroup -m "verification or slow"
	$(PYTEST) --dist loadfile -m "" research

# Not in CI: minutes for each error that no test of its folder notices.
mutants: .venv/tested  ## random small errors, and which the tests notice: MODULE=rules NUMBER=20
	$(BIN)/pip install --quiet --disable-pip-version-check cosmic-ray==8.7.0
	cd tests && ../$(BIN)/python -m helpers.mutants $(MODULE) $(or $(NUMBER),20)

# A fault at every call of the write path, processes killed, disks full or read-only: prints PASS for each case.
test-faults: .venv/tested  ## fault injection
	$(BIN)/python -m pytest -m faults -s tests/faults

# Installs and starts a one-node Slurm here (root, Debian or Ubuntu), sends sweeps through it, and stops it.
test-slurm: .venv/tested  ## sweeps through a Slurm of its own (root, Debian or Ubuntu)
	$(BIN)/python -m pytest -m slurm -s tests/slurm

# All figures, tables and provenance of a finished study as one HTML file that needs no network.
report: study  ## run a study, and make its report
	$(BIN)/poissonmatch report $(STUDY)

.venv/documented: .venv/installed requirements-docs.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --use-pep517 --require-hashes --requirement requirements-docs.lock
	touch $@

# Warnings are errors, a link inside the site that leads nowhere among them. The pages' code runs; nothing comes from a network.
docs: .venv/documented  ## the site, in docs/_build/html
	MPLBACKEND= $(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

# The theorem as a PDF, from the same source as its page. The numbers, tables and figures are computed.
LATEX := latexmk texlive-latex-recommended texlive-latex-extra texlive-fonts-recommended texlive-science
paper: .venv/documented  ## the theorem as a PDF, in docs/_build/paper
	@{ kpsewhich mathpazo.sty wrapfig.sty && command -v latexmk; } >/dev/null 2>&1 || { echo "make paper needs LaTeX: apt-get install -y $(LATEX)"; exit 3; }
	MPLBACKEND= $(BIN)/python -m sphinx -W -t paper -b latex docs docs/_build/paper
	cd docs/_build/paper && latexmk -pdf -silent -interaction=nonstopmode theorem-on-the-line.tex
	@echo docs/_build/paper/theorem-on-the-line.pdf

# Wheel and sdist in dist/, as they are uploaded.
dist: .venv/documented  ## wheel and sdist in dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

# Values of Toads and Frogs, the conjectures about them, the Triangle Game: tables and a figure in results/games.
games: .venv/installed  ## tables of the exact games
	$(BIN)/snakemake games $(if $(GAMES),--config $(GAMES))

bench: .venv/tested  ## time the matchings, and the studies beside their mathematics
	$(BIN)/python benchmarks/matching.py
	$(BIN)/python benchmarks/sizes.py
	$(BIN)/python benchmarks/inputs.py
	$(BIN)/python benchmarks/comparisons.py
	$(BIN)/python benchmarks/pipeline.py
	$(BIN)/python benchmarks/plan.py
	$(BIN)/python benchmarks/openproblem.py

# Write the lock files anew from pyproject.toml (needs uv).
lock:  ## write the lock files anew (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml --output-file requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --extra test --extra slurm --constraint requirements.lock pyproject.toml --output-file requirements-test.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --extra docs --constraint requirements.lock pyproject.toml --output-file requirements-docs.lock
