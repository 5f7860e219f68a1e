# Two commands: `make serve` and `make test`. Each sets up what it needs, once.

PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

# The first Python that is new enough; `make PYTHON=/path/to/python3 ...` chooses another.
PYTHON ?= $(firstword $(foreach python,python3 python3.14 python3.13 python3.12 python3.11,\
  $(shell $(python) -c 'import sys; sys.version_info >= (3, 11) and print("$(python)")' 2>/dev/null)))

export NO_MKDOCS_2_WARNING := 1

.PHONY: serve test site bench clean

serve: $(INSTALLED)  ## build the site, serve it on 127.0.0.1 and rebuild on changes
	@$(BIN)/python -c "import socket; socket.create_server(('127.0.0.1', $(PORT))).close()" 2>/dev/null || { echo "Port $(PORT) is taken. Try another: make serve PORT=8001"; exit 1; }
	$(BIN)/mkdocs serve --dev-addr 127.0.0.1:$(PORT)

test: $(INSTALLED)  ## all tests, those in the browser too
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python -m pytest

site: $(INSTALLED)  ## build into site/; SITE_URL says where it will be published
	$(BIN)/mkdocs build --strict

bench: $(INSTALLED)  ## tokens a second in CPython; the page's milliseconds and its start in Chromium
	$(BIN)/python -m benchmarks.simulation
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python -m benchmarks.page
	$(BIN)/python -m benchmarks.startup

clean:  ## remove everything that make made
	rm -rf $(VENV) node_modules site .cache .pytest_cache .hypothesis .ruff_cache

$(INSTALLED): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed (python.org, or your system's package python3)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python cannot make virtual environments here. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@echo "Installing into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]' \
	  || { echo "pip could not install what the lines above name. It needs PyPI: check the network, then run make again."; exit 1; }
	@touch $@
