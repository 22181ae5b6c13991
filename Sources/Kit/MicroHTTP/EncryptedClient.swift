import CMicroHTTPD

/// The client's side of TLS on a connected socket; it believes whatever certificate it is shown.
///
/// The socket outlives it.
@safe final class EncryptedClient {
  private var session: gnutls_session_t?
  private var credentials: gnutls_certificate_credentials_t?

  /// Shakes hands; nil when that fails.
  init?(descriptor: Int32) {
    unsafe gnutls_certificate_allocate_credentials(&credentials)
    unsafe gnutls_init(&session, GNUTLS_CLIENT.rawValue | UInt32(GNUTLS_NO_SIGNAL.rawValue))
    unsafe gnutls_set_default_priority(session)
    unsafe gnutls_credentials_set(
      session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
    unsafe gnutls_transport_set_int2(session, descriptor, descriptor)
    guard unsafe gnutls_handshake(session) == 0 else { return nil }
  }

  deinit {
    unsafe gnutls_deinit(session)
    unsafe gnutls_certificate_free_credentials(credentials)
  }

  /// Sends bytes; answers whether the other side took them all.
  func send(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe gnutls_record_send(session, bytes.baseAddress, bytes.count) == bytes.count
    }
  }

  /// Returns the next bytes, up to that many; empty at the end and when nothing comes in time.
  func receive(atMost count: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe gnutls_record_recv(session, buffer.baseAddress, buffer.count)
    }
    return Array(buffer.prefix(max(0, received)))
  }
}
