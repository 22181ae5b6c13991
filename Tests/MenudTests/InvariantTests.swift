import Foundation
import Testing

/// The absences that README.md promises.
@Suite struct InvariantTests {
  /// Each target and all that its files may import.
  @Test(
    arguments: [
      ("JSONText", []), ("Locks", ["Glibc", "Synchronization"]),
      ("Patterns", ["CRE2"]), ("JSONSchema", ["JSONText", "Patterns"]),
      ("Languages", []),
      ("CEL", ["JSONText", "Patterns", "Locks", "Languages", "Synchronization", "Glibc"]),
      ("MicroHTTP", ["CMicroHTTPD", "Locks", "Glibc", "Synchronization"]),
      ("MenuEngine", ["JSONText", "CEL", "JSONSchema", "Languages", "Locks"]),
      (
        "MenuStore",
        [
          "MenuEngine", "JSONText", "CSQLite", "CPostgreSQL", "Locks", "Synchronization", "Glibc",
        ]
      ),
      (
        "MenuAPI",
        [
          "MenuStore", "MenuEngine", "CEL", "JSONSchema", "JSONText", "MicroHTTP", "Locks",
          "Languages", "Synchronization", "CEmbeddedFiles",
        ]
      ),
    ] as [(String, [String])])
  func `a target imports nothing above it`(target: String, allowed: [String]) throws {
    for (name, text) in try Self.files(of: target) {
      for imported in text.matches(of: /(?m)^(?:\w+ )?import (\w+)/).map({ String($0.output.1) }) {
        #expect(allowed.contains(imported), "\(name) imports \(imported)")
      }
    }
  }

  @Test func `the engine waits for nothing and reads no clock`() throws {
    for (name, text) in try Self.files(of: "MenuEngine") {
      let found = text.firstMatch(of: /\b(async|await|ContinuousClock|SuspendingClock)\b/)
      #expect(found == nil, "\(name)")
    }
  }

  @Test(arguments: ["Client", "Console", "OpenAPI"])
  func `every file of a folder of the program's files is in their table`(folder: String) throws {
    let sources = Program.path + "/Sources/CEmbeddedFiles"
    let table = try String(contentsOfFile: sources + "/CEmbeddedFiles.c", encoding: .utf8)
    let names = try FileManager.default.subpathsOfDirectory(atPath: "\(sources)/\(folder)")
    for name in names where name.contains(".") {
      #expect(table.contains("{\"\(folder)/\(name)\","), "\(folder)/\(name)")
    }
  }

  private static let targets = [
    "JSONText", "Locks", "Patterns", "JSONSchema", "CEL", "MicroHTTP", "MenuEngine", "MenuStore",
    "MenuAPI", "menud",
  ]

  @Test(arguments: targets)
  func `a call names all but two of its arguments`(target: String) throws {
    let offenders = try Self.files(of: target).flatMap { name, text in
      FunctionDeclaration.all(in: text)
        .filter { $0.unlabelledCount > 2 && !$0.isCalledByC }
        .map { "\(name): \($0.name)(\($0.parameters.joined(separator: ",")))" }
    }
    #expect(offenders == [])
  }

  @Test(arguments: ["Sources", "Tests", "Benchmarks/Sources", "Fuzz/Sources"])
  func `no doc comment begins as a question`(folder: String) throws {
    for (name, text) in try Self.files(in: folder) {
      #expect(DocComment.questions(in: text) == [], "\(name)")
    }
  }

  @Test(
    arguments: [
      ("/// What a rule says.\nlet a: Int", ["What a rule says."]),
      ("  /// The rule.\n  ///\n  /// Whether it holds depends.", ["Whether it holds depends."]),
      ("/// - Parameter a: Who asks.\n/// - Throws: What it is.", ["Who asks.", "What it is."]),
      ("/// The rule.\n/// What it says counts.", []),
      ("/// Whatever it says.\n// What it says.\nlet a = \"What\"", []),
      ("/// How long it is.", ["How long it is."]), ("/// However long it is.", []),
    ] as [(String, [String])])
  func `doc comments that begin as a question are found`(source: String, found: [String]) {
    #expect(DocComment.questions(in: source) == found)
  }

  @Test(
    arguments: [
      ("func f(_ a: Int, _ b: Int, c: Int)", 2), ("  func f(_ a: Int, _ b: Int, _ c: Int)", 3),
      ("  private init?(_ a: [A: B], _ b: (A, B) -> C<D, E> = { _, _ in },\n    _ c: inout C)", 3),
      ("  static func f<T: P>(a: T, _ b: T, @Box _ c: T) {\n    g(_ d: T, _ e: T)", 2),
      ("  let f: (_ a: A, _ b: B, _ c: C) -> D", nil),
    ] as [(String, Int?)])
  func `unlabelled parameters are counted`(source: String, count: Int?) {
    #expect(FunctionDeclaration.all(in: source).first?.unlabelledCount == count)
  }

  @Test func `only a function of a file with the pointer that C was told is called by C`() {
    let parameters = "(_ server: UnsafeMutableRawPointer, _ a: Int, _ b: Int)"
    #expect(FunctionDeclaration.all(in: "func f\(parameters)").map(\.isCalledByC) == [true])
    #expect(FunctionDeclaration.all(in: "  func f\(parameters)").map(\.isCalledByC) == [false])
    #expect(FunctionDeclaration.all(in: "func f(_ a: Int)").map(\.isCalledByC) == [false])
  }

  /// Each of those ways looks whether the request's token opens the session.
  @Test func `routes reach the store in two files only`() throws {
    for (name, text) in try Self.files(of: "MenuAPI") {
      let isWay = ["Service.swift", "Routing/Call+Store.swift", "Routing/Call+Session.swift"]
        .contains(name)
      #expect(isWay || !text.contains("service.store"), "\(name)")
    }
  }

  @Test(Program.isBuilt) func `the program does not link full Foundation`() throws {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/ldd")
    process.arguments = [Program.file.path]
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    let libraries = String(decoding: data, as: UTF8.self)
    #expect(libraries.contains("libmicrohttpd"))
    #expect(!libraries.contains("libFoundation.so"))
    #expect(!libraries.contains("_FoundationICU"))
  }

  private static func files(of target: String) throws -> [(name: String, text: String)] {
    let isOfKit = FileManager.default.fileExists(
      atPath: Program.root.appending(path: "Sources/Kit/\(target)").path)
    return try files(in: isOfKit ? "Sources/Kit/\(target)" : "Sources/\(target)")
  }

  private static func files(in path: String) throws -> [(name: String, text: String)] {
    let folder = Program.root.appending(path: path)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(!names.isEmpty)
    return try names.map { name in
      (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
  }
}
