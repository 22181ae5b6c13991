import ArgumentParser

/// Uses a session of a running server from a shell.
struct DoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "do", abstract: "Use a session of a running server.",
    discussion: """
      Requests are carried out by the program curl, which brings TLS and proxies. Tables are for people; \
      --json prints what the server wrote.
      """ + " Exits with "
        + DoExit.allCases.map { "\($0.rawValue): \($0.about)" }.joined(separator: " "),
    subcommands: [
      PerformCommand.self, PressCommand.self, ItemsCommand.self, MenuCommand.self,
      SearchCommand.self, FollowCommand.self, EntriesCommand.self, PatchCommand.self,
      UndoCommand.self, RedoCommand.self, SessionsCommand.self,
    ])
}
