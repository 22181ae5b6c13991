extension Setting {
  /// The description, in sentences.
  var about: String { Self.meanings[path.joined(separator: ".")] ?? "" }

  /// Returns the description of a section of a file.
  static func meaning(ofSection name: String) -> String { sectionMeanings[name] ?? "" }

  private static let sectionMeanings = [
    "server": "The address of the server, its connections and their limits.",
    "auth": "The tokens of administrators.", "cors": "The web pages of other servers.",
    "metrics": "The metrics.", "console": "The console.",
    "limits": "The limits of sessions and of the catalogue.",
    "events": "The events of sessions, and the streams that tell of them.",
    "deliveries": "The deliveries of sessions.",
    "plans": "The plans of dry runs.",
    "history": "The histories of sessions.",
    "agents": "The servers of the Model Context Protocol.",
    "idempotency": "The answers to requests with an idempotency key.",
    "tls": "The certificate of the server.", "rules": "The bounds of rules.",
    "journal": "The journal, which keeps sessions.",
    "replicas": "The processes that serve what one journal has.", "log": "The log.",
  ]

  /// The descriptions of the settings by path.
  private static let meanings = [
    "application": "The folder of the application, relative to this file.",
    "sessions": "The sessions that are open from the start, and never close for want of requests.",
    "server.host": "The numeric address to listen on.",
    "server.port": "The port to listen on; 0 takes a free one.",
    "server.healthPort":
      "The port that answers about the service itself, however busy the other one is; null "
      + "for none, 0 for a free one.",
    "server.threads": "The number of threads that answer.",
    "server.maximumBodySize": "The longest body of a request, in bytes.",
    "server.maximumHeaderSize": "The most bytes of names and values in the header of a request.",
    "server.maximumRequestsInFlight": "The most requests that wait for the disk.",
    "server.maximumConnections": "The most connections at once.",
    "server.maximumStreams": "The most streamed answers at once, beside the connections.",
    "server.maximumStreamsPerAddress": "The most streamed answers to one address; 0 for no limit.",
    "server.maximumConnectionsPerAddress": "The most connections of one address; 0 for no limit.",
    "server.maximumReceivedBytes":
      "The most bytes of large bodies of requests that are not answered yet; 0 for no limit.",
    "server.maximumReceivedBytesPerAddress":
      "The same for the clients of one address; 0 for no limit.",
    "server.maximumUnsentBytes":
      "The most bytes of large answers that clients have not read yet; 0 for no limit.",
    "server.maximumUnsentBytesPerAddress":
      "The same for the clients of one address; 0 for no limit.",
    "server.headerTimeout": "The seconds until the header of a request must be there.",
    "server.bodyTimeout": "The seconds until the body of a request must be there.",
    "server.answerTimeout":
      "The seconds until a request whose change is not on disk yet is answered 503.",
    "server.responseTimeout": "The seconds that a client may take to read an answer.",
    "server.idleTimeout": "The seconds after which a connection without requests is closed.",
    "server.drainDelay": "The seconds for which a stopping server accepts connections.",
    "server.drainGrace": "The seconds for which a stopping server waits for requests in flight.",
    "server.allowedHosts":
      "The names by which requests may call the server, beside localhost and numeric "
      + "addresses; * for all.",
    "auth.required":
      "The requests that need a token: all, none, or with auto those of a server with an "
      + "administrator's token.",
    "auth.administratorToken": "A token that opens everything; null for none.",
    "auth.administratorTokenFile":
      "A file with such tokens, one on a line, relative to this file; empty for none.",
    "cors.origins": "The origins of the web pages of other servers that may send requests.",
    "metrics.open": "True if anybody may read the metrics where requests need tokens.",
    "agents.name": "The name of the application for agents; empty for that of its folder.",
    "agents.default":
      "What agents may do with commands that do not say it: `hidden`, `plan` or `call`.",
    "agents.tools":
      "The tools for agents whose address does not say it: `enabled`, `all`, `find`, or `listening` for `find` "
      + "where the client is known not to hear of changes, else `enabled`.",
    "console.enabled":
      "True if the console is served; null if it is where requests need no tokens.",
    "console.path": "The path of the console.",
    "limits.sessions": "The most open sessions.",
    "limits.sessionIdle":
      "The seconds without a request after which a session is closed; 0 for never.",
    "limits.processorTime":
      "The seconds of each second that the long requests of a session may take; 0 for no limit.",
    "limits.openingTime":
      "The seconds of each second that the long openings of sessions by one client may take; 0 for no limit.",
    "limits.memory":
      "The most bytes of answers, plans and events that are kept beside all sessions.",
    "limits.memoryOfSession": "The most of these bytes that are kept beside one session.",
    "limits.bodyDepth": "The most arrays and objects inside each other in a body.",
    "limits.mutations": "The most mutations in a list.",
    "limits.commands": "The most commands.",
    "limits.menuElements": "The most menus and commands in them.",
    "limits.itemsFromData": "The most items from data in a menu.",
    "limits.storyboards": "The most storyboards.",
    "limits.protocols": "The most protocols.",
    "limits.keymaps": "The most keymaps.",
    "limits.catalogChanges": "The most changes of the catalogue by clients since the start.",
    "limits.responders": "The most responders of a session.",
    "limits.handlers": "The most handlers of a session.",
    "limits.rules": "The most rules of a session; an effect is one.",
    "limits.keyCommands": "The most key commands of a session.",
    "limits.undoManagers": "The most undo managers of the responders of a session.",
    "limits.stateSize": "The most bytes of the state of a session, as JSON is written.",
    "limits.responderSize":
      "The most bytes of the documents of the responders of a session, as JSON is written.",
    "limits.deliveries": "The most deliveries of a session that are not settled.",
    "limits.deliverySize": "The most bytes of what these hold, as JSON is written.",
    "limits.effects": "The most effects of one command.",
    "limits.sends": "The most sends inside each other.",
    "events.kept": "The most moments and changes that are kept for each subscription.",
    "events.keptSize": "The most bytes of these changes.",
    "events.sessions": "The most sessions of one stream.",
    "events.selections": "The most named selections of one stream.",
    "events.subscriptions": "The most different subscriptions to one session at once.",
    "events.streamsOfSession": "The most streams of one session.",
    "events.streamsOfToken": "The most streams of one administrator's token.",
    "events.heartbeat": "The seconds after which a stream shows that it is alive.",
    "deliveries.claim": "The seconds until a claim expires that is not renewed.",
    "deliveries.retention": "The seconds for which a settled delivery is kept.",
    "plans.lifetime": "The seconds for which the plan of a dry run can be performed.",
    "history.retention":
      "The seconds for which an entry of a session's history is kept; 0 for no histories.",
    "history.size": "About the most bytes of each session's history; the last entry stays.",
    "history.refusals": "True if refused commands are entries too.",
    "idempotency.retention":
      "The seconds for which the answer to a request with an idempotency key is kept.",
    "idempotency.answers": "The most answers that are kept so.",
    "idempotency.size": "The most bytes of these.",
    "tls.certificate":
      "The certificate of the server, in PEM, relative to this file; empty for plain HTTP.",
    "tls.key": "The private key of the certificate, in PEM, relative to this file.",
    "rules.maximumSourceLength": "The longest rule, in bytes.",
    "rules.maximumNesting": "The most parts of a rule inside each other.",
    "rules.maximumNodes": "The most literals, names, operators and calls of a rule.",
    "rules.maximumSteps": "The most steps of the evaluation of a rule.",
    "rules.maximumStringLength": "The longest string that a rule makes, in bytes.",
    "rules.maximumElements": "The most elements of a list or map that a rule makes.",
    "journal.store":
      "The journal: a SQLite file, a PostgreSQL database, or memory, which forgets at the end.",
    "journal.path":
      "The SQLite file, relative to this file; empty for menud.db in the folder "
      + "STATE_DIRECTORY, or in the present one.",
    "journal.url":
      "The address of the PostgreSQL database; null for that of libpq's own variables.",
    "journal.urlFile":
      "A file with that address, relative to this file, which takes precedence; empty for none.",
    "journal.durability":
      "The loss by a crash of the machine: none with full, the last changes with normal, "
      + "and with off the file can be damaged too.",
    "journal.snapshotEvery": "The most changes of a session that a start replays, on average.",
    "journal.wait":
      "The seconds for which a start waits for another process to release the journal.",
    "replicas.enabled":
      "True if several processes serve what one journal has, which is in PostgreSQL then.",
    "replicas.reads":
      "The age of answers: with linearizable none is older than what any process answered before; "
      + "with recent it may be by a quarter of a second.",
    "replicas.unloadAfter":
      "The seconds after which a session leaves the memory of a process that nobody asks for it; 0 for never.",
    "log.level": "The lowest level of events that are logged.",
    "log.format": "The form of the lines.",
    "log.requests": "True if each request has a line.",
  ]
}
