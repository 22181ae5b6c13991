extension Function {
  /// The encoders extension.
  static let encoders = [
    Function(
      name: "base64.encode", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        guard case .bytes(let bytes) = value else {
          throw .noSuchOverload("base64.encode", [value.type])
        }
        try meter.produce(bytes: (bytes.count + 2) / 3 * 4)
        return .string(Base64.text(bytes))
      })),
    Function(
      name: "base64.decode", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        guard case .string(let text) = value else {
          throw .noSuchOverload("base64.decode", [value.type])
        }
        try meter.charge(bytes: text.utf8.count)
        guard let bytes = Base64.bytes(text) else {
          throw .conversion(of: try meter.describing(value), to: .bytes)
        }
        return .bytes(bytes)
      })),
  ]
}
