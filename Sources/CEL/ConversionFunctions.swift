extension Function {
  /// `type(x)` and `dyn(x)`; the conversions follow.
  static let conversions = [
    Function(
      name: "dyn", styles: [.global],
      body: .unary({ (value, _) throws(Failure) in value })),
    Function(
      name: "type", styles: [.global],
      body: .unary({ (value, _) throws(Failure) in .type(value.type) })),
  ]
}
