import CEL
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

extension Setting {
  /// All settings, in the order of the configuration file.
  static let all = general + sections.flatMap(\.settings)

  /// The settings outside of sections.
  static let general = named(
    [
      "application": .text(\.application, "The folder of the application, relative to this file."),
      "sessions": .sessions(
        \.sessions,
        "The sessions that are open from the start, and never close for want of requests."),
    ])

  /// The sections, in the order of the configuration file.
  static let sections = [
    server,
    Section(
      "tls", "The certificate of the server.",
      settings: [
        "certificate": .text(
          \.tls.certificate,
          "The certificate of the server, in PEM, relative to this file; empty for plain HTTP."),
        "key": .text(
          \.tls.key, "The private key of the certificate, in PEM, relative to this file."),
      ]),
    Section(
      "auth", "The tokens of administrators.",
      settings: [
        "required": .word(
          \.auth.required,
          "The requests that need a token: all, none, or with auto those of a server with an "
            + "administrator's token."),
        "administratorToken": .token(
          \.auth.administratorToken, "A token that opens everything; null for none."),
        "administratorTokenFile": .text(
          \.auth.administratorTokenFile,
          "A file with such tokens, one on a line, relative to this file; empty for none."),
      ]),
    Section(
      "cors", "The web pages of other servers.",
      settings: [
        "origins": .origins(
          \.origins.origins,
          "The origins of the web pages of other servers that may send requests.")
      ]),
    Section(
      "metrics", "The metrics.",
      settings: [
        "open": .flag(
          \.opensMetrics, "True if anybody may read the metrics where requests need tokens.")
      ]),
    Section(
      "agents", "The servers of the Model Context Protocol.",
      settings: [
        "name": .text(
          \.agentsName, "The name of the application for agents; empty for that of its folder."),
        "default": .word(
          \.limits.agentConsent,
          "What agents may do with commands that do not say it: `hidden`, `plan` or `call`."),
        "tools": .word(
          \.limits.agentTools,
          "The tools for agents whose address does not say it: `enabled`, `all`, `find`, or "
            + "`listening` for `find` where the client is known not to hear of changes, else "
            + "`enabled`."),
      ]),
    Section(
      "console", "The console.",
      settings: [
        "enabled": .decision(
          \.console.isEnabled,
          "True if the console is served; null if it is where requests need no tokens."),
        "path": .consolePath(\.console.path, "The path of the console."),
      ]),
    limits,
    events,
    Section(
      "deliveries", "The deliveries of sessions.",
      settings: [
        "claim": .seconds(\.claim, "The seconds until a claim expires that is not renewed."),
        "retention": .seconds(
          \.deliveryRetention, "The seconds for which a settled delivery is kept."),
      ]),
    Section(
      "plans", "The plans of dry runs.",
      settings: [
        "lifetime": .seconds(
          \.planLifetime, "The seconds for which the plan of a dry run can be performed.")
      ]),
    Section(
      "history", "The histories of sessions.",
      settings: [
        "retention": .integer(
          \.historyRetention, in: 0...31_536_000,
          "The seconds for which an entry of a session's history is kept; 0 for no histories."),
        "size": .integer(
          \.historyBounds.size, in: 1...(1 << 30),
          "About the most bytes of each session's history; the last entry stays."),
        "refusals": .flag(\.keepsRefusals, "True if refused commands are entries too."),
      ]),
    Section(
      "idempotency", "The answers to requests with an idempotency key.",
      settings: [
        "retention": .integer(
          \.idempotency.retention, in: 1...31_536_000,
          "The seconds for which the answer to a request with an idempotency key is kept."),
        "answers": .integer(
          \.idempotency.count, in: 1...10_000_000, "The most answers that are kept so."),
        "size": .integer(\.idempotency.size, in: 1...(1 << 36), "The most bytes of these."),
      ]),
    rules,
    journal,
    Section(
      "replicas", "The processes that serve what one journal has.",
      settings: [
        "enabled": .flag(
          \.replicas.isEnabled,
          "True if several processes serve what one journal has, which is in PostgreSQL then."),
        "reads": .word(
          \.replicas.reads,
          "The age of answers: with linearizable none is older than what any process answered "
            + "before; with recent it may be by a quarter of a second."),
        "unloadAfter": .seconds(
          \.replicas.unloadAfter,
          "The seconds after which a session leaves the memory of a process that nobody asks for "
            + "it; 0 for never."),
      ]),
    Section(
      "log", "The log.",
      settings: [
        "level": .word(\.log.level, "The lowest level of events that are logged."),
        "format": .word(\.log.format, "The form of the lines."),
        "requests": .flag(\.log.logsRequests, "True if each request has a line."),
      ]),
  ]

  private static let server = Section(
    "server", "The address of the server, its connections and their limits.",
    settings: [
      "host": .host(\.server.host, "The numeric address to listen on."),
      "port": .integer(\.server.port, in: 0...65_535, "The port to listen on; 0 takes a free one."),
      "healthPort": .port(
        \.healthPort,
        "The port that answers about the service itself, however busy the other one is; null for "
          + "none, 0 for a free one."),
      "threads": .integer(\.server.threads, in: 1...256, "The number of threads that answer."),
      "maximumBodySize": .integer(
        \.server.maximumBodySize, in: 0...(1 << 30), "The longest body of a request, in bytes."),
      "maximumHeaderSize": .integer(
        \.server.maximumHeaderSize, in: 1...(1 << 20),
        "The most bytes of names and values in the header of a request."),
      "maximumRequestsInFlight": .integer(
        \.server.maximumRequestsInFlight, in: 1...65_536,
        "The most requests that wait for the disk."),
      "maximumConnections": .integer(
        \.server.maximumConnections, in: 1...65_536, "The most connections at once."),
      "maximumStreams": .integer(
        \.server.maximumStreams, in: 0...65_536,
        "The most streamed answers at once, beside the connections."),
      "maximumStreamsPerAddress": .integer(
        \.server.maximumStreamsPerAddress, in: 0...65_536,
        "The most streamed answers to one address; 0 for no limit."),
      "maximumConnectionsPerAddress": .integer(
        \.server.maximumConnectionsPerAddress, in: 0...65_536,
        "The most connections of one address; 0 for no limit."),
      "maximumReceivedBytes": .integer(
        \.server.maximumReceivedBytes, in: 0...(1 << 40),
        "The most bytes of large bodies of requests that are not answered yet; 0 for no limit."),
      "maximumReceivedBytesPerAddress": .integer(
        \.server.maximumReceivedBytesPerAddress, in: 0...(1 << 40),
        "The same for the clients of one address; 0 for no limit."),
      "maximumUnsentBytes": .integer(
        \.server.maximumUnsentBytes, in: 0...(1 << 40),
        "The most bytes of large answers that clients have not read yet; 0 for no limit."),
      "maximumUnsentBytesPerAddress": .integer(
        \.server.maximumUnsentBytesPerAddress, in: 0...(1 << 40),
        "The same for the clients of one address; 0 for no limit."),
      "headerTimeout": .seconds(
        \.server.headerTimeout, "The seconds until the header of a request must be there."),
      "bodyTimeout": .seconds(
        \.server.bodyTimeout, "The seconds until the body of a request must be there."),
      "answerTimeout": .seconds(
        \.server.answerTimeout,
        "The seconds until a request whose change is not on disk yet is answered 503."),
      "responseTimeout": .seconds(
        \.server.responseTimeout, "The seconds that a client may take to read an answer."),
      "idleTimeout": .seconds(
        \.server.idleTimeout, "The seconds after which a connection without requests is closed."),
      "drainDelay": .seconds(
        \.drainDelay, "The seconds for which a stopping server accepts connections."),
      "drainGrace": .seconds(
        \.drainGrace, "The seconds for which a stopping server waits for requests in flight."),
      "allowedHosts": .hosts(
        \.hosts.names,
        "The names by which requests may call the server, beside localhost and numeric "
          + "addresses; * for all."),
    ])

  private static let limits = Section(
    "limits", "The limits of sessions and of the catalogue.",
    settings: [
      "sessions": .integer(\.limits.sessions, in: 1...1_000_000, "The most open sessions."),
      "sessionIdle": .seconds(
        \.sessionIdle,
        "The seconds without a request after which a session is closed; 0 for never."),
      "processorTime": .seconds(
        \.limits.processorTime,
        "The seconds of each second that the long requests of a session may take; 0 for no limit."),
      "openingTime": .seconds(
        \.limits.openingTime,
        "The seconds of each second that the long openings of sessions by one client may take; 0 "
          + "for no limit."),
      "memory": .integer(
        \.limits.memory, in: 1...(1 << 40),
        "The most bytes of answers, plans and events that are kept beside all sessions."),
      "memoryOfSession": .integer(
        \.limits.memoryOfSession, in: 1...(1 << 40),
        "The most of these bytes that are kept beside one session."),
      "bodyDepth": .integer(
        \.limits.bodyDepth, in: 1...128,
        "The most arrays and objects inside each other in a body."),
      "mutations": .integer(\.limits.mutations, in: 1...100_000, "The most mutations in a list."),
      "commands": .integer(\.limits[.commands], in: 0...1_000_000, "The most commands."),
      "menuElements": .integer(
        \.limits[.menuElements], in: 1...1_000_000, "The most menus and commands in them."),
      "itemsFromData": .integer(
        \.limits.itemsFromData, in: 0...10_000, "The most items from data in a menu."),
      "storyboards": .integer(\.limits[.storyboards], in: 0...100_000, "The most storyboards."),
      "protocols": .integer(\.limits[.protocols], in: 0...100_000, "The most protocols."),
      "keymaps": .integer(\.limits[.keymaps], in: 0...100_000, "The most keymaps."),
      "catalogChanges": .integer(
        \.limits[.catalogChanges], in: 0...1_000_000,
        "The most changes of the catalogue by clients that the folder of the application does not have."
      ),
      "responders": .integer(
        \.limits.session[.responders], in: 1...1_000_000, "The most responders of a session."),
      "handlers": .integer(
        \.limits.session[.handlers], in: 0...1_000_000, "The most handlers of a session."),
      "rules": .integer(
        \.limits.session[.rules], in: 0...10_000_000,
        "The most rules of a session; an effect is one."),
      "keyCommands": .integer(
        \.limits.session[.keyCommands], in: 0...1_000_000, "The most key commands of a session."),
      "undoManagers": .integer(
        \.limits.session[.undoManagers], in: 0...10_000,
        "The most undo managers of the responders of a session."),
      "stateSize": .integer(
        \.limits.session[.stateSize], in: 1...(1 << 30),
        "The most bytes of the state of a session, as JSON is written."),
      "responderSize": .integer(
        \.limits.session[.responderSize], in: 1...(1 << 30),
        "The most bytes of the documents of the responders of a session, as JSON is written."),
      "deliveries": .integer(
        \.limits.session[.deliveries], in: 0...100_000,
        "The most deliveries of a session that are not settled."),
      "deliverySize": .integer(
        \.limits.session[.deliverySize], in: 1...(1 << 30),
        "The most bytes of what these hold, as JSON is written."),
      "effects": .integer(
        \.limits.session.effects, in: 1...100_000, "The most effects of one command."),
      "sends": .integer(\.limits.session.sends, in: 1...16, "The most sends inside each other."),
    ])

  private static let events = Section(
    "events", "The events of sessions, and the streams that tell of them.",
    settings: [
      "kept": .integer(
        \.limits.events.kept.count, in: 1...65_536,
        "The most moments and changes that are kept for each subscription."),
      "keptSize": .integer(
        \.limits.events.kept.size, in: 1...(1 << 30), "The most bytes of these changes."),
      "sessions": .integer(
        \.limits.events.sessions, in: 1...64, "The most sessions of one stream."),
      "selections": .integer(
        \.limits.events.selections, in: 1...64, "The most named selections of one stream."),
      "subscriptions": .integer(
        \.limits.events.subscriptions, in: 1...10_000,
        "The most different subscriptions to one session at once."),
      "streamsOfSession": .integer(
        \.limits.events.streamsOfSession, in: 1...65_536, "The most streams of one session."),
      "streamsOfToken": .integer(
        \.limits.events.streamsOfToken, in: 1...65_536,
        "The most streams of one administrator's token."),
      "heartbeat": .seconds(
        \.limits.events.heartbeat, "The seconds after which a stream shows that it is alive."),
    ])

  private static let rules = Section(
    "rules", "The bounds of rules.",
    settings: [
      "maximumSourceLength": .integer(
        \.rules.maximumSourceLength, in: 1...65_536, "The longest rule, in bytes."),
      "maximumNesting": .integer(
        \.rules.maximumNesting, in: 1...128, "The most parts of a rule inside each other."),
      "maximumNodes": .integer(
        \.rules.maximumNodes, in: 1...65_536,
        "The most literals, names, operators and calls of a rule."),
      "maximumSteps": .integer(
        \.rules.maximumSteps, in: 1...1_000_000_000, "The most steps of the evaluation of a rule."),
      "maximumStringLength": .integer(
        \.rules.maximumStringLength, in: 1...(1 << 30),
        "The longest string that a rule makes, in bytes."),
      "maximumElements": .integer(
        \.rules.maximumElements, in: 1...(1 << 24),
        "The most elements of a list or map that a rule makes."),
    ])

  private static let journal = Section(
    "journal", "The journal, which keeps sessions.",
    settings: [
      "store": .word(
        \.journalStore,
        "The journal: a SQLite file, a PostgreSQL database, or memory, which forgets at the end."),
      "path": .text(
        \.journal.path,
        "The SQLite file, relative to this file; empty for menud.db in the folder "
          + "STATE_DIRECTORY, or in the present one."),
      "url": .address(
        \.journalAddress,
        "The address of the PostgreSQL database; null for that of libpq's own variables."),
      "urlFile": .text(
        \.journalAddressFile,
        "A file with that address, relative to this file, which takes precedence; empty for none."),
      "durability": .word(
        \.journal.durability,
        "The loss by a crash of the machine: none with full, the last changes with normal, and "
          + "with off the file can be damaged too."),
      "snapshotEvery": .integer(
        \.journal.snapshotEvery, in: 1...1_000_000,
        "The most changes of a session that a start replays, on average."),
      "wait": .seconds(
        \.journalWait,
        "The seconds for which a start waits for another process to release the journal."),
    ])
}
