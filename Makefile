# Every target installs the system packages that it misses (.ci/packages), and nothing else.
# ARGS is handed on: make run ARGS="--port 9000", make test ARGS="--filter JSONText".

ARGS =
PEERS = Benchmarks/.build/peers
PACKAGES = libmicrohttpd-dev libre2-dev pkg-config

.PHONY: help run test lint bench bench-rules bench-actions bench-growth bounds docs container

help:
	@echo "make run          build menud and serve the photo application, with a session \"demo\" open"
	@echo "make test         run every test"
	@echo "make lint         check the style of all Swift and shell code"
	@echo "make bench        measure menud beside servers that give the same answers"
	@echo "make bench-rules  measure the evaluation of rules beside evaluators from PyPI"
	@echo "make bench-actions  measure the engine by the workloads of GTK's benchmark of actions"
	@echo "make bench-growth   measure how latency and memory grow, and plot it"
	@echo "make bounds       meet every bound of rules with hostile ones, and tell how long that takes"
	@echo "make docs         build the documentation of the library MenuEngine"
	@echo "make container    build the image, run it and check it (Debian, as root)"

run:
	@.ci/packages $(PACKAGES)
	swift build -c release --product menud
	@.build/release/menud serve --config Config/menud.json --examples $(ARGS)

# Some tests run the built menud and the commands of README.md, hence curl.
test:
	@.ci/packages $(PACKAGES) curl
	swift test $(ARGS)

lint:
	@.ci/packages shellcheck
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks Fuzz
	shellcheck .ci/* Benchmarks/peers/install Benchmarks/peers/prepare

# The peers that cannot be had here are named in the table, with the reason.
bench:
	@.ci/packages $(PACKAGES) wrk
	swift build -c release --product menud
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
	@Benchmarks/.build/release/actions $(ARGS)

bench-growth:
	@.ci/packages $(PACKAGES)
	swift build -c release --product menud
	swift build -c release --package-path Benchmarks --product growth
	@Benchmarks/.build/release/growth --menud .build/release/menud $(ARGS)

bounds:
	@.ci/packages $(PACKAGES)
	swift build -c release --package-path Benchmarks --product bounds
	@Benchmarks/.build/release/bounds $(ARGS)

# In a folder of its own, since the plug-in is a dependency of this target only.
docs:
	MENUD_DOCS=1 swift package --scratch-path .build/docs generate-documentation \
	  --target MenuEngine --warnings-as-errors $(ARGS)

container:
	@.ci/container $(ARGS)
