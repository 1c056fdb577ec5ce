# Two commands: `make demo` shows the whole way on the sample module, `make test` checks everything.
# Needs Python 3.11 or newer and make; everything else goes into .venv.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed

PACKAGES = model extract los validators export samples review hexsight companion benchmarks

.PHONY: demo test lint types imports links unit docs man package bench mutation companion clean

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("hexsight needs Python 3.11 or newer: make PYTHON=python3.12 …") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

demo: $(STAMP)
	$(BIN)/python -m hexsight.samples demo/samples
	$(BIN)/hexsight build demo/samples/red-factory.vmod -o demo/result --force
	$(BIN)/hexsight los demo/result/red-factory D2 D4
	$(BIN)/hexsight los demo/result/red-factory D4 E6
	@echo
	@echo "The result lies in demo/result: look at demo/result/red-factory/overlay.png first."

test: lint types imports unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/vulture
	$(BIN)/vulture $(PACKAGES) .ci tests

# The packages lie beside each other and install below "hexsight"; tools that follow
# folders see them through .check/hexsight, a folder of links made anew each time.
links:
	rm -rf .check/hexsight
	mkdir -p .check/hexsight
	for p in model extract los validators export samples review; do ln -s ../../$$p .check/hexsight/$$p; done
	for f in hexsight/*.py hexsight/commands; do ln -s ../../$$f .check/hexsight/$$(basename $$f); done

types: $(STAMP) links
	cd .check && MYPYPATH=. ../$(BIN)/mypy --config-file ../pyproject.toml -p hexsight

imports: $(STAMP) links
	cd .check && PYTHONPATH=. ../$(BIN)/lint-imports ../pyproject.toml

# Files are dealt out whole, so that what a file makes once is made once.
unit: $(STAMP)
	$(BIN)/python -m pytest -q -n auto --dist loadfile

# The pages, without the network and without a warning: build/docs/index.html
docs: $(STAMP)
	$(BIN)/sphinx-build -q -W --keep-going -b html -d build/doctrees docs build/docs

# The man page, from the commands themselves. `make unit` checks that it names every option.
man: $(STAMP)
	$(BIN)/sphinx-build -q -W --keep-going -b man -d build/doctrees docs build/man
	cp build/man/hexsight.1 docs/hexsight.1

# After a change of the companion's Java sources; needs a JDK. `make unit` checks that it was done.
companion: $(STAMP)
	$(BIN)/python companion/build.py

# Wheel and sdist: contents, and the sample from the wheel in an empty environment. In build/dist.
package: $(STAMP)
	$(BIN)/python .ci/package.py --keep build/dist

# Is anything over 20 % slower than benchmarks/reference.json says? Report: build/bench/speed.md
bench: $(STAMP)
	$(BIN)/python benchmarks/speed/measure.py $(BENCH)

# Do the tests notice when a rule of line of sight is changed by one sign? SAMPLE=1 tries all, an hour.
SAMPLE ?= 25
mutation: $(STAMP)
	$(BIN)/python tests/mutation/run.py --sample $(SAMPLE)

clean:
	rm -rf .check .venv demo build dist *.egg-info
