# Everything is done from here; `make` alone lists the targets. Only Python 3.11+ and make are needed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PINS   := deploy/requirements
STUBS  := libs/servito_protos
PROTOS := $(shell find protos -name '*.proto' 2>/dev/null | sort)

# Bounds of `make run`; e.g. make run TABLES=8 HANDS=2000
TABLES ?= 4
HANDS  ?= 400
# How many files of tests run side by side; 0: one after the other
JOBS   ?= 2
# More arguments for pytest; e.g. make test ARGS='tests/core -x'
ARGS   ?=

# $(call step,what it does,command): says it, does it, says how long it took; the output stays visible.
define step
@echo '==> $(1)'; start=$$(date +%s); $(2) && echo "    done in $$(( $$(date +%s) - start )) s"
endef

.DEFAULT_GOAL := help
.PHONY: help setup run test test-modes lint format protos docs baseline bench fuzz drill model chaos rng-report taint mutation pins clean
.PHONY: lint-style lint-types lint-layers lint-protos lint-packages

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.installed protos ## build .venv with the pinned packages and the `servito` command
	@echo 'ready: $(BIN)/servito'

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'Servito needs Python 3.11 or newer; "$(PYTHON)" is' "$$($(PYTHON) --version 2>&1)." \
	       'Name another one: make setup PYTHON=python3.12' >&2; exit 1; }
	$(call step,creating $(VENV) with $(PYTHON),$(PYTHON) -m venv --clear $(VENV))

$(VENV)/.installed: $(PINS)/runtime.txt $(PINS)/dev.txt pyproject.toml | $(VENV)/bin/python
	$(call step,installing the pinned packages (about a minute the first time),\
	  $(BIN)/python -m pip install -qq --disable-pip-version-check -r $(PINS)/dev.txt)
	$(call step,installing servito from this folder,\
	  $(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .)
	@touch $@

protos: $(STUBS)/.generated ## generate the stubs of protos/ (only when they changed)

# The folders are prerequisites too, so that a removed file also renews the stubs; they change all at once.
$(STUBS)/.generated: $(PROTOS) $(shell find protos -mindepth 1 -type d 2>/dev/null) $(VENV)/.installed
	@rm -rf build/stubs && mkdir -p build/stubs $(STUBS)
	$(call step,generating stubs for $(words $(PROTOS)) proto files,PATH="$(CURDIR)/$(BIN):$$PATH" \
	  $(BIN)/python -m grpc_tools.protoc -Iprotos --python_out=build/stubs --grpc_python_out=build/stubs \
	  --mypy_out=quiet:build/stubs --mypy_grpc_out=quiet:build/stubs $(PROTOS))
	@rm -rf $(STUBS)/servito && mv build/stubs/servito $(STUBS)/ && touch $@

run: setup ## play: the whole system on this machine, bots at TABLES=4 tables, about HANDS=400 hands
	$(call step,playing $(HANDS) hands at $(TABLES) tables,$(BIN)/servito demo --tables $(TABLES) --hands $(HANDS))

test: setup ## run the tests (ARGS=... goes to pytest)
	$(call step,testing,$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS))

test-modes: setup ## run the tests of the state under Sentinel, on a Cluster, on Debian's Redis, and failovers (minutes)
	@command -v redis-server >/dev/null || \
	  { echo 'This needs redis-server (on Debian: apt-get install redis-server).' >&2; exit 1; }
	$(call step,testing with the state under Sentinel,STATE_MODE=sentinel $(IN_MODES) $(TIMERS) $(ARGS))
	$(call step,testing with the state on a Cluster,STATE_MODE=cluster $(IN_MODES) $(TIMERS) $(ARGS))
	$(call step,testing on Redis,STATE_SERVER=redis $(IN_MODES) $(TIMERS) $(ON_REDIS) $(ARGS))
	$(call step,testing on Redis under Sentinel,STATE_SERVER=redis STATE_MODE=sentinel $(IN_MODES) $(ARGS))
	$(call step,testing on a Cluster of Redis,STATE_SERVER=redis STATE_MODE=cluster $(IN_MODES) $(ARGS))
	$(call step,testing failovers,FAILOVERS=all $(BIN)/python -m pytest tests/modes $(ARGS))
	$(call step,testing failovers of Redis,STATE_SERVER=redis FAILOVERS=all $(BIN)/python -m pytest tests/modes $(ARGS))

test-containers: setup images ## build the images, play through them and through Compose, kill and restart (minutes; takes a container engine)
	$(call step,testing in containers,$(BIN)/python -m pytest tests/containers -o log_cli=true -o log_cli_level=INFO $(ARGS))

# Two at a time: these tests wait more than they work.
IN_MODES := $(BIN)/python -m pytest -n 2 $(addprefix tests/table/test_,store.py commit_script.py index.py \
	template_store.py marks.py processes.py expiry.py watching.py hands_served.py) tests/dealer/test_vault.py \
	tests/dealer/test_service.py tests/dealer/test_crashes.py tests/history/test_streams.py
TIMERS := tests/timers
ON_REDIS := tests/dealer/test_seals.py tests/table/test_money_safety.py $(addprefix tests/platform/test_,deadlines.py \
	firm.py lane.py redis.py)

lint: lint-style lint-types lint-layers lint-protos lint-packages lint-images ## style, types, layers, protos, dependencies, images

lint-style: setup
	$(call step,ruff,$(BIN)/ruff check && $(BIN)/ruff format --check --quiet)
	$(call step,bash -n,grep -lE '^#!.*\bbash' .ci/* deploy/tools/* | xargs -n 1 bash -n)

lint-types: setup
	$(call step,mypy --strict,$(BIN)/mypy)

lint-layers: setup
	$(call step,import contracts,$(BIN)/lint-imports --no-cache)

lint-protos: setup
	$(call step,buf lint,cd protos && ../$(BIN)/buf lint)
	$(call step,buf breaking,cd protos && if test -f baseline.binpb; \
	  then ../$(BIN)/buf breaking --against baseline.binpb; \
	  else echo '    there is no protos/baseline.binpb yet: make baseline'; fi)

lint-packages: setup
	$(call step,declared and used packages,$(BIN)/deptry libs services tests)

lint-images: setup
	$(call step,hadolint,if test -x $(BIN)/hadolint; then $(BIN)/hadolint deploy/docker/Dockerfile; \
	  else echo '    there is no hadolint for this system'; fi)

docs: setup ## write anew what of the documents is made from the code: settings, metrics
	$(call step,writing settings and metrics,$(BIN)/python -m tests.docs.settings && $(BIN)/python -m tests.metrics)

baseline: setup ## renew protos/baseline.binpb, on purpose: what breaks against it is refused from then on
	$(call step,taking the protos as they are now,cd protos && ../$(BIN)/buf build --exclude-source-info -o baseline.binpb)

format: setup ## let ruff lay out the code
	$(call step,formatting,$(BIN)/ruff check --fix --quiet && $(BIN)/ruff format --quiet)

bench: setup ## measure this build on this machine
	$(call step,measuring,$(BIN)/python -m tests.bench $(ARGS))

fuzz: setup ## send 10,000 fuzzed requests to every rpc (FUZZ_SEED=2 for others; `make test` sends 200)
	$(call step,fuzzing,FUZZ_REQUESTS=$${FUZZ_REQUESTS:-10000} $(BIN)/python -m pytest tests/contract/fuzz \
	  -o log_cli=true -o log_cli_level=INFO $(ARGS))

chaos: setup ## play through faults, and count what was lost, doubled, changed or stuck (MODE=sentinel|cluster SEED=7 DURATION=300)
	$(call step,making chaos,GRPC_ENABLE_FORK_SUPPORT=0 $(BIN)/python -m tests.chaos --seed $(or $(SEED),1) \
	  --seconds $(or $(DURATION),300) --mode $(or $(MODE),single) $(ARGS))

rng-report: setup ## test the dealer's shuffle over a million deals of every deck: build/rng-report (minutes; ARGS='--deals 50000')
	$(call step,testing the shuffle,$(BIN)/python -m tests.rng $(ARGS))

drill: setup ## play, back up, lose everything, restore, and count (docs/operations/backup.md)
	$(call step,drilling,$(BIN)/python -m pytest tests/drill -o log_cli=true -o log_cli_level=INFO $(ARGS))

model: setup ## search the commit and deadline protocol for an order of faults that breaks it (minutes)
	$(call step,searching,MODEL_EXAMPLES=$${MODEL_EXAMPLES:-1500} $(BIN)/python -m pytest tests/model --durations=0 $(ARGS))

taint: setup ## search all that anybody receives in thousands of hands for hidden cards (TAINT_HANDS=3000; minutes)
	$(call step,searching for hidden cards,TAINT_HANDS=$${TAINT_HANDS:-3000} $(BIN)/python -m pytest tests/taint -n 2 \
	  -rP $(ARGS))

mutation: setup ## try the core's tests on small faults (minutes; ARGS='pots --seconds 300' for less)
	$(call step,trying the tests on mutants,$(BIN)/python -m tests.mutation $(ARGS))

# uv writes files that hold for every Python from 3.11 on, without the addresses of an index.
pins: ## pin what pyproject.toml asks for (UPGRADE=--upgrade: at the newest versions)
	@$(PYTHON) -m venv build/pins && build/pins/bin/pip install -qq --disable-pip-version-check uv
	$(call step,pinning runtime.txt,$(COMPILE) --extra traces --output-file $(PINS)/runtime.txt)
	$(call step,pinning dev.txt,$(COMPILE) --extra dev --constraint $(PINS)/runtime.txt --output-file $(PINS)/dev.txt)
	$(call step,pinning what each image holds,for service in $(IMAGES); do \
	  $(COMPILE_FILE) $(PINS)/services/$$service.in --constraint $(PINS)/runtime.txt \
	    --output-file $(PINS)/services/$$service.txt || exit 1; done)

COMPILE = $(COMPILE_FILE) pyproject.toml
COMPILE_FILE := build/pins/bin/uv pip compile --quiet $(UPGRADE) --universal --python-version 3.11 \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make pins'

# What is built and run in containers. BASE_DIGEST=@sha256:... pins the base; REGISTRY=registry.example/ goes in front;
# BUILD_ARGS are more options of `docker build`.
.PHONY: lint-images images sbom dashboards manifests up down test-containers
IMAGES  := dealer evaluator table timers
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
REVISION = $(shell git describe --always --abbrev=40 --dirty --exclude '*' 2>/dev/null || echo unknown)
COMPOSE ?= $(shell command -v docker-compose || echo docker compose)
IN_COMPOSE := SERVITO_VERSION=$(VERSION) $(COMPOSE) --project-name servito --file deploy/compose/docker-compose.yml

SECRETS := deploy/compose/secrets.env deploy/compose/history.env

images: ## build an image of each service with the Docker engine that runs here
	$(foreach service,$(IMAGES),$(call build,$(service)))

define build
$(call step,building $(REGISTRY)servito/$(1):$(VERSION),docker build --network host --quiet $(BUILD_ARGS) \
  --build-arg SERVICE=$(1) --build-arg VERSION=$(VERSION) --build-arg REVISION=$(REVISION) \
  $(if $(BASE),--build-arg BASE=$(BASE)) $(if $(BASE_DIGEST),--build-arg BASE_DIGEST=$(BASE_DIGEST)) \
  --tag $(REGISTRY)servito/$(1):$(VERSION) --file deploy/docker/Dockerfile .)

endef

sbom: setup ## bills of materials of the images, from their pins (CycloneDX): build/sbom; each image holds its own
	@mkdir -p build/sbom
	$(call step,listing what each image holds,for service in $(IMAGES); do \
	  $(BIN)/python deploy/tools/sbom $$service $(VERSION) $(BIN)/python >build/sbom/$$service.cdx.json || exit 1; done)

dashboards: setup ## make Grafana's dashboards anew, after a change of deploy/observability/source
	$(call step,writing deploy/observability/dashboards,$(BIN)/python -m deploy.observability.source)

manifests: setup ## renew what deploy/k8s takes from deploy/observability, after a change there
	$(call step,writing the rules for the operator of Prometheus,$(BIN)/python deploy/tools/prometheus-rules >build/rules.yaml && \
	  mv build/rules.yaml deploy/k8s/components/observability/rules.yaml)

up: images $(SECRETS) ## the whole system in containers, ports 6379, 50053, 50054 (PROFILE=observability: Grafana on 3000)
	$(call step,starting,$(IN_COMPOSE) $(if $(PROFILE),--profile $(PROFILE)) up --detach && \
	  deploy/tools/await-healthy servito)

down: $(SECRETS) ## end it; what it keeps stays for the next time (ARGS=--volumes: throw it away)
	$(call step,ending,$(IN_COMPOSE) --profile observability down $(ARGS))

deploy/compose/secrets.env:
	@umask 077 && $(PYTHON) deploy/tools/dev-secrets >$@

deploy/compose/history.env:
	@umask 077 && $(PYTHON) deploy/tools/dev-secrets history >$@

clean: ## remove .venv, stubs and everything else that can be made again
	rm -rf $(VENV) build dist $(STUBS)/servito $(STUBS)/.generated .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find libs services tests -name __pycache__ -type d -prune -exec rm -rf {} +
