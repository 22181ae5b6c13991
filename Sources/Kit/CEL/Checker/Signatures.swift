/// Signatures by name, style and number of arguments.
struct Signatures: Sendable {
  private struct Key: Hashable {
    let name: String
    let isMember: Bool
    let count: Int
  }

  private var signatures: [Key: [Signature]] = [:]

  init(_ all: [Signature]) {
    for signature in all { add(signature) }
  }

  /// One signature in every line.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let signature = Signature(String(line)) else {
        preconditionFailure("\(line) is no signature")
      }
      add(signature)
    }
  }

  /// Those with this name and number of arguments, in the order in which they were declared.
  func named(_ name: String, isMember: Bool = false, count: Int) -> [Signature] {
    signatures[Key(name: name, isMember: isMember, count: count)] ?? []
  }

  /// Those with this name, by their number of arguments.
  func named(_ name: String, isMember: Bool) -> [Signature] {
    signatures.filter { $0.key.name == name && $0.key.isMember == isMember }
      .sorted { $0.key.count < $1.key.count }.flatMap(\.value)
  }

  private mutating func add(_ signature: Signature) {
    let key = Key(
      name: signature.name, isMember: signature.isMember, count: signature.parameters.count)
    signatures[key, default: []].append(signature)
  }
}
