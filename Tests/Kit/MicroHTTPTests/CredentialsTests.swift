import MicroHTTP
import Testing

/// Files that cannot be a server's certificate and key, and their messages.
struct CredentialsTests {
  private let folder: CertificateFolder

  init() throws { folder = try CertificateFolder() }

  private func fault(_ certificate: [UInt8], _ key: [UInt8]) -> CredentialsFault? {
    do throws(CredentialsFault) {
      _ = try Credentials(certificate: certificate, key: key)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a certificate and its key are taken, whatever form the key has`() {
    #expect(fault(folder.certificate, folder.key) == nil)
    let form = Shell.run("openssl ec -in \(folder.path)/key.pem -out \(folder.path)/ec.pem")
    #expect(form.status == 0)
    let key = Shell.contents(of: "\(folder.path)/ec.pem")
    #expect(String(decoding: key, as: UTF8.self).contains("BEGIN EC PRIVATE KEY"))
    #expect(fault(folder.certificate, key) == nil)
  }

  @Test func `texts without a certificate or a key are said to have none`() {
    #expect(fault([], folder.key) == .noCertificate)
    #expect(fault(folder.key, folder.key) == .noCertificate)
    #expect(fault(folder.certificate, []) == .noKey)
    #expect(fault(folder.certificate, folder.certificate) == .noKey)
  }

  @Test func `the key of another certificate does not match`() throws {
    #expect(fault(folder.certificate, try CertificateFolder().key) == .mismatch)
  }

  @Test(arguments: ["pkcs8 -topk8 -passout pass:secret", "ec -aes128 -passout pass:secret"])
  func `an encrypted key is said to be`(_ form: String) {
    let made = Shell.run(
      "cd \(folder.path) && openssl \(form) -in key.pem -out encrypted.pem")
    #expect(made.status == 0)
    let key = Shell.contents(of: "\(folder.path)/encrypted.pem")
    #expect(fault(folder.certificate, key) == .encryptedKey)
  }

  @Test func `damaged texts are said to be in the library's words`() {
    let certificate = Array(folder.certificate.prefix(200)) + Array(folder.certificate.suffix(60))
    let key = Array(folder.key.prefix(60)) + Array(folder.key.suffix(40))
    guard case .unusableCertificate(let text)? = fault(certificate, folder.key) else {
      Issue.record("The damaged certificate was taken.")
      return
    }
    #expect(!text.isEmpty)
    guard case .unusableKey(let words)? = fault(folder.certificate, key) else {
      Issue.record("The damaged key was taken.")
      return
    }
    #expect(!words.isEmpty)
  }
}
