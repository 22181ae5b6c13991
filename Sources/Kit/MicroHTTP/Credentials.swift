import CMicroHTTPD

/// The credentials of a server: a certificate chain, and the private key of its first certificate.
package struct Credentials: Sendable {
  /// The PEM texts, zero-terminated for C.
  private let certificate: [UInt8]
  private let key: [UInt8]

  /// Creates credentials from PEM texts.
  ///
  /// Validity and host of the certificate are not checked; clients do that.
  package init(certificate: [UInt8], key: [UInt8]) throws(CredentialsFault) {
    guard certificate.contains("-----BEGIN CERTIFICATE-----".utf8) else { throw .noCertificate }
    guard key.contains("PRIVATE KEY-----".utf8) else { throw .noKey }
    guard !key.contains("BEGIN ENCRYPTED PRIVATE KEY".utf8), !key.contains("4,ENCRYPTED".utf8)
    else { throw .encryptedKey }
    self.certificate = certificate + [0]
    self.key = key + [0]
    try check()
  }

  /// The protocol versions and algorithms.
  ///
  /// For TLS 1.2, RSA key exchange is excluded, since a stolen key would decrypt recorded connections, and so
  /// is CBC, for its attacks on padding.
  private static let priorities: StaticString =
    """
    NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-AES-128-CBC:-AES-256-CBC:-CAMELLIA-128-CBC\
    :-CAMELLIA-256-CBC
    """

  /// Calls the closure with the daemon's options, whose texts are valid until it returns.
  func withOptions<Result>(_ body: ([MHD_OptionItem]) -> Result) -> Result {
    unsafe certificate.withUnsafeBytes { certificate in
      unsafe key.withUnsafeBytes { key in
        unsafe body([
          Self.option(.HTTPS_MEM_CERT, certificate.baseAddress),
          Self.option(.HTTPS_MEM_KEY, key.baseAddress),
          Self.option(.HTTPS_PRIORITIES, UnsafeRawPointer(Self.priorities.utf8Start)),
        ])
      }
    }
  }

  private static func option(_ option: MHD_OPTION, _ text: UnsafeRawPointer?) -> MHD_OptionItem {
    unsafe MHD_OptionItem(
      option: option, value: 0, ptr_value: UnsafeMutableRawPointer(mutating: text))
  }
}

/// A reason why two texts are not valid credentials.
package enum CredentialsFault: Error, Equatable {
  /// The first text has no certificate.
  case noCertificate
  /// The certificate cannot be used; the text is the library's.
  case unusableCertificate(String)
  /// The second text has no private key.
  case noKey
  /// The key is encrypted; no password can be entered.
  case encryptedKey
  /// The key cannot be used; the text is the library's.
  case unusableKey(String)
  /// The key does not belong to the certificate.
  case mismatch
}

extension Credentials {
  /// Lets the library parse both, since it reports no reason when started with invalid ones.
  private func check() throws(CredentialsFault) {
    let code = unsafe key.withDatum { key in
      var parsed: gnutls_x509_privkey_t?
      unsafe gnutls_x509_privkey_init(&parsed)
      defer { unsafe gnutls_x509_privkey_deinit(parsed) }
      return unsafe gnutls_x509_privkey_import2(parsed, &key, GNUTLS_X509_FMT_PEM, nil, 0)
    }
    guard code >= 0 else { throw .unusableKey(Self.description(of: code)) }
    switch pairing {
    case GNUTLS_E_CERTIFICATE_KEY_MISMATCH: throw .mismatch
    case ..<0: throw .unusableCertificate(Self.description(of: pairing))
    default: return
    }
  }

  /// The library's error code for the pair; 0 if they match.
  private var pairing: Int32 {
    unsafe certificate.withDatum { certificate in
      unsafe key.withDatum { key in
        var credentials: gnutls_certificate_credentials_t?
        unsafe gnutls_certificate_allocate_credentials(&credentials)
        defer { unsafe gnutls_certificate_free_credentials(credentials) }
        return unsafe gnutls_certificate_set_x509_key_mem(
          credentials, &certificate, &key, GNUTLS_X509_FMT_PEM)
      }
    }
  }

  private static func description(of code: Int32) -> String {
    unsafe gnutls_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}

extension [UInt8] {
  /// Calls the closure with the bytes without the terminating zero, as GnuTLS expects them.
  fileprivate func withDatum<Result>(_ body: (inout gnutls_datum_t) -> Result) -> Result {
    unsafe withUnsafeBytes { bytes in
      let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      var datum = unsafe gnutls_datum_t(
        data: start?.assumingMemoryBound(to: UInt8.self), size: UInt32(clamping: count - 1))
      return unsafe body(&datum)
    }
  }

  fileprivate func contains(_ text: String.UTF8View) -> Bool {
    firstRange(of: Array(text)) != nil
  }
}

/// The client's side of TLS on a connected socket; any certificate is accepted.
///
/// The socket must outlive it.
@safe final class EncryptedClient {
  private var session: gnutls_session_t?
  private var credentials: gnutls_certificate_credentials_t?

  /// Performs the handshake; nil if it fails.
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

  /// Sends bytes; returns false if not all were sent.
  func send(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe gnutls_record_send(session, bytes.baseAddress, bytes.count) == bytes.count
    }
  }

  /// Returns the next bytes, up to `count`; empty at the end and after the timeout.
  func receive(atMost count: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe gnutls_record_recv(session, buffer.baseAddress, buffer.count)
    }
    return Array(buffer.prefix(max(0, received)))
  }
}
