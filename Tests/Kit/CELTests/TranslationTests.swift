import JSONText
import Testing

@testable import CEL

struct TranslationTests {
  static let texts: JSON = [
    "hello": "Hallo {name}", "braces": "{{name}} } { {1} {name", "plain": "Kopieren",
    "photos": ["in": "de", "one": "{count} Foto", "other": "{count} Fotos"],
    "files": [
      "in": "ru", "by": "n", "one": "{n} файл", "few": "{n} файла", "many": "{n} файлов",
      "other": "{n} файла",
    ],
    "odd": ["in": "de"], "number": 1,
  ]

  static func value(_ source: String) throws -> Value {
    try Program(source, variables: ["state", "tr"]).value { position in
      position == 1 ? Value(texts) : Value(["n": 3, "list": [1]])
    }
  }

  @Test(arguments: [
    ("tr('plain')", "Kopieren"), ("tr('hello', {'name': 'Ada'})", "Hallo Ada"),
    ("tr('hello', {'name': 1.0})", "Hallo 1"), ("tr('hello', {'name': true})", "Hallo true"),
    ("tr('photos', {'count': 1})", "1 Foto"), ("tr('photos', {'count': 2u})", "2 Fotos"),
    ("tr('photos', {'count': 1.5})", "1.5 Fotos"),
    ("tr('photos', {'count': '1,0'})", "1,0 Fotos"), ("tr('photos', {'count': '1'})", "1 Foto"),
    ("tr('photos', {'count': '1.0'})", "1.0 Fotos"), ("tr('photos')", "{count} Fotos"),
    ("tr('files', {'n': 21})", "21 файл"), ("tr('files', {'n': state.n})", "3 файла"),
    ("tr('files', {'n': 5})", "5 файлов"), ("tr('files', {'n': 1.5})", "1.5 файла"),
    ("tr('files', {'n': 1e21})", "1000000000000000000000 файлов"),
    ("tr('plain').size() == 8 ? tr('plain') + '…' : ''", "Kopieren…"),
    ("[1, 2].map(n, tr('photos', {'count': n})).join(', ')", "1 Foto, 2 Fotos"),
  ]) func `M14: tr formats by name and picks a plural`(source: String, text: String) throws {
    #expect(try Self.value(source).json == .string(text))
  }

  @Test(arguments: [
    ("tr('hello')", "Hallo {name}"), ("tr('hello', {'other': 1})", "Hallo {name}"),
    ("tr('braces', {'name': 1})", "{name} } { {1} {name"),
    ("tr('Welcome, {name}!', {'name': 'Ada'})", "Welcome, Ada!"), ("tr('odd')", "odd"),
    ("tr('number')", "number"), ("tr('')", ""),
  ]) func `M14: a name or a text that is missing stays as it is written`(
    source: String, text: String
  ) throws {
    #expect(try Self.value(source).json == .string(text))
  }

  @Test func `M14: a value without a text is named`() throws {
    let fault = #expect(throws: EvaluationFault.self) {
      try Self.value("tr('hello', {'name': null})")
    }
    #expect(fault?.message == "the value of 'name' has no text, since it is null")
  }

  @Test func `M14: a program that translates reads the variable`() throws {
    let program = try Program("tr('a') == state.b", variables: ["state", "tr"])
    #expect(program.readVariables == [0, 1])
    #expect(program.paths.map(\.tokens).contains(["tr"]))
    #expect(try Program("tr('a')", variables: ["tr"]).type == .string)
  }

  @Test(arguments: [
    "tr()", "tr(1)", "tr('a', 1)", "tr('a', {}, 1)", "tr('hello', {1: 2})",
    "tr('hello', {'name': [1]})",
    "tr('hello', {'name': null})",
  ]) func `M14: other arguments are refused`(source: String) throws {
    #expect(throws: (any Error).self) { try Self.value(source) }
  }

  @Test func `M14: without the variable there is no such function`() throws {
    #expect(throws: CompilationFault.self) { try Program("tr('a')", variables: ["state"]) }
  }

  @Test func `M14: a text is bounded`() throws {
    var limits = ProgramLimits()
    limits.maximumStringLength = 100
    let program = try Program(
      "tr('{a}{a}{a}', {'a': state.a})", variables: ["state", "tr"], limits: limits)
    let long = JSON.string(String(repeating: "x", count: 60))
    #expect(throws: EvaluationFault.self) {
      try program.value { $0 == 0 ? Value(["a": long]) : Value([:]) }
    }
    // A text without places is one, too.
    let plain = try Program("tr('a') == ''", variables: ["state", "tr"], limits: limits)
    func value(_ count: Int) throws -> Value {
      let text = JSON.string(String(repeating: "x", count: count))
      return try plain.value { $0 == 0 ? Value([:]) : Value(["a": text]) }
    }
    #expect(try value(100).json == false)
    #expect(throws: EvaluationFault.self) { try value(101) }
  }

  @Test func `M14: choosing a plural form costs steps`() throws {
    func steps(_ source: String) throws -> Int {
      let program = try Program(source, variables: ["state", "tr"])
      var steps = 0
      _ = try program.value(addingStepsTo: &steps) { $0 == 1 ? Value(Self.texts) : Value([:]) }
      return steps
    }
    let plain = try steps("tr('plain', {'count': '1e-999'})")
    #expect(try steps("tr('photos', {'count': '1e-999'})") >= plain + 20)
  }
}
