/// The address and the limits of a server.
package struct ServerConfiguration: Sendable {
  /// A numeric IPv4 or IPv6 address; names are not resolved.
  ///
  /// The default is the loopback address; in a container it is `0.0.0.0`.
  package var host = "127.0.0.1"
  /// The port. The default is 8080; 0 is any free port, given by `Server.port`.
  package var port: UInt16 = 8080
  /// The number of threads that read, handle and write.
  ///
  /// The default is 1; more cost more per request and are worthwhile only where handlers take longer than the
  /// network.
  package var threads = 1
  /// The maximum size of a request's content, in bytes. The default is 1 MiB.
  package var maximumBodySize = 1 << 20
  /// The maximum size of a request's header names and values in total, in bytes. The default is 8 KiB; more is
  /// answered with 431.
  ///
  /// Fields that do not fit `connectionMemory` are refused by the library in its own words, as is a target that
  /// does not.
  package var maximumHeaderSize = 8 << 10
  /// The maximum number of requests with pending promises. The default is 512; further ones are answered with
  /// 503.
  ///
  /// Requests being sent and responses being read do not count: slow clients would keep out all others. A
  /// response that a handler returns at once is never pending.
  package var maximumRequestsInFlight = 512
  /// The maximum number of open connections; for a further one, the one without activity for the longest time
  /// is closed.
  ///
  /// A connection whose request is being handled is never closed for another one. The default is 1024.
  package var maximumConnections = 1024
  /// The maximum number of open streams, in addition to `maximumConnections`. The default is 10,000; further
  /// ones are answered with 503.
  ///
  /// A connection with a stream is never closed for another one, and does not count as one of
  /// `maximumConnections`.
  package var maximumStreams = 10_000
  /// The maximum number of streams of one address. The default is 5,000; 0 is no limit.
  package var maximumStreamsPerAddress = 5000
  /// The maximum number of open connections from one address; further ones are closed.
  ///
  /// The default, 0, is no limit, since behind a proxy all clients have one address.
  package var maximumConnectionsPerAddress = 0
  /// The maximum size of content larger than 16 KiB that is being received or not yet answered, in bytes. The
  /// default is 128 MiB; 0 is no limit.
  ///
  /// Beyond it, the request without activity for the longest time, at the address with most content, gets 503.
  /// A single content is read whatever its size.
  package var maximumReceivedBytes = 128 << 20
  /// The same limit for each address. The default is 64 MiB; 0 is no limit. Behind a proxy all clients have one
  /// address.
  package var maximumReceivedBytesPerAddress = 64 << 20
  /// The maximum size of large answers not yet read by clients, in bytes. The default is 256 MiB; 0 is no
  /// limit.
  ///
  /// For an answer larger than 64 KiB beyond it, the connection that has blocked sending for the longest time,
  /// at the address with most bytes, is closed. If all clients read, a GET gets 503. Answers to other methods
  /// are never withheld, since the request is done; but while the limit is reached and all clients read, all
  /// requests get 503 in advance. A single answer is sent whatever its size.
  package var maximumUnsentBytes = 256 << 20
  /// The same limit for each address, for which a shared answer counts once. The default is 64 MiB; 0 is no
  /// limit. Behind a proxy all clients have one address.
  package var maximumUnsentBytesPerAddress = 64 << 20
  /// The memory of a connection for request line, headers and query, in bytes.
  ///
  /// The default is 16 KiB, which is also the fastest; it is at least twice `maximumHeaderSize`.
  package var connectionMemory = 16 << 10
  /// The fields added to every response, after its own. The default is none.
  package var headers = Headers()
  /// The certificates and key for TLS. The default, nil, is plain HTTP.
  ///
  /// With them, the server accepts TLS 1.2 and 1.3 only.
  package var credentials: Credentials?
  /// The time allowed between two requests. The default is 75 s.
  package var idleTimeout: Duration = .seconds(75)
  /// The time allowed for a head. The default is 10 s. The first one includes the TLS handshake.
  ///
  /// It begins with the connection for the first head, and with the request line for later ones.
  package var headerTimeout: Duration = .seconds(10)
  /// The time allowed for the content after the head. The default is 30 s.
  package var bodyTimeout: Duration = .seconds(30)
  /// The time allowed for a promised response. The default is 30 s; then the answer is 503.
  package var answerTimeout: Duration = .seconds(30)
  /// The time allowed for the client to read the response. The default is 60 s.
  ///
  /// A stream may last indefinitely. While its client has bytes to read, this is the time in which it must read
  /// some.
  package var responseTimeout: Duration = .seconds(60)

  package init() {}
}

/// A reason why a server could not be started.
package enum ServerError: Error, Equatable {
  /// The host is not a numeric address, or not one of this machine.
  case unusableHost(String)
  case addressInUse(host: String, port: UInt16)
  /// The port is reserved for privileged processes.
  case portNotPermitted(UInt16)
  /// The system refused a socket, a thread or memory; the number is `errno`.
  case system(Int32)
}
