public import JSONText

/// A JSON Schema (2020-12), compiled once: it tells the faults of any value.
///
/// A keyword that is not known is refused, as is a reference to another document. `format`, the
/// `content` keywords and the like are annotations: they demand nothing.
public struct Schema: Sendable {
  /// The schema as it was written.
  public let document: JSON
  /// The schema itself at index 0, and all schemas in it.
  let subschemas: [Subschema]
  /// The bounds of checking a value.
  let limits: SchemaLimits
  /// True if an empty object meets it.
  public private(set) var isMetByEmptyObject = false

  /// Compiles a schema.
  ///
  /// - Throws: `SchemaFaults` with everything that is wrong.
  public init(_ document: JSON, limits: SchemaLimits = SchemaLimits()) throws(SchemaFaults) {
    var survey = SchemaSurvey(limits: limits)
    survey.look(through: document)
    guard survey.faults.isEmpty else { throw SchemaFaults(survey.faults) }
    var compiler = SchemaCompiler(survey, limits: limits)
    let subschemas = compiler.compile()
    guard compiler.faults.isEmpty else { throw SchemaFaults(compiler.faults) }
    self.document = document
    self.subschemas = subschemas
    self.limits = limits
    isMetByEmptyObject = faults(of: .object([:])).isEmpty
  }

  /// Returns the faults of a value, in the order of its parts, at most the first 100; none when the value
  /// meets the schema.
  public func faults(of value: JSON) -> [ValueFault] {
    var steps = 0
    return faults(of: value, addingStepsTo: &steps).faults
  }

  /// As `faults(of:)`, with the number of all; adds what that took, in steps of at most about 100 ns.
  package func faults(of value: JSON, addingStepsTo steps: inout Int) -> ValueFault.List {
    var validation = Validation(of: self)
    defer { steps += limits.maximumSteps - max(0, validation.remainingSteps) }
    do throws(Validation.Exhaustion) {
      _ = try validation.meets(0, value)
      return validation.faults
    } catch {
      return ValueFault.List(ValueFault(.tooMuchWork(error), at: .root))
    }
  }
}

extension Schema: Equatable {
  /// True if both were written alike, to the byte.
  public static func == (left: Schema, right: Schema) -> Bool {
    left.document.isWritten(as: right.document)
  }
}
