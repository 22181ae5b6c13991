/// The sets extension: lists taken as sets.
extension Function {
  static let sets = [
    ofLists("sets.contains") { (first, second, meter) throws(Failure) in
      try first.containsAll(of: second, &meter)
    },
    ofLists("sets.equivalent") { (first, second, meter) throws(Failure) in
      guard try first.containsAll(of: second, &meter) else { return false }
      return try second.containsAll(of: first, &meter)
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
}

extension ListValue {
  /// True if all elements of `part` are in the list.
  fileprivate func containsAll(
    of part: ListValue, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    let set = try ValueSet(self, &meter)
    for position in 0..<part.count {
      if let element = part[position], try !set.contains(element, &meter) { return false }
    }
    return true
  }
}
