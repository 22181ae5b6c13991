/// The address of a server, and the bounds for each client.
package struct ServerConfiguration: Sendable {
  /// A numeric IPv4 or IPv6 address; names are not resolved.
  ///
  /// The default is this machine only; in a container it is `0.0.0.0`.
  package var host = "127.0.0.1"
  /// The default is 8080; 0 takes any free port, which `Server.port` tells.
  package var port: UInt16 = 8080
  /// Threads that read, handle and write.
  ///
  /// The default is 1; more costs more for each request and pays only where handlers take longer
  /// than the network.
  package var threads = 1
  /// The most content one request may have, in bytes; the default is 1 MiB.
  package var maximumBodySize = 1 << 20
  /// The most that the names and values of one request's header fields may have together, in bytes;
  /// the default is 8 KiB, and more is answered with 431.
  ///
  /// Fields that do not even fit `connectionMemory` are refused by the library in its own words, and
  /// so is a target that does not.
  package var maximumHeaderSize = 8 << 10
  /// Requests that wait for promised responses at once; the default is 512, and further ones are
  /// answered with 503.
  ///
  /// Requests that are still being sent do not count, nor do responses that are still being read:
  /// slow clients would keep out all others. A response that a handler gives at once is never
  /// waited for.
  package var maximumRequestsInFlight = 512
  /// Connections open at once; for a further one, the one that was silent longest is closed.
  ///
  /// A connection whose request is being handled is never closed for another one. The default is 1024.
  package var maximumConnections = 1024
  /// Streams open at once, beside `maximumConnections`; the default is 10,000, and further ones are
  /// answered with 503.
  ///
  /// A connection with a stream is never closed for another one, and none of `maximumConnections`.
  package var maximumStreams = 10_000
  /// The most streams of one address; 0 is no limit, the default is 5,000.
  package var maximumStreamsPerAddress = 5000
  /// Connections open at once from one address; further ones are closed.
  ///
  /// The default, 0, is no limit, since behind a proxy every client has the same address.
  package var maximumConnectionsPerAddress = 0
  /// The most that content of more than 16 KiB may take while it is received and until it is answered, in bytes; the
  /// default is 128 MiB, and 0 is no limit.
  ///
  /// Beyond it the request whose client was silent longest, of the address that has most, gets 503. Content
  /// is read whatever its size when it is the only one.
  package var maximumReceivedBytes = 128 << 20
  /// The same for each address; the default is 64 MiB, and 0 is no limit. Behind a proxy every client has the same
  /// address.
  package var maximumReceivedBytesPerAddress = 64 << 20
  /// The most that large answers may take that clients have not read yet, in bytes; the default is
  /// 256 MiB, and 0 is no limit.
  ///
  /// For an answer larger than 64 KiB that would go over it, the connection is closed that has let the server wait
  /// longest, at the address that has most. When all clients read, a GET gets 503. Answers to other methods
  /// are never withheld, since what was asked is done; but once the limit is reached and all clients read, all
  /// requests get 503 before anything is done. An answer is sent whatever its size when it is the only one.
  package var maximumUnsentBytes = 256 << 20
  /// The same for each address, for which an answer counts once however many of its clients read it; the
  /// default is 64 MiB, and 0 is no limit. Behind a proxy every client has the same address.
  package var maximumUnsentBytesPerAddress = 64 << 20
  /// Memory for one connection, in bytes, which request line, headers and query share.
  ///
  /// The default is 16 KiB, which is also the fastest; it is never less than twice
  /// `maximumHeaderSize`.
  package var connectionMemory = 16 << 10
  /// Fields that every response has behind its own. The default is none.
  package var headers = Headers()
  /// The certificates and key for TLS; the default, nil, is plain HTTP.
  ///
  /// With it, the server speaks TLS 1.2 and 1.3 only, and closes connections that speak neither.
  package var credentials: Credentials?
  /// The time that a connection may wait between two requests; the default is 75 s.
  package var idleTimeout: Duration = .seconds(75)
  /// The time that a head may take; the default is 10 s. A TLS handshake is part of the first one.
  ///
  /// The first one's time begins with the connection, that of a later one with its request line.
  package var headerTimeout: Duration = .seconds(10)
  /// The time that the content may take after its head; the default is 30 s.
  package var bodyTimeout: Duration = .seconds(30)
  /// The time that a promised response may be awaited; the default is 30 s, and then the answer is 503.
  package var answerTimeout: Duration = .seconds(30)
  /// The time that the client may take to read the response; the default is 60 s.
  ///
  /// A stream may last as long as its owner likes. While bytes of it wait for its client, it is the time
  /// in which the client must take some.
  package var responseTimeout: Duration = .seconds(60)

  /// The defaults.
  package init() {}
}

/// The reasons for which a server could not be started.
package enum ServerError: Error, Equatable {
  /// The host is no numeric address, or none of this machine's.
  case unusableHost(String)
  case addressInUse(host: String, port: UInt16)
  /// The port is one of those that only a privileged process may have.
  case portNotPermitted(UInt16)
  /// The system refused a socket, a thread or memory; the number is its `errno`.
  case system(Int32)
}
