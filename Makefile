# make         set up and run the demo campaign to its report
# make test    set up and run every test
# make lint    ruff, mypy, snakefmt, snakemake --lint
# make bench   side-by-side benchmarks
# make tables  the docs' tables, made anew from the declarations
# make lock    pin the dependencies of pyproject.toml anew
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
SNAKEMAKE := $(BIN)/snakemake --cores all

.PHONY: demo setup test lint format tables bench lock browser clean
.DEFAULT_GOAL := demo

demo: $(READY)
	@$(SNAKEMAKE)
	@echo "The report is at results/demo/report/index.html"

setup: $(READY)

$(READY): requirements.lock pyproject.toml pipeline/runs/_kernel.c
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m pipeline.runs.kernel
	touch $@

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadfile

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

tables: $(READY)
	$(BIN)/python -m pipeline.campaign.tables config/README.md config/CWL.md

# The peers the engine is measured against are needed by nothing else.
bench: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -r benchmarks/requirements.lock
	$(BIN)/python -m benchmarks

# The browser tests look at the report as a reader does; they skip where there is no chromium.
browser:
	command -v chromium >/dev/null || (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium)

# No download addresses are written, so the lock works with any index.
lock: $(READY)
	$(BIN)/pip-compile --quiet --strip-extras --all-extras --allow-unsafe --no-header --no-annotate \
	    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
	    --output-file requirements.lock pyproject.toml
	cd benchmarks && ../$(BIN)/pip-compile --quiet --strip-extras --no-header --no-annotate \
	    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
	    --output-file requirements.lock requirements.in

clean:
	rm -rf .venv results .snakemake pipeline/runs/*.so *.egg-info
