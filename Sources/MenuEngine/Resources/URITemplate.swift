package import JSONText

/// A URI, or a URI template of level 1 (RFC 6570): literals, and expressions of one variable.
///
/// URIs are compared by their bytes.
package struct URITemplate: Sendable {
  package let text: String
  /// The variables in order; empty for a URI.
  package let variables: [String]
  /// The literals around the variables, one more than there are variables.
  private let literals: [[UInt8]]

  /// Parses a URI or a template.
  ///
  /// Nil unless it begins with a scheme other than `menud`, which is reserved for built-in resources, and consists of
  /// characters of URIs (RFC 3986). Nil too if a variable occurs twice, or if no reserved character separates two
  /// variables, because a URI could not distinguish their values.
  package init?(_ text: String) {
    guard text.utf8.count <= Limits.uri else { return nil }
    var (literals, variables): ([[UInt8]], [String]) = ([[]], [])
    var rest = ArraySlice(text.utf8)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "{") else {
        literals[literals.count - 1].append(byte)
        continue
      }
      let name = rest.prefix { $0 != UInt8(ascii: "}") }
      let variable = String(decoding: name, as: UTF8.self)
      guard name.endIndex < rest.endIndex, variable.isParameterName,
        !variables.contains(variable),
        variables.isEmpty || literals.last?.contains(where: \.isReserved) == true
      else { return nil }
      rest = rest[(name.endIndex + 1)...]
      variables.append(variable)
      literals.append([])
    }
    guard literals.allSatisfy({ $0[...].isOfURI }), let first = literals.first,
      let scheme = first.scheme, scheme != "menud"
    else { return nil }
    (self.text, self.variables, self.literals) = (text, variables, literals)
  }

  /// Returns the values of the variables in a URI, in the order of the template; nil if the URI does not match.
  ///
  /// A value has at least one character, and no `/`, `?` or `#` that is not percent-encoded.
  package func values(of uri: String) -> JSONObject? {
    var rest = ArraySlice(uri.utf8)
    guard rest.count <= Limits.expandedURI, let first = literals.first, rest.starts(with: first),
      rest.isOfURI
    else { return nil }
    rest = rest.dropFirst(first.count)
    var values = JSONObject()
    for (index, variable) in variables.enumerated() {
      let literal = literals[index + 1]
      let isLast = index == variables.count - 1
      guard let length = isLast ? rest.length(before: literal) : rest.place(of: literal),
        let value = rest.prefix(length).variableValue
      else { return nil }
      values[variable] = .string(value)
      rest = rest.dropFirst(length + literal.count)
    }
    return rest.isEmpty ? values : nil
  }

  /// Returns the URI with values for the variables; nil if a value is missing or empty, or if the URI is too long.
  package func expansion(_ values: JSONObject) -> String? {
    var uri = literals.first ?? []
    for (variable, literal) in zip(variables, literals.dropFirst()) {
      guard case .string(let value)? = values[variable], !value.isEmpty else { return nil }
      for byte in value.utf8 { uri += byte.isUnreserved ? [byte] : byte.percentEncoded }
      uri += literal
    }
    guard uri.count <= Limits.expandedURI else { return nil }
    return String(decoding: uri, as: UTF8.self)
  }
}

extension Read {
  /// Reads the URI of a resource.
  static func uri(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> URITemplate? {
    if case .string(let text) = json, let uri = URITemplate(text), uri.variables.isEmpty {
      return uri
    }
    return refuse(.uri, json, at: pointer, log: log)
  }

  /// Reads a URI template.
  static func uriTemplate(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> URITemplate? {
    if case .string(let text) = json, let template = URITemplate(text),
      (1...Limits.arguments).contains(template.variables.count)
    {
      return template
    }
    return refuse(.uriTemplate, json, at: pointer, log: log)
  }
}

extension String {
  /// True for the name of an argument or a variable, which rules read as a member of `parameters`.
  var isParameterName: Bool {
    guard (1...Limits.parameterName).contains(utf8.count), let first = utf8.first else {
      return false
    }
    return (first.isLetter || first == UInt8(ascii: "_"))
      && utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
  }
}

extension ArraySlice<UInt8> {
  /// True if it has only characters of URIs, and each `%` begins an encoded byte.
  fileprivate var isOfURI: Bool {
    indices.allSatisfy { index in
      guard self[index] == UInt8(ascii: "%") else {
        return self[index].isUnreserved || self[index].isReserved
      }
      return self[(index + 1)...].prefix(2).filter(\.isHexDigit).count == 2
    }
  }
}

extension [UInt8] {
  /// The scheme in lower case; nil if there is none.
  fileprivate var scheme: String? {
    let scheme = prefix { $0 != UInt8(ascii: ":") }
    guard scheme.count < count, let first = scheme.first, first.isLetter,
      scheme.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
    else { return nil }
    return String(decoding: scheme, as: UTF8.self).lowercased()
  }
}

extension ArraySlice<UInt8> {
  /// Returns the length of the text before a literal that ends it; nil if it does not end with it.
  fileprivate func length(before literal: [UInt8]) -> Int? {
    count >= literal.count && suffix(literal.count).elementsEqual(literal)
      ? count - literal.count : nil
  }

  /// Returns the number of bytes before the first occurrence of a literal; nil if there is none.
  fileprivate func place(of literal: [UInt8]) -> Int? {
    guard count >= literal.count else { return nil }
    return (0...(count - literal.count)).first { dropFirst($0).starts(with: literal) }
  }

  /// The decoded value of a variable; nil if it is invalid.
  fileprivate var variableValue: String? {
    guard !isEmpty else { return nil }
    var bytes: [UInt8] = []
    var rest = self
    while let byte = rest.popFirst() {
      guard !"/?#".utf8.contains(byte) else { return nil }
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// True for a character that expansions never encode (RFC 3986, 2.3).
  fileprivate var isUnreserved: Bool { isLetter || isDigit || "-._~".utf8.contains(self) }

  /// True for a character of URIs that expansions encode (RFC 3986, 2.2).
  fileprivate var isReserved: Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(self) }

  fileprivate var isHexDigit: Bool { hexValue != nil }

  fileprivate var hexValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let lower = self | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower)
      ? lower - UInt8(ascii: "a") + 10 : nil
  }

  fileprivate var percentEncoded: [UInt8] {
    [UInt8(ascii: "%")] + [self >> 4, self & 15].map { Array("0123456789ABCDEF".utf8)[Int($0)] }
  }
}
