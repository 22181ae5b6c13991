import ArgumentParser
import JSONText
import MenuAPI
import MenuEngine
import MicroHTTP

/// Shows the history of a session of a server on this machine (T5).
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show who did what in a session of a running server.",
    discussion: """
      The latest changes come first. The server is the configured one. A server that asks for tokens gets that in --token-file, else in the variable MENUD_TOKEN, \
      else the configured one of an administrator. Exits with 1 and the reason if the server refuses \
      or does not answer.
      """)

  @Argument(help: "The session.")
  var session: String

  @OptionGroup var file: FileOption

  @Option(help: "The server's address. The default is the configured one.")
  var host: String?

  @Option(help: "The server's port. The default is the configured one.")
  var port: String?

  @Option(help: "The most entries.")
  var limit = 20

  @Option(help: "Only the changes after this revision.")
  var after: Int?

  @Option(help: "Only those of this actor: a label or a kind.")
  var actor: String?

  @Option(help: "Only those that performed this command.")
  var command: String?

  @Option(
    help: "Only these: command, operations, refusal; several with commas.",
    completion: .list(["command", "operations", "refusal"]))
  var kind: String?

  @Option(help: "A file with the token.", completion: .file())
  var tokenFile: String?

  @Flag(help: "Print each entry as a line of JSON.")
  var json = false

  func validate() throws {
    guard (1...100_000).contains(limit) else {
      throw ValidationError("'--limit' is a number from 1 to 100000, not \(limit).")
    }
  }

  func run() throws {
    var sources = ConfigurationSources(file: file.file)
    sources.give("server.host", option: "--host", host)
    sources.give("server.port", option: "--port", port)
    let configuration = try sources.loaded(orExit: .failure)
    guard SessionID(session) != nil else { throw Self.failed("No session '\(session)' is open.") }
    let token = try token(configuration)
    var (address, rest): (String?, Int) = (firstAddress, limit)
    while let page = address, rest > 0 {
      let answer = try self.page(page, of: configuration, with: token)
      for entry in answer.entries.prefix(rest) {
        Posix.print(json ? entry.text() : HistoryLines(entry).text)
      }
      rest -= answer.entries.count
      address = answer.next
    }
  }

  private var firstAddress: String {
    let parameters = [
      ("limit", "\(min(limit, 200))"), ("after", after.map { "\($0)" }), ("actor", actor),
      ("command", command), ("kind", kind),
    ]
    let query = parameters.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" }
    }
    return "/sessions/\(session.percentEncoded)/history?\(query.joined(separator: "&"))"
  }

  private func token(_ configuration: Configuration) throws -> String? {
    if tokenFile == nil, let text = Posix.environmentValue("MENUD_TOKEN"), !text.isEmpty {
      guard let token = Secret(token: text) else { throw Self.failed("MENUD_TOKEN is no token.") }
      return token.text
    }
    return try reporting(exit: .failure) { () throws(ConfigurationFault) in
      if let tokenFile { return try Configuration.tokens(in: tokenFile)[0].text }
      guard configuration.auth.required != .never else { return nil }
      return try configuration.someAdministratorToken
    }
  }

  private func page(
    _ address: String, of configuration: Configuration, with token: String?
  ) throws -> (entries: [JSON], next: String?) {
    let fields = token.map { [("Authorization", "Bearer \($0)")] } ?? []
    let answer: Response
    do throws(Probe.Failure) {
      answer = try Probe.answer(
        to: address, host: configuration.server.host.reachable, port: configuration.server.port,
        within: .seconds(10), isEncrypted: configuration.tls.isWanted, fields: fields,
        atMost: 64 << 20)
    } catch {
      let server = configuration.server
      throw Self.failed("\(server.host):\(server.port): \(error.wording)")
    }
    guard let body = try? JSON(parsing: answer.body, maximumDepth: JSON.depthOfAnswers) else {
      throw Self.failed("The answer is no JSON, status \(answer.status.rawValue).")
    }
    guard answer.status == .ok, case .array(let entries)? = body[JSONPointer(["entries"])] else {
      throw Self.failed(
        body[JSONPointer(["detail"])]?.plainWord ?? "Status \(answer.status.rawValue).")
    }
    // Only its path is used: the next page is on the same server.
    let next = body[JSONPointer(["next"])]?.plainWord
    return (entries, next?.wholeMatch(of: /\/sessions\/[!-~]+/) == nil ? nil : next)
  }

  private static func failed(_ sentence: String) -> ExitCode {
    Posix.write("menud: \(sentence.plainText())\n", to: Posix.errors)
    return .failure
  }
}

extension JSON {
  fileprivate var plainWord: String? { if case .string(let word) = self { word } else { nil } }
}
