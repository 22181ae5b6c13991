# The image of menud: built with the toolchain, run without it.
#
#   docker build -t menud .
#   docker run --rm -p 8080:8080 -v "$PWD/Config:/etc/menud:ro" -v menud:/var/lib/menud \
#     -e MENUD_AUTH_ADMINISTRATOR_TOKEN="$(openssl rand -hex 32)" menud
#
# `make container` builds and checks it on a machine that has no container engine.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd-dev libre2-dev libsqlite3-dev \
    libpq-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src

# The dependencies are a layer of their own, fetched again only when the manifest changes.
COPY Package.swift ./
RUN swift package resolve

# The tests are not built, but a manifest whose targets are missing is refused.
COPY Tests Tests
COPY Sources Sources
RUN swift build -c release --product menud --static-swift-stdlib --disable-local-rpath \
 && install --strip .build/release/menud /usr/local/bin/menud

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd12 libre2-9 libsqlite3-0 libpq5 \
    tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin menud \
 && install -d -o menud -g menud /var/lib/menud
COPY --from=build /usr/local/bin/menud /usr/local/bin/menud

# The whole configuration, and the one path to mount another one at.
COPY Config /etc/menud

# Outside a container menud listens on the loopback only; in here that would be nobody. Hence it asks
# for tokens, and does not start without one unless MENUD_AUTH_REQUIRED=never lets everybody in.
# The health check reads the same file as the server, and so asks on its `server.healthPort`.
ENV MENUD_CONFIG=/etc/menud/menud.json \
    MENUD_SERVER_HOST=0.0.0.0 \
    MENUD_JOURNAL_PATH=/var/lib/menud/menud.db
EXPOSE 8080
# What is to outlive the container is in here: mount a volume with a name.
VOLUME /var/lib/menud
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/menud", "health"]
ENTRYPOINT ["/usr/local/bin/menud"]
CMD ["serve"]
