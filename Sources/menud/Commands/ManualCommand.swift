import ArgumentParser

/// Prints the manual page.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page.",
    discussion:
      "The page is in roff: read it by 'menud manual | man -l -', or install it as menud.1.")

  func run() {
    Posix.write(ManualPage(of: CommandDescription(of: Menud.self)).text, to: Posix.output)
  }
}
