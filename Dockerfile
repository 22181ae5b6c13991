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
COPY Package.swift Package.resolved ./
RUN swift package resolve

# The tests are not built, but a manifest whose targets are missing is refused.
COPY Tests Tests
COPY Sources Sources
RUN swift build -c release --product menud --static-swift-stdlib --disable-local-rpath \
 && install --strip .build/release/menud /usr/local/bin/menud

# The image has what the program loads, and neither shell nor package manager: its libraries, those of
# libpq, which a journal in PostgreSQL needs, and their licences; time zones for rules; a user.
FROM debian:bookworm-slim AS files
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd12 libre2-9 libsqlite3-0 libpq5 \
    tzdata
COPY --from=build /usr/local/bin/menud /usr/local/bin/menud
RUN mkdir -p /empty /image/tmp /image/var/lib && chmod 1777 /image/tmp && cd /image \
 && for file in $(ldd /usr/local/bin/menud /usr/lib/*/libpq.so.5 \
    | sed -n 's/.*=> \(.*\) (.*/\1/p; s/^\t\(\/[^ ]*\) (.*/\1/p' | sort -u); do \
      cp --dereference --parents "$file" . || exit 1; \
      dpkg-query --search "*/${file##*/}" | sed 's/:.*//' >> /packages; \
    done \
 && cp --dereference --parents /usr/lib/*/libpq.so.5 . \
 && for package in libpq5 tzdata $(sort -u /packages); do \
      cp --dereference --parents "/usr/share/doc/$package/copyright" . || exit 1; \
    done \
 && cp --recursive --no-dereference --preserve=links --parents /usr/local/bin/menud \
    /usr/share/common-licenses /usr/share/zoneinfo /etc/nsswitch.conf . \
 && rm -rf usr/share/zoneinfo/posix usr/share/zoneinfo/right \
 && printf '%s:x:%d:%d::/:/\n' root 0 0 menud 10001 10001 > etc/passwd \
 && printf '%s:x:%d:\n' root 0 menud 10001 > etc/group

FROM scratch
COPY --from=files /image /
COPY --from=files --chown=10001:10001 /empty /var/lib/menud
COPY LICENSE NOTICE /usr/share/doc/menud/

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
