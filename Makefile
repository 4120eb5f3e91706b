# Needs Python 3.11 or newer and make; everything else goes into .venv. `make help` lists the targets.

PYTHON ?= python3
VENV := .venv
BENCH_VENV := .venv-bench
BIN := $(VENV)/bin
SOURCES := $(shell find kubectl_c9s docs/codes docs/causes -type f ! -name '*.pyc' 2>/dev/null)
PIP_FLAGS := --quiet --disable-pip-version-check
PYTEST_ARGS ?=
BED_ARGS ?=
LOCK_ARGS ?=
RELEASE_ARGS ?=

# A stamp is newer than all it was made from, so a second run costs nothing.
TOOL := $(VENV)/.tool
DEV := $(VENV)/.dev

.DEFAULT_GOAL := help
# Two pip runs in one environment would trip over each other.
.NOTPARALLEL:
.PHONY: help try test lint format bench bench-live docs site generate clean test-full testbed-up testbed-down lock sbom release

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

try: try-out/clos-40.yaml ## install into .venv, split the example lab into try-out/, diagnose a stuck start (needs no cluster)
	@echo 'examples/clos-40/topology.yaml was split into $<:'
	@sed -n 's/^kind: //p' $< | sort | uniq -c
	@echo
	@echo 'examples/stuck-start/snapshot.json, a start that does not go on, is diagnosed:'
	@$(BIN)/kubectl-c9s diagnose -f examples/stuck-start/snapshot.json --fail-on never
	@echo
	@echo 'next:'
	@echo '  read it           less $<'
	@echo '  apply it          kubectl create namespace clos-40'
	@echo '                    kubectl apply --server-side -f $<'
	@echo '  be a plugin       export PATH="$(CURDIR)/$(BIN):$$PATH"'
	@echo '                    kubectl plugin list; kubectl c9s --help'
	@echo '  split your lab    kubectl c9s split -f topology.yaml'
	@echo '  ask your cluster  kubectl c9s diagnose; kubectl c9s status; kubectl c9s rollout show'

test: $(DEV) ## run all tests but the slow ones; PYTEST_ARGS="-k name" narrows
	$(BIN)/pytest $(PYTEST_ARGS)

test-full: $(DEV) ## run the slow tests, too
	$(BIN)/pytest --full $(PYTEST_ARGS)

testbed-up: $(DEV) ## start a real API server to test on, the last line is its KUBECONFIG=…; BED_ARGS="--nodes 9"
	@$(BIN)/python tests/testbed/bed.py up $(BED_ARGS)

testbed-down: $(DEV) ## stop it
	@$(BIN)/python tests/testbed/bed.py down $(BED_ARGS)

lint: $(DEV) ## ruff, mypy, import layers, sizes, dependencies (AUDIT_REQUIRED=1: no service may be silent)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tests/checks/sizes.py kubectl_c9s tests tools examples
	$(BIN)/python tests/checks/audit.py

format: $(DEV) ## let ruff rewrite what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH_VENV)/.tool ## measure against the numbers in docs/performance.md; BENCH_ARGS=--write updates them
	$(BENCH_VENV)/bin/python tests/bench/bench_split.py $(BENCH_ARGS)
	$(BENCH_VENV)/bin/python tests/bench/bench_diagnose.py $(BENCH_ARGS)

bench-live: $(DEV) ## the same for live commands and the reconciler, on test beds; a quarter of an hour
	$(BIN)/python tests/bench/bench_apply.py $(BENCH_ARGS)
	$(BIN)/python tests/bench/bench_measure.py $(BENCH_ARGS)
	$(BIN)/python tests/bench/bench_reconciler.py --bed $(BENCH_ARGS)

docs: $(DEV) ## check that links between the pages resolve, and that what is generated is fresh
	$(BIN)/python tests/checks/doc_links.py README.md CONTRIBUTING.md docs changelog.d
	$(BIN)/python tests/checks/generate.py --check

site: $(DEV) ## build the site of docs/ in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site

generate: $(DEV) ## write reference pages, completion scripts and their table from the commands
	$(BIN)/python tests/checks/generate.py

lock: $(DEV) ## write requirements/*.lock, the licence list and texts; LOCK_ARGS=--upgrade takes newer versions
	$(BIN)/python tests/checks/lock.py $(LOCK_ARGS)

sbom: $(DEV) ## write dist/kubectl-c9s-<version>.cdx.json: what images and archives hold, as CycloneDX
	$(BIN)/python tests/checks/sbom.py

release: $(DEV) ## write archives, SHA256SUMS and the krew manifest of a release into dist/; RELEASE_ARGS="--platform linux/amd64"
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} $(BIN)/python tools/release/release.py $(RELEASE_ARGS)

clean: ## remove everything make has made
	rm -rf $(VENV) $(BENCH_VENV) build dist try-out kubectl_c9s.egg-info
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

$(VENV)/bin/python $(BENCH_VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'error: Python 3.11 or newer is needed; name it with: make PYTHON=python3.12 …' >&2; exit 1; }
	$(PYTHON) -m venv $(@D:/bin=)

try-out/clos-40.yaml: examples/clos-40/topology.yaml $(TOOL)
	@mkdir -p $(@D)
	$(BIN)/kubectl-c9s split -f $< > $@.part
	@mv $@.part $@

# A tool as a user installs it. An editable installation (for tests) is one already, and newer than any copy.
# build/ goes first: setuptools would pack modules that were deleted since.
$(TOOL): setup.cfg pyproject.toml README.md $(SOURCES) | $(VENV)/bin/python
	@test -f $(DEV) || { echo 'installing into $(VENV)'; rm -rf build; $(BIN)/python -m pip install $(PIP_FLAGS) .; }
	@touch $@

$(DEV): setup.cfg pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_FLAGS) --config-settings editable_mode=compat -e '.[dev]'
	@touch $@

# Benchmarks measure a plain installation: an editable one starts more slowly.
$(BENCH_VENV)/.tool: setup.cfg pyproject.toml README.md $(SOURCES) | $(BENCH_VENV)/bin/python
	rm -rf build && $(BENCH_VENV)/bin/python -m pip install $(PIP_FLAGS) .
	@touch $@
