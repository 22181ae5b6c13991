import MicroHTTP

extension TLSConfiguration {
  /// Returns the credentials in the files; nil without files.
  ///
  /// - Throws: `ConfigurationFault.incompleteTLS`, `.unreadable` or `.unusableTLS`.
  func credentials() throws(ConfigurationFault) -> Credentials? {
    guard isWanted else { return nil }
    guard !certificate.isEmpty else { throw .incompleteTLS(missing: .tlsCertificate) }
    guard !key.isEmpty else { throw .incompleteTLS(missing: .tlsKey) }
    let texts = (try Posix.contents(of: certificate), try Posix.contents(of: key))
    do throws(CredentialsFault) {
      return try Credentials(certificate: texts.0, key: texts.1)
    } catch {
      throw .unusableTLS(self, error)
    }
  }
}
