# Every target installs the system packages that it misses (.ci/packages). What comes from PyPI, for test,
# generators, agents, contract and bench-rules, goes into folders of this one.
# ARGS is handed on: make run ARGS="--port 9000", make test ARGS="--filter JSONText".

ARGS =
PEERS = Benchmarks/.build/peers
PACKAGES = libmicrohttpd-dev libre2-dev libsqlite3-dev libpq-dev pkg-config
TOOLS = curl fzf openssl postgresql haproxy nginx python3 python3-venv python3-yaml python3-prometheus-client \
  faketime json-schema-test-suite
CHECKS = Tests/Checks
REPLICAS = postgresql haproxy python3 python3-yaml
INTEGRATIONS = python3-gi gir1.2-gtk-4.0 libglib2.0-bin dbus-daemon xvfb xdotool at-spi2-core gir1.2-atspi-2.0 mate-hud \
  liblo-tools chromium chromium-driver python3-venv
BROWSER = chromium-headless-shell chromium-driver esbuild fonts-inter node-react-dom nodejs node-typescript python3-venv
GENERATORS = .build/generators
AGENTS = .build/agents
EVENT_CLIENTS = .build/event-clients
PYTHON_TYPES = .build/python-types
# As in the container: with the Swift libraries inside, menud starts sooner and takes less memory.
# No library is searched for in the folder of the program.
RELEASE = swift build -c release --product menud --static-swift-stdlib --disable-local-rpath

.PHONY: help run test soak simulation test-replicas test-browser integrations install-generators install-browser streams mirror event-clients python-client histories deployment bench-replicas sanitize lint faults kills deliveries flushes contract generators agents agent-tokens slow-clients fairness unread memory restart figures threads instructions journeys bench bench-rules bench-actions bench-growth bench-validations bench-coding bench-journal bench-search bounds docs example schemas container dist deb try-packages

help:
	@echo "make run          build menud and serve the photo application, with a session \"demo\" open"
	@echo "make test         run every test; with ARGS=--slowest, name the ten that take longest"
	@echo "make soak         run every test, the random ones with 500 seeds each"
	@echo "make simulation   let the store and its disk fail in 100,000 schedules"
	@echo "make test-browser use the console in Chromium, and the client module in Node"
	@echo "make integrations  let desktops, terminals, panels and JupyterLab show a session"
	@echo "make test-replicas  run the tests of the API on three services that share a journal in PostgreSQL"
	@echo "make sanitize     run every test under the address and the thread sanitizer"
	@echo "make lint         check the style of all Swift and shell code"
	@echo "make faults       damage journals at every offset, and fill their disks"
	@echo "make kills        kill menud 500 times under load, and check what comes back"
	@echo "make deliveries   kill menud and workers, and check that each delivery is settled once"
	@echo "make flushes      watch its system calls: no answer before its flush"
	@echo "make contract     test it against its own OpenAPI document (schemathesis)"
	@echo "make generators   generate clients from its OpenAPI document, and use them"
	@echo "make agents       use it by PyPI's client of the Model Context Protocol, as its conformance suite does, and by 100,000 random messages"
	@echo "make agent-tokens count what a list of tools costs a model"
	@echo "make slow-clients measure a client beside hundreds of slow ones (slowhttptest)"
	@echo "make fairness     measure a client beside attackers that take what they can"
	@echo "make unread       measure memory beside and after 800 clients that do not read"
	@echo "make memory       ask every route again and again, with streams that nobody reads, and measure memory"
	@echo "make restart      measure memory and time of a restart with ten thousand sessions"
	@echo "make streams      measure memory, latency and processor time of ten thousand subscribers to events"
	@echo "make mirror       kill menud while clients mirror a session by its events, and compare"
	@echo "make python-client  check menud.py, the client module in Python, its wheel and its types"
	@echo "make histories    let replicas, PostgreSQL and the network fail 500 times, and check what clients saw"
	@echo "make deployment   check the files for Compose, Kubernetes and HAProxy"
	@echo "make event-clients let Chromium, httpx-sse and curl follow events through kills"
	@echo "make figures      measure durability and recovery over HTTP"
	@echo "make threads      measure one, two and four threads, on one session and on many"
	@echo "make instructions count the instructions and allocations of a request, by kind (callgrind)"
	@echo "make journeys     count the files that a request passes, by kind (callgrind)"
	@echo "make bench        measure menud beside servers that give the same answers"
	@echo "make bench-rules  measure the evaluation of rules beside evaluators from PyPI"
	@echo "make bench-actions  measure the engine by the workloads of GTK's benchmark of actions, and GTK"
	@echo "make bench-growth   measure how latency and memory grow, and plot it"
	@echo "make bench-coding measure storing a session and reading it back"
	@echo "make bench-journal  measure what keeping changes costs, and a recovery"
	@echo "make bench-validations  measure validation in process: warm, after a change and cold"
	@echo "make bench-search  measure searches for commands among 10,000"
	@echo "make bench-replicas  measure one to three replicas beside one process"
	@echo "make bounds       meet every bound of rules with hostile ones, and tell how long that takes"
	@echo "make docs         build the documentation of the library MenuEngine"
	@echo "make example      build and run a program that embeds the engine"
	@echo "make schemas      write the JSON Schemas of files into Config/schemas"
	@echo "make container    build the image, run it and check it (Debian, as root)"
	@echo "make dist         make a tar of the program, the modules of clients, schemas and pages"
	@echo "make deb          make a Debian package with a service for systemd"
	@echo "make try-packages make both, and use them in a Debian that systemd starts (Debian, as root)"

run:
	@.ci/packages $(PACKAGES)
	$(RELEASE)
	@.build/release/menud serve --config Config/menud.json --examples $(ARGS)

# Some tests run the built menud and the commands of the documentation, hence curl; some let Prometheus' parser
# read the metrics, set the clock back, kill it by a script, generate clients from its document, and check schemas
# by the cases of Debian's package.
#
# Where PyPI cannot be reached the generators, the clients of agents and of events and the checkers of types are
# missing; their tests are skipped then, and say why.
#
# Random tests run few seeds; MENUD_SEEDS is the number of seeds of each.
test:
	@.ci/packages $(PACKAGES) $(TOOLS)
	-@$(CHECKS)/install $(GENERATORS) $(CHECKS)/generators/requirements.txt
	-@$(CHECKS)/install $(AGENTS) $(CHECKS)/agents/requirements.txt
	-@$(CHECKS)/install $(EVENT_CLIENTS) $(CHECKS)/events/requirements.txt
	-@$(CHECKS)/install $(PYTHON_TYPES) $(CHECKS)/python/requirements.txt
	$(if $(filter --slowest,$(ARGS)),$(CHECKS)/slowest.py,.ci/test) $(filter-out --slowest,$(ARGS))

soak:
	MENUD_SEEDS=$${MENUD_SEEDS:-500} $(MAKE) test

# What it is, and how one schedule is seen again, is told in Tests/Checks/README.md.
simulation:
	@.ci/packages $(PACKAGES)
	MENUD_SEEDS=$${MENUD_SEEDS:-1000} .ci/test -c release -Xswiftc -enable-testing \
	  --scratch-path .build/simulation --filter SimulationTests $(ARGS)

# Each test has so many services, and sends each of its requests to the next one.
test-replicas:
	@.ci/packages $(PACKAGES) postgresql
	MENUD_TEST_REPLICAS=$${MENUD_TEST_REPLICAS:-3} .ci/test --filter MenuAPITests $(ARGS)

# A release build starts sooner; MENUD names another one.
test-browser: install-browser
	$(if $(MENUD),,$(RELEASE))
	@if [ -x .build/browser/bin/python ]; \
	then .build/browser/bin/python -B $(CHECKS)/browser.py --jobs 2 $(if $(MENUD),--program $(abspath $(MENUD))) $(ARGS); \
	else echo "SKIPPED: selenium and axe come from PyPI, which cannot be reached"; fi

# A release build starts sooner; MENUD names another one. ARGS names some of the folders.
integrations:
	@.ci/packages $(PACKAGES) $(INTEGRATIONS)
	$(if $(MENUD),,$(RELEASE))
	@.ci/integrations $(if $(MENUD),$(abspath $(MENUD)),.build/release/menud) $(ARGS)

install-generators:
	@.ci/packages $(PACKAGES) $(TOOLS)
	@$(CHECKS)/install $(GENERATORS) $(CHECKS)/generators/requirements.txt
	@$(CHECKS)/install $(AGENTS) $(CHECKS)/agents/requirements.txt

install-browser:
	@.ci/packages $(PACKAGES) $(BROWSER)
	-@$(CHECKS)/install .build/browser $(CHECKS)/browser/requirements.txt

# Nothing is suppressed: the locks are the system's then (Sources/Kit/Locks).
sanitize:
	@.ci/packages $(PACKAGES) $(TOOLS)
	@.ci/sanitize $(ARGS)

lint:
	@.ci/packages shellcheck
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks Fuzz
	@$(CHECKS)/census.py --functions
	shellcheck $(filter-out .ci/wheel .ci/debian,$(wildcard .ci/*)) .ci/debian/p* Benchmarks/peers/install Benchmarks/peers/prepare Tests/Checks/install

# MENUD_DAMAGE=all tries every bit too, which takes hours. The small disks need root.
faults:
	@.ci/packages $(PACKAGES)
	MENUD_DAMAGE=$${MENUD_DAMAGE:-every} .ci/test --filter \
	  "MenuStoreTests.(JournalDamageTests|SmallDiskTests)" $(ARGS)

# What these show is told in Tests/Checks/README.md.
kills:
	@.ci/packages $(PACKAGES) python3
	$(RELEASE)
	@$(CHECKS)/kills.py $(or $(ARGS),--kills 500)

deliveries:
	@.ci/packages $(PACKAGES) python3
	$(RELEASE)
	@$(CHECKS)/deliveries.py $(ARGS)

flushes:
	@.ci/packages $(PACKAGES) python3 strace
	$(RELEASE)
	@$(CHECKS)/flushes.py $(ARGS)

contract:
	@.ci/packages $(PACKAGES) python3-venv
	$(RELEASE)
	@$(CHECKS)/install .build/contract $(CHECKS)/contract/requirements.txt
	@$(CHECKS)/contract.py --schemathesis $(CURDIR)/.build/contract/bin/schemathesis $(ARGS)

generators:
	@.ci/packages $(PACKAGES) python3-venv
	$(RELEASE)
	@$(CHECKS)/install $(GENERATORS) $(CHECKS)/generators/requirements.txt
	@$(CHECKS)/generators.py $(ARGS)

# A seed of the random messages is a thousand of them.
agents:
	@.ci/packages $(PACKAGES) python3-venv
	$(RELEASE)
	@$(CHECKS)/install $(AGENTS) $(CHECKS)/agents/requirements.txt
	@$(CHECKS)/agents.py $(ARGS)
	@$(CHECKS)/agent_scenarios.py
	@$(CHECKS)/agent_jobs.py
	@$(CHECKS)/agent_libraries.py
	MENUD_SEEDS=$${MENUD_SEEDS:-100} .ci/test --filter RandomAgentMessageTests

agent-tokens:
	@.ci/packages $(PACKAGES) python3-venv
	$(RELEASE)
	@$(CHECKS)/install .build/agent-tokens $(CHECKS)/agents/tokens.txt
	@$(CHECKS)/agent_tokens.py $(ARGS)

slow-clients:
	@.ci/packages $(PACKAGES) python3 slowhttptest
	$(RELEASE)
	@$(CHECKS)/slow_clients.py $(ARGS)

fairness:
	@.ci/packages $(PACKAGES) python3
	$(RELEASE)
	@$(CHECKS)/fairness.py $(ARGS)

unread:
	@.ci/packages $(PACKAGES) python3
	$(RELEASE)
	@$(CHECKS)/unread.py $(ARGS)

memory:
	@.ci/packages $(PACKAGES) python3
	$(RELEASE)
	@$(CHECKS)/memory.py $(ARGS)

restart:
	@.ci/packages $(PACKAGES) python3
	$(RELEASE)
	@$(CHECKS)/restart.py $(ARGS)

streams:
	@.ci/packages $(PACKAGES) python3
	$(RELEASE)
	@$(CHECKS)/streams.py $(ARGS)

mirror:
	@.ci/packages $(PACKAGES) python3
	$(RELEASE)
	@$(CHECKS)/mirror.py $(ARGS)

event-clients:
	@.ci/packages $(PACKAGES) curl python3-venv chromium chromium-driver
	$(RELEASE)
	@$(CHECKS)/install $(EVENT_CLIENTS) $(CHECKS)/events/requirements.txt
	@$(EVENT_CLIENTS)/bin/python $(CHECKS)/event_clients.py $(ARGS)

python-client:
	@.ci/packages $(PACKAGES) openssl python3-venv
	$(RELEASE)
	@$(CHECKS)/python_client.py --kills 20 $(ARGS)
	-@$(CHECKS)/install $(PYTHON_TYPES) $(CHECKS)/python/requirements.txt
	@$(CHECKS)/python_client.py --types $(PYTHON_TYPES)

# What it does is told in Tests/Checks/README.md.
histories:
	@.ci/packages $(PACKAGES) $(REPLICAS) faketime
	$(RELEASE)
	@/usr/bin/python3 -B $(CHECKS)/histories.py $(ARGS)

deployment:
	@.ci/packages $(PACKAGES) $(REPLICAS) python3-venv podman
	$(RELEASE)
	@$(CHECKS)/install .build/deployment $(CHECKS)/deployment/requirements.txt
	@.build/deployment/bin/python -B $(CHECKS)/deployment.py $(ARGS)

figures:
	@.ci/packages $(PACKAGES) python3 wrk
	$(RELEASE)
	@$(CHECKS)/figures.py $(ARGS)

threads:
	@.ci/packages $(PACKAGES) python3 wrk
	$(RELEASE)
	@$(CHECKS)/threads.py $(ARGS)

instructions:
	@.ci/packages $(PACKAGES) python3 valgrind
	$(RELEASE)
	@$(CHECKS)/instructions.py $(ARGS)

# In a debug build nothing is inlined.
journeys:
	@.ci/packages $(PACKAGES) python3 valgrind llvm binutils
	swift build --product menud
	@$(CHECKS)/journeys.py $(ARGS)

# The peers that cannot be had here are named in the table, with the reason.
bench:
	@.ci/packages $(PACKAGES) wrk valgrind binutils
	$(RELEASE)
	swift build -c release --package-path Benchmarks
	@Benchmarks/peers/prepare $(PEERS)
	@Benchmarks/.build/release/compare --menud .build/release/menud --peers $(PEERS) $(ARGS)

# The peers are installed once for each version of their list, in an environment of their own.
bench-rules:
	@.ci/packages $(PACKAGES) valgrind python3-venv
	swift build -c release --package-path Benchmarks
	@Benchmarks/peers/install $(PEERS)/rules Benchmarks/peers/rules/requirements.txt
	@Benchmarks/.build/release/rules --python $(PEERS)/rules/bin/python $(ARGS)

bench-actions:
	@.ci/packages $(PACKAGES) valgrind
	swift build -c release --package-path Benchmarks --product actions
	@Benchmarks/peers/prepare $(PEERS) gtk
	@Benchmarks/.build/release/actions --peers $(PEERS) $(ARGS)

# On one processor: between two, most of a latency is the time that the other one takes to wake up.
bench-growth:
	@.ci/packages $(PACKAGES)
	$(RELEASE)
	swift build -c release --package-path Benchmarks --product growth
	@taskset -c 0 Benchmarks/.build/release/growth --menud .build/release/menud $(ARGS)

bench-coding:
	@.ci/packages $(PACKAGES)
	swift build -c release --package-path Benchmarks --product coding
	@Benchmarks/.build/release/coding $(or $(ARGS),Config/photo-app)

bench-journal:
	@.ci/packages $(PACKAGES)
	swift build -c release --package-path Benchmarks --product journal
	@Benchmarks/.build/release/journal $(ARGS)

bench-validations:
	@.ci/packages $(PACKAGES) valgrind
	swift build -c release --package-path Benchmarks --product validations
	@Benchmarks/.build/release/validations $(ARGS)

bench-search:
	@.ci/packages $(PACKAGES)
	swift build -c release --package-path Benchmarks --product searches
	@Benchmarks/.build/release/searches $(ARGS)

bench-replicas:
	@.ci/packages $(PACKAGES) $(REPLICAS) wrk
	$(RELEASE)
	@/usr/bin/python3 -B $(CHECKS)/replicas.py $(ARGS)

bounds:
	@.ci/packages $(PACKAGES)
	swift build -c release --package-path Benchmarks --product bounds
	@Benchmarks/.build/release/bounds $(ARGS)

# In a folder of its own, since the plug-in is a dependency of this target only.
docs:
	MENUD_DOCS=1 swift package --scratch-path .build/docs generate-documentation \
	  --target MenuEngine --warnings-as-errors $(ARGS)

# A package of its own, so that it sees what any other program sees.
example:
	@.ci/packages $(PACKAGES)
	swift run --package-path Examples/embedded $(ARGS) | tee -a /dev/stderr | diff Examples/embedded/output.txt -

# A test holds them to what menud prints.
schemas:
	@.ci/packages $(PACKAGES)
	swift build --product menud
	for file in $$(.build/debug/menud schema); do \
	  .build/debug/menud schema $$file > Config/schemas/$$file || exit 1; done

container:
	@.ci/container $(ARGS)

# MENUD names a program that is built already.
dist:
	@.ci/packages $(PACKAGES) binutils python3
	$(if $(MENUD),,$(RELEASE))
	@MENUD=$(MENUD) .ci/package tar

deb:
	@.ci/packages $(PACKAGES) binutils python3 dpkg-dev
	$(if $(MENUD),,$(RELEASE))
	@MENUD=$(MENUD) .ci/package deb

try-packages:
	@.ci/packages $(PACKAGES) binutils
	$(if $(MENUD),,$(RELEASE))
	@MENUD=$(MENUD) .ci/try-packages $(ARGS)
