import JSONText

@testable import CEL

extension Program {
  /// Returns the value of the program; `root` returns a variable by index.
  func evaluate(_ root: (Int) -> JSON) throws(EvaluationFault) -> Value {
    var steps = 0
    if let variable = storage.fused?.variable,
      let value = value(addingStepsTo: &steps, in: root(variable), at: variable)
    {
      return value
    }
    return try value { Value(root($0)) }
  }
}
