import JSONText

/// The network extension: addresses (`net.IP`) and blocks of them (`net.CIDR`).
extension Function {
  static let networks = [
    Function(
      name: "isIP", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        try meter.charge(IPAddress.cost)
        return .bool(IPAddress(try text(value, "isIP")) != nil)
      })),
    Function(
      name: "isCIDR", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        try meter.charge(IPAddress.cost)
        return .bool(IPNetwork(try text(value, "isCIDR")) != nil)
      })),
    Function(
      name: "ip.isCanonical", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        let text = try text(value, "ip.isCanonical")
        try meter.charge(IPAddress.cost)
        guard let address = IPAddress(text) else {
          throw .conversion(of: try meter.describing(value), to: .ip)
        }
        try meter.charge(Value.ip(address).textCost)
        return .bool(address.text.hasSameBytes(as: text))
      })),
    ofAddress("family") { .int(Int64($0.family)) },
    ofAddress("isUnspecified") { .bool($0.isUnspecified) },
    ofAddress("isLoopback") { .bool($0.isLoopback) },
    ofAddress("isGlobalUnicast") { .bool($0.isGlobalUnicast) },
    ofAddress("isLinkLocalMulticast") { .bool($0.isLinkLocalMulticast) },
    ofAddress("isLinkLocalUnicast") { .bool($0.isLinkLocalUnicast) },
    ofNetwork("ip") { .ip($0.address) },
    ofNetwork("masked") { .cidr($0.masked) },
    ofNetwork("prefixLength") { .int(Int64($0.prefixLength)) },
    Function(name: "containsIP", styles: [.member], body: .binary(containsIP)),
    Function(name: "containsCIDR", styles: [.member], body: .binary(containsCIDR)),
  ]

  private static func text(_ value: Value, _ function: String) throws(Failure) -> String {
    guard case .string(let text) = value else { throw .noSuchOverload(function, [value.type]) }
    return text
  }

  private static func ofAddress(
    _ name: String, _ answer: @escaping @Sendable (IPAddress) -> Value
  ) -> Function {
    Function(
      name: name, styles: [.member],
      body: .unary({ (value, _) throws(Failure) in
        guard case .ip(let address) = value else { throw .noSuchOverload(name, [value.type]) }
        return answer(address)
      }))
  }

  private static func ofNetwork(
    _ name: String, _ answer: @escaping @Sendable (IPNetwork) -> Value
  ) -> Function {
    Function(
      name: name, styles: [.member],
      body: .unary({ (value, _) throws(Failure) in
        guard case .cidr(let network) = value else { throw .noSuchOverload(name, [value.type]) }
        return answer(network)
      }))
  }

  private static func containsIP(
    in network: Value, _ other: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    try meter.charge(IPAddress.cost)
    switch (network, other) {
    case (.cidr(let network), .ip(let address)): return .bool(network.contains(address))
    case (.cidr(let network), .string(let text)):
      guard let address = IPAddress(text) else {
        throw .conversion(of: try meter.describing(other), to: .ip)
      }
      return .bool(network.contains(address))
    default: throw .noSuchOverload("containsIP", [network.type, other.type])
    }
  }

  private static func containsCIDR(
    in network: Value, _ other: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    try meter.charge(IPAddress.cost)
    switch (network, other) {
    case (.cidr(let network), .cidr(let part)): return .bool(network.contains(part))
    case (.cidr(let network), .string(let text)):
      guard let part = IPNetwork(text) else {
        throw .conversion(of: try meter.describing(other), to: .cidr)
      }
      return .bool(network.contains(part))
    default: throw .noSuchOverload("containsCIDR", [network.type, other.type])
    }
  }
}
