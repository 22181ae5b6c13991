import CEL
import JSONText
package import MenuEngine
import MicroHTTP

/// A text that clients return unchanged: values, signed with a key of the session that is only in the journal.
///
/// So nothing is stored until it is returned, and every replica can read it, even after a restart.
struct SignedText {
  let values: [JSON]
  /// The text for clients.
  let text: String
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Signs values.
  init(_ values: [JSON], under key: PlanKey) {
    self.values = values
    signed = JSON.array(values).bytes
    signature = key.code(of: signed)
    text = "\(Base64.text(signed)).\(Base64.text(signature))"
  }

  /// Reads a text; nil if it is not a signed text. Its signature is not checked.
  init?(_ text: String, maximumDepth depth: Int) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let signed = Base64.bytes(canonical: String(parts[0])),
      let signature = Base64.bytes(canonical: String(parts[1])),
      case .array(let values)? = try? JSON(
        parsing: signed, maximumDepth: depth, integers: .exact)
    else { return nil }
    (self.values, self.text, self.signed, self.signature) = (values, text, signed, signature)
  }

  /// Returns true if the text was signed with a key, and is unchanged.
  func isSigned(under key: PlanKey) -> Bool {
    let expected = key.code(of: signed)
    guard expected.count == signature.count else { return false }
    return zip(expected, signature).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension PlanKey {
  /// A new key.
  package static var random: PlanKey { PlanKey(.unguessable) }

  /// Returns the authentication code of a message.
  func code(of message: [UInt8]) -> [UInt8] {
    SHA256.authenticationCode(of: message, under: bytes)
  }

  /// Returns the code of values for a purpose, as text. It equals no signature of a text, because texts begin with a
  /// bracket.
  func code(of values: JSON, as purpose: String) -> String {
    Base64.text(code(of: Array(purpose.utf8) + values.bytes))
  }
}

extension String {
  /// A new text of 256 random bits.
  static var unguessable: String {
    Base64.text((0..<32).map { _ in UInt8.random(in: 0 ... .max) })
  }
}
