# make               set up and run the demo campaign to its report
# make run           a campaign to its report: make run CAMPAIGN=config/campaigns/x.yaml
# make check         errors and warnings about a campaign's inputs: make check CAMPAIGN=config/campaigns/x.yaml
# make test          set up and run every test
# make fast          the tests to run while working: all but the slow ones
# make cluster       install Slurm, to try a cluster on this machine (Debian and its kin, as root)
# make test-cluster  campaigns through that Slurm, whose daemons it starts and stops
# make lint          ruff, mypy, snakefmt, snakemake --lint
# make format        fixes what lint can fix automatically
# make hooks         lint before each commit
# make docs          the site, from docs/ and the declarations, to site/index.html; docs-serve shows it
# make tables        config/schema.json, from the declarations
# make pictures      the pictures of the report in the docs, taken from the demo's report (needs chromium)
# make papers        reruns every published experiment: results/<paper>/index.html
# make bench         side-by-side benchmarks; bench-record also keeps them in benchmarks/history.csv
# make bench-scale   how cost grows with runs, topics, pages, ...: benchmarks/scale.csv, which docs/scale.md shows
# make fit-blocks    fits the weights of the block method to ../shared/data/pages
# make lock          pin the dependencies of pyproject.toml
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# The C modules (reading runs, cleansing, counting, loops of statistics). They are optional: each has a
# fallback in Python.
COMPILED := $(basename $(wildcard pipeline/*/_*.c pipeline/*/*/_*.c))
SOURCES := $(COMPILED:=.c) $(wildcard pipeline/storage/native/*.h $(addsuffix native/*.h,$(dir $(COMPILED))))
BUILT := $(COMPILED:=.*.so)
PEERS := .venv/.peers
PLUGINS := .venv/.cluster
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder
SNAKEMAKE := $(BIN)/snakemake --cores all

.PHONY: demo run check papers setup test fast lint format hooks tables docs docs-serve pictures peers bench bench-record \
    bench-scale fit-blocks lock browser tex cluster test-cluster clean
.DEFAULT_GOAL := demo

demo: $(READY)
	@$(SNAKEMAKE)
	@echo "The report is at results/demo/report/index.html"

# One config or several.
CAMPAIGN ?= config/config.yaml

run: $(READY)
	@$(SNAKEMAKE) --configfile $(CAMPAIGN)

# Exits with an error if there are errors; STRICT=1 also if there are warnings.

check: $(READY)
	@$(BIN)/fathom check $(if $(STRICT),--strict) $(CAMPAIGN)

# Campaigns that cannot be fetched are left out, and the page names them; FATHOM_MIRROR replaces the network.
papers: $(READY)
	@$(SNAKEMAKE) --configfile config/papers/*.yaml
	@ls results/*/published.csv | sed 's|published.csv|index.html|'

# `make setup` always rebuilds the C modules: a compiler may have been installed since, or a source edited.
setup: $(READY)
	rm -rf build $(BUILT)
	$(BIN)/python setup.py --quiet build_ext --inplace --force

$(READY): requirements.lock pyproject.toml setup.py $(SOURCES)
	$(PYTHON) -m venv .venv
	$(PIP) -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q pipeline  # where Python may not do so itself, each job would do it again
	touch $@

test: $(READY)
	$(PYTEST) -m "not cluster"

fast: $(READY)
	$(PYTEST) -m "not slow and not workflow and not browser and not cluster"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/snakemake --lint

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/snakefmt Snakefile rules

hooks: $(READY)
	$(BIN)/pre-commit install

tables: $(READY)
	$(BIN)/python docs/hooks/tables.py config/schema.json

docs: $(READY)
	$(BIN)/python -m mkdocs build --strict --quiet
	@echo "The site is at site/index.html"

docs-serve: docs
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory site 8000

pictures: demo
	$(BIN)/python docs/pictures.py results/demo/report/index.html docs/pictures
	$(BIN)/python docs/pictures.py results/demo/report/index.html docs/report.png --top 1010 --height 640

# Tools the engine is compared with, by tests and benchmarks; nothing else needs them. Their lock has
# the project's own pins.
peers: $(PEERS)

$(PEERS): benchmarks/requirements.lock $(READY)
	$(PIP) -r benchmarks/requirements.lock
	$(PIP) --no-deps llama-index-core==0.14.25  # its wheel has NLTK's trained Punkt; nothing of it is imported
	touch $@

bench: $(PEERS)
	$(BIN)/python -m benchmarks

bench-record: $(PEERS)
	$(BIN)/python -m benchmarks --record

bench-scale: $(READY)
	$(BIN)/python -m benchmarks.scale

fit-blocks: $(READY)
	$(BIN)/python -m benchmarks.fit_blocks --write

# For the browser tests of the report; they skip where there is no chromium, or no pdftotext.
browser:
	command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	    (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium)
	command -v pdftotext >/dev/null || \
	    (apt-get update -qq && apt-get install -y -qq --no-install-recommends poppler-utils)

# For the tests that typeset the tables for papers; they skip where there is no pdflatex.
tex:
	command -v pdflatex >/dev/null && command -v pdftotext >/dev/null || \
	    (apt-get update -qq && apt-get install -y -qq --no-install-recommends \
	    texlive-latex-base texlive-latex-recommended poppler-utils)

# A whole Slurm on this machine, for `make test-cluster` alone; the plugin of profiles/slurm lies
# beside the environment, because it makes every start of Snakemake slower.
cluster: $(PLUGINS)
	command -v slurmctld >/dev/null || test -x /usr/sbin/slurmctld || \
	    (apt-get update -qq && apt-get install -y -qq --no-install-recommends slurm-wlm munge)

$(PLUGINS): tests/cluster/requirements.txt $(READY)
	$(PIP) --no-deps --upgrade --target .venv/cluster -r tests/cluster/requirements.txt
	touch $@

# As root. One process: the daemons are there once, and the wall times are printed last.
test-cluster: cluster
	$(BIN)/python -m pytest -n 0 -m cluster tests/cluster

# No download addresses are written, so the lock works with any index. Without the plugin for Slurm.
EXTRAS := $(addprefix --extra ,baselines test docs lint)
lock: $(READY)
	$(BIN)/pip-compile --quiet --strip-extras $(EXTRAS) --allow-unsafe --no-header --no-annotate \
	    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
	    --output-file requirements.lock pyproject.toml
	cd benchmarks && ../$(BIN)/pip-compile --quiet --strip-extras --no-header --no-annotate \
	    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
	    --output-file requirements.lock requirements.in

clean:
	rm -rf .venv results site .snakemake build $(BUILT) *.egg-info
