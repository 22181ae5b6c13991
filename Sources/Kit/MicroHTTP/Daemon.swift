import CMicroHTTPD
import Glibc

/// The library's daemon with its threads.
///
/// `@unchecked Sendable`: it is accessed under the server's lock only, and the library lets any thread stop it.
@safe struct Daemon: @unchecked Sendable {
  private let handle: OpaquePointer

  init(
    _ configuration: ServerConfiguration, listener: ListeningSocket, processor: RequestProcessor
  ) throws(ServerError) {
    var callbacks = unsafe chttpd_callbacks(
      log: libraryComplained, accept: mayConnect, handle: requestAdvanced, target: targetWasRead,
      completed: requestEnded, connected: connectionChanged, unescape: leaveEscaped)
    let context = unsafe Unmanaged.passUnretained(processor).toOpaque()
    let handle = unsafe Self.withOptions(configuration) { flags, options in
      unsafe chttpd_start(flags, listener.descriptor, &callbacks, context, options)
    }
    guard let handle = unsafe handle else { throw .system(errno) }
    unsafe self.handle = handle
  }

  func stop() {
    unsafe MHD_stop_daemon(handle)
  }

  /// Calls the closure with flags and options, whose texts are valid until it returns.
  private static func withOptions<Result>(
    _ configuration: ServerConfiguration, _ body: (UInt32, [MHD_OptionItem]) -> Result
  ) -> Result {
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_ERROR_LOG.rawValue
    let options = unsafe options(configuration)
    let end = unsafe [option(.END, 0)]
    guard let credentials = configuration.credentials else {
      return unsafe body(flags, options + end)
    }
    return unsafe credentials.withOptions { encryption in
      unsafe body(flags | MHD_USE_TLS.rawValue, options + encryption + end)
    }
  }

  private static func options(_ configuration: ServerConfiguration) -> [MHD_OptionItem] {
    let idle = Int(configuration.idleTimeout.components.seconds) + 1
    var options = unsafe [
      option(
        .CONNECTION_MEMORY_LIMIT,
        max(configuration.connectionMemory, 2 * configuration.maximumHeaderSize)),
      // At its own limit the library stops accepting. It needs room for evicted connections, and accepts at
      // most ten new ones before it closes those.
      option(
        .CONNECTION_LIMIT,
        configuration.maximumConnections + configuration.maximumStreams
          + 32 * configuration.threads),
      option(.PER_IP_CONNECTION_LIMIT, configuration.maximumConnectionsPerAddress),
      option(.CONNECTION_TIMEOUT, idle),
    ]
    if configuration.threads > 1 {
      unsafe options.append(option(.THREAD_POOL_SIZE, configuration.threads))
    }
    return unsafe options
  }

  private static func option(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
    unsafe MHD_OptionItem(option: option, value: value, ptr_value: nil)
  }
}

/// A bound and listening TCP socket.
///
/// libmicrohttpd does not create it because it neither reports why a port is unavailable nor parses IPv6
/// addresses.
struct ListeningSocket {
  let descriptor: Int32

  /// The number of bytes of answers that the system buffers for a client; it doubles the value for its own use.
  static let sendBuffer: Int32 = 131_072

  /// The type of stream sockets.
  ///
  /// Defined in this file because both imports declare it, and the compiler resolves it only where both are
  /// imported.
  static let streamType = Int32(SOCK_STREAM.rawValue)

  /// Binds and listens; `host` is numeric.
  init(host: String, port: UInt16) throws(ServerError) {
    let address = try NumericAddress(host: host, port: port)
    descriptor = socket(address.family, Self.streamType | O_NONBLOCK | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .system(errno) }
    set(SO_REUSEADDR, 1)
    // Connections inherit it. By default the system buffers megabytes for each client that does not read, and
    // with hundreds of them each send takes tens of milliseconds.
    set(SO_SNDBUF, Self.sendBuffer)
    let failure = address.bind(descriptor) ?? (listen(descriptor, SOMAXCONN) == 0 ? nil : errno)
    if let failure {
      close()
      throw .binding(host, port: port, failedWith: failure)
    }
  }

  private func set(_ option: Int32, _ value: Int32) {
    var value = value
    unsafe setsockopt(
      descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout.size(ofValue: value)))
  }

  /// The bound port.
  var port: UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout.size(ofValue: storage))
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      if let address = unsafe address { unsafe getsockname(descriptor, address, &length) }
    }
    // IPv4 and IPv6 have the port in the same two bytes after the family.
    return unsafe withUnsafeBytes(of: &storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  /// True if connections wait to be accepted.
  var hasWaitingConnections: Bool {
    var info = tcp_info()
    var length = socklen_t(MemoryLayout.size(ofValue: info))
    let failure = unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length)
    // For a listening socket this is the length of its queue.
    return failure == 0 && info.tcpi_unacked > 0
  }

  func close() {
    Glibc.close(descriptor)
  }
}

extension ServerError {
  fileprivate static func binding(_ host: String, port: UInt16, failedWith code: Int32) -> Self {
    switch code {
    case EADDRINUSE: .addressInUse(host: host, port: port)
    case EACCES: .portNotPermitted(port)
    case EADDRNOTAVAIL: .unusableHost(host)
    default: .system(code)
    }
  }
}

extension String {
  /// True if it is a numeric address, of IPv4 or IPv6.
  package var isNumericAddress: Bool { (try? NumericAddress(host: self, port: 0)) != nil }
}

/// A numeric address and port as a socket address.
struct NumericAddress {
  let family: Int32
  private var storage = sockaddr_storage()
  private let length: socklen_t

  init(host: String, port: UInt16) throws(ServerError) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    unsafe hints.ai_socktype = ListeningSocket.streamType
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let first = unsafe list,
      let address = unsafe first.pointee.ai_addr
    else { throw .unusableHost(host) }
    defer { unsafe freeaddrinfo(first) }
    family = unsafe first.pointee.ai_family
    length = unsafe first.pointee.ai_addrlen
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
  }

  /// Binds the socket; returns `errno` on failure.
  func bind(_ descriptor: Int32) -> Int32? {
    unsafe withAddress { unsafe Glibc.bind(descriptor, $0, $1) }
  }

  /// Connects the socket; returns `errno` on failure.
  func connect(_ descriptor: Int32) -> Int32? {
    unsafe withAddress { unsafe Glibc.connect(descriptor, $0, $1) }
  }

  private func withAddress(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32? {
    var storage = storage
    return unsafe withUnsafeBytes(of: &storage) { bytes in
      guard let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else {
        return EINVAL
      }
      return unsafe call(address, length) == 0 ? nil : errno
    }
  }
}
