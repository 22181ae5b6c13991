import CEL
import JSONText

/// Compiles the input as a program, checked and unchecked, and evaluates and explains it.
///
/// Whatever the input is, that ends within the limits; and a program is worth as much in its
/// explanation as in its evaluation.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCEL(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  for isChecked in [true, false] {
    let environment = Environment(
      variables: ["state", "names", "n"], types: ["names": .list(.string), "n": .int],
      isChecked: isChecked)
    do {
      try run(Program(source, in: environment, limits: ProgramLimits(maximumSteps: 20_000)))
    } catch {
      _ = error.description
    }
  }
  return 0
}

private func run(_ program: Program) {
  _ = program.paths
  _ = program.type.description
  let explanation = program.explanation(binding: { roots[$0] })
  _ = explanation.text(isColored: true)
  guard explanation.isComplete, let root = explanation.parts.last(where: { $0.element == nil })
  else { return }
  switch (explanation.outcome, root.outcome) {
  case (.success(let value), .success(let worth)):
    precondition(value.description == worth.description, "explained otherwise")
    _ = try? value.json
  case (.failure(let fault), .failure(let other)):
    precondition(fault.range == other.range, "another fault explained")
    _ = fault.description
  case (.success, .failure), (.failure, .success):
    preconditionFailure("explained otherwise")
  }
}

private let roots: [Value] = [
  Value((try? JSON(parsing: state)) ?? .null),
  .list(.values([.string("a"), .string("é"), .string("")])),
  .int(7),
]

private let state = """
  {"mode": null, "on": true, "image": {"title": "Éclair", "rating": 5, "size": 1.5},
   "tags": ["x", "y"], "images": [{"id": "a"}, {"id": "b", "rating": 2}], "a b": {}}
  """

/// The package manager calls an executable's main so; libFuzzer's own would be named `main`.
@_cdecl("fuzz_cel_main")
public func main(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments, fuzzCEL)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt
