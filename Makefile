# Every target installs the system packages that it misses (.ci/packages), and nothing else.
# ARGS is handed on: make run ARGS="--port 9000", make test ARGS="--filter JSONText".

ARGS =
PACKAGES = libmicrohttpd-dev libre2-dev pkg-config

.PHONY: help run test lint bench container

help:
	@echo "make run        build menud and serve the photo application, with a session \"demo\" open"
	@echo "make test       run every test"
	@echo "make lint       check the style of all Swift and shell code"
	@echo "make bench      measure menud against a server that answers the same without any work"
	@echo "make container  build the image, run it and check it (Debian, as root)"

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
	shellcheck .ci/*

bench:
	@.ci/packages $(PACKAGES) curl wrk
	swift build -c release --product menud
	swift build -c release --package-path Benchmarks
	@Benchmarks/.build/release/compare --menud .build/release/menud $(ARGS)

container:
	@.ci/container $(ARGS)
