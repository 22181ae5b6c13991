import ArgumentParser
import JSONText
import MenuEngine

/// The options of all subcommands that perform a command.
struct PerformingOptions: ParsableArguments {
  @Option(help: "The responder at which the search begins.") var from: String?

  @Flag(help: "Confirm what the command asks.") var confirm = false

  @Flag(help: "Show what it would do, and change nothing.") var dryRun = false

  @Option(help: "The seconds to wait for what it delivers.") var wait: Int?

  func validate() throws {
    guard (0...86_400).contains(wait ?? 0) else {
      throw ValidationError("'--wait' is a number of seconds from 0 to 86400.")
    }
  }
}

struct PerformCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "perform", abstract: "Perform a command.",
    discussion: """
      NAME=VALUE gives a parameter, whose value is read by the type in the command's schema: a string, a \
      number, a boolean, else JSON. If the command asks for a confirmation, a person at the terminal is \
      asked.
      """)

  @Argument(
    help: "The command; COMMAND/KEY is an item from data.",
    completion: .custom(DoCompletion.commands))
  var command: String

  @Argument(
    help: ArgumentHelp("Parameters.", valueName: "name=value"),
    completion: .custom(DoCompletion.parameters))
  var assignments: [String] = []

  @Option(help: "A JSON object with parameters.") var parameters: String?

  @OptionGroup var how: PerformingOptions

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) {
    let (object, texts) = try (object(), texts())
    let (client, session) = try place.opened()
    let name = ItemName(command)
    var body: JSONObject = ["session": .string(session), "command": .string(name.command)]
    if let key = name.key { body["itemKey"] = .string(key) }
    if var given = object ?? (texts.isEmpty ? nil : JSONObject()) {
      let schema = try texts.isEmpty ? nil : schema(of: name, in: session, client)
      for (name, text) in texts { given[name] = try schema?.value(of: text, for: name) }
      body["parameters"] = .object(given)
    }
    let performance = Performance(
      path: ["commands", "perform"], body: body, how: how, isJSON: server.json)
    try performance.perform(by: client)
  }

  /// Returns the object with parameters; nil if there is none.
  private func object() throws(DoFailure) -> JSONObject? {
    guard let parameters else { return nil }
    do throws(JSONFault) {
      if case .object(let object) = try JSON(parsing: parameters, integers: .exact) {
        return object
      }
    } catch {
      throw DoFailure(.mistake, "'--parameters' is a JSON object. \(error)")
    }
    throw DoFailure(.mistake, "'--parameters' is a JSON object.")
  }

  /// Returns the names of parameters, each with the text of its value.
  private func texts() throws(DoFailure) -> [(name: String, text: String)] {
    var texts: [(name: String, text: String)] = []
    for assignment in assignments {
      guard let sign = assignment.firstIndex(of: "="), sign != assignment.startIndex else {
        throw DoFailure(.mistake, "'\(assignment)' is no parameter; write it as NAME=VALUE.")
      }
      texts.append((String(assignment[..<sign]), String(assignment[sign...].dropFirst())))
    }
    return texts
  }

  private func schema(
    of name: ItemName, in session: String, _ client: DoClient
  ) throws(DoFailure) -> ParameterSchema {
    let form = try client.answer(
      to: .get("sessions", session, "commands", name.command, "form", query: [("from", how.from)]))
    return ParameterSchema(form.json.member("schema") ?? .null)
  }
}

/// Presses a key.
struct PressCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "press", abstract: "Press a key.",
    discussion: "A key is written as in keymaps: 'cmd+shift+5', 'ctrl+k ctrl+s', 'left'.")

  @Argument(help: "The key; its strokes may be several arguments.") var key: [String]

  @OptionGroup var platform: PlatformOption

  @OptionGroup var how: PerformingOptions

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) {
    let strokes = try KeyLabel.strokes(key.joined(separator: " "), on: platform.platform)
    let (client, session) = try place.opened()
    // No stroke follows in a shell.
    let body: JSONObject = [
      "session": .string(session), "key": strokes, "final": true,
      "platform": .string(platform.platform.rawValue),
    ]
    let performance = Performance(
      path: ["keys", "press"], body: body, how: how, isJSON: server.json)
    try performance.perform(by: client)
  }
}

/// Changes the state.
struct PatchCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "patch", abstract: "Change the state.",
    discussion: "An array is a JSON Patch, else it is a JSON Merge Patch, in which null removes.")

  @Argument(help: "The patch as JSON; - reads it from the standard input.") var patch: String

  @Option(help: "The name of an undo group that it becomes.") var undo: String?

  @Flag(help: "Show what it would do, and change nothing.") var dryRun = false

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) {
    let bytes = try patch == "-" ? Self.input() : Array(patch.utf8)
    let json: JSON
    do throws(JSONFault) {
      json = try JSON(parsing: bytes)
    } catch {
      throw DoFailure(patch == "-" ? .wrong : .mistake, "The patch is no JSON: \(error)")
    }
    let (client, session) = try place.opened()
    var request = DoRequest(method: "PATCH", path: ["sessions", session, "state"])
    if let undo { request.query.append(("undo", undo)) }
    if dryRun { request.query.append(("dryRun", "true")) }
    request.body = bytes
    request.isChange = true
    if case .array = json {
      request.type = "application/json-patch+json"
    } else {
      request.type = "application/merge-patch+json"
    }
    let answer = try client.answer(to: request, with: "changes")
    guard !server.json else { return DoOutput.print(answer) }
    Performance.show(answer.json, subject: "state", isTrial: dryRun)
  }

  private static func input() throws(DoFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let some = Posix.someBytes(of: 0)
      guard !some.isEmpty else { return bytes }
      bytes += some
      guard bytes.count <= Curl.largestAnswer else { throw DoFailure(.wrong, "It is too large.") }
    }
  }
}

/// Undoes the last change (U1).
struct UndoCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change.")

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) { try Performance.takeBack(place, by: "undo", told: "undone") }
}

/// Redoes the last undone change (U1).
struct RedoCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the change that was undone last.")

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) { try Performance.takeBack(place, by: "redo", told: "redone") }
}
