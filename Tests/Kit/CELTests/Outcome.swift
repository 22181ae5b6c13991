import CEL
import JSONText

/// The value of `source` as a literal, or the message of the fault that it ends in.
///
/// It may read `state`, an object, and `bytes_`, `large` and `notANumber`. A program that is
/// refused for its types, which is `CheckerTests`' concern, is evaluated unchecked.
func outcome(_ source: String, limits: ProgramLimits = ProgramLimits(), isChecked: Bool = true)
  -> String
{
  let values: [Value] = [Value(sampleState), .bytes([1, 255]), .uint(.max), .double(.nan)]
  do {
    let environment = Environment(
      variables: ["state", "bytes_", "large", "notANumber"], isChecked: isChecked)
    let program = try Program(source, in: environment, limits: limits)
    return try program.value { values[$0] }.description
  } catch let fault as CompilationFault {
    switch fault.reason {
    case .noSuchOverload, .unsupportedKey: return outcome(source, limits: limits, isChecked: false)
    default: return "refused: \(fault.message)"
    }
  } catch let fault as EvaluationFault {
    return "fault: \(fault.message)"
  } catch {
    return "\(error)"
  }
}

func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
  var object = JSONObject()
  for (name, value) in members { object[name] = value }
  return .object(object)
}

let sampleState = object([
  "selectedImage": object(["title": .string("Éclair"), "rating": .int(5), "size": .double(1.5)]),
  "images": .array([
    object(["id": .string("a"), "rating": .int(1)]), object(["id": .string("b")]),
  ]),
  "tags": .array([.string("x"), .string("y")]),
  "mode": .null,
  "a b": .bool(true),
  "in": .int(7),
])
