import CMicroHTTPD
import Glibc

/// The running daemon of the library, with its threads.
///
/// `@unchecked Sendable`: it is touched under the server's lock only, and the library lets any
/// thread stop it.
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

  /// Calls the closure with flags and options, whose texts are there until it returns.
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
      // At its own limit the library accepts nobody. It needs room for those that are evicted, and
      // takes ten new ones at most before it closes what was shut down.
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
