/// The sets extension: lists taken as sets.
extension Function {
  static let sets = [
    ofLists("sets.contains") { (first, second, meter) throws(Failure) in
      try covers(first, second, &meter)
    },
    ofLists("sets.equivalent") { (first, second, meter) throws(Failure) in
      guard try covers(first, second, &meter) else { return false }
      return try covers(second, first, &meter)
    },
    ofLists("sets.intersects") { (first, second, meter) throws(Failure) in
      let set = try ValueSet(first, &meter)
      for position in 0..<second.count {
        if let element = second[position], try set.contains(element, &meter) { return true }
      }
      return false
    },
  ]

  private static func ofLists(
    _ name: String,
    _ answer: @escaping @Sendable (ListValue, ListValue, inout Meter) throws(Failure) -> Bool
  ) -> Function {
    Function(
      name: name, styles: [.global],
      body: .binary({ (first, second, meter) throws(Failure) in
        guard case .list(let left) = first, case .list(let right) = second else {
          throw .noSuchOverload(name, [first.type, second.type])
        }
        return .bool(try answer(left, right, &meter))
      }))
  }

  /// True if all elements of `part` are in `whole`.
  private static func covers(
    _ whole: ListValue, _ part: ListValue, _ meter: inout Meter
  ) throws(Failure) -> Bool {
    let set = try ValueSet(whole, &meter)
    for position in 0..<part.count {
      if let element = part[position], try !set.contains(element, &meter) { return false }
    }
    return true
  }
}
