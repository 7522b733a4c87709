# Needs only make and Python 3.11 or newer; everything else goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
RUNS := .venv/.runs
READY := .venv/.ready

.PHONY: help run test test-thorough test-long lint bench mutate-code schemas docs clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

# A changed dependency list or pin rebuilds the environment; nothing else does.
$(RUNS): pyproject.toml constraints.txt
	@echo "installing kbrules into .venv: from half a minute to some minutes, as the network goes"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e . -c constraints.txt
	@touch $@

$(READY): $(RUNS)
	@echo "installing what the tests need: a minute or two"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -c constraints.txt
	@touch $@

run: $(RUNS) ## check the rules, run the scenarios, play one game
	$(BIN)/kbrules check
	$(BIN)/kbrules test rules tests/scenarios
	$(BIN)/kbrules play --players 2 --seed 7 --bots greedy --force
	$(BIN)/kbrules replay game.kblog --quiet

# The quick and the thorough tests leave nothing to chance, not even the order of sets.
test: lint ## lint, types and the whole quick suite
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n 2

test-thorough: $(READY) ## the tests that take a second or more each
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n 2 -m "thorough and not slow"

test-long: $(READY) ## every test, slow ones too, with many more random cases
	@seed=$${SEED:-$$($(BIN)/python -c "import random; print(random.randrange(2, 10**6))")}; \
	echo "to repeat this run: make test-long SEED=$$seed"; \
	HYPOTHESIS_PROFILE=nightly PYTHONHASHSEED=$$seed KBRULES_FUZZ_RUN=$$seed \
		$(BIN)/python -m pytest -n 2 -m "" --hypothesis-seed=$$seed

lint: $(READY) ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(READY) ## measure the engine
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench,fast]' -c constraints.txt
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.envs

mutate-code: $(READY) ## change our own code, and see what no test notices
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[mutation]' -c constraints.txt
	$(BIN)/python -m tests.code_mutation

schemas: $(READY) ## write schemas/ and the worked-out grammar anew
	$(BIN)/python -m tests.docs.generated

docs: $(RUNS) ## the boxes and the language as pages, in site/
	$(BIN)/kbrules docs --output site

clean: ## remove the environment and every cache
	rm -rf .venv build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
