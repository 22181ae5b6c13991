import CEL
import JSONText
import Testing

@testable import MenuEngine

/// `resources.json` and `prompts.json`, and the files that they name.
struct ContentDocumentTests {
  /// Returns a catalogue of a command `a:` and these parts, with files.
  static func document(
    _ resources: JSON? = nil, _ prompts: JSON? = nil, files: [String: [UInt8]] = [:]
  ) -> CatalogDocument {
    var parts: [CatalogDocument.Part: JSON] = [.commands: [["title": "A", "action": "a:"]]]
    parts[.resources] = resources
    parts[.prompts] = prompts
    var document = CatalogDocument(parts)
    document.files = { (path, limit) throws(FileFault) in
      guard let bytes = files[path] else { throw .absent }
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
      return bytes
    }
    return document
  }

  private func faults(
    _ resources: JSON? = nil, _ prompts: JSON? = nil, files: [String: [UInt8]] = [:]
  ) -> [DocumentFault] {
    Self.document(resources, prompts, files: files).findings().faults.map(\.fault)
  }

  private func reasons(
    _ resources: JSON? = nil, _ prompts: JSON? = nil, files: [String: [UInt8]] = [:]
  ) -> [DocumentFault.Reason] {
    faults(resources, prompts, files: files).map(\.reason)
  }

  @Test func `a resource has one URI and one content`() {
    #expect(
      reasons(["a": [:]]) == [
        .missingMember("uri", orElse: ["uriTemplate"]),
        .missingMember("text", orElse: ["file", "content"]),
      ])
    #expect(
      reasons(["a": ["uri": "a:b", "uriTemplate": "a:{x}", "text": "t", "content": "'t'"]]) == [
        .conflictingMembers("uri", "uriTemplate"), .conflictingMembers("text", "content"),
      ])
    #expect(reasons(["a": ["uri": "a:{x}", "text": ""]]) == [.expected(.uri, found: "a:{x}")])
    #expect(
      reasons(["a": ["uriTemplate": "a:b", "text": ""]])
        == [.expected(.uriTemplate, found: "a:b")])
    #expect(
      reasons(["a": ["uri": "menud://sessions/x", "text": ""]])
        == [.expected(.uri, found: "menud://sessions/x")])
  }

  @Test func `variables are those of the template`() {
    #expect(
      reasons(["a": ["uriTemplate": "a:{x}", "text": "", "variables": ["y": [:]]]])
        == [.unknownMember("y", known: ["x"])])
    #expect(
      reasons(["a": ["uri": "a:b", "text": "", "variables": [:]]])
        == [.conflictingMembers("uri", "variables")])
    #expect(
      reasons([
        "a": [
          "uriTemplate": "a:{x}", "text": "",
          "variables": ["x": ["enum": ["1"], "choices": "['1']"]],
        ]
      ]) == [.conflictingMembers("enum", "choices")])
  }

  @Test func `two resources have no URI in common`() {
    #expect(
      faults(["a": ["uri": "a:b", "text": ""], "b": ["uri": "a:b", "text": ""]])
        == [
          DocumentFault(
            .repeatedURI("a:b", other: JSONPointer(["a", "uri"])), at: JSONPointer(["b", "uri"]))
        ])
  }

  @Test func `commands that it is about are declared`() {
    #expect(reasons(["a": ["uri": "a:b", "text": "", "commands": ["a:"]]]) == [])
    #expect(
      faults(["a": ["uri": "a:b", "text": "", "commands": ["b:"]]]) == [
        DocumentFault(
          .declaration(.menu(.undeclaredCommand("b:", nearest: "a:"))),
          at: JSONPointer(["a", "commands", "0"]))
      ])
  }

  @Test(arguments: [
    "", "/a", "../a", "a/../b", ".", "a/", "a//b", "./a", "a\u{0}b",
    String(repeating: "a", count: 1025),
  ])
  func `a path leads to a file below the folder`(path: String) {
    #expect(
      reasons(["a": ["uri": "a:b", "file": .string(path)]])
        == [.expected(.filePath, found: .string(path))])
  }

  @Test func `files are texts by their type, and bounded`() throws {
    let large = [UInt8](repeating: 0x61, count: Limits.applicationFile)
    let files = [
      "a.md": Array("# é".utf8), "b.png": [0x89, 0x50], "c.txt": [0xFF], "d.bin": large,
      "e.bin": large + [0],
    ]
    let catalog = try Self.document(
      [
        "a": ["uri": "a:a", "file": "a.md"], "b": ["uri": "a:b", "file": "b.png"],
        "c": ["uri": "a:c", "file": "c.txt", "mimeType": "application/x-c"],
      ], files: files
    ).catalog()
    let contents = catalog.resources.compactMap { resource -> String? in
      guard case .file(let file) = resource.content else { return nil }
      return switch file.contents {
      case .text(let text): "\(file.type.text) \(text)"
      case .blob(let blob): "\(file.type.text) \(blob)"
      }
    }
    #expect(contents == ["text/markdown # é", "image/png iVA=", "application/x-c /w=="])
    #expect(
      reasons(["a": ["uri": "a:a", "file": "c.txt"]], files: files)
        == [.file(.notText(.plainText))])
    #expect(reasons(["a": ["uri": "a:a", "file": "z"]]) == [.file(.absent)])
    #expect(
      reasons(["a": ["uri": "a:a", "file": "e.bin"]], files: files)
        == [.file(.tooLarge(limit: Limits.applicationFile))])
  }

  @Test func `a file that is named twice is kept once for each of its types`() throws {
    let files = ["a.md": Array(repeating: UInt8(ascii: "a"), count: 100)]
    let catalog = try Self.document(
      [
        "a": ["uri": "a:a", "file": "a.md"], "b": ["uri": "a:b", "file": "a.md"],
        "c": ["uri": "a:c", "file": "a.md", "mimeType": "application/x-c"],
      ], files: files
    ).catalog()
    let stored = try StoredFormat.value(
      Catalog.self, from: try StoredFormat.bytes(of: catalog))
    for catalog in [catalog, stored] {
      let places = catalog.resources.compactMap { resource -> Int? in
        guard case .file(let file) = resource.content else { return nil }
        let text =
          switch file.contents {
          case .text(let text): text
          case .blob(let blob): blob
          }
        return unsafe text.utf8.withContiguousStorageIfAvailable {
          Int(bitPattern: $0.baseAddress)
        }
      }
      #expect(places.count == 3)
      #expect(Set(places).count == 2)
    }
  }

  @Test func `all files together are bounded, and each counts once`() {
    let large = [UInt8](repeating: 0x61, count: Limits.applicationFile)
    var (files, resources): ([String: [UInt8]], JSONObject) = ([:], [:])
    for number in 0..<9 {
      files["\(number).bin"] = large
      for name in ["a", "b"] {
        resources["\(name)\(number)"] = [
          "uri": .string("\(name):\(number)"), "file": .string("\(number).bin"),
        ]
      }
    }
    #expect(
      reasons(.object(resources), files: files)
        == Array(repeating: .file(.tooMuch(limit: Limits.applicationFiles)), count: 2))
  }

  @Test func `without a folder there are no files`() throws {
    let document = CatalogDocument([.resources: ["a": ["uri": "a:b", "file": "c"]]])
    #expect(document.findings().faults.map(\.fault.reason) == [.file(.noFolder)])
  }

  @Test func `a message has one content`() {
    #expect(
      reasons(nil, ["p": ["messages": [["role": "user"]]]]) == [
        .missingMember("text", orElse: ["content", "image", "resource", "resourceAt"])
      ])
    #expect(
      reasons(nil, ["p": ["messages": [["role": "user", "text": "a", "content": "'a'"]]]])
        == [.conflictingMembers("text", "content")])
    #expect(
      reasons(nil, ["p": ["messages": []]])
        == [.expected(.arrayFrom(1...Limits.messages), found: [])])
    #expect(
      reasons(nil, ["p": ["messages": [["role": "system", "text": ""]]]])
        == [.expected(.oneOf(["user", "assistant"]), found: "system")])
    #expect(reasons(nil, ["p": [:]]) == [.missingMember("messages")])
    #expect(
      reasons(nil, ["p": ["messages": [["role": "user", "text": "a", "mimeType": "image/png"]]]])
        == [.missingMember("image")])
  }

  @Test func `an image has the type of one`() {
    func image(_ message: JSONObject) -> JSON {
      var message = message
      message["role"] = "user"
      return ["p": ["messages": [.object(message)]]]
    }
    let files: [String: [UInt8]] = ["a.png": [1], "a.bin": [2]]
    #expect(reasons(nil, image(["image": "a.png"]), files: files) == [])
    #expect(
      reasons(nil, image(["image": "a.bin"]), files: files)
        == [.expected(.imagePath, found: "a.bin")])
    #expect(reasons(nil, image(["image": "a.bin", "mimeType": "image/x"]), files: files) == [])
    #expect(
      reasons(nil, image(["image": "a.png", "mimeType": "text/plain"]), files: files)
        == [.expected(.imageType, found: "text/plain")])
  }

  @Test func `arguments have names of their own, which texts name`() {
    #expect(
      faults(
        nil,
        [
          "p": [
            "arguments": [["name": "a"], ["name": "a"], ["name": "1"]],
            "messages": [["role": "user", "text": "{a} {{b}} {c}"]],
          ]
        ]) == [
          DocumentFault(.repeatedName("a"), at: JSONPointer(["p", "arguments", "1", "name"])),
          DocumentFault(
            .expected(.parameterName, found: "1"), at: JSONPointer(["p", "arguments", "2", "name"])),
          DocumentFault(
            .unknownArgument("c", known: ["a", "a"]),
            at: JSONPointer(["p", "messages", "0", "text"])),
        ])
  }

  @Test func `an embedded resource is declared, and its variables are required arguments`() {
    let resources: JSON = ["note": ["uriTemplate": "n:{id}", "text": ""]]
    func prompt(_ arguments: JSON, _ name: JSON) -> JSON {
      ["p": ["arguments": arguments, "messages": [["role": "user", "resource": name]]]]
    }
    let place = JSONPointer(["p", "messages", "0", "resource"])
    #expect(
      faults(resources, prompt([], "nota"))
        == [DocumentFault(.unknownResource("nota", known: ["note"]), at: place)])
    #expect(
      faults(resources, prompt([["name": "id"]], "note"))
        == [DocumentFault(.unfilledVariable("id", of: "note"), at: place)])
    #expect(faults(resources, prompt([["name": "id", "required": true]], "note")) == [])
  }

  @Test func `rules are checked, and warned of if they read what is not there`() {
    #expect(reasons(["a": ["uri": "a:b", "content": "state."]]).count == 1)
    #expect(
      reasons(nil, ["p": ["messages": [["role": "user", "content": "1"]]]]).count == 1)
    var document = Self.document(["a": ["uri": "a:b", "content": "state.cuont"]])
    document.parts[.session] = ["state": ["count": 0]]
    #expect(document.findings().missingMembers.map(\.place) == [JSONPointer(["a", "content"])])
  }

  @Test func `the number of each is bounded`() {
    var (resources, prompts): (JSONObject, JSONObject) = ([:], [:])
    for number in 0...256 {
      resources["r\(number)"] = ["uri": .string("a:\(number)"), "text": ""]
      prompts["p\(number)"] = ["messages": [["role": "user", "text": ""]]]
    }
    #expect(
      reasons(.object(resources), .object(prompts)) == [
        .expected(.objectUpTo(256), found: .object(resources)),
        .expected(.objectUpTo(256), found: .object(prompts)),
      ])
  }

  @Test func `a catalogue without them is stored as before`() throws {
    let text = try JSON(encoding: Self.document().catalog()).text()
    #expect(!text.contains("contents"))
  }

  @Test func `rules are stored with limits other than the usual ones`() throws {
    var limits = ProgramLimits()
    limits.maximumSourceLength = 8192
    let rule = "'" + String(repeating: "a", count: 5000) + "'"
    let catalog = try CatalogDocument(
      [.resources: ["a": ["uri": "a:b", "content": .string(rule)]]], ruleLimits: limits
    ).catalog()
    let copy = try reread(catalog)
    #expect(copy.resources.map(\.document) == catalog.resources.map(\.document))
  }
}
