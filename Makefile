# Two commands: `make demo` shows the whole way on the sample module, `make test` checks everything.
# Needs Python 3.11 or newer and make; everything else goes into .venv.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed

.PHONY: demo test lint types imports unit bench clean

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("hexsight needs Python 3.11 or newer: make PYTHON=python3.12 …") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

demo: $(STAMP)
	$(BIN)/python -m hexsight.samples demo/samples
	$(BIN)/hexsight build demo/samples/red-factory.vmod --board "Red Factory" --legend samples -o demo/red-factory --force
	$(BIN)/hexsight los demo/red-factory/board $$($(BIN)/python -m hexsight.samples --demo-pair)
	@echo
	@echo "The result lies in demo/red-factory:"
	@ls demo/red-factory

test: lint types imports unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The packages lie beside each other and install below "hexsight"; tools that follow
# folders see them through .check/hexsight, a folder of links.
.check/hexsight: Makefile
	mkdir -p .check/hexsight
	for p in model extract los validators export samples; do ln -sfn ../../$$p .check/hexsight/$$p; done
	for f in hexsight/*.py hexsight/commands; do ln -sfn ../../$$f .check/hexsight/$$(basename $$f); done
	touch .check/hexsight

types: $(STAMP) .check/hexsight
	cd .check && MYPYPATH=. ../$(BIN)/mypy --config-file ../pyproject.toml -p hexsight

imports: $(STAMP) .check/hexsight
	cd .check && PYTHONPATH=. ../$(BIN)/lint-imports --config ../pyproject.toml

unit: $(STAMP)
	$(BIN)/python -m pytest -q

bench: $(STAMP)
	$(BIN)/python -m pytest -q benchmarks --benchmark-only

clean:
	rm -rf .check .venv demo build dist *.egg-info
