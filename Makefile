# Every target installs the system packages that it misses (.ci/packages), and nothing else.
# ARGS is handed on: make run ARGS="--port 9000", make test ARGS="--filter JSONText".

ARGS =
PEERS = Benchmarks/.build/peers
PACKAGES = libmicrohttpd-dev libre2-dev libsqlite3-dev pkg-config
TOOLS = curl python3-prometheus-client faketime

.PHONY: help run test sanitize lint faults bench bench-rules bench-coding bench-journal bounds docs container

help:
	@echo "make run          build menud and serve the photo application, with a session \"demo\" open"
	@echo "make test         run every test"
	@echo "make sanitize     run every test under the address and the thread sanitizer"
	@echo "make lint         check the style of all Swift and shell code"
	@echo "make faults       damage journals at every offset, and fill their disks"
	@echo "make bench        measure menud against a server that answers the same without any work"
	@echo "make bench-rules  measure the evaluation of rules beside evaluators from PyPI"
	@echo "make bench-coding measure storing a session and reading it back"
	@echo "make bench-journal  measure what keeping changes costs, and a recovery"
	@echo "make bounds       meet every bound of rules with hostile ones, and tell how long that takes"
	@echo "make docs         build the documentation of the library MenuEngine"
	@echo "make container    build the image, run it and check it (Debian, as root)"

run:
	@.ci/packages $(PACKAGES)
	swift build -c release --product menud
	@.build/release/menud serve --config Config/menud.json --examples $(ARGS)

# Some tests run the built menud and the commands of README.md, hence curl; some let Prometheus' parser
# read the metrics, and set the clock back.
test:
	@.ci/packages $(PACKAGES) $(TOOLS)
	swift test $(ARGS)

# What the suppressions are for is told in Tests/thread-sanitizer.suppressions.
sanitize:
	@.ci/packages $(PACKAGES) $(TOOLS)
	@.ci/sanitize $(ARGS)

lint:
	@.ci/packages shellcheck
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks Fuzz
	shellcheck .ci/* Benchmarks/peers/install

# MENUD_DAMAGE=all tries every bit too, which takes hours. The small disks need root.
faults:
	@.ci/packages $(PACKAGES)
	MENUD_DAMAGE=$${MENUD_DAMAGE:-every} swift test --filter \
	  "MenuStoreTests.(JournalDamageTests|SmallDiskTests)" $(ARGS)

bench:
	@.ci/packages $(PACKAGES) curl wrk
	swift build -c release --product menud
	swift build -c release --package-path Benchmarks
	@Benchmarks/.build/release/compare --menud .build/release/menud $(ARGS)

# The peers are installed once for each version of their list, in an environment of their own.
bench-rules:
	@.ci/packages $(PACKAGES) valgrind python3-venv
	swift build -c release --package-path Benchmarks
	@Benchmarks/peers/install $(PEERS)
	@Benchmarks/.build/release/rules --python $(PEERS)/bin/python $(ARGS)

bench-coding:
	@.ci/packages $(PACKAGES)
	swift build -c release --package-path Benchmarks --product coding
	@Benchmarks/.build/release/coding $(or $(ARGS),Config/photo-app)

bench-journal:
	@.ci/packages $(PACKAGES)
	swift build -c release --package-path Benchmarks --product journal
	@Benchmarks/.build/release/journal $(ARGS)

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
