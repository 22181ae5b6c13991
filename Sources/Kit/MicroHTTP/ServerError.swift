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
