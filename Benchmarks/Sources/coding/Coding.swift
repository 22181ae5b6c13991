import Glibc
import JSONText
import MenuEngine

/// Measures what it costs to store a session of an application, what happens to it, and its catalogue,
/// and to read them back.
///
///     coding FOLDER
///
/// The folder is one of Config/. A stored value that does not come back in the same bytes ends it with 1.
@main
enum Coding {
  static func main() throws {
    guard let folder = CommandLine.arguments.dropFirst().first else {
      print("coding FOLDER, such as Config/photo-app")
      exit(1)
    }
    var document = CatalogDocument([:])
    for part in CatalogDocument.Part.allCases {
      guard let bytes = contents(of: "\(folder)/\(part.rawValue).json") else { continue }
      document.parts[part] = try JSON(parsing: bytes)
    }
    let catalog = try document.catalog()
    let template = catalog.template ?? SessionTemplate()
    let session = try Session("session", opening: template, in: catalog)
    print("value      bytes  store µs  read µs   (the fastest of many)")
    if let command = catalog.commands.first {
      let request = ActionRequest(.command(command.id), when: 1_700_000_000_000)
      try measure("perform", SessionRecord([.perform(request)]))
    }
    let patch = JSONPatch([.replace(path: JSONPointer(["zoom"]), value: 2.5)])
    try measure("patch", SessionRecord([.patchState(patch)]))
    try measure("session", session)
    try measure("catalogue", catalog)
  }

  private static func measure<Value: Codable>(_ name: String, _ value: Value) throws {
    let bytes = try StoredFormat.bytes(of: value)
    let copy: Value = try StoredFormat.value(from: bytes)
    guard try StoredFormat.bytes(of: copy) == bytes else {
      print("\(name) came back otherwise")
      exit(1)
    }
    let storing = try fastest { _ = try StoredFormat.bytes(of: value) }
    let reading = try fastest { _ = try StoredFormat.value(Value.self, from: bytes) }
    print(
      pad(name, 9, isLeft: true), pad("\(bytes.count)", 6), pad(tenths(storing), 9),
      pad(tenths(reading), 8))
  }

  /// The least processor time that something takes, in nanoseconds.
  private static func fastest(_ body: () throws -> Void) rethrows -> Int {
    var least = Int.max
    for _ in 0..<300 {
      let start = now()
      try body()
      least = min(least, now() - start)
    }
    return least
  }

  private static func now() -> Int {
    var time = timespec()
    // The time is written before it is read.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  private static func tenths(_ nanoseconds: Int) -> String {
    "\(nanoseconds / 1000).\(nanoseconds % 1000 / 100)"
  }

  private static func pad(_ text: String, _ width: Int, isLeft: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.utf8.count))
    return isLeft ? text + space : space + text
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }
}
