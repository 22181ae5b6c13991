import CMicroHTTPD

/// The identity of a server: a chain of certificates, and the private key of the first one.
package struct Credentials: Sendable {
  /// The PEM texts, each with the zero after it that C wants.
  private let certificate: [UInt8]
  private let key: [UInt8]

  /// Takes PEM texts, such as the contents of two files.
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

  /// The protocol versions and algorithms that are spoken.
  ///
  /// For TLS 1.2, key exchange by RSA is excluded, since a stolen key would open recorded
  /// conversations, and so is CBC, since its padding was attacked often.
  private static let priorities: StaticString =
    """
    NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-AES-128-CBC:-AES-256-CBC:-CAMELLIA-128-CBC\
    :-CAMELLIA-256-CBC
    """

  /// Calls the closure with the daemon's options, whose texts are there until it returns.
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

/// The reasons for which two texts are no identity of a server.
package enum CredentialsFault: Error, Equatable {
  /// There is no certificate in the first one.
  case noCertificate
  /// There is one that cannot be used; the text is the library's.
  case unusableCertificate(String)
  /// There is no private key in the second one.
  case noKey
  /// The key is encrypted, and there is nobody to ask for the password.
  case encryptedKey
  /// There is a key that cannot be used; the text is the library's.
  case unusableKey(String)
  /// The key is not the one of the certificate.
  case mismatch
}

extension Credentials {
  /// Lets the library read them, since it does not say why when it is started with bad ones.
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

  /// The library's error code for both of them together; 0 if they fit.
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
  /// Calls the closure with these bytes without the zero after them, as GnuTLS wants them.
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
